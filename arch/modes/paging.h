/* SPDX-License-Identifier: MIT */
/*
 * Paging: linear addresses are physical addresses, but for page 0 and the guard pages, which are
 * not there, and what is private to a processor that was started later (smp.h).
 */
#ifndef ARCH_MODES_PAGING_H
#define ARCH_MODES_PAGING_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_SIZE 4096u

/*
 * Maps the first 4 GB to themselves, for all privilege levels, and switches paging on. Page 0 is
 * not there, to catch null pointers. Paging stays off, and paging_problem() says why, where
 * there are no 4 MB pages or the processor does not let itself be switched.
 */
void paging_init(void);

/* Before it: these 4 MB, aligned to as many, will not be cached by any processor. */
void paging_set_uncached(uintptr_t base);

bool is_paging_on(void);

/* NULL, or why paging is off. */
const char *paging_problem(void);

/* Sets a page of the first 4 MB to PAGE_P, PAGE_RW, PAGE_US or 0 (not present). */
void paging_set_page(const void *page, uint32_t flags);

/* Sets all flags, as paging_init() does. */
void paging_restore_page(const void *page);

/*
 * Another processor's private memory: paging_private_size() bytes at block, on a page of its own.
 * It holds that processor's kernel data, then its low memory (low_memory.h).
 */
uint32_t paging_private_size(void);

/* Fills the page tables that lie in block; returns what CR3 has to be. */
uintptr_t paging_fill_for(uintptr_t block);

/* Where in block the copy of one of this kernel's variables is. */
void *paging_private_at(uintptr_t block, const void *variable);

/*
 * Of the memory from LOW_REAL_BASE to LOW_END this processor sees the one that is there without
 * paging, or its own again. (On the boot processor they are the same.)
 */
void paging_share_low(bool is_shared);

#ifdef __x86_64__
/*
 * Lets a page of 4 KB, or of 2 MB with PAGE_PS in flags, appear above 4 GB, too. There is one table
 * of each level for that: false, and nothing is mapped, if linear is not in the same 2 MB (pages
 * of 2 MB: the same 1 GB) as what was mapped before.
 */
bool paging_map_high(uint64_t linear, uint64_t physical, uint32_t flags);

/* Takes away all that paging_map_high() mapped. */
void paging_unmap_high(void);

/* The physical address of something below 4 GB. */
uintptr_t paging_physical(const void *linear);
#endif

#endif
