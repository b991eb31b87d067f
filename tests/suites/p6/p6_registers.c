/* SPDX-License-Identifier: MIT */
/*
 * PerfEvtSel0, 1 and PerfCtr0, 1 as registers: these tests check which bits hold, what a write
 * keeps, and which registers it changes. Nothing counts here except where readings of a counter are
 * compared.
 */
#include <tests/suites/p6/p6_suite.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/rings.h>
#include <tests/suites/common/needs.h>

/* Returns the bits to which the manual gives a meaning; EN has one in PerfEvtSel0 only. */
static uint64_t defined_bits(unsigned x)
{
	return FIELD(31, 0) & ~PerfEvtSel_RESERVED_21 & ~(x ? PerfEvtSel_EN : 0);
}

static uint64_t read_or_0(uint32_t msr)
{
	uint64_t got = 0;

	msr_try_read(msr, &got);
	return got;
}

/* The other bits are tried and reported: no manual says what a write of them does. */
static void report_others(struct test_ctx *t, unsigned x)
{
	uint64_t held = 0, refused = 0;

	for (unsigned bit = 0; bit < 64; bit++) {
		if (defined_bits(x) & BIT(bit))
			continue;
		if (is_fault(msr_try_write(PerfEvtSel(x), BIT(bit))))
			refused |= BIT(bit);
		else
			held |= read_or_0(PerfEvtSel(x)) & BIT(bit);
		msr_write(PerfEvtSel(x), 0);
	}
	test_report(t, "bits not judged", "held %" PRIX64 "H, refused %" PRIX64 "H", held, refused);
}

static void check_select(struct test_ctx *t, unsigned x)
{
	for (unsigned bit = 0; bit < 32; bit++) {
		if (!(defined_bits(x) & BIT(bit)))
			continue;
		test_sub(t, "PerfEvtSel%u[%u]", x, bit);
		if (expect_no_fault(t, "WRMSR of this bit alone",
		                    msr_try_write(PerfEvtSel(x), BIT(bit)), P6_SDM))
			expect_exact(t, "read back", read_or_0(PerfEvtSel(x)), BIT(bit),
			             "the bit is defined, and no other was written");
	}
	test_sub(t, "PerfEvtSel%u", x);
	msr_write(PerfEvtSel(x), 0);
	expect_exact(t, "read back after 0", read_or_0(PerfEvtSel(x)), 0, "no bit stays set");
	report_others(t, x);
}

TEST(perfevtsel, .id = "p6.registers.perfevtsel", .is_static = true, .needs = need_p6,
     .source = P6_SDM ", PerfEvtSel0 and PerfEvtSel1",
     .claim = "every bit of PerfEvtSel0 and 1 that has a meaning holds what is written")
{
	for (unsigned x = 0; x < P6_COUNTERS; x++)
		check_select(t, x);
	/* Together they would count, so USR and OS are left out. */
	for (unsigned x = 0; x < P6_COUNTERS; x++) {
		uint64_t all = defined_bits(x) & ~(PerfEvtSel_USR | PerfEvtSel_OS);

		msr_write(PerfEvtSel(x), all);
		test_sub(t, "PerfEvtSel%u", x);
		expect_exact(t, "all defined bits except USR and OS", read_or_0(PerfEvtSel(x)), all,
		             "all of them were written");
		msr_write(PerfEvtSel(x), 0);
	}
}

TEST(independent, .id = "p6.registers.independent", .is_static = true, .needs = need_p6,
     .source = P6_SDM ", the registers' addresses",
     .claim = "the two controls and the two counters are four registers")
{
	static const struct { const char *name; uint32_t msr; uint32_t value; } all[] = {
		{ "PerfEvtSel0", PerfEvtSel(0), 0x1204d243 },
		{ "PerfEvtSel1", PerfEvtSel(1), 0x34882e79 },
		{ "PerfCtr0",    PerfCtr(0),    0x01234567 },
		{ "PerfCtr1",    PerfCtr(1),    0x76543210 },
	};

	for (unsigned last = 0; last < COUNT_OF(all); last++) {
		pmu_reset();
		for (unsigned i = 1; i <= COUNT_OF(all); i++)
			msr_write(all[(last + i) % COUNT_OF(all)].msr,
			          all[(last + i) % COUNT_OF(all)].value);
		for (unsigned i = 0; i < COUNT_OF(all); i++) {
			test_sub(t, "%s, %s written last", all[i].name, all[last].name);
			expect_exact(t, "read back", read_or_0(all[i].msr), all[i].value,
			             "each is a register of its own");
		}
	}
}

/* Bits 63:32 are ignored. */
static const uint64_t values[] = {
	0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x40000000, 0xc0000000,
	0x12345678aaaaaaaa, 0xffffffff00000001, 0xdeadbeef7fffffff, 0x0000ffff80000001,
	0x000000ff00000000, 0x0000000100000000, 0x000000ff55555555,
};

TEST(counter_write, .id = "p6.registers.counter_write", .is_static = true, .needs = need_p6,
     .source = P6_SDM ", PerfCtr0 and PerfCtr1: a write takes bits 31:0 and sign-extends them",
     .claim = "a write of a counter takes 32 bits and fills bits 39:32 with copies of bit 31")
{
	for (unsigned x = 0; x < P6_COUNTERS; x++) {
		for (unsigned i = 0; i < COUNT_OF(values); i++) {
			test_sub(t, "PerfCtr%u written with %" PRIX64 "H", x, values[i]);
			/* All bits are set, or clear, before: the write must replace each. */
			msr_write(PerfCtr(x), p6_extended(values[i]) >> 32 ? 0 : UINT32_MAX);
			expect_no_fault(t, "WRMSR", msr_try_write(PerfCtr(x), values[i]),
			                "EDX is ignored");
			expect_exact(t, "read back", read_or_0(PerfCtr(x)), p6_extended(values[i]),
			             "EAX, and its bit 31 in bits 39:32; the bits above are 0");
		}
	}
}

/* Writes base with a bit of the upper half; returns whether that was refused. */
static bool check_high_bit(struct test_ctx *t, unsigned x, unsigned bit)
{
	const uint64_t base = P6_BRANCHES | PerfEvtSel_OS | PerfEvtSel_E;
	const uint64_t other = P6_INSTRUCTIONS | PerfEvtSel_USR;
	fault_t fault;

	msr_write(PerfEvtSel(x), base);
	msr_write(PerfEvtSel(!x), other);
	fault = msr_try_write(PerfEvtSel(x), (base ^ 0x0f00) | BIT(bit));
	test_sub(t, "PerfEvtSel%u[%u] written", x, bit);
	if (is_fault(fault))
		expect_exact(t, "the register", read_or_0(PerfEvtSel(x)), base,
		             "a WRMSR that faults writes nothing");
	else
		expect_bits(t, "bits 31:0 of the register", read_or_0(PerfEvtSel(x)), UINT32_MAX,
		            base ^ 0x0f00, "they were written with the bit");
	expect_exact(t, "the other PerfEvtSel", read_or_0(PerfEvtSel(!x)), other,
	             "each is a register of its own");
	return is_fault(fault);
}

TEST(high_half, .id = "p6.registers.perfevtsel_high", .is_static = true, .needs = need_p6,
     .source = P6_SDM ", PerfEvtSel0 and PerfEvtSel1; SDM 2B, WRMSR",
     .claim = "a write with one of bits 63:32 of PerfEvtSel writes bits 31:0, or faults and writes "
              "nothing (which of the two is reported)")
{
	uint64_t refused;

	for (unsigned x = 0; x < P6_COUNTERS; x++) {
		refused = 0;
		for (unsigned bit = 32; bit < 64; bit++)
			if (check_high_bit(t, x, bit))
				refused |= BIT(bit);
		test_sub(t, "PerfEvtSel%u", x);
		test_report(t, "bits of 63:32 that raise #GP", "%" PRIX64 "H", refused);
		pmu_reset();
	}
}

static const uint32_t held[] = { 0, 1, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff };

TEST(hold, .id = "p6.registers.hold", .needs = need_p6, .source = P6_SDM ", EN",
     .claim = "stopped counters keep their values, even with a programmed event")
{
	for (unsigned i = 0; i < COUNT_OF(held); i++) {
		for (unsigned x = 0; x < P6_COUNTERS; x++) {
			msr_write(PerfEvtSel(x), P6_INSTRUCTIONS | PerfEvtSel_USR | PerfEvtSel_OS);
			msr_write(PerfCtr(x), held[i] ^ x);
		}
		workload_loop.code(1000, 0);
		for (unsigned x = 0; x < P6_COUNTERS; x++) {
			test_sub(t, "PerfCtr%u", x);
			expect_exact(t, "after a loop with EN = 0", read_or_0(PerfCtr(x)),
			             p6_extended(held[i] ^ x), "EN = 0, so nothing counts");
		}
	}
}

static void check_rdpmc(struct test_ctx *t, unsigned x, const char *when)
{
	uint64_t by_rdmsr = read_or_0(PerfCtr(x)), by_rdpmc = 0;

	test_sub(t, "PerfCtr%u %s", x, when);
	if (expect_no_fault(t, "RDPMC", pmc_try_read(x, &by_rdpmc), "the counter exists"))
		expect_exact(t, "RDPMC", by_rdpmc, by_rdmsr,
		             "both read 40 bits of the same counter, and 0 above them");
}

TEST(rdpmc, .id = "p6.registers.rdpmc", .is_static = true,
     .needs = need_p6, .source = "SDM 2B, RDPMC",
     .claim = "RDPMC with ECX = 0 and 1 reads what RDMSR reads of PerfCtr0 and 1")
{
	struct pmu_setup both[] = { p6_setup(0, P6_INSTRUCTIONS, 0), p6_setup(1, P6_BRANCHES, 0) };

	for (unsigned i = 0; i < COUNT_OF(held); i++) {
		for (unsigned x = 0; x < P6_COUNTERS; x++)
			msr_write(PerfCtr(x), held[i] ^ x);
		for (unsigned x = 0; x < P6_COUNTERS; x++)
			check_rdpmc(t, x, "after a write");
	}
	both[0].start = 0 - UINT64_C(100);
	both[1].start = 0x7ffffff0;
	pmu_measure(both, 2, &workload_loop, 1000, 0);
	for (unsigned x = 0; x < P6_COUNTERS; x++)
		check_rdpmc(t, x, "after it counted");
}

TEST(rdpmc_user, .id = "p6.registers.rdpmc_user", .is_static = true,
     .needs = need_p6_modes, .source = "SDM 2B, RDPMC",
     .claim = "with CR4.PCE = 1 each index of RDPMC reads its own counter at every level")
{ rings_check_rdpmc(t); }
