/* SPDX-License-Identifier: MIT */
/*
 * ACTIVE_THREAD: a counter moves while none of the threads is active, exactly one, both, or any. A
 * thread is not active while it is halted or waits for a SIPI. The ESCR selects whose events count.
 */
#include <tests/suites/netburst/netburst_threads.h>

#include <arch/modes/modes.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/halting.h>
#include <tests/suites/common/counts/rings.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/siblings.h>
#include <tests/suites/common/smp_tests.h>

#define SOURCE "SDM 3B, \"CCCR MSRs\", Active thread"

static const char *const names[] = { "none", "single", "both", "any" };

static uint32_t with_active(uint32_t cccr, unsigned active)
{
	return (cccr & ~(uint32_t)CCCR_ACTIVE_THREAD) | FIELD_PUT(CCCR_ACTIVE_THREAD, active);
}

/* Returns a setup of branch_retired of this thread. Counters 12, 13 and 16 share an
 * ESCR, and start together. */
static struct pmu_setup branches(struct netburst_use *use, unsigned counter, unsigned active)
{
	struct pmu_setup s = netburst_setup(use, netburst_event_find("branch_retired"), NULL,
	                                    counter, PMU_BOTH);

	use->cccr_value = with_active(use->cccr_value, active);
	use->is_by_escr = true;
	return s;
}

/* Returns a setup of clocks of the core, by the same ESCR. */
static struct pmu_setup clocks(struct netburst_use *use, unsigned counter, unsigned active)
{
	struct pmu_setup s = branches(use, counter, active);

	use->cccr_value |= CCCR_COMPARE | CCCR_COMPLEMENT | CCCR_THRESHOLD;
	return s;
}

/* ------------------------------------------------------------------------ the sibling */

static SHARED volatile bool is_to_stop;

/* Stays active from before the window to its end. */
static void stay_active(struct test_ctx *t, uintptr_t argument)
{
	(void)t;
	(void)argument;
	sibling_wait();
	sibling_done();
	while (!is_to_stop)
		cpu_pause();
}

/* Is active at the beginning of the window; then halts, as an idle processor does. */
static void stop_soon(struct test_ctx *t, uintptr_t argument)
{
	(void)t;
	(void)argument;
	sibling_wait();
	rings_loop(RINGS_FEW, MODE_CPL3);
	sibling_done();
}

static void loop(uint32_t rounds, uint32_t mode)
{
	sibling_go();
	rings_loop(rounds, mode);
	is_to_stop = true;
}

static uint64_t count_beside(struct test_ctx *t, const struct pmu_setup *s, uint32_t rounds,
                             enum cpu_mode mode)
{
	is_to_stop = false;
	sibling_window(t, s, 1, stay_active, 0, loop, rounds, mode);
	return pmu_read(s->counter);
}

/* ------------------------------------------------------------------------ each value */

static void check(struct test_ctx *t, unsigned active)
{
	static const enum cpu_mode modes[] = { MODE_CPL0, MODE_CPL3 };
	bool is_any = active == ACTIVE_THREAD_ANY;
	struct netburst_use use;
	struct pmu_setup s = branches(&use, 12, active);
	uint64_t more;

	for (unsigned i = 0; i < COUNT_OF(modes); i++) {
		test_sub(t, "%s", mode_name(modes[i]));
		rings_measure(&s, 1, rings_loop, modes[i], &more);
		expect_exact(t, "while the sibling is halted", more,
		             is_any || active == ACTIVE_THREAD_SINGLE ? RINGS_MORE : 0,
		             "5000 more branches, while one thread is active");
		more = count_beside(t, &s, RINGS_MANY, modes[i]);
		more -= count_beside(t, &s, RINGS_FEW, modes[i]);
		expect_exact(t, "while the sibling is active", more,
		             is_any || active == ACTIVE_THREAD_BOTH ? RINGS_MORE : 0,
		             "5000 more branches, while both threads are active");
	}
}

#define ACTIVE(name, value, text) \
	static void name(struct test_ctx *t) { check(t, value); } \
	TEST_OF(name, .id = "netburst.active_thread." #name, .runs = TEST_ON_BOOT, \
	     .needs = need_netburst_thread_modes, .source = SOURCE, .claim = text)

ACTIVE(none, ACTIVE_THREAD_NONE, "with 00B nothing counts while a thread is active");
ACTIVE(single, ACTIVE_THREAD_SINGLE, "with 01B a counter moves while exactly one thread is active");
ACTIVE(both, ACTIVE_THREAD_BOTH, "with 10B a counter moves while both threads are active");
ACTIVE(any, ACTIVE_THREAD_ANY, "with 11B a counter moves while any thread is active");

/* ------------------------------------------------------------------------ identities */

static unsigned three(struct pmu_setup setups[3], struct netburst_use uses[3],
                      struct pmu_setup (*make)(struct netburst_use *, unsigned, unsigned))
{
	setups[0] = make(&uses[0], 12, ACTIVE_THREAD_SINGLE);
	setups[1] = make(&uses[1], 13, ACTIVE_THREAD_BOTH);
	setups[2] = make(&uses[2], 16, ACTIVE_THREAD_ANY);
	return 3;
}

static void go_and_loop(uint32_t rounds, uint32_t mode)
{
	sibling_go();
	rings_loop(rounds, mode);
	sibling_join();
}

static void check_sum(struct test_ctx *t, const char *what,
                      struct pmu_setup (*make)(struct netburst_use *, unsigned, unsigned))
{
	struct netburst_use uses[3];
	struct pmu_setup setups[3];
	unsigned count = three(setups, uses, make);
	uint64_t single, together, any;

	sibling_window(t, setups, count, stop_soon, 0, go_and_loop, RINGS_MANY, MODE_CPL3);
	single = pmu_read(12);
	together = pmu_read(13);
	any = pmu_read(16);
	test_sub(t, "%s", what);
	expect_between(t, "single", single, 1, any,
	               "low: the sibling halts soon; high: what `any` counts");
	expect_between(t, "both", together, 1, any,
	               "low: the sibling works first; high: what `any` counts");
	expect_same(t, "single and both", single + together, any, WINDOW_EDGES,
	            "while this thread is active, the sibling is active or not, so the "
	            "two add up to `any`");
}

TEST(sum, .id = "netburst.active_thread.sum", .runs = TEST_ON_BOOT,
     .needs = need_netburst_thread_modes, .source = SOURCE,
     .claim = "while a sibling halts, `single` and `both` add up to `any`, for branches and for "
              "clocks of the core")
{
	check_sum(t, "branches", branches);
	check_sum(t, "clocks", clocks);
}

/* ------------------------------------------------------------------------ this thread halts */

struct halves { uint64_t single, both, any, tsc; };

/* The sibling is active all the time. */
static struct halves halt_beside(struct test_ctx *t, uint32_t length)
{
	struct netburst_use uses[3];
	struct pmu_setup setups[3];
	unsigned count = three(setups, uses, clocks), cpu = smp_find(true);
	struct halted h;

	is_to_stop = false;
	sibling_go();
	secondaries_begin(t, cpu, stay_active, 0);
	h = measure_halt(setups, count, length, LOOP_SHORT);
	is_to_stop = true;
	secondaries_join(t, cpu);
	return (struct halves){ h.reading.count[0], h.reading.count[1], h.reading.count[2], h.tsc };
}

TEST(halt, .id = "netburst.active_thread.halt", .runs = TEST_ON_BOOT,
     .needs = need_netburst_thread_modes, .source = SOURCE,
     .claim = "while this thread is halted and the sibling is not, `single` counts "
              "and `both` does not")
{
	struct halves few = halt_beside(t, HALT_SHORT), many = halt_beside(t, HALT_LONG);
	uint64_t tsc = many.tsc - few.tsc;

	expect_between(t, "additional TSC clocks of the long halt", tsc, 4096, UINT64_MAX / 2,
	               "low: the timer ran 20 times as long; high: no bound");
	expect_between(t, "single", many.single - few.single, tsc / 16, UINT64_MAX / 2,
	               "low: the sibling's clocks in the longer HLT, at least a "
	               "16th; high: no bound");
	expect_between(t, "both", many.both > few.both ? many.both - few.both : 0, 0, tsc / 16,
	               "low: a halted thread is not active; high: a 16th, for waking up");
	expect_same(t, "single and both", many.single + many.both, many.any, WINDOW_EDGES,
	            "one thread is active all the time");
}

TEST(asleep, .id = "netburst.active_thread.asleep", .runs = TEST_ON_BOOT,
     .needs = need_netburst_thread_modes,
     .source = "SDM 3B, \"Non-Sleep Clockticks\"",
     .claim = "while both threads are halted no clock is counted")
{
	struct netburst_use use;
	struct pmu_setup s = clocks(&use, 12, ACTIVE_THREAD_ANY);

	judge_halted(t, "clocks of the core", &s, 0);
}

/* ------------------------------------------------------------------------ without threads */

TEST(reserved, .id = "netburst.no_threads.active_thread", .needs = need_netburst_no_threads,
     .source = SOURCE,
     .claim = "what other values of bits 17:16 do without Hyper-Threading is reported")
{
	struct netburst_use use;

	for (unsigned active = 0; active < COUNT_OF(names); active++) {
		struct pmu_setup s = branches(&use, 12, active);
		uint64_t more;

		rings_measure(&s, 1, rings_loop, MODE_CPL0, &more);
		if (active == ACTIVE_THREAD_ANY)
			expect_exact(t, "bits 17:16 = 11B", more, RINGS_MORE,
			             "5000 more branches");
		else
			test_report(t, names[active], "bits 17:16 = %u: %" PRId64
			            " of 5000 branches counted", active, more);
	}
}
