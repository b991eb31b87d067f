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
	MEMORY("memory_loads", "load", 1, "a load a round", "store"),
	MEMORY("memory_loads", "load_store", 1, "an ADD to memory a round: one load", "loop"),
	MEMORY("memory_loads", "call", 1, "a RET a round", "mmx_store"),
	MEMORY("memory_loads", "load_two_banks", 2, "two loads a round", "mmx_add"));
NETBURST_METRIC("tagging", memory_stores,
	MEMORY("memory_stores", "store", 1, "a store a round", "load"),
	MEMORY("memory_stores", "load_store", 1, "an ADD to memory a round: one store", "loop"),
	MEMORY("memory_stores", "push_pop", 1, "a PUSH a round", "mmx_load"));

/* Each round has one such instruction and three micro-operations, so no two tagged ones
 * retire in one clock. */
#define EXECUTES(metric, code, text, still_) \
	{ .event = metric, LOOPS(code), OR_MORE(1, PARTS), .why = text " a round", STILL(still_) }

NETBURST_METRIC("tagging", packed_sp_retired,
	EXECUTES("packed_SP_retired", "sse_add_packed", "an ADDPS", "sse_add_scalar"));
NETBURST_METRIC("tagging", packed_dp_retired,
	EXECUTES("packed_DP_retired", "sse2_add_packed", "an ADDPD", "sse_add_packed"));
NETBURST_METRIC("tagging", scalar_sp_retired,
	EXECUTES("scalar_SP_retired", "sse_add_scalar", "an ADDSS", "sse2_add_scalar"));
NETBURST_METRIC("tagging", scalar_dp_retired,
	EXECUTES("scalar_DP_retired", "sse2_add_scalar", "an ADDSD", "sse2_add_packed"));
NETBURST_METRIC("tagging", 128_bit_mmx_retired,
	EXECUTES("128_bit_MMX_retired", "sse2_add_integer", "a PADDB of XMM", "mmx_add"));
NETBURST_METRIC("tagging", 64_bit_mmx_retired,
	EXECUTES("64_bit_MMX_retired", "mmx_add", "a PADDB of MMX", "sse2_add_integer"));
NETBURST_METRIC("tagging", x87_fp_retired,
	EXECUTES("X87_FP_retired", "fadd", "an FADD", "mmx_add"),
	EXECUTES("X87_FP_retired", "fmul", "an FMUL", "loop"));
NETBURST_METRIC("tagging", x87_simd_memory_moves_retired,
	{ .event = "X87_SIMD_memory_moves_retired", LOOPS("mmx_load"), SHOWN(0),
	  .reason = "the event that tags is no longer in the manual's tables" });
