/* SPDX-License-Identifier: MIT */
/* Finds the size and shape of this processor's first-level data cache with CPUID. */
#ifndef ARCH_CPU_CACHE_H
#define ARCH_CPU_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct cache_shape {
	uint32_t size;                 /* in bytes */
	unsigned ways, line;           /* line: in bytes */
	uint32_t leaf;                 /* the CPUID leaf that described it: 4, 2, or AMD's */
	uint32_t descriptor;           /* from leaf 2: the byte that described it */
};

/*
 * Fills in shape from CPUID leaf 4 or, if the processor has no leaf 4, from the descriptors of leaf
 * 2. Returns false if neither describes the cache, or if the cache is fully associative. Source:
 * SDM 2A, "CPUID - CPU Identification", "Deterministic Cache Parameters Leaf" and "Encoding of
 * CPUID Leaf 2 Descriptors".
 */
bool cache_find_l1_data(struct cache_shape *shape);

/* Does the same on AMD's processors, by leaf 80000005H. Source: APM 3, "CPUID
 * Fn8000_0005_ECX L1 Data Cache Information". */
bool cache_find_l1_data_of_amd(struct cache_shape *shape);

/* Returns the distance in bytes of addresses that fall into the same set. */
static inline uint32_t cache_way_size(const struct cache_shape *shape)
{
	return shape->size / shape->ways;
}

#endif
