/* SPDX-License-Identifier: MIT */
/* A counter that another one's overflow starts: by CASCADE, and by CASCNTxINTOy in the same way. */
#ifndef TESTS_SUITES_NETBURST_OVERFLOW_NETBURST_CASCADE_H
#define TESTS_SUITES_NETBURST_OVERFLOW_NETBURST_CASCADE_H

#include <stdint.h>

#include <tests/suites/netburst/netburst_blocks.h>

#define CASCADING NETBURST_SDM ", Cascading Counters"

/* Checks that, with this bit in y's CCCR, the overflow of x starts y as the manual says.
 * This is a whole test. */
void cascade_check(struct test_ctx *t, unsigned x, unsigned y, uint32_t bit);

/* Checks that every overflow starts its partners and no other counter; sources
 * has a bit per counter. */
void cascade_check_partners(struct test_ctx *t, uint32_t sources, uint32_t bit);

/* Returns false where the cascade is only inferred, for use on silicon: what the manual says of 16
 * suggests that 15 starts 17 by CASCADE. */
bool cascade_is_certain(unsigned x, unsigned y);

#endif
