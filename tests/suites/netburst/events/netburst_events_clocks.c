/* SPDX-License-Identifier: MIT */
/* NetBurst events: trace cache, branches of a type, micro-operations, clocks. See
 * event_exercise.h. */
#include <tests/suites/netburst/events/netburst_exercises.h>

NETBURST_EVENT(tc_deliver_mode,
	"the event counts clocks by the mode of the trace cache, deliver, build or inactive: at "
	"least two for three rounds of a loop, and its masks add up",
	{ .event = "TC_deliver_mode", LOOPS("loop"),
	  AT_LEAST(2, EXERCISE_MASKS | EXERCISE_WARM), .per = 3, .why = THREE_A_CLOCK });

NETBURST_EVENT(bpu_fetch_request,
	"the event counts fetches of code that the trace cache lacks: at least one for two jumps "
	"to uncached lines, none in a loop",
	{ .event = "BPU_fetch_request", WALKS("code_walk"),
	  AT_LEAST(1, EXERCISE_COLD | EXERCISE_IF_EXACT), .per = 2,
	  .why = "low: two rounds execute a line that was not cached; high: the manual does not "
	         "say how much is fetched at once",
	  .reason = "silicon builds traces ahead", STILL("loop") });

#define ITLB(name, mask_, still_) \
	{ .event = name, .mask = mask_, WALKS_OVER_TLB("code_page_walk"), \
	  EXACTLY(1, EXERCISE_COLD | EXERCISE_IF_EXACT), \
	  .why = "each round executes on a page that was not used before", \
	  .reason = "silicon may have one large page for all of them", STILL(still_) }

NETBURST_EVENT(itlb_reference,
	"the event counts lookups in the instruction TLB by their result: one MISS for each new "
	"page, HITs for new lines of a page, none in a loop, and its masks add up",
	ITLB("ITLB_reference", "MISS", "loop"),
	{ .event = "ITLB_reference", WALKS_OVER_TLB("code_page_walk"),
	  AT_LEAST(1, EXERCISE_COLD | EXERCISE_MASKS | EXERCISE_IF_EXACT),
	  .why = "low: each round executes on another page; high: the manual does not say how "
	         "often a page is looked up",
	  .reason = "silicon may have one large page for all of them" },
	{ .event = "ITLB_reference", .mask = "HIT", WALKS("code_walk"),
	  AT_LEAST(1, EXERCISE_COLD | EXERCISE_IF_EXACT), .per = 4,
	  .why = "low: every second round executes a line that is not cached, 64 of them on a "
	         "page; high: the manual does not say how often a page is looked up",
	  .reason = "silicon fetches ahead", STILL("loop") });

NETBURST_EVENT(page_walk_type,
	"the event counts page walks by their cause: one ITMISS for each new page of code, one "
	"DTMISS for each new page of data, none in a loop or for a page that the TLB has",
	ITLB("page_walk_type", "ITMISS", "load"),
	{ .event = "page_walk_type", .mask = "DTMISS", WALKS_OVER_TLB("page_walk"),
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT),
	  .why = "each round reads from a page that is not in the TLB",
	  .reason = "silicon may have one large page for all of them", STILL("load") },
	{ .event = "page_walk_type", .mask = "DTMISS", LOOPS("invlpg"),
	  AT_LEAST(1, EXERCISE_MASKS),
	  .why = "low: INVLPG drops the page of the load; high: loads that do not retire "
	         "may walk as well" });

NETBURST_EVENT(tc_misc,
	"the event counts flushes of the trace cache; its count for code that modifies itself is "
	"shown, not judged",
	{ .event = "TC_misc", LOOPS("modify_code"), SHOWN(EXERCISE_ARENA),
	  .reason = "the manual does not say which code flushes the trace cache" });

NETBURST_EVENT(tc_ms_xfer,
	"the event counts switches of delivery to the microcode ROM: at least one for each "
	"CPUID, none in a loop",
	{ .event = "tc_ms_xfer", LOOPS("cpuid"), AT_LEAST(1, 0),
	  .why = "low: CPUID is microcode; high: the manual does not say how often "
	         "its flow switches", STILL("loop") });

NETBURST_EVENT(uop_queue_writes,
	"the event counts micro-operations written to the queue, by their origin: at least one "
	"for each instruction of a loop, at least one FROM_ROM for each CPUID, and its masks add "
	"up",
	{ .event = "uop_queue_writes", LOOPS("loop"), AT_LEAST(2, EXERCISE_MASKS),
	  .why = "low: each instruction has a micro-operation; high: instructions that do not "
	         "retire also write some" },
	{ .event = "uop_queue_writes", .mask = "FROM_ROM", LOOPS("cpuid"), AT_LEAST(1, 0),
	  .why = "low: CPUID is microcode; high: the manual does not say how many "
	         "micro-operations it has", STILL("loop") });

/* ------------------------------------------------------------------------ branches of a type */

#define TYPE(mask_, code, each, text, still_) \
	{ .event = "retired_branch_type", .mask = mask_, LOOPS(code), EXACTLY(each, 0), \
	  .why = text, STILL(still_) }
#define CONDITIONAL(code, each, text) \
	{ .event = "retired_branch_type", .mask = "CONDITIONAL", LOOPS(code), \
	  OR_MORE(each, "low: as on the exact machine; high: by the manual it may count " \
	                "conditional branches twice"), .why = text }

NETBURST_EVENT(retired_branch_type,
	"the event counts retired branches of the types in its mask: one for each JNZ or JC, "
	"CALL, RET or indirect JMP, none for other types",
	CONDITIONAL("loop", 1, "a JNZ a round"),
	CONDITIONAL("jcc_not_taken", 2, "a JC that falls through, and a JNZ"),
	CONDITIONAL("jmp", 1, "the JNZ counts; a JMP has none of the types"),
	TYPE("CALL", "call", 1, "a CALL a round", "jmp"),
	TYPE("CALL", "call_indirect", 1, "an indirect CALL a round", "jmp_indirect"),
	TYPE("RETURN", "call", 1, "a RET a round", "jmp_indirect"),
	TYPE("INDIRECT", "jmp_indirect", 1, "an indirect JMP a round", "jmp"));

NETBURST_EVENT(retired_mispred_branch_type,
	"the event counts retired branches of the types in its mask that were mispredicted: at "
	"least one for four on a random bit, one for each RET away from its CALL, none for those "
	"that repeat",
	{ .event = "retired_mispred_branch_type", .mask = "CONDITIONAL", LOOPS("random"),
	  BETWEEN(1, 4, EXERCISE_IF_EXACT), .argument = 12345, .per = 4, .why = COIN,
	  .reason = "silicon may count conditional branches twice", STILL("jcc_taken") },
	{ .event = "retired_mispred_branch_type", .mask = "RETURN", LOOPS("wrong_path"),
	  EXACTLY(1, EXERCISE_IF_EXACT), .why = "each RET goes elsewhere than its CALL predicts",
	  .reason = "no manual says how returns are predicted", STILL("call") });

/* ------------------------------------------------------------------------ micro-operations */

#define UOP(event_, code, text, still_) \
	{ .event = event_, LOOPS(code), OR_MORE(1, UOPS_MORE), .why = text, STILL(still_) }

NETBURST_EVENT(packed_sp_uop,
	"the event counts micro-operations of packed single-precision SSE: one for each ADDPS, "
	"none for an ADDSS or ADDPD",
	UOP("packed_SP_uop", "sse_add_packed", "an ADDPS a round", "sse_add_scalar"),
	UOP("packed_SP_uop", "sse_add_packed", "an ADDPS a round", "sse2_add_packed"));
NETBURST_EVENT(packed_dp_uop,
	"the event counts micro-operations of packed double-precision SSE2: one for each ADDPD, "
	"none for an ADDSD or ADDPS",
	UOP("packed_DP_uop", "sse2_add_packed", "an ADDPD a round", "sse2_add_scalar"),
	UOP("packed_DP_uop", "sse2_add_packed", "an ADDPD a round", "sse_add_packed"));
NETBURST_EVENT(scalar_sp_uop,
	"the event counts micro-operations of scalar single-precision SSE: one for each ADDSS, "
	"none for an ADDPS or ADDSD",
	UOP("scalar_SP_uop", "sse_add_scalar", "an ADDSS a round", "sse_add_packed"),
	UOP("scalar_SP_uop", "sse_add_scalar", "an ADDSS a round", "sse2_add_scalar"));
NETBURST_EVENT(scalar_dp_uop,
	"the event counts micro-operations of scalar double-precision SSE2: one for each ADDSD, "
	"none for an ADDPD or ADDSS",
	UOP("scalar_DP_uop", "sse2_add_scalar", "an ADDSD a round", "sse2_add_packed"),
	UOP("scalar_DP_uop", "sse2_add_scalar", "an ADDSD a round", "sse_add_scalar"));
NETBURST_EVENT(64bit_mmx_uop,
	"the event counts micro-operations of 64-bit MMX: one for each PADDB of MMX registers, "
	"none for a PADDB of XMM registers",
	UOP("64bit_MMX_uop", "mmx_add", "a PADDB of MMX registers a round", "sse2_add_integer"));
NETBURST_EVENT(128bit_mmx_uop,
	"the event counts micro-operations of 128-bit integer SSE2: one for each PADDB of XMM "
	"registers, none for a PADDB of MMX registers",
	UOP("128bit_MMX_uop", "sse2_add_integer", "a PADDB of XMM registers a round", "mmx_add"));
NETBURST_EVENT(x87_fp_uop,
	"the event counts micro-operations of x87 that compute: one for each FADD or FMUL, none "
	"for an ADDSS or a loop",
	UOP("x87_FP_uop", "fadd", "an FADD a round", "sse_add_scalar"),
	UOP("x87_FP_uop", "fmul", "an FMUL a round", "loop"),
	{ .event = "x87_FP_uop", LOOPS("fld80"), SHOWN(0),
	  .reason = "loads do not count, but the manual does not say that nothing else counts" });

#define MOVE(mask_, code) \
	{ .event = "x87_SIMD_moves_uop", .mask = mask_, LOOPS(code), SHOWN(0), \
	  .reason = "the event is no longer in the manual's tables" }
NETBURST_EVENT(x87_simd_moves_uop,
	"the event counts micro-operations that store (ALLP0) or load (ALLP2) x87, MMX and SSE "
	"data; its count for MOVQ and for a loop is shown, not judged",
	MOVE("ALLP0", "mmx_store"), MOVE("ALLP2", "mmx_load"), MOVE("ALLP2", "loop"));

NETBURST_EVENT(sse_input_assist,
	"the event counts SSE operations whose input microcode has to handle: at least one for "
	"each ADDPS of denormal numbers, none for normal ones",
	{ .event = "SSE_input_assist", LOOPS("sse_denormal"), AT_LEAST(1, 0),
	  .why = "low: an ADDPS of denormal numbers a round; high: assists of a wrong "
	         "path count as well",
	  STILL("sse_add_packed") });

/* ------------------------------------------------------------------------ clocks */

NETBURST_EVENT(global_power_events,
	"the event counts clocks outside of HLT: at least one for three instructions of a loop "
	"or of NOPs",
	{ .event = "global_power_events", LOOPS("loop"), AT_LEAST(2, EXERCISE_WARM), .per = 3,
	  .why = THREE_A_CLOCK },
	{ .event = "global_power_events", MOVES("nops", 64, 4096), AT_LEAST(1, EXERCISE_WARM),
	  .per = 3, .why = THREE_A_CLOCK });

NETBURST_EVENT(resource_stall,
	"the event counts stalls of the allocator on full store buffers; its count for a walk of "
	"stores is shown, not judged",
	{ .event = "resource_stall", WALKS("store_walk"), SHOWN(COLD_ARENA),
	  .reason = "the manual does not say how many stores fill the buffer" });
