/* SPDX-License-Identifier: MIT */
/* Defines short forms for the rows of event_exercise.h. */
#ifndef TESTS_SUITES_COMMON_EVENTS_EXERCISES_H
#define TESTS_SUITES_COMMON_EVENTS_EXERCISES_H

#include <tests/suites/common/events/event_exercise.h>

/* Name code that moves the event: a short loop, or a walk through memory or code with empty
 * caches. */
#define MOVES(name, few_, many_)  .moves = name, .few = few_, .many = many_
#define LOOPS(name)     MOVES(name, 64, 1064)
#define WALKS(name)     MOVES(name, 16, 272)
#define COLD_ARENA      (EXERCISE_COLD | EXERCISE_ARENA | EXERCISE_STILL_ARENA)

/* Names code that must not move the event. After 256 rounds a branch predictor has learnt the loop,
 * and earlier requests to memory have completed. */
#define STILL(name)     .still = name, .still_few = 256, .still_many = 1256

/* Give the verdict: each round counts exactly so many; or `per` rounds count so many, from low
 * on. */
#define EXACTLY(each, more)   .low = each, .high = each, .flags = EXERCISE_EXACT | (more)
#define AT_LEAST(low_, more)  .low = low_, .high = EXERCISE_UNBOUNDED, \
                              .flags = EXERCISE_RELATION | (more)
#define BETWEEN(low_, high_, more)  .low = low_, .high = high_, \
                                    .flags = EXERCISE_RELATION | (more)
#define SHOWN(more)           .flags = EXERCISE_REPORTED | (more)

/* Says why so many of a thousand rounds of `random` are mispredicted. */
#define COIN  "low: a branch on a random bit is mispredicted half of the time, so at least a " \
              "quarter of 1000 are; high: the JNZ that ends a round always goes the same way"

/* Give reasons for EXERCISE_IF_EXACT. */
#define SPECULATES  "silicon also counts what it executes speculatively"
#define RETRIES     "silicon also counts internal retries, and loads after a mispredicted branch"
#define LOADS_MORE  "silicon also loads lines after a mispredicted branch"

#endif
