/* SPDX-License-Identifier: MIT */
/* Defines short forms for the rows of p6_events_*.c. */
#ifndef TESTS_SUITES_P6_P6_EXERCISES_H
#define TESTS_SUITES_P6_P6_EXERCISES_H

#include <tests/suites/common/events/exercises.h>

/*
 * Name walks that evict their own lines, whatever the caches hold at first. The largest L1D of the
 * family is 32 KB (Pentium M), 1024 lines of 32 bytes; the largest L2 is 2 MB (Pentium M, Pentium
 * III Xeon), 65536 lines.
 */
/* So many lines are less than one way of L1I: they push out none of the window's, wherever the
 * linker put those. */
#define WALKS_LESS(name)     MOVES(name, 16, 112)
#define WALKS_OVER_L1(name)  MOVES(name, 2048, 6144)
#define WALKS_OVER_L2(name)  MOVES(name, 65536, 98304)

#endif
