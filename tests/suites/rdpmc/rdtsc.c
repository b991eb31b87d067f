/* SPDX-License-Identifier: MIT */
/*
 * RDTSC and CR4.TSD are the twin of RDPMC and CR4.PCE, with the opposite sense, on every processor
 * with a TSC. If an emulator has both wrong, its privilege logic is at fault; if only RDPMC is
 * wrong,
 * its PMU is.
 *
 * CR4.TSD (bit 2) = 1 keeps RDTSC to CPL 0, else #GP(0). Source: SDM 2B, "RDTSC".
 */
#include <kernel/run/test.h>

#include <arch/cpu/control.h>
#include <arch/cpu/cpuid.h>
#include <arch/cpu/insn.h>
#include <arch/regs/cpu.h>
#include <tests/suites/common/instruction.h>
#include <tests/suites/common/mode_tests.h>
#include <tests/suites/common/needs.h>

#define SOURCE "SDM 2B and APM 3, RDTSC"

static const char *need_tsc(struct test_ctx *t)
{
	if (need_modes(t))
		return need_modes(t);
	return cpuid_get(CPUID_TSC) ? NULL : test_reason(t, "CPUID.1:EDX[4] (TSC) = 0");
}

static void check_rdtsc(struct test_ctx *t, enum cpu_mode mode, bool tsd)
{
	bool is_allowed = mode_cpl(mode) == 0 || !tsd;
	uint64_t before = tsc_read();
	struct mode_result r = instruction_run(&insn_rdtsc, mode, (uint32_t)instruction_regs.cx);
	uint64_t after = tsc_read();

	test_sub(t, "%s, CR4.TSD = %d", mode_name(mode), tsd);
	expect_exact(t, "ECX", r.regs.cx, instruction_regs.cx, "RDTSC does not write ECX");
	if (is_allowed) {
		expect_outcome(t, &r, FAULT_NONE, tsd ? "CPL = 0" : "CR4.TSD = 0");
		expect_between(t, "EDX:EAX", instruction_value(&r), before, after,
		               "low and high: RDTSC just before and just after");
	} else {
		expect_outcome(t, &r, fault_make(X86_GP, 0), "CR4.TSD = 1 and CPL > 0");
		expect_exact(t, "EDX:EAX after a fault", instruction_value(&r),
		             (uint64_t)instruction_regs.dx << 32 | instruction_regs.ax,
		             "a fault leaves the registers as they were");
	}
}

static void check_both(struct test_ctx *t, enum cpu_mode mode)
{
	uintptr_t cr4 = cr4_read();

	cr4_write(cr4 & ~(uintptr_t)CR4_TSD);
	check_rdtsc(t, mode, false);
	cr4_write(cr4 | CR4_TSD);
	check_rdtsc(t, mode, true);
	cr4_write(cr4);
}

#define RDTSC_READS(name, mode, where, how) \
	static void name(struct test_ctx *t) { check_both(t, mode); } \
	TEST_OF(name, .id = "rdtsc.mode." #name, .needs = need_tsc, .source = SOURCE, \
	     .claim = where " RDTSC reads " how)
MODE_TESTS(RDTSC_READS, "whatever CR4.TSD is", "with CR4.TSD = 0 only", "with CR4.TSD = 0 only");
