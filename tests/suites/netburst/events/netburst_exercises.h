/* SPDX-License-Identifier: MIT */
/* Defines short forms for the rows of NetBurst's suites. NetBurst's caches have lines of 64 bytes,
 * L1D up to 16 KBytes, L2 256 KBytes or more; its TLBs have up to 256 entries (SDM 2A, CPUID leaf
 * 2). */
#ifndef TESTS_SUITES_NETBURST_EVENTS_NETBURST_EXERCISES_H
#define TESTS_SUITES_NETBURST_EVENTS_NETBURST_EXERCISES_H

#include <tests/suites/common/events/exercises.h>

/* Demands exactly so many counts where the machine is exact, elsewhere so many or more. */
#define OR_MORE(each, why_)  EXACTLY(each, EXERCISE_OR_MORE), .reason = why_

/* Moves an event by a walk over more pages than a TLB has entries, in both lengths. */
#define WALKS_OVER_TLB(name)  MOVES(name, 272, 528)

/* Gives the reason for a bound. Source: SDM 1, "Intel NetBurst Microarchitecture". */
#define THREE_A_CLOCK \
	"low: at most three micro-operations retire in a clock; high: the manual gives no bound"

#define UOPS_MORE \
	"low: each instruction has one such micro-operation; high: it may have more, and " \
	"executed ones that do not retire count as well"
#define WORDS_ONLY   "the manual gives only its name"
#define NO_MEANING   "no manual gives a meaning for its masks, and sources contradict each other " \
                     "about the CCCR's select"

#endif
