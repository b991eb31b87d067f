/* SPDX-License-Identifier: MIT */
/* Paging: linear addresses are physical addresses, but for page 0 and the guard pages. */
#ifndef ARCH_PAGING_H
#define ARCH_PAGING_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_SIZE 4096u

/*
 * Maps the first 4 GB to themselves, for all privilege levels, and switches paging on. Page 0 is
 * not there, to catch null pointers. Paging stays off, and paging_problem() says why, where
 * there are no 4 MB pages or the processor does not let itself be switched.
 */
void paging_init(void);

bool is_paging_on(void);

/* NULL, or why paging is off. */
const char *paging_problem(void);

/* Sets a page of the first 4 MB to PAGE_P, PAGE_RW, PAGE_US or 0 (not present). */
void paging_set_page(const void *page, uint32_t flags);

/* Sets all flags, as paging_init() does. */
void paging_restore_page(const void *page);

#endif
