/* SPDX-License-Identifier: MIT */
/* The first-level data cache of this processor, by CPUID. */
#ifndef ARCH_CPU_CACHE_H
#define ARCH_CPU_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct cache_shape {
	uint32_t size;                 /* bytes */
	unsigned ways, line;           /* line: bytes */
	uint32_t leaf;                 /* of CPUID, that says so: 4 or 2 */
	uint32_t descriptor;           /* leaf 2: the byte that says so */
};

/*
 * By leaf 4 or, where there is none, by the descriptors of leaf 2. False: neither names one, or its
 * ways are all that it has (fully associative). Source: SDM 2A, "CPUID - CPU Identification",
 * "Deterministic Cache Parameters Leaf" and "Encoding of CPUID Leaf 2 Descriptors".
 */
bool cache_find_l1_data(struct cache_shape *shape);

/* Addresses so many bytes apart fall into one set. */
static inline uint32_t cache_way_size(const struct cache_shape *shape)
{
	return shape->size / shape->ways;
}

#endif
