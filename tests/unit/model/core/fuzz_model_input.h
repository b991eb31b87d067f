/* SPDX-License-Identifier: MIT */
/* Takes the calls of the model's fuzzer out of its input. */
#ifndef TESTS_UNIT_MODEL_CORE_FUZZ_MODEL_INPUT_H
#define TESTS_UNIT_MODEL_CORE_FUZZ_MODEL_INPUT_H

#include <tests/unit/model/core/model_machine.h>

struct input {
	const uint8_t *next, *end;
};

static inline uint64_t take(struct input *input, unsigned bytes)
{
	uint64_t value = 0;

	for (; bytes && input->next < input->end; bytes--)
		value = value << 8 | *input->next++;
	return value;
}

/* Fills in the fields of the debug store area, as software may leave them, and chooses the pages
 * that exist. */
static inline void lay_out_guest(struct input *input)
{
	unsigned byte = (unsigned)take(input, 1), width = byte & 1 ? 8 : 4;
	uint64_t area = guest.base + (byte >> 1 & 7) * 0x20;

	guest.registers.is_ia32e = byte >> 4 & 1;
	guest.holes = byte >> 7 ? (uint32_t)take(input, 1) & 15 : 0;
	for (unsigned i = 0; i < 2; i++) {
		uint64_t base = guest.base + 0x800 + take(input, 2) % 0x3800;

		guest_put(area + (4 * i + 0) * width, width, base);
		guest_put(area + (4 * i + 1) * width, width, base + take(input, 1));
		guest_put(area + (4 * i + 2) * width, width, base + take(input, 2) % 0x4000);
		guest_put(area + (4 * i + 3) * width, width, base + take(input, 2) % 0x4000);
	}
	for (unsigned i = 0; i < 48; i++)
		guest_put(area + 8 * width + 8 * i, 8, -(uint64_t)(i < 2 ? take(input, 1) : i));
}

/* Returns an address of the area, or bits that switch on PEBS or BTS. */
static inline uint64_t take_sampling(struct input *input)
{
	unsigned byte = (unsigned)take(input, 1);

	switch (byte & 3) {
	case 0:  return guest.base + (byte >> 2 & 7) * 0x20;
	case 1:  return byte >> 2 | (uint64_t)(byte >> 2 & 7) << 24;
	case 2:  return byte >> 2 | take(input, 1) << 32 | take(input, 1) << 24;
	default: return 1u << (byte >> 2 & 31) | 1;
	}
}

static inline uint32_t take_msr(struct input *input)
{
	static const uint32_t bases[] = { PMC0, A_PMC0, EVTSEL0, FIXED0, FIXED_CTRL, GLOBAL,
	                                  STATUS_RESET, STATUS_SET, DEBUGCTL, GP_CTR0, FX_CTR0,
	                                  EVTSEL0, 0, CESR, CAPABILITIES };
	/* These are registers of the debug store area, PEBS, and branch records of all
	 * generations. */
	static const uint32_t others[] = { DS_AREA, 0x3f1, 0x3f2, 0x3f6, DEBUGCTL, 0x1c8, 0x1c9,
	                                   0x680, 0x6c0, 0x1db, 0x40, 0x14ce, 0x14cf, 0x1200,
	                                   0x1500, 0x1600 };
	uint32_t byte = (uint32_t)take(input, 1);

	if (byte >> 4 < 15 && !bases[byte >> 4])
		return others[byte & 15];
	if (byte >> 4 == 15)
		return (uint32_t)take(input, 4);
	return bases[byte >> 4] + (byte & 15);
}

static inline uint64_t take_value(struct input *input)
{
	static const uint16_t events[] = { CYCLES, INSTRUCTIONS, REFERENCE_CYCLES, LLC_REFERENCES,
	                                   LLC_MISSES, BRANCHES, BRANCH_MISSES, SLOTS,
	                                   0x02a4, 0x0073, 0x019c, 0x02c2, 0x01e4 };
	unsigned kind = (unsigned)take(input, 1);

	switch (kind % 6) {
	case 0:
		return take(input, 8);
	case 5:
		return take_sampling(input);
	case 1:
		return (uint64_t)-(int64_t)take(input, 1);
	case 2:
		return events[kind / 6 % 13] | EN | take(input, 2) << 16 | EN;
	case 3:
		return kind & 1 ? ONES(48) - take(input, 1) :
		       EN | OS | (take(input, 1) & 0xff) | take(input, 2) << 8 | 0x00c000c0;
	default:
		return take(input, 2) | take(input, 1) << 32;
	}
}

/* Returns an MSR of AMD's: a core counter by either address, one beyond the core, or another. */
static inline uint32_t take_amd_msr(struct input *input)
{
	static const uint32_t others[] = { 0xc0000300, 0xc0000301, 0xc0000302, 0xc0000303,
	                                   0xc0010015, 0xc00000e9, DEBUGCTL, EVTSEL0 };
	uint32_t byte = (uint32_t)take(input, 1), n = byte & 15;

	switch (byte >> 4) {
	case 0: case 1: case 2: case 3:
		return 0xc0010000 + (n & 7);
	case 4: case 5: case 6: case 7: case 8: case 9:
		return 0xc0010200 + n;
	case 10: return 0xc0010230 + n;
	case 11: case 12: return 0xc0010240 + 2 * n + (byte >> 4 & 1);
	case 13: return (uint32_t)take(input, 4);
	default: return others[n & 7];
	}
}

/* Returns an event select with EN, the merge event, or a value close to an overflow. */
static inline uint64_t take_amd_value(struct input *input)
{
	static const uint16_t events[] = { 0x076, 0x0c0, 0x0c1, 0x0c2, 0x0c3, 0x0c4, 0x0c6, 0x0cb,
	                                   0x040, 0x07d, 0x060, 0x003, 0x0cd, 0x0cf, 0x004, 0x0ea };
	unsigned kind = (unsigned)take(input, 1);
	uint64_t event = events[kind >> 3 & 15];

	switch (kind & 7) {
	case 0:  return take(input, 8);
	case 1:  return ONES(48) - take(input, 1);
	case 2:  return ONES(32) * ONE(32) | EN | 0xff;
	case 3:  return take(input, 1);
	case 4:  return EN | USR | OS | event | take(input, 1) << 40;
	default: return EN | USR | OS | event | take(input, 2) << 16 | take(input, 1) << 8;
	}
}

/* Returns an MSR of NetBurst: a counter, a CCCR, an ESCR or an address between them, or another
 * one. */
static inline uint32_t take_netburst_msr(struct input *input)
{
	static const uint32_t others[] = { 0x3f0, 0x3f1, 0x3f2, 0x1a0, 0x600, 0x1d9, 0x1d7, 0x1d8,
	                                   0x1da, 0x1db, 0x1de, 0x680, 0x68f, 0x6c0, 0x6cf, 0x600 };
	uint32_t byte = (uint32_t)take(input, 1), n = byte & 63;

	switch (byte >> 6) {
	case 0:  return 0x300 + n % 20;
	case 1:  return 0x360 + n % 20;
	case 2:  return 0x3a0 + n + (n >= 48 ? 16 : 0);
	default: return n < 48 ? others[n % 16] : (uint32_t)take(input, 4);
	}
}

/* Returns an event with its mask, a control with ENABLE, or a value close to an overflow. */
static inline uint64_t take_netburst_value(struct input *input)
{
	static const uint32_t escrs[] = {
		0x0400060c, 0x0c001e0f, 0x2600020c, 0x12000e0c, 0x0200020c, 0x1800020c, 0x1100003c,
		0x0400060f, 0x1000020f, 0x1200020f, 0x0a0f9e0c, 0x0c00ee0f, 0x7e000000
	};
	unsigned kind = (unsigned)take(input, 1);

	switch (kind % 5) {
	case 0:  return take(input, 1 + kind % 8);
	case 1:  return ONES(40) - take(input, 1);
	case 2:  return 0x1000 | take(input, 4);
	case 3:  return take_sampling(input);
	default: return escrs[kind / 5 % 13] ^ take(input, kind & 64 ? 2 : 0);
	}
}

#endif
