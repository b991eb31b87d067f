/* SPDX-License-Identifier: MIT */
/* Creates two processors on one bus, for the tests of what P5 and P6 report of their caches and the
 * bus. */
#ifndef TESTS_UNIT_MODEL_CACHE_CACHES_DUO_H
#define TESTS_UNIT_MODEL_CACHE_CACHES_DUO_H

#include <model/cache/caches_parts.h>

#include <tests/unit/unit.h>

enum { LINE = 32, PAGE = 4096 };

#define CODE UINT64_C(0x40000000)      /* far from all data of these tests */

static const struct cache_invented price = {
	.llc_cycles = 10, .memory_cycles = 100, .walk_cycles = 1000, .mispredict_cycles = 10000,
	.history_bits = 2, .direction_entries = 16, .pattern_entries = 16, .target_entries = 16,
	.return_entries = 4
};

/* The caches are small: lines 0, 2, 4 share a set of L1D; lines 0, 4, 8 share a set of L2. */
static const struct cache_geometry small_p6 = {
	.line_bytes = LINE, .l1i = { 2, 2 }, .l1d = { 2, 2 }, .llc = { 4, 2 },
	.itlb = { 1, 4 }, .dtlb = { 1, 4 }, .invented = &price,
	.observes_traffic = true, .predicts_unknown = true, .fetch_bytes = 16, .btb = { 2, 2 }
};
static const struct cache_geometry small_p5 = {
	.line_bytes = LINE, .l1i = { 2, 2 }, .l1d = { 2, 2 },
	.itlb = { 1, 4 }, .dtlb = { 1, 4 }, .invented = &price,
	.observes_traffic = true, .writes_around = true, .locks_always = true, .aligns_by_size =
	true,
	.pairs = true, .fetch_bytes = 32, .btb = { 2, 2 }
};

static struct duo {
	struct cache_machine machine;
	struct cache_package package[2];
	struct cache_core core[2];
	struct caches thread[2];
	/* This memory holds their tags. */
	uint64_t package_memory[2][64], core_memory[2][64], thread_memory[2][256];
} duo;

/* Retires an instruction of cpu with its pending accesses. Returns its traffic, or zeros if it has
 * none. */
static struct cache_cost last_cost;

static inline struct cache_traffic retire_as(unsigned cpu, const struct refpmu_insn *insn)
{
	static const struct cache_traffic nothing;

	cache_retire(&duo.thread[cpu], insn, &last_cost);
	return last_cost.traffic ? *last_cost.traffic : nothing;
}

/* Retires a one-byte instruction at CODE. */
static inline struct cache_traffic retire(unsigned cpu)
{
	struct refpmu_insn insn = { .ip = CODE, .next_ip = CODE + 1, .length = 1 };

	return retire_as(cpu, &insn);
}

/* Starts with empty caches except for the code, which both have fetched; pages 0 to 2 are in the
 * data TLBs. */
static inline void start(const struct cache_geometry *geometry)
{
	memset(&duo, 0, sizeof(duo));
	check_true("packages fit", cache_package_bytes(geometry) <= sizeof(duo.package_memory[0]));
	check_true("cores fit", cache_core_bytes(geometry) <= sizeof(duo.core_memory[0]));
	check_true("threads fit", cache_thread_bytes(geometry) <= sizeof(duo.thread_memory[0]));
	for (unsigned i = 0; i < 2; i++) {
		cache_package_create(&duo.package[i], &duo.machine, geometry,
		                     duo.package_memory[i]);
		cache_core_create(&duo.core[i], &duo.package[i], geometry, duo.core_memory[i]);
		cache_create(&duo.thread[i], &duo.core[i], 0, duo.thread_memory[i]);
	}
	for (unsigned i = 0; i < 2; i++) {
		for (unsigned page = 0; page < 3; page++)
			cache_translate(&duo.thread[i], &duo.thread[i].dtlb, page);
		retire(i);
	}
	for (unsigned i = 0; i < 2; i++) {
		cache_empty_package(&duo.package[i]);
		retire(i);
	}
}

static inline void touch(unsigned cpu, unsigned kind, uint64_t address, unsigned size)
{
	cache_access(&duo.thread[cpu], kind, address, address, size, true);
}

/* Retires an instruction with one access. */
static inline struct cache_traffic use(unsigned cpu, unsigned kind, uint64_t address, unsigned size)
{
	touch(cpu, kind, address, size);
	return retire(cpu);
}

static inline struct cache_traffic use_line(unsigned cpu, unsigned kind, unsigned line)
{
	return use(cpu, kind, (uint64_t)line * LINE, 4);
}

static inline struct cache_traffic fetch_line(unsigned cpu, unsigned line)
{
	struct refpmu_insn insn = { .ip = (uint64_t)line * LINE, .length = 1 };

	insn.next_ip = insn.ip + 1;
	return retire_as(cpu, &insn);
}

static inline unsigned l1d_state(unsigned cpu, uint64_t line)
{
	return cache_state_at(cache_find(&duo.core[cpu].l1d, line));
}

static inline unsigned l2_state(unsigned cpu, uint64_t line)
{
	return cache_state_at(cache_find(&duo.package[cpu].llc, line));
}

static inline uint32_t transactions(const uint32_t bus[CACHE_BUS_KINDS])
{
	uint32_t sum = 0;

	for (unsigned kind = 0; kind < CACHE_BUS_KINDS; kind++)
		sum += bus[kind];
	return sum;
}

/* Checks that the instruction has n transactions of this kind and no other. CACHE_BUS_KINDS stands
 * for none. */
static inline void check_bus(const char *what, const struct cache_traffic *t, unsigned kind,
                             uint32_t n)
{
	if (kind < CACHE_BUS_KINDS)
		check_eq_u64(what, t->bus[kind], n);
	check_eq_u64(what, transactions(t->bus), kind < CACHE_BUS_KINDS ? n : 0);
}

#endif
