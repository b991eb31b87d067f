/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/fast_calls.h>

#ifdef __x86_64__

#include <arch/cpu/fault.h>
#include <arch/modes/modes.h>
#include <arch/modes/segments.h>
#include <arch/regs/msr.h>

void fast_calls_open_syscall(void)
{
	msr_write(IA32_STAR, FIELD_PUT(IA32_STAR_SYSCALL, SELECTOR(GDT_SYS_CODE, 0))
	                     | FIELD_PUT(IA32_STAR_SYSRET, SELECTOR(GDT_SYS_CPL3_CODE32, 3)));
	msr_write(IA32_LSTAR, (uintptr_t)fast_calls_syscall);
	msr_write(IA32_FMASK, 0);
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

#endif
