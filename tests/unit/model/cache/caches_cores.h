/* SPDX-License-Identifier: MIT */
/* Creates several packages, cores and threads for the tests of coherence, which use them by
 * number. */
#ifndef TESTS_UNIT_MODEL_CACHE_CACHES_CORES_H
#define TESTS_UNIT_MODEL_CACHE_CACHES_CORES_H

#include <model/cache/caches_parts.h>
#include <model/refpmu.h>

#include <tests/unit/unit.h>

enum { PACKAGES_MAX = 2, CORES_MAX = 4 };

struct cores {
	struct cache_machine machine;
	struct cache_package package[PACKAGES_MAX];
	struct cache_core core[CORES_MAX];
	struct caches thread[2 * CORES_MAX];    /* those of core i are 2 * i and 2 * i + 1 */
	/* This memory holds their tags. */
	uint64_t package_memory[PACKAGES_MAX][1 << 17], core_memory[CORES_MAX][1 << 13];
	uint64_t thread_memory[2 * CORES_MAX][1 << 11];
	unsigned packages, cores;
};

static inline void cores_create(struct cores *m, const struct cache_geometry *geometry,
                                unsigned packages, unsigned cores_each)
{
	memset(m, 0, sizeof(*m));
	m->packages = packages;
	m->cores = packages * cores_each;
	check_true("a package fits", cache_package_bytes(geometry) <= sizeof(m->package_memory[0]));
	check_true("a core fits", cache_core_bytes(geometry) <= sizeof(m->core_memory[0]));
	check_true("a thread fits", cache_thread_bytes(geometry) <= sizeof(m->thread_memory[0]));
	for (unsigned i = 0; i < packages; i++)
		cache_package_create(&m->package[i], &m->machine, geometry, m->package_memory[i]);
	for (unsigned i = 0; i < m->cores; i++) {
		cache_core_create(&m->core[i], &m->package[i / cores_each], geometry,
		                  m->core_memory[i]);
		for (unsigned t = 2 * i; t < 2 * i + 2; t++)
			cache_create(&m->thread[t], &m->core[i], t % 2, m->thread_memory[t]);
	}
}

/* Returns an address of code, far from all data and in another line for each core. */
static inline uint64_t code_of(const struct cores *m, const struct caches *u)
{
	return UINT64_C(0x40000000) + (uint64_t)(u->core - m->core) * 64;
}

/* Retires an instruction of a thread with one access; its code is in the cache already. */
static inline struct cache_cost do_access(struct cores *m, unsigned thread, unsigned kind,
                                          uint64_t address)
{
	struct caches *u = &m->thread[thread];
	struct refpmu_insn insn = { .ip = code_of(m, u), .length = 1 };
	struct cache_cost cost;

	cache_retire(u, &insn, &cost);
	cache_access(u, kind, address, address, 4, true);
	cache_retire(u, &insn, &cost);
	return cost;
}

static inline struct cache_cost do_fetch(struct cores *m, unsigned thread, uint64_t address)
{
	struct refpmu_insn insn = { .ip = address, .length = 1 };
	struct cache_cost cost;

	cache_retire(&m->thread[thread], &insn, &cost);
	return cost;
}

static inline unsigned state_in(const struct cache_tags *t, uint64_t address)
{
	return cache_state_at(cache_find(t, address / 64));
}

static inline unsigned state_l1d(struct cores *m, unsigned core, uint64_t address)
{
	return state_in(&m->core[core].l1d, address);
}

static inline unsigned state_l1i(struct cores *m, unsigned core, uint64_t address)
{
	return state_in(&m->core[core].l1i, address);
}

static inline unsigned state_l2(struct cores *m, unsigned core, uint64_t address)
{
	return state_in(&m->core[core].l2, address);
}

static inline unsigned state_llc(struct cores *m, unsigned package, uint64_t address)
{
	return state_in(&m->package[package].llc, address);
}

/* Returns the highest state in any cache of the core. */
static inline unsigned state_of(struct cores *m, unsigned core, uint64_t address)
{
	unsigned state = state_l1d(m, core, address), other = state_l1i(m, core, address);

	state = other > state ? other : state;
	other = m->core[core].geometry->l2.ways ? state_l2(m, core, address) : CACHE_I;
	return other > state ? other : state;
}

static inline unsigned package_of_core(const struct cores *m, unsigned core)
{
	return (unsigned)(m->core[core].package - m->package);
}

/* Returns whether a line that one core or last level has in state E or M is in no other. */
static inline bool is_coherent(struct cores *m, uint64_t address)
{
	for (unsigned i = 0; i < m->cores; i++) {
		if (state_of(m, i, address) < CACHE_E)
			continue;
		for (unsigned j = 0; j < m->cores; j++)
			if (j != i && state_of(m, j, address) != CACHE_I)
				return false;
		for (unsigned p = 0; p < m->packages; p++)
			if (p != package_of_core(m, i) && state_llc(m, p, address) != CACHE_I)
				return false;
	}
	for (unsigned p = 0; p < m->packages; p++) {
		if (state_llc(m, p, address) < CACHE_E)
			continue;
		for (unsigned q = 0; q < m->packages; q++)
			if (q != p && state_llc(m, q, address) != CACHE_I)
				return false;
		for (unsigned i = 0; i < m->cores; i++)
			if (package_of_core(m, i) != p && state_of(m, i, address) != CACHE_I)
				return false;
	}
	return true;
}

#endif
