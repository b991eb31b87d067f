/* SPDX-License-Identifier: MIT */
/*
 * Describes the exercises of the events of events.h, as data; each event becomes a test.
 *
 *	P6_EVENT(mul, "the event counts multiplications: one for each MUL, none in a loop",
 *	         { .event = "MUL", .moves = "mul", .few = 10, .many = 110,
 *	           .low = 1, .high = 1, .flags = EXERCISE_EXACT, .why = "a MUL a round",
 *	           .still = "loop", .still_few = 10, .still_many = 110 });
 *
 * declares the test p6.events.mul, and the sentence is its claim. A file of such rows includes this
 * header and nothing else: compiled for the host it has the rows alone, which build/events prints
 * for docs/events.md.
 *
 * NetBurst's rows name an event of netburst_pmu.h or, made by NETBURST_METRIC(), a metric: an event
 * at retirement together with the event that tags micro-operations for it.
 */
#ifndef TESTS_SUITES_COMMON_EVENTS_EVENT_EXERCISE_H
#define TESTS_SUITES_COMMON_EVENTS_EVENT_EXERCISE_H

#include <stddef.h>
#include <stdint.h>

#include <arch/regs/table.h>

/* Exactly one of the first three flags must be set if .moves names a workload. */
enum exercise_flags {
	EXERCISE_EXACT    = 1 << 0,      /* low = high, judged */
	EXERCISE_RELATION = 1 << 1,      /* low to high, judged */
	EXERCISE_REPORTED = 1 << 2,      /* run and shown, never judged; .reason says why */
	EXERCISE_ARENA    = 1 << 3,      /* argument is an offset in pmu_workload_arena() */
	EXERCISE_STILL_ARENA = 1 << 4,   /* still_argument is an offset, too */
	EXERCISE_USR      = 1 << 5,      /* moves and still run at CPL 3 */
	EXERCISE_COLD     = 1 << 6,      /* WBINVD before each window */
	EXERCISE_IF_EXACT = 1 << 7,      /* judged where the machine is exact, else reported:
	                                    the manual lets silicon count speculation, or
	                                    count less precisely */
	EXERCISE_OR_MORE  = 1 << 8,      /* with _EXACT: exactly low where the machine is exact,
	                                    else low or more; .reason explains the bounds */
	EXERCISE_MASKS    = 1 << 9,      /* NetBurst: each thing that the event counts belongs to
	                                    one of its masks */
	EXERCISE_WARM     = 1 << 10      /* for clocks: runs few rounds once before, so that both
	                                    lengths find in the caches what the first one brought */
};

#define EXERCISE_UNBOUNDED UINT16_MAX    /* for high: there is no upper bound; why says so */

/*
 * The count of `many` rounds minus the count of `few` rounds must lie between low and high times
 * (many - few) / per. Workloads are named as in workload_table; see workload_find().
 */
struct event_exercise {
	const char *event;               /* struct pmu_event's name */
	const char *unit;                /* its unit, where two rows have this name; AMD: those
	                                    processors that the row is about; else NULL */
	const char *mask;                /* as pmu_event_mask() takes it; NULL: all masks */
	const char *moves;               /* what moves it; NULL if .test or .reason is set */
	uint32_t few, many, argument;
	uint16_t low, high;              /* counts per `per` rounds */
	uint16_t per;                    /* 0 stands for 1 */
	uint16_t flags;                  /* enum exercise_flags */
	uint16_t still_few, still_many;  /* equal counts at few and many rounds */
	uint16_t still_argument;
	const char *why;                 /* where low and high come from */
	const char *still;               /* a workload that must not move it */
	const char *test;                /* id of a test that was written for it */
	const char *reason;              /* why it is not exercised, or not judged */
};

#if __STDC_HOSTED__

/* The section holds pointers, because the compiler pads larger objects that share a section. */
#define EXERCISES(suite, kind, group, name, runs_, claim_, ...) \
	static const struct event_exercise exercises_##name[] = { __VA_ARGS__ }; \
	static const struct event_exercise_test exercise_test_##name = { \
		#suite, #suite "." group "." #name, exercises_##name, \
		COUNT_OF(exercises_##name) \
	}; \
	static const struct event_exercise_test *const exercise_pointer_##name \
		__attribute__((section("exercises"), used)) = &exercise_test_##name

struct event_exercise_test {
	const char *suite, *id;
	const struct event_exercise *rows;
	unsigned count;
};

#else

#include <kernel/run/test.h>

/* Holds a test followed by its rows; test_that_runs() leads to them. */
struct exercise_test {
	struct test test;
	const struct event_exercise *rows;
	unsigned count;
};

/*
 * These are the functions of the macros' tests. need returns NULL, or why none of the rows' events
 * can be counted here (the processor does not have the event, or the workload needs a feature that
 * CPUID does not show).
 */
const char *p6_event_need(struct test_ctx *t);
void p6_event_run(struct test_ctx *t);
const char *p5_event_need(struct test_ctx *t);
void p5_event_run(struct test_ctx *t);
const char *amd_event_need(struct test_ctx *t);
void amd_event_run(struct test_ctx *t);
const char *netburst_event_need(struct test_ctx *t);
void netburst_event_run(struct test_ctx *t);
const char *netburst_metric_need(struct test_ctx *t);
void netburst_metric_run(struct test_ctx *t);

#define p6_EVENT_SOURCE "SDM 3B, \"Events That Can Be Counted with the P6 Family " \
                        "Performance-Monitoring Counters\""
#define p5_EVENT_SOURCE "SDM 3B, \"Events That Can Be Counted with Pentium Processor " \
                        "Performance-Monitoring Counters\""
#define amd_EVENT_SOURCE "AMD's lists of events, as Linux' perf, libpfm4, oprofile and LIKWID " \
                         "have them"
#define netburst_EVENT_SOURCE "SDM 3B, \"Performance-Monitoring Events for Processors Based on " \
                              "Intel NetBurst Microarchitecture\""

#define EXERCISES(suite, kind, group, name, runs_, claim_, ...) \
	static const struct event_exercise exercises_##name[] = { __VA_ARGS__ }; \
	enum { exercise_count_##name = COUNT_OF(exercises_##name) }; \
	static const struct exercise_test exercise_test_##name = { \
		{ .id = #suite "." group "." #name, .runs = runs_, \
		  .needs = suite##_##kind##_need, .run = suite##_##kind##_run, \
		  .claim = claim_, .source = suite##_EVENT_SOURCE }, \
		exercises_##name, exercise_count_##name \
	}; \
	static const struct test *const test_pointer_##name \
		__attribute__((section(".tests"), used)) = &exercise_test_##name.test; \
	_Static_assert(exercise_count_##name > 0, "an event has no row")

#endif

#define EVENT_EXERCISES(suite, name, runs_, claim, ...) \
	EXERCISES(suite, event, "events", name, runs_, claim, __VA_ARGS__)

/*
 * Declare the test of an event. name is the event's, in lower case. claim is a sentence that says
 * what the event counts, and how much of it in the code of the rows. One or more rows in braces
 * follow it, usually all of one event.
 */
#define P6_EVENT(name, claim, ...) \
	EVENT_EXERCISES(p6, name, TEST_EVERYWHERE, claim, __VA_ARGS__)
#define P5_EVENT(name, claim, ...) \
	EVENT_EXERCISES(p5, name, TEST_EVERYWHERE, claim, __VA_ARGS__)

/*
 * The same for AMD, where an event's name differs by generation: .event and .mask list names, with
 * '|' between them, of which a processor has one at most.
 */
#define AMD_EVENT(name, claim, ...) \
	EVENT_EXERCISES(amd, name, TEST_EVERYWHERE, claim, __VA_ARGS__)
#define AMD_EVENT_ALONE(name, claim, ...) \
	EVENT_EXERCISES(amd, name, TEST_ALONE, claim, __VA_ARGS__)

/* Declares a test that runs on one processor after the other, because the count depends on what
 * they share. */
#define P6_EVENT_ALONE(name, claim, ...) \
	EVENT_EXERCISES(p6, name, TEST_ALONE, claim, __VA_ARGS__)

/* Declares a test that the engine runs alone in any case, because the threads of a core share the
 * counters. */
#define NETBURST_EVENT(name, claim, ...) \
	EVENT_EXERCISES(netburst, name, TEST_EVERYWHERE, claim, __VA_ARGS__)

/* Declare the test netburst.GROUP.NAME of rows of events, or of rows of metrics. */
#define NETBURST_EVENTS(group, name, claim, ...) \
	EXERCISES(netburst, event, group, name, TEST_EVERYWHERE, claim, __VA_ARGS__)
#define NETBURST_METRIC(group, name, claim, ...) \
	EXERCISES(netburst, metric, group, name, TEST_EVERYWHERE, claim, __VA_ARGS__)

#endif
