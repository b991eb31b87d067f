/* SPDX-License-Identifier: MIT */
/*
 * A host program: prints the events of pmu/events.h and how the suites exercise them, a line each,
 * tabs between, `event` or `exercise` first; each kind begins with a line of its keys.
 */
#include <inttypes.h>
#include <stdio.h>

#include <pmu/events.h>
#include <tests/event_exercise.h>

/* The section of all rows that are linked; the linker sets both, NULL if there are none. */
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
	for (unsigned i = 0, n = 0; i < sizeof(models) / sizeof(models[0]); i++)
		if (e->models >> i & 1)
			printf("%s%s", n++ ? "," : "", models[i]);
	printf("\t%s\n", e->description);
}

static void print_exercise(const struct event_exercise_test *t, const struct event_exercise *x)
{
	printf("exercise\t%s\t%s\t%s\t%s\t%s\t", t->suite, t->id, text(x->event), text(x->unit),
	       text(x->mask));
	printf("%s\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu64 "\t", text(x->moves), x->few, x->many,
	       x->low);
	if (x->high == EXERCISE_UNBOUNDED)
		printf("any");
	else
		printf("%" PRIu64, x->high);
	printf("\t%" PRIu32 "\t%s\t%s\t%s\t%s%s%s\t%u\t%s\n", x->per ? x->per : 1,
	       text(x->why), text(x->still), text(x->test),
	       x->flags & EXERCISE_EXACT ? "exact " : "",
	       x->flags & EXERCISE_RELATION ? "relation " : "",
	       x->flags & EXERCISE_REPORTED ? "reported " : "",
	       (x->flags & EXERCISE_IF_EXACT) != 0, text(x->reason));
}

int main(void)
{
	puts("event\tfamily\tname\taliases\tunit\tselect\tumask\tenumerated\tmasks\tcounters\tkind"
	     "\trequired\treserved\tmodels\tdescription");
	for (unsigned i = 0; i < pmu_events_p6_count; i++)
		print_event("p6", &pmu_events_p6[i]);
	for (unsigned i = 0; i < pmu_events_p5_count; i++)
		print_event("p5", &pmu_events_p5[i]);
	puts("exercise\tsuite\tid\tevent\tunit\tmask\tmoves\tfew\tmany\tlow\thigh\tper\twhy\tstill"
	     "\ttest\tflags\tif_exact\treason");
	for (const struct event_exercise_test *const *t = __start_exercises; t < __stop_exercises;
	     t++)
		for (unsigned i = 0; i < (*t)->count; i++)
			print_exercise(*t, &(*t)->rows[i]);
	return 0;
}
