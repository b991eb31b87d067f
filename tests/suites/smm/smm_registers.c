/* SPDX-License-Identifier: MIT */
/* What RSM leaves in the registers that say what counts and what is recorded. */
#include <tests/suites/smm/smi.h>

#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <pmu/core/pmu.h>
#include <pmu/core/program.h>
#include <tests/suites/common/needs.h>

#define FILTER  "SDM 3B, \"Filtering of SMM Handler Overhead\""

/* The bits that the freeze clears for the handler, and others of the same register. */
#define CLEARED (IA32_DEBUGCTL_LBR | IA32_DEBUGCTL_BTF)
#define KEPT    (IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI | IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI)

static NEED_BOTH(need_debugctl, need_smi, need_arch_v2)

/* Sets those of the bits that this processor has, and returns the register. */
static uint64_t set_debugctl(uint64_t bits)
{
	for (unsigned i = 0; i < 32; i++)
		if (bits >> i & 1)
			msr_try_write(IA32_DEBUGCTL, msr_read(IA32_DEBUGCTL) | BIT(i));
	return msr_read(IA32_DEBUGCTL);
}

TEST(debugctl, .id = "smm.debugctl", .needs = need_debugctl, .runs = TEST_ON_BOOT,
     .source = FILTER, .claim = "an SMI does not change the freeze bits of IA32_DEBUGCTL")
{
	uint64_t before, after;

	if (!smi_is_counted(t))
		return;
	before = set_debugctl(KEPT | CLEARED);
	smi_code(0, SMI_PORT);
	after = msr_read(IA32_DEBUGCTL);
	expect_bits(t, "IA32_DEBUGCTL after an SMI", after, KEPT, before & KEPT,
	            "without FREEZE_WHILE_SMM an SMI changes nothing of it");
	test_report(t, "LBR and BTF after an SMI", "%XH, before %XH", (unsigned)(after & CLEARED),
	            (unsigned)(before & CLEARED));
}

TEST(restored, .id = "smm.freeze.restored", .needs = need_smi_freeze, .runs = TEST_ON_BOOT,
     .source = FILTER,
     .claim = "with FREEZE_WHILE_SMM, IA32_DEBUGCTL and the enable bits of IA32_PERF_GLOBAL_CTRL "
              "are after RSM what they were before the SMI")
{
	const uint64_t enables = IA32_PERF_GLOBAL_CTRL_EN_PMC(0) |
	                         IA32_PERF_GLOBAL_CTRL_EN_FIXED(0);
	uint64_t before, after;

	if (!smi_is_counted(t))
		return;
	pmu_reset();
	smi_freeze(true);
	before = set_debugctl(KEPT | CLEARED);
	msr_write(IA32_PERF_GLOBAL_CTRL, enables);
	smi_code(0, SMI_PORT);
	after = msr_read(IA32_PERF_GLOBAL_CTRL);
	expect_bits(t, "IA32_DEBUGCTL after an SMI", msr_read(IA32_DEBUGCTL), UINT64_MAX, before,
	            "RSM restores the copy that the SMI has saved");
	expect_bits(t, "IA32_PERF_GLOBAL_CTRL after an SMI", after, enables, enables,
	            "RSM sets the enable bits that the SMI has cleared");
	test_report(t, "the other bits of IA32_PERF_GLOBAL_CTRL", "%XH",
	            (unsigned)(after & ~enables));
}
