/* SPDX-License-Identifier: MIT */
/*
 * COMPARE, COMPLEMENT, THRESHOLD and EDGE of each of the 18 counters, each with its block's event
 * at CPL 3; netburst_filter.c has what they count on one counter of each block.
 */
#include <tests/suites/netburst/netburst_blocks.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>

enum { ROUNDS = 200 };

/* The most: no count, an edge or two, the events without a filter, or a second's clocks. */
enum most { NOTHING, FEW, EVENTS, CLOCKS };
static const struct filter { const char *what; uint32_t bits, least; enum most most; } filters[] = {
	{ "COMPARE", (uint32_t)CCCR_COMPARE, 1, EVENTS },
	{ "COMPARE, EDGE", (uint32_t)(CCCR_COMPARE | CCCR_EDGE), 1, EVENTS },
	{ "COMPARE, THRESHOLD = 15", (uint32_t)(CCCR_COMPARE | CCCR_THRESHOLD), 0, NOTHING },
	{ "COMPARE, THRESHOLD = 15, COMPLEMENT",
	  (uint32_t)(CCCR_COMPARE | CCCR_THRESHOLD | CCCR_COMPLEMENT), ROUNDS, CLOCKS },
	{ "COMPARE, THRESHOLD = 15, COMPLEMENT, EDGE",
	  (uint32_t)(CCCR_COMPARE | CCCR_THRESHOLD | CCCR_COMPLEMENT | CCCR_EDGE), 0, FEW },
};

/* Returns the first counter of the block of counter x. */
static unsigned first_of(unsigned x)
{
	while (x && netburst_counters[x - 1].block == netburst_counters[x].block)
		x--;
	return x;
}

/* Returns the count with this filter, and without one in the same window, on another counter of the
 * block: equal code takes other clocks. */
struct two { uint64_t filtered, all; };

static struct two count(unsigned x, uint32_t filter)
{
	const unsigned other = first_of(x) == x ? x + 1 : first_of(x);
	struct block_counter c[] = {
		{ .counter = x, .cccr = blocks_cccr(x) | filter | (uint32_t)CCCR_ENABLE },
		{ .counter = other, .cccr = blocks_cccr(other) | (uint32_t)CCCR_ENABLE },
	};

	blocks_run(c, COUNT_OF(c), ROUNDS);
	return (struct two){ blocks_count(&c[0]), blocks_count(&c[1]) };
}

static uint64_t bound(enum most most, uint64_t events)
{
	return most == NOTHING ? 0 : most == FEW ? 2 : most == CLOCKS ? UINT32_MAX : events;
}

/* Clocks are also those of the code that starts and stops the counter, at other addresses. */
static struct bounds exactly(const struct filter *f, uint64_t of_first)
{
	const uint64_t slack = f->most == CLOCKS ? of_first / 2 : 0;

	return if_exact_in(of_first - slack, of_first + slack,
	                   "low and high: the block's first counter counts the same event of the "
	                   "same code, and clocks of the kernel's, which differ");
}

TEST(each, .id = "netburst.filter.each_counter", .needs = need_netburst_modes,
     .runs = TEST_ON_BOOT, .source = "SDM 3B, \"Filtering Events\"",
     .claim = "a filter counts the same on every counter of a block")
{
	for (unsigned i = 0; i < COUNT_OF(filters); i++)
		for (unsigned x = 0; x < NETBURST_COUNTERS; x++) {
			const struct filter *f = &filters[i];
			const uint64_t want = count(first_of(x), f->bits).filtered;
			const struct two got = count(x, f->bits);

			test_sub(t, "%s", f->what);
			expect_bounds(t, netburst_counters[x].name, got.filtered, exactly(f, want),
			              else_in(f->least, bound(f->most, got.all),
			                      "low: the condition holds that often; high: all "
			                      "clocks or events, or a condition that does not "
			                      "change"));
		}
}
