/* SPDX-License-Identifier: MIT */
#include <pmu/events/amd_events.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/lib/string.h>
#include <kernel/machine/machine.h>
#include <pmu/core/microarchitecture.h>
#include <pmu/events/event_text.h>

/* The table of events tells family 11H from K8, pmu_microarchitecture() does not. */
uint32_t amd_processor(void)
{
	static const struct { uint32_t on; uint16_t is; } processors[] = {
		{ PMU_ON_K7, AMD_IS_K7 },         { PMU_ON_K8, AMD_IS_K8 },
		{ PMU_ON_AMD_10H, AMD_IS_10H },   { PMU_ON_AMD_12H, AMD_IS_12H },
		{ PMU_ON_AMD_14H, AMD_IS_14H },   { PMU_ON_AMD_15H, AMD_IS_15H },
		{ PMU_ON_AMD_16H, AMD_IS_16H },   { PMU_ON_ZEN_1, AMD_IS_ZEN },
		{ PMU_ON_ZEN_2, AMD_IS_ZEN2 },    { PMU_ON_ZEN_3, AMD_IS_ZEN3 },
		{ PMU_ON_ZEN_4, AMD_IS_ZEN4 },    { PMU_ON_ZEN_5, AMD_IS_ZEN5 },
	};
	const uint32_t on = pmu_microarchitecture();

	if (machine_cpu()->family == 0x11)
		return AMD_IS_11H;
	for (size_t i = 0; i < COUNT_OF(processors); i++)
		if (processors[i].on == on)
			return processors[i].is;
	return 0;
}

const char *amd_processor_name(void)
{
	static const char names[][5] = { "K7", "K8", "10H", "11H", "12H", "14H", "15H", "16H",
	                                 "Zen", "Zen2", "Zen3", "Zen4", "Zen5" };
	uint32_t is = amd_processor();

	return is ? names[__builtin_ctz(is)] : "";
}

static const char *text(uint16_t place)                     { return amd_table.texts + place; }
bool amd_event_exists(const struct amd_row *e)              { return e->head.on & amd_processor(); }
const char *amd_event_name(const struct amd_row *e)         { return text(e->head.name); }
const char *amd_event_restrictions(const struct amd_row *e) { return text(e->head.more); }

unsigned amd_event_count(void)
{
	return packed_count(&amd_table, amd_processor());
}

const struct amd_row *amd_event_at(unsigned n)
{
	return (const void *)packed_at(&amd_table, n, amd_processor());
}

const struct amd_row *amd_event_find(const char *name)
{
	return (const void *)packed_find(&amd_table, name, amd_processor());
}

const struct amd_row *amd_event_of(uint16_t code)
{
	const struct amd_row *e;

	for (unsigned i = 0; (e = (const void *)packed_row(&amd_table, i)) != NULL; i++)
		if (e->code == code && amd_event_exists(e) && !amd_event_counted_by(e))
			return e;
	return NULL;
}

/* ---------------------------------------------------------------------------- masks */

enum { BYTES_OF_MASK = 3 };

const char *amd_event_mask_at(const struct amd_row *e, unsigned i, uint8_t *bits)
{
	const uint8_t *set = amd_masks + e->masks, *mask = set + 1 + i * BYTES_OF_MASK;

	if (i >= set[0])
		return NULL;
	*bits = mask[0];
	return text((uint16_t)(mask[1] | mask[2] << 8));
}

/* Finds the mask whose name is the first `length` characters of text. */
static bool find_mask(const struct amd_row *e, const char *text, size_t length, uint8_t *bits)
{
	const char *name;

	for (unsigned i = 0; (name = amd_event_mask_at(e, i, bits)) != NULL; i++)
		if (strlen(name) == length && memcmp(name, text, length) == 0)
			return true;
	return false;
}

/* Numbers join if they are in different halves of the unit mask. */
static bool can_join(const struct amd_row *e, uint8_t joined, uint8_t more)
{
	uint8_t halves = (uint8_t)((joined & 0x0f ? 0x0f : 0) | (joined & 0xf0 ? 0xf0 : 0));

	return !e->is_valued || !(halves & more);
}

bool amd_event_mask(const struct amd_row *e, const char *mask, uint8_t *bits)
{
	size_t length;
	uint8_t more;

	*bits = mask ? 0 : e->full;
	for (bool is_more = mask != NULL; is_more; mask += length + 1) {
		for (length = 0; mask[length] && mask[length] != '+'; length++)
			;
		is_more = mask[length] == '+';
		if (!find_mask(e, mask, length, &more) || !can_join(e, *bits, more))
			return false;
		*bits |= more;
	}
	return true;
}

/* ---------------------------------------------------------------------------- counters */

uint32_t amd_event_counters(const struct amd_row *e, uint8_t umask)
{
	const uint32_t all = (1u << pmu_get()->gp_count) - 1;
	bool is_mixed = e->counters == AMD_3_IF_HALVES ? umask & 0x0f && umask & 0xf0
	                                               : umask & (umask - 1);

	switch (e->counters) {
	case AMD_0_TO_2:         return 0x07;
	case AMD_3_TO_5:         return 0x38;
	case AMD_3:              return 0x08;
	case AMD_3_IF_HALVES:
	case AMD_3_IF_TWO_BITS:  return is_mixed ? 0x08 : 0x38;
	case AMD_ODD:            return all & 0xaaaaaaaa;
	case AMD_ANY_COUNTER:    return all;
	default:                 return 0;
	}
}

const char *amd_event_counted_by(const struct amd_row *e)
{
	return e->counters == AMD_NORTHBRIDGE ? "the northbridge's counters"
	       : e->counters == AMD_L2I ? "L2's counters"
	       : e->counters == AMD_L3 ? "L3's counters" : NULL;
}

struct pmu_setup amd_event_setup(const struct amd_row *e, uint8_t umask, unsigned counter,
                                 unsigned flags)
{
	return (struct pmu_setup){
		.counter = counter, .flags = flags,
		.event = (uint16_t)EVENT(e->code & 0xff, umask),
		.event_high = (uint8_t)(e->code >> 8),
	};
}
