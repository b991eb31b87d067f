/* SPDX-License-Identifier: MIT */
/*
 * What an architectural PMU must have: which MSRs there are, and what every bit of its control and
 * status registers is. Derived from CPUID, IA32_PERF_CAPABILITIES and the processor's model.
 */
#ifndef TESTS_SUITES_ARCH_ARCH_RULES_H
#define TESTS_SUITES_ARCH_ARCH_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/core/pmu.h>
#include <pmu/core/program.h>

/* Indices that the tests try: the general counters' maps have 32 bits, the fixed ones' 16. */
enum { ARCH_GP_MAX = 32, ARCH_FIXED_MAX = 16 };

/* What a bit or an MSR is. */
enum arch_kind {
	ARCH_RESERVED,     /* a bit: #GP(0) if it is written as 1; an MSR: #GP(0) on every access */
	ARCH_DEFINED,
	ARCH_OPEN          /* the sources differ or say nothing: reported, not judged */
};

/* The registers whose bits have rules. */
enum arch_register {
	ARCH_PERFEVTSEL, ARCH_FIXED_CTR_CTRL, ARCH_GLOBAL_CTRL, ARCH_GLOBAL_OVF_CTRL,
	ARCH_GLOBAL_STATUS_SET, ARCH_REGISTERS
};

/* What a bit is, and who says so. counter: which IA32_PERFEVTSELx; else not used. */
enum arch_kind arch_bit(enum arch_register r, unsigned counter, unsigned bit, const char **source);

/* All bits of that kind. */
uint64_t arch_bits(enum arch_register r, unsigned counter, enum arch_kind kind);

/* MSRs that follow each other, or are alone (count 1). */
struct arch_msrs {
	const char *name;
	uint32_t msr, step;
	unsigned count;                        /* so many indices are tried */
	enum arch_kind (*kind)(const struct pmu *p, unsigned index);
	bool is_read_only;
	const char *source;
};

extern const struct arch_msrs arch_msrs[];
extern const unsigned arch_msrs_count;

/* Is there the general counter, the fixed counter? */
bool arch_has_gp(const struct pmu *p, unsigned index);
bool arch_has_fixed(const struct pmu *p, unsigned index);

/* Every counter there is, numbered as in program.h; UINT32_MAX begins, and is the end. */
unsigned arch_next_counter(unsigned counter);
#define ARCH_NO_COUNTER UINT32_MAX
#define FOR_EACH_COUNTER(c) \
	for (unsigned c = arch_next_counter(ARCH_NO_COUNTER); c != ARCH_NO_COUNTER; \
	     c = arch_next_counter(c))

/* The counter's bit in IA32_PERF_GLOBAL_CTRL and _STATUS; of every counter there is. */
uint64_t arch_global_bit(unsigned counter);
uint64_t arch_global_bits(void);

/* All ones in the counter's width. */
uint64_t arch_counter_max(unsigned counter);

/* Does the counter count instructions: any general one, if told to, and IA32_FIXED_CTR0? */
bool arch_counts_insns(unsigned counter);

/* Must the counter move in any window? Not those of losses, which may be none. */
bool arch_always_moves(unsigned counter);

/* Counting instructions at CPL 0, on a fixed counter what it counts; with more flags. */
struct pmu_setup arch_setup(unsigned counter, unsigned flags, uint64_t start);

/* The register that holds a counter's own enable; its bits that do. */
uint32_t arch_enable_msr(unsigned counter);
uint64_t arch_enable_bits(unsigned counter);

#endif
