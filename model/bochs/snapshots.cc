/* SPDX-License-Identifier: MIT */
/* The times of snapshots: a pseudo-random number of places apart. */
#include "snapshots.h"

static const Bit64s NEVER = (Bit64s)1 << 62;
static const Bit32u MOST_PLACES = 1 << 14;

Bit64s until_snapshot = NEVER;
static Bit64u state;                    /* 0: no snapshots are wanted */
static unsigned snapshots;
static size_t largest;                  /* size of the largest snapshot, in bytes */

/* Marsaglia: Xorshift RNGs. */
static Bit64u next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void choose_place(void)
{
	until_snapshot = state ? (Bit64s)((next_random() >> 20) % MOST_PLACES) : NEVER;
}

/* Writes the number of snapshots to the emulator's log. */
static void say_how_many(void)
{
	fprintf(stderr, "%u snapshots, of %zu bytes at most\n", snapshots, largest);
}

void prepare_snapshots(void)
{
	const char *seed = getenv("PMU_SNAPSHOT");

	state = seed ? strtoul(seed, NULL, 10) * BX_CONST64(0x9e3779b97f4a7c15) : 0;
	choose_place();
	if (state)
		atexit(say_how_many);
}

void snapshot_is_due(void)
{
	if (state) {
		size_t size = take_snapshot();

		largest = size > largest ? size : largest;
		snapshots++;
	}
	choose_place();
}
