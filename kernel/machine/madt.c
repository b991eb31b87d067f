/* SPDX-License-Identifier: MIT */
/*
 * Finds the processors that ACPI lists, starting from the RSDP. Source: ACPI Specification 6.4,
 * "ACPI System Description Tables", by its sections.
 */
#include <stddef.h>

#include <arch/regs/acpi.h>
#include <kernel/lib/bytes.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/machine/processor_tables.h>

struct table {
	const uint8_t *bytes;
	uint32_t length;                /* all bytes can be read, and the checksum is right */
};

/* The addresses of the tables of tables; 0 if there is none. */
struct roots {
	uint64_t xsdt;
	uint32_t rsdt;
};

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
static uint32_t structure_length(struct processors *p, const struct table *madt, uint32_t offset)
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
static void take_structures(struct processors *p, const struct table *madt, uint8_t type)
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

static bool take_madt(struct processors *p, const struct table *madt)
{
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

/* ----------------------------------------------------------------- tables and their roots */

/* Returns true if a table with this signature is at address. Reads no more than its header. */
static bool is_table(const struct table_reader *reader, uint64_t address, const char *signature)
{
	const uint8_t *header = table_reader_at(reader, address, ACPI_HEADER_SIZE);

	return header && memcmp(header, signature, strlen(signature)) == 0;
}

/* Reports a table that cannot be used. */
static bool can_read_table(const struct table_reader *reader, uint64_t address,
                           const char *signature, struct table *table)
{
	struct processors *p = reader->processors;

	if (!is_table(reader, address, signature)) {
		processors_report(p, "ACPI: no %s can be read at %" PRIX64 "H", signature, address);
		return false;
	}
	table->length = read_u32(table_reader_at(reader, address, ACPI_HEADER_SIZE)
	                         + ACPI_HEADER_Length);
	if (table->length < ACPI_HEADER_SIZE || table->length > FIRMWARE_TABLE_MAX) {
		processors_report(p, "ACPI: the %s at %" PRIX64 "H has length %" PRIu32,
		                  signature, address, table->length);
		return false;
	}
	table->bytes = table_reader_at(reader, address, table->length);
	if (table->bytes && has_checksum(table->bytes, table->length))
		return true;
	processors_report(p, "ACPI: the %s at %" PRIX64 "H %s", signature, address,
	                  table->bytes ? "has a wrong checksum" : "cannot be read to its end");
	return false;
}

/* Finds the MADT among the entries, of 4 or 8 bytes each; a machine has only one. */
static bool find_madt(const struct table_reader *reader, const struct table *root,
                      uint32_t entry_size)
{
	uint64_t out_of_reach = 0;

	for (uint32_t i = ACPI_XSDT_Entry; root->length - i >= entry_size; i += entry_size) {
		const uint8_t *entry = root->bytes + i;
		uint64_t address = entry_size == 8 ? read_u64(entry) : read_u32(entry);
		struct table madt;

		if (!address)
			continue;
		if (!table_reader_at(reader, address, ACPI_HEADER_SIZE))
			out_of_reach = address;
		else if (is_table(reader, address, ACPI_MADT_SIGNATURE))
			return can_read_table(reader, address, ACPI_MADT_SIGNATURE, &madt)
			       && take_madt(reader->processors, &madt);
	}
	if (out_of_reach)
		processors_report(reader->processors, "ACPI: the table at %" PRIX64
		                  "H is out of this kernel's reach", out_of_reach);
	return false;
}

static bool try_root(const struct table_reader *reader, uint64_t address, const char *signature,
                     uint32_t entry_size)
{
	struct table root;

	return address && can_read_table(reader, address, signature, &root)
	       && find_madt(reader, &root, entry_size);
}

/* ------------------------------------------------------------------------------ the RSDP */

/* Reads the fields of ACPI 2.0; without them the RSDT suffices. */
static uint64_t read_xsdt_address(struct processors *p, const uint8_t *rsdp)
{
	uint32_t length = read_u32(rsdp + ACPI_RSDP_Length);

	if (length != ACPI_RSDP_SIZE)
		processors_report(p, "ACPI: the RSDP has length %" PRIu32 ", expected %d", length,
		                  ACPI_RSDP_SIZE);
	else if (!has_checksum(rsdp, ACPI_RSDP_SIZE))
		processors_report(p, "ACPI: the RSDP's extended checksum is wrong");
	else
		return read_u64(rsdp + ACPI_RSDP_XsdtAddress);
	return 0;
}

/*
 * size is the number of bytes that can be read, at least ACPI_RSDP_SIZE_1; the first checksum is
 * right.
 */
static struct roots read_rsdp(struct processors *p, const uint8_t *rsdp, uint32_t size)
{
	struct roots roots = { 0, read_u32(rsdp + ACPI_RSDP_RsdtAddress) };

	if (rsdp[ACPI_RSDP_Revision] >= 2 && size >= ACPI_RSDP_SIZE)
		roots.xsdt = read_xsdt_address(p, rsdp);
	return roots;
}

static bool has_loaders_rsdp(const struct table_reader *reader)
{
	const struct bootinfo *boot = reader->boot;

	if (boot->rsdp_size < ACPI_RSDP_SIZE_1)
		return false;
	if (memcmp(boot->rsdp, ACPI_RSDP_SIGNATURE, strlen(ACPI_RSDP_SIGNATURE)) == 0
	    && has_checksum(boot->rsdp, ACPI_RSDP_SIZE_1))
		return true;
	processors_report(reader->processors,
	                  "ACPI: the boot loader's RSDP has a wrong signature or checksum");
	return false;
}

static struct roots search_roots(const struct table_reader *reader)
{
	static const struct firmware_anchor anchor = {
		"RSDP", ACPI_RSDP_SIGNATURE, ACPI_RSDP_SIZE_1
	};
	const struct memory_area areas[] = {
		find_ebda(reader, ACPI_RSDP_EBDA_SIZE), { ACPI_RSDP_AREA, ACPI_RSDP_AREA_SIZE },
	};
	uint32_t address = firmware_search(reader, &anchor, areas, 2);
	const uint8_t *rsdp;

	if (!address)
		return (struct roots){ 0, 0 };
	rsdp = table_reader_at(reader, address, ACPI_RSDP_SIZE);
	if (rsdp)
		return read_rsdp(reader->processors, rsdp, ACPI_RSDP_SIZE);
	return read_rsdp(reader->processors, table_reader_at(reader, address, ACPI_RSDP_SIZE_1),
	                 ACPI_RSDP_SIZE_1);
}

bool madt_find_processors(const struct table_reader *reader)
{
	const struct bootinfo *boot = reader->boot;
	struct roots roots = { 0, 0 };

	if (has_loaders_rsdp(reader))
		roots = read_rsdp(reader->processors, boot->rsdp, boot->rsdp_size);
	else if (!boot->is_efi)
		roots = search_roots(reader);
	return try_root(reader, roots.xsdt, ACPI_XSDT_SIGNATURE, 8)
	       || try_root(reader, roots.rsdt, ACPI_RSDT_SIGNATURE, 4);
}
