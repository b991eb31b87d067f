/* SPDX-License-Identifier: MIT */
/* Source: SDM 3A, "Control Registers". */
#include <arch/cpu/control.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/cpu.h>

bool has_cr4(void)
{
	static enum { UNKNOWN, NO, YES } answer;
	uintptr_t value;

	if (answer == UNKNOWN)
		answer = is_fault(cr4_try_read(&value)) ? NO : YES;
	return answer == YES;
}

void fpu_enable(void)
{
	if (!cpuid_get(CPUID_FPU))
		return;
	cr0_write((cr0_read() & ~(uintptr_t)(CR0_EM | CR0_TS)) | CR0_NE | CR0_MP);
	fpu_init();
}
