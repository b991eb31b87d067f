/* SPDX-License-Identifier: MIT */
/* What rows of P5 events have in common: see event_exercise.h. Data alone. */
#ifndef TESTS_SUITES_P5_P5_EVENTS_H
#define TESTS_SUITES_P5_P5_EVENTS_H

#include <tests/suites/common/events/event_exercise.h>

/* What moves it, what does not; in 1000 rounds more. */
#define MOVES(workload)  .moves = workload, .few = 16, .many = 1016
#define STILL(workload)  .still = workload, .still_few = 16, .still_many = 1016

/* The same for what takes long: 10 rounds more, as the watchdog interrupts after 55 ms. */
#define MOVES_SLOWLY(workload)  .moves = workload, .few = 2, .many = 12

/* So many counts a round, judged. */
#define EXACTLY(counts, because) \
	.low = counts, .high = counts, .flags = EXERCISE_EXACT, .why = because

/* From low to high counts in so many rounds, judged. */
#define FROM(low_, high_, rounds, because) \
	.low = low_, .high = high_, .per = rounds, .flags = EXERCISE_RELATION, .why = because

/* Clocks of something that happens once a round. */
#define CLOCKS_EACH(because) \
	FROM(1, EXERCISE_UNBOUNDED, 1, because "; high: none, a machine may be slow")

/* Once for each line of a walk through the arena: 8000 more, 250 KB, are in no cache of a P5. */
#define EACH_LINE(walk) \
	.moves = walk, .few = 16, .many = 8016, .low = 100, .high = 101, .per = 100, \
	.flags = EXERCISE_RELATION | EXERCISE_ARENA | EXERCISE_COLD, \
	.why = "low: once a line, none of which was there; high: the window's own lines were " \
	       "driven out"

/* Run and shown. */
#define REPORTED(because)  .flags = EXERCISE_REPORTED, .reason = because

#endif
