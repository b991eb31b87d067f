/* SPDX-License-Identifier: MIT */
/*
 * The architectural tests of CMASK, INV and E; see identities.h. SDM 3B, "Architectural Performance
 * Monitoring Version 1", IA32_PERFEVTSELx.
 */
#include <tests/suites/common/counts/identities.h>

#include <kernel/run/test.h>
#include <tests/suites/common/needs.h>

#define SDM "SDM 3B, Architectural Performance Monitoring Version 1, IA32_PERFEVTSELx, "

static const char *need_two(struct test_ctx *t)
{
	const char *problem = need_gp2(t);

	return problem ? problem : need_event(t, EVENT_UNHALTED_CORE_CYCLES);
}

TEST(sum, .id = "arch.identities.cmask_sum", .needs = need_two, .source = SDM "CMASK",
     .claim = "the counts over all thresholds add up to the count without a threshold")
{ identity_sum(t); }

TEST(widest, .id = "arch.identities.cmask_widest", .needs = need_two, .source = SDM "CMASK",
     .claim = "the highest threshold that is ever reached is the most instructions that "
              "retire in a cycle")
{ identity_widest(t); }

TEST(order, .id = "arch.identities.cmask_order", .needs = need_two, .source = SDM "CMASK",
     .claim = "a higher threshold is never reached more often")
{ identity_order(t); }

TEST(inverse, .id = "arch.identities.inverse", .needs = need_two, .source = SDM "INV, CMASK",
     .claim = "cycles that reach a threshold and cycles that do not add up to all cycles")
{ identity_inverse(t); }

TEST(unreachable, .id = "arch.identities.unreachable", .needs = need_two,
     .source = SDM "INV, CMASK",
     .claim = "a threshold above the machine's width is reached in no cycle, its "
              "inverse in every cycle")
{ identity_unreachable(t); }

TEST(edges, .id = "arch.identities.edges", .needs = need_two, .source = SDM "E, INV, CMASK",
     .claim = "a condition begins as often as its inverse, or once more or less often")
{ identity_edges(t); }

TEST(edge_count, .id = "arch.identities.edge_count", .needs = need_two, .source = SDM "E, CMASK",
     .claim = "a condition begins at least once, and at most as often as it has cycles")
{ identity_edge_count(t); }

TEST(edge_random, .id = "arch.identities.edge_mispredictions", .needs = need_two,
     .source = SDM "E, CMASK",
     .claim = "retirement begins again after mispredicted branches")
{ identity_edge_random(t); }

TEST(edge_cycles, .id = "arch.identities.edge_cycles", .needs = need_two, .source = SDM "E, CMASK",
     .claim = "a condition that holds in consecutive cycles begins once")
{ identity_edge_cycles(t); }

TEST(inv_alone, .id = "arch.identities.inv_without_cmask", .needs = need_two,
     .source = SDM "INV: \"if counter-mask is programmed to zero, INV flag is ignored\"",
     .claim = "INV does nothing while CMASK is 0")
{ identity_inv_without_cmask(t); }

TEST(each, .id = "arch.identities.each_counter", .needs = need_two, .source = SDM "E, INV, CMASK",
     .claim = "a condition counts the same on every counter")
{ identity_each_counter(t); }

/* ------------------------------------------------------------------------ not specified */

TEST(edge_alone, .id = "arch.identities.edge_without_cmask", .needs = need_two,
     .source = SDM "E: not specified for CMASK = 0",
     .claim = "what E does without CMASK is reported")
{ identity_edge_alone(t); }
