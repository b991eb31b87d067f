/* SPDX-License-Identifier: MIT */
#include <tests/suites/lbr/branches_fast.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/modes/segments.h>
#include <arch/regs/msr.h>
#include <tests/suites/common/fast_calls.h>

/* The handlers use no stack. */
static uint8_t stack[256] __attribute__((aligned(16)));

const struct branch_row branch_sysenter = {
	"SYSENTER, SYSEXIT", IN(MODE_CPL3),
	BRANCH_CODE(0x89, 0xc2,                 /* MOV EDX, EAX */
	            0x89, 0xe1,                 /* MOV ECX, ESP */
	            0x0f, 0x34),
	.target = 6, BRANCHES({ 4, AT_SYSENTER, BRANCH_FAR }, { AT_SYSEXIT, 6, BRANCH_FAR })
};

const char *need_branch_sysenter(struct test_ctx *t)
{
	return cpuid_get(CPUID_SEP) ? NULL : test_reason(t, "CPUID.1:EDX[11] (SEP) = 0");
}

#ifdef __x86_64__
const struct branch_row branch_syscall = {
	"SYSCALL, SYSRET", IN(MODE_CPL3), BRANCH_CODE(0x0f, 0x05),
	BRANCHES({ 0, AT_SYSCALL, BRANCH_FAR }, { AT_SYSRET, 2, BRANCH_FAR })
};

const char *need_branch_syscall(struct test_ctx *t)
{
	return cpuid_get(CPUID_SYSCALL) ? NULL
	       : test_reason(t, "CPUID.80000001H:EDX[11] (SYSCALL) = 0");
}

static void set_syscall(bool on)
{
	uint64_t efer = msr_read(IA32_EFER) & ~IA32_EFER_SCE;

	if (!cpuid_get(CPUID_SYSCALL))
		return;
	msr_write(IA32_STAR, FIELD_PUT(IA32_STAR_SYSCALL, SELECTOR(GDT_SYS_CODE, 0))
	                     | FIELD_PUT(IA32_STAR_SYSRET, SELECTOR(GDT_SYS_CPL3_CODE32, 3)));
	msr_write(IA32_LSTAR, (uintptr_t)fast_calls_syscall);
	msr_write(IA32_FMASK, 0);
	msr_write(IA32_EFER, on ? efer | IA32_EFER_SCE : efer);
}
#else
static void set_syscall(bool on)
{
	(void)on;
}
#endif

void branches_fast_begin(void)
{
	if (cpuid_get(CPUID_SEP)) {
		msr_write(IA32_SYSENTER_CS, SELECTOR(GDT_SYS_CODE, 0));
		msr_write(IA32_SYSENTER_ESP, (uintptr_t)(stack + sizeof(stack)));
		msr_write(IA32_SYSENTER_EIP, (uintptr_t)fast_calls_sysenter);
	}
	set_syscall(true);
}

void branches_fast_end(void)
{
	if (cpuid_get(CPUID_SEP))
		msr_write(IA32_SYSENTER_CS, 0);
	set_syscall(false);
}
