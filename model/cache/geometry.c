/* SPDX-License-Identifier: MIT */
/*
 * Which processor has what. Caches: CPUID leaf 4 (SDM 2A, CPUID, "Deterministic Cache Parameters
 * Leaf"). TLBs for 4-KByte pages: leaf 2 (SDM 2A, CPUID, "Encoding of CPUID Leaf 2 Descriptors"),
 * or leaf 18H where leaf 2 has descriptor FEH. Where leaf 2 names a small and a large first-level
 * data TLB (DTLB0 and DTLB1), the large one; where leaf 18H has TLBs for loads and for stores, the
 * loads'. The values are those that Bochs 3.0 answers when it poses as the processor.
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

/* Invented, all of it: of the order of what is measured on such processors, and no more. */
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
	.mispredict_cycles = 16,
	.history_bits = 8, .direction_entries = 1024, .pattern_entries = 1024,
	.target_entries = 256, .return_entries = 16
};

/* No return stack: a return goes where it went last. Without history a pattern is the branch. */
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

/* The target buffer of the Pentium has 256 branches, that of P6 512; its ways are invented.
 * NetBurst's is larger than the model's largest, and what it fetches are traces: 8 bytes of code
 * stand for the micro-operations of one line of a trace. */
#define TELLS_P5 \
	.tells_traffic = true, .writes_around = true, .locks_always = true, \
	.aligns_by_size = true, .pairs = true, .fetch_bytes = 32, .btb = { 64, 4 }
#define TELLS_P6 \
	.tells_traffic = true, .predicts_unknown = true, .fetch_bytes = 16, .btb = { 128, 4 }

#define TELLS_NETBURST \
	.tells_traffic = true, .predicts_unknown = true, .fetch_bytes = 8, .btb = { 128, 4 }
/* The trace cache has 12 K micro-operations, 8-way: it stands as a cache of as much code. */
#define TRACE_CACHE { 32, 8 }

/* { sets, ways } */
static const struct cache_geometry rows[] = {
	/* Pentium, 05_02H */
	{ .signature = CACHE_P54C, .line_bytes = 32, .itlb = { 8, 4 }, .dtlb = { 16, 4 },
	  .l1i = { 128, 2 }, .l1d = { 128, 2 }, TELLS_P5,
	  .invented = &pentium },
	/* Pentium with MMX, 05_04H */
	{ .signature = CACHE_P55C, .line_bytes = 32, .itlb = { 1, 32 }, .dtlb = { 1, 64 },
	  .l1i = { 128, 4 }, .l1d = { 128, 4 }, TELLS_P5,
	  .invented = &pentium_mmx },
	/* Pentium Pro, 06_01H */
	{ .signature = 0x00000610, .line_bytes = 32, .itlb = { 8, 4 }, .dtlb = { 16, 4 },
	  .l1i = { 64, 4 }, .l1d = { 128, 2 }, .l2 = { 2048, 4 }, TELLS_P6,
	  .invented = &p6 },
	/* Pentium II, 06_03H */
	{ .signature = 0x00000630, .line_bytes = 32, .itlb = { 8, 4 }, .dtlb = { 16, 4 },
	  .l1i = { 128, 4 }, .l1d = { 128, 4 }, .l2 = { 4096, 4 }, TELLS_P6,
	  .invented = &p6 },
	/* Pentium III, 06_07H */
	{ .signature = 0x00000670, .line_bytes = 32, .itlb = { 8, 4 }, .dtlb = { 16, 4 },
	  .l1i = { 128, 4 }, .l1d = { 128, 4 }, .l2 = { 4096, 4 }, TELLS_P6,
	  .invented = &p6 },
	/* Pentium M, 06_09H */
	{ .signature = 0x00000690, .line_bytes = 64, .itlb = { 32, 4 }, .dtlb = { 32, 4 },
	  .l1i = { 64, 8 }, .l1d = { 64, 8 }, .l2 = { 2048, 8 }, TELLS_P6,
	  .invented = &p6 },
	/* Pentium M, 06_0DH */
	{ .signature = 0x000006D0, .line_bytes = 64, .itlb = { 32, 4 }, .dtlb = { 32, 4 },
	  .l1i = { 64, 8 }, .l1d = { 64, 8 }, .l2 = { 4096, 8 }, TELLS_P6,
	  .invented = &p6 },
	/* Willamette, 0F_01H */
	{ .signature = 0x00000F10, .line_bytes = 64, .itlb = { 1, 64 }, .dtlb = { 1, 64 },
	  .l1i = TRACE_CACHE, .l1d = { 32, 4 }, .l2 = { 512, 8 }, TELLS_NETBURST,
	  .invented = &netburst },
	/* Northwood, 0F_02H */
	{ .signature = 0x00000F20, .line_bytes = 64, .itlb = { 1, 64 }, .dtlb = { 1, 64 },
	  .l1i = TRACE_CACHE, .l1d = { 32, 4 }, .l2 = { 1024, 8 }, TELLS_NETBURST,
	  .invented = &netburst },
	/* Prescott, 0F_03H */
	{ .signature = 0x00000F30, .line_bytes = 64, .itlb = { 1, 128 }, .dtlb = { 1, 64 },
	  .l1i = TRACE_CACHE, .l1d = { 32, 8 }, .l2 = { 2048, 8 }, TELLS_NETBURST,
	  .invented = &netburst },
	/* Celeron D 336, 0F_04H */
	{ .signature = 0x00000F40, .line_bytes = 64, .itlb = { 1, 128 }, .dtlb = { 1, 64 },
	  .l1i = TRACE_CACHE, .l1d = { 32, 8 }, .l2 = { 1024, 4 }, TELLS_NETBURST,
	  .invented = &netburst },
	/* Cedar Mill, 0F_06H */
	{ .signature = 0x00000F60, .line_bytes = 64, .itlb = { 1, 128 }, .dtlb = { 1, 64 },
	  .l1i = TRACE_CACHE, .l1d = { 32, 8 }, .l2 = { 4096, 8 }, TELLS_NETBURST,
	  .invented = &netburst },
	/* Core Duo, 06_0EH */
	{ .signature = 0x000006E0, .line_bytes = 64, .itlb = { 32, 4 }, .dtlb = { 32, 4 },
	  .l1i = { 64, 8 }, .l1d = { 64, 8 }, .l2 = { 4096, 8 },
	  .invented = &two_levels },
	/* Atom N270, 06_1CH */
	{ .signature = 0x000106C0, .line_bytes = 64, .itlb = { 1, 32 }, .dtlb = { 16, 4 },
	  .l1i = { 64, 8 }, .l1d = { 64, 6 }, .l2 = { 1024, 8 },
	  .invented = &in_order },
	/* Core 2 T9600, 06_17H */
	{ .signature = 0x00010670, .line_bytes = 64, .itlb = { 32, 4 }, .dtlb = { 64, 4 },
	  .l1i = { 64, 8 }, .l1d = { 64, 8 }, .l2 = { 4096, 24 },
	  .invented = &two_levels },
	/* Core i5-750, 06_1EH */
	{ .signature = 0x000106E0, .line_bytes = 64, .itlb = { 32, 4 }, .dtlb = { 16, 4 },
	  .l1i = { 128, 4 }, .l1d = { 64, 8 }, .l2 = { 512, 8 }, .l3 = { 8192, 16 },
	  .invented = &three_levels },
	/* Core i5 M520, 06_25H */
	{ .signature = 0x00020650, .line_bytes = 64, .itlb = { 16, 4 }, .dtlb = { 16, 4 },
	  .l1i = { 128, 4 }, .l1d = { 64, 8 }, .l2 = { 512, 8 }, .l3 = { 4096, 12 },
	  .invented = &three_levels },
	/* Core i7-2600K, 06_2AH */
	{ .signature = 0x000206A0, .line_bytes = 64, .itlb = { 32, 4 }, .dtlb = { 16, 4 },
	  .l1i = { 64, 8 }, .l1d = { 64, 8 }, .l2 = { 512, 8 }, .l3 = { 8192, 16 },
	  .invented = &three_levels },
	/* Core i7-3770K, 06_3AH */
	{ .signature = 0x000306A0, .line_bytes = 64, .itlb = { 16, 4 }, .dtlb = { 16, 4 },
	  .l1i = { 64, 8 }, .l1d = { 64, 8 }, .l2 = { 512, 8 }, .l3 = { 8192, 16 },
	  .invented = &three_levels },
	/* Core i7-4770, 06_3CH */
	{ .signature = 0x000306C0, .line_bytes = 64, .itlb = { 8, 8 }, .dtlb = { 16, 4 },
	  .l1i = { 64, 8 }, .l1d = { 64, 8 }, .l2 = { 512, 8 }, .l3 = { 8192, 16 },
	  .invented = &three_levels },
	/* Broadwell-ULT, 06_3DH */
	{ .signature = 0x000306D0, .line_bytes = 64, .itlb = { 8, 8 }, .dtlb = { 16, 4 },
	  .l1i = { 64, 8 }, .l1d = { 64, 8 }, .l2 = { 512, 8 }, .l3 = { 4096, 16 },
	  .invented = &three_levels },
	/* Skylake-X, 06_55H */
	{ .signature = 0x00050650, .line_bytes = 64, .itlb = { 8, 8 }, .dtlb = { 16, 4 },
	  .l1i = { 64, 8 }, .l1d = { 64, 8 }, .l2 = { 1024, 16 }, .l3 = { 12288, 11 },
	  .invented = &three_levels },
	/* Cannon Lake, 06_66H */
	{ .signature = 0x00060660, .line_bytes = 64, .itlb = { 8, 8 }, .dtlb = { 16, 4 },
	  .l1i = { 64, 8 }, .l1d = { 64, 8 }, .l2 = { 1024, 16 }, .l3 = { 12288, 11 },
	  .invented = &three_levels },
	/* Ice Lake-U, 06_7EH */
	{ .signature = 0x000706E0, .line_bytes = 64, .itlb = { 1, 8 }, .dtlb = { 16, 4 },
	  .l1i = { 64, 8 }, .l1d = { 64, 12 }, .l2 = { 1024, 8 }, .l3 = { 8192, 16 },
	  .invented = &three_levels },
	/* Tiger Lake, 06_8CH */
	{ .signature = 0x000806C0, .line_bytes = 64, .itlb = { 16, 8 }, .dtlb = { 16, 4 },
	  .l1i = { 64, 8 }, .l1d = { 64, 12 }, .l2 = { 1024, 20 }, .l3 = { 16384, 8 },
	  .invented = &three_levels },
	/* Sapphire Rapids, 06_8FH */
	{ .signature = 0x000806F0, .line_bytes = 64, .itlb = { 32, 8 }, .dtlb = { 16, 4 },
	  .l1i = { 64, 8 }, .l1d = { 64, 12 }, .l2 = { 2048, 16 }, .l3 = { 90112, 15 },
	  .invented = &three_levels },
	/* Arrow Lake P, 06_C6H */
	{ .signature = 0x000C0660, .line_bytes = 64, .itlb = { 32, 8 }, .dtlb = { 16, 8 },
	  .l1i = { 64, 16 }, .l1d = { 64, 12 }, .l2 = { 4096, 12 }, .l3 = { 32768, 12 },
	  .invented = &three_levels }
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
