/* SPDX-License-Identifier: MIT */
/*
 * RDPMC, RDTSC and RDMSR in 64-bit code: the result is in EDX:EAX and the index in ECX there, too;
 * the upper halves of RAX and RDX become 0, and that of RCX is ignored and not changed.
 */
#include <kernel/run/test.h>

#include <arch/regs/cpu.h>
#include <arch/regs/msr.h>
#include <tests/suites/common/instruction.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/raise.h>
#include <tests/suites/rdpmc/rdpmc_rules.h>

static const struct mode_regs wide = {
	.ax = PATTERN(0xa1a2a3a4), .bx = PATTERN(0xb1b2b3b4), .cx = PATTERN(0),
	.dx = PATTERN(0xd1d2d3d4), .si = PATTERN(0x51525354), .di = PATTERN(0x71727374),
	.bp = PATTERN(0xe1e2e3e4), .flags = EFLAGS_CF | EFLAGS_OF,
};

static void check_wide(struct test_ctx *t, const struct instruction *insn, uint32_t ecx)
{
	static const char kept[] = "the instruction writes RDX and RAX only";
	const struct mode_regs *in = &wide;
	struct mode_regs regs = wide;
	struct mode_result r;

	regs.cx |= ecx;
	r = mode_run(MODE_CPL0, insn->code, insn->size, &regs);
	if (!expect_no_fault(t, insn->name, r.fault, "RCX[63:32] is ignored"))
		return;
	expect_exact(t, "RAX[63:32]", r.regs.ax >> 32, 0, "the result is in EDX:EAX");
	expect_exact(t, "RDX[63:32]", r.regs.dx >> 32, 0, "the result is in EDX:EAX");
	expect_exact(t, "RCX", r.regs.cx, regs.cx, kept);
	expect_exact(t, "RBX", r.regs.bx, in->bx, kept);
	expect_exact(t, "RSI", r.regs.si, in->si, kept);
	expect_exact(t, "RDI", r.regs.di, in->di, kept);
	expect_exact(t, "RBP", r.regs.bp, in->bp, kept);
	expect_bits(t, "RFLAGS", r.regs.flags, EFLAGS_STATUS, in->flags, kept);
}

static const char *need_index(struct test_ctx *t)
{
	const struct rdpmc_rules *rules = rdpmc_rules();
	uint32_t index;

	if (need_modes(t))
		return need_modes(t);
	return rules->exists && rdpmc_find_valid(rules, &index) ? NULL
	       : test_reason(t, "no index is known to be valid: %s", pmu_get()->class->because);
}

TEST(rdpmc_wide, .id = "rdpmc.wide", .needs = need_index, .source = "SDM 2B and APM 3, RDPMC",
     .claim = "in 64-bit code RDPMC clears the upper halves of RAX and RDX, and ignores RCX's")
{
	uint32_t index = 0;

	rdpmc_find_valid(rdpmc_rules(), &index);
	check_wide(t, &insn_rdpmc, index);
}

TEST(rdtsc_wide, .id = "rdtsc.wide", .needs = need_modes, .source = "SDM 2B and APM 3, RDTSC",
     .claim = "in 64-bit code RDTSC clears the upper halves of RAX and RDX")
{
	check_wide(t, &insn_rdtsc, 0);
}

TEST(rdmsr_wide, .id = "msr.rdmsr.wide", .needs = need_modes, .source = "SDM 2B and APM 3, RDMSR",
     .claim = "in 64-bit code RDMSR clears the upper halves of RAX and RDX, and ignores RCX's")
{
	check_wide(t, &insn_rdmsr, IA32_TIME_STAMP_COUNTER);
}
