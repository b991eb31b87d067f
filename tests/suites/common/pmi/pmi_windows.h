/* SPDX-License-Identifier: MIT */
/*
 * Code at CPL 3 under a counter that counts CPL 1 to 3 alone: the handler of a PMI and the kernel
 * around the code, at CPL 0, add nothing to its count, so that counts and periods are exact.
 */
#ifndef TESTS_SUITES_COMMON_PMI_PMI_WINDOWS_H
#define TESTS_SUITES_COMMON_PMI_PMI_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/run/test.h>
#include <pmu/core/pmi.h>
#include <pmu/core/program.h>

/* Code at CPL 3, and a local APIC to deliver the PMI; the PMU is the suite's affair. */
const char *need_pmi_delivery(struct test_ctx *t);

/* The same, and that APIC has LVTPC: not that of every processor has. */
const char *need_pmi_lvtpc(struct test_ctx *t);

/* The longest run of USER_NOPS; mode_run() has no place for more. */
enum { USER_NOPS_MAX = 2000 };

/* For pmu_window(): rounds NOPs at CPL 3, then the INT 81H that ends them; interrupts are off. */
void user_nops(uint32_t rounds, uint32_t argument);

/* For pmu_window(): rounds times DEC ECX, JNZ at CPL 3, then the INT 81H; rounds from 1. */
void user_loop(uint32_t rounds, uint32_t argument);

/* The address of the NOP that follows so many of them. */
uintptr_t user_nop_address(uint64_t nops);

/* The first and the second counter of tests that need no more: 0 and 1. On NetBurst 12 and 14,
 * which can count instructions and have an ESCR each. */
unsigned pmi_counter(unsigned i);

/* Instructions; PMU_OS, PMU_USR, PMU_INT. The event is C0H on P6, too. On NetBurst counters of one
 * CPL go by one ESCR, and the window's end leaves OVF as it is. */
struct pmu_setup pmi_instructions(unsigned counter, unsigned flags, uint64_t missing);

/* Instructions at CPL 3, with INT. */
struct pmu_setup user_instructions(unsigned counter, uint64_t missing);

/*
 * What user_nops() retires at CPL 3 beside its NOPs: the INT 81H, and, where a processor takes it
 * for CPL 3's, the IRET that got there. Measured; interrupts of the counter stay off.
 */
uint64_t user_base(unsigned counter);

/* A window with its PMIs, once more where one of them may have been the watchdog's tick. */
struct pmi_window {
	const struct pmu_setup *setups;
	unsigned count;
	void (*code)(uint32_t rounds, uint32_t argument);
	uint32_t rounds;
	void (*on_pmi)(struct frame *f);       /* NULL: pmi_go_on() */
	void (*before)(void);          /* NULL, or run before each try */
	unsigned most;                 /* PMIs after which pmi_go_on() stops them; 0: 16 */
};
const struct pmi_log *pmi_run(const struct pmi_window *w);

/*
 * What a handler here does at its end: clears the status, unmasks LVTPC. Once there are too many
 * PMIs it masks LVTPC: a PMU that raises them on and on fails the test and does not hang it.
 */
void pmi_go_on(void);
bool pmi_has_storm(void);

/* One counter, no handler of the test's own. */
const struct pmi_log *pmi_run_one(const struct pmu_setup *s,
                                  void (*code)(uint32_t rounds, uint32_t argument),
                                  uint32_t rounds);

/*
 * An end for HLT: one interrupt of the APIC's timer after so many milliseconds, 1 to 50. With
 * interrupts on; wake_count() tells whether it came, wake_stop() takes it back.
 */
void wake_after(unsigned milliseconds);
unsigned wake_count(void);
void wake_stop(void);

/* The counter's bit in IA32_PERF_GLOBAL_STATUS, and in IA32_PERF_GLOBAL_CTRL, if has_status(). */
uint64_t counter_bit(unsigned counter);

/* The largest value of a counter. */
uint64_t counter_mask(unsigned counter);

/* Is there IA32_PERF_GLOBAL_STATUS? Not in architectural version 1, nor before. */
bool has_status(void);

#endif
