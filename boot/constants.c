/* SPDX-License-Identifier: MIT */
/*
 * Lists the constants that assembly needs, taken from the headers. It is compiled to assembly text,
 * from which the Makefile makes build/<bits>/regs.inc, and never linked.
 */
#include <stddef.h>

#include <arch/guests/guest_regs.h>
#include <arch/guests/guest_vectors.h>
#include <arch/modes/low_memory.h>
#include <arch/modes/modes.h>
#include <arch/modes/segments.h>
#include <arch/regs/apic.h>
#include <arch/regs/cpu.h>
#include <arch/regs/multiboot.h>
#include <arch/regs/pvh.h>
#include <arch/regs/vmx.h>
#include <arch/smp/ap.h>
#include <arch/svm/svm_insns.h>
#ifdef __x86_64__
#include <arch/modes/x86_64/page_tables.h>
#include <arch/modes/x86_64/tss.h>
#include <arch/regs/msr.h>
#else
#include <arch/modes/x86_32/tss.h>
#endif

#define EXPORT(name)               __asm__ ("@" #name " %0" : : "i" (name))
#define EXPORT_AS(name, value)     __asm__ ("@" #name " %0" : : "i" (value))
#define EXPORT_MODE(field)         EXPORT_AS(MODE_ENTRY_##field, offsetof(struct mode_entry, field))

#define EXPORT_GUEST(field)        EXPORT_AS(GUEST_REGS_##field, offsetof(struct guest_regs, field))

#define EXPORT_TABLES(name, field) \
	EXPORT_AS(TABLES_##name, offsetof(struct page_tables, field))

void export_constants(void);
static void export_width(void);

/* These are needed by one kernel only. */
#ifdef __x86_64__
static void export_width(void)
{
	EXPORT(CR4_PAE);
	EXPORT(IA32_EFER);
	EXPORT(IA32_EFER_LME);
	EXPORT(IA32_EFER_LMA);
	EXPORT(PAGE_PS);
	EXPORT_AS(PAGE_ALL, PAGE_P | PAGE_RW | PAGE_US);
	EXPORT_TABLES(PML4, pml4);
	EXPORT_TABLES(PDPT, pdpt);
	EXPORT_TABLES(PD, pd);
	EXPORT_AS(TSS_RSP0, offsetof(struct tss, rsp0));
}
#else
static void export_width(void)
{
	EXPORT_AS(TSS_ESP0, offsetof(struct tss, esp0));
}
#endif

void export_constants(void)
{
	EXPORT(XEN_ELFNOTE_PHYS32_ENTRY);
	EXPORT(XEN_HVM_START_MAGIC_VALUE);
	EXPORT(LOW_REAL_BASE);
	EXPORT(LOW_CODE_BASE);
	EXPORT(LOW_STACK_TOP);
	EXPORT(LOW_IVT);
	EXPORT(LOW_AP_BASE);
	EXPORT(LOW_AP_PARAMS);
	EXPORT(CR0_PE);
	EXPORT(CR0_PG);
	EXPORT(EFLAGS_VM);
	EXPORT(EFLAGS_ID);
	EXPORT(X86_PUSHES_ERROR_CODE);
	EXPORT(PIT_COMMAND);
	EXPORT(PIT_CHANNEL0);
	EXPORT_AS(PIT_ONE_SHOT0, (uint32_t)FIELD_PUT(PIT_COMMAND_ACCESS, 3));
	EXPORT(SELECTOR_KERNEL_CODE);
	EXPORT(X86_NMI);
	EXPORT(SELECTOR_KERNEL_DATA);
	EXPORT(SELECTOR_CODE16);
	EXPORT(SELECTOR_DATA16);
	EXPORT(SELECTOR_TSS);
	EXPORT(VECTOR_MODE_END);
	EXPORT(MULTIBOOT2_HEADER_MAGIC);
	EXPORT(MULTIBOOT1_HEADER_MAGIC);
	EXPORT_AS(AP_CR0, offsetof(struct ap_boot, cr0));
	EXPORT_AS(AP_CR3, offsetof(struct ap_boot, cr3));
	EXPORT_AS(AP_CR4, offsetof(struct ap_boot, cr4));
	EXPORT_AS(AP_EFER, offsetof(struct ap_boot, efer));
	EXPORT_AS(AP_STACK, offsetof(struct ap_boot, stack));
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
	EXPORT(VMCS_HOST_RSP);
	EXPORT(VMCS_HOST_RIP);
	EXPORT(GUEST_VECTORS);
	EXPORT(GUEST_VECTOR_SIZE);
	EXPORT_AS(SVM_PAGES_guest, offsetof(struct svm_pages, guest));
	EXPORT_AS(SVM_PAGES_host, offsetof(struct svm_pages, host));
	EXPORT_GUEST(ax);
	EXPORT_GUEST(bx);
	EXPORT_GUEST(cx);
	EXPORT_GUEST(dx);
	EXPORT_GUEST(si);
	EXPORT_GUEST(di);
	EXPORT_GUEST(bp);
	export_width();
}
