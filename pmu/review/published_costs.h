/* SPDX-License-Identifier: MIT */
/* Published costs of instructions on real processors, to be read beside those of this machine. */
#ifndef PMU_REVIEW_PUBLISHED_COSTS_H
#define PMU_REVIEW_PUBLISHED_COSTS_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/cpuid.h>

enum costly { COSTLY_RDPMC, COSTLY_RDMSR, COSTLY_WRMSR, COSTLY_COUNT };

struct published_cost {
	enum cpu_vendor vendor;
	uint8_t family, model;         /* DisplayFamily, DisplayModel */
	const char *name;              /* of the processor that was measured */
	uint16_t tenths[COSTLY_COUNT]; /* of a clock of the TSC; 0: it has no such instruction */
};

/* Returns what was measured on a processor of this family and model, or NULL. */
const struct published_cost *published_cost_of(const struct cpu_identity *cpu);

/*
 * Returns whether so many clocks are more than twice those of the slowest processor that was
 * measured: then something else than the processor executes the instruction, a hypervisor mostly.
 */
bool published_is_beyond(enum costly what, uint32_t clocks);

#endif
