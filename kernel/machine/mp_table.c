/* SPDX-License-Identifier: MIT */
/* Source: MultiProcessor Specification 1.4, chapters 4 and 5, by their sections. */
#include <stddef.h>

#include <arch/regs/bios.h>
#include <arch/regs/mp.h>
#include <arch/regs/table.h>
#include <kernel/lib/bytes.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/machine/processor_tables.h>

enum {
	APIC_ID_NONE = 0xff,            /* means all processors */
	DEFAULT_PROCESSORS = 2,         /* "Default Configurations": with the APIC IDs 0 and 1 */
};

/* Returns the last KB of base memory, whose size the BIOS reports. */
static struct memory_area find_base_memory_end(const struct table_reader *reader)
{
	const uint8_t *word = table_reader_at(reader, BIOS_BASE_MEMORY_SIZE, 2);
	uint32_t size = word ? read_u16(word) : 0;

	if (size == 0 || size > BIOS_BASE_MEMORY_MAX)
		return (struct memory_area){ 0, 0 };
	return (struct memory_area){ (size - 1) << 10, MP_AREA_SIZE };
}

static void take_processor(struct processors *p, const uint8_t *entry)
{
	uint8_t id = entry[MP_PROCESSOR_LOCAL_APIC_ID];

	if (id != APIC_ID_NONE)
		processors_take(p, id, (entry[MP_PROCESSOR_CPU_FLAGS] & MP_CPU_FLAGS_EN) != 0);
}

/* Returns 0 for an unknown type. */
static uint32_t entry_size(uint8_t type)
{
	if (type == MP_ENTRY_PROCESSOR)
		return MP_PROCESSOR_SIZE;
	return type <= MP_ENTRY_LOCAL_INTERRUPT ? MP_ENTRY_SIZE : 0;
}

static void take_entries(struct processors *p, const uint8_t *table, uint32_t length)
{
	uint16_t count = read_u16(table + MP_TABLE_ENTRY_COUNT);
	uint32_t offset = MP_TABLE_ENTRIES, size;

	for (unsigned i = 0; i < count; i++, offset += size) {
		size = offset < length ? entry_size(table[offset]) : 0;
		if (size == 0 || size > length - offset) {
			processors_report(p, "MP table: entry %u of %u at offset %" PRIu32
			                  " is not of a known type or beyond the end", i + 1, count,
			                  offset);
			return;
		}
		if (table[offset] == MP_ENTRY_PROCESSOR)
			take_processor(p, table + offset);
	}
}

/* Returns the configuration table, or NULL after reporting the problem. */
static const uint8_t *read_table(const struct table_reader *reader, uint32_t address,
                                 uint32_t *length)
{
	const uint8_t *table = table_reader_at(reader, address, MP_TABLE_ENTRIES);
	size_t signature_size = strlen(MP_TABLE_SIGNATURE);

	if (!table || memcmp(table, MP_TABLE_SIGNATURE, signature_size) != 0) {
		processors_report(reader->processors, "MP table: no configuration table at %" PRIX32
		                  "H", address);
		return NULL;
	}
	*length = read_u16(table + MP_TABLE_BASE_TABLE_LENGTH);
	table = *length >= MP_TABLE_ENTRIES ? table_reader_at(reader, address, *length) : NULL;
	if (table && has_checksum(table, *length))
		return table;
	processors_report(reader->processors, "MP table: length %" PRIu32 "%s", *length,
	                  table ? ", and a wrong checksum" : " cannot be right");
	return NULL;
}

static void take_configuration(const struct table_reader *reader, uint32_t address)
{
	struct processors *p = reader->processors;
	uint32_t length;
	const uint8_t *table = read_table(reader, address, &length);

	if (!table)
		return;
	take_entries(p, table, length);
	if (!p->count)
		processors_report(p, "MP table: it lists no enabled processor");
}

static void take_default(struct processors *p, uint8_t configuration)
{
	if (configuration > MP_DEFAULT_CONFIGURATIONS) {
		processors_report(p, "MP table: there is no default configuration %u",
		                  configuration);
		return;
	}
	for (uint32_t id = 0; id < DEFAULT_PROCESSORS; id++)
		processors_take(p, id, true);
}

/* Returns the address of the floating pointer structure, or 0 if there is none. */
static uint32_t find_pointer(const struct table_reader *reader)
{
	static const struct firmware_anchor anchor = { "MP table", MP_SIGNATURE, MP_SIZE };
	const struct memory_area areas[] = {
		find_ebda(reader, MP_AREA_SIZE), find_base_memory_end(reader),
		{ (BIOS_BASE_MEMORY_MAX - 1) << 10, MP_AREA_SIZE },
		{ MP_ROM_AREA, MP_ROM_AREA_SIZE },
	};

	return firmware_search(reader, &anchor, areas, COUNT_OF(areas));
}

bool mp_table_find_processors(const struct table_reader *reader)
{
	uint32_t address = reader->boot->is_efi ? 0 : find_pointer(reader);
	const uint8_t *pointer;

	if (!address)
		return false;
	pointer = table_reader_at(reader, address, MP_SIZE);
	if (pointer[MP_FEATURE_1])
		take_default(reader->processors, pointer[MP_FEATURE_1]);
	else
		take_configuration(reader, read_u32(pointer + MP_PHYSICAL_ADDRESS_POINTER));
	return reader->processors->count > 0;
}
