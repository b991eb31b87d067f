/* SPDX-License-Identifier: MIT */
/*
 * Says what an architectural PMU must have: the MSRs that exist, and the kind of every bit of its
 * control and status registers, derived from CPUID, IA32_PERF_CAPABILITIES and the processor's
 * model.
 */
#ifndef TESTS_SUITES_ARCH_ARCH_RULES_H
#define TESTS_SUITES_ARCH_ARCH_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/core/pmu.h>
#include <pmu/core/program.h>
#include <tests/suites/arch/arch_sources.h>

/* Limits the indices that the tests try: the general counters' maps have 32 bits, the fixed ones'
 * 16. */
enum { ARCH_GP_MAX = 32, ARCH_FIXED_MAX = 16 };

/* Lists the kinds of a bit or of an MSR. */
enum arch_kind {
	ARCH_RESERVED,     /* a bit: #GP(0) if it is written as 1; an MSR: #GP(0) on every access */
	ARCH_DEFINED,
	ARCH_OPEN          /* the sources differ or say nothing: reported, not judged */
};

/* Lists the registers whose bits have rules. */
enum arch_register {
	ARCH_PERFEVTSEL, ARCH_FIXED_CTR_CTRL, ARCH_GLOBAL_CTRL, ARCH_GLOBAL_OVF_CTRL,
	ARCH_GLOBAL_STATUS_SET, ARCH_REGISTERS
};

/* Returns the kind of a bit; *source gets the manual's section that defines the bit. counter
 * selects the IA32_PERFEVTSELx and is not used for other registers. */
enum arch_kind arch_bit(enum arch_register r, unsigned counter, unsigned bit, const char **source);

/* Returns all bits of that kind. */
uint64_t arch_bits(enum arch_register r, unsigned counter, enum arch_kind kind);

/* Describes MSRs at consecutive addresses, or a single one (count 1). */
struct arch_msrs {
	const char *name;
	uint32_t msr, step;
	unsigned count;                        /* how many indices are tried */
	enum arch_kind (*kind)(const struct pmu *p, unsigned index);
	bool is_read_only;
	const char *source;
};

extern const struct arch_msrs arch_msrs[];
extern const unsigned arch_msrs_count;

/* Return whether the general or the fixed counter exists. */
bool arch_has_gp(const struct pmu *p, unsigned index);
bool arch_has_fixed(const struct pmu *p, unsigned index);

/* Returns the next existing counter, numbered as in program.h. ARCH_NO_COUNTER begins the list and
 * ends it. */
unsigned arch_next_counter(unsigned counter);
#define ARCH_NO_COUNTER UINT32_MAX
#define FOR_EACH_COUNTER(c) \
	for (unsigned c = arch_next_counter(ARCH_NO_COUNTER); c != ARCH_NO_COUNTER; \
	     c = arch_next_counter(c))

/* Return the counter's bit in IA32_PERF_GLOBAL_CTRL and _STATUS, and the bits of
 * all existing counters. */
uint64_t arch_global_bit(unsigned counter);
uint64_t arch_global_bits(void);

/* Returns the bits of IA32_PERF_GLOBAL_STATUS that do not come from counters and may be set at any
 * time; an exact machine sets none of them. */
uint64_t arch_unrelated_status(void);

/* Returns all ones in the counter's width. */
uint64_t arch_counter_max(unsigned counter);

/* Returns whether the counter can count instructions, as any general one and
 * IA32_FIXED_CTR0 can. */
bool arch_counts_insns(unsigned counter);

/* Returns whether the counter must move in any window. Counters of losses need not: there may be no
 * loss. */
bool arch_always_moves(unsigned counter);

/*
 * Rounds of workload_loop in which fixed counter 2 moves, too. A round takes a cycle at least. The
 * counter may be updated by a slower clock: the crystal's 38.4 MHz are 160 cycles of 6.1 GHz.
 */
enum { ARCH_ROUNDS = 2000 };

/* Returns a setup with these flags that counts instructions at CPL 0, or on a fixed counter the
 * event of this counter. */
struct pmu_setup arch_setup(unsigned counter, unsigned flags, uint64_t start);

/* Return the register that holds a counter's own enable bits, and those bits. */
uint32_t arch_enable_msr(unsigned counter);
uint64_t arch_enable_bits(unsigned counter);

#endif
