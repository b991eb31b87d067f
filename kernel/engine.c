/* SPDX-License-Identifier: MIT */
#include <kernel/engine.h>

#include <arch/context.h>
#include <arch/control.h>
#include <arch/insn.h>
#include <arch/interrupt.h>
#include <arch/modes.h>
#include <arch/regs/cpu.h>
#include <kernel/console.h>
#include <kernel/format.h>
#include <kernel/glob.h>
#include <kernel/result.h>
#include <kernel/string.h>
#include <kernel/tap.h>
#include <kernel/watchdog.h>

#define MAX_TESTS  512

/* A test may take this long by the 8254; the longest of ours takes a tenth of it in an emulator. */
#define TEST_SECONDS  2

extern const struct test *const tests_start[], *const tests_end[];
extern const struct engine_hooks *const hooks_start[], *const hooks_end[];

static const struct test *selected[MAX_TESTS];
static unsigned selected_count;
static struct test_ctx context;
static struct context resume_point;
static bool is_in_test;

#define FOR_EACH_HOOK(h) \
	for (const struct engine_hooks *const *h = hooks_start; h < hooks_end; h++)

void engine_recover(const char *text)
{
	if (is_in_test)
		test_abort("%s", text);
}

static void end_hang(unsigned ticks)
{
	test_abort("the test hung: ended by the watchdog after %u ticks of 55 ms", ticks);
}

void engine_init(const struct cmdline *words)
{
	FOR_EACH_HOOK(h)
		if ((*h)->init)
			(*h)->init(words);
}

void engine_describe(void)
{
	FOR_EACH_HOOK(h)
		if ((*h)->describe)
			(*h)->describe();
}

static void reset_all(void)
{
	FOR_EACH_HOOK(h)
		if ((*h)->reset)
			(*h)->reset();
}

void test_abort(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	result_add_error(&context, fmt, args);
	va_end(args);
	if (!is_in_test)
		panic("test_abort() outside a test");
	context_resume(&resume_point, 1);
}

/* Insertion sort by id: compilers emit the pointers in any order. Equal ids are a mistake. */
static void insert(const struct test *test)
{
	unsigned i = selected_count++;

	if (selected_count > MAX_TESTS)
		panic("more than %u tests", MAX_TESTS);
	for (; i > 0 && strcmp(selected[i - 1]->id, test->id) > 0; i--)
		selected[i] = selected[i - 1];
	if (i > 0 && strcmp(selected[i - 1]->id, test->id) == 0)
		panic("two tests have the id %s", test->id);
	selected[i] = test;
}

static void select_tests(const struct cmdline *words)
{
	selected_count = 0;
	for (const struct test *const *p = tests_start; p < tests_end; p++)
		if ((!(*p)->is_broken || words->is_broken) && cmdline_is_selected(words, (*p)->id))
			insert(*p);
}

/* What a test must leave as it was; put right, and told as a sentence. */
struct machine_state { uintptr_t cr0, cr4, flags; };

static struct machine_state take_state(void)
{
	return (struct machine_state){
		cr0_read(), has_cr4() ? cr4_read() : 0, flags_read() & EFLAGS_IF,
	};
}

static void restore_state(const struct machine_state *state)
{
	cr0_write(state->cr0);
	if (has_cr4())
		cr4_write(state->cr4);
}

static void check_state(const struct machine_state *before)
{
	struct machine_state now = take_state();

	if (now.cr0 != before->cr0)
		result_add_error_text(&context, "the test left CR0 changed");
	if (now.cr4 != before->cr4)
		result_add_error_text(&context, "the test left CR4 changed");
	if (now.flags != before->flags)
		result_add_error_text(&context, "the test left EFLAGS.IF changed");
}

static void check_hooks(void)
{
	FOR_EACH_HOOK(h) {
		const char *left = (*h)->left_running ? (*h)->left_running() : NULL;

		if (left)
			result_add_error_text(&context, left);
	}
}

/*
 * Runs the body. False: it came back through test_abort(), from whatever depth. Not inlined, so
 * that no variable of the caller is in a register across the second return.
 */
static bool __attribute__((noinline)) has_run_to_its_end(const struct test *test)
{
	if (context_save(&resume_point) != 0)
		return false;
	is_in_test = true;
	test->run(&context);
	return true;
}

static void run_body(const struct test *test)
{
	struct machine_state before;

	watchdog_start(TEST_SECONDS, end_hang);
	before = take_state();
	if (has_run_to_its_end(test)) {
		check_hooks();
		check_state(&before);
	}
	restore_state(&before);
	is_in_test = false;
	watchdog_stop();
}

/* Whatever state an aborted test was in: nothing of it may reach the next one. */
static void clean_up(void)
{
	watchdog_pet();                  /* no tick while its handler is not there */
	mode_run_cancel();
	interrupt_unexpected_is_over();
	interrupt_reset_handlers();
	watchdog_install();
	reset_all();
}

static void run_test(const struct test *test)
{
	const char *reason;

	result_init(&context, test);
	reset_all();
	reason = test->needs ? test->needs(&context) : NULL;
	if (reason)
		result_set_skip(&context, reason);
	else
		run_body(test);
	clean_up();
	result_finish(&context);
}

static enum run_status verdict(const struct tap_totals *totals)
{
	FOR_EACH_HOOK(h)
		if ((*h)->verdict && (*h)->verdict())
			print("# %s: %s\n", (*h)->name, (*h)->verdict());
	tap_print_totals(totals);
	if (totals->passed + totals->failed + totals->errors == 0)
		return RUN_BROKEN;
	return totals->failed + totals->errors ? RUN_FAILED : RUN_PASSED;
}

static enum run_status run_selected(void)
{
	struct tap_totals totals = { 0 };

	tap_print_plan(selected_count);
	for (unsigned i = 0; i < selected_count; i++) {
		run_test(selected[i]);
		tap_print_result(i + 1, &context, &totals);
		console_flush();
	}
	return verdict(&totals);
}

static enum run_status list_selected(void)
{
	for (unsigned i = 0; i < selected_count; i++)
		print("# test %s - %s\n", selected[i]->id, selected[i]->claim);
	print("1..0 # SKIP list\n");
	return RUN_PASSED;
}

static bool is_matched(const char *glob)
{
	for (unsigned i = 0; i < selected_count; i++)
		if (glob_is_match(glob, selected[i]->id))
			return true;
	return false;
}

/* A pattern that selects nothing is a typing mistake: the run must not pass by running less. */
static bool is_selection_sound(const struct cmdline *words)
{
	for (unsigned i = 0; i < words->only.count; i++) {
		if (is_matched(words->only.glob[i]))
			continue;
		print("Bail out! only=%s selects no test (the word list shows them)\n",
		      words->only.glob[i]);
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
	return words->is_list ? list_selected() : run_selected();
}
