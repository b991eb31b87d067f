/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Gathering and collecting costs, resetting, and that equal calls give equal bytes. */
#include <tests/unit/model/cache/caches_machine.h>

UNIT_TEST(an_instruction_pays_for_all_its_accesses_once)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost;

	touch(REFPMU_READ, 0, 4);
	touch(REFPMU_READ, LINE, 4);
	touch(REFPMU_WRITE, 2 * LINE, 4);
	cost = retire(CODE, 1);
	check_llc("three lines", cost, 3, 3);
	check_eq_u64("two reads, one page", cost.backend_cycles,
	             2u * g->invented->memory_cycles + g->invented->walk_cycles);
	check_free("the next instruction", retire(CODE, 1));
}

UNIT_TEST(a_dropped_instruction_costs_nothing_but_leaves_its_lines)
{
	start(HASWELL);
	touch(REFPMU_READ, 0, 4);
	cache_drop(&thread);
	check_free("the next instruction", retire(CODE, 1));
	check_free("reading there", read4(0));
}

UNIT_TEST(a_very_long_instruction_stalls_as_long_as_can_be_said)
{
	start(HASWELL);
	thread.pending.backend_cycles = UINT32_MAX - 10;
	check_eq_u64("stall", read4(0).backend_cycles, UINT32_MAX);
}

UNIT_TEST(serialising_instructions_are_alone)
{
	static const struct {
		uint64_t traits;
		bool is_alone;
	} rows[] = {
		{ 0, false },
		{ REFPMU_TRAIT_SERIALIZING, true },
		{ REFPMU_TRAIT_SERIALIZING | REFPMU_TRAIT_CPUID, true },
		{ REFPMU_TRAIT_CPUID, false },
		{ REFPMU_TRAIT_HLT, false },
		{ REFPMU_TRAIT_PRIVATE, false },
	};

	start(HASWELL);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct refpmu_insn insn = { .ip = CODE, .length = 2, .traits = rows[i].traits };
		struct cache_cost cost;

		cache_retire(&thread, &insn, &cost);
		check_eq_u64("is alone", cost.is_alone, rows[i].is_alone);
		check_true("is no branch", !cost.is_mispredicted);
	}
}

UNIT_TEST(a_reset_empties_caches_and_tlbs)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost;

	read4(0);
	touch(REFPMU_READ, LINE, 4);
	create(g);
	cost = retire(CODE, 1);
	check_llc("the code; what was pending is gone", cost, 1, 1);
	check_eq_u64("the code", cost.frontend_cycles,
	             (unsigned)g->invented->memory_cycles + g->invented->walk_cycles);
	check_eq_u64("nothing else", cost.backend_cycles, 0);
	cost = read4(0);
	check_llc("the data", cost, 1, 1);
	check_eq_u64("the data", cost.backend_cycles,
	             (unsigned)g->invented->memory_cycles + g->invented->walk_cycles);
}

/*
 * The first stamp tags a line and a page of each cache and TLB; then stamps come round to it. Lines
 * 0 and 1 show the data's way: L1D by line 0; what L1D forgot but L2 or L3 had not, by references.
 */
UNIT_TEST(stamps_that_come_round_bring_nothing_back)
{
	const struct cache_geometry *g = cache_geometry_find(HASWELL);
	struct cache_cost cost;

	clear();
	start(HASWELL);
	read4(0);
	core.l1i.stamp = core.l1d.stamp = core.l2.stamp = UINT64_MAX << 48;
	thread.itlb.stamp = thread.dtlb.stamp = UINT64_MAX << 48;
	package.llc.stamp = UINT64_MAX << 48;
	create(g);
	check_eq_u64("the stamp is the first one", core.l1d.stamp, UINT64_C(1) << 48);
	cost = retire(CODE, 1);
	check_llc("code", cost, 1, 1);
	check_eq_u64("code", cost.frontend_cycles,
	             (unsigned)g->invented->memory_cycles + g->invented->walk_cycles);
	cost = read4(0);
	check_llc("data", cost, 1, 1);
	check_eq_u64("data", cost.backend_cycles,
	             (unsigned)g->invented->memory_cycles + g->invented->walk_cycles);
}

UNIT_TEST(another_geometry_needs_a_reset_only)
{
	start(SAPPHIRE_RAPIDS);
	walk(0, LINE, 4096);
	start(PENRYN);
	check_llc("8 ways, cold", walk(0, LINE, 512), 512, 512);
	check_free("again", walk(0, LINE, 512));
}

/* A program without a pattern: everything happens, faults and flushes among it. */
static uint64_t run_something(struct caches *u, unsigned steps)
{
	uint64_t sum = 0;
	uint32_t x = 12345;

	for (unsigned i = 0; i < steps; i++) {
		struct refpmu_insn insn = { .length = 3, .is_taken = i & 1 };
		struct cache_cost cost;

		x = x * 1664525 + 1013904223;
		insn.ip = x >> 18;
		insn.next_ip = x >> 20;
		insn.branch = (uint8_t)((x >> 8) % REFPMU_BRANCHES);
		cache_access(u, x % 3, x >> 4, x >> 6, x % 100, true);
		if (x % 1000 == 0)
			cache_tlb_flush(u);
		if (x % 7 == 0)
			cache_drop(u);
		cache_retire(u, &insn, &cost);
		sum = sum * 31 + cost.backend_cycles + cost.frontend_cycles
		      + cost.llc_references + cost.is_mispredicted;
	}
	return sum;
}

UNIT_TEST(equal_calls_give_equal_bytes)
{
	const struct cache_geometry *g = cache_geometry_find(HASWELL);
	static struct caches first_thread;
	static struct cache_core first_core;
	static struct cache_package first_package;
	static unsigned char first_memory[sizeof(memory)];
	uint64_t sum[2];

	for (unsigned i = 0; i < 2; i++) {
		clear();
		create(g);
		sum[i] = run_something(&thread, 20000);
		if (i == 1)
			break;
		memcpy(&first_thread, &thread, sizeof(thread));
		memcpy(&first_core, &core, sizeof(core));
		memcpy(&first_package, &package, sizeof(package));
		memcpy(first_memory, &memory, sizeof(memory));
	}
	check_eq_u64("costs", sum[1], sum[0]);
	check_true("thread", memcmp(&thread, &first_thread, sizeof(thread)) == 0);
	check_true("core", memcmp(&core, &first_core, sizeof(core)) == 0);
	check_true("package", memcmp(&package, &first_package, sizeof(package)) == 0);
	check_true("memory", memcmp(&memory, first_memory, sizeof(memory)) == 0);
}

UNIT_TEST(what_happened_before_a_reset_does_not_matter)
{
	const struct cache_geometry *g = cache_geometry_find(HASWELL);
	uint64_t sum;

	create(g);
	sum = run_something(&thread, 20000);
	start(SAPPHIRE_RAPIDS);
	run_something(&thread, 7777);
	create(g);
	check_eq_u64("costs", run_something(&thread, 20000), sum);
}

UNIT_MAIN()
