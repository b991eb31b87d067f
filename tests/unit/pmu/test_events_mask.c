/* SPDX-License-Identifier: MIT */
/* LINK: pmu/events/event_mask.c */
#include <pmu/events/events.h>

#include <tests/unit/unit.h>

static const struct pmu_event joined = {
	.name = "JOINED", .umask = 0xf,
	.masks = { { 1, "I" }, { 2, "S" }, { 4, "E" }, { 8, "M" }, { 0xf, "MESI" } },
}, enumerated = {
	.name = "ENUMERATED", .umask = 0, .is_enumerated = true,
	.masks = { { 0, "SELF" }, { 0x20, "ANY" } },
};

static unsigned bits_of(const struct pmu_event *e, const char *mask)
{
	uint8_t bits = 0;

	return pmu_event_mask(e, mask, &bits) ? bits : 0x100;
}

#define WRONG 0x100u

UNIT_TEST(without_a_mask_it_is_the_full_count)
{
	check_eq_u64("joined", bits_of(&joined, NULL), 0xf);
	check_eq_u64("enumerated", bits_of(&enumerated, NULL), 0);
}

UNIT_TEST(a_mask_is_its_bits)
{
	check_eq_u64("M", bits_of(&joined, "M"), 8);
	check_eq_u64("MESI begins with M", bits_of(&joined, "MESI"), 0xf);
	check_eq_u64("SELF", bits_of(&enumerated, "SELF"), 0);
	check_eq_u64("ANY", bits_of(&enumerated, "ANY"), 0x20);
}

UNIT_TEST(masks_of_bits_are_joined)
{
	check_eq_u64("E+M", bits_of(&joined, "E+M"), 0xc);
	check_eq_u64("I+S+E+M", bits_of(&joined, "I+S+E+M"), 0xf);
}

UNIT_TEST(masks_of_one_field_are_not)
{
	check_eq_u64("SELF+ANY", bits_of(&enumerated, "SELF+ANY"), WRONG);
}

UNIT_TEST(other_masks_are_refused)
{
	check_eq_u64("unknown", bits_of(&joined, "X"), WRONG);
	check_eq_u64("beginning of one", bits_of(&joined, "ME"), WRONG);
	check_eq_u64("empty", bits_of(&joined, ""), WRONG);
	check_eq_u64("nothing after +", bits_of(&joined, "M+"), WRONG);
	check_eq_u64("one of two is unknown", bits_of(&joined, "M+X"), WRONG);
	check_eq_u64("lower case", bits_of(&joined, "mesi"), WRONG);
}

UNIT_MAIN()
