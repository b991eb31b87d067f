/* SPDX-License-Identifier: MIT */
/*
 * The constants that assembly needs, taken from the headers: compiled to assembly text, from which
 * the Makefile makes build/<bits>/regs.inc. Never linked.
 */
#include <stddef.h>

#include <arch/low_memory.h>
#include <arch/modes.h>
#include <arch/regs/apic.h>
#include <arch/regs/cpu.h>
#include <arch/regs/multiboot.h>
#include <arch/segments.h>
#include <arch/x86_32/frame.h>
#include <arch/x86_32/tss.h>

#define EXPORT(name)               __asm__ ("@" #name " %0" : : "i" (name))
#define EXPORT_AS(name, value)     __asm__ ("@" #name " %0" : : "i" (value))
#define EXPORT_MODE(field)         EXPORT_AS(MODE_ENTRY_##field, offsetof(struct mode_entry, field))

void export_constants(void);

void export_constants(void)
{
	EXPORT(LOW_REAL_BASE);
	EXPORT(LOW_CODE_BASE);
	EXPORT(LOW_STACK_TOP);
	EXPORT(LOW_IVT);
	EXPORT(CR0_PE);
	EXPORT(CR0_PG);
	EXPORT(EFLAGS_VM);
	EXPORT(X86_PUSHES_ERROR_CODE);
	EXPORT(PIT_COMMAND);
	EXPORT(PIT_CHANNEL0);
	EXPORT_AS(PIT_ONE_SHOT0, (uint32_t)FIELD_PUT(PIT_COMMAND_ACCESS, 3));
	EXPORT(SELECTOR_KERNEL_CODE);
	EXPORT(SELECTOR_KERNEL_DATA);
	EXPORT(SELECTOR_CODE16);
	EXPORT(SELECTOR_DATA16);
	EXPORT(SELECTOR_TSS);
	EXPORT(VECTOR_MODE_END);
	EXPORT(MULTIBOOT2_HEADER_MAGIC);
	EXPORT(MULTIBOOT1_HEADER_MAGIC);
	EXPORT_AS(TSS_ESP0, offsetof(struct tss, esp0));
	EXPORT_MODE(ax);
	EXPORT_MODE(bx);
	EXPORT_MODE(cx);
	EXPORT_MODE(dx);
	EXPORT_MODE(si);
	EXPORT_MODE(di);
	EXPORT_MODE(bp);
	EXPORT_MODE(sp);
	EXPORT_MODE(ip);
	EXPORT_MODE(flags);
	EXPORT_MODE(vector);
	EXPORT_MODE(cs);
	EXPORT_MODE(ds);
	EXPORT_MODE(cpl);
}
