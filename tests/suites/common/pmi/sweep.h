/* SPDX-License-Identifier: MIT */
/*
 * Sweeps an overflow of counter 0 past an action: from 64 instructions before it to 64 after it,
 * once without INT and once with it. A sweep finds a race between the action and the overflow.
 */
#ifndef TESTS_SUITES_COMMON_PMI_SWEEP_H
#define TESTS_SUITES_COMMON_PMI_SWEEP_H

#include <kernel/run/test.h>

/* Say what is done while the counter runs. */
enum sweep_action {
	SWEEP_EN, SWEEP_GLOBAL_CTRL, SWEEP_COUNTER, SWEEP_DEBUGCTL, SWEEP_STATUS, SWEEP_RDPMC,
	SWEEP_HLT
};

/*
 * Judges each distance: no overflow is lost, none is extra, the count is that of the same code far
 * from an overflow, and one PMI comes where one is due. Stops at the first distance that fails.
 */
void sweep_judge(struct test_ctx *t, enum sweep_action action);

/* SWEEP() makes the sweep of an action a test of a generation, as PMI_CLAIM() does with a claim. */
#define SWEEP(name, action, family, needs_, source_, what) \
	static void name(struct test_ctx *t) { sweep_judge(t, action); } \
	TEST_OF(name, .id = family ".sweep." #name, .needs = needs_, .source = source_, \
	     .claim = what ", at any distance from an overflow, loses no overflow and no PMI, " \
	     "and adds none")

#define SWEEP_SAYS_en       "clearing EN"
#define SWEEP_SAYS_counter  "writing the counter"
#define SWEEP_SAYS_debugctl "writing IA32_DEBUGCTL"
#define SWEEP_SAYS_rdpmc    "RDPMC"
#define SWEEP_SAYS_hlt      "HLT"

#endif
