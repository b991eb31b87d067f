/* SPDX-License-Identifier: MIT */
/*
 * CNT_MASK, INV and EDGE on AMD; see identities.h. APM 2: with CNT_MASK = m the counter moves by
 * one in each clock with m events or more, with INV in each clock with fewer; EDGE counts how often
 * the condition begins.
 */
#include <tests/suites/amd/amd_suite.h>

#include <tests/suites/common/counts/identities.h>
#include <tests/suites/common/needs.h>

/* These run alone: threads share a core. */
#define COMPARE(name, flags, text) \
	static void name(struct test_ctx *t) { identity_##name(t); } \
	TEST(name, .id = "amd.compare." #name, .needs = need_amd, .claim = text, \
	     .runs = TEST_ALONE, .source = AMD_APM ", " flags)

COMPARE(sum, "CNT_MASK", "the counts over all thresholds add up to the count without one");
COMPARE(widest, "CNT_MASK",
        "the highest threshold that is ever reached is the most instructions that retire in a "
        "clock");
COMPARE(order, "CNT_MASK", "a higher threshold is never reached more often");
COMPARE(inverse, "INV, CNT_MASK",
        "clocks that reach a threshold and clocks that do not add up to all clocks");
COMPARE(unreachable, "INV, CNT_MASK",
        "a threshold above the machine's width is reached in no clock, its inverse in every clock");
COMPARE(edges, "EDGE, INV, CNT_MASK",
        "a condition begins as often as its inverse, or once more or less often");
COMPARE(edge_count, "EDGE, CNT_MASK",
        "a condition begins at least once, and at most as often as it has clocks");
COMPARE(edge_random, "EDGE, CNT_MASK", "retirement begins again after mispredicted branches");
COMPARE(edge_cycles, "EDGE, CNT_MASK", "a condition that holds in consecutive clocks begins once");
COMPARE(edge_alone, "EDGE: not specified for CNT_MASK = 0",
        "what EDGE does without CNT_MASK is reported");
