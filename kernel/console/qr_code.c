/* SPDX-License-Identifier: MIT */
/* Source: ISO/IEC 18004, "Data encodation", "Error correction", "Final message". */
#include <kernel/console/qr_code.h>

#include <kernel/lib/string.h>

enum { MODE_CAPITALS = 2, MODE_BYTES = 4, PAD_FIRST = 0xEC, PAD_SECOND = 0x11, EC_MAX = 30 };

/* ISO/IEC 18004, "Error correction characteristics": a row for each version, from 1 on. */
static const struct {
	uint8_t ec;                     /* codewords of error correction per block */
	uint8_t blocks;
} characteristics[][QR_VERSION_MAX] = {
	[QR_L] = { { 7, 1 }, { 10, 1 }, { 15, 1 }, { 20, 1 }, { 26, 1 }, { 18, 2 }, { 20, 2 },
	           { 24, 2 }, { 30, 2 }, { 18, 4 }, { 20, 4 }, { 24, 4 }, { 26, 4 }, { 30, 4 },
	           { 22, 6 } },
	[QR_M] = { { 10, 1 }, { 16, 1 }, { 26, 1 }, { 18, 2 }, { 24, 2 }, { 16, 4 }, { 18, 4 },
	           { 22, 4 }, { 22, 5 }, { 26, 5 }, { 30, 5 }, { 22, 8 }, { 22, 9 }, { 24, 9 },
	           { 24, 10 } },
};

/* Counts all modules except finders, timing, alignment patterns, format and version information. */
unsigned qr_code_bits(unsigned version)
{
	unsigned bits = (16 * version + 128) * version + 64;
	unsigned patterns = version / 7 + 2;

	if (version >= 2)
		bits -= (25 * patterns - 10) * patterns - 55;
	return version >= 7 ? bits - 36 : bits;
}

static unsigned data_codewords(unsigned version, enum qr_level level)
{
	return qr_code_bits(version) / 8 -
	       characteristics[level][version - 1].ec * characteristics[level][version - 1].blocks;
}

static unsigned count_bits(unsigned version)
{
	return version < 10 ? 8 : 16;
}

/* Two characters take 11 bits, one alone 6. */
static unsigned capitals_in(unsigned bits)
{
	return bits / 11 * 2 + (bits % 11 >= 6);
}

unsigned qr_capacity(unsigned version, enum qr_level level)
{
	return (data_codewords(version, level) * 8 - 4 - count_bits(version)) / 8;
}

unsigned qr_capacity_capitals(unsigned version, enum qr_level level)
{
	const unsigned bits = data_codewords(version, level) * 8 - 4 - count_bits(version) - 1;

	return version < 10 ? capitals_in(bits) : capitals_in(bits + 6);
}

/* ---------------------------------------------------------------------------- data */

struct bits { uint8_t *at; unsigned count; };

static void add_bits(struct bits *b, unsigned value, unsigned width)
{
	while (width--) {
		if (value >> width & 1)
			b->at[b->count / 8] |= (uint8_t)(0x80 >> b->count % 8);
		b->count++;
	}
}

static const char capitals[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";

/* Returns the value of a character, or the number of all if it is none of them. */
static unsigned value_of(uint8_t character)
{
	unsigned value = 0;

	while (capitals[value] && (uint8_t)capitals[value] != character)
		value++;
	return value;
}

bool qr_code_is_capitals(const uint8_t *data, unsigned length)
{
	for (unsigned i = 0; i < length; i++)
		if (!capitals[value_of(data[i])])
			return false;
	return true;
}

static void add_capitals(struct bits *b, unsigned version, const uint8_t *data, unsigned length)
{
	add_bits(b, MODE_CAPITALS, 4);
	add_bits(b, length, version < 10 ? 9 : 11);
	for (unsigned i = 0; i + 1 < length; i += 2)
		add_bits(b, value_of(data[i]) * 45 + value_of(data[i + 1]), 11);
	if (length % 2)
		add_bits(b, value_of(data[length - 1]), 6);
}

static void add_bytes(struct bits *b, unsigned version, const uint8_t *data, unsigned length)
{
	add_bits(b, MODE_BYTES, 4);
	add_bits(b, length, count_bits(version));
	for (unsigned i = 0; i < length; i++)
		add_bits(b, data[i], 8);
}

static void encode_data(uint8_t *to, unsigned total, unsigned version, const uint8_t *data,
                        unsigned length)
{
	struct bits b = { to, 0 };

	memset(to, 0, total);
	if (qr_code_is_capitals(data, length))
		add_capitals(&b, version, data, length);
	else
		add_bytes(&b, version, data, length);
	b.count += b.count + 4 < total * 8 ? 4 : total * 8 - b.count;   /* the terminator */
	for (unsigned i = (b.count + 7) / 8, pad = PAD_FIRST; i < total; i++) {
		to[i] = (uint8_t)pad;
		pad ^= PAD_FIRST ^ PAD_SECOND;
	}
}

/* ---------------------------------------------------------------------------- error correction */

/* Multiplies in the field of 256 elements modulo x^8 + x^4 + x^3 + x^2 + 1. */
static uint8_t multiply(uint8_t a, uint8_t b)
{
	unsigned product = 0;

	for (int i = 7; i >= 0; i--) {
		product = product << 1 ^ (product >> 7) * 0x11D;
		product ^= b >> i & 1 ? a : 0U;
	}
	return (uint8_t)product;
}

/* Makes (x - 1)(x - 2)(x - 4)... without its leading 1, highest degree first. */
static void make_generator(uint8_t generator[EC_MAX], unsigned degree)
{
	uint8_t root = 1;

	memset(generator, 0, degree);
	generator[degree - 1] = 1;
	for (unsigned i = 0; i < degree; i++) {
		for (unsigned j = 0; j < degree; j++) {
			generator[j] = multiply(generator[j], root);
			if (j + 1 < degree)
				generator[j] ^= generator[j + 1];
		}
		root = multiply(root, 2);
	}
}

/* Computes the remainder of the division by the generator. */
static void make_ec(uint8_t ec[EC_MAX], unsigned degree, const uint8_t *data, unsigned length)
{
	uint8_t generator[EC_MAX];

	make_generator(generator, degree);
	memset(ec, 0, degree);
	for (unsigned i = 0; i < length; i++) {
		const uint8_t factor = data[i] ^ ec[0];

		for (unsigned j = 0; j < degree; j++) {
			const uint8_t next = j + 1 < degree ? ec[j + 1] : 0;

			ec[j] = next ^ multiply(generator[j], factor);
		}
	}
}

/*
 * Blocks are interleaved: the first codeword of each, the second of each, ...; later blocks may
 * have one more codeword of data.
 */
unsigned qr_code_make(uint8_t codewords[QR_CODEWORDS_MAX], unsigned version, enum qr_level level,
                      const uint8_t *data, unsigned length)
{
	static uint8_t all[QR_CODEWORDS_MAX];
	const unsigned degree = characteristics[level][version - 1].ec;
	const unsigned blocks = characteristics[level][version - 1].blocks;
	const unsigned total = data_codewords(version, level), each = total / blocks;
	const unsigned short_blocks = blocks - total % blocks;
	const uint8_t *block = all;

	encode_data(all, total, version, data, length);
	for (unsigned i = 0; i < blocks; i++) {
		const unsigned size = each + (i >= short_blocks);
		uint8_t ec[EC_MAX];

		make_ec(ec, degree, block, size);
		for (unsigned j = 0; j < each; j++)
			codewords[j * blocks + i] = block[j];
		if (size > each)
			codewords[each * blocks + i - short_blocks] = block[each];
		for (unsigned j = 0; j < degree; j++)
			codewords[total + j * blocks + i] = ec[j];
		block += size;
	}
	return total + degree * blocks;
}
