/* SPDX-License-Identifier: MIT */
/*
 * CNT_MASK, INV and EDGE on AMD; see identities.h. APM 2: with CNT_MASK = m the counter moves by
 * one in each clock with m events or more, with INV in each clock with fewer; EDGE counts how often
 * the condition begins.
 */
#include <tests/suites/common/amd/amd_suite.h>

#include <tests/suites/common/counts/identities.h>
#include <tests/suites/common/needs.h>

/* These run alone: threads share a core. */
#define COMPARE(name, fields, text) \
	static void name(struct test_ctx *t) { identity_##name(t); } \
	TEST_OF(name, .id = "amd.compare." #name, .needs = need_amd, .claim = text, \
	     .runs = TEST_ALONE, .source = AMD_APM ", " fields)

IDENTITIES(COMPARE, "CNT_MASK", "EDGE");
