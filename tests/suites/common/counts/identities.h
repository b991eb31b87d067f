/* SPDX-License-Identifier: MIT */
/*
 * Checks identities between counts of the same code with thresholds, their inverses and edges. With
 * a CMASK the counter moves by one in each cycle with so many events or more; with INV it moves in
 * each cycle with fewer; with E it counts the cycles in which the condition begins.
 *
 * Counters of one window see the same cycles. If an identity takes more counters than exist,
 * windows are repeated; their result is judged where the machine is exact, and else reported.
 *
 * Each function is a whole test and needs two general counters.
 */
#ifndef TESTS_SUITES_COMMON_COUNTS_IDENTITIES_H
#define TESTS_SUITES_COMMON_COUNTS_IDENTITIES_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/run/test.h>
#include <pmu/core/program.h>

/*
 * Returns whether CMASK may have two bits only. AMD's guides of families 10H and 11H give CNT_MASK
 * the values 1 to 3 and reserve the others; AMD's own profiler of 2016 (CodeXL, HdMsr.h), which
 * knows families 12H to 16H, names the same values. 15H stores eight bits, and nobody says how many
 * it compares: APM 2 leaves the maximum to the implementation. So before 17H only exact machines,
 * which compare all eight, are judged by more than 3.
 */
bool identities_two_bits(void);

/*
 * Returns setup `number`, from 0 on, of a NetBurst window whose counters share one ESCR, and start
 * and stop with its write. Instructions are micro-operations; cycles beside another event are those
 * of its ESCR, with a condition that is always true. CMASK is THRESHOLD + 1, INV is COMPLEMENT.
 */
enum { IDENTITIES_SAME_ESCR = 3, IDENTITIES_CMASK_NETBURST = 16 };
struct pmu_setup identities_netburst(unsigned number, uint16_t event, unsigned cmask,
                                     unsigned flags);
const char *identities_netburst_event(uint16_t event);         /* returns its name */

void identity_sum(struct test_ctx *t);
void identity_widest(struct test_ctx *t);
void identity_order(struct test_ctx *t);
void identity_inverse(struct test_ctx *t);
void identity_unreachable(struct test_ctx *t);
void identity_edges(struct test_ctx *t);
void identity_edge_count(struct test_ctx *t);
void identity_edge_random(struct test_ctx *t);
void identity_edge_cycles(struct test_ctx *t);
void identity_edge_alone(struct test_ctx *t);
void identity_inv_without_cmask(struct test_ctx *t);
void identity_edge_half(struct test_ctx *t);
void identity_clocks(struct test_ctx *t);
void identity_each_counter(struct test_ctx *t);

/*
 * Lists these tests for a family that has them all: ONE(name, fields, claim) makes one of them.
 * mask and edge are the family's names of CMASK and E.
 */
#define IDENTITIES(ONE, mask, edge) \
	ONE(sum, mask, \
	    "the counts over all thresholds add up to the count without a threshold"); \
	ONE(widest, mask, "the highest threshold that is ever reached is the most instructions " \
	    "that retire in a clock"); \
	ONE(order, mask, "a higher threshold is never reached more often"); \
	ONE(inverse, "INV, " mask, \
	    "clocks that reach a threshold and clocks that do not add up to all clocks"); \
	ONE(unreachable, "INV, " mask, "a threshold above the machine's width is reached in no " \
	    "clock, its inverse in every clock"); \
	ONE(edges, edge ", INV, " mask, \
	    "a condition begins as often as its inverse, or once more or less often"); \
	ONE(edge_count, edge ", " mask, \
	    "a condition begins at least once, and at most as often as it has clocks"); \
	ONE(edge_half, edge ", " mask, "a condition begins in at most every second clock"); \
	ONE(edge_random, edge ", " mask, "retirement begins again after mispredicted branches"); \
	ONE(edge_cycles, edge ", " mask, \
	    "a condition that holds in consecutive clocks begins once"); \
	ONE(edge_alone, edge ": not specified for " mask " = 0", \
	    "what " edge " does without " mask " is reported"); \
	ONE(inv_without_cmask, "INV: it is ignored when " mask " is 0", \
	    "INV does nothing while " mask " is 0"); \
	ONE(clocks, "INV, " mask, "the event of clocks counts once in every clock, never twice"); \
	ONE(each_counter, edge ", INV, " mask, "a condition counts the same on every counter")

#endif
