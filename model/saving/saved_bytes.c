/* SPDX-License-Identifier: MIT */
/* Numbers and the string of bytes: little-endian, one behind the other. */
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

uint64_t saver_get(const void *number, unsigned bytes)
{
	uint8_t n1;
	uint16_t n2;
	uint32_t n4;
	uint64_t n8;

	switch (bytes) {
	case 1:  __builtin_memcpy(&n1, number, 1); return n1;
	case 2:  __builtin_memcpy(&n2, number, 2); return n2;
	case 4:  __builtin_memcpy(&n4, number, 4); return n4;
	default: __builtin_memcpy(&n8, number, 8); return n8;
	}
}

void saver_put(void *number, unsigned bytes, uint64_t value)
{
	uint8_t n1 = (uint8_t)value;
	uint16_t n2 = (uint16_t)value;
	uint32_t n4 = (uint32_t)value;

	switch (bytes) {
	case 1:  __builtin_memcpy(number, &n1, 1); break;
	case 2:  __builtin_memcpy(number, &n2, 2); break;
	case 4:  __builtin_memcpy(number, &n4, 4); break;
	default: __builtin_memcpy(number, &value, 8); break;
	}
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
