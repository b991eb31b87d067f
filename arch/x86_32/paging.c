/* SPDX-License-Identifier: MIT */
/* Source: SDM 3A, "32-Bit Paging". */
#include <arch/paging.h>

#include <stddef.h>

#include <arch/cpuid.h>
#include <arch/fault.h>
#include <arch/insn.h>
#include <arch/regs/cpu.h>
#include <arch/segments.h>

#define PAGE_ALL (PAGE_P | PAGE_RW | PAGE_US)

static uint32_t directory[1024] __attribute__((aligned(4096)));
static uint32_t low_table[1024] __attribute__((aligned(4096)));   /* the first 4 MB, page by page */

static const char *problem;

const char *paging_problem(void) { return problem; }

bool is_paging_on(void)
{
	return (cr0_read() & CR0_PG) != 0;
}

void paging_set_page(const void *page, uint32_t flags)
{
	uint32_t address = (uint32_t)(uintptr_t)page & ~(PAGE_SIZE - 1);

	low_table[address / PAGE_SIZE] = address | flags;
	if (is_paging_on())
		tlb_drop_page(page);
}

void paging_restore_page(const void *page)
{
	paging_set_page(page, PAGE_ALL);
}

static void fill_tables(void)
{
	for (uint32_t i = 0; i < 1024; i++) {
		low_table[i] = i * PAGE_SIZE | PAGE_ALL;
		directory[i] = i << 22 | PAGE_ALL | PAGE_PS;
	}
	low_table[0] = 0;
	directory[0] = (uint32_t)(uintptr_t)low_table | PAGE_ALL;
}

void paging_init(void)
{
	if (!cpuid_get(CPUID_PSE)) {
		problem = "CPUID.1:EDX[3] (PSE) = 0";
		return;
	}
	fill_tables();
	cr4_write(cr4_read() | CR4_PSE);
	cr3_write((uintptr_t)directory);
	segments_set_page_directory((uintptr_t)directory);
	/* One hypervisor that runs guests without hardware support knows no 32-bit paging. */
	if (is_fault(cr0_try_write(cr0_read() | CR0_PG | CR0_WP)))
		problem = "MOV to CR0 with PG = 1 faults";
}
