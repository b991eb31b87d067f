/* SPDX-License-Identifier: MIT */
/*
 * This host program prints the events of events.h and netburst.h, and how the suites exercise
 * them. Each line is `event` or `exercise` and cells, with tabs between; each kind begins with a
 * line of its keys. NetBurst's metrics are events of the kind `metric`, without a select.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <arch/regs/table.h>
#include <pmu/events/events.h>
#include <pmu/events/netburst_pmu.h>
#include <tests/suites/common/events/event_exercise.h>

/* The section of all linked rows. The linker sets both pointers, to NULL if there are no rows. */
extern const struct event_exercise_test *const __start_exercises[] __attribute__((weak));
extern const struct event_exercise_test *const __stop_exercises[] __attribute__((weak));

static const char *text(const char *may_be_null)
{
	return may_be_null ? may_be_null : "";
}

static const char *const kinds[] = {
	[PMU_COUNT] = "count", [PMU_CYCLES] = "clocks", [PMU_BUS_CYCLES] = "bus clocks",
	[PMU_WEIGHTED] = "weighted", [PMU_COUNT_OR_CYCLES] = "count or clocks",
};

static const char *const models[] = { "PPro", "PII", "PIII", "PM", "P5", "P54C", "P55C" };

static void print_event(const char *family, const struct pmu_event *e)
{
	printf("event\t%s\t%s\t", family, e->name);
	for (unsigned i = 0; i < PMU_EVENT_ALIASES_MAX && e->aliases[i]; i++)
		printf("%s%s", i ? "," : "", e->aliases[i]);
	printf("\t%s\t%02X\t%02X\t%u\t", e->unit, e->select, e->umask, e->is_enumerated);
	for (unsigned i = 0; i < PMU_EVENT_MASKS_MAX && e->masks[i].name; i++)
		printf("%s%s=%02X", i ? "," : "", e->masks[i].name, e->masks[i].bits);
	printf("\t%u\t%s\t%u\t%u\t", e->counters, kinds[e->kind], e->is_required, e->is_reserved);
	for (unsigned i = 0, n = 0; i < COUNT_OF(models); i++)
		if (e->models >> i & 1)
			printf("%s%s", n++ ? "," : "", models[i]);
	printf("\t\t\t\t%s\n", e->description);
}

static const char *const specificities[] = {
	[NETBURST_TS] = "TS", [NETBURST_TI] = "TI", [NETBURST_TS_OR_TI] = "TS or TI",
};

static void print_netburst(const struct netburst_event *e)
{
	uint32_t counters = 0;

	for (unsigned i = 0; i < NETBURST_ESCRS_PER_EVENT; i++)
		counters |= e->escrs[i] ? e->escrs[i]->counters : 0;
	printf("event\tnetburst\t%s\t\t\t%02X\t%04X\t0\t", e->name, e->select, e->all);
	for (unsigned i = 0; i < NETBURST_MASKS_MAX && e->masks[i].name; i++)
		printf("%s%s=%04X", i ? "," : "", e->masks[i].name, e->masks[i].bits);
	printf("\t%u\t%s%s\t1\t0\t", counters, e->is_at_retirement ? "at retirement, " : "",
	       specificities[e->specificity]);
	for (unsigned i = 0, n = 0; i < 8; i++)
		if (e->models >> i & 1)
			printf("%s%u", n++ ? "," : "", i);
	printf("\t%s%s%s\t%u\t%03X\t%s%s%s\n", e->escrs[0]->name, e->escrs[1] ? "," : "",
	       e->escrs[1] ? e->escrs[1]->name : "", e->cccr_select, e->escrs[0]->msr,
	       e->description,
	       e->unsure ? "; sources differ: " : "", text(e->unsure));
}

static void print_metric(const struct netburst_metric *m)
{
	printf("event\tnetburst\t%s\t\t\t\t0000\t0\t\t0\tmetric\t1\t0\t\t\t\t\t", m->name);
	printf("`%s` %s", m->event, m->masks);
	if (m->upstream)
		printf(", tagged by `%s` %s", m->upstream, m->upstream_masks);
	if (m->pebs_enable)
		printf(", MSR_PEBS_ENABLE = %XH, MSR_PEBS_MATRIX_VERT = %XH", m->pebs_enable,
		       m->pebs_matrix_vert);
	printf("%s%s\n", m->unsure ? "; sources differ: " : "", text(m->unsure));
}

/* On a machine that is not exact a count is reported, has a least value, or is judged as there. */
static const char *elsewhere(unsigned flags)
{
	return flags & EXERCISE_IF_EXACT ? "reported" : flags & EXERCISE_OR_MORE ? "or more" : "";
}

static void print_exercise(const struct event_exercise_test *t, const struct event_exercise *x)
{
	printf("exercise\t%s\t%s\t%s\t%s\t%s\t", t->suite, t->id, text(x->event), text(x->unit),
	       text(x->mask));
	printf("%s\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t", text(x->moves), x->few, x->many,
	       x->low);
	if (x->high == EXERCISE_UNBOUNDED)
		printf("any");
	else
		printf("%" PRIu32, x->high);
	printf("\t%d\t%s\t%s\t%s\t%s%s%s\t%s\t%s\n", x->per ? x->per : 1,
	       text(x->why), text(x->still), text(x->test),
	       x->flags & EXERCISE_EXACT ? "exact " : "",
	       x->flags & EXERCISE_RELATION ? "relation " : "",
	       x->flags & EXERCISE_REPORTED ? "reported " : "", elsewhere(x->flags),
	       text(x->reason));
}

int main(void)
{
	puts("event\tfamily\tname\taliases\tunit\tselect\tumask\tenumerated\tmasks\tcounters\tkind"
	     "\trequired\treserved\tmodels\tescrs\tcccr\tescr\tdescription");
	for (unsigned i = 0; i < pmu_events_p6_count; i++)
		print_event("p6", &pmu_events_p6[i]);
	for (unsigned i = 0; i < pmu_events_p5_count; i++)
		print_event("p5", &pmu_events_p5[i]);
	for (unsigned i = 0; i < NETBURST_EVENTS; i++)
		print_netburst(&netburst_events[i]);
	for (unsigned i = 0; i < netburst_metric_count; i++)
		print_metric(&netburst_metrics[i]);
	puts("exercise\tsuite\tid\tevent\tunit\tmask\tmoves\tfew\tmany\tlow\thigh\tper\twhy\tstill"
	     "\ttest\tflags\telsewhere\treason");
	for (const struct event_exercise_test *const *t = __start_exercises; t < __stop_exercises;
	     t++)
		for (unsigned i = 0; i < (*t)->count; i++)
			print_exercise(*t, &(*t)->rows[i]);
	return 0;
}
