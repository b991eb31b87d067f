/* SPDX-License-Identifier: MIT */
/*
 * What must be true between counts of the same code: thresholds, their inverses, edges. With a
 * CMASK the counter moves by one in each cycle with so many events or more; with INV in each cycle
 * with fewer; with E it counts the cycles in which the condition begins.
 *
 * Counters of one window see the same cycles. Where that takes more counters than there are,
 * windows are repeated: that is judged where the machine is exact, and else reported.
 *
 * Each function is a whole test and needs two general counters.
 */
#ifndef TESTS_IDENTITIES_H
#define TESTS_IDENTITIES_H

#include <stdint.h>

#include <kernel/test.h>

/* The event of cycles that are not halted: architectural, P6. */
uint16_t identities_cycles(void);

void identity_sum(struct test_ctx *t);
void identity_widest(struct test_ctx *t);
void identity_order(struct test_ctx *t);
void identity_inverse(struct test_ctx *t);
void identity_unreachable(struct test_ctx *t);
void identity_edges(struct test_ctx *t);
void identity_edge_count(struct test_ctx *t);
void identity_edge_random(struct test_ctx *t);
void identity_edge_cycles(struct test_ctx *t);
void identity_inv_alone(struct test_ctx *t);
void identity_edge_alone(struct test_ctx *t);

#endif
