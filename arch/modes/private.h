/* SPDX-License-Identifier: MIT */
/* Locates the memory that is private to a processor, for the page tables of both widths. */
#ifndef ARCH_MODES_PRIVATE_H
#define ARCH_MODES_PRIVATE_H

#include <stdint.h>

#include <arch/modes/low_memory.h>
#include <arch/modes/paging.h>

extern uint8_t stack_guard[];                     /* the page below the stack, never present */
extern uint8_t private_start[], private_end[];    /* from linker.ld, on pages of their own */

/* The kernel lies below this address, in pages of 4 KB (linker.ld); above it pages are large. */
enum { SMALL_PAGES_END = 8 << 20 };

/*
 * Returns the frame of a page below SMALL_PAGES_END. block is as for paging_fill_for(), or 0 for
 * the boot processor.
 */
static inline uint32_t private_frame(uintptr_t block, uint32_t page)
{
	const uint32_t start = (uint32_t)(uintptr_t)private_start;
	const uint32_t end = (uint32_t)(uintptr_t)private_end;

	if (block && page >= start && page < end)
		return (uint32_t)block + (page - start);
	if (block && page >= LOW_REAL_BASE && page < LOW_END)
		return (uint32_t)block + (end - start) + (page - LOW_REAL_BASE);
	return page;
}

#endif
