/* SPDX-License-Identifier: MIT */
#include <kernel/run/families.h>

#include <stddef.h>

#include <arch/cpu/self.h>
#include <kernel/lib/string.h>
#include <kernel/log/id_numbers.h>
#include <kernel/run/engine_hooks.h>
#include <kernel/run/execute.h>
#include <kernel/run/panic.h>
#include <kernel/run/result.h>
#include <kernel/run/secondaries.h>

enum { FAMILIES_MAX = 40 };

/* A family that the machine does not have, and those of its tests that are skipped. */
struct absent {
	const struct test *family;
	struct id_set tests;
};

static struct absent absent[FAMILIES_MAX];
static unsigned absent_count;
static SHARED bool is_asking;

void family_is_there(struct test_ctx *t)
{
	if (!is_asking)
		test_abort("%s was not there when the run began, and is there now",
		           test_that_runs(t)->id);
	test_report(t, "this family", "is there");
}

const struct id_set *family_tests(const struct test *test)
{
	for (unsigned i = 0; i < absent_count; i++)
		if (absent[i].family == test)
			return &absent[i].tests;
	return NULL;
}

static bool is_member(const struct test *family, const struct test *test)
{
	const size_t length = strlen(family->id);

	return family->id[0] == test->id[0] && strncmp(family->id, test->id, length) == 0
	       && test->id[length] == '.';
}

static bool has_members(const struct test *family, const struct test **tests, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (is_member(family, tests[i]))
			return true;
	return false;
}

static bool is_absent(const struct test *family)
{
	bool is_skipped;

	is_asking = true;
	is_skipped = execute_test(family, NULL)->status == TEST_SKIP;
	if (is_skipped && secondaries_count())
		secondaries_execute(family);
	for (unsigned cpu = 1; is_skipped && cpu < smp_count(); cpu++)
		if (secondaries_has_result(cpu))
			is_skipped = secondaries_result(cpu)->status == TEST_SKIP;
	is_asking = false;
	return is_skipped;
}

/* A test of an absent family that needs nothing of it runs, as if there were no families. */
static unsigned take_tests(struct absent *a, const struct test **tests, unsigned count)
{
	const struct test *first = NULL;
	unsigned kept = 0, at = 0;

	for (unsigned i = 0; i < count; i++) {
		if (!is_member(a->family, tests[i]) || !execute_would_skip(tests[i])) {
			tests[kept++] = tests[i];
			continue;
		}
		if (!first) {
			first = tests[i];
			at = kept++;
		}
		id_set_add(&a->tests, id_number(tests[i]->id));
	}
	if (first)
		tests[at] = a->tests.count > 1 ? a->family : first;
	return kept;
}

unsigned families_fold(const struct test **tests, unsigned count)
{
	absent_count = 0;
	FOR_EACH_ENGINE_HOOK(h)
		for (const struct test *f = (*h)->families; f && f->id; f++) {
			if (!has_members(f, tests, count) || !is_absent(f))
				continue;
			if (absent_count == FAMILIES_MAX)
				panic("more than %u families of tests", FAMILIES_MAX);
			absent[absent_count] = (struct absent){ .family = f };
			count = take_tests(&absent[absent_count++], tests, count);
		}
	return count;
}
