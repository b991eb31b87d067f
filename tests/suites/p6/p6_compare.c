/* SPDX-License-Identifier: MIT */
/*
 * P6's tests of CMASK, INV and E; see identities.h. SDM 3B, "Performance Monitoring (P6 Family
 * Processor)": with a CMASK the counter moves by one in each clock with so many events or more,
 * with INV in each clock with fewer; E counts how often the condition begins.
 */
#include <tests/suites/p6/p6_suite.h>

#include <tests/suites/common/counts/identities.h>
#include <tests/suites/common/needs.h>

/* These run alone: where a window is repeated its clocks must be the same, and
 * processors share a bus. */
#define COMPARE(name, fields, text) \
	static void name(struct test_ctx *t) { identity_##name(t); } \
	TEST_OF(name, .id = "p6.compare." #name, .needs = need_p6, .claim = text, \
	     .runs = TEST_ALONE, .source = P6_SDM ", " fields)

IDENTITIES(COMPARE, "CMASK", "E");
