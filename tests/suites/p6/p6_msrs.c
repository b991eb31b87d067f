/* SPDX-License-Identifier: MIT */
/* The MSRs beside the counters: DebugCtlMSR bit by bit, and addresses that later processors use. */
#include <tests/suites/p6/p6_suite.h>

#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <tests/suites/common/absent_msrs.h>
#include <tests/suites/common/needs.h>

/* Pentium M, models 09H and 0DH, has another register at the same address. */
static const char *need_debugctlmsr(struct test_ctx *t)
{
	const char *reason = need_p6(t);
	unsigned model = machine_cpu()->model;

	if (!reason && (model == 0x09 || model == 0x0d))
		return test_reason(t, "model %02XH is a Pentium M, whose register is another one",
		                   model);
	return reason;
}

TEST(debugctl, .id = "p6.registers.debugctl", .needs = need_debugctlmsr,
     .source = "SDM 3B, DebugCtlMSR Register (P6 Family Processors)",
     .claim = "DebugCtlMSR holds LBR, BTF and the four pins' bits, each alone and together")
{
	const uint64_t all = DebugCtlMSR_LBR | DebugCtlMSR_BTF | DebugCtlMSR_PB(0)
	                     | DebugCtlMSR_PB(1) | DebugCtlMSR_PB(2) | DebugCtlMSR_PB(3);
	uint64_t got = 0;

	for (unsigned bit = 0; bit <= 6; bit++) {
		uint64_t value = bit < 6 ? BIT(bit) : all;

		test_sub(t, "%" PRIX64 "H written", value);
		if (!expect_no_fault(t, "WRMSR to DebugCtlMSR",
		                     msr_try_write(DebugCtlMSR, value), "its bits are defined"))
			continue;
		msr_try_read(DebugCtlMSR, &got);
		msr_write(DebugCtlMSR, 0);
		expect_exact(t, "DebugCtlMSR", got, value, "it was written there");
	}
}

/* The addresses of counters, controls and buffers that came after P6. */
static const struct absent_msrs later[] = {
	{ PerfCtr(2), 6 }, { PerfEvtSel(2), 6 }, { IA32_FIXED_CTR(0), 4 }, { IA32_PERF_METRICS, 1 },
	{ IA32_PERF_CAPABILITIES, 1 }, { IA32_FIXED_CTR_CTRL, 6 }, { IA32_PEBS_ENABLE, 2 },
	{ MSR_PEBS_LD_LAT, 2 }, { IA32_A_PMC(0), 4 }, { IA32_DS_AREA, 1 }, { 0, 0 },
};

TEST(others, .id = "p6.registers.others", .needs = need_p6,
     .source = P6_SDM "; SDM 4, \"MSRs in the P6 Family Processors\"; SDM 2B, RDMSR",
     .claim = "P6 has two counters and two controls, and no register of later PMUs (on silicon, "
              "which may have registers that no manual lists, it is reported)")
{
	judge_absent(t, later, "P6 has no such register");
}
