/* SPDX-License-Identifier: MIT */
/*
 * Limits workloads that a user chooses by name, so that none touches memory other than its own,
 * runs for more than some seconds, or has instructions that this processor lacks.
 */
#ifndef PMU_WORKLOAD_WORKLOAD_RULES_H
#define PMU_WORKLOAD_WORKLOAD_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/workload/workload.h>

enum workload_argument {
	WORKLOAD_NO_ARGUMENT,
	WORKLOAD_OFFSET,               /* offset into the arena; the code takes the address */
	WORKLOAD_LENGTH,               /* length of a string instruction in elements, 0 to most */
	WORKLOAD_BITS,                 /* any 32 */
	WORKLOAD_SEED                  /* any 32, not all 0 */
};

struct workload_rule {
	const char *name;
	enum workload_argument argument;
	uint32_t stride, size;         /* WORKLOAD_OFFSET: bytes per round, bytes per access */
	uint32_t align;                /* alignment of the offset */
	uint32_t most;                 /* WORKLOAD_LENGTH */
	uint32_t weight;               /* a round takes as long as this many light instructions */
	bool is_kernels;               /* at CPL 0 only */
	bool has_gate;                 /* needs pmu_workload_gates() */
};

/* Returns the rule of a workload, never NULL: most have no argument, and nothing special. */
const struct workload_rule *workload_rule_of(const char *name);

/*
 * Returns how many rounds are allowed with this argument (an offset if the code takes an address)
 * and so many bytes of arena: those that take a second at 100 million light instructions a second
 * and stay within the arena. Returns 0 if the offset is beyond the arena, or if the workload
 * ignores rounds.
 */
uint32_t workload_rounds_most(const struct workload *w, uint32_t argument, uint32_t memory);

/* Returns NULL, or why this processor cannot run it: "CPUID.1:EDX[25] (SSE) = 0". */
const char *workload_problem(const struct workload *w);

#endif
