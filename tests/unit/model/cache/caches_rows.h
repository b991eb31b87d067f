/* SPDX-License-Identifier: MIT */
/* The geometries in the rules of processors. */
#ifndef TESTS_UNIT_MODEL_CACHE_CACHES_ROWS_H
#define TESTS_UNIT_MODEL_CACHE_CACHES_ROWS_H

#include <stddef.h>

#include <model/state/rules.h>

/* CPUID.1:EAX of the Pentium without MMX, and of the one with MMX. */
enum { CACHE_P54C = 0x0520, CACHE_P55C = 0x0540, EDX_WITH_MMX = 1 << 23 };

/* Return the geometry of Intel's, or AMD's, processor with this CPUID.1:EAX, or NULL if there is no
 * row. */
static inline const struct cache_geometry *cache_geometry_of(uint32_t cpuid_1_eax,
                                                             enum refpmu_vendor vendor)
{
	const struct refpmu_identity identity = { cpuid_1_eax, EDX_WITH_MMX, vendor, 0 };
	const struct model_rules *r = model_rules_find(identity);

	return r ? &r->caches : NULL;
}

static inline const struct cache_geometry *cache_geometry_find(uint32_t cpuid_1_eax)
{
	return cache_geometry_of(cpuid_1_eax, REFPMU_INTEL);
}

#endif
