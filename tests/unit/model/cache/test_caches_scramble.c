/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests what caches, TLBs and predictor contain after a reset if a seed fills them. */
#include <arch/regs/table.h>
#include <tests/unit/model/cache/caches_machine.h>

#define NEAR_FIRST UINT64_C(0x100000)
enum { NEAR_LINES = 4096, KATMAI = 0x673 };

static void start_scrambled(uint32_t cpuid_1_eax, uint64_t seed)
{
	clear();
	create(cache_geometry_find(cpuid_1_eax));
	for (unsigned i = 0; i < 16; i++)
		cache_scramble(&thread, &seed);
}

/* Returns how many lines are in a cache. */
static unsigned count_hits(void)
{
	unsigned hits = 0;

	for (unsigned i = 0; i < NEAR_LINES; i++)
		hits += !read4(NEAR_FIRST + i * LINE).llc_misses;
	return hits;
}

UNIT_TEST(a_seed_fills_caches_partly)
{
	unsigned hits;

	start_scrambled(HASWELL, 1);
	retire(CODE, 1);
	hits = count_hits();
	check_true("some lines are there", hits > 0);
	check_true("some lines are not there", hits < NEAR_LINES - NEAR_LINES / 8);
}

/* Returns whether this part of the memory differs from the copy. */
static bool is_changed(const unsigned char *copy, const void *part, size_t bytes)
{
	return memcmp(copy + ((const unsigned char *)part - (const unsigned char *)&memory), part,
	              bytes) != 0;
}

UNIT_TEST(equal_seeds_give_equal_bytes_and_others_do_not)
{
	static struct caches one;
	static struct cache_core one_core;
	static unsigned char one_memory[sizeof(memory)];

	start_scrambled(HASWELL, 5);
	one = thread;
	one_core = core;
	memcpy(one_memory, &memory, sizeof(memory));
	start_scrambled(HASWELL, 5);
	check_true("the thread's bytes are equal", !memcmp(&one, &thread, sizeof(one)));
	check_true("the core's bytes are equal", !memcmp(&one_core, &core, sizeof(one_core)));
	check_true("the memory's bytes are equal", !memcmp(one_memory, &memory, sizeof(memory)));
	start_scrambled(HASWELL, 6);
	check_true("with another seed the TLBs differ",
	           is_changed(one_memory, thread.dtlb.tags, 64 * sizeof(uint64_t)));
	check_true("with another seed the predictor differs",
	           memcmp(one.predictor.target, thread.predictor.target,
	                               sizeof(one.predictor.target)) != 0);
	check_true("with another seed the caches differ",
	           is_changed(one_memory, core.l1d.tags, 512 * sizeof(uint64_t)));
}

UNIT_TEST(the_seed_changes_with_each_use)
{
	uint64_t state = 7;

	create(cache_geometry_find(HASWELL));
	cache_scramble(&thread, &state);
	check_true("the seed has changed", state != 7);
}

/* The first instruction reports nothing of the accesses that filled the caches, counted or not. */
UNIT_TEST(the_next_instruction_pays_only_for_itself)
{
	static const uint32_t cpus[] = { HASWELL, PENRYN, KATMAI };

	for (unsigned i = 0; i < COUNT_OF(cpus); i++) {
		struct cache_cost cost;
		uint64_t sum = 0;

		start_scrambled(cpus[i], 3);
		cost = retire(CODE, 1);
		check_true("it references one line of code at most", cost.llc_references <= 1);
		check_true("it has no stall for data, and no misprediction",
		           !cost.backend_cycles && !cost.is_mispredicted);
		for (unsigned kind = 0; kind < CACHE_BUS_KINDS; kind++)
			sum += machine.bus.count[kind];
		check_true("the bus saw one line at most, and the line that this one replaced",
		           sum <= 2);
		if (cost.traffic)
			check_true("it reports no data and nothing of other processors",
			           !cost.traffic->data_reads &&
			           cost.traffic->bus_any[CACHE_BUS_BRD] == 0);
	}
}

UNIT_MAIN()
