/* SPDX-License-Identifier: MIT */
/* Finds ACPI's tables, starting from the RSDP. */
#ifndef KERNEL_MACHINE_ACPI_WALK_H
#define KERNEL_MACHINE_ACPI_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/machine/processor_tables.h>

struct acpi_table {
	const uint8_t *bytes;
	uint32_t length;                /* all bytes can be read, and the checksum is right */
};

/* Takes what it needs from a table. Returns false if the table is of no use. */
typedef bool (*acpi_use_fn)(const struct table_reader *reader, const struct acpi_table *table);

/*
 * Calls use() with the first table of this signature that the XSDT lists and, if that was of no
 * use, with that of the RSDT. Returns what use() returned, or false without such a table.
 */
bool acpi_use_table(const struct table_reader *reader, const char *signature, acpi_use_fn use);

#endif
