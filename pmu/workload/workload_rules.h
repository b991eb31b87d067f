/* SPDX-License-Identifier: MIT */
/* What may be asked of workloads by name, so that none touches memory that is not its own, runs
 * for more than some seconds, or has instructions that this processor lacks. */
#ifndef PMU_WORKLOAD_WORKLOAD_RULES_H
#define PMU_WORKLOAD_WORKLOAD_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/workload/workload.h>

enum workload_argument {
	WORKLOAD_NO_ARGUMENT,
	WORKLOAD_OFFSET,               /* into the arena; its code takes the address */
	WORKLOAD_LENGTH,               /* of a string instruction, in its elements, 0 to most */
	WORKLOAD_BITS,                 /* any 32 */
	WORKLOAD_SEED                  /* any 32, not all 0 */
};

struct workload_rule {
	const char *name;
	enum workload_argument argument;
	uint32_t stride, size;         /* WORKLOAD_OFFSET: bytes a round, bytes of an access */
	uint32_t align;                /* of the offset */
	uint32_t most;                 /* WORKLOAD_LENGTH */
	uint32_t weight;               /* a round takes as long as so many light instructions */
	bool is_kernels;               /* at CPL 0 only */
	bool has_gate;                 /* needs pmu_workload_gates() */
};

/* Never NULL: most have no argument, and nothing special. */
const struct workload_rule *workload_rule_of(const char *name);

/*
 * How many rounds it may have with this argument (an offset, where it is an address) and so many
 * bytes of arena: within a second at 100 million light instructions a second, and within the
 * arena. 0: none, because the offset is behind it, or because rounds mean nothing to it.
 */
uint32_t workload_rounds_most(const struct workload *w, uint32_t argument, uint32_t memory);

/* NULL, or why this processor cannot run it: "CPUID.1:EDX[25] (SSE) = 0". */
const char *workload_problem(const struct workload *w);

#endif
