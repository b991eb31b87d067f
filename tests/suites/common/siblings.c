/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/siblings.h>

#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/cpu/self.h>
#include <tests/suites/common/smp_tests.h>

static SHARED volatile uint32_t is_ready, is_wanted, is_done;

void sibling_wait(void)
{
	is_ready = 1;
	while (!is_wanted)
		cpu_pause();
}

void sibling_done(void)
{
	is_done = 1;
}

void sibling_go(void)
{
	is_wanted = 1;
}

void sibling_join(void)
{
	while (!is_done)
		cpu_pause();
}

/* For pmu_window(): lets the sibling work and waits for it. */
static void watch(uint32_t rounds, uint32_t argument)
{
	(void)rounds;
	(void)argument;
	sibling_go();
	sibling_join();
}

void sibling_window(struct test_ctx *t, const struct pmu_setup *setups, unsigned count,
                    execute_part_fn part, uintptr_t argument,
                    void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds,
                    uint32_t code_argument)
{
	unsigned cpu = smp_find(true);

	is_ready = is_wanted = is_done = 0;
	pmu_program(setups, count);
	secondaries_begin(t, cpu, part, argument);
	while (!is_ready)
		cpu_pause();
	pmu_window(code ? code : watch, rounds, code_argument);
	secondaries_join(t, cpu);
}
