/* SPDX-License-Identifier: MIT */
/*
 * How each event of pmu/events.h is exercised: data, and a test per event made of it.
 *
 *	P6_EVENT(mul, { .event = "MUL", .moves = "mul", .few = 10, .many = 110,
 *	                .low = 1, .high = 1, .flags = EXERCISE_EXACT, .why = "a MUL a round",
 *	                .still = "loop", .still_few = 10, .still_many = 110 });
 *
 * is the test p6.events.mul. A file of such rows includes this header and nothing else: compiled
 * for the host it is the rows alone, which build/events prints for docs/events.md.
 */
#ifndef TESTS_EVENT_EXERCISE_H
#define TESTS_EVENT_EXERCISE_H

#include <stddef.h>
#include <stdint.h>

/* Exactly one of the first three where .moves names a workload. */
enum exercise_flags {
	EXERCISE_EXACT    = 1 << 0,      /* low = high, judged */
	EXERCISE_RELATION = 1 << 1,      /* low to high, judged */
	EXERCISE_REPORTED = 1 << 2,      /* run and shown, never judged; .reason says why */
	EXERCISE_ARENA    = 1 << 3,      /* argument is an offset in pmu_workload_arena() */
	EXERCISE_STILL_ARENA = 1 << 4,   /* so is still_argument */
	EXERCISE_USR      = 1 << 5,      /* moves and still run at CPL 3 */
	EXERCISE_COLD     = 1 << 6,      /* WBINVD before each window */
	EXERCISE_IF_EXACT = 1 << 7       /* judged where the machine is exact, else reported: the
	                                    manual lets silicon count speculation, or less well */
};

#define EXERCISE_UNBOUNDED UINT64_MAX    /* as high: there is no upper bound; why says so */

/*
 * The count of `many` rounds minus the count of `few` rounds is to lie between low and high times
 * (many - few) / per. Workloads are named as in workload_table: workload_find().
 */
struct event_exercise {
	const char *event;               /* struct pmu_event's name */
	const char *unit;                /* its unit, where two rows have this name; else NULL */
	const char *mask;                /* as pmu_event_mask() takes it; NULL: the full count */
	const char *moves;               /* the workload that moves it; NULL: .test or .reason */
	uint32_t few, many, argument;
	uint64_t low, high;              /* counts per `per` rounds */
	uint32_t per;                    /* 0 stands for 1 */
	const char *why;                 /* where low and high come from */
	const char *still;               /* a workload that must not move it */
	uint32_t still_few, still_many, still_argument;   /* equal counts at few and many rounds */
	const char *test;                /* id of a test that was written for it */
	unsigned flags;                  /* enum exercise_flags */
	const char *reason;              /* why it is not exercised, or not judged */
};

#if __STDC_HOSTED__

/* Pointers, as the compiler pads larger things that share a section. */
#define EVENT_EXERCISES(suite, name, runs_, ...) \
	static const struct event_exercise exercises_##name[] = { __VA_ARGS__ }; \
	static const struct event_exercise_test exercise_test_##name = { \
		#suite, #suite ".events." #name, exercises_##name, \
		sizeof(exercises_##name) / sizeof(exercises_##name[0]) \
	}; \
	static const struct event_exercise_test *const exercise_pointer_##name \
		__attribute__((section("exercises"), used)) = &exercise_test_##name

struct event_exercise_test {
	const char *suite, *id;
	const struct event_exercise *rows;
	unsigned count;
};

#else

#include <kernel/test.h>

/*
 * What the macros' tests do. need: NULL, or why none of the rows' events can be counted here (the
 * processor does not have it, the workload needs what CPUID does not show).
 */
const char *p6_event_need(struct test_ctx *t, const struct event_exercise *rows, unsigned count);
void p6_event_run(struct test_ctx *t, const struct event_exercise *rows, unsigned count);
const char *p5_event_need(struct test_ctx *t, const struct event_exercise *rows, unsigned count);
void p5_event_run(struct test_ctx *t, const struct event_exercise *rows, unsigned count);

#define p6_EVENT_SOURCE "SDM 3B, \"Events That Can Be Counted with the P6 Family " \
                        "Performance-Monitoring Counters\""
#define p5_EVENT_SOURCE "SDM 3B, \"Events That Can Be Counted with Pentium Processor " \
                        "Performance-Monitoring Counters\""

#define EVENT_EXERCISES(suite, name, runs_, ...) \
	static const struct event_exercise exercises_##name[] = { __VA_ARGS__ }; \
	enum { exercise_count_##name = sizeof(exercises_##name) / sizeof(exercises_##name[0]) }; \
	static const char *need_##name(struct test_ctx *t) \
	{ \
		return suite##_event_need(t, exercises_##name, exercise_count_##name); \
	} \
	TEST(run_##name, .id = #suite ".events." #name, .needs = need_##name, .runs = runs_, \
	     .claim = "the event counts what its row of the manual's table says, and no more", \
	     .source = suite##_EVENT_SOURCE); \
	static void run_##name(struct test_ctx *t) \
	{ \
		suite##_event_run(t, exercises_##name, exercise_count_##name); \
	} \
	_Static_assert(exercise_count_##name > 0, "an event without a row")

#endif

/* name: lower case, the event's; then one or more rows in braces, of one event as a rule. */
#define P6_EVENT(name, ...)        EVENT_EXERCISES(p6, name, TEST_EVERYWHERE, __VA_ARGS__)
#define P5_EVENT(name, ...)        EVENT_EXERCISES(p5, name, TEST_EVERYWHERE, __VA_ARGS__)

/* One processor after the other: the count depends on what they share. */
#define P6_EVENT_ALONE(name, ...)  EVENT_EXERCISES(p6, name, TEST_ALONE, __VA_ARGS__)
#define P5_EVENT_ALONE(name, ...)  EVENT_EXERCISES(p5, name, TEST_ALONE, __VA_ARGS__)

#endif
