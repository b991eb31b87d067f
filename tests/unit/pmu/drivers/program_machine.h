/* SPDX-License-Identifier: MIT */
/* Makes up a Zen and a program of one counter for tests of pmu/core/program.c. */
#ifndef TESTS_UNIT_PMU_DRIVERS_PROGRAM_MACHINE_H
#define TESTS_UNIT_PMU_DRIVERS_PROGRAM_MACHINE_H

#include <arch/regs/table.h>
#include <tests/unit/pmu/drivers/amd_machine.h>

#define STOPS_ZEN  "C0010200=0 C0010202=0 C0010204=0 C0010206=0 C0010208=0 C001020A=0 "

static const struct pmu_setup one = { .counter = 1, .event = 0xc0, .flags = PMU_OS };

/* Makes up a Zen that repeats itself, so that no counter is taken for SMIs. */
static inline void begin(void)
{
	TAKE_ZEN();
	pmu_program_init(true);
	pmu_was_disturbed();
	pmu_reset();
	written[0] = 0;
}

static unsigned programmed;

static inline void note_count(const struct pmu *p, const struct pmu_setup *setups, unsigned count,
                              struct pmu_switch *s)
{
	(void)p;
	(void)setups;
	(void)s;
	programmed = count;
}

#endif
