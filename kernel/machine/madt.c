/* SPDX-License-Identifier: MIT */
/*
 * Finds the processors that ACPI's MADT lists. Source: ACPI Specification 6.4, "Multiple APIC
 * Description Table (MADT)".
 */
#include <arch/regs/acpi.h>
#include <kernel/lib/bytes.h>
#include <kernel/lib/format.h>
#include <kernel/machine/acpi_walk.h>
#include <kernel/machine/processor_tables.h>

/* An APIC ID that a structure can hold but no processor has: it means all processors, or none. */
enum { APIC_ID_NONE = 0xff };
#define X2APIC_ID_NONE UINT32_MAX

/* ----------------------------------------------------------------- structures of the MADT */

static void take_local_apic(struct processors *p, const uint8_t *structure)
{
	uint32_t flags = read_u32(structure + ACPI_LOCAL_APIC_Flags);
	uint8_t id = structure[ACPI_LOCAL_APIC_APIC_ID];

	if (id != APIC_ID_NONE)
		processors_take(p, id, (flags & ACPI_LOCAL_APIC_Enabled) != 0);
}

/*
 * "Logical processors with APIC ID values less than 255 must use the Processor Local APIC
 * structure". If those are used, some firmware has this kind for processors that do not exist.
 */
static void take_local_x2apic(struct processors *p, const uint8_t *structure, bool has_local_apics)
{
	uint32_t flags = read_u32(structure + ACPI_LOCAL_X2APIC_Flags);
	uint32_t id = read_u32(structure + ACPI_LOCAL_X2APIC_X2APIC_ID);
	bool is_believed = id >= APIC_ID_NONE || !has_local_apics;

	if (id != X2APIC_ID_NONE)
		processors_take(p, id, is_believed && flags & ACPI_LOCAL_APIC_Enabled);
}

static uint32_t least_length(uint8_t type)
{
	switch (type) {
	case ACPI_MADT_LOCAL_APIC:   return ACPI_LOCAL_APIC_SIZE;
	case ACPI_MADT_LOCAL_X2APIC: return ACPI_LOCAL_X2APIC_SIZE;
	default:                     return ACPI_MADT_Length + 1;
	}
}

/* Returns the length of the structure at offset, or 0 if no further structure can be found. */
static uint32_t structure_length(struct processors *p, const struct acpi_table *madt,
                                 uint32_t offset)
{
	uint32_t left = madt->length - offset;
	uint32_t length = left > ACPI_MADT_Length ? madt->bytes[offset + ACPI_MADT_Length] : 0;
	uint8_t type = madt->bytes[offset + ACPI_MADT_Type];

	if (length >= least_length(type) && length <= left)
		return length;
	processors_report(p, "MADT: structure of type %u at offset %" PRIu32 " has length %" PRIu32
	                  ", %" PRIu32 " are left", type, offset, length, left);
	return 0;
}

/* Adds the processors of all structures of one type. */
static void take_structures(struct processors *p, const struct acpi_table *madt, uint8_t type)
{
	const bool has_local_apics = p->count > 0;
	uint32_t offset = ACPI_MADT_STRUCTURES, length;

	for (; offset < madt->length; offset += length) {
		const uint8_t *structure = madt->bytes + offset;

		length = structure_length(p, madt, offset);
		if (!length)
			return;
		if (structure[ACPI_MADT_Type] != type)
			continue;
		if (type == ACPI_MADT_LOCAL_APIC)
			take_local_apic(p, structure);
		else
			take_local_x2apic(p, structure, has_local_apics);
	}
}

static bool take_madt(const struct table_reader *reader, const struct acpi_table *madt)
{
	struct processors *p = reader->processors;

	if (madt->length < ACPI_MADT_STRUCTURES) {
		processors_report(p, "MADT: its length is %" PRIu32 ", the least is %d",
		                  madt->length, ACPI_MADT_STRUCTURES);
		return false;
	}
	take_structures(p, madt, ACPI_MADT_LOCAL_APIC);
	take_structures(p, madt, ACPI_MADT_LOCAL_X2APIC);
	if (!p->count)
		processors_report(p, "MADT: it lists no enabled processor");
	return p->count > 0;
}

bool madt_find_processors(const struct table_reader *reader)
{
	return acpi_use_table(reader, ACPI_MADT_SIGNATURE, take_madt);
}
