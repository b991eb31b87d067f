/* SPDX-License-Identifier: MIT */
/* What the fuzzer of the model takes out of its input. */
#ifndef TESTS_UNIT_FUZZ_MODEL_INPUT_H
#define TESTS_UNIT_FUZZ_MODEL_INPUT_H

#include <tests/unit/model_machine.h>

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

static inline uint32_t take_msr(struct input *input)
{
	static const uint32_t bases[] = { PMC0, A_PMC0, EVTSEL0, FIXED0, FIXED_CTRL, GLOBAL,
	                                  STATUS_RESET, STATUS_SET, DEBUGCTL, GP_CTR0, FX_CTR0,
	                                  EVTSEL0, GLOBAL, CESR, CAPABILITIES };
	uint32_t byte = (uint32_t)take(input, 1);

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

	switch (kind % 5) {
	case 0:
		return take(input, 8);
	case 1:
		return (uint64_t)-(int64_t)take(input, 1);
	case 2:
		return events[kind / 5 % 13] | EN | take(input, 2) << 16 | EN;
	case 3:
		return kind & 1 ? ONES(48) - take(input, 1) :
		       EN | OS | (take(input, 1) & 0xff) | take(input, 2) << 8 | 0x00c000c0;
	default:
		return take(input, 2) | take(input, 1) << 32;
	}
}

#endif
