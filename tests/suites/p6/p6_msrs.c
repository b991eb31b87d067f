/* SPDX-License-Identifier: MIT */
/* The MSRs beside the counters: DebugCtlMSR bit by bit, and addresses that later processors use. */
#include <tests/suites/p6/p6_suite.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/perfmon.h>
#include <pmu/core/microarchitecture.h>
#include <tests/suites/common/absent_msrs.h>
#include <tests/suites/common/debugctl.h>
#include <tests/suites/common/needs.h>

/* Pentium M has BTS and BTINT; what it does with the pins' bits no source
 * says. */
TEST(debugctl, .id = "p6.registers.debugctl", .is_static = true, .needs = need_p6,
     .source = "SDM 3B, DebugCtlMSR Register (P6 Family Processors), MSR_DEBUGCTLB (Pentium M "
               "Processors)",
     .claim = "DebugCtlMSR holds LBR, BTF, the four pins' bits and TR, each alone and together, "
              "and no other bit")
{
	const struct debugctl_bits bits = { .held = FIELD(6, 0) }, pentium_m = {
		.held = FIELD(1, 0) | FIELD(8, 6), .open = FIELD(5, 2), .alone = DebugCtlMSR_TR,
	};

	debugctl_check(t, "DebugCtlMSR",
	               pmu_microarchitecture() == PMU_MODEL_PM ? &pentium_m : &bits);
}

/* The addresses of counters, controls and buffers that came after P6. */
static const struct absent_msrs later[] = {
	{ PerfCtr(2), 6 }, { PerfEvtSel(2), 6 }, { IA32_FIXED_CTR(0), 4 }, { IA32_PERF_METRICS, 1 },
	{ IA32_PERF_CAPABILITIES, 1 }, { IA32_FIXED_CTR_CTRL, 6 }, { IA32_PEBS_ENABLE, 2 },
	{ MSR_PEBS_LD_LAT, 2 }, { IA32_A_PMC(0), 4 }, { 0, 0 },
};

/* Pentium M has one, for BTS. */
static const struct absent_msrs area[] = { { IA32_DS_AREA, 1 }, { 0, 0 } };

TEST(others, .id = "p6.registers.others", .is_static = true, .needs = need_p6,
     .source = P6_SDM "; SDM 4, \"MSRs in the P6 Family Processors\"; SDM 2B, RDMSR",
     .claim = "P6 has two counters and two controls, and no register of later PMUs (on silicon, "
              "which may have registers that no manual lists, it is reported)")
{
	judge_absent(t, later, "P6 has no such register");
	if (!cpuid_get(CPUID_DS))
		judge_absent(t, area, "CPUID.1:EDX[21] (DS) = 0");
}
