/* SPDX-License-Identifier: MIT */
/*
 * CESR, CTR0 and CTR1 as registers: these tests check which bits hold, how wide the counters are,
 * and which registers a write changes. The manual does not say what a write of CESR's reserved bits
 * does, and of a counter's bits above 39 only that they do not exist: writes of these are tried and
 * reported.
 */
#include <tests/suites/p5/p5_suite.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/absent_msrs.h>
#include <tests/suites/common/counts/rings.h>
#include <tests/suites/common/needs.h>

#define CESR_DEFINED  (CESR_ES0 | CESR_CC0 | CESR_PC0 | CESR_ES1 | CESR_CC1 | CESR_PC1)

static uint64_t read_or_0(uint32_t msr)
{
	uint64_t got = 0;

	msr_try_read(msr, &got);
	return got;
}

static void report_reserved(struct test_ctx *t)
{
	uint64_t held = 0, refused = 0;

	for (unsigned bit = 0; bit < 64; bit++) {
		if (CESR_DEFINED & BIT(bit))
			continue;
		if (is_fault(msr_try_write(CESR, BIT(bit))))
			refused |= BIT(bit);
		else
			held |= read_or_0(CESR) & BIT(bit);
		msr_write(CESR, 0);
	}
	test_report(t, "reserved bits", "held %" PRIX64 "H, refused %" PRIX64 "H", held, refused);
}

TEST(cesr, .id = "p5.registers.cesr", .is_static = true,
     .needs = need_p5, .source = P5_SDM ", CESR",
     .claim = "every defined bit of CESR holds what is written")
{
	for (unsigned bit = 0; bit < 32; bit++) {
		if (!(CESR_DEFINED & BIT(bit)))
			continue;
		test_sub(t, "CESR[%u]", bit);
		if (expect_no_fault(t, "WRMSR of this bit alone", msr_try_write(CESR, BIT(bit)),
		                    "the bit is defined"))
			expect_exact(t, "read back", read_or_0(CESR), BIT(bit),
			             "the bit is defined, and no other was written");
	}
	test_sub(t, "CESR");
	msr_write(CESR, CESR_DEFINED);
	expect_exact(t, "all defined bits", read_or_0(CESR), CESR_DEFINED, "all were written");
	msr_write(CESR, 0);
	expect_exact(t, "read back after 0", read_or_0(CESR), 0, "no bit stays set");
	report_reserved(t);
}

TEST(halves, .id = "p5.registers.halves", .is_static = true,
     .needs = need_p5, .source = P5_SDM ", CESR",
     .claim = "each half of CESR holds what was written to it")
{
	/* These have no CC, so nothing counts. */
	static const uint32_t values[] = { 0x0000002a, 0x002a0000, 0x02150215, 0x0215022a,
	                                   0x003f0000, 0x0000003f };

	for (size_t i = 0; i < COUNT_OF(values); i++) {
		test_sub(t, "CESR written with %08" PRIX32 "H", values[i]);
		msr_write(CESR, values[i]);
		expect_bits(t, "read back", read_or_0(CESR), CESR_DEFINED, values[i],
		            "event, control and pin of each counter are separate");
	}
}

/* The bytes all differ, and each of the 40 bits is set once and clear once. */
static const uint64_t values[] = {
	0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffff, 0x8000000000,
	0xffffffffff, 0x5555555555, 0xaaaaaaaaaa, 0x123456789a, 0xff00000000,
};

TEST(counter_write, .id = "p5.registers.counter_write", .is_static = true, .needs = need_p5,
     .source = P5_SDM ", CTR0 and CTR1: 40 bits",
     .claim = "a counter takes 40 bits as they are and extends none")
{
	for (unsigned x = 0; x < P5_COUNTERS; x++) {
		for (size_t i = 0; i < COUNT_OF(values); i++) {
			test_sub(t, "CTR%u written with %" PRIX64 "H", x, values[i]);
			msr_write(CTR0 + x, ~values[i] & P5_COUNTER_MASK);
			expect_no_fault(t, "WRMSR", msr_try_write(CTR0 + x, values[i]),
			                "the counter has 40 bits");
			expect_exact(t, "read back", read_or_0(CTR0 + x), values[i],
			             "all 40 bits are written, and the bits above are 0");
		}
	}
}

TEST(counter_width, .id = "p5.registers.counter_width", .is_static = true, .needs = need_p5,
     .source = P5_SDM ", CTR0 and CTR1: 40 bits",
     .claim = "a counter has exactly 40 bits")
{
	for (unsigned x = 0; x < P5_COUNTERS; x++) {
		uint64_t refused = 0;

		test_sub(t, "CTR%u", x);
		msr_write(CTR0 + x, P5_COUNTER_MASK);
		expect_exact(t, "all ones in 40 bits", read_or_0(CTR0 + x), P5_COUNTER_MASK,
		             "the counter has all of them");
		for (unsigned bit = 40; bit < 64; bit++) {
			if (is_fault(msr_try_write(CTR0 + x, BIT(bit) | 5))) {
				refused |= BIT(bit);
				continue;
			}
			expect_exact(t, "read back, with a bit above 39 written",
			             read_or_0(CTR0 + x), 5, "the counter has no such bit");
		}
		test_report(t, "bits above 39 refused", "%" PRIX64 "H", refused);
	}
}

TEST(independent, .id = "p5.registers.independent", .is_static = true, .needs = need_p5,
     .source = P5_SDM ", the registers' addresses",
     .claim = "CESR and the two counters are three registers")
{
	static const struct { const char *name; uint32_t msr; uint64_t value; } all[] = {
		{ "CESR", CESR, 0x00150216 }, { "CTR0", CTR0, 0x1234567890 },
		{ "CTR1", CTR1, 0x9876543210 },
	};

	for (size_t last = 0; last < COUNT_OF(all); last++) {
		pmu_reset();
		for (size_t i = 1; i <= COUNT_OF(all); i++)
			msr_write(all[(last + i) % COUNT_OF(all)].msr,
			          all[(last + i) % COUNT_OF(all)].value);
		for (size_t i = 0; i < COUNT_OF(all); i++) {
			test_sub(t, "%s, %s written last", all[i].name, all[last].name);
			expect_exact(t, "read back", read_or_0(all[i].msr), all[i].value,
			             "each is a register of its own");
		}
	}
}

TEST(hold, .id = "p5.registers.hold", .needs = need_p5, .source = P5_SDM ", CC",
     .claim = "stopped counters keep their values, even with a selected event")
{
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		msr_write(CESR, FIELD_PUT(CESR_ES0, P5_EVENT_INSTRUCTIONS)
		                | FIELD_PUT(CESR_ES1, P5_EVENT_INSTRUCTIONS));
		for (unsigned x = 0; x < P5_COUNTERS; x++)
			msr_write(CTR0 + x, values[i] ^ x);
		workload_loop.code(1000, 0);
		for (unsigned x = 0; x < P5_COUNTERS; x++) {
			test_sub(t, "CTR%u", x);
			expect_exact(t, "after a loop with CC = 000", read_or_0(CTR0 + x),
			             values[i] ^ x, "CC = 000, so nothing counts");
		}
	}
}

TEST(rdpmc, .id = "p5.registers.rdpmc", .is_static = true,
     .needs = need_p5_mmx, .source = "SDM 2B, RDPMC",
     .claim = "RDPMC with ECX = 0 and 1 reads what RDMSR reads of CTR0 and CTR1")
{
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		for (unsigned x = 0; x < P5_COUNTERS; x++)
			msr_write(CTR0 + x, values[i] ^ x);
		for (unsigned x = 0; x < P5_COUNTERS; x++) {
			uint64_t got = 0;

			test_sub(t, "CTR%u written with %" PRIX64 "H", x, values[i] ^ x);
			if (expect_no_fault(t, "RDPMC", pmc_try_read(x, &got),
			                    "the counter exists"))
				expect_exact(t, "RDPMC", got, read_or_0(CTR0 + x),
				             "both read the 40 bits of one counter");
		}
	}
}

static NEED_BOTH(need_mmx_and_modes, need_p5_mmx, need_modes)

TEST(rdpmc_user, .id = "p5.registers.rdpmc_user", .is_static = true, .needs = need_mmx_and_modes,
     .source = "SDM 2B, RDPMC",
     .claim = "with CR4.PCE = 1 each index of RDPMC reads its own counter at every level")
{ rings_check_rdpmc(t); }

/* The addresses of counters, controls, branch records and buffers that came after the Pentium. */
static const struct absent_msrs later[] = {
	{ IA32_PMC(0), 4 }, { IA32_PERFEVTSEL(0), 4 }, { IA32_DEBUGCTL, 1 },
	{ IA32_FIXED_CTR(0), 3 }, { IA32_FIXED_CTR_CTRL, 4 }, { IA32_PEBS_ENABLE, 1 },
	{ IA32_A_PMC(0), 2 }, { IA32_DS_AREA, 1 }, { 0, 0 },
};

TEST(others, .id = "p5.registers.others", .is_static = true, .needs = need_p5,
     .source = P5_SDM "; SDM 4, \"MSRs in Pentium Processors\"; SDM 2B, RDMSR",
     .claim = "the Pentium has no register of later PMUs (on silicon, which may have registers "
              "that no manual lists, it is reported)")
{
	judge_absent(t, later, "the Pentium has no such register");
}
