/* SPDX-License-Identifier: MIT */
#include <tests/suites/presets/presets_run.h>

#include <stddef.h>

#include <pmu/core/microarchitecture.h>
#include <pmu/events/event_spec.h>
#include <pmu/events/event_text.h>
#include <pmu/events/intel_events.h>
#include <pmu/events/presets.h>
#include <tests/suites/common/events/event_run.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/silicon/silicon.h>

const char *preset_need(struct test_ctx *t)
{
	const char *problem = need_counting_pmu(t);

	if (problem)
		return problem;
	return pmu_get()->class->driver ? NULL
	       : test_reason(t, "the events of this PMU are not known: %s",
	                     pmu_get()->class->name);
}

/* ------------------------------------------------------------------------ not available */

/* Returns how many names are, or contain, this word. */
static unsigned count_names(const char *word, bool is_whole)
{
	struct pmu_native e;
	unsigned found = 0;

	for (unsigned i = 0; pmu_native_at(i, &e); i++)
		found += is_whole ? event_text_is_same(e.name, word)
		                  : event_text_has(e.name, word);
	return found;
}

/* Returns whether the tables have this processor's own events: of some of Intel's, such as Meteor
 * Lake and Granite Rapids, they have the architectural ones alone. */
static bool has_own_events(void)
{
	return !(pmu_microarchitecture() & PMU_ON_ARCH) || intel_processor();
}

/* Where CPUID lacks the event, or only parts of the preset exist, the reason names no event of a
 * table to check. */
void preset_check_unavailable(struct test_ctx *t, const struct pmu_preset *preset, const char *why)
{
	const struct pmu_preset_row *row = pmu_preset_row(preset, pmu_microarchitecture());

	test_report(t, preset->name, "not available here: %s", why);
	if (!row || row->parts[0].event)
		return;
	test_sub(t, "%s, not available: \"%s\"", preset->name, why);
	if (row->near && has_own_events())
		expect_exact(t, row->near, count_names(row->near, true) != 0, 1,
		             "the reason names an event that this processor has");
	if (row->lacks)
		expect_exact(t, row->lacks, count_names(row->lacks, false), 0,
		             "no event of this processor contains this in its name");
	test_sub(t, "%s", "");
}

/* ------------------------------------------------------------------------ it counts */

static void run_rows(struct test_ctx *t, const struct event_exercise *rows, unsigned count)
{
	static struct pmu_chosen c;
	char problem[160];

	for (unsigned i = 0; i < count; i++) {
		if (event_row_code_need(t, &rows[i]))
			continue;
		if (!pmu_choose(&c, &rows[i].event, 1, problem, sizeof(problem)))
			test_abort("%s", problem);
		event_row_judge_spec(t, &rows[i], &c);
	}
	test_sub(t, "%s", "");
}

static bool is_of_taken(const char *name)
{
	return event_text_is_same(name, "PAPI_BR_TKN") || event_text_is_same(name, "PAPI_BR_NTK");
}

void preset_run(struct test_ctx *t)
{
	unsigned count;
	const struct event_exercise *rows = event_rows_of(t, &count);
	const struct pmu_preset *preset = pmu_preset_find(rows[0].event);
	const char *why;

	if (!preset)
		test_abort("there is no preset %s", rows[0].event);
	if (is_of_taken(preset->name) && silicon_leaves_out(t, SILICON_TAKEN_INEXACT, preset->name))
		return;
	if (pmu_preset_here(preset, &why))
		run_rows(t, rows, count);
	else
		preset_check_unavailable(t, preset, why);
}
