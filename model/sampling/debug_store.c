/* SPDX-License-Identifier: MIT */
/*
 * The debug store area: where buffers of records lie, and how a record is appended. Source: SDM 3B,
 * "BTS and DS Save Area".
 *
 * Chosen: the record is written before the index; a buffer whose next record would pass the
 * absolute maximum is full, also where its size is no multiple of the record's; a ring starts again
 * when the next record comes, not when the last one that fits is written.
 */
#include <model/sampling/debug_store.h>

/* The area's fields, each as wide as an address. PEBS' are the same four after BTS'. */
enum { BASE, INDEX, MAXIMUM, THRESHOLD, FIELDS, RESET_VALUES = 2 * FIELDS };

/* A counter's reset value has this size in either layout. */
#define RESET_VALUE_SIZE 8u

unsigned model_ds_width(const struct model *m)
{
	const struct model_rules *r = rules_of(m);
	struct model_registers registers;

	if (r->has_dtes64)
		return 8;
	if (r->linear_bits == 32)              /* there is no IA-32e mode */
		return 4;
	m->host.read_registers(m->host.context, false, &registers);
	return registers.is_ia32e ? 8 : 4;
}

static uint64_t field_at(const struct model *m, enum model_ds_buffer buffer, unsigned field)
{
	unsigned first = buffer == MODEL_DS_PEBS ? FIELDS : 0;

	return m->ds_area + (first + field) * model_ds_width(m);
}

static bool read_fields(struct model *m, enum model_ds_buffer buffer, uint64_t fields[FIELDS])
{
	unsigned width = model_ds_width(m);
	uint64_t wide[FIELDS];
	uint32_t narrow[FIELDS];
	bool is_wide = width == sizeof(wide[0]);

	if (!m->host.read_memory(m->host.context, field_at(m, buffer, BASE),
	                         is_wide ? (void *)wide : (void *)narrow, FIELDS * width))
		return false;
	for (unsigned i = 0; i < FIELDS; i++)
		fields[i] = is_wide ? wide[i] : narrow[i];
	return true;
}

/* Processors here are little-endian, as whoever emulates them: a pointer's low half is first. */
static bool write_index(struct model *m, enum model_ds_buffer buffer, uint64_t index)
{
	return m->host.write_memory(m->host.context, field_at(m, buffer, INDEX), &index,
	                            model_ds_width(m));
}

static bool is_full(const struct model_rules *r, const uint64_t fields[FIELDS], unsigned size)
{
	uint64_t needed = r->ds_partial_is_stored ? 1 : size;

	return (fields[MAXIMUM] < needed || fields[INDEX] > fields[MAXIMUM] - needed) &&
	       !r->ds_passes_maximum;
}

static bool is_at_threshold(const struct model_rules *r, uint64_t index, uint64_t threshold,
                            unsigned size)
{
	if (r->ds_threshold_is_late)
		index -= size;
	if (r->ds_threshold_is_early)
		index += size;
	return r->ds_threshold_is_passed ? index > threshold : index >= threshold;
}

enum model_ds_result model_ds_append(struct model *m, enum model_ds_buffer buffer,
                                     const void *record, unsigned size, bool is_ring)
{
	const struct model_rules *r = rules_of(m);
	uint64_t fields[FIELDS], next;

	if (!read_fields(m, buffer, fields))
		return MODEL_DS_FAULT;
	if (is_ring && is_full(r, fields, size))
		fields[INDEX] = fields[BASE] + (r->ds_ring_skips_base ? size : 0);
	if (is_full(r, fields, size))
		return MODEL_DS_FULL;
	next = fields[INDEX] + size + r->ds_index_extra;
	if (!m->host.write_memory(m->host.context, fields[INDEX], record, size) ||
	    !write_index(m, buffer, r->ds_index_stays ? fields[INDEX] : next))
		return MODEL_DS_FAULT;
	return is_at_threshold(r, next, fields[THRESHOLD], size) ? MODEL_DS_THRESHOLD
	                                                          : MODEL_DS_STORED;
}

bool model_ds_reset_value(struct model *m, unsigned slot, uint64_t *value)
{
	uint64_t address = m->ds_area + RESET_VALUES * model_ds_width(m) + slot * RESET_VALUE_SIZE;

	if (!m->host.read_memory(m->host.context, address, value, sizeof(*value)))
		return false;
	if (rules_of(m)->ds_reset_is_positive)
		*value = 0 - *value;
	return true;
}
