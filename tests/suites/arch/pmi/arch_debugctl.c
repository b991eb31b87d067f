/* SPDX-License-Identifier: MIT */
/* IA32_DEBUGCTL as a register: the freeze bits hold, and the bits above them are refused. */
#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/needs.h>

#define FIRST_RESERVED  16u

static void judge_reserved(struct test_ctx *t, uint64_t before, unsigned bit, uint64_t others)
{
	fault_t fault = msr_try_write(IA32_DEBUGCTL, before | BIT(bit) | others);

	test_sub(t, "bit %u%s", bit, others ? " and LBR" : "");
	expect_fault(t, "WRMSR to IA32_DEBUGCTL", fault, X86_GP, 0, "the bit is reserved");
	expect_exact(t, "IA32_DEBUGCTL", msr_read(IA32_DEBUGCTL), before,
	             "a WRMSR that faults writes nothing");
	msr_try_write(IA32_DEBUGCTL, before);
}

TEST(reserved, .id = "arch.freeze.debugctl_reserved", .is_static = true,
     .needs = need_arch_v2,
     .source = "SDM 4, \"IA-32 Architectural MSRs\", IA32_DEBUGCTL; SDM 2C, \"WRMSR\"",
     .claim = "WRMSR to IA32_DEBUGCTL with a reserved bit raises #GP(0) and changes nothing")
{
	const uint64_t before = msr_read(IA32_DEBUGCTL);
	uint64_t taken = 0;

	for (unsigned i = FIRST_RESERVED; i < 64; i++) {
		judge_reserved(t, before, i, 0);
		judge_reserved(t, before, i, IA32_DEBUGCTL_LBR);
	}
	test_sub(t, "%s", "");
	for (unsigned i = 0; i < FIRST_RESERVED; i++)
		taken |= is_fault(msr_try_write(IA32_DEBUGCTL, BIT(i))) ? 0 : BIT(i);
	msr_write(IA32_DEBUGCTL, before);
	test_report(t, "bits 15:0 that can be set", "%04" PRIX64 "H", taken);
}

TEST(bits, .id = "arch.freeze.debugctl", .is_static = true, .needs = need_arch_v2,
     .source = "SDM 3B, \"Freezing LBR and Performance Counters on PMI\"",
     .claim = "IA32_DEBUGCTL's freeze bits can be set and cleared")
{
	static const uint64_t values[] = {
		IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI, IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI,
		IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI | IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI, 0,
	};

	for (size_t i = 0; i < COUNT_OF(values); i++) {
		test_sub(t, "%04" PRIX64 "H", values[i]);
		if (expect_no_fault(t, "WRMSR to IA32_DEBUGCTL",
		                    msr_try_write(IA32_DEBUGCTL, values[i]),
		                    "the freeze bits exist from version 2 on"))
			expect_exact(t, "IA32_DEBUGCTL", msr_read(IA32_DEBUGCTL), values[i],
			             "the register holds what is written");
	}
}
