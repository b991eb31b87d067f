/* SPDX-License-Identifier: MIT */
#include <tests/suites/lbr/branches_fast.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <tests/suites/common/fast_calls.h>

const struct branch_row branch_sysenter = {
	"SYSENTER, SYSEXIT", IN(MODE_CPL3),
	BRANCH_CODE(0x89, 0xc2,                 /* MOV EDX, EAX */
	            0x89, 0xe1,                 /* MOV ECX, ESP */
	            0x0f, 0x34),
	.target = 6, BRANCHES({ 4, AT_SYSENTER, BRANCH_FAR }, { AT_SYSEXIT, 6, BRANCH_FAR })
};

#ifdef __x86_64__
const struct branch_row branch_syscall = {
	"SYSCALL, SYSRET", IN(MODE_CPL3), BRANCH_CODE(0x0f, 0x05),
	BRANCHES({ 0, AT_SYSCALL, BRANCH_FAR }, { AT_SYSRET, 2, BRANCH_FAR })
};

static bool has_syscall(void) { return cpuid_get(CPUID_SYSCALL); }
#else
static bool has_syscall(void) { return false; }
#endif

void branches_fast_begin(void)
{
	if (cpuid_get(CPUID_SEP))
		fast_calls_open_sysenter();
	if (has_syscall())
		fast_calls_open_syscall();
}

void branches_fast_end(void)
{
	if (cpuid_get(CPUID_SEP))
		fast_calls_close_sysenter();
	if (has_syscall())
		fast_calls_close_syscall();
}
