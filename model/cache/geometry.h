/* SPDX-License-Identifier: MIT */
/*
 * The caches and TLBs in a processor's row of rules. Caches: CPUID leaf 4 (SDM 2A, CPUID,
 * "Deterministic Cache Parameters Leaf"). TLBs for 4-KByte pages: leaf 2 (SDM 2A, CPUID, "Encoding
 * of CPUID Leaf 2 Descriptors"), or leaf 18H if leaf 2 has descriptor FEH. If leaf 2 names a small
 * and a large first-level data TLB (DTLB0 and DTLB1), the rows have the large one; if leaf 18H has
 * TLBs for loads and for stores, that for loads. The values are those that Bochs 3.0 answers when
 * it poses as the processor.
 *
 * The rows of struct cache_invented are of the order measured on such processors, no more. Columns:
 * cycles for L2, the last level, memory, a walk, a misprediction; bits of history; entries for
 * directions, patterns, targets, returns.
 */
#ifndef MODEL_CACHE_GEOMETRY_H
#define MODEL_CACHE_GEOMETRY_H

/* Sets and ways, first of the TLB or cache for code, then of that for data. */
#define TLB(sets, ways, data_sets, data_ways) \
	.caches.itlb = { sets, ways }, .caches.dtlb = { data_sets, data_ways }
#define L1(sets, ways, data_sets, data_ways) \
	.caches.l1i = { sets, ways }, .caches.l1d = { data_sets, data_ways }
/* The last level; a core's own L2 and the last level. */
#define L2(sets, ways) .caches.llc = { sets, ways }
#define L2_L3(sets, ways, llc_sets, llc_ways) \
	.caches.l2 = { sets, ways }, .caches.llc = { llc_sets, llc_ways }

#endif
