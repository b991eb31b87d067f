/* SPDX-License-Identifier: MIT */
/* Source: ACPI Specification 6.4, "ACPI System Description Tables", by its sections. */
#include <kernel/machine/acpi_walk.h>

#include <stddef.h>

#include <arch/regs/acpi.h>
#include <kernel/lib/bytes.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>

/* The addresses of the tables of tables; 0 if there is none. */
struct roots {
	uint64_t xsdt;
	uint32_t rsdt;
};

struct request {
	const char *signature;
	acpi_use_fn use;
};

/* ----------------------------------------------------------------- tables and their roots */

/* Returns true if a table with this signature is at address. Reads no more than its header. */
static bool is_table(const struct table_reader *reader, uint64_t address, const char *signature)
{
	const uint8_t *header = table_reader_at(reader, address, ACPI_HEADER_SIZE);

	return header && memcmp(header, signature, strlen(signature)) == 0;
}

/* Reports a table that cannot be used. */
static bool can_read_table(const struct table_reader *reader, uint64_t address,
                           const char *signature, struct acpi_table *table)
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

/* Finds a table among the entries, of 4 or 8 bytes each, and uses the first of that signature. */
static bool use_entry(const struct table_reader *reader, const struct acpi_table *root,
                      uint32_t entry_size, const struct request *request)
{
	uint64_t out_of_reach = 0;

	for (uint32_t i = ACPI_XSDT_Entry; root->length - i >= entry_size; i += entry_size) {
		const uint8_t *entry = root->bytes + i;
		uint64_t address = entry_size == 8 ? read_u64(entry) : read_u32(entry);
		struct acpi_table table;

		if (!address)
			continue;
		if (!table_reader_at(reader, address, ACPI_HEADER_SIZE))
			out_of_reach = address;
		else if (is_table(reader, address, request->signature))
			return can_read_table(reader, address, request->signature, &table)
			       && request->use(reader, &table);
	}
	if (out_of_reach)
		processors_report(reader->processors, "ACPI: the table at %" PRIX64
		                  "H is out of this kernel's reach", out_of_reach);
	return false;
}

static bool try_root(const struct table_reader *reader, uint64_t address, const char *signature,
                     uint32_t entry_size, const struct request *request)
{
	struct acpi_table root;

	return address && can_read_table(reader, address, signature, &root)
	       && use_entry(reader, &root, entry_size, request);
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

bool acpi_use_table(const struct table_reader *reader, const char *signature, acpi_use_fn use)
{
	const struct request request = { signature, use };
	const struct bootinfo *boot = reader->boot;
	struct roots roots = { 0, 0 };

	if (has_loaders_rsdp(reader))
		roots = read_rsdp(reader->processors, boot->rsdp, boot->rsdp_size);
	else if (!boot->is_efi)
		roots = search_roots(reader);
	return try_root(reader, roots.xsdt, ACPI_XSDT_SIGNATURE, 8, &request)
	       || try_root(reader, roots.rsdt, ACPI_RSDT_SIGNATURE, 4, &request);
}
