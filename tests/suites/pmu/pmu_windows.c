/* SPDX-License-Identifier: MIT */
/* What falls into a window is not counted: the window is repeated. */
#include <pmu/core/program.h>

#include <arch/cpu/insn.h>
#include <kernel/run/test.h>
#include <kernel/run/watchdog.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/needs.h>

enum { ROUNDS = 100 };

static const char *need_ticks(struct test_ctx *t)
{
	const char *reason = need_counting_pmu(t);

	if (!reason && !pmu_get()->class->driver)
		return test_reason(t, "no driver for the PMU of %s", pmu_get()->class->name);
	if (!reason && !watchdog_has_ticks())
		return test_reason(t, "%s", watchdog_describe());
	return reason;
}

static bool is_to_wait;

/* The first window is as long as a tick, the others only run the loop. */
static void wait_once(uint32_t rounds, uint32_t argument)
{
	const unsigned ticks = watchdog_ticks();

	while (is_to_wait && watchdog_ticks() == ticks)
		cpu_pause();
	is_to_wait = false;
	workload_loop.code(rounds, argument);
}

TEST(tick, .id = "pmu.windows.tick", .needs = need_ticks, .runs = TEST_ON_BOOT,
     .source = "pmu/core/program.h",
     .claim = "a window into which the kernel's own watchdog ticks is repeated")
{
	const uint16_t event = counting_event(COUNTING_INSNS);
	const struct pmu_setup s = { .counter = pmu_counter_for(event, 0), .event = event,
	                             .flags = PMU_BOTH };
	struct pmu_reading quiet, ticked;

	is_to_wait = false;
	quiet = pmu_measure_code(&s, 1, wait_once, ROUNDS, 0);
	is_to_wait = true;
	ticked = pmu_measure_code(&s, 1, wait_once, ROUNDS, 0);
	expect_between(t, "repeated windows", ticked.repeats, 1, PMU_REPEATS_MAX,
	               "low: a tick fell into the first window; high: no window is repeated more "
	               "often");
	expect_exact(t, "instructions", ticked.count[0], quiet.count[0],
	             "the second window ran the same code without a tick");
}
