/* SPDX-License-Identifier: MIT */
/*
 * amd.events.NAME: runs the rows of amd_events_*.c. All counters count the event in the same
 * windows, so that a row takes two windows, or four, whatever the number of counters.
 */
#include <tests/suites/common/events/event_run.h>

#include <stddef.h>

#include <kernel/lib/format.h>
#include <pmu/events/amd_events.h>
#include <pmu/events/event_text.h>
#include <tests/suites/common/needs.h>

enum { NAME_SIZE = 72 };

static const char *next_name(const char *names, char *name)
{
	return event_row_next_name(names, name, NAME_SIZE);
}

/* Returns the event of this processor that the row names first, or NULL. */
static const struct amd_row *event_of(const struct event_exercise *row)
{
	char name[NAME_SIZE];

	for (const char *next = row->event; (next = next_name(next, name)) != NULL;) {
		const struct amd_row *e = amd_event_find(name);

		if (!e)
			test_abort("there is no event %s in the table", name);
		if (amd_event_exists(e))
			return e;
	}
	return NULL;
}

/* Returns whether the event has one of the row's masks, and which one; or needs none. */
static bool has_mask(const struct event_exercise *row, const struct amd_row *e, uint8_t *bits,
                     char *name)
{
	name[0] = '\0';
	if (!row->mask)
		return amd_event_mask(e, NULL, bits);
	for (const char *next = row->mask; (next = next_name(next, name)) != NULL;)
		if (amd_event_mask(e, name, bits))
			return true;
	return false;
}

static bool is_about_this(const struct event_exercise *row)
{
	char name[NAME_SIZE];

	for (const char *next = row->unit ? row->unit : ""; (next = next_name(next, name)) != NULL;)
		if (event_text_is_same(name, amd_processor_name()))
			return true;
	return !row->unit;
}

static const char *row_need(struct test_ctx *t, const struct event_exercise *row)
{
	const struct amd_row *e = is_about_this(row) ? event_of(row) : NULL;
	char mask[NAME_SIZE];
	uint8_t bits;

	if (!e)
		return test_reason(t, "no event %s on this processor, %s", row->event,
		                   amd_processor_name());
	if (!has_mask(row, e, &bits, mask))
		return test_reason(t, "%s has no mask %s on this processor, %s", amd_event_name(e),
		                   row->mask, amd_processor_name());
	return event_row_code_need(t, row);
}

const char *amd_event_need(struct test_ctx *t)
{
	unsigned count;
	const struct event_exercise *rows = event_rows_of(t, &count);
	const char *problem = need_amd(t);

	for (unsigned i = 0; !problem && i < count; i++)
		if (!row_need(t, &rows[i]))
			return NULL;
	return problem ? problem : row_need(t, &rows[0]);
}

/*
 * Returns NULL, or why the event's counts are shown and not judged: the table of events names an
 * erratum. Tests of one count that nearly all suites make, such as amd.exact.*, judge it, and a row
 * of pmu/core/errata_rows.c (AMD 1291, 1292) excuses the failure. Here it could not: a row knows
 * tests, not events, and would give its name to what 1287, 1322 or 1348 does to an event of Zen 3.
 */
static const char *doubt_of(const struct amd_row *e)
{
	return event_text_has(amd_event_restrictions(e), "erratum")
	       ? "an erratum lets some of these processors miscount" : NULL;
}

static void run_row(struct test_ctx *t, const struct event_exercise *row)
{
	const struct amd_row *e = event_of(row);
	struct pmu_setup setups[PMU_SETUPS_MAX];
	char mask[NAME_SIZE], name[2 * NAME_SIZE];
	struct event_counters can;
	unsigned count = 0;
	uint8_t bits = 0;

	has_mask(row, e, &bits, mask);
	format_buf(name, sizeof(name), "%s%s%s", amd_event_name(e), mask[0] ? ":" : "", mask);
	can = (struct event_counters){ amd_event_counters(e, bits), name, doubt_of(e) };
	for (; pmu_has_counter(count); count++)
		setups[count] = amd_event_setup(e, bits, count,
		                                row->flags & EXERCISE_USR ? PMU_USR : PMU_BOTH);
	event_row_judge_together(t, row, setups, count, &can);
}

void amd_event_run(struct test_ctx *t)
{
	unsigned count;
	const struct event_exercise *rows = event_rows_of(t, &count);

	for (unsigned i = 0; i < count; i++)
		if (!row_need(t, &rows[i]))
			run_row(t, &rows[i]);
	test_sub(t, "%s", "");
}
