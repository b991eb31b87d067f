/* SPDX-License-Identifier: MIT */
/*
 * Programs NetBurst for the model's unit tests. The processors and their registers are typed from
 * the manual and not from the model's tables.
 */
#ifndef TESTS_UNIT_MODEL_NETBURST_MODEL_NETBURST_H
#define TESTS_UNIT_MODEL_NETBURST_MODEL_NETBURST_H

#include <tests/unit/model/core/model_several.h>

enum { WILLAMETTE = 0xf12, NORTHWOOD = 0xf29, PRESCOTT_0 = 0xf34, PRESCOTT = 0xf41,
       CEDAR_MILL = 0xf64 };
#define NETBURST_CPUS { WILLAMETTE, NORTHWOOD, PRESCOTT_0, PRESCOTT, CEDAR_MILL }

enum { COUNTER = 0x300, CCCR = 0x360, ESCR = 0x3a0, FSB_ESCR0 = 0x3a2, CRU_ESCR0 = 0x3b8,
       CRU_ESCR1 = 0x3b9, IQ_ESCR0 = 0x3ba, TC_PRECISE = 0x3f0, PEBS_ENABLE = 0x3f1,
       MATRIX_VERT = 0x3f2 };

/* These are the fields of a CCCR. */
#define SELECT(n)    ((uint32_t)(n) << 13)
#define ACTIVE(n)    ((uint32_t)(n) << 16)
#define THRESHOLD(n) (COMPARE | (uint32_t)(n) << 20)
#define INTO         (UINT32_C(1) << 11)
#define ENABLE       (UINT32_C(1) << 12)
#define COMPARE      (UINT32_C(1) << 18)
#define COMPLEMENT   (UINT32_C(1) << 19)
#define EDGES        (UINT32_C(1) << 24)
#define FORCE        (UINT32_C(1) << 25)
#define PMI_T0       (UINT32_C(1) << 26)
#define PMI_T1       (UINT32_C(1) << 27)
#define CASCADE      (UINT32_C(1) << 30)
#define OVF          (UINT32_C(1) << 31)

/* These CCCRs select CRU_ESCR0 or 1, and FSB_ESCR0 or 1, with any thread active. */
#define OF_CRU       (ACTIVE(3) | SELECT(4))
#define OF_FSB       (ACTIVE(3) | SELECT(6))

/*
 * These are bits of ESCRs: instr_retired, not bogus, tagged or not; global_power_events, running.
 */
enum { T1_USR = 1, T1_OS = 2, T0_USR = 4, T0_OS = 8, T0 = T0_OS | T0_USR, T1 = T1_OS | T1_USR };
#define INSTR_RETIRED (UINT32_C(2) << 25 | UINT32_C(3) << 9)
#define RUNNING       (UINT32_C(0x13) << 25 | UINT32_C(1) << 9)

/* Returns the value of a counter that overflows after n events. */
#define BEFORE(n)     (-(uint64_t)(n) & ONES(40))

/* Creates the machine of all tests anew, with a core of so many threads. */
static struct several s;

static inline void fresh(uint32_t signature, unsigned threads)
{
	several_create(&s, signature, 1, 1, threads);
}

/* Creates the machine with one rule changed. */
#define FRESH_WITH(signature, threads, field, to) \
	(fresh(signature, threads), s.core[0]->rules.field = (to))

static inline uint64_t get_msr(uint32_t msr)
{
	return several_get(&s, 0, msr);
}

static inline void put_msr(uint32_t msr, uint64_t value)
{
	several_put(&s, 0, msr, value);
}

/* Retires NOPs of a thread at this CPL. */
static inline void run(unsigned thread, unsigned cpl, unsigned count)
{
	s.cpu[thread].cpl = (uint8_t)cpl;
	several_nops(&s, thread, count);
}

/*
 * Makes this counter count retired instructions of thread 0, from value; bits are the CCCR's other
 * bits.
 */
static inline void count_instr(unsigned counter, uint32_t bits, uint64_t value)
{
	bool is_odd = counter == 14 || counter == 15 || counter == 17;

	put_msr(CRU_ESCR0 + is_odd, INSTR_RETIRED | T0);
	put_msr(COUNTER + counter, value);
	put_msr(CCCR + counter, OF_CRU | bits);
}

static inline uint64_t counted(unsigned counter)
{
	return get_msr(COUNTER + counter);
}

#endif
