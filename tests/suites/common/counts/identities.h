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

#include <stdint.h>

#include <kernel/run/test.h>
#include <pmu/core/program.h>

/* Returns the event of cycles that are not halted, architectural or of P6. */
uint16_t identities_cycles(void);

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

#endif
