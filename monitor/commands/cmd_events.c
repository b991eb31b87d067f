/* SPDX-License-Identifier: MIT */
/* events: lists what can be counted here. */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <kernel/console/console.h>
#include <kernel/lib/nearest.h>
#include <pmu/events/event_spec.h>
#include <pmu/events/event_text.h>
#include <pmu/events/presets.h>

/* Returns true if the text contains one of the command's words, or if there are no words. */
static bool is_wanted(const struct words *w, const char *text)
{
	for (unsigned i = 1; i < w->count; i++)
		if (event_text_has(text, w->word[i]))
			return true;
	return w->count == 1;
}

/* ---------------------------------------------------------------------------- presets */

static void print_parts(const struct pmu_preset_part *parts)
{
	for (unsigned i = 0; parts[i].event; i++)
		print("%s%s", parts[i].factor < 0 ? " - " : i ? " + " : "", parts[i].event);
}

static bool is_in_parts(const struct words *w, const struct pmu_preset_part *parts)
{
	for (unsigned i = 0; parts && parts[i].event; i++)
		if (is_wanted(w, parts[i].event))
			return true;
	return false;
}

static unsigned list_presets(const struct words *w)
{
	unsigned shown = 0;

	for (unsigned i = 0; i < pmu_preset_count; i++) {
		const struct pmu_preset *p = &pmu_presets[i];
		const char *why;
		const struct pmu_preset_part *parts = pmu_preset_here(p, &why);
		const char *perf = pmu_perf_name_of(p->name);

		if (!is_wanted(w, p->name) && !is_wanted(w, p->meaning) && !is_in_parts(w, parts)
		    && !(perf && is_wanted(w, perf)))
			continue;
		print("%-12s  %s%s%s\n              ", p->name, p->meaning,
		      perf ? "; perf's " : "", perf ? perf : "");
		if (parts)
			print_parts(parts);
		else
			print("not available here: %s", why);
		print("\n");
		shown++;
	}
	return shown;
}

/* Lists those of perf's names that are no preset. */
static unsigned list_perf_names(const struct words *w)
{
	unsigned shown = 0;

	for (unsigned i = 0; i < pmu_perf_name_count; i++) {
		const struct pmu_perf_name *p = &pmu_perf_names[i];

		if (pmu_perf_meaning(p->name) != p->meaning || pmu_preset_find(p->meaning)
		    || !is_wanted(w, p->name))
			continue;
		print("%s  perf's name of %s\n", p->name, p->meaning);
		shown++;
	}
	return shown;
}

/* ---------------------------------------------------------------------------- native events */

static void print_counters(uint64_t counters)
{
	const char *before = "";

	if (counters & UINT32_MAX)
		print("counters");
	for (unsigned i = 0; i < PMU_FIXED; i++)
		if (counters >> i & 1)
			print(" %u", i);
	if (counters & UINT32_MAX && counters >> PMU_FIXED)
		before = ", ";
	for (unsigned i = 0; i < PMU_FIXED; i++)
		if (counters >> PMU_FIXED >> i & 1)
			print("%sfixed counter %u", before, i);
}

static bool is_native_wanted(const struct words *w, const struct pmu_native *e)
{
	bool is_wanted_here = is_wanted(w, e->name);

	for (unsigned i = 0; i < e->alias_count && e->aliases[i]; i++)
		is_wanted_here |= is_wanted(w, e->aliases[i]);
	for (unsigned i = 0; w->count > 1 && e->mask[i]; i++)
		is_wanted_here |= is_wanted(w, e->mask[i]);
	return is_wanted_here;
}

static void print_native(const struct pmu_native *e)
{
	print("%s  ", e->name);
	if (e->counted_by)
		print("%s", e->counted_by);
	else
		print_counters(e->counters);
	if (e->is_metric)
		print(" (a metric: another event tags what this one counts)");
	if (e->restrictions && e->restrictions[0])
		print("; %s", e->restrictions);
	for (unsigned i = 0; i < e->alias_count && e->aliases[i]; i++)
		print("%s%s", i ? ", " : "; also ", e->aliases[i]);
	for (unsigned i = 0; e->mask[i]; i++)
		print("%s%s", i ? " " : "\n              masks: ", e->mask[i]);
	print("\n");
}

static unsigned list_natives(const struct words *w)
{
	struct pmu_native e;
	unsigned shown = 0;

	for (unsigned i = 0; pmu_native_at(i, &e); i++) {
		if (!is_native_wanted(w, &e))
			continue;
		print_native(&e);
		shown++;
	}
	return shown;
}

COMMAND(events, .syntax = "[WORD...]",
        .summary = "lists presets and events whose names hold a word",
        .text =
	"First the presets, PAPI's names for what every generation can count, with\n"
	"perf's name if it has one, and the native events that they are here, or why\n"
	"they are not available. Then other names of perf's, and this processor's\n"
	"own events, with the counters that can count each and the masks of each.\n"
	"Without a word it lists all. Case does not matter.\n",
        .example = "events branch", .completion = COMPLETE_EVENTS)
{
	char meant[NEAREST_TEXT_SIZE];

	if (list_presets(w) + list_perf_names(w) + list_natives(w))
		return;
	if (w->count == 1)
		monitor_fail("no event of this processor is known");
	monitor_fail("no preset and no event here has %s in its name%s", w->word[1],
	             pmu_nearest_events(w->word[1], meant));
}
