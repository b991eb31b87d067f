/* SPDX-License-Identifier: MIT */
/* Lists and names the native events of each class of PMU. */
#include <pmu/events/event_request.h>

#include <arch/regs/amd.h>
#include <arch/regs/p5.h>
#include <kernel/lib/format.h>
#include <kernel/lib/nearest.h>
#include <pmu/events/amd_events.h>
#include <pmu/events/arch_events.h>
#include <pmu/events/events.h>
#include <pmu/events/intel_events.h>
#include <pmu/events/presets.h>

_Static_assert((int)PMU_NATIVE_MASKS >= (int)PMU_EVENT_MASKS_MAX, "masks of P6");
_Static_assert((int)PMU_NATIVE_MASKS >= (int)NETBURST_MASKS_MAX, "masks of NetBurst");

#define NO_ANYTHREAD "this PMU has no AnyThread bit"

/* ---------------------------------------------------------------------------- P5, P6 */

static bool table_at(unsigned n, struct pmu_native *e)
{
	unsigned count;
	const struct pmu_event *table = pmu_event_table(&count);

	for (unsigned i = 0; i < count; i++) {
		if (!pmu_event_exists(&table[i]) || n-- > 0)
			continue;
		*e = (struct pmu_native){ .name = table[i].name, .counters = table[i].counters };
		for (unsigned m = 0; m < PMU_EVENT_MASKS_MAX; m++)
			e->mask[m] = table[i].masks[m].name;
		return true;
	}
	return false;
}

/* Returns the name of the event with this number. */
static const char *name_of(uint64_t select)
{
	const struct pmu_event *e = pmu_event_of(select);

	return e ? e->name : NULL;
}

static const char *p6_name(const char *register_name, uint64_t value)
{
	(void)register_name;
	return name_of(FIELD_GET(IA32_PERFEVTSEL_EVENT_SELECT, value));
}

/* CESR selects two events. */
static const char *cesr_names(const char *register_name, uint64_t value)
{
	static char text[96];
	const char *name[2];

	(void)register_name;
	for (unsigned i = 0; i < 2; i++)
		name[i] = name_of(FIELD_GET(CESR_ES0, value >> CESR_SHIFT(i)));
	if (!name[0] && !name[1])
		return NULL;
	format_buf(text, sizeof(text), "CTR0 %s, CTR1 %s", name[0] ? name[0] : "what is not known",
	           name[1] ? name[1] : "what is not known");
	return text;
}

#define TABLE(events) .table = (events), .table_count = &events##_count, \
	.find = event_find_table, .place = event_place, .list = table_at

const struct event_source event_source_p5 = {
	TABLE(pmu_events_p5), .name = cesr_names, .about = "the Pentium", .no_any = NO_ANYTHREAD,
};

const struct event_source event_source_p6 = {
	TABLE(pmu_events_p6), .name = p6_name, .about = "P6", .cmask_max = 255, .has_umask = true,
	.no_any = NO_ANYTHREAD,
};

/* ---------------------------------------------------------------------------- architectural */

static bool arch_at(unsigned n, struct pmu_native *e)
{
	for (unsigned i = 0; i < arch_event_count; i++) {
		if (!arch_event_exists(&arch_events[i]) || n-- > 0)
			continue;
		*e = (struct pmu_native){
			.name = arch_events[i].name,
			.counters = arch_event_counters(&arch_events[i]),
			.aliases = arch_events[i].aliases,
			.alias_count = ARCH_EVENT_ALIASES,
		};
		return true;
	}
	return false;
}

/* Returns whether the list of arch_events.h has the name here. */
static bool is_arch_name(const char *name)
{
	const struct arch_event *e = arch_event_find(name);

	return e && arch_event_exists(e);
}

/* Returns whether only Intel's list has the row's name here, which goes to joined. */
static bool is_intel_name(const struct intel_row *row, uint32_t here, char *joined)
{
	return (row->head.on & here) && !is_arch_name(intel_event_name(row, joined));
}

/*
 * The place of the last answer, in one word: bits 31-27 the processor, 23-12 n, 11-0 the row. Who
 * lists all goes on from there; processors that list at once cost each other time alone.
 */
static uint32_t last_answer;

static bool intel_at(unsigned n, struct pmu_native *e)
{
	const uint32_t here = intel_processor(), last = last_answer;
	const uint32_t whose = here ? (uint32_t)__builtin_ctz(here) << 27 : 0;
	const bool goes_on = n && last == (whose | (n - 1) << 12 | (last & 0xfff));
	const struct intel_row *row;
	unsigned left = goes_on ? 0 : n;

	*e = (struct pmu_native){ .name = e->joined };
	for (unsigned i = goes_on ? (last & 0xfff) + 1 : 0;
	     (row = (const void *)packed_row(&intel_table, i)) != NULL; i++)
		if (is_intel_name(row, here, e->joined) && left-- == 0) {
			e->counters = intel_event_counters(row);
			e->restrictions = intel_event_errata(row);
			last_answer = whose | n << 12 | i;
			return true;
		}
	return false;
}

static unsigned count_arch(void)
{
	unsigned count = 0;

	for (unsigned i = 0; i < arch_event_count; i++)
		count += arch_event_exists(&arch_events[i]);
	return count;
}

/* The events of arch_events.h, then those that only Intel's lists have. */
static bool arch_or_intel_at(unsigned n, struct pmu_native *e)
{
	const unsigned arch = count_arch();

	return n < arch ? arch_at(n, e) : intel_at(n - arch, e);
}

static const char *arch_name(const char *register_name, uint64_t value)
{
	static char name[INTEL_NAME_SIZE];
	const struct arch_event *e = arch_event_of(value);
	const struct intel_row *intel = intel_event_of(value);

	(void)register_name;
	if (e && arch_event_exists(e))
		return e->name;
	return intel ? intel_event_name(intel, name) : NULL;
}

/* AnyThread exists in versions 3 and 4, and in later ones unless CPUID deprecates it. */
static bool arch_has_any(void)
{
	const unsigned version = pmu_get()->version;

	return version >= 3
	       && !(version >= 5 && cpuid_get(CPUID_PERFMON_ANYTHREAD_DEPRECATED));
}

const struct event_source event_source_arch = {
	.find = event_find_intel, .place = event_place, .list = arch_or_intel_at,
	.name = arch_name,
	.cmask_max = 255, .has_umask = true, .has_any = arch_has_any, .no_any = NO_ANYTHREAD,
	.about = "this PMU",
};

/* ---------------------------------------------------------------------------- AMD */

static void fill_amd(const struct amd_row *e, struct pmu_native *native)
{
	uint8_t bits;

	*native = (struct pmu_native){
		.name = amd_event_name(e), .counters = amd_event_counters(e, e->full),
		.counted_by = amd_event_counted_by(e), .restrictions = amd_event_restrictions(e),
	};
	for (unsigned i = 0; i < PMU_NATIVE_MASKS; i++)
		native->mask[i] = amd_event_mask_at(e, i, &bits);
}

/* AMD's own events, then those names of arch_events.h that AMD does not use here. */
static bool amd_at(unsigned n, struct pmu_native *e)
{
	const struct amd_row *row = amd_event_at(n);
	unsigned own = row ? 0 : amd_event_count();

	if (row) {
		fill_amd(row, e);
		return true;
	}
	for (unsigned i = 0; arch_at(i, e); i++) {
		const struct amd_row *same = amd_event_find(e->name);

		if (!(same && amd_event_exists(same)) && own++ == n)
			return true;
	}
	return false;
}

static const char *amd_name(const char *register_name, uint64_t value)
{
	const struct amd_row *e = amd_event_of((uint16_t)PERF_CTL_EVENT_OF(value));

	(void)register_name;
	return e ? amd_event_name(e) : NULL;
}

const struct event_source event_source_amd = {
	.find = event_find_amd, .place = event_place, .list = amd_at, .name = amd_name,
	.cmask_max = 255, .has_umask = true, .no_any = NO_ANYTHREAD, .about = "AMD",
};

/* ---------------------------------------------------------------------------- NetBurst */

static bool netburst_at(unsigned n, struct pmu_native *e)
{
	for (unsigned i = 0; i < NETBURST_EVENTS; i++) {
		const struct netburst_event *event = &netburst_events[i];

		if (!netburst_event_exists(event) || n-- > 0)
			continue;
		*e = (struct pmu_native){
			.name = event->name, .counters = netburst_event_counters(event),
		};
		for (unsigned m = 0; m < NETBURST_MASKS_MAX && event->masks[m].name; m++)
			e->mask[m] = event->masks[m].name;
		return true;
	}
	if (n >= netburst_metric_count)
		return false;
	*e = (struct pmu_native){
		.name = netburst_metrics[n].name, .is_metric = true,
		.counters = netburst_event_counters(netburst_event_find(netburst_metrics[n].event)),
	};
	return true;
}

static const char *escr_name(const char *escr, uint64_t value)
{
	const struct netburst_event *e = netburst_event_of(netburst_escr_find(escr), value);

	return e ? e->name : NULL;
}

const struct event_source event_source_netburst = {
	.find = event_find_netburst, .place = event_place_netburst, .list = netburst_at,
	.name = escr_name, .cmask_max = 16, .has_umask = true, .has_any = netburst_has_threads,
	.no_any = "the core has one thread", .about = "NetBurst",
};

/* ---------------------------------------------------------------------------- all */

bool pmu_native_at(unsigned n, struct pmu_native *e)
{
	const struct event_source *s = pmu_get()->class->events;

	return s && s->list(n, e);
}

const char *pmu_selected(const char *select, uint64_t value)
{
	const struct event_source *s = pmu_get()->class->events;

	return s ? s->name(select, value) : NULL;
}

const char *pmu_nearest_events(const char *name, char *text)
{
	struct nearest nearest;
	struct pmu_native e;

	nearest_begin(&nearest, name);
	for (unsigned i = 0; pmu_native_at(i, &e); i++)
		nearest_try(&nearest, e.name);
	for (unsigned i = 0; i < pmu_preset_count; i++)
		nearest_try(&nearest, pmu_presets[i].name);
	for (unsigned i = 0; i < pmu_perf_name_count; i++)
		if (pmu_perf_meaning(pmu_perf_names[i].name) == pmu_perf_names[i].meaning)
			nearest_try(&nearest, pmu_perf_names[i].name);
	return nearest_text(&nearest, text);
}

bool event_refuse_unknown(const struct event_request *w, const struct event_problem *p)
{
	char meant[NEAREST_TEXT_SIZE];

	return event_refuse(p, "there is no event %s%s%s on this processor%s; \"events\" lists all "
	                    "events", w->text.event, w->text.masks[0] ? ":" : "", w->text.masks,
	                    pmu_nearest_events(w->text.event, meant));
}
