/* SPDX-License-Identifier: MIT */
/*
 * p6.events.NAME: checks unit masks of the rows of p6_events_*.c, in addition to what all
 * generations share. SDM 3B, "Events That Can Be Counted with the P6 Family Performance-Monitoring
 * Counters", its introduction: L2 events "that can be qualified by MESI", bus events by agent.
 */
#include <tests/suites/common/events/event_run.h>

#include <stddef.h>

#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <pmu/core/program.h>
#include <tests/suites/common/needs.h>

const char *p6_event_need(struct test_ctx *t)
{
	unsigned count;
	const struct event_exercise *rows = event_rows_of(t, &count);
	const char *problem = need_p6(t);

	return problem ? problem : event_rows_need(t, rows, count);
}

/* Counts with one mask on counter 0 and with another on counter 1, in one window of the
 * row's code. */
struct two { uint64_t first, second; };

static struct two measure_two(const struct event_exercise *row, uint8_t first, uint8_t second)
{
	const struct pmu_event *e = event_row_find(row);
	const struct pmu_setup setups[] = {
		{ .counter = 0, .event = EVENT(e->select, first), .flags = PMU_BOTH },
		{ .counter = 1, .event = EVENT(e->select, second), .flags = PMU_BOTH },
	};
	struct pmu_reading r = event_row_measure(row, setups, 2, row->many);

	return (struct two){ r.count[0], r.count[1] };
}

static bool is_one_bit(uint8_t bits)
{
	return bits != 0 && (bits & (bits - 1)) == 0;
}

/* Returns whether the masks are one bit each, all of which the full count has: states of a line,
 * segment registers. */
static bool has_joined_masks(const struct pmu_event *e)
{
	unsigned joined = 0;

	for (unsigned i = 0; i < PMU_EVENT_MASKS_MAX && e->masks[i].name; i++)
		if (is_one_bit(e->masks[i].bits))
			joined |= e->masks[i].bits;
	return !e->is_enumerated && joined != 0 && joined == e->umask && !is_one_bit(e->umask);
}

static void check_joined(struct test_ctx *t, const struct event_exercise *row,
                         const struct pmu_event *e)
{
	uint64_t sum = 0, all = 0;

	for (unsigned i = 0; i < PMU_EVENT_MASKS_MAX && e->masks[i].name; i++) {
		struct two counts;

		if (!is_one_bit(e->masks[i].bits))
			continue;
		counts = measure_two(row, e->masks[i].bits, e->umask);
		test_sub(t, "%s, mask %s and all in one window", row->moves, e->masks[i].name);
		expect_between(t, "PerfCtr0", counts.first, 0, counts.second,
		               "low: no count is negative; high: what has this mask is among all");
		sum += counts.first;
		all = counts.second;
	}
	event_row_judge_masks(t, row, sum, all);
}

/* The same section says: "if no MESI bit is set nothing is counted". */
static void check_no_state(struct test_ctx *t, const struct event_exercise *row,
                           const struct pmu_event *e)
{
	struct two none = measure_two(row, 0, e->umask);

	test_sub(t, "%s, unit mask 00H", row->moves);
	expect_exact(t, "PerfCtr0", none.first, 0,
	             "a line is in one of four states, and the mask selects none of them");
}

static bool has_agents(const struct pmu_event *e)
{
	return e->is_enumerated && e->masks[0].name && strcmp(e->masks[0].name, "SELF") == 0;
}

/* For clocks, SELF may count the bus's and ANY the processor's, which are at least as many. */
static void check_agents(struct test_ctx *t, const struct event_exercise *row,
                         const struct pmu_event *e)
{
	struct two counts = measure_two(row, e->masks[0].bits, e->masks[1].bits);

	test_sub(t, "%s, this agent and any, in one window", row->moves);
	expect_between(t, "PerfCtr0", counts.first, 0, counts.second,
	               "low: no count is negative; high: this processor is one of the agents");
}

void p6_event_run(struct test_ctx *t)
{
	unsigned count;
	const struct event_exercise *rows = event_rows_of(t, &count), *row = &rows[0];
	const struct pmu_event *e;

	event_rows_run(t, rows, count);
	while (row < rows + count && (!row->moves || event_row_need(t, row)))
		row++;
	if (row == rows + count)
		return;
	e = event_row_find(row);
	if (has_joined_masks(e))
		check_joined(t, row, e);
	if (has_joined_masks(e) && strcmp(e->unit, "L2") == 0)
		check_no_state(t, row, e);
	if (has_agents(e))
		check_agents(t, row, e);
	test_sub(t, "%s", "");
}
