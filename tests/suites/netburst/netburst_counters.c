/* SPDX-License-Identifier: MIT */
/*
 * The 18 counters at work: what starts them and what does not, 40 bits from the first to the wrap,
 * and writes. The other counter of a pair, which counts the same, gives the right count.
 */
#include <tests/suites/netburst/netburst_blocks.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>

enum { ROUNDS = 300 };

/* Returns a distinct value for each counter. */
static uint64_t held_value(unsigned c)
{
	return UINT64_C(0x5500000000) * (c & 1) + 0x7ffffff0 + c;
}

static void check_held(struct test_ctx *t, uint32_t cccr, bool has_select, const char *why)
{
	pmu_reset();
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++) {
		msr_write(MSR_COUNTER(c), held_value(c));
		msr_write(MSR_CCCR(c), cccr | (has_select ? blocks_cccr(c) : 0));
	}
	for (unsigned c = 0; c < NETBURST_COUNTERS && !(cccr & CCCR_ENABLE); c++) {
		uint32_t msr, value = blocks_escr(c, &msr);

		msr_write(msr, value);
	}
	blocks_code(ROUNDS, 0);
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++)
		expect_exact(t, netburst_counters[c].name, msr_read(MSR_COUNTER(c)), held_value(c),
		             why);
	pmu_reset();
}

TEST(escr_starts_nothing, .id = "netburst.registers.escr_starts_nothing", .is_static = true,
     .needs = need_netburst_modes, .source = REGISTERS,
     .claim = "writing the ESCRs starts no counter")
{
	check_held(t, 0, false, "its CCCR has ENABLE = 0");
}

TEST(hold, .id = "netburst.registers.hold", .is_static = true,
     .needs = need_netburst_modes, .source = REGISTERS,
     .claim = "counters with a selected event and ENABLE = 0 keep their values")
{
	check_held(t, 0, true, "ENABLE = 0");
}

TEST(null_event, .id = "netburst.registers.null_event", .is_static = true,
     .needs = need_netburst_modes,
     .source = REGISTERS,
     .claim = "counters with ENABLE = 1 whose ESCRs are 0 keep their values")
{
	check_held(t, CCCR_ENABLE, true, "its ESCR is 0, so it selects no event and no "
	                                 "level of privilege");
}

/* ------------------------------------------------------------------------ counting */

/* Counts from start, while the partner counts from 0: both count the same. */
static uint64_t check_from(struct test_ctx *t, unsigned c, uint64_t start)
{
	struct block_counter two[] = {
		{ .counter = c, .start = start, .cccr = blocks_cccr(c) | CCCR_ENABLE },
		{ .counter = c ^ 1, .cccr = blocks_cccr(c ^ 1) | CCCR_ENABLE },
	};

	blocks_run(two, 2, ROUNDS);
	test_sub(t, "%s from %" PRIX64 "H", netburst_counters[c].name,
	         start & NETBURST_COUNTER_VALUE);
	expect_between(t, "counts of its pair's other counter", two[1].value, ROUNDS,
	               1000 * ROUNDS, "low: an event a round; high: 1000 cycles of each");
	expect_same(t, "value", two[0].value, (start + two[1].value) & NETBURST_COUNTER_VALUE,
	            netburst_counters[c].block == NETBURST_BPU ? WINDOW_EDGES : 0,
	            "the other counter of its pair counts the same event of the same ESCR");
	expect_exact(t, "OVF", two[0].cccr_after >> 31,
	             (start & NETBURST_COUNTER_VALUE) + two[1].value > NETBURST_COUNTER_VALUE,
	             "1 if the 40 bits have wrapped");
	return two[1].value;
}

/* Erratum O9 of the Xeon MP: a counter that stops right after the carry loses it. So the last event
 * makes the carry, where the machine repeats itself, and others near it. */
static void check_carry(struct test_ctx *t, unsigned bit)
{
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++) {
		uint64_t total = check_from(t, c, 0);

		for (unsigned i = 0; i < 3; i++)
			check_from(t, c, BIT(bit) - total + 1 - i);
		check_from(t, c, BIT(bit) - ROUNDS / 2);
	}
}

TEST(carry_32, .id = "netburst.registers.carry_32", .is_static = true,
     .needs = need_netburst_modes,
     .source = REGISTERS,
     .claim = "a count carries from bit 31 into bit 32, wherever it ends")
{ check_carry(t, 32); }

TEST(wrap, .id = "netburst.registers.wrap", .is_static = true, .needs = need_netburst_modes,
     .source = REGISTERS,
     .claim = "a counter wraps to 0 after 40 bits, which sets OVF, and goes on")
{ check_carry(t, 40); }

/* ------------------------------------------------------------------------ writes */

/* Erratum O8 of the Xeon MP: a value written under an active event may be 2^32 too high. */
static const uint64_t written[] = { 0, 0xfffffff0, 0xffffffff, 0x100000000, 0xfeffffffff };

TEST(write_selected, .id = "netburst.registers.write_selected", .is_static = true,
     .needs = need_netburst,
     .source = REGISTERS,
     .claim = "a stopped counter whose ESCR has an active event holds the value that is written")
{
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++) {
		uint32_t msr, escr = blocks_escr(c, &msr);

		msr_write(msr, escr | netburst_qualifiers(netburst_thread(), PMU_BOTH));
		msr_write(MSR_CCCR(c), blocks_cccr(c));
		for (unsigned i = 0; i < COUNT_OF(written); i++) {
			test_sub(t, "%s written with %" PRIX64 "H", netburst_counters[c].name,
			         written[i]);
			msr_write(MSR_COUNTER(c), written[i]);
			expect_exact(t, "read back", msr_read(MSR_COUNTER(c)), written[i],
			             "its CCCR has ENABLE = 0");
		}
		pmu_reset();
	}
}

TEST(write_running, .id = "netburst.registers.write_running", .is_static = true,
     .needs = need_netburst,
     .source = REGISTERS,
     .claim = "a write of a counter that runs takes effect, in all 40 bits")
{
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++) {
		struct netburst_use use;
		struct pmu_setup clock = netburst_clock_setup(&use, c);

		pmu_program(&clock, 1);
		msr_write(use.escr->msr, use.escr_value);
		msr_write(MSR_CCCR(c), use.cccr_value | CCCR_ENABLE);
		for (unsigned i = 0; i < COUNT_OF(written); i++) {
			test_sub(t, "%s written with %" PRIX64 "H", netburst_counters[c].name,
			         written[i]);
			msr_write(MSR_COUNTER(c), written[i]);
			expect_between(t, "read at once", msr_read(MSR_COUNTER(c)) - written[i], 0,
			               1000000, "low: it counts up; high: clocks of two "
			               "instructions, with room for an SMI");
		}
		pmu_reset();
	}
}

/* One of the code's first events overflows the counter; then OVF is tried against what clears it
 * and what does not. */
TEST(ovf_clear, .id = "netburst.registers.ovf_clear", .is_static = true,
     .needs = need_netburst_modes,
     .source = REGISTERS,
     .claim = "a write of 0 clears OVF of each counter; reads do not, nor does a write of the "
              "counter or the ESCR")
{
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++) {
		uint32_t msr, on = blocks_cccr(c) | CCCR_ENABLE;
		struct block_counter one = { .counter = c, .start = 0 - UINT64_C(5), .cccr = on };
		uint64_t value;

		blocks_program(&one, 1);
		blocks_code(ROUNDS, 0);
		blocks_escr(c, &msr);
		msr_write(msr, 0);
		pmc_try_read(c, &value);
		msr_write(MSR_COUNTER(c), 0);
		test_sub(t, "%s", netburst_counters[c].cccr_name);
		expect_exact(t, "after reads, and writes of counter and ESCR",
		             msr_read(MSR_CCCR(c)), on | CCCR_OVF, "OVF is sticky");
		msr_write(MSR_CCCR(c), on);
		expect_exact(t, "after a write with OVF = 0", msr_read(MSR_CCCR(c)), on,
		             "software clears it");
		pmu_reset();
	}
}
