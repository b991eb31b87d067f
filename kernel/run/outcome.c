/* SPDX-License-Identifier: MIT */
#include <kernel/run/outcome.h>

#include <stddef.h>

#include <arch/smp/kinds.h>
#include <kernel/face/face.h>
#include <kernel/lib/string.h>
#include <kernel/run/engine_hooks.h>
#include <kernel/run/families.h>
#include <kernel/run/secondaries.h>

static bool has_danger(const char *id)
{
	FOR_EACH_ENGINE_HOOK(h)
		if ((*h)->danger && (*h)->danger(id))
			return true;
	return false;
}

static enum face_kind face_of(const struct test_ctx *t)
{
	switch (t->status) {
	case TEST_PASS: return FACE_PASSED;
	case TEST_SKIP: return has_danger(t->test->id) ? FACE_ERRATUM : FACE_SKIPPED;
	case TEST_ERRATUM: return FACE_ERRATUM;
	case TEST_FAIL: return FACE_FAILED;
	default:        return FACE_BROKEN;
	}
}

static void show(const struct test_ctx *t, unsigned cpu, const struct id_set *family)
{
	const struct finding *f = &t->finding[0];

	if (family && t->status == TEST_SKIP)
		face_skip(family->count, cpu);
	else
		face_result(face_of(t), t->test->id, cpu, f->what, f->got, f->want);
}

static void put(const struct test_ctx *t, uint64_t cpus, const struct kind *kind,
                struct tap_totals *totals)
{
	const struct tap_result result = { t, cpus, family_tests(t->test),
	                                   kind ? kind->name : NULL };

	tap_print_result(&result, totals);
	for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++)
		if (cpus >> cpu & 1)
			show(t, cpu, result.family);
}

void outcome_put(const struct test_ctx *t, struct tap_totals *totals)
{
	put(t, 1, NULL, totals);
}

static bool is_same_finding(const struct finding *a, const struct finding *b)
{
	return strcmp(a->what, b->what) == 0 && strcmp(a->got, b->got) == 0
	       && strcmp(a->want, b->want) == 0 && a->why == b->why
	       && a->at.file == b->at.file && a->at.line == b->at.line;
}

static bool has_same_texts(const struct test_ctx *a, const struct test_ctx *b)
{
	for (unsigned i = 0; i < a->findings && i < RESULT_MAX_FINDINGS; i++)
		if (!is_same_finding(&a->finding[i], &b->finding[i]))
			return false;
	for (unsigned i = 0; i < a->reports; i++)
		if (strcmp(a->report[i], b->report[i]) != 0)
			return false;
	return a->status != TEST_SKIP || strcmp(a->reason, b->reason) == 0;
}

/* Lost processors share one result, which holds one of them at a time: they are never the same. */
static bool is_same(const struct test_ctx *a, const struct test_ctx *b)
{
	return a != b && a->status == b->status && a->findings == b->findings
	       && a->reports == b->reports && has_same_texts(a, b);
}

static const struct test_ctx *result_of(const struct test_ctx *boot, unsigned cpu)
{
	return cpu ? secondaries_result(cpu) : boot;
}

static uint64_t those_with_results(const struct test *test)
{
	uint64_t cpus = 1;

	for (unsigned cpu = 1; cpu < smp_count(); cpu++)
		if (secondaries_has_result(cpu) && secondaries_runs(test, cpu))
			cpus |= UINT64_C(1) << cpu;
	return cpus;
}

/* Returns the first of these processors, and those that agree with it. */
static uint64_t agreeing(const struct test_ctx *boot, unsigned first, uint64_t cpus)
{
	uint64_t same = UINT64_C(1) << first;

	for (unsigned cpu = first + 1; cpu < smp_count(); cpu++)
		if (cpus >> cpu & 1 && is_same(result_of(boot, first), result_of(boot, cpu)))
			same |= UINT64_C(1) << cpu;
	return same;
}

void outcome_put_all(const struct test_ctx *boot, struct tap_totals *totals)
{
	uint64_t cpus = those_with_results(boot->test);

	for (unsigned cpu = 0; cpu < smp_count(); cpu++) {
		const uint64_t same = cpus >> cpu & 1 ? agreeing(boot, cpu, cpus) : 0;

		if (same)
			put(result_of(boot, cpu), same, kind_of(same), totals);
		cpus &= ~same;
	}
}
