/* SPDX-License-Identifier: MIT */
/*
 * Runs the rows of P5 events. Events with a duration are counted in clocks, CESR.CC[2] = 1, and
 * judged so; without CC[2] the tests count how often the event began.
 */
#include <arch/cpu/insn.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/events/event_run.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

const char *p5_event_need(struct test_ctx *t)
{
	unsigned count;
	const struct event_exercise *rows = event_rows_of(t, &count);
	const char *reason = need_p5(t);

	return reason ? reason : event_rows_need(t, rows, count);
}

/* Returns what the rounds from few to many add; *bound gets the TSC clocks that
 * the longer window took. */
static uint64_t difference(const struct event_exercise *row, const struct pmu_setup *s,
                           uint64_t *bound)
{
	uint64_t few = event_row_measure(row, s, 1, row->few).count[0], many, start;

	start = tsc_read();
	many = event_row_measure(row, s, 1, row->many).count[0];
	*bound = tsc_read() - start;
	return many - few;
}

static struct bounds clocks_of(const struct event_exercise *row)
{
	if (row->flags & EXERCISE_REPORTED)
		return else_shown(row->reason);
	return else_in(event_row_times(row, row->low), event_row_times(row, row->high), row->why);
}

/* Does the same as difference(), again where the machine does not repeat itself. */
static uint64_t difference_in(const struct event_exercise *row, const struct pmu_setup *s,
                              struct bounds want, uint64_t *bound)
{
	uint64_t got = difference(row, s, bound);

	for (unsigned runs = 1; should_run_again(runs, got, want); runs++)
		got = difference(row, s, bound);
	return got;
}

/* On a machine that is not exact, clocks of what the window itself finds in the caches remain. */
static void judge_still(struct test_ctx *t, const struct event_exercise *still,
                        const struct pmu_setup *s)
{
	const uint64_t half = (still->many - still->few) / 2;
	uint64_t ignored, clocks = difference_in(still, s, else_in(0, half, NULL), &ignored);

	if (pmu_is_exact())
		expect_exact(t, "clocks", clocks, 0,
		             "a round of this code does nothing that the event counts");
	else
		expect_between(t, "clocks, and half the rounds", clocks + half, 0, 2 * half,
		               "low and high: an event of the code takes a clock in each round; "
		               "fewer than half of those are of what the window finds in caches");
}

static void run_duration(struct test_ctx *t, const struct event_exercise *row, unsigned counter)
{
	struct event_exercise still = *row;
	struct pmu_setup s = pmu_event_setup(event_row_find(row), row->mask, counter,
	                                     PMU_BOTH | PMU_CLOCKS);
	uint64_t clocks, begun, bound, ignored;

	test_sub(t, "%s, CTR%u, %" PRIu32 " more rounds", row->moves, counter,
	         row->many - row->few);
	clocks = difference_in(row, &s, clocks_of(row), &bound);
	expect_bounds(t, "clocks", clocks, clocks_of(row), clocks_of(row));
	expect_between(t, "clocks, by the time-stamp counter", clocks, 0, bound,
	               "low: no count is negative; high: the processor's clocks in and "
	               "around the window");
	s.flags = PMU_BOTH;
	begun = difference(row, &s, &ignored);
	expect_between(t, "how often it began", begun, 0, clocks,
	               "low: no count is negative; high: each time takes at least a clock");
	if (!row->still || (row->flags & EXERCISE_REPORTED))
		return;
	still.moves = row->still;
	still.few = row->still_few;
	still.many = row->still_many;
	still.flags &= (uint16_t)~EXERCISE_ARENA;
	still.argument = row->still_argument;
	s.flags = PMU_BOTH | PMU_CLOCKS;
	test_sub(t, "%s, CTR%u", row->still, counter);
	judge_still(t, &still, &s);
}

void p5_event_run(struct test_ctx *t)
{
	unsigned count;
	const struct event_exercise *rows = event_rows_of(t, &count);

	for (unsigned i = 0; i < count; i++) {
		const struct pmu_event *e = event_row_find(&rows[i]);

		if (e->kind != PMU_CYCLES || !rows[i].moves) {
			event_rows_run(t, &rows[i], 1);
			continue;
		}
		for (unsigned c = 0; c < 2 && !event_row_need(t, &rows[i]); c++)
			if (e->counters >> c & 1)
				run_duration(t, &rows[i], c);
	}
	test_sub(t, "%s", "");
}
