/* SPDX-License-Identifier: MIT */
/*
 * The geometry of each processor. Caches: CPUID leaf 4 (SDM 2A, CPUID, "Deterministic Cache
 * Parameters Leaf"). TLBs for 4-KByte pages: leaf 2 (SDM 2A, CPUID, "Encoding of CPUID Leaf 2
 * Descriptors"), or leaf 18H if leaf 2 has descriptor FEH. If leaf 2 names a small and a large
 * first-level data TLB (DTLB0 and DTLB1), the rows have the large one; if leaf 18H has TLBs for
 * loads and for stores, that for loads. The values are those that Bochs 3.0 answers when it poses
 * as the processor.
 *
 * P6: caches and TLBs by leaf 2, for Pentium II and III as Bochs answers, for Pentium Pro (with 256
 * KBytes of L2) and Pentium M as their data sheets say. The Pentium: Intel's Pentium Processor
 * Family Developer's Manual, "On-Chip Caches".
 *
 * NetBurst: by leaf 2, as Bochs answers for Willamette and a Celeron D of the Prescott kind; the
 * others differ in the size of L2. Its TLBs are fully associative.
 */
#include <model/state/caches.h>

#include <stddef.h>

/* All of these numbers are invented: they are of the order measured on such processors, no more. */
static const struct cache_invented two_levels = {
	.llc_cycles = 12, .memory_cycles = 150, .walk_cycles = 20, .mispredict_cycles = 14,
	.history_bits = 8, .direction_entries = 1024, .pattern_entries = 1024,
	.target_entries = 256, .return_entries = 16
};

static const struct cache_invented in_order = {
	.llc_cycles = 14, .memory_cycles = 120, .walk_cycles = 30, .mispredict_cycles = 13,
	.history_bits = 8, .direction_entries = 512, .pattern_entries = 512,
	.target_entries = 128, .return_entries = 8
};

static const struct cache_invented three_levels = {
	.l2_cycles = 10, .llc_cycles = 30, .memory_cycles = 150, .walk_cycles = 20,
	.mispredict_cycles = 16, .history_bits = 8, .direction_entries = 1024,
	.pattern_entries = 1024, .target_entries = 256, .return_entries = 16
};

/* There is no return stack: a return goes where it went last. Without history a pattern is the
 * branch. */
static const struct cache_invented pentium = {
	.memory_cycles = 18, .walk_cycles = 14, .mispredict_cycles = 4,
	.direction_entries = 256, .pattern_entries = 256, .target_entries = 256
};

static const struct cache_invented pentium_mmx = {
	.memory_cycles = 24, .walk_cycles = 14, .mispredict_cycles = 5,
	.direction_entries = 256, .pattern_entries = 256, .target_entries = 256,
	.return_entries = 4
};

static const struct cache_invented p6 = {
	.llc_cycles = 8, .memory_cycles = 60, .walk_cycles = 20, .mispredict_cycles = 12,
	.history_bits = 4, .direction_entries = 512, .pattern_entries = 512,
	.target_entries = 256, .return_entries = 8
};

static const struct cache_invented netburst = {
	.llc_cycles = 18, .memory_cycles = 200, .walk_cycles = 30, .mispredict_cycles = 20,
	.history_bits = 8, .direction_entries = 1024, .pattern_entries = 1024,
	.target_entries = 256, .return_entries = 16
};

/*
 * Kinds of processors. The target buffer of the Pentium has 256 branches, that of P6 512; its ways
 * are invented. NetBurst's is larger than the model's largest. NetBurst fetches traces: 8 bytes of
 * code represent the micro-operations of one line of a trace. Its trace cache has 12 K
 * micro-operations, 8-way, and is modelled as a cache of as much code.
 */
#define PENTIUM(row) \
	.line_bytes = 32, .invented = &(row), .tells_traffic = true, .writes_around = true, \
	.locks_always = true, .aligns_by_size = true, .pairs = true, .fetch_bytes = 32, \
	.btb = { 64, 4 }
#define P6(line) \
	.line_bytes = (line), .invented = &p6, .tells_traffic = true, .predicts_unknown = true, \
	.fetch_bytes = 16, .btb = { 128, 4 }
#define NETBURST \
	.line_bytes = 64, .invented = &netburst, .tells_traffic = true, .predicts_unknown = true, \
	.fetch_bytes = 8, .btb = { 128, 4 }, .l1i = { 32, 8 }
#define LEVELS_2 .line_bytes = 64, .invented = &two_levels
#define IN_ORDER .line_bytes = 64, .invented = &in_order
#define LEVELS_3 .line_bytes = 64, .invented = &three_levels

/* Sets and ways, first of the TLB or cache for code, then of that for data. */
#define TLB(sets, ways, data_sets, data_ways) \
	.itlb = { sets, ways }, .dtlb = { data_sets, data_ways }
#define L1(sets, ways, data_sets, data_ways) \
	.l1i = { sets, ways }, .l1d = { data_sets, data_ways }
#define L2(sets, ways) .l2 = { sets, ways }
#define L3(sets, ways) .l3 = { sets, ways }

static const struct cache_geometry rows[] = {
	/* Pentium, 05_02H */
	{ CACHE_P54C, PENTIUM(pentium), TLB(8, 4, 16, 4), L1(128, 2, 128, 2) },
	/* Pentium with MMX, 05_04H */
	{ CACHE_P55C, PENTIUM(pentium_mmx), TLB(1, 32, 1, 64), L1(128, 4, 128, 4) },
	/* Pentium Pro, 06_01H */
	{ 0x00000610, P6(32), TLB(8, 4, 16, 4), L1(64, 4, 128, 2), L2(2048, 4) },
	/* Pentium II, 06_03H */
	{ 0x00000630, P6(32), TLB(8, 4, 16, 4), L1(128, 4, 128, 4), L2(4096, 4) },
	/* Pentium III, 06_07H */
	{ 0x00000670, P6(32), TLB(8, 4, 16, 4), L1(128, 4, 128, 4), L2(4096, 4) },
	/* Pentium M, 06_09H */
	{ 0x00000690, P6(64), TLB(32, 4, 32, 4), L1(64, 8, 64, 8), L2(2048, 8) },
	/* Pentium M, 06_0DH */
	{ 0x000006D0, P6(64), TLB(32, 4, 32, 4), L1(64, 8, 64, 8), L2(4096, 8) },
	/* Willamette, 0F_01H */
	{ 0x00000F10, NETBURST, TLB(1, 64, 1, 64), .l1d = { 32, 4 }, L2(512, 8) },
	/* Northwood, 0F_02H */
	{ 0x00000F20, NETBURST, TLB(1, 64, 1, 64), .l1d = { 32, 4 }, L2(1024, 8) },
	/* Prescott, 0F_03H */
	{ 0x00000F30, NETBURST, TLB(1, 128, 1, 64), .l1d = { 32, 8 }, L2(2048, 8) },
	/* Celeron D 336, 0F_04H */
	{ 0x00000F40, NETBURST, TLB(1, 128, 1, 64), .l1d = { 32, 8 }, L2(1024, 4) },
	/* Cedar Mill, 0F_06H */
	{ 0x00000F60, NETBURST, TLB(1, 128, 1, 64), .l1d = { 32, 8 }, L2(4096, 8) },
	/* Core Duo, 06_0EH */
	{ 0x000006E0, LEVELS_2, TLB(32, 4, 32, 4), L1(64, 8, 64, 8), L2(4096, 8) },
	/* Atom N270, 06_1CH */
	{ 0x000106C0, IN_ORDER, TLB(1, 32, 16, 4), L1(64, 8, 64, 6), L2(1024, 8) },
	/* Core 2 T9600, 06_17H */
	{ 0x00010670, LEVELS_2, TLB(32, 4, 64, 4), L1(64, 8, 64, 8), L2(4096, 24) },
	/* Core i5-750, 06_1EH */
	{ 0x000106E0, LEVELS_3, TLB(32, 4, 16, 4), L1(128, 4, 64, 8), L2(512, 8), L3(8192, 16) },
	/* Core i5 M520, 06_25H */
	{ 0x00020650, LEVELS_3, TLB(16, 4, 16, 4), L1(128, 4, 64, 8), L2(512, 8), L3(4096, 12) },
	/* Core i7-2600K, 06_2AH */
	{ 0x000206A0, LEVELS_3, TLB(32, 4, 16, 4), L1(64, 8, 64, 8), L2(512, 8), L3(8192, 16) },
	/* Core i7-3770K, 06_3AH */
	{ 0x000306A0, LEVELS_3, TLB(16, 4, 16, 4), L1(64, 8, 64, 8), L2(512, 8), L3(8192, 16) },
	/* Core i7-4770, 06_3CH */
	{ 0x000306C0, LEVELS_3, TLB(8, 8, 16, 4), L1(64, 8, 64, 8), L2(512, 8), L3(8192, 16) },
	/* Broadwell-ULT, 06_3DH */
	{ 0x000306D0, LEVELS_3, TLB(8, 8, 16, 4), L1(64, 8, 64, 8), L2(512, 8), L3(4096, 16) },
	/* Skylake-X, 06_55H */
	{ 0x00050650, LEVELS_3, TLB(8, 8, 16, 4), L1(64, 8, 64, 8), L2(1024, 16), L3(12288, 11) },
	/* Cannon Lake, 06_66H */
	{ 0x00060660, LEVELS_3, TLB(8, 8, 16, 4), L1(64, 8, 64, 8), L2(1024, 16), L3(12288, 11) },
	/* Ice Lake-U, 06_7EH */
	{ 0x000706E0, LEVELS_3, TLB(1, 8, 16, 4), L1(64, 8, 64, 12), L2(1024, 8), L3(8192, 16) },
	/* Tiger Lake, 06_8CH */
	{ 0x000806C0, LEVELS_3, TLB(16, 8, 16, 4), L1(64, 8, 64, 12), L2(1024, 20), L3(16384, 8) },
	/* Sapphire Rapids, 06_8FH */
	{ 0x000806F0, LEVELS_3, TLB(32, 8, 16, 4), L1(64, 8, 64, 12), L2(2048, 16), L3(90112, 15) },
	/* Arrow Lake P, 06_C6H */
	{ 0x000C0660, LEVELS_3, TLB(32, 8, 16, 8), L1(64, 16, 64, 12), L2(4096, 12), L3(32768, 12) }
};

/* CPUID.1:EAX without type and stepping. SDM 2A, CPUID, "Version Information Returned by EAX". */
#define SIGNATURE_MASK UINT32_C(0x0FFF0FF0)

const struct cache_geometry *cache_geometry_find(uint32_t cpuid_1_eax)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].signature == (cpuid_1_eax & SIGNATURE_MASK))
			return &rows[i];
	return NULL;
}
