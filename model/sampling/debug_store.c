/* SPDX-License-Identifier: MIT */
/*
 * The debug store area: its buffers, and their records. Source: SDM 3B, "BTS and DS Save Area".
 *
 * Chosen: the record is written before the index; a buffer whose next record would pass the
 * absolute maximum is full, even if its size is no multiple of the record's; a ring starts again
 * when the next record comes, not when the last one that fits is written.
 */
#include <model/sampling/records.h>

/* The area's fields, each as wide as an address. The same four of PEBS follow those of BTS. */
enum { BASE, INDEX, MAXIMUM, THRESHOLD, FIELDS, RESET_VALUES = 2 * FIELDS };

/* A counter's reset value has this size in either layout. */
#define RESET_VALUE_SIZE 8u

unsigned model_ds_width(const struct refpmu_cpu *m)
{
	const struct model_rules *r = rules_of(m);
	struct refpmu_registers registers;

	if (r->ds.has_dtes64)
		return 8;
	if (r->registers.linear_bits == 32)    /* there is no IA-32e mode */
		return 4;
	m->host.read_registers(m->host.context, false, &registers);
	return registers.is_ia32e ? 8 : 4;
}

unsigned model_ds_pack(const struct refpmu_cpu *m, uint64_t *fields, unsigned count)
{
	unsigned width = model_ds_width(m);

	for (unsigned i = 0; width == sizeof(uint32_t) && i < count; i++) {
		uint32_t narrow = (uint32_t)fields[i];

		__builtin_memcpy((unsigned char *)fields + i * width, &narrow, sizeof(narrow));
	}
	return width * count;
}

static uint64_t field_at(const struct refpmu_cpu *m, enum model_ds_buffer buffer, unsigned field)
{
	unsigned first = buffer == MODEL_DS_PEBS ? FIELDS : 0;

	return m->ds_area + (first + field) * model_ds_width(m);
}

static bool read_fields(struct refpmu_cpu *m, enum model_ds_buffer buffer, uint64_t fields[FIELDS])
{
	unsigned width = model_ds_width(m);
	uint32_t narrow[FIELDS];
	bool is_narrow = width == sizeof(narrow[0]);

	if (!m->host.read_memory(m->host.context, field_at(m, buffer, BASE),
	                         is_narrow ? (void *)narrow : fields, FIELDS * width))
		return false;
	for (unsigned i = 0; is_narrow && i < FIELDS; i++)
		fields[i] = narrow[i];
	return true;
}

/* The modelled processors are little-endian: the low half of a pointer is first. */
static bool write_index(struct refpmu_cpu *m, enum model_ds_buffer buffer, uint64_t index)
{
	return m->host.write_memory(m->host.context, field_at(m, buffer, INDEX), &index,
	                            model_ds_width(m));
}

static bool is_full(const uint64_t fields[FIELDS], unsigned size)
{
	return fields[MAXIMUM] < size || fields[INDEX] > fields[MAXIMUM] - size;
}

enum model_ds_result model_ds_append(struct refpmu_cpu *m, enum model_ds_buffer buffer,
                                     const void *record, unsigned size, bool is_ring)
{
	uint64_t fields[FIELDS], next;

	if (!read_fields(m, buffer, fields))
		return MODEL_DS_FAULT;
	if (is_ring && is_full(fields, size))
		fields[INDEX] = fields[BASE];
	if (is_full(fields, size))
		return MODEL_DS_FULL;
	next = fields[INDEX] + size;
	if (!m->host.write_memory(m->host.context, fields[INDEX], record, size) ||
	    !write_index(m, buffer, next))
		return MODEL_DS_FAULT;
	return next >= fields[THRESHOLD] ? MODEL_DS_THRESHOLD : MODEL_DS_STORED;
}

bool model_ds_reset_value(struct refpmu_cpu *m, unsigned slot, uint64_t *value)
{
	uint64_t address = m->ds_area + RESET_VALUES * model_ds_width(m) + slot * RESET_VALUE_SIZE;

	return m->host.read_memory(m->host.context, address, value, sizeof(*value));
}
