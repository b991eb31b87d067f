/* SPDX-License-Identifier: MIT */
/*
 * Extended cascading, bit 11 of the CCCRs of counters 12, 15, 16 and 17 from model 2 on: with it
 * counters 16 and 17 start others.
 */
#include <tests/suites/netburst/overflow/netburst_cascade.h>

#include <arch/cpu/insn.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/exactness.h>

#define EXTENDED NETBURST_SDM ", EXTENDED CASCADING"

#define RELATION(x, y) \
	TEST(from_##x##_to_##y, .id = "netburst.extended.c" #x "_to_c" #y, \
	     .needs = need_netburst_extended_modes, .source = EXTENDED, \
	     .claim = "with CASCNTxINTOy the second counter starts exactly at the first one's " \
	              "overflow, and counts until that bit or that OVF is cleared") \
	{ cascade_check(t, x, y, CCCR_CASCNT_INTO); }

static NEED_BOTH(need_netburst_extended_modes, need_netburst_extended, need_modes)

RELATION(16, 12)
RELATION(16, 17)
RELATION(17, 15)
RELATION(17, 16)

TEST(partners, .id = "netburst.extended.partners", .needs = need_netburst_extended_modes,
     .source = EXTENDED,
     .claim = "bit 11 starts a counter at the overflow that its name gives, and at no other")
{
	cascade_check_partners(t, FIELD(17, 0), CCCR_CASCNT_INTO);
}

static uint64_t count_with_bit_11(unsigned x, unsigned y, uint64_t *held)
{
	struct block_counter c[] = {
		{ .counter = y, .cccr = blocks_cccr(y) | CCCR_CASCNT_INTO },
		{ .counter = x, .start = 0 - UINT64_C(10), .cccr = blocks_cccr(x) | CCCR_ENABLE },
	};

	blocks_run(c, 2, 1000);
	*held = c[0].cccr_after & CCCR_CASCNT_INTO;
	return c[0].value;
}

/* Where the bit is reserved no manual says what it does; only the model's behaviour is
 * known, and elsewhere the outcome is reported. The source is each of the two counters that
 * can start others. */
TEST(reserved, .id = "netburst.cascade.bit_11_reserved", .needs = need_netburst_modes,
     .source = EXTENDED,
     .claim = "a CCCR without CASCNTxINTOy can be read after a write of bit 11 (reported)")
{
	for (unsigned y = 0; y < NETBURST_COUNTERS; y++) {
		uint64_t held, by_16, by_17;

		if (netburst_counters[y].extended_name && netburst_has_extended_cascading())
			continue;
		by_16 = y == 16 ? 0 : count_with_bit_11(16, y, &held);
		by_17 = y == 17 ? 0 : count_with_bit_11(17, y, &held);
		expect_bounds(t, netburst_counters[y].cccr_name, by_16 + by_17 + held,
		              if_exact(0, "the model ignores a reserved bit, and nothing cascades"),
		              ELSE_NOTHING);
		if (by_16 || by_17 || held || y == 12)
			test_report(t, netburst_counters[y].cccr_name,
			            "bit 11 %s; counts by 16: %" PRIu64 ", by 17: %" PRIu64,
			            held ? "holds" : "does not hold", by_16, by_17);
	}
	msr_write(MSR_CCCR(13), CCCR_ACTIVE_THREAD | CCCR_CASCNT_INTO);
	expect_bits(t, "MSR_IQ_CCCR1 after a write of bit 11", msr_read(MSR_CCCR(13)),
	            CCCR_ACTIVE_THREAD, CCCR_ACTIVE_THREAD,
	            "the defined bits were written as well");
	pmu_reset();
}
