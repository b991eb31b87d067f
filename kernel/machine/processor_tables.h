/* SPDX-License-Identifier: MIT */
/* The two finders that fill a struct processors, for processors.c, and what both finders need. */
#ifndef KERNEL_MACHINE_PROCESSOR_TABLES_H
#define KERNEL_MACHINE_PROCESSOR_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/loader/bootinfo.h>
#include <kernel/machine/processors.h>

/*
 * The most that is believed of a table whose length firmware gives: 16 bytes for each processor,
 * and thousands of them fit.
 */
enum { FIRMWARE_TABLE_MAX = 256 * 1024 };

/* Where processors are looked for, and where what is found goes. */
struct table_reader {
	struct processors *processors;
	const struct bootinfo *boot;
	const struct physical_memory *mem;
};

/* False: there is no such table, or none that names an enabled processor. */
bool madt_find_processors(const struct table_reader *reader);
bool mp_table_find_processors(const struct table_reader *reader);

/* Leaves a problem, unless there is one already. */
void processors_report(struct processors *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Takes one, unless it is there already. */
void processors_take(struct processors *p, uint32_t apic_id, bool is_enabled);

/* The bytes at address; NULL if not all of them can be read. */
const uint8_t *table_reader_at(const struct table_reader *reader, uint64_t address, uint32_t size);

/* Do the bytes sum to 0? Every table's checksum is made so. */
bool has_checksum(const uint8_t *bytes, uint32_t size);

struct memory_area {
	uint32_t base, size;            /* bytes; base 0: no such area */
};

/* The first bytes of the extended BIOS data area. */
struct memory_area find_ebda(const struct table_reader *reader, uint32_t size);

/* What is known of a structure that has to be searched for. */
struct firmware_anchor {
	const char *name;               /* for people */
	const char *signature;
	uint32_t size;                  /* bytes that the checksum covers */
};

/*
 * The address of the first one, in 16-byte steps through the areas; 0: none. A signature without
 * the checksum may be anything: it is a problem only if there is nothing better.
 */
uint32_t firmware_search(const struct table_reader *reader, const struct firmware_anchor *anchor,
                         const struct memory_area *areas, unsigned count);

#endif
