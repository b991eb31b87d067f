/* SPDX-License-Identifier: MIT */
/* The MSRs beside the counters: DebugCtlMSR bit by bit, and addresses that later processors use. */
#include <tests/suites/p6/p6_suite.h>

#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <kernel/lib/table.h>
#include <kernel/machine/machine.h>
#include <tests/suites/common/exactness.h>
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
     .claim = "DebugCtlMSR holds LBR, BTF and the four pins' bits, each alone and together");
static void debugctl(struct test_ctx *t)
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
static const struct { uint32_t first, count; } later[] = {
	{ PerfCtr(2), 6 }, { PerfEvtSel(2), 6 }, { IA32_FIXED_CTR(0), 4 }, { IA32_PERF_METRICS, 1 },
	{ IA32_PERF_CAPABILITIES, 1 }, { IA32_FIXED_CTR_CTRL, 6 }, { IA32_PEBS_ENABLE, 2 },
	{ MSR_PEBS_LD_LAT, 2 }, { IA32_A_PMC(0), 4 }, { IA32_DS_AREA, 1 },
};

static bool check_later(struct test_ctx *t, uint32_t msr)
{
	uint64_t value = 0;
	fault_t fault = msr_try_read(msr, &value);

	test_sub(t, "MSR %" PRIX32 "H", msr);
	if (has_only_listed_msrs())
		expect_fault(t, "RDMSR", fault, X86_GP, 0, "P6 has no such register");
	test_sub(t, "%s", "");
	return !is_fault(fault);
}

TEST(others, .id = "p6.registers.others", .needs = need_p6,
     .source = P6_SDM "; SDM 4, \"MSRs in the P6 Family Processors\"; SDM 2B, RDMSR",
     .claim = "P6 has two counters and two controls, and no register of later PMUs (on silicon, "
              "which may have registers that no manual lists, it is reported)");
static void others(struct test_ctx *t)
{
	unsigned tried = 0, readable = 0;

	for (unsigned r = 0; r < COUNT_OF(later); r++)
		for (unsigned i = 0; i < later[r].count; i++, tried++)
			readable += check_later(t, later[r].first + i);
	test_report(t, "registers of later PMUs", "%u of %u can be read", readable, tried);
}
