/* SPDX-License-Identifier: MIT */
/*
 * Lists the metrics that are counted at retirement: what tags micro-operations, and what counts the
 * tagged ones. Source: SDM 3B, "Performance-Monitoring Events": the tables of metrics that use
 * front-end, execution and replay tagging. The values of MSR_PEBS_ENABLE count without PEBS: they
 * have only UOP_TAG, as in Linux' p4.c; the manual's text says once that this needs the bit, and
 * once that it does not.
 */
#include <pmu/events/netburst_pmu.h>

#include <stddef.h>

#include <arch/regs/table.h>

#define REPLAY(name_, bits, vert, ...) \
	{ .name = name_, .event = "replay_event", .masks = "NBOGUS", \
	  .pebs_enable = (uint32_t)(PEBS_ENABLE_UOP_TAG | (bits)), .pebs_matrix_vert = vert, \
	  __VA_ARGS__ }
#define FRONT_END(name_, mask) \
	{ .name = name_, .event = "front_end_event", .masks = "NBOGUS", \
	  .upstream = "uop_type", .upstream_masks = mask, \
	  .unsure = "whether its ESCR needs TAG_ENABLE beside the mask" }
#define EXECUTION(name_, upstream_, masks_, ...) \
	{ .name = name_, .event = "execution_event", .masks = "NBOGUS0", \
	  .upstream = upstream_, .upstream_masks = masks_, .tag_value = 1, __VA_ARGS__ }

#define LOADS   PEBS_MATRIX_VERT_LOADS
#define STORES  PEBS_MATRIX_VERT_STORES

const struct netburst_metric netburst_metrics[] = {
	REPLAY("1stL_cache_load_miss_retired", BIT(0), LOADS),
	REPLAY("2ndL_cache_load_miss_retired", BIT(1), LOADS,
	       .unsure = "only misses that are found fast: it counts too few"),
	REPLAY("DTLB_load_miss_retired", BIT(2), LOADS),
	REPLAY("DTLB_store_miss_retired", BIT(2), STORES),
	REPLAY("DTLB_all_miss_retired", BIT(2), LOADS | STORES),
	REPLAY("Tagged_mispred_branch", BIT(15) | BIT(16), PEBS_MATRIX_VERT_BRANCHES,
	       .unsure = "bits 15 and 16 of MSR_PEBS_ENABLE are reserved in the list of MSRs"),
	REPLAY("MOB_load_replay_retired", BIT(9), LOADS,
	       .upstream = "MOB_load_replay", .upstream_masks = "PARTIAL_DATA+UNALGN_ADDR"),
	REPLAY("split_load_retired", BIT(10), LOADS,
	       .upstream = "load_port_replay", .upstream_masks = "SPLIT_LD",
	       .upstream_escr = &netburst_escrs[NETBURST_SAAT_ESCR1]),
	REPLAY("split_store_retired", BIT(10), STORES,
	       .upstream = "store_port_replay", .upstream_masks = "SPLIT_ST",
	       .upstream_escr = &netburst_escrs[NETBURST_SAAT_ESCR0],
	       .unsure = "the note on store_port_replay demands MSR_SAAT_ESCR1"),
	FRONT_END("memory_loads", "TAGLOADS"),
	FRONT_END("memory_stores", "TAGSTORES"),
	EXECUTION("packed_SP_retired", "packed_SP_uop", "ALL"),
	EXECUTION("packed_DP_retired", "packed_DP_uop", "ALL"),
	EXECUTION("scalar_SP_retired", "scalar_SP_uop", "ALL"),
	EXECUTION("scalar_DP_retired", "scalar_DP_uop", "ALL"),
	EXECUTION("128_bit_MMX_retired", "128bit_MMX_uop", "ALL"),
	EXECUTION("64_bit_MMX_retired", "64bit_MMX_uop", "ALL"),
	EXECUTION("X87_FP_retired", "x87_FP_uop", "ALL"),
	EXECUTION("X87_SIMD_memory_moves_retired", "x87_SIMD_moves_uop", "ALLP0+ALLP2",
	       .unsure = "the event that tags is only in older editions' tables"),
};

const unsigned netburst_metric_count = COUNT_OF(netburst_metrics);
