/* SPDX-License-Identifier: MIT */
/*
 * Declares the two finders that fill a struct processors, for processors.c, and what both of them
 * need.
 */
#ifndef KERNEL_MACHINE_PROCESSOR_TABLES_H
#define KERNEL_MACHINE_PROCESSOR_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/loader/bootinfo.h>
#include <kernel/machine/processors.h>

/*
 * Limits the size of a table whose length firmware gives: thousands of processors fit, 16 bytes
 * each.
 */
enum { FIRMWARE_TABLE_MAX = 256 * 1024 };

/* Says what the finders read from, and what they fill. */
struct table_reader {
	struct processors *processors;
	const struct bootinfo *boot;
	const struct physical_memory *mem;
};

/* Return false if the table does not exist or names no enabled processor. */
bool madt_find_processors(const struct table_reader *reader);
bool mp_table_find_processors(const struct table_reader *reader);

/* Stores a problem, unless there is one already. */
void processors_report(struct processors *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Adds a processor, unless it is listed already. */
void processors_take(struct processors *p, uint32_t apic_id, bool is_enabled);

/* Returns the bytes at address, or NULL if not all of them can be read. */
const uint8_t *table_reader_at(const struct table_reader *reader, uint64_t address, uint32_t size);

/* Returns true if the bytes sum to 0, as the checksum of every table demands. */
bool has_checksum(const uint8_t *bytes, uint32_t size);

struct memory_area {
	uint32_t base, size;            /* in bytes; base is 0 if there is no such area */
};

/* Returns the first `size` bytes of the extended BIOS data area. */
struct memory_area find_ebda(const struct table_reader *reader, uint32_t size);

/* Describes a structure that has to be searched for. */
struct firmware_anchor {
	const char *name;               /* for messages */
	const char *signature;
	uint32_t size;                  /* the bytes that the checksum covers */
};

/*
 * Searches the areas in 16-byte steps and returns the address of the first match, or 0. A signature
 * without a correct checksum may be anything: it is reported as a problem only if no better match
 * exists.
 */
uint32_t firmware_search(const struct table_reader *reader, const struct firmware_anchor *anchor,
                         const struct memory_area *areas, unsigned count);

#endif
