/* SPDX-License-Identifier: MIT */
/*
 * Defines short forms for the rows of intel_events_*.c. Loops are short: Intel's tables have many
 * events, and all of a processor's run in a few seconds.
 *
 *	INTEL_EVENT(SINCE_SANDY_BRIDGE, calls, "the event counts near calls: ...",
 *	            { .event = "BR_INST_RETIRED.NEAR_CALL", ... });
 *
 * declares the tests sandybridge.events.calls, ivybridge.events.calls and so on, which share their
 * rows. .event lists names with '|' between them, of which a processor counts the first one that it
 * has; rows of which it has none are left out. .unit lists the processors that a row is about, by
 * their names in intel_events.csv, or is NULL.
 */
#ifndef TESTS_SUITES_INTEL_INTEL_EXERCISES_H
#define TESTS_SUITES_INTEL_INTEL_EXERCISES_H

#include <tests/suites/common/events/exercises.h>

#define INTEL_LOOPS(name)  MOVES(name, 64, 320)
#define INTEL_STILL(name)  .still = name, .still_few = 64, .still_many = 320

/* A walk of a line of 64 bytes a round. Even the fewer rounds fill the greatest data cache, 768
 * lines; the pages fill the greatest TLB, of 128 entries. */
#define INTEL_WALKS(name)  MOVES(name, 1088, 1216)
#define INTEL_PAGES(name)  MOVES(name, 160, 224)

/* For EXERCISE_IF_EXACT. */
#define MEMORY_MORE "silicon also counts wrong paths, and what its prefetchers load"
#define PREDICTORS  "silicon's predictors are not the model's"

/* A round counts each, where the manual promises it or silicon was measured. */
#define RETIRED(name, code, each, text, still_) \
	{ .event = name, INTEL_LOOPS(code), EXACTLY(each, 0), .why = text, INTEL_STILL(still_) }
/* A round counts each on the model; silicon is shown. */
#define EXECUTED(name, code, each, text, still_) \
	{ .event = name, INTEL_LOOPS(code), EXACTLY(each, EXERCISE_IF_EXACT), \
	  .reason = SPECULATES, .why = text, INTEL_STILL(still_) }
/* The same of a walk with empty caches. */
#define WALKED(name, code, each, text, still_) \
	{ .event = name, INTEL_WALKS(code), EXACTLY(each, COLD_ARENA | EXERCISE_IF_EXACT), \
	  .reason = MEMORY_MORE, .why = text, INTEL_STILL(still_) }
#define PAGED(name, code, text, still_) \
	{ .event = name, INTEL_PAGES(code), BETWEEN(64, 66, COLD_ARENA | EXERCISE_IF_EXACT), \
	  .per = 64, .reason = MEMORY_MORE, .why = text, INTEL_STILL(still_) }

#if __STDC_HOSTED__

#define INTEL_EVENT(on, name, claim, ...) \
	EXERCISES(intel, event, "events", name, 0, claim, __VA_ARGS__)

#else

const char *intel_event_need(struct test_ctx *t);
void intel_event_run(struct test_ctx *t);

/* Files whose events depend on what threads share, the caches, say TEST_ALONE. */
#ifndef INTEL_RUNS
#define INTEL_RUNS TEST_EVERYWHERE
#endif

#define INTEL_TEST(generation, name, claim_) \
	static const struct exercise_test generation##_##name = { \
		{ .id = #generation ".events." #name, .runs = INTEL_RUNS, \
		  .needs = intel_event_need, .run = intel_event_run, .claim = claim_, \
		  .source = "Intel's lists of events, and SDM 3B, \"Performance-Monitoring " \
		            "Events\"" }, \
		exercises_##name, exercise_count_##name \
	}; \
	static const struct test *const generation##_pointer_##name \
		__attribute__((section(".tests"), used)) = &generation##_##name.test;

#define INTEL_EVENT(on, name, claim, ...) \
	static const struct event_exercise exercises_##name[] = { __VA_ARGS__ }; \
	enum { exercise_count_##name = COUNT_OF(exercises_##name) }; \
	on(name, claim) \
	_Static_assert(exercise_count_##name > 0, "an event has no row")

#endif

/* The generations of a test. */
#define CORE2_AND_BONNELL(name, claim) \
	INTEL_TEST(core2, name, claim) INTEL_TEST(bonnell, name, claim)
#define NEHALEM_ALONE(name, claim)       INTEL_TEST(nehalem, name, claim)
#define SANDY_BRIDGE_TO_BROADWELL(name, claim) \
	INTEL_TEST(sandybridge, name, claim) INTEL_TEST(ivybridge, name, claim) \
	INTEL_TEST(haswell, name, claim) INTEL_TEST(broadwell, name, claim)
#define SINCE_ICE_LAKE(name, claim) \
	INTEL_TEST(icelake, name, claim) INTEL_TEST(tigerlake, name, claim) \
	INTEL_TEST(sapphirerapids, name, claim) INTEL_TEST(lioncove, name, claim)
#define SINCE_SKYLAKE(name, claim) \
	INTEL_TEST(skylake, name, claim) SINCE_ICE_LAKE(name, claim)
#define SINCE_BROADWELL(name, claim) \
	INTEL_TEST(broadwell, name, claim) SINCE_SKYLAKE(name, claim)
#define SINCE_SANDY_BRIDGE(name, claim) \
	SANDY_BRIDGE_TO_BROADWELL(name, claim) SINCE_SKYLAKE(name, claim)
#define SINCE_NEHALEM(name, claim) \
	NEHALEM_ALONE(name, claim) SINCE_SANDY_BRIDGE(name, claim)
#define EVERY_GENERATION(name, claim) \
	CORE2_AND_BONNELL(name, claim) SINCE_NEHALEM(name, claim)
#define E_CORES(name, claim) \
	INTEL_TEST(gracemont, name, claim) INTEL_TEST(skymont, name, claim)
#define EVERY_CORE(name, claim) \
	EVERY_GENERATION(name, claim) E_CORES(name, claim)
#define UP_TO_NEHALEM(name, claim) \
	CORE2_AND_BONNELL(name, claim) NEHALEM_ALONE(name, claim)
#define UP_TO_IVY_BRIDGE(name, claim) \
	UP_TO_NEHALEM(name, claim) INTEL_TEST(sandybridge, name, claim) \
	INTEL_TEST(ivybridge, name, claim)
#define UP_TO_BROADWELL(name, claim) \
	UP_TO_NEHALEM(name, claim) SANDY_BRIDGE_TO_BROADWELL(name, claim)

#endif
