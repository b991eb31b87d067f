/* SPDX-License-Identifier: MIT */
/* LINK: kernel/run/perturb.c */
#include <kernel/run/perturb.h>

#include <tests/unit/unit.h>

enum { DRAWS = 4000 };

/* Makes many draws of one thing; stores the smallest and the largest, returns a sum of all. */
static uint64_t draw(uint32_t seed, unsigned cpu, enum perturb what, uint32_t *least,
                     uint32_t *most)
{
	uint64_t sum = 0;

	perturb_init(seed, cpu);
	*least = UINT32_MAX;
	*most = 0;
	for (unsigned i = 0; i < DRAWS; i++) {
		uint32_t number = perturb(what);

		*least = number < *least ? number : *least;
		*most = number > *most ? number : *most;
		sum = sum * 31 + number;
	}
	return sum;
}

UNIT_TEST(without_a_seed_nothing_varies)
{
	uint32_t least, most;

	for (unsigned what = 0; what < PERTURB_COUNT; what++) {
		draw(0, 0, (enum perturb)what, &least, &most);
		check_eq_u64("always 0", most, 0);
	}
	perturb_wait();
}

UNIT_TEST(everything_varies_within_its_span)
{
	static const uint32_t spans[PERTURB_COUNT] = { UINT32_MAX, 4096, 54924, 128, 64 };
	uint32_t least, most;

	for (unsigned what = 0; what < PERTURB_COUNT; what++) {
		draw(1, 0, (enum perturb)what, &least, &most);
		check_true("down to an eighth", least < spans[what] / 8);
		check_true("up to seven", most > spans[what] / 8 * 7);
		check_true("below the span", most < spans[what]);
	}
}

UNIT_TEST(seeds_processors_and_things_differ)
{
	uint32_t least, most;
	uint64_t one = draw(1, 0, PERTURB_WAIT, &least, &most);

	check_true("another seed", draw(2, 0, PERTURB_WAIT, &least, &most) != one);
	check_true("another processor", draw(1, 1, PERTURB_WAIT, &least, &most) != one);
	check_true("another thing", draw(1, 0, PERTURB_STACK, &least, &most) != one);
}

UNIT_TEST(things_do_not_disturb_each_other)
{
	uint32_t first;

	perturb_init(9, 0);
	first = perturb(PERTURB_WAIT);
	perturb_init(9, 0);
	perturb(PERTURB_STACK);
	check_eq_u64("the same", perturb(PERTURB_WAIT), first);
}

/* The watchdog's first tick is as often very early as it is late. */
UNIT_TEST(half_of_the_ticks_come_within_an_eighth_of_the_time)
{
	unsigned soon = 0;

	perturb_init(3, 0);
	for (unsigned i = 0; i < DRAWS; i++)
		soon += 54924 - perturb(PERTURB_TICK) < 54924 / 8;
	check_true("half", soon > DRAWS / 2 && soon < DRAWS);
}

UNIT_MAIN()
