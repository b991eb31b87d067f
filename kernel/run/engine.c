/* SPDX-License-Identifier: MIT */
#include <kernel/run/engine.h>

#include <arch/smp/kinds.h>
#include <kernel/console/console.h>
#include <kernel/face/face.h>
#include <kernel/lib/glob.h>
#include <kernel/lib/string.h>
#include <kernel/run/execute.h>
#include <kernel/run/families.h>
#include <kernel/run/outcome.h>
#include <kernel/run/secondaries.h>
#include <kernel/run/tap.h>
#include <kernel/run/perturb.h>

#define MAX_TESTS  2560

extern const struct test *const tests_start[], *const tests_end[];

static const struct test *selected[MAX_TESTS];
static unsigned selected_count;

const char *engine_problem(const struct cmdline *words)
{
	const char *problem;

	FOR_EACH_ENGINE_HOOK(h)
		if ((*h)->problem && (problem = (*h)->problem(words)) != NULL)
			return problem;
	return NULL;
}

void engine_init(const struct cmdline *words)
{
	FOR_EACH_ENGINE_HOOK(h)
		if ((*h)->init)
			(*h)->init(words);
}

void engine_describe(void)
{
	FOR_EACH_ENGINE_HOOK(h)
		if ((*h)->describe)
			(*h)->describe();
}

/* Tests that may explain the failures and skips of others come first, the others by id. */
static int compare(const struct test *a, const struct test *b)
{
	if (a->is_first != b->is_first)
		return a->is_first ? -1 : 1;
	return strcmp(a->id, b->id);
}

/* Returns how many of the selected tests come before this one. */
static unsigned place_of(const struct test *test)
{
	unsigned low = 0, high = selected_count;

	while (low < high) {
		const unsigned middle = (low + high) / 2;

		if (compare(selected[middle], test) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Sorts while inserting, as compilers emit the pointers in any order. Equal ids are an error. */
static void insert(const struct test *test)
{
	const unsigned place = place_of(test);

	if (selected_count == MAX_TESTS)
		panic("more than %u tests", MAX_TESTS);
	if (place < selected_count && compare(selected[place], test) == 0)
		panic("two tests have the id %s", test->id);
	for (unsigned i = selected_count++; i > place; i--)
		selected[i] = selected[i - 1];
	selected[place] = test;
}

static bool is_selected(const struct cmdline *words, const struct test *test)
{
	return (!test->is_broken || words->is_broken) && cmdline_is_selected(words, test->id);
}

static void select_tests(const struct cmdline *words)
{
	selected_count = 0;
	for (const struct test *const *p = tests_start; p < tests_end; p++)
		if (is_selected(words, *p))
			insert(*p);
}

/* Shuffles by Fisher and Yates. Without a seed the tests stay sorted. */
static void shuffle(void)
{
	for (unsigned i = selected_count; i > 1; i--) {
		unsigned other = i - 1 - perturb(PERTURB_ORDER) % i;
		const struct test *test = selected[i - 1];

		selected[i - 1] = selected[other];
		selected[other] = test;
	}
}

/* A machine without a PMU is no failure of its own: the screen and the exit port say so. */
static void end_face(const struct tap_totals *totals)
{
	const char *absent = NULL;

	FOR_EACH_ENGINE_HOOK(h)
		if ((*h)->absent && !absent)
			absent = (*h)->absent();
	if (totals->failed + totals->errors) {
		face_end("FAIL", NULL);
	} else if (absent) {
		machine_set_exit(EXIT_NO_PMU);
		face_end("NO PMU", absent);
	} else if (totals->passed + totals->errata) {
		face_end("PASS", NULL);
	} else {
		face_end("BROKEN", NULL);
	}
}

static enum run_status verdict(const struct tap_totals *totals)
{
	FOR_EACH_ENGINE_HOOK(h)
		if ((*h)->verdict && (*h)->verdict())
			print("# %s: %s\n", (*h)->name, (*h)->verdict());
	tap_print_totals(totals);
	end_face(totals);
	if (totals->passed + totals->errata + totals->failed + totals->errors == 0)
		return RUN_BROKEN;
	return totals->failed + totals->errors ? RUN_FAILED : RUN_PASSED;
}

static bool runs_on_others(const struct test *test)
{
	return secondaries_count() && test->runs != TEST_ON_BOOT
	       && (test->runs != TEST_BY_KIND || kinds_count() > 1);
}

/* Runs the test on the boot processor, then on all others at once. */
static void run_test(const struct test *test, struct tap_totals *totals)
{
	const struct test_ctx *result;

	face_test(test->id);
	result = execute_test(test, secondaries_clean_up);
	secondaries_clean_up();
	if (!runs_on_others(test)) {
		outcome_put(result, totals);
	} else {
		secondaries_execute(test);
		outcome_put_all(result, totals);
	}
	console_flush();
}

/* Counts a test once for each processor on which it gives a result. */
static unsigned count_results(void)
{
	unsigned count = 0;

	for (unsigned i = 0; i < selected_count; i++) {
		const struct id_set *family = family_tests(selected[i]);
		const enum test_runs runs = selected[i]->runs;

		count += (family ? family->count : 1)
		         * (runs == TEST_ON_BOOT ? 1 : runs == TEST_BY_KIND ? kinds_count()
		            : secondaries_count() + 1);
	}
	return count;
}

/* Processors agree or not, so that only the end of a run with several has the number of lines. */
static bool is_plan_known(void)
{
	return secondaries_count() == 0;
}

/* is_interrupted is called before each test, unless it is NULL. */
static enum run_status run_selected(bool (*is_interrupted)(void))
{
	struct tap_totals totals = { 0 };

	selected_count = families_fold(selected, selected_count);
	shuffle();
	if (is_plan_known())
		tap_print_plan(selected_count);
	else
		print("# tests: %u\n", selected_count);
	if (!is_interrupted)
		face_begin(count_results(), secondaries_count() + 1);
	for (unsigned i = 0; i < selected_count; i++) {
		if (is_interrupted && is_interrupted()) {
			print("Bail out! CTRL-C was typed\n");
			return RUN_BROKEN;
		}
		run_test(selected[i], &totals);
	}
	if (!is_plan_known())
		tap_print_plan(totals.lines);
	return verdict(&totals);
}

static enum run_status list_selected(void)
{
	for (unsigned i = 0; i < selected_count; i++)
		print("# test %s - %s\n", selected[i]->id, selected[i]->claim);
	print("1..0 # SKIP list\n");
	face_end_text("LIST", "These tests can be run, here or elsewhere.");
	return RUN_PASSED;
}

static bool is_matched(const char *glob)
{
	for (unsigned i = 0; i < selected_count; i++)
		if (glob_is_match(glob, selected[i]->id))
			return true;
	return false;
}

/* Says where the tests are: P5 and P6 have no long mode, so their suites are in one kernel only. */
static const char *where_tests_are(const char *glob)
{
	const bool is_old = glob_is_match("p5.*", glob) || glob_is_match("p6.*", glob);

	return is_old && sizeof(void *) == 8 ? "the 32-bit kernel has those of P5 and P6"
	                                     : "the word list shows them";
}

/* A pattern that selects nothing is a typing error: the run must not pass by running less. */
static bool is_selection_sound(const struct cmdline *words)
{
	for (unsigned i = 0; i < words->only.count; i++) {
		if (is_matched(words->only.glob[i]))
			continue;
		print("Bail out! only=%s selects no test (%s)\n", words->only.glob[i],
		      where_tests_are(words->only.glob[i]));
		return false;
	}
	if (selected_count == 0)
		print("Bail out! skip= leaves no test\n");
	return selected_count > 0;
}

enum run_status engine_run(const struct cmdline *words)
{
	select_tests(words);
	if (!is_selection_sound(words))
		return RUN_BROKEN;
	return words->is_list ? list_selected() : run_selected(NULL);
}

bool engine_has_test(const struct cmdline *words, const char *glob)
{
	for (const struct test *const *p = tests_start; p < tests_end; p++)
		if (is_selected(words, *p) && glob_is_match(glob, (*p)->id))
			return true;
	return false;
}

enum run_status engine_run_until(const struct cmdline *words, bool (*is_interrupted)(void))
{
	select_tests(words);
	return run_selected(is_interrupted);
}

enum run_status engine_interact(const struct cmdline *words)
{
	FOR_EACH_ENGINE_HOOK(h)
		if ((*h)->interact)
			(*h)->interact(words);
	return RUN_PASSED;
}
