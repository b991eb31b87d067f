/* SPDX-License-Identifier: MIT */
/* Creates a core and a package for the tests of the microarchitecture, and retires instructions. */
#ifndef TESTS_UNIT_MODEL_CACHE_CACHES_MACHINE_H
#define TESTS_UNIT_MODEL_CACHE_CACHES_MACHINE_H

#include <model/refpmu.h>

#include <tests/unit/model/cache/caches_rows.h>
#include <tests/unit/unit.h>

enum { LINE = 64, PAGE = 4096 };

#define HASWELL         0x000306C3     /* L1s 64 * 8, L2 512 * 8, L3 8192 * 16, DTLB 16 * 4 */
#define PENRYN          0x0001067A     /* L1D 64 * 8, L2 4096 * 24 is the last level */
#define SAPPHIRE_RAPIDS 0x000806F8     /* L2 2048 * 16, L3 90112 * 15 */
#define ATOM            0x000106C2     /* ITLB 1 * 32, 8 returns */

#define CODE UINT64_C(0x40000000)      /* far from all data of these tests */

static struct caches thread;
static struct cache_core core;
static struct cache_package package;
static struct cache_machine machine;

/* Holds their tags, with room for the largest geometry. */
static struct {
	uint64_t thread[2048], core[1 << 16], package[90112 * 15];
} memory;

/* Clears everything, as before the first creation. */
static inline void clear(void)
{
	memset(&thread, 0, sizeof(thread));
	memset(&core, 0, sizeof(core));
	memset(&package, 0, sizeof(package));
	memset(&machine, 0, sizeof(machine));
	memset(&memory, 0, sizeof(memory));
}

static inline struct cache_cost retire(uint64_t ip, unsigned length)
{
	struct refpmu_insn insn = { .ip = ip, .next_ip = ip + length, .length = (uint8_t)length };
	struct cache_cost cost;

	cache_retire(&thread, &insn, &cost);
	return cost;
}

/* Retires a branch of 2 bytes, whose code is usually in the caches already. */
static inline struct cache_cost branch(enum refpmu_branch kind, uint64_t ip, uint64_t next_ip)
{
	struct refpmu_insn insn = { .ip = ip, .next_ip = next_ip, .length = 2,
	                            .branch = (uint8_t)kind, .is_taken = next_ip != ip + 2 };
	struct cache_cost cost;

	cache_retire(&thread, &insn, &cost);
	return cost;
}

/* Creates one package with one core with one thread, all empty. */
static inline void create(const struct cache_geometry *geometry)
{
	check_true("the package fits", cache_package_bytes(geometry) <= sizeof(memory.package));
	check_true("the core fits", cache_core_bytes(geometry) <= sizeof(memory.core));
	check_true("the thread fits", cache_thread_bytes(geometry) <= sizeof(memory.thread));
	if (package.geometry != geometry)
		clear();
	machine.packages = NULL;
	cache_package_create(&package, &machine, geometry, memory.package);
	cache_core_create(&core, &package, geometry, memory.core);
	cache_create(&thread, &core, 0, memory.thread);
}

static inline void start_with(const struct cache_geometry *geometry)
{
	create(geometry);
	retire(CODE, 1);
}

/* Starts with everything empty except the line CODE. */
static inline const struct cache_geometry *start(uint32_t cpuid_1_eax)
{
	const struct cache_geometry *geometry = cache_geometry_find(cpuid_1_eax);

	start_with(geometry);
	return geometry;
}

static inline void touch(enum refpmu_access kind, uint64_t address, unsigned size)
{
	cache_access(&thread, kind, address, address, size, true);
}

/* Retires an instruction that reads 4 bytes; the linear address is the physical one. */
static inline struct cache_cost read4(uint64_t address)
{
	touch(REFPMU_READ, address, 4);
	return retire(CODE, 1);
}

/* Retires one instruction that reads at `count` places. */
static inline struct cache_cost walk(uint64_t first, uint64_t stride, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		touch(REFPMU_READ, first + i * stride, 4);
	return retire(CODE, 1);
}

static inline void check_llc(const char *what, struct cache_cost cost, uint32_t references,
                             uint32_t misses)
{
	char text[120];

	snprintf(text, sizeof(text), "%s: references", what);
	check_eq_u64(text, cost.llc_references, references);
	snprintf(text, sizeof(text), "%s: misses", what);
	check_eq_u64(text, cost.llc_misses, misses);
}

static inline void check_free(const char *what, struct cache_cost cost)
{
	check_llc(what, cost, 0, 0);
	check_eq_u64(what, cost.frontend_cycles, 0);
	check_eq_u64(what, cost.backend_cycles, 0);
	check_eq_u64(what, cost.bad_speculation_cycles, 0);
	check_true(what, !cost.is_mispredicted && !cost.is_alone);
}

#endif
