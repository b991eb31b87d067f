/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests how costs are gathered and collected, resets, and that equal calls give equal bytes. */
#include <arch/regs/table.h>
#include <tests/unit/model/cache/caches_machine.h>

UNIT_TEST(an_instruction_pays_for_all_its_accesses_once)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost;

	touch(REFPMU_READ, 0, 4);
	touch(REFPMU_READ, LINE, 4);
	touch(REFPMU_WRITE, 2 * LINE, 4);
	cost = retire(CODE, 1);
	check_llc("references of three lines", cost, 3, 3);
	check_eq_u64("stall of two reads of one page", cost.backend_cycles,
	             2u * g->invented->memory_cycles + g->invented->walk_cycles);
	check_free("the next instruction costs nothing", retire(CODE, 1));
}

UNIT_TEST(a_dropped_instruction_costs_nothing_and_leaves_its_lines)
{
	start(HASWELL);
	touch(REFPMU_READ, 0, 4);
	cache_drop(&thread);
	check_free("the next instruction costs nothing", retire(CODE, 1));
	check_free("a read of the line hits", read4(0));
}

UNIT_TEST(the_stall_of_a_very_long_instruction_stays_at_its_maximum)
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
	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		struct refpmu_insn insn = { .ip = CODE, .length = 2, .traits = rows[i].traits };
		struct cache_cost cost;

		cache_retire(&thread, &insn, &cost);
		check_eq_u64("is alone", cost.is_alone, rows[i].is_alone);
		check_true("a serialising instruction is not mispredicted", !cost.is_mispredicted);
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
	check_llc("the fetch of the code; the pending access was dropped", cost, 1, 1);
	check_eq_u64("stall of the fetch", cost.frontend_cycles,
	             (unsigned)g->invented->memory_cycles + g->invented->walk_cycles);
	check_eq_u64("no stall for data", cost.backend_cycles, 0);
	cost = read4(0);
	check_llc("the read of the data", cost, 1, 1);
	check_eq_u64("stall of the read", cost.backend_cycles,
	             (unsigned)g->invented->memory_cycles + g->invented->walk_cycles);
}

/*
 * The first stamp tags a line and a page of each cache and TLB; then the stamps wrap around to the
 * first one. If an old entry became valid again, a fetch or a read would hit.
 */
UNIT_TEST(a_stamp_that_is_used_again_makes_no_old_entry_valid)
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
	check_eq_u64("the stamp is the first one again", core.l1d.stamp, UINT64_C(1) << 48);
	cost = retire(CODE, 1);
	check_llc("the fetch of the code", cost, 1, 1);
	check_eq_u64("stall of the fetch", cost.frontend_cycles,
	             (unsigned)g->invented->memory_cycles + g->invented->walk_cycles);
	cost = read4(0);
	check_llc("the read of the data", cost, 1, 1);
	check_eq_u64("stall of the read", cost.backend_cycles,
	             (unsigned)g->invented->memory_cycles + g->invented->walk_cycles);
}

UNIT_TEST(another_geometry_needs_a_reset_only)
{
	start(SAPPHIRE_RAPIDS);
	walk(0, LINE, 4096);
	start(PENRYN);
	check_llc("first walk over 512 lines", walk(0, LINE, 512), 512, 512);
	check_free("the second walk hits", walk(0, LINE, 512));
}

/*
 * Runs a random program with all kinds of calls, including faults and flushes. Returns a sum of its
 * costs.
 */
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
	check_eq_u64("sum of the costs", sum[1], sum[0]);
	check_true("the thread's bytes are equal",
	           memcmp(&thread, &first_thread, sizeof(thread)) == 0);
	check_true("the core's bytes are equal", memcmp(&core, &first_core, sizeof(core)) == 0);
	check_true("the package's bytes are equal",
	           memcmp(&package, &first_package, sizeof(package)) == 0);
	check_true("the memory's bytes are equal",
	           memcmp(&memory, first_memory, sizeof(memory)) == 0);
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
	check_eq_u64("sum of the costs", run_something(&thread, 20000), sum);
}

UNIT_MAIN()
