/* SPDX-License-Identifier: MIT */
/*
 * core2.events.NAME to skymont.events.NAME: runs the rows of intel_events_*.c. All counters count
 * the event in the same windows, so that a row takes two windows, or four, whatever the number of
 * counters. An event that needs UMASK2 or another register is none that the processor has here.
 */
#include <tests/suites/common/events/event_run.h>

#include <stddef.h>

#include <kernel/lib/format.h>
#include <pmu/events/event_text.h>
#include <pmu/events/intel_events.h>
#include <tests/suites/common/events/intel_family.h>
#include <tests/suites/common/silicon/silicon.h>
#include <tests/suites/intel/intel_exercises.h>

enum { NAME_SIZE = 72 };

/* Returns the event of this processor that the row names first, or NULL. */
static const struct intel_row *event_of(const struct event_exercise *row)
{
	char name[NAME_SIZE];

	for (const char *next = row->event;
	     (next = event_row_next_name(next, name, sizeof(name))) != NULL;) {
		const struct intel_row *e = intel_event_find(name);

		if (!e)
			test_abort("there is no event %s in the table", name);
		if (intel_event_exists(e) && !e->umask2 && !intel_event_msr(e)
		    && intel_event_counters(e))
			return e;
	}
	return NULL;
}

static bool is_about_this(const struct event_exercise *row)
{
	char name[NAME_SIZE];

	for (const char *next = row->unit ? row->unit : "";
	     (next = event_row_next_name(next, name, sizeof(name))) != NULL;)
		if (event_text_is_same(name, intel_processor_name()))
			return true;
	return !row->unit;
}

static const char *row_need(struct test_ctx *t, const struct event_exercise *row)
{
	if (!is_about_this(row) || !event_of(row))
		return test_reason(t, "no event %s on this processor, %s", row->event,
		                   intel_processor_name());
	return event_row_code_need(t, row);
}

const char *intel_event_need(struct test_ctx *t)
{
	unsigned count;
	const struct event_exercise *rows = event_rows_of(t, &count);
	const char *problem = need_intel_family(t);

	for (unsigned i = 0; !problem && i < count; i++)
		if (!row_need(t, &rows[i]))
			return NULL;
	return problem ? problem : row_need(t, &rows[0]);
}

/*
 * Returns the counters to watch: those that can count the event; if these are fewer than four, all,
 * as the list says then that the others cannot. Lists of processors with eight counters name four
 * where they mean those that two threads have.
 */
static uint32_t watched(uint32_t can)
{
	return (can & 0xf) == 0xf ? can : UINT32_MAX;
}

/* Branches retired, and those that were mispredicted. */
static bool is_of_branches(const struct intel_row *e)
{
	return e->code == 0xc4 || e->code == 0xc5;
}

static void run_row(struct test_ctx *t, const struct event_exercise *row)
{
	const struct intel_row *e = event_of(row);
	const unsigned flags = row->flags & EXERCISE_USR ? PMU_USR : PMU_BOTH;
	struct pmu_setup setups[PMU_SETUPS_MAX];
	char name[INTEL_NAME_SIZE];
	struct event_counters can = { intel_event_counters(e), intel_event_name(e, name), NULL };
	unsigned count = 0;

	if (intel_event_errata(e)[0])
		can.doubt = "an erratum of the event is published";
	if (is_of_branches(e) && silicon_has(SILICON_E_CORE_BRANCHES))
		can.doubt = silicon_why(SILICON_E_CORE_BRANCHES);
	for (unsigned i = 0; pmu_has_counter(i); i++)
		if (watched(can.bits) >> i & 1)
			setups[count++] = intel_event_setup(e, i, flags);
	event_row_judge_together(t, row, setups, count, &can);
}

void intel_event_run(struct test_ctx *t)
{
	unsigned count;
	const struct event_exercise *rows = event_rows_of(t, &count);

	for (unsigned i = 0; i < count; i++)
		if (!row_need(t, &rows[i]))
			run_row(t, &rows[i]);
	test_sub(t, "%s", "");
}
