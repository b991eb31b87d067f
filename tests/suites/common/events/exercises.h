/* SPDX-License-Identifier: MIT */
/* Short forms for the rows of event_exercise.h. */
#ifndef TESTS_SUITES_COMMON_EVENTS_EXERCISES_H
#define TESTS_SUITES_COMMON_EVENTS_EXERCISES_H

#include <tests/suites/common/events/event_exercise.h>

/* What moves the event: a short loop; a walk through memory or code, caches empty at first. */
#define MOVES(name, few_, many_)  .moves = name, .few = few_, .many = many_
#define LOOPS(name)     MOVES(name, 64, 1064)
#define WALKS(name)     MOVES(name, 16, 272)
#define COLD_ARENA      (EXERCISE_COLD | EXERCISE_ARENA | EXERCISE_STILL_ARENA)

/* What must not move it. 256 rounds: a branch predictor has learnt the loop by then, and what was
 * asked of memory before it has come. */
#define STILL(name)     .still = name, .still_few = 256, .still_many = 1256

/* Verdicts: each round so many; each `per` rounds from low on. */
#define EXACTLY(each, more)   .low = each, .high = each, .flags = EXERCISE_EXACT | (more)
#define AT_LEAST(low_, more)  .low = low_, .high = EXERCISE_UNBOUNDED, \
                              .flags = EXERCISE_RELATION | (more)
#define BETWEEN(low_, high_, more)  .low = low_, .high = high_, \
                                    .flags = EXERCISE_RELATION | (more)
#define SHOWN(more)           .flags = EXERCISE_REPORTED | (more)

/* Reasons for EXERCISE_IF_EXACT. */
#define SPECULATES  "silicon counts what it executes speculatively, too"
#define RETRIES     "silicon counts internal retries, and loads behind a mispredicted branch"
#define LOADS_MORE  "silicon also loads lines behind a mispredicted branch"

#endif
