/* SPDX-License-Identifier: MIT */
/* Short forms for the rows of NetBurst's suites. Its caches have lines of 64 bytes, L1D up to 16
 * KBytes, L2 256 KBytes or more; its TLBs up to 256 entries (SDM 2A, CPUID leaf 2). */
#ifndef TESTS_SUITES_NETBURST_EVENTS_NETBURST_EXERCISES_H
#define TESTS_SUITES_NETBURST_EVENTS_NETBURST_EXERCISES_H

#include <tests/suites/common/events/exercises.h>

/* Exact where the machine is; elsewhere so many or more. */
#define OR_MORE(each, why_)  EXACTLY(each, EXERCISE_OR_MORE), .reason = why_

/* Both lengths replace every entry of a TLB. */
#define WALKS_OVER_TLB(name)  MOVES(name, 272, 528)

/* Three micro-operations retire a clock at most: SDM 1, "Intel NetBurst Microarchitecture". */
#define THREE_A_CLOCK \
	"low: three micro-operations retire a clock at most; high: the manual bounds no time"

#define UOPS_MORE \
	"low: each instruction has one such micro-operation; high: it may be made of more, and " \
	"what is executed and not retired counts"
#define WORDS_ONLY   "the manual has no more than the name of it"
#define NO_MEANING   "its masks have no published meaning, and sources contradict each other " \
                     "about the CCCR's select"

#endif
