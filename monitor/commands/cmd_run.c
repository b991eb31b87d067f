/* SPDX-License-Identifier: MIT */
/* run: runs the suites' tests with the engine, as a run without the monitor does. */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <kernel/input/keys.h>
#include <kernel/lib/format.h>
#include <kernel/lib/nearest.h>
#include <kernel/run/engine.h>
#include <kernel/run/test.h>
#include <monitor/prompt/dispatch.h>

extern const struct test *const tests_start[], *const tests_end[];     /* from linker.ld */

/* Offers an id, and the pattern of each of its beginnings: "amd.lvtpc.*". */
static void try_id(struct nearest *n, const char *id)
{
	char glob[NEAREST_NAME_SIZE];

	nearest_try(n, id);
	for (const char *c = id; *c; c++) {
		if (*c != '.')
			continue;
		format_buf(glob, sizeof(glob), "%.*s.*", (int)(c - id), id);
		nearest_try(n, glob);
	}
}

static void fail_unknown(const char *glob)
{
	char meant[NEAREST_TEXT_SIZE];
	struct nearest nearest;

	nearest_begin(&nearest, glob);
	for (const struct test *const *t = tests_start; t < tests_end; t++)
		if (!(*t)->is_broken)
			try_id(&nearest, (*t)->id);
	monitor_fail("%s selects no test%s; the tab key completes their ids", glob,
	             nearest_text(&nearest, meant));
}

COMMAND(run, .syntax = "GLOB...", .summary = "runs tests whose ids match, and prints TAP",
        .text = "Every processor runs them. They reset the PMU: what was programmed is lost.\n"
                "CTRL-C ends it before the next test.\n",
        .example = "run rdtsc.* pmu.*", .completion = COMPLETE_TESTS, .is_unbounded = true)
{
	static struct cmdline words;
	struct monitor_aside aside;

	words = (struct cmdline){ .is_broken = monitor_cmdline()->is_broken };
	words_expect(w, 1, MONITOR_WORDS_MAX);
	for (unsigned i = 1; i < w->count; i++) {
		if (!engine_has_test(&words, w->word[i]))
			fail_unknown(w->word[i]);
	}
	for (unsigned i = 1; i < w->count; i++)
		words.only.glob[words.only.count++] = w->word[i];
	aside = monitor_step_aside();
	engine_run_until(&words, keys_has_interrupt);
	monitor_step_back(&aside);
}
