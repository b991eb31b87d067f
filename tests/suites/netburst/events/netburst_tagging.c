/* SPDX-License-Identifier: MIT */
/*
 * netburst.tagging: micro-operations that an ESCR tags and that are counted when they retire. SDM
 * 3B, "At-Retirement Counting": front-end tagging of loads and stores; execution tagging with four
 * tags.
 */
#include <tests/suites/netburst/events/netburst_exercises.h>

/* A store is one micro-operation for its address and one for its data. */
#define PARTS \
	"low: each is tagged once or more; high: the manual does not say how many " \
	"micro-operations it has"
#define MEMORY(metric, code, each, text, still_) \
	{ .event = metric, LOOPS(code), OR_MORE(each, PARTS), .why = text, STILL(still_) }

NETBURST_METRIC("tagging", memory_loads,
	"front_end_event counts what uop_type tags when it retires: one for the load of a MOV, "
	"an ADD to memory or a RET, none for a store, none without a tag",
	MEMORY("memory_loads", "load", 1, "a load a round", "store"),
	MEMORY("memory_loads", "load_store", 1, "an ADD to memory a round: one load", "loop"),
	MEMORY("memory_loads", "call", 1, "a RET a round", "mmx_store"),
	MEMORY("memory_loads", "load_two_banks", 2, "two loads a round", "mmx_add"));
NETBURST_METRIC("tagging", memory_stores,
	"front_end_event counts what uop_type tags when it retires: one for the store of a MOV, "
	"an ADD to memory or a PUSH, none for a load, none without a tag",
	MEMORY("memory_stores", "store", 1, "a store a round", "load"),
	MEMORY("memory_stores", "load_store", 1, "an ADD to memory a round: one store", "loop"),
	MEMORY("memory_stores", "push_pop", 1, "a PUSH a round", "mmx_load"));

/* Each round has one such instruction and three micro-operations, so no two tagged ones
 * retire in one clock. */
#define EXECUTES(metric, code, text, still_) \
	{ .event = metric, LOOPS(code), OR_MORE(1, PARTS), .why = text " a round", STILL(still_) }

NETBURST_METRIC("tagging", packed_sp_retired,
	"execution_event counts what packed_SP_uop tags when it retires: one for each ADDPS, "
	"none for an ADDSS, none without a tag",
	EXECUTES("packed_SP_retired", "sse_add_packed", "an ADDPS", "sse_add_scalar"));
NETBURST_METRIC("tagging", packed_dp_retired,
	"execution_event counts what packed_DP_uop tags when it retires: one for each ADDPD, "
	"none for an ADDPS, none without a tag",
	EXECUTES("packed_DP_retired", "sse2_add_packed", "an ADDPD", "sse_add_packed"));
NETBURST_METRIC("tagging", scalar_sp_retired,
	"execution_event counts what scalar_SP_uop tags when it retires: one for each ADDSS, "
	"none for an ADDSD, none without a tag",
	EXECUTES("scalar_SP_retired", "sse_add_scalar", "an ADDSS", "sse2_add_scalar"));
NETBURST_METRIC("tagging", scalar_dp_retired,
	"execution_event counts what scalar_DP_uop tags when it retires: one for each ADDSD, "
	"none for an ADDPD, none without a tag",
	EXECUTES("scalar_DP_retired", "sse2_add_scalar", "an ADDSD", "sse2_add_packed"));
NETBURST_METRIC("tagging", 128_bit_mmx_retired,
	"execution_event counts what 128bit_MMX_uop tags when it retires: one for each PADDB of "
	"XMM registers, none for one of MMX registers, none without a tag",
	EXECUTES("128_bit_MMX_retired", "sse2_add_integer", "a PADDB of XMM", "mmx_add"));
NETBURST_METRIC("tagging", 64_bit_mmx_retired,
	"execution_event counts what 64bit_MMX_uop tags when it retires: one for each PADDB of "
	"MMX registers, none for one of XMM registers, none without a tag",
	EXECUTES("64_bit_MMX_retired", "mmx_add", "a PADDB of MMX", "sse2_add_integer"));
NETBURST_METRIC("tagging", x87_fp_retired,
	"execution_event counts what x87_FP_uop tags when it retires: one for each FADD or FMUL, "
	"none for an MMX instruction or a loop, none without a tag",
	EXECUTES("X87_FP_retired", "fadd", "an FADD", "mmx_add"),
	EXECUTES("X87_FP_retired", "fmul", "an FMUL", "loop"));
NETBURST_METRIC("tagging", x87_simd_memory_moves_retired,
	"execution_event counts what x87_SIMD_moves_uop tags when it retires; its count for MOVQ "
	"from memory is shown, not judged, and is 0 without a tag",
	{ .event = "X87_SIMD_memory_moves_retired", LOOPS("mmx_load"), SHOWN(0),
	  .reason = "the event that tags is no longer in the manual's tables" });
