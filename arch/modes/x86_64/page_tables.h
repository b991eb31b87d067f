/* SPDX-License-Identifier: MIT */
/*
 * Defines the tables of 4-level paging. entry.asm fills them first; paging.c fills them again,
 * completely.
 */
#ifndef ARCH_MODES_X86_64_PAGE_TABLES_H
#define ARCH_MODES_X86_64_PAGE_TABLES_H

#include <stdint.h>

enum { TABLE_ENTRIES = 512, LOW_TABLES = 4 };

struct page_tables {
	uint64_t pml4[TABLE_ENTRIES];           /* CR3 points here */
	uint64_t pdpt[TABLE_ENTRIES];           /* the first 512 GB */
	uint64_t pd[4 * TABLE_ENTRIES];         /* the first 4 GB, in pages of 2 MB */
	uint64_t low[LOW_TABLES * TABLE_ENTRIES];       /* the first 8 MB, in pages of 4 KB */
	uint64_t high_pdpt[TABLE_ENTRIES];      /* for paging_map_high(): one table of each level */
	uint64_t high_pd[TABLE_ENTRIES];
	uint64_t high_pt[TABLE_ENTRIES];
};

extern struct page_tables page_tables;

#endif
