/* SPDX-License-Identifier: MIT */
/*
 * Sets up paging. Linear addresses are physical addresses, with two exceptions: page 0 and the
 * guard pages are not present, and a processor that was started later has some private memory
 * (smp.h).
 */
#ifndef ARCH_MODES_PAGING_H
#define ARCH_MODES_PAGING_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_SIZE 4096u

/*
 * Maps the first 4 GB to themselves, for all privilege levels, and enables paging. Page 0 is not
 * present, to catch null pointers. Paging stays off if there are no 4 MB pages or if the processor
 * rejects the switch; paging_problem() then says why.
 */
void paging_init(void);

/*
 * Makes the 4 MB at base uncached on all processors. base is aligned to 4 MB. Must be called before
 * paging_init().
 */
void paging_set_uncached(uintptr_t base);

bool is_paging_on(void);

/* Returns NULL, or why paging is off. */
const char *paging_problem(void);

/*
 * Sets a page of the first 8 MB to a combination of PAGE_P, PAGE_RW and PAGE_US, or to 0 (not
 * present).
 */
void paging_set_page(const void *page, uint32_t flags);

/* Sets all three flags, as paging_init() does. */
void paging_restore_page(const void *page);

/*
 * Returns the size in bytes of another processor's private memory. That memory, called block below,
 * begins on a page of its own and holds the processor's kernel data, followed by its low memory
 * (low_memory.h).
 */
uint32_t paging_private_size(void);

/* Fills the page tables that lie in block and returns the value for CR3. */
uintptr_t paging_fill_for(uintptr_t block);

/* Returns the address in block of the copy of one of this kernel's variables. */
void *paging_private_at(uintptr_t block, const void *variable);

/* Returns the physical address of an object below 4 GB. */
uintptr_t paging_physical(const void *linear);

/*
 * Lets this processor see, from LOW_REAL_BASE to LOW_END, the memory that is visible without
 * paging, or its own copy again. (On the boot processor both are the same.)
 */
void paging_share_low(bool is_shared);

#ifdef __x86_64__
/*
 * Maps a page of 4 KB, or of 2 MB with PAGE_PS in flags, above 4 GB. There is only one table of
 * each level for such pages: returns false and maps nothing unless linear is in the same 2 MB (for
 * pages of 2 MB: in the same 1 GB) as what was mapped before.
 */
bool paging_map_high(uint64_t linear, uint64_t physical, uint32_t flags);

/* Unmaps all that paging_map_high() mapped. */
void paging_unmap_high(void);
#endif

#endif
