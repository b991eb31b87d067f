/* SPDX-License-Identifier: MIT */
/* Defines short forms for the rows of P5 events; see event_exercise.h. This file has only data. */
#ifndef TESTS_SUITES_P5_P5_EVENTS_H
#define TESTS_SUITES_P5_P5_EVENTS_H

#include <tests/suites/common/events/event_exercise.h>

/* Name code that moves the event and code that does not, with 1000 more rounds. */
#define MOVES(workload)  .moves = workload, .few = 16, .many = 1016
#define STILL(workload)  .still = workload, .still_few = 16, .still_many = 1016

/* Names code that takes long, with 10 more rounds, because the watchdog interrupts after 55 ms. */
#define MOVES_SLOWLY(workload)  .moves = workload, .few = 2, .many = 12

/* Demands so many counts for each round. */
#define EXACTLY(counts, because) \
	.low = counts, .high = counts, .flags = EXERCISE_EXACT, .why = because

/* Demands from low to high counts in so many rounds. */
#define FROM(low_, high_, rounds, because) \
	.low = low_, .high = high_, .per = rounds, .flags = EXERCISE_RELATION, .why = because

/* Demands clocks of something that happens once in each round. */
#define CLOCKS_EACH(because) \
	FROM(1, EXERCISE_UNBOUNDED, 1, because "; high: no bound, as a machine may be slow")

/* Demands a count for each line of a walk through the arena: no cache of a P5 holds 8000 more
 * lines, 250 KB. */
#define EACH_LINE(walk) \
	.moves = walk, .few = 16, .many = 8016, .low = 100, .high = 101, .per = 100, \
	.flags = EXERCISE_RELATION | EXERCISE_ARENA | EXERCISE_COLD, \
	.why = "low: once for each line, none of which was cached (one in a hundred, if the " \
	       "machine is not exact); high: the window's own lines were evicted"

/* Runs the code and reports its count, which is not judged. */
#define REPORTED(because)  .flags = EXERCISE_REPORTED, .reason = because

#endif
