/* SPDX-License-Identifier: MIT */
/* Source: SDM 3A, "4-Level Paging". */
#include <arch/modes/paging.h>

#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/cpu/self.h>
#include <arch/modes/private.h>
#include <arch/modes/x86_64/page_tables.h>
#include <arch/regs/cpu.h>

#define PAGE_ALL     (PAGE_P | PAGE_RW | PAGE_US)
#define ENTRY_FRAME  FIELD(51, 12)

#define SHIFT_PT     12
#define SHIFT_PD     21
#define SHIFT_PDPT   30
#define SHIFT_PML4   39

_Static_assert(LOW_TABLES << SHIFT_PD == SMALL_PAGES_END, "the tables are for all small pages");

struct page_tables page_tables __attribute__((aligned(4096)));

static SHARED uintptr_t uncached;       /* base address of 4 MB; 0 if no memory is uncached */

void paging_set_uncached(uintptr_t base) { uncached = base; }

const char *paging_problem(void) { return NULL; }
bool is_paging_on(void)          { return true; }

static uint64_t *low_entry(const void *page)
{
	return &page_tables.low[(uintptr_t)page / PAGE_SIZE];
}

void paging_set_page(const void *page, uint32_t flags)
{
	uint64_t *entry = low_entry(page);

	*entry = (*entry & ENTRY_FRAME) | flags;
	tlb_drop_page(page);
}

void paging_restore_page(const void *page)
{
	paging_set_page(page, PAGE_ALL);
}

#define TABLE(base, member)  ((base) + offsetof(struct page_tables, member))

/*
 * Fills t for the processor that has t at the physical address base. The order matters: this
 * processor may be running with t.
 */
static void fill(struct page_tables *t, uintptr_t block, uint64_t base)
{
	for (uint32_t i = 0; i < LOW_TABLES * TABLE_ENTRIES; i++)
		t->low[i] = i ? private_frame(block, i * PAGE_SIZE) | PAGE_ALL : 0;
	t->low[(uintptr_t)stack_guard / PAGE_SIZE] = 0;
	for (uint64_t i = 0; i < 4 * TABLE_ENTRIES; i++)
		t->pd[i] = i << SHIFT_PD | PAGE_ALL | PAGE_PS |
		           (uncached && i >> 1 == uncached >> 22 ? PAGE_PCD : 0);
	for (uint64_t i = 0; i < LOW_TABLES; i++)
		t->pd[i] = (TABLE(base, low) + i * PAGE_SIZE) | PAGE_ALL;
	for (uint64_t i = 0; i < TABLE_ENTRIES; i++) {
		t->pdpt[i] = i < 4 ? (TABLE(base, pd) + i * PAGE_SIZE) | PAGE_ALL : 0;
		t->pml4[i] = i ? 0 : TABLE(base, pdpt) | PAGE_ALL;
		t->high_pdpt[i] = t->high_pd[i] = t->high_pt[i] = 0;
	}
}

uintptr_t paging_fill_for(uintptr_t block)
{
	struct page_tables *t = paging_private_at(block, &page_tables);

	fill(t, block, (uintptr_t)t);
	return (uintptr_t)t;
}

void paging_init(void)
{
	fill(&page_tables, 0, (uintptr_t)&page_tables);
	cr3_write((uintptr_t)&page_tables);             /* drops the entry code's pages */
	cr0_write(cr0_read() | CR0_WP);
}

uintptr_t paging_physical(const void *linear)
{
	uintptr_t address = (uintptr_t)linear;

	if (address >= SMALL_PAGES_END)
		return address;
	return (*low_entry(linear) & ENTRY_FRAME) | (address & (PAGE_SIZE - 1));
}

/* Returns the entry for linear in a table of this level. */
static uint64_t *entry_of(uint64_t *table, uint64_t linear, unsigned shift)
{
	return &table[linear >> shift & (TABLE_ENTRIES - 1)];
}

/* Points an entry to a table; returns false if it already points elsewhere. */
static bool has_pointed(uint64_t *entry, const uint64_t *table)
{
	uint64_t value = paging_physical(table) | PAGE_ALL;

	if (*entry & PAGE_P)
		return (*entry & ENTRY_FRAME) == (value & ENTRY_FRAME);
	*entry = value;
	return true;
}

/*
 * Returns the entry of the page itself, or NULL if the only table already maps another part of
 * memory.
 */
static uint64_t *high_entry(uint64_t linear, bool is_large)
{
	struct page_tables *t = &page_tables;
	uint64_t *top = entry_of(t->pml4, linear, SHIFT_PML4), *large;
	uint64_t *pdpt = top == t->pml4 ? t->pdpt : t->high_pdpt;

	if (!has_pointed(top, pdpt) || !has_pointed(entry_of(pdpt, linear, SHIFT_PDPT), t->high_pd))
		return NULL;
	large = entry_of(t->high_pd, linear, SHIFT_PD);
	if (is_large)
		return large;
	return has_pointed(large, t->high_pt) ? entry_of(t->high_pt, linear, SHIFT_PT) : NULL;
}

bool paging_map_high(uint64_t linear, uint64_t physical, uint32_t flags)
{
	uint64_t *entry;

	if (linear < UINT64_C(1) << 32)
		return false;
	entry = high_entry(linear, (flags & PAGE_PS) != 0);
	if (!entry)
		return false;
	*entry = physical | flags;
	tlb_drop_page((const void *)linear);
	return true;
}

void paging_unmap_high(void)
{
	for (unsigned i = 0; i < TABLE_ENTRIES; i++) {
		page_tables.pml4[i] &= i ? 0 : ~UINT64_C(0);
		page_tables.pdpt[i] &= i < 4 ? ~UINT64_C(0) : 0;
		page_tables.high_pdpt[i] = page_tables.high_pd[i] = page_tables.high_pt[i] = 0;
	}
	cr3_write(cr3_read());
}
