/* SPDX-License-Identifier: MIT */
/* run: runs the suites' tests with the engine, as a run without the monitor does. */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <kernel/input/keys.h>
#include <kernel/run/engine.h>
#include <monitor/prompt/dispatch.h>

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
			monitor_fail("%s selects no test; the tab key completes their ids",
			             w->word[i]);
	}
	for (unsigned i = 1; i < w->count; i++)
		words.only.glob[words.only.count++] = w->word[i];
	aside = monitor_step_aside();
	engine_run_until(&words, keys_has_interrupt);
	monitor_step_back(&aside);
}
