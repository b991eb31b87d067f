/* SPDX-License-Identifier: MIT */
/* The string of bytes: numbers, little-endian, one after the other, and structs by their tables. */
#include <model/saving/saving.h>

static bool has_room(struct saver *s, unsigned bytes)
{
	if (s->task == SAVER_WRITE && !s->to)
		return true;
	if (s->size - s->at >= bytes)
		return true;
	s->is_damaged = true;
	return false;
}

uint64_t saver_pass(struct saver *s, uint64_t value, unsigned bytes)
{
	uint64_t read = 0;

	if (!has_room(s, bytes))
		return 0;
	for (unsigned i = 0; i < bytes; i++) {
		if (s->task != SAVER_WRITE)
			read |= (uint64_t)s->from[s->at + i] << (8 * i);
		else if (s->to)
			s->to[s->at + i] = (unsigned char)(value >> (8 * i));
	}
	s->at += bytes;
	return s->task == SAVER_WRITE ? value : read;
}

void saver_same(struct saver *s, uint64_t value, unsigned bytes)
{
	if (saver_pass(s, value, bytes) != value)
		s->is_other = true;
}

/* Returns where byte i of a number is in the host's memory; byte 0 is the low one. */
static unsigned place(unsigned i, unsigned bytes)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : bytes - 1 - i;
}

uint64_t saver_get(const void *number, unsigned bytes)
{
	const unsigned char *from = number;
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)from[place(i, bytes)] << (8 * i);
	return value;
}

void saver_put(void *number, unsigned bytes, uint64_t value)
{
	unsigned char *to = number;

	for (unsigned i = 0; i < bytes; i++)
		to[place(i, bytes)] = (unsigned char)(value >> (8 * i));
}

void saver_number(struct saver *s, void *number, unsigned bytes, uint64_t most)
{
	uint64_t value = s->task == SAVER_WRITE ? saver_get(number, bytes) : 0;

	value = saver_pass(s, value, bytes);
	if (s->task == SAVER_WRITE)
		return;
	if (value > most)
		s->is_damaged = true;
	else if (s->task == SAVER_READ)
		saver_put(number, bytes, value);
}

/* Fowler, Noll, Vo: FNV-1a, of 64 bits. */
uint64_t saver_sum(const unsigned char *bytes, size_t size)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
	return sum;
}

/* ---------------------------------------------------------------------------- structs */

void saver_struct(struct saver *s, const struct saved_field *fields, void *memory)
{
	for (const struct saved_field *f = fields; f->name; f++) {
		unsigned char *at = (unsigned char *)memory + f->offset;

		for (unsigned i = 0; i < f->count; i++, at += f->bytes)
			if (f->parts)
				saver_struct(s, f->parts, at);
			else
				saver_number(s, at, f->bytes, f->most);
	}
}

/* Adds a byte to a sum, FNV-1a of 32 bits, of names, counts and sizes. */
static void add(uint32_t *sum, uint32_t byte)
{
	*sum = (*sum ^ byte) * UINT32_C(0x01000193);
}

static void add_fields(uint32_t *sum, const struct saved_field *fields)
{
	for (const struct saved_field *f = fields; f->name; f++) {
		for (const char *c = f->name; *c; c++)
			add(sum, (unsigned char)*c);
		add(sum, f->count);
		if (f->parts)
			add_fields(sum, f->parts);
		else
			add(sum, f->bytes);
	}
	add(sum, 0);
}

uint32_t saved_fields_sum(void)
{
	uint32_t sum = UINT32_C(0x811c9dc5);

	add_fields(&sum, saved_machine);
	add_fields(&sum, saved_core);
	add_fields(&sum, saved_cpu);
	return sum;
}
