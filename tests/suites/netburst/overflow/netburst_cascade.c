/* SPDX-License-Identifier: MIT */
/*
 * Cascading by CCCR bit 30: a counter with CASCADE = 1 and ENABLE = 0 does not count until its
 * partner overflows. When x overflows, y starts, and a third counter counts all of the code: y must
 * have counted as much as x since its overflow.
 */
#include <tests/suites/netburst/overflow/netburst_cascade.h>

#include <arch/cpu/insn.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>

enum { ROUNDS = 300 };

static const char *name_of(unsigned counter)
{
	return netburst_counters[counter].name;
}

bool cascade_is_certain(unsigned x, unsigned y)
{
	return (x != 15 || y != 17) || pmu_is_exact();
}

/* x is enabled, y has these bits, and a witness counts x's event all the time. */
enum { Y, X, WITNESS, THREE };

static unsigned witness_of(unsigned x, unsigned y)
{
	unsigned w = x ^ 1;

	return w == y ? 12 + (y != 13) : w;
}

static void set_up(struct block_counter c[THREE], unsigned x, uint64_t missing, unsigned y,
                   uint32_t y_bits)
{
	unsigned w = witness_of(x, y);

	c[Y] = (struct block_counter){ y, UINT64_C(0x1200000000), blocks_cccr(y) | y_bits, 0, 0 };
	c[X] = (struct block_counter){ x, 0 - missing, blocks_cccr(x) | CCCR_ENABLE, 0, 0 };
	c[WITNESS] = (struct block_counter){ w, 0, blocks_cccr(w) | CCCR_ENABLE, 0, 0 };
}

/* x goes on from 0; y must have counted as much as x then holds. */
static void expect_started(struct test_ctx *t, const struct block_counter c[THREE],
                           uint64_t missing)
{
	uint64_t since = c[X].value, got = blocks_count(&c[Y]);

	expect_exact(t, "OVF of the first counter", c[X].cccr_after >> 31, 1, "it overflowed");
	expect_same(t, "first counter", since, c[WITNESS].value - missing,
	            netburst_counters[c[X].counter].block == NETBURST_BPU ? WINDOW_EDGES : 0,
	            "after its overflow it goes on from 0");
	if (!cascade_is_certain(c[X].counter, c[Y].counter)) {
		test_report(t, "cascaded counter", "%" PRId64 " of %" PRId64, got, since);
		return;
	}
	expect_bounds(t, "cascaded counter", got,
	              if_exact(since, "it counts from the event after the one that overflowed "
	                       "the first counter"),
	              else_in(1, since + WINDOW_EDGES, "low: it was started; high: it did not "
	                      "count before the overflow"));
	if (got != since)
		test_report(t, "late by", "%d events", (int)(since - got));
}

static void check_starts(struct test_ctx *t, unsigned x, unsigned y, uint32_t bit)
{
	static const uint16_t missing[] = { 1, 2, 100, 299 };

	for (unsigned i = 0; i < COUNT_OF(missing); i++) {
		struct block_counter c[THREE];

		set_up(c, x, missing[i], y, bit);
		blocks_run(c, THREE, ROUNDS);
		test_sub(t, "%s overflows by event %u", name_of(x), missing[i]);
		expect_started(t, c, missing[i]);
	}
}

/* Checks that y does not count without an overflow, or without the bit. */
static void check_still(struct test_ctx *t, unsigned x, unsigned y, uint32_t bit)
{
	struct block_counter c[THREE];

	set_up(c, x, UINT64_C(1) << 30, y, bit);
	blocks_run(c, THREE, ROUNDS);
	test_sub(t, "%s does not overflow", name_of(x));
	expect_exact(t, "cascaded counter", blocks_count(&c[Y]), 0, "nothing has started it");
	set_up(c, x, 10, y, 0);
	blocks_run(c, THREE, ROUNDS);
	test_sub(t, "%s overflows", name_of(x));
	expect_exact(t, "counter without ENABLE and cascading", blocks_count(&c[Y]), 0,
	             "no bit of its CCCR lets it count");
}

static void check_enabled(struct test_ctx *t, unsigned x, unsigned y)
{
	struct block_counter c[THREE];

	set_up(c, x, 100, y, CCCR_CASCADE | CCCR_ENABLE);
	blocks_run(c, THREE, ROUNDS);
	test_sub(t, "CASCADE and ENABLE");
	expect_same(t, "second counter", blocks_count(&c[Y]), c[WITNESS].value,
	            netburst_counters[y].block == NETBURST_BPU ? WINDOW_EDGES : 0,
	            "with ENABLE = 1 it counts at once, not from the overflow on");
}

/* Both counters overflow, and both set OVF. */
static void check_both_overflow(struct test_ctx *t, unsigned x, unsigned y, uint32_t bit)
{
	struct block_counter c[THREE];
	uint64_t want;

	set_up(c, x, 10, y, bit);
	c[Y].start = 0 - UINT64_C(20);
	blocks_run(c, THREE, ROUNDS);
	want = c[X].value - 20;
	test_sub(t, "%s overflows 20 events after %s", name_of(y), name_of(x));
	expect_exact(t, "OVF of both", c[Y].cccr_after >> 31 | c[X].cccr_after >> 31 << 1, 3,
	             "each has overflowed");
	expect_bounds(t, "cascaded counter", c[Y].value,
	              if_exact(want, "it goes on from 0"), ELSE_NOTHING);
}

/* The cascade ends with the bit, or with OVF of the first counter. Code runs before and after. */
static void check_stops(struct test_ctx *t, unsigned x, unsigned y, uint32_t bit, bool is_ovf)
{
	struct block_counter c[THREE];
	uint64_t before, still;

	set_up(c, x, 10, y, bit);
	blocks_program(c, THREE);
	blocks_code(ROUNDS, 0);
	before = msr_read(MSR_COUNTER(y));
	if (is_ovf)
		msr_write(MSR_CCCR(x), c[X].cccr);
	else
		msr_write(MSR_CCCR(y), c[Y].cccr & ~bit);
	still = msr_read(MSR_COUNTER(y));
	blocks_code(ROUNDS, 0);
	blocks_read(c, THREE);
	test_sub(t, "%s", is_ovf ? "OVF of the first counter cleared" : "cascading bit cleared");
	expect_between(t, "counts before", before - c[Y].start, 1, UINT32_MAX,
	               "low: it was started; high: far above a loop");
	expect_exact(t, "cascaded counter after it", c[Y].value, still, "this stops it");
}

void cascade_check(struct test_ctx *t, unsigned x, unsigned y, uint32_t bit)
{
	check_starts(t, x, y, bit);
	check_still(t, x, y, bit);
	if (bit == CCCR_CASCADE)
		check_enabled(t, x, y);
	if (!cascade_is_certain(x, y))
		return;
	check_both_overflow(t, x, y, bit);
	check_stops(t, x, y, bit, false);
	check_stops(t, x, y, bit, true);
}

/* ------------------------------------------------------------------------ partners */

static uint32_t partners_of(unsigned y, uint32_t bit)
{
	return bit == CCCR_CASCADE ? netburst_counters[y].cascades_from
	       : netburst_counters[y].extended_from;
}

static void check_partners(struct test_ctx *t, unsigned x, uint32_t bit)
{
	struct block_counter c[NETBURST_COUNTERS];

	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		c[i] = (struct block_counter){ i, 0, blocks_cccr(i), 0, 0 };
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		if (bit == CCCR_CASCADE || netburst_counters[i].extended_name)
			c[i].cccr |= bit;
	c[x].cccr = blocks_cccr(x) | CCCR_ENABLE;
	c[x].start = 0 - UINT64_C(10);
	blocks_run(c, NETBURST_COUNTERS, ROUNDS);
	test_sub(t, "%s overflows", name_of(x));
	for (unsigned y = 0; y < NETBURST_COUNTERS; y++) {
		if (y == x || !cascade_is_certain(x, y))
			continue;
		if (partners_of(y, bit) >> x & 1)
			expect_between(t, name_of(y), c[y].value, 1, c[x].value + WINDOW_EDGES,
			               "low: this counter starts it; high: it does "
			               "not count before");
		else
			expect_exact(t, name_of(y), c[y].value, 0,
			             "another counter alone starts it");
	}
}

void cascade_check_partners(struct test_ctx *t, uint32_t sources, uint32_t bit)
{
	for (unsigned x = 0; x < NETBURST_COUNTERS; x++)
		if (sources >> x & 1)
			check_partners(t, x, bit);
}

static void relation(struct test_ctx *t, unsigned x, unsigned y)
{
	cascade_check(t, x, y, CCCR_CASCADE);
}

#define RELATION(x, y) \
	TEST(from_##x##_to_##y, .id = "netburst.cascade.c" #x "_to_c" #y, \
	     .needs = need_netburst_modes, .source = CASCADING, \
	     .claim = "with CASCADE the second counter starts exactly at the first one's " \
	              "overflow, and counts until CASCADE or that OVF is cleared") \
	{ relation(t, x, y); }

RELATION(0, 2)
RELATION(2, 0)
RELATION(1, 3)
RELATION(3, 1)
RELATION(4, 6)
RELATION(6, 4)
RELATION(5, 7)
RELATION(7, 5)
RELATION(8, 10)
RELATION(10, 8)
RELATION(9, 11)
RELATION(11, 9)
RELATION(12, 14)
RELATION(14, 12)
RELATION(13, 15)
RELATION(15, 13)
RELATION(14, 16)
RELATION(15, 17)

#define PARTNERS(name, sources, text) \
	TEST(partners_##name, .id = "netburst.cascade.partners." #name, \
	     .needs = need_netburst_modes, .source = CASCADING, .claim = text) \
	{ cascade_check_partners(t, sources, CCCR_CASCADE); }

#define PARTNERS_TEXT "an overflow starts its partner in the other pair and no other counter"

PARTNERS(bpu, FIELD(3, 0), PARTNERS_TEXT)
PARTNERS(ms, FIELD(7, 4), PARTNERS_TEXT)
PARTNERS(flame, FIELD(11, 8), PARTNERS_TEXT)
PARTNERS(iq, FIELD(15, 12), PARTNERS_TEXT)
PARTNERS(iq4_iq5, FIELD(17, 16),
         "counters 16 and 17 start no counter by CASCADE, not even 14 or 15")

/* ------------------------------------------------------------------------ in all blocks */

TEST(all_blocks, .id = "netburst.cascade.all_blocks", .needs = need_netburst_modes,
     .source = CASCADING, .claim = "cascades in all four blocks work at the same time")
{
	static const uint8_t pairs[][2] = { { 0, 2 }, { 7, 5 }, { 8, 10 }, { 15, 13 } };
	static const char why[] = "it counts from the overflow on, which the other counter shows";
	struct block_counter c[2 * COUNT_OF(pairs)];

	for (unsigned i = 0; i < COUNT_OF(pairs); i++) {
		unsigned x = pairs[i][0], y = pairs[i][1];

		c[2 * i] = (struct block_counter){ y, 0, blocks_cccr(y) | CCCR_CASCADE, 0, 0 };
		c[2 * i + 1] = (struct block_counter){ x, 0 - UINT64_C(50) * (i + 1),
		                                       blocks_cccr(x) | CCCR_ENABLE, 0, 0 };
	}
	blocks_run(c, COUNT_OF(c), ROUNDS);
	for (unsigned i = 0; i < COUNT_OF(pairs); i++) {
		test_sub(t, "%s, started by %s", name_of(pairs[i][1]), name_of(pairs[i][0]));
		expect_bounds(t, "counts", c[2 * i].value, if_exact(c[2 * i + 1].value, why),
		              else_in(1, c[2 * i + 1].value + WINDOW_EDGES, why));
	}
}

/* The manual does not say whether the flag or its change starts the counter. */
TEST(late, .id = "netburst.cascade.late", .needs = need_netburst_modes,
     .source = CASCADING,
     .claim = "CASCADE that is set after the overflow does not change the first counter")
{
	struct block_counter c[THREE];

	set_up(c, 12, 10, 14, 0);
	blocks_program(c, THREE);
	blocks_code(ROUNDS, 0);
	msr_write(MSR_CCCR(14), c[Y].cccr | CCCR_CASCADE);
	blocks_code(ROUNDS, 0);
	blocks_read(c, THREE);
	expect_exact(t, name_of(12), c[X].value, c[WITNESS].value - 10, "it goes on from 0");
	test_report(t, name_of(14), "%" PRId64 " counts", blocks_count(&c[Y]));
}
