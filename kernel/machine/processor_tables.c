/* SPDX-License-Identifier: MIT */
#include <kernel/machine/processor_tables.h>

#include <stdarg.h>
#include <stddef.h>

#include <arch/regs/bios.h>
#include <kernel/lib/bytes.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>

enum { ANCHOR_STEP = 16 };      /* in bytes: both specifications align the structures so */

void processors_report(struct processors *p, const char *fmt, ...)
{
	va_list args;

	if (p->problem[0])
		return;
	va_start(args, fmt);
	format_vbuf(p->problem, sizeof(p->problem), fmt, args);
	va_end(args);
}

static bool is_known(const struct processors *p, uint32_t apic_id)
{
	for (unsigned i = 0; i < p->count; i++) {
		if (p->apic_id[i] == apic_id)
			return true;
	}
	return false;
}

void processors_take(struct processors *p, uint32_t apic_id, bool is_enabled)
{
	if (is_known(p, apic_id))
		return;
	if (!is_enabled)
		p->disabled++;
	else if (p->count == PROCESSORS_MAX)
		p->dropped++;
	else
		p->apic_id[p->count++] = apic_id;
}

const uint8_t *table_reader_at(const struct table_reader *reader, uint64_t address, uint32_t size)
{
	return reader->mem->at(reader->mem, address, size);
}

bool has_checksum(const uint8_t *bytes, uint32_t size)
{
	uint8_t sum = 0;

	for (uint32_t i = 0; i < size; i++)
		sum = (uint8_t)(sum + bytes[i]);
	return sum == 0;
}

struct memory_area find_ebda(const struct table_reader *reader, uint32_t size)
{
	const uint8_t *segment = table_reader_at(reader, BIOS_EBDA_SEGMENT, 2);

	/* Segment 0 means that there is no EBDA, and base 0 that there is no such area. */
	return (struct memory_area){ segment ? (uint32_t)read_u16(segment) << 4 : 0, size };
}

/* Sets *wrong, if it is 0, to the first address with a matching signature and a wrong checksum. */
static uint32_t search_area(const struct table_reader *reader,
                            const struct firmware_anchor *anchor,
                            const struct memory_area *area, uint32_t *wrong)
{
	const uint8_t *bytes = table_reader_at(reader, area->base, area->size);
	size_t signature_size = strlen(anchor->signature);

	if (!bytes)
		return 0;
	for (uint32_t i = 0; i + anchor->size <= area->size; i += ANCHOR_STEP) {
		if (bytes[i] != (uint8_t)anchor->signature[0]       /* spares most calls */
		    || memcmp(bytes + i, anchor->signature, signature_size) != 0)
			continue;
		if (has_checksum(bytes + i, anchor->size))
			return area->base + i;
		if (!*wrong)
			*wrong = area->base + i;
	}
	return 0;
}

uint32_t firmware_search(const struct table_reader *reader, const struct firmware_anchor *anchor,
                         const struct memory_area *areas, unsigned count)
{
	uint32_t wrong = 0;

	for (unsigned i = 0; i < count; i++) {
		uint32_t found = search_area(reader, anchor, &areas[i], &wrong);

		if (found)
			return found;
	}
	if (wrong)
		processors_report(reader->processors, "the %s at %" PRIX32 "H has a wrong checksum",
		                  anchor->name, wrong);
	return 0;
}
