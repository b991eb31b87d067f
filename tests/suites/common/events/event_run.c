/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/events/event_run.h>

#include <stddef.h>

#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/pmu.h>
#include <pmu/events/event_spec.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/events/event_code.h>
#include <tests/suites/common/exactness.h>

const struct event_exercise *event_rows_of(const struct test_ctx *t, unsigned *count)
{
	const struct exercise_test *test = (const void *)test_that_runs(t);

	*count = test->count;
	return test->rows;
}

const struct pmu_event *event_row_find(const struct event_exercise *row)
{
	const struct pmu_event *e = row->unit ? NULL : pmu_event_find(row->event), *table;
	unsigned count;

	table = pmu_event_table(&count);
	for (unsigned i = 0; !e && i < count; i++)
		if (row->unit && strcmp(table[i].name, row->event) == 0
		    && strcmp(table[i].unit, row->unit) == 0)
			e = &table[i];
	if (!e)
		test_abort("there is no event %s in the table", row->event);
	return e;
}

static uint32_t offset_of(const struct event_exercise *row)
{
	return row->flags & EXERCISE_ARENA ? row->argument : 0;
}

const char *event_row_code_need(struct test_ctx *t, const struct event_exercise *row)
{
	const struct event_code none = { .name = "" };
	struct event_code moves = row->moves ? event_code_find(row->moves) : none;
	struct event_code still = row->still ? event_code_find(row->still) : none;
	const char *problem;

	problem = event_code_need(t, &moves, row->many, offset_of(row));
	if (problem)
		return problem;
	return event_code_need(t, &still, row->still_many,
	                       row->flags & EXERCISE_STILL_ARENA ? row->still_argument : 0);
}

const char *event_row_need(struct test_ctx *t, const struct event_exercise *row)
{
	const struct pmu_event *e = event_row_find(row);

	if (!pmu_event_exists(e))
		return test_reason(t, "event %02XH, %s, does not exist on this %s processor: "
		                   "CPUID.1:EAX = %" PRIX32 "H", e->select, e->name,
		                   pmu_get()->class->name, cpuid_read(1, 0).eax);
	return event_row_code_need(t, row);
}

const char *event_rows_need(struct test_ctx *t, const struct event_exercise *rows, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!event_row_need(t, &rows[i]))
			return NULL;
	return event_row_need(t, &rows[0]);
}

/* ------------------------------------------------------------------------ windows */

/* Describes the code that runs, and its counters. */
struct run {
	struct event_code code;
	uint32_t argument;
	bool is_at_cpl3, is_cold;
};

static struct run run_of(const struct event_exercise *row, bool is_still)
{
	uint32_t size;
	bool is_arena = row->flags & (is_still ? EXERCISE_STILL_ARENA : EXERCISE_ARENA);
	uint32_t base = (uint32_t)(uintptr_t)pmu_workload_arena(&size);

	return (struct run){
		.code = event_code_find(is_still ? row->still : row->moves),
		.argument = (is_still ? row->still_argument : row->argument)
		            + (is_arena ? base : 0),
		.is_at_cpl3 = row->flags & EXERCISE_USR,
		.is_cold = row->flags & EXERCISE_COLD,
	};
}

static struct pmu_reading run_window(const struct run *r, const struct pmu_setup *setups,
                                     unsigned count, uint32_t rounds)
{
	struct pmu_reading reading;

	if (r->code.prepare)
		r->code.prepare(rounds);
	if (r->is_cold)
		workload_find("wbinvd")->code(1, 0);
	pmu_workload_at_cpl3_begin(r->code.code);
	pmu_workload_begin();
	reading = pmu_measure_code(setups, count,
	                           r->is_at_cpl3 ? pmu_workload_at_cpl3 : r->code.code, rounds,
	                           r->argument);
	pmu_workload_end();
	return reading;
}

struct pmu_reading event_row_measure(const struct event_exercise *row,
                                     const struct pmu_setup *setups, unsigned count,
                                     uint32_t rounds)
{
	struct run r = run_of(row, false);

	return run_window(&r, setups, count, rounds);
}

/* Setups of which the first one counts and the others are what it needs; or a choice. */
struct counted { const struct pmu_setup *setups; unsigned count; const struct pmu_chosen *chosen; };

static uint64_t value(struct counted c, const struct pmu_reading *r)
{
	return c.chosen ? (uint64_t)pmu_spec_value(c.chosen, 0, r->count) : r->count[0];
}

/* Returns how much more `many` rounds count than `few`; a defect, or a choice, may be below 0. */
static uint64_t run_difference(const struct run *r, struct counted c, uint32_t few, uint32_t many)
{
	struct pmu_reading reading;
	uint64_t before = 0;

	/* One call makes both windows, so that both find the stack in the same lines. */
	for (unsigned n = 0; n < 2; n++) {
		before = n ? value(c, &reading) : 0;
		reading = run_window(r, c.setups, c.count, n ? many : few);
	}
	return value(c, &reading) - before;
}

static uint64_t row_difference(const struct event_exercise *row, struct counted c)
{
	struct run r = run_of(row, false);

	if (row->flags & EXERCISE_WARM)
		run_window(&r, c.setups, c.count, row->few);
	return run_difference(&r, c, row->few, row->many);
}

uint64_t event_row_difference(const struct event_exercise *row, const struct pmu_setup *setups,
                              unsigned count)
{
	return row_difference(row, (struct counted){ setups, count, NULL });
}

/* Returns in .count how much more each setup counts in `many` rounds than in `few`. */
static struct pmu_reading run_differences(const struct run *r, const struct pmu_setup *setups,
                                          unsigned count, uint32_t few, uint32_t many)
{
	struct pmu_reading reading = { 0 }, before;

	/* One call makes both windows, so that both find the stack in the same lines. */
	for (unsigned n = 0; n < 2; n++) {
		before = reading;
		reading = run_window(r, setups, count, n ? many : few);
	}
	for (unsigned i = 0; i < count; i++)
		reading.count[i] -= before.count[i];
	return reading;
}

/* ------------------------------------------------------------------------ verdicts */

/* Returns the counts in all rounds, at `each` per row->per rounds. 32 bits hold them: there are
 * some 10,000 rounds and a few counts in each. */
static uint64_t times(const struct event_exercise *row, uint32_t each, uint32_t rounds)
{
	return each == EXERCISE_UNBOUNDED ? UINT64_MAX : each * rounds / (row->per ? row->per : 1);
}

uint64_t event_row_times(const struct event_exercise *row, uint32_t each)
{
	return times(row, each, row->many - row->few);
}

/* Returns the bounds of code that moves the event, on an exact machine and on others. */
static struct bounds moves_if_exact(const struct event_exercise *row, uint32_t more)
{
	if (row->flags & EXERCISE_REPORTED)
		return else_shown(row->reason);
	return if_exact_in(times(row, row->low, more), times(row, row->high, more), row->why);
}

static struct bounds moves_elsewhere(const struct event_exercise *row, uint32_t more)
{
	struct bounds b;

	if (row->flags & EXERCISE_IF_EXACT)
		return else_shown(row->reason);
	if (row->flags & EXERCISE_OR_MORE)
		return else_in(times(row, row->low, more), UINT64_MAX, row->reason);
	b = moves_if_exact(row, more);
	if (row->flags & EXERCISE_COLD)
		b.low -= (uint32_t)b.low / 100;       /* other code ran after the WBINVD */
	return b;
}

static void judge_moves(struct test_ctx *t, const struct event_exercise *row, struct counted c,
                        const char *name)
{
	uint32_t more = row->many - row->few;
	const struct bounds elsewhere = moves_elsewhere(row, more);
	uint64_t got = row_difference(row, c);

	for (unsigned runs = 1; should_run_again(runs, got, elsewhere); runs++)
		got = row_difference(row, c);
	test_sub(t, "%s%s%s, %" PRIu32 " more rounds", row->moves, row->mask ? ", mask " : "",
	         row->mask ? row->mask : "", more);
	expect_bounds(t, name, got, moves_if_exact(row, more), elsewhere);
}

/* Returns the bounds of code that must not move the event, on an exact machine and on others. */
static struct bounds still_if_exact(const struct event_exercise *row)
{
	if (row->flags & EXERCISE_REPORTED)
		return else_shown(row->reason);
	return if_exact(0, "a round of this code does nothing that the event counts");
}

static struct bounds still_elsewhere(const struct event_exercise *row)
{
	bool is_sure = row->flags & EXERCISE_EXACT
	               && !(row->flags & (EXERCISE_IF_EXACT | EXERCISE_OR_MORE));

	return is_sure ? still_if_exact(row) : else_shown(row->reason);
}

static void judge_still(struct test_ctx *t, const struct event_exercise *row, struct counted c,
                        const char *name)
{
	struct run r = run_of(row, true);
	uint64_t got = run_difference(&r, c, row->still_few, row->still_many);

	for (unsigned runs = 1; should_run_again(runs, got, still_elsewhere(row)); runs++)
		got = run_difference(&r, c, row->still_few, row->still_many);
	test_sub(t, "%s%s%s, %" PRIu32 " more rounds", row->still, row->mask ? ", mask " : "",
	         row->mask ? row->mask : "", row->still_many - row->still_few);
	expect_bounds(t, name, got, still_if_exact(row), still_elsewhere(row));
}

static void judge(struct test_ctx *t, const struct event_exercise *row, struct counted c,
                  const char *name)
{
	judge_moves(t, row, c, name);
	if (row->still)
		judge_still(t, row, c, name);
}

void event_row_judge(struct test_ctx *t, const struct event_exercise *row,
                     const struct pmu_setup *setups, unsigned count, const char *name)
{
	judge(t, row, (struct counted){ setups, count, NULL }, name);
}

void event_row_judge_spec(struct test_ctx *t, const struct event_exercise *row,
                          const struct pmu_chosen *c)
{
	pmu_chosen_tag(c, true);
	judge(t, row, (struct counted){ c->setup, c->setup_count, c }, c->spec[0].name);
	pmu_chosen_tag(c, false);
}

/* A counter without the event is judged as one of code that must not move it. */
static void judge_one_of(struct test_ctx *t, const struct event_exercise *row,
                         const struct pmu_setup *setup, uint64_t got,
                         const struct event_counters *can)
{
	const unsigned counter = setup->counter;
	uint32_t more = row->many - row->few;
	struct bounds elsewhere = can->doubt ? else_shown(can->doubt) : moves_elsewhere(row, more);
	char name[PMU_NAME_SIZE];

	for (unsigned runs = 1;
	     (can->bits >> counter & 1) && should_run_again(runs, got, elsewhere); runs++)
		got = event_row_difference(row, setup, 1);
	pmu_counter_name(counter, name);
	if (can->bits >> counter & 1)
		expect_bounds(t, name, got, moves_if_exact(row, more), elsewhere);
	else
		expect_bounds(t, name, got, if_exact(0, "other counters have the event"),
		              ELSE_SHOWN);
}

void event_row_judge_together(struct test_ctx *t, const struct event_exercise *row,
                              const struct pmu_setup *setups, unsigned count,
                              const struct event_counters *can)
{
	struct run moves = run_of(row, false), still;
	struct pmu_reading r;
	char name[PMU_NAME_SIZE];

	watchdog_renew();               /* a test may have many rows, and a machine be slow */
	if (row->flags & EXERCISE_WARM)
		run_window(&moves, setups, count, row->few);
	r = run_differences(&moves, setups, count, row->few, row->many);
	test_sub(t, "%s, %s, %" PRIu32 " more rounds", can->event, row->moves,
	         row->many - row->few);
	for (unsigned i = 0; i < count; i++)
		judge_one_of(t, row, &setups[i], r.count[i], can);
	if (!row->still)
		return;
	still = run_of(row, true);
	r = run_differences(&still, setups, count, row->still_few, row->still_many);
	test_sub(t, "%s, %s, %" PRIu32 " more rounds", can->event, row->still,
	         (uint32_t)(row->still_many - row->still_few));
	for (unsigned i = 0; i < count; i++)
		expect_bounds(t, pmu_counter_name(setups[i].counter, name), r.count[i],
		              still_if_exact(row),
		              can->doubt ? else_shown(can->doubt) : still_elsewhere(row));
}

static void judge_wrong_counter(struct test_ctx *t, const struct event_exercise *row,
                                const struct pmu_setup *setup, const char *name)
{
	uint64_t got = event_row_difference(row, setup, 1);

	test_sub(t, "%s, on a counter that cannot count the event", row->moves);
	expect_bounds(t, name, got,
	              if_exact(0, "the manual gives the event to the other counter"), ELSE_SHOWN);
}

/* Returns whether another event has the same select on the other counter: no counter is
 * wrong then. */
static bool is_select_shared(const struct pmu_event *e, unsigned counter)
{
	unsigned count;
	const struct pmu_event *table = pmu_event_table(&count);

	for (unsigned i = 0; i < count; i++)
		if (&table[i] != e && table[i].select == e->select && pmu_event_exists(&table[i])
		    && (table[i].counters >> counter & 1))
			return true;
	return false;
}

static void run_row(struct test_ctx *t, const struct event_exercise *row)
{
	const struct pmu_event *e = event_row_find(row);
	char name[PMU_NAME_SIZE];

	for (unsigned c = 0; pmu_has_counter(c); c++) {
		struct pmu_setup setup = pmu_event_setup(e, row->mask, c, PMU_BOTH);

		if (row->flags & EXERCISE_USR)
			setup.flags = PMU_USR;
		pmu_counter_name(c, name);
		if (e->counters >> c & 1) {
			event_row_judge(t, row, &setup, 1, name);
		} else if (!is_select_shared(e, c)) {
			judge_wrong_counter(t, row, &setup, name);
		}
	}
	test_sub(t, "%s", "");
}

void event_row_judge_masks(struct test_ctx *t, const struct event_exercise *row, uint64_t sum,
                           uint64_t all)
{
	test_sub(t, "%s, one mask after the other", row->moves);
	expect_bounds(t, "their sum", sum,
	              if_exact(all, "each thing counted belongs to one of the masks"), ELSE_SHOWN);
}

void event_row_report(struct test_ctx *t, const struct event_exercise *row)
{
	test_report(t, row->test ? "exercised by" : "not exercised", "%s",
	            row->test ? row->test : row->reason);
}

void event_rows_run(struct test_ctx *t, const struct event_exercise *rows, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		if (event_row_need(t, &rows[i]))
			continue;
		if (rows[i].moves)
			run_row(t, &rows[i]);
		else
			event_row_report(t, &rows[i]);
	}
}
