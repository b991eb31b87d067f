/* SPDX-License-Identifier: MIT */
#include <kernel/run/perturb.h>

#include <arch/clock/one_shot.h>

struct row {
	uint32_t span;
	uint32_t max_shift;     /* if not 0, the rest of the span is as often small as large */
};

static const struct row rows[PERTURB_COUNT] = {
	[PERTURB_ORDER]  = { UINT32_MAX,  0 },
	[PERTURB_WAIT]   = { 4096,        0 },
	[PERTURB_TICK]   = { ONE_SHOT_US_MAX, 9 },
	[PERTURB_STACK]  = { 128,         0 },
	[PERTURB_MEMORY] = { 64,          0 },
};

static uint32_t seed, cpu, calls[PERTURB_COUNT];

void perturb_init(uint32_t new_seed, unsigned number)
{
	seed = new_seed;
	cpu = number;
	for (unsigned what = 0; what < PERTURB_COUNT; what++)
		calls[what] = 0;
}

/* Is the finaliser of MurmurHash3: each bit of x changes half the bits of the result. */
static uint32_t mix(uint32_t x)
{
	x = (x ^ x >> 16) * 0x85EBCA6Bu;
	x = (x ^ x >> 13) * 0xC2B2AE35u;
	return x ^ x >> 16;
}

uint32_t perturb(enum perturb what)
{
	const struct row *row = &rows[what];
	uint32_t random, number, left;

	if (!seed)
		return 0;
	random = mix(mix(mix(seed) + what * 0x9E3779B9u + cpu) + calls[what]++);
	number = random % row->span;
	left = row->span - number;
	if (row->max_shift)
		left = left >> mix(random) % (row->max_shift + 1) | 1;
	return row->span - left;
}

void perturb_wait(void)
{
	for (volatile uint32_t left = perturb(PERTURB_WAIT); left; left--)
		;
}
