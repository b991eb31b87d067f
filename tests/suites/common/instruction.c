/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/instruction.h>

#include <arch/regs/cpu.h>

const struct instruction insn_rdpmc      = { "RDPMC",      { 0x0f, 0x33 }, 2 };
const struct instruction insn_lock_rdpmc = { "LOCK RDPMC", { 0xf0, 0x0f, 0x33 }, 3 };
const struct instruction insn_rdtsc      = { "RDTSC",      { 0x0f, 0x31 }, 2 };
const struct instruction insn_rdmsr      = { "RDMSR",      { 0x0f, 0x32 }, 2 };
const struct instruction insn_wrmsr      = { "WRMSR",      { 0x0f, 0x30 }, 2 };

const struct mode_regs instruction_regs = {
	.ax = 0xa1a2a3a4, .bx = 0xb1b2b3b4, .cx = 0xc1c2c3c4, .dx = 0xd1d2d3d4,
	.si = 0x51525354, .di = 0xe1e2e3e4, .bp = 0x61626364,
	.flags = EFLAGS_CF | EFLAGS_OF,
};

struct mode_result instruction_run_with(const struct instruction *insn, enum cpu_mode mode,
                                        uint32_t ecx, uint64_t edx_eax)
{
	struct mode_regs regs = instruction_regs;

	regs.cx = ecx;
	regs.ax = (uint32_t)edx_eax;
	regs.dx = (uint32_t)(edx_eax >> 32);
	return mode_run(mode, insn->code, insn->size, &regs);
}

struct mode_result instruction_run(const struct instruction *insn, enum cpu_mode mode, uint32_t ecx)
{
	return instruction_run_with(insn, mode, ecx,
	                            (uint64_t)instruction_regs.dx << 32 | instruction_regs.ax);
}

uint64_t instruction_value(const struct mode_result *r)
{
	return (uint64_t)r->regs.dx << 32 | r->regs.ax;
}

void expect_registers_kept_at(struct test_ctx *t, struct test_place at, const struct mode_result *r)
{
	static const char why[] = "the instruction writes EDX:EAX only";
	const struct mode_regs *in = &instruction_regs;

	expect_exact_at(t, at, "EBX", r->regs.bx, in->bx, why);
	expect_exact_at(t, at, "ESI", r->regs.si, in->si, why);
	expect_exact_at(t, at, "EDI", r->regs.di, in->di, why);
	expect_exact_at(t, at, "EBP", r->regs.bp, in->bp, why);
	expect_bits_at(t, at, "EFLAGS", r->regs.flags, EFLAGS_STATUS, in->flags, why);
}

void expect_outcome_at(struct test_ctx *t, struct test_place at, const struct mode_result *r,
                       fault_t want, const char *why)
{
	expect_fault_at(t, at, "outcome", r->fault, want, why);
	if (is_fault(r->fault))
		expect_exact_at(t, at, "offset of the saved address", r->offset, 0,
		                "a fault saves the address of its own instruction");
	expect_registers_kept_at(t, at, r);
}
