/* SPDX-License-Identifier: MIT */
/* PMIs with several processors: each goes to the processor whose counter
 * overflowed, and none is lost. */
#include <stddef.h>

#include <arch/cpu/insn.h>
#include <tests/suites/common/bounded_wait.h>
#include <tests/suites/common/counts/crossings.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/smp_tests.h>

#define SOURCE "SDM 3B, \"Generating an Interrupt on Overflow\"; SDM 3A, \"Local Vector Table\": " \
               "LVTPC is the logical processor's own"

static NEED_BOTH(need_pmi_secondaries, need_pmi, need_secondaries)

static unsigned count_running(void)
{
	unsigned running = 1;

	FOR_EACH_OTHER(cpu)
		running++;
	return running;
}

/* ------------------------------------------------------------------------ whose PMI */

static SHARED struct smp_barrier barrier;
static SHARED unsigned running;

enum { PERIOD = 100, NOPS = 500 };

/* Overflows one counter on the processor `owner` while every processor listens. */
static void overflow_one(struct test_ctx *t, uintptr_t owner)
{
	const struct pmu_setup s = user_instructions(0, PERIOD);

	pmu_program(&s, 1);
	pmi_listen(PMI_NMI, NULL);
	smp_barrier_wait(&barrier, running);
	if (smp_self() == owner)
		pmu_window(user_nops, NOPS, 0);
	wait_silence();
	smp_barrier_wait(&barrier, running);
	pmi_stop();
	pmu_reset();
	test_sub(t, "overflow on cpu %u", (unsigned)owner);
	expect_exact(t, "PMIs here", pmi_get_log()->count - pmi_get_log()->unsure,
	             smp_self() == owner, "a PMI goes to the processor whose counter overflowed");
}

TEST(pmi, .id = "arch.smp.pmi", .runs = TEST_ON_BOOT, .needs = need_pmi_secondaries, .source =
     SOURCE,
     .claim = "a PMI goes to the processor whose counter overflowed, and to no other")
{
	running = count_running();
	for (unsigned owner = 0; owner < smp_count(); owner++) {
		if (!smp_get(owner)->is_running)
			continue;
		barrier = (struct smp_barrier){ 0, 0 };
		FOR_EACH_OTHER(cpu)
			secondaries_begin(t, cpu, overflow_one, owner);
		overflow_one(t, owner);
		FOR_EACH_OTHER(cpu)
			secondaries_join(t, cpu);
	}
}

/* ------------------------------------------------------------------------ storms */

/*
 * Without skid this takes the shortest period, so that all processors' handlers run all the time;
 * else a period longer than any skid. As in arch.pmi.reload, a handler subtracts a period from the
 * counter.
 */
#define STORM_PERIOD   7u
#define LONG_PERIOD    1500u
#define PERIODS        200u

static uint32_t period;
static unsigned entries;

static void take_period(struct frame *f)
{
	(void)f;
	entries++;
	pmu_write(0, (pmu_read(0) - period) & counter_mask(0));
	pmi_go_on();
}

static void forget(void)
{
	entries = 0;
}

static void storm_here(struct test_ctx *t, uintptr_t argument)
{
	const uint32_t rounds = period * PERIODS / 2 + 3;       /* two instructions a round */
	const struct pmu_setup s = user_instructions(0, period);
	const struct pmi_window w = { .setups = &s, .count = 1, .code = user_loop,
	                              .rounds = rounds, .on_pmi = take_period, .before = forget,
	                              .most = PERIODS + 100 };
	const unsigned each = crossing_of_return(0);
	uint64_t total = user_base(0) + 2 * rounds;

	(void)argument;
	smp_barrier_wait(&barrier, running);
	total += each * pmi_run(&w)->user_returns;
	expect_exact(t, "PMIs", entries, (uint32_t)total / period,
	             "one PMI for each full period in the whole count");
	expect_exact(t, "events accounted for",
	             (pmu_read(0) + (uint64_t)period * (entries + 1)) & counter_mask(0), total,
	             "the periods and what is in the counter add up to the count of an "
	             "uninterrupted run, and the handlers' IRETs where they count at CPL 3");
	pmu_reset();
}

static void storm_part(struct test_ctx *t, uintptr_t its_period)
{
	period = (uint32_t)its_period;
	storm_here(t, 0);
}

TEST(storm, .id = "arch.smp.storm", .runs = TEST_ON_BOOT, .needs = need_pmi_secondaries,
     .source = SOURCE,
     .claim = "storms of PMIs on all processors at once lose no PMI and no event")
{
	period = pmu_is_exact() ? STORM_PERIOD : LONG_PERIOD;
	running = count_running();
	barrier = (struct smp_barrier){ 0, 0 };
	FOR_EACH_OTHER(cpu)
		secondaries_begin(t, cpu, storm_part, period);
	storm_here(t, 0);
	FOR_EACH_OTHER(cpu)
		secondaries_join(t, cpu);
}
