/* SPDX-License-Identifier: MIT */
/*
 * Defines the suite of presets: each preset has rows of event_exercise.h, whose .event is the
 * preset, and which are the same on every generation. If a preset is not available, the reason is
 * reported and compared with the processor's table of events.
 */
#ifndef TESTS_SUITES_PRESETS_PRESETS_RUN_H
#define TESTS_SUITES_PRESETS_PRESETS_RUN_H

#include <arch/regs/table.h>
#include <kernel/run/test.h>
#include <tests/suites/common/events/event_exercise.h>

#define EVENTS  "SDM 3B, \"Performance-Monitoring Events\"; " \
                "AMD: BKDG and PPR, \"Performance Monitor Events\""

/* Needs a PMU that counts, whose events are known. */
const char *preset_need(struct test_ctx *t);

/* Reports the reason why the preset is not available, and compares it with the table. */
struct pmu_preset;
void preset_check_unavailable(struct test_ctx *t, const struct pmu_preset *preset, const char *why);

void preset_run(struct test_ctx *t);

/* Declares the test of a preset. name is in lower case, without PAPI_; rows in braces follow it. */
#define PRESET_ROWS(name, runs_, claim_, source_, ...) \
	static const struct event_exercise exercises_##name[] = { __VA_ARGS__ }; \
	static const struct exercise_test exercise_test_##name = { \
		{ .id = "presets." #name, .runs = runs_, .needs = preset_need, .run = preset_run, \
		  .claim = claim_, .source = source_ }, \
		exercises_##name, COUNT_OF(exercises_##name) \
	}; \
	static const struct test *const test_pointer_##name \
		__attribute__((section(".tests"), used)) = &exercise_test_##name.test

#define PRESET(name, claim, source, ...) \
	PRESET_ROWS(name, TEST_EVERYWHERE, claim, source, __VA_ARGS__)

/*
 * Declares a test that runs on one processor after the other, because the count depends on what
 * they share.
 */
#define PRESET_ALONE(name, claim, source, ...) \
	PRESET_ROWS(name, TEST_ALONE, claim, source, __VA_ARGS__)

#endif
