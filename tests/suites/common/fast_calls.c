/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/fast_calls.h>

#include <arch/cpu/fault.h>
#include <arch/modes/low_memory.h>
#include <arch/modes/modes.h>
#include <arch/modes/segments.h>
#include <arch/regs/msr.h>

/* The handlers use no stack, but an NMI would use some. */
static uint8_t stack[4096] __attribute__((aligned(16)));

#define RESUME (LOW_CODE_BASE + 9)

void fast_calls_open_sysenter(void)
{
	msr_write(IA32_SYSENTER_CS, SELECTOR(GDT_SYS_CODE, 0));
	msr_write(IA32_SYSENTER_ESP, (uintptr_t)(stack + sizeof(stack)));
	msr_write(IA32_SYSENTER_EIP, (uintptr_t)fast_calls_sysenter);
}

void fast_calls_close_sysenter(void)
{
	msr_write(IA32_SYSENTER_CS, 0);
}

void fast_calls_by_sysenter(uint32_t rounds, uint32_t mode)
{
	static const uint8_t code[] = {
		0xba, RESUME & 0xff, RESUME >> 8, 0, 0,         /* MOV EDX, RESUME */
		0x89, 0xe1,                                     /* MOV ECX, ESP */
		0x0f, 0x34,                                     /* SYSENTER */
		0xff, 0xce,                                     /* RESUME: DEC ESI */
		0x75, 0xf3,                                     /* JNZ to the start */
	};
	const struct mode_regs regs = { .si = rounds };

	mode_run((enum cpu_mode)mode, code, sizeof(code), &regs);
}

/* APM 2, "SYSCALL and SYSRET": in the 32-bit kernel IA32_STAR has the target, too, and SYSRET's CS
 * is that of 32-bit code. */
void fast_calls_open_syscall(void)
{
	const uint64_t star = FIELD_PUT(IA32_STAR_SYSCALL, SELECTOR(GDT_SYS_CODE, 0))
	                      | FIELD_PUT(IA32_STAR_SYSRET, SELECTOR(GDT_SYS_CPL3_CODE32, 3));

#ifdef __x86_64__
	msr_write(IA32_STAR, star);
	msr_write(IA32_LSTAR, (uintptr_t)fast_calls_syscall);
	msr_write(IA32_FMASK, 0);
#else
	msr_write(IA32_STAR, star | (uintptr_t)fast_calls_syscall);
#endif
	msr_write(IA32_EFER, msr_read(IA32_EFER) | IA32_EFER_SCE);
}

void fast_calls_close_syscall(void)
{
	msr_write(IA32_EFER, msr_read(IA32_EFER) & ~IA32_EFER_SCE);
}

void fast_calls_by_syscall(uint32_t rounds, uint32_t mode)
{
	static const uint8_t code[] = {
		0x0f, 0x05,                                     /* SYSCALL */
		0xff, 0xce,                                     /* DEC ESI */
		0x75, 0xfa,                                     /* JNZ to the start */
	};
	const struct mode_regs regs = { .si = rounds };

	mode_run((enum cpu_mode)mode, code, sizeof(code), &regs);
}

const char *need_cpu_sysenter(struct test_ctx *t)
{
	return cpuid_get(CPUID_SEP) ? NULL : test_reason(t, "CPUID.1:EDX[11] (SEP) = 0");
}

const char *need_cpu_syscall(struct test_ctx *t)
{
	return cpuid_get(CPUID_SYSCALL)
	       ? NULL : test_reason(t, "CPUID.80000001H:EDX[11] (SYSCALL) = 0");
}
