/* SPDX-License-Identifier: MIT */
/* Source: SDM 3A, "32-Bit Paging". */
#include <arch/modes/paging.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/cpu/self.h>
#include <arch/modes/low_memory.h>
#include <arch/modes/private.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <arch/regs/table.h>

#define PAGE_ALL     (PAGE_P | PAGE_RW | PAGE_US)
#define PAGE_FRAME   (~(uint32_t)(PAGE_SIZE - 1))

struct tables {
	uint32_t directory[1024];
	uint32_t low[SMALL_PAGES_END / PAGE_SIZE];             /* the first 8 MB, page by page */
};

static struct tables tables __attribute__((aligned(4096)));

static const char *problem;
static uintptr_t own_block;             /* as for paging_fill_for(); 0 on the boot processor */

static SHARED uintptr_t uncached;       /* base address, 0 if no memory is uncached */

void paging_set_uncached(uintptr_t base) { uncached = base; }

const char *paging_problem(void) { return problem; }

bool is_paging_on(void)
{
	return (cr0_read() & CR0_PG) != 0;
}

void paging_set_page(const void *page, uint32_t flags)
{
	uint32_t *entry = &tables.low[(uintptr_t)page / PAGE_SIZE];

	*entry = (*entry & PAGE_FRAME) | flags;
	if (is_paging_on())
		tlb_drop_page(page);
}

void paging_restore_page(const void *page)
{
	paging_set_page(page, PAGE_ALL);
}

static void fill(struct tables *t, uintptr_t block, uintptr_t directory_base)
{
	for (uint32_t i = 0; i < COUNT_OF(t->low); i++)
		t->low[i] = private_frame(block, i * PAGE_SIZE) | PAGE_ALL;
	for (uint32_t i = 0; i < COUNT_OF(t->directory); i++)
		t->directory[i] = i << 22 | PAGE_ALL | PAGE_PS |
		                  (i << 22 == uncached ? PAGE_PCD : 0);
	t->low[0] = 0;
	t->low[(uintptr_t)stack_guard / PAGE_SIZE] = 0;
	for (uint32_t i = 0; i < SMALL_PAGES_END >> 22; i++)
		t->directory[i] = (uint32_t)(directory_base + offsetof(struct tables, low) +
		                             i * PAGE_SIZE) | PAGE_ALL;
}

uintptr_t paging_fill_for(uintptr_t block)
{
	struct tables *t = paging_private_at(block, &tables);

	*(uintptr_t *)paging_private_at(block, &own_block) = block;
	fill(t, block, (uintptr_t)t);
	return (uintptr_t)t;
}

uintptr_t paging_physical(const void *linear)
{
	uintptr_t address = (uintptr_t)linear;

	if (address >= SMALL_PAGES_END)
		return address;
	return (tables.low[address / PAGE_SIZE] & PAGE_FRAME) | (address & (PAGE_SIZE - 1));
}

void paging_share_low(bool is_shared)
{
	uintptr_t block = is_shared ? 0 : own_block;

	if (!own_block)
		return;
	for (uint32_t page = LOW_REAL_BASE; page < LOW_END; page += PAGE_SIZE)
		tables.low[page / PAGE_SIZE] = private_frame(block, page) | PAGE_ALL;
	cr3_write(cr3_read());
}

void paging_init(void)
{
	if (!cpuid_get(CPUID_PSE)) {
		problem = "CPUID.1:EDX[3] (PSE) = 0";
		return;
	}
	fill(&tables, 0, (uintptr_t)&tables);
	/* Clears all that firmware left set: PAE needs other tables, SMEP other pages. */
	cr4_write(CR4_PSE);
	cr3_write((uintptr_t)&tables);
	segments_set_page_directory((uintptr_t)&tables);
	/*
	 * One hypervisor, which runs guests without hardware support, does not support 32-bit
	 * paging.
	 */
	if (is_fault(cr0_try_write(cr0_read() | CR0_PG | CR0_WP)))
		problem = "MOV to CR0 with PG = 1 faults";
}
