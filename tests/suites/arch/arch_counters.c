/* SPDX-License-Identifier: MIT */
/*
 * The counters as registers: these tests check which bits of a value each address writes, that a
 * write takes effect at once, and that all ways of reading a counter agree.
 */
#include <kernel/run/test.h>

#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <tests/suites/arch/arch_rules.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/silicon/silicon.h>

/* Values written to IA32_PMCx, which ignores bits 63:32. */
static const uint64_t legacy_values[] = {
	0, 1, 0x7fffffff, 0x80000000, 0xffffffff,
	0x12345678aaaaaaaa, 0xffffffff00000001, 0xdeadbeef7fffffff, 0x0000ffff80000001,
};

static uint64_t sign_extended(uint64_t value, unsigned counter)
{
	uint64_t low = value & UINT32_MAX;

	return (low & BIT(31) ? low | ~(uint64_t)UINT32_MAX : low) & arch_counter_max(counter);
}

TEST(legacy, .id = "arch.counters.legacy_write", .is_static = true,
     .needs = need_arch, .source = V1 ", IA32_PMCx",
     .claim = "a write of IA32_PMCx takes 32 bits and fills the counter with copies of bit 31")
{
	FOR_EACH_COUNTER(c) {
		for (unsigned i = 0; i < COUNT_OF(legacy_values) && c < PMU_FIXED; i++) {
			uint64_t value = legacy_values[i], got = 0;

			test_sub(t, "IA32_PMC%u written with %" PRIX64 "H", c, value);
			/* The counter starts with all bits clear, then set: the write
			 * must replace every bit. */
			msr_write(IA32_PMC(c), i & 1 ? 0 : UINT32_MAX);
			expect_no_fault(t, "WRMSR", msr_try_write(IA32_PMC(c), value),
			                "bits 63:32 are ignored");
			msr_try_read(IA32_PMC(c), &got);
			expect_exact(t, "read back", got, sign_extended(value, c),
			             "bits 31:0, and copies of bit 31 in all bits "
			             "above, up to the width");
		}
	}
}

/* Checks that a full-width register holds exact values and raises #GP(0) for each
 * bit above the width. */
static void check_full_write(struct test_ctx *t, uint32_t msr, unsigned c)
{
	const uint64_t values[] = {
		0, 1, 0x80000000, 0x7fffffff, UINT64_C(0x1234567890), BIT(32),
		arch_counter_max(c), arch_counter_max(c) - 1, (arch_counter_max(c) >> 1) + 1,
	};
	const uint64_t kept = 0x155555555 & arch_counter_max(c);
	uint64_t got = 0;

	for (unsigned i = 0; i < COUNT_OF(values); i++) {
		uint64_t value = values[i] & arch_counter_max(c);

		expect_no_fault(t, "WRMSR", msr_try_write(msr, value),
		                "the value fits into the width");
		msr_try_read(msr, &got);
		expect_exact(t, "read back", got, value, "all bits of the width are written");
	}
	for (unsigned bit = pmu_counter_width(c); bit < 64; bit++) {
		msr_write(msr, kept);
		expect_fault(t, "WRMSR with a bit above the width",
		             msr_try_write(msr, 3 | BIT(bit)), X86_GP, 0, "the bit is reserved");
		msr_try_read(msr, &got);
		expect_exact(t, "after the fault", got, kept, "a WRMSR that faults writes nothing");
	}
}

TEST(full, .id = "arch.counters.full_width_write", .is_static = true,
     .needs = need_full_width_writes, .source = FULL,
     .claim = "IA32_A_PMCx takes all bits of the width as they are and refuses the bits above")
{
	FOR_EACH_COUNTER(c) {
		if (c >= PMU_FIXED)
			break;
		test_sub(t, "IA32_A_PMC%u", c);
		check_full_write(t, IA32_A_PMC(c), c);
	}
}

TEST(kept, .id = "arch.counters.kept_by_select", .is_static = true, .needs = need_arch,
     .source = V1 ", IA32_PERFEVTSELx, IA32_PMCx",
     .claim = "a write of IA32_PERFEVTSELx leaves IA32_PMCx as it is")
{
	static const uint64_t selects[] = { 0, IA32_PERFEVTSEL_OS | EVENT_INSTRUCTIONS_RETIRED };

	FOR_EACH_COUNTER(c) {
		for (unsigned i = 0; i < COUNT_OF(selects) && c < PMU_FIXED; i++) {
			test_sub(t, "IA32_PERFEVTSEL%u written with %" PRIX64 "H", c, selects[i]);
			msr_write(IA32_PMC(c), 0x12345678);
			msr_write(IA32_PERFEVTSEL(c), selects[i]);
			expect_exact(t, "IA32_PMC", msr_read(IA32_PMC(c)), 0x12345678,
			             "it is another register, and nothing counts with EN = 0");
		}
	}
}

TEST(fixed, .id = "arch.counters.fixed_write", .is_static = true, .needs = need_fixed,
     .source = V2 ", IA32_FIXED_CTRx",
     .claim = "IA32_FIXED_CTRx takes all bits of the width as they are and refuses the bits above")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		if (c < PMU_FIXED)
			continue;
		test_sub(t, "%s", pmu_counter_name(c, name));
		if (c == PMU_FIXED_CTR(0)
		    || !silicon_leaves_out(t, SILICON_FIXED_WRITES, "read back"))
			check_full_write(t, IA32_FIXED_CTR(c - PMU_FIXED), c);
	}
}

/* Returns the byte repeated over the counter's whole width. */
static uint64_t patterned(unsigned counter, uint8_t byte)
{
	return byte * UINT64_C(0x0101010101010101) & arch_counter_max(counter);
}

/* Writes a, then checks what both addresses read. */
static void check_alias(struct test_ctx *t, uint32_t a, uint32_t b, uint64_t value, const char *why)
{
	uint64_t got_a = 0, got_b = 0;

	test_sub(t, "%" PRIX32 "H written with %" PRIX64 "H", a, value);
	if (!expect_no_fault(t, "WRMSR", msr_try_write(a, value), why))
		return;
	expect_no_fault(t, "RDMSR of that register", msr_try_read(a, &got_a), why);
	expect_exact(t, "low 31 bits", got_a & INT32_MAX, value & INT32_MAX,
	             "bits 30:0 are those written; bit 31 and above depend on the register");
	test_sub(t, "%" PRIX32 "H written with %" PRIX64 "H, %" PRIX32 "H read", a, value, b);
	expect_no_fault(t, "RDMSR", msr_try_read(b, &got_b), why);
	expect_exact(t, "value", got_b, got_a, why);
}

TEST(aliases, .id = "arch.counters.full_width_alias", .is_static = true,
     .needs = need_full_width_writes,
     .source = FULL, .claim = "IA32_PMCx and IA32_A_PMCx are one register")
{
	FOR_EACH_COUNTER(c) {
		if (c >= PMU_FIXED)
			break;
		check_alias(t, IA32_A_PMC(c), IA32_PMC(c), patterned(c, 0x55),
		            "both addresses name one counter");
		check_alias(t, IA32_PMC(c), IA32_A_PMC(c), 0x89abcdef,
		            "both addresses name one counter");
	}
}

/* These addresses are like the legacy ones, but write all bits of the width. SDM 3B, version 6. */
TEST(aliases_6, .id = "arch.counters.v6_alias", .is_static = true,
     .needs = need_arch_v6, .source = V6,
     .claim = "the registers at 1900H and above are those of versions 1 and 2 "
              "under other addresses")
{
	FOR_EACH_COUNTER(c) {
		unsigned i = c - PMU_FIXED;

		if (c < PMU_FIXED) {
			check_alias(t, IA32_PMC_GP_CTR(c), IA32_PMC(c), 0x1234567,
			            "both addresses name one counter");
			check_alias(t, IA32_PMC(c), IA32_PMC_GP_CTR(c), 0x89abcdef,
			            "both addresses name one counter");
			check_alias(t, IA32_PMC_GP_CFG_A(c), IA32_PERFEVTSEL(c), 0x5200c4 + c,
			            "both addresses name one control");
			check_alias(t, IA32_PERFEVTSEL(c), IA32_PMC_GP_CFG_A(c), 0x1300c0 + c,
			            "both addresses name one control");
		} else {
			check_alias(t, IA32_PMC_FX_CTR(i), IA32_FIXED_CTR(i),
			            patterned(c, 0x55), "both addresses name one counter");
			check_alias(t, IA32_FIXED_CTR(i), IA32_PMC_FX_CTR(i),
			            patterned(c, 0x33), "both addresses name one counter");
		}
	}
}

/* Returns a value that differs in every counter. It is positive, so that the legacy write
 * keeps it. */
static uint64_t own_value(unsigned counter)
{
	return 0x1000001 * (uint64_t)(counter + 1) & INT32_MAX;
}

TEST(independent, .id = "arch.counters.independent", .is_static = true,
     .needs = need_arch, .source = V1 ", IA32_PMCx",
     .claim = "writing one counter changes no other")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c)
		pmu_write(c, own_value(c));
	FOR_EACH_COUNTER(c) {
		test_sub(t, "%s", pmu_counter_name(c, name));
		expect_exact(t, "after all were written", pmu_read(c), own_value(c),
		             "each counter is a register of its own");
	}
}
