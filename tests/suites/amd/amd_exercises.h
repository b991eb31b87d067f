/* SPDX-License-Identifier: MIT */
/* Defines short forms for the rows of amd_events_*.c. Loops are short: AMD's tables have many
 * events, and all of a processor's run in a few seconds. */
#ifndef TESTS_SUITES_AMD_AMD_EXERCISES_H
#define TESTS_SUITES_AMD_AMD_EXERCISES_H

#include <tests/suites/common/events/exercises.h>

#define AMD_LOOPS(name)  MOVES(name, 64, 320)
#define AMD_STILL(name)  .still = name, .still_few = 64, .still_many = 320
#define AMD_STILL_WALK(name)  .still = name, .still_few = 16, .still_many = 144

/* A walk of a line of 64 bytes a round through memory, with empty caches. */
/* Even the fewer rounds fill the greatest data cache, 1,024 lines, so that both windows read their
 * own data again from elsewhere, whatever of it shares a set with the arena. */
#define AMD_WALKS(name)  MOVES(name, 1088, 1216)

/* For EXERCISE_IF_EXACT. */
#define UNMEASURED  "AMD's lists promise no exact count, and nobody published one of this event"
#define MEASURED    "V. Weaver's counts on families 10H, 16H and Zen 1 repeat; amd.exact.* " \
                    "judges what no erratum spoils"
#define MEMORY_MORE "silicon also counts wrong paths, and what its prefetchers load"

#define EXACT_ON_MODEL(each)  EXACTLY(each, EXERCISE_IF_EXACT), .reason = UNMEASURED
#define EXACT_BY_CLASS(each)  EXACTLY(each, EXERCISE_IF_EXACT), .reason = MEASURED
#define EXACT_IN_CACHES(each, more) \
	EXACTLY(each, EXERCISE_IF_EXACT | (more)), .reason = MEMORY_MORE

#endif
