/* SPDX-License-Identifier: MIT */
/* Checks that one counter's overflow starts another counter, by CASCADE and by CASCNTxINTOy. */
#ifndef TESTS_SUITES_NETBURST_OVERFLOW_NETBURST_CASCADE_H
#define TESTS_SUITES_NETBURST_OVERFLOW_NETBURST_CASCADE_H

#include <stdint.h>

#include <tests/suites/netburst/netburst_blocks.h>

#define CASCADING NETBURST_SDM ", Cascading Counters"

/* Checks that, with this bit in y's CCCR, the overflow of x starts y as the manual says.
 * This is a whole test. */
void cascade_check(struct test_ctx *t, unsigned x, unsigned y, uint32_t bit);

/* Checks that every overflow starts the counter's partners and no other counter. sources has a bit
 * for each counter that overflows. */
void cascade_check_partners(struct test_ctx *t, uint32_t sources, uint32_t bit);

/* Returns false if the cascade is only inferred, for use on silicon: the manual's text on counter
 * 16 suggests that counter 15 starts 17 by CASCADE. */
bool cascade_is_certain(unsigned x, unsigned y);

#endif
