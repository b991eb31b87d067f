/* SPDX-License-Identifier: MIT */
/*
 * Checks a counter with its enables in all combinations: it counts a loop at CPL 0 and one at CPL 3
 * where the bits say so, and else stands still. The bits are a generation's own.
 */
#ifndef TESTS_SUITES_COMMON_COUNTS_ENABLES_H
#define TESTS_SUITES_COMMON_COUNTS_ENABLES_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/run/test.h>

enum { ENABLES_MAX = 5, ENABLES_ROUNDS = 2000 };

struct enables {
	const char *names[ENABLES_MAX];        /* of the bits of a combination, from bit 0 on */
	unsigned count;
	/* Programs the counter, which is 0, with these bits. */
	void (*write)(unsigned counter, unsigned bits);
	/* Returns at which levels it then counts: PMU_OS, PMU_USR. */
	unsigned (*levels)(unsigned counter, unsigned bits);
	bool counts_insns;             /* else clocks or slots */
};

/* Returns a value if the bit of a combination is set, else 0. */
static inline uint64_t enables_if(unsigned bits, unsigned bit, uint64_t value)
{
	return bits >> bit & 1 ? value : 0;
}

void expect_enables(struct test_ctx *t, unsigned counter, const struct enables *e);

#define ENABLES_CLAIM \
	"a counter counts at the levels that its enables say, in all combinations of them and INT"

#endif
