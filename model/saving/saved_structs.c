/* SPDX-License-Identifier: MIT */
/* Walks over structs by their tables. */
#include <model/saving/saving.h>

static void pass_field(struct saver *s, const struct saved_field *f, unsigned char *at)
{
	for (unsigned i = 0; i < f->count; i++, at += f->bytes) {
		if (f->parts)
			saver_struct(s, f->parts, at);
		else
			saver_number(s, at, (unsigned)f->bytes, f->most);
	}
}

void saver_struct(struct saver *s, const struct saved_field *fields, void *memory)
{
	for (const struct saved_field *f = fields; f->name; f++)
		pass_field(s, f, (unsigned char *)memory + f->offset);
}

/* FNV-1a, of 32 bits: whatever follows of names, counts and sizes of numbers. */
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
			add(sum, (uint32_t)f->bytes);
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
