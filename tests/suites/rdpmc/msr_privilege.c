/* SPDX-License-Identifier: MIT */
/*
 * The PMU's registers belong to the kernel: RDMSR and WRMSR of each of them raise #GP(0) at CPL 1,
 * 2, 3, in 16-bit code at CPL 3 and in virtual-8086 mode, whether or not the register exists, and
 * change nothing. Sources: SDM 2B, "RDMSR", and 2C, "WRMSR".
 */
#include <kernel/run/test.h>

#include <kernel/lib/format.h>
#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/cpu.h>
#include <arch/regs/msr.h>
#include <pmu/core/pmu.h>
#include <tests/suites/common/instruction.h>
#include <tests/suites/common/mode_tests.h>
#include <tests/suites/common/needs.h>

static const char *need_registers(struct test_ctx *t)
{
	if (need_modes(t))
		return need_modes(t);
	if (!cpuid_get(CPUID_MSR))
		return test_reason(t, "CPUID.1:EDX[5] (MSR) = 0");
	if (pmu_get()->class->register_count == 0)
		return test_reason(t, "no PMU registers are known: %s", pmu_get()->class->because);
	return NULL;
}

static void check_rdmsr(struct test_ctx *t, enum cpu_mode mode, const char *name, uint32_t msr)
{
	struct mode_result r = instruction_run(&insn_rdmsr, mode, msr);

	test_sub(t, "RDMSR of %" PRIX32 "H (%s), %s", msr, name, mode_name(mode));
	expect_outcome(t, &r, fault_make(X86_GP, 0), "RDMSR is for CPL 0 only");
	expect_exact(t, "EDX:EAX", instruction_value(&r),
	             (uint64_t)instruction_regs.dx << 32 | instruction_regs.ax,
	             "a fault leaves the registers as they were");
}

/* The value written differs from the register's in bits that every PMU register has. */
static void check_wrmsr(struct test_ctx *t, enum cpu_mode mode, const char *name, uint32_t msr)
{
	uint64_t before = 0, after = 0;
	fault_t readable = msr_try_read(msr, &before);
	struct mode_result r = instruction_run_with(&insn_wrmsr, mode, msr, before ^ 0x30);

	test_sub(t, "WRMSR of %" PRIX32 "H (%s), %s", msr, name, mode_name(mode));
	expect_outcome(t, &r, fault_make(X86_GP, 0), "WRMSR is for CPL 0 only");
	if (is_fault(readable))
		return;
	msr_try_read(msr, &after);
	expect_exact(t, "the register", after, before, "a WRMSR that faults writes nothing");
}

static void for_each_register(struct test_ctx *t, enum cpu_mode mode,
                              void (*check)(struct test_ctx *, enum cpu_mode, const char *,
                                            uint32_t))
{
	const struct pmu *p = pmu_get();

	for (unsigned i = 0; i < p->class->register_count; i++) {
		const struct pmu_register *row = &p->class->registers[i];

		for (unsigned j = 0; j < pmu_register_count(p, row); j++)
			check(t, mode, row->name, row->msr + j);
	}
}

/* The TSC always exists, so no processor passes only because it lacks the register. */
static void check_all_rdmsr(struct test_ctx *t, enum cpu_mode mode)
{
	if (cpuid_get(CPUID_TSC))
		check_rdmsr(t, mode, "IA32_TIME_STAMP_COUNTER", IA32_TIME_STAMP_COUNTER);
	for_each_register(t, mode, check_rdmsr);
}

#define RDMSR_AND_WRMSR(name, mode, where, how) \
	static void rdmsr_##name(struct test_ctx *t) { check_all_rdmsr(t, mode); } \
	static void wrmsr_##name(struct test_ctx *t) { for_each_register(t, mode, check_wrmsr); } \
	TEST_OF(rdmsr_##name, .id = "msr.rdmsr." #name, .needs = need_registers, \
	     .source = "SDM 2B and APM 3, RDMSR", \
	     .claim = "RDMSR of a PMU register " how " " where); \
	TEST_OF(wrmsr_##name, .id = "msr.wrmsr." #name, .needs = need_registers, \
	     .source = "SDM 2C and APM 3, WRMSR", \
	     .claim = "WRMSR of a PMU register " how " and changes nothing " where)
MODE_TESTS_ABOVE_CPL0(RDMSR_AND_WRMSR, "raises #GP(0)", "raises #GP(0)");
