/* SPDX-License-Identifier: MIT */
/* P6 events that came with MMX, SSE and the Pentium M. See event_exercise.h. */
#include <tests/suites/p6/p6_exercises.h>

#define EXECUTES(name, mask_, code, text, still_) \
	{ .event = name, .mask = mask_, LOOPS(code), EXACTLY(1, EXERCISE_IF_EXACT), \
	  .reason = SPECULATES, .why = text, STILL(still_) }
#define RETIRES(name, mask_, code, text, still_) \
	{ .event = name, .mask = mask_, LOOPS(code), EXACTLY(1, 0), .why = text, STILL(still_) }

/* ------------------------------------------------------------------------ MMX */

P6_EVENT(mmx_instr_exec,
	"the event counts executed MMX instructions except stores: one for each PADDB or MOVQ "
	"from memory, none for a MOVQ to memory",
	EXECUTES("MMX_INSTR_EXEC", NULL, "mmx_add", "a PADDB a round", "loop"),
	EXECUTES("MMX_INSTR_EXEC", NULL, "mmx_load", "a MOVQ from memory a round", "mmx_store"));

P6_EVENT(mmx_sat_instr_exec,
	"the event counts executed MMX instructions that can saturate: one for each PADDSB or "
	"PADDUSB, none for a PADDB or a shift",
	EXECUTES("MMX_SAT_INSTR_EXEC", NULL, "mmx_saturating", "a PADDSB a round", "mmx_add"),
	EXECUTES("MMX_SAT_INSTR_EXEC", NULL, "mmx_saturates", "a PADDUSB a round", "mmx_shift"));

P6_EVENT(mmx_uops_exec,
	"the event counts executed MMX micro-operations: at least one for each PADDB, none in a "
	"loop",
	{ .event = "MMX_UOPS_EXEC", LOOPS("mmx_add"), AT_LEAST(1, 0),
	  .why = "low: one PADDB a round is executed; high: speculation counts as well",
	  STILL("loop") });

#define MMX_CLASS(mask_, code, still_) \
	EXECUTES("MMX_INSTR_TYPE_EXEC", mask_, code, "one of this class a round", still_)

P6_EVENT(mmx_instr_type_exec,
	"the event counts executed MMX instructions of the classes in its mask: one for each of "
	"its class, none for one of another class",
	MMX_CLASS("ARITHMETIC", "mmx_add", "mmx_mul"),
	MMX_CLASS("MULTIPLY", "mmx_mul", "mmx_add"),
	MMX_CLASS("SHIFT", "mmx_shift", "mmx_logic"),
	MMX_CLASS("PACK", "mmx_pack", "mmx_unpack"),
	MMX_CLASS("UNPACK", "mmx_unpack", "mmx_pack"),
	MMX_CLASS("LOGICAL", "mmx_logic", "mmx_shift"),
	MMX_CLASS("SHIFT+LOGICAL", "mmx_logic", "mmx_add"));

P6_EVENT(fp_mmx_trans,
	"the event counts transitions between MMX and x87 instructions in the mask's direction: "
	"one for each round that goes to MMX and back, none for a round of one kind",
	RETIRES("FP_MMX_TRANS", "MMX_TO_FP", "mmx_x87", "an FLD after MMX a round", "mmx_add"),
	RETIRES("FP_MMX_TRANS", "FP_TO_MMX", "mmx_x87", "a PXOR after x87 a round", "fadd"));

P6_EVENT(mmx_assist,
	"the event counts EMMS instructions: one for each, none for a PADDB",
	RETIRES("MMX_ASSIST", NULL, "emms", "an EMMS a round", "mmx_add"));

P6_EVENT(mmx_instr_ret,
	"the event counts MMX instructions that retire on a Pentium II: one for each PADDB, none "
	"in a loop",
	RETIRES("MMX_INSTR_RET", NULL, "mmx_add", "a PADDB a round", "loop"));

/* ------------------------------------------------------------------------ SSE */

/* The unit mask is a number, not a set of bits: code for another number does not count. */
P6_EVENT(emon_kni_pref_dispatched,
	"the event counts dispatched instructions of the kind in its mask: one for each "
	"PREFETCHNTA, PREFETCHT1, PREFETCHT2 or MOVNTPS, none for another kind",
	EXECUTES("EMON_KNI_PREF_DISPATCHED", "NTA", "prefetchnta", "a PREFETCHNTA a round",
	         "prefetcht1"),
	EXECUTES("EMON_KNI_PREF_DISPATCHED", "T1", "prefetcht1", "a PREFETCHT1 a round",
	         "prefetchnta"),
	EXECUTES("EMON_KNI_PREF_DISPATCHED", "T2", "prefetcht2", "a PREFETCHT2 a round", "load"),
	EXECUTES("EMON_KNI_PREF_DISPATCHED", "STORES", "movntps", "a MOVNTPS a round", "store"));

#define MISSES(mask_, code, still_) \
	{ .event = "EMON_KNI_PREF_MISS", .mask = mask_, WALKS(code), \
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .reason = SPECULATES, \
	  .why = "each round requests a line that no cache has", STILL(still_) }

P6_EVENT_ALONE(emon_kni_pref_miss,
	"the event counts instructions of the kind in its mask, prefetches or MOVNTPS, that miss "
	"all caches: one for each line that no cache has, none for a line that is cached",
	MISSES("NTA", "line_prefetchnta_walk", "prefetchnta"),
	MISSES("T1", "line_prefetcht1_walk", "prefetcht1"),
	MISSES("T2", "line_prefetcht2_walk", "prefetcht2"),
	MISSES("STORES", "line_movntps_walk", "store"));

P6_EVENT(emon_kni_inst_retired,
	"the event counts retired SSE instructions: one for each ADDPS or ADDSS, with mask "
	"SCALAR for each ADDSS only, none for a PADDB",
	RETIRES("EMON_KNI_INST_RETIRED", "PACKED_AND_SCALAR", "sse_add_packed", "an ADDPS a round",
	        "loop"),
	RETIRES("EMON_KNI_INST_RETIRED", "PACKED_AND_SCALAR", "sse_add_scalar", "an ADDSS a round",
	        "mmx_add"),
	RETIRES("EMON_KNI_INST_RETIRED", "SCALAR", "sse_add_scalar", "an ADDSS a round",
	        "sse_add_packed"));

P6_EVENT(emon_kni_comp_inst_ret,
	"the event counts retired SSE instructions that compute: one for each ADDPS or ADDSS, "
	"with mask SCALAR for each ADDSS only, none for a move",
	RETIRES("EMON_KNI_COMP_INST_RET", "PACKED_AND_SCALAR", "sse_add_packed", "an ADDPS a round",
	        "sse_move"),
	RETIRES("EMON_KNI_COMP_INST_RET", "PACKED_AND_SCALAR", "sse_add_scalar", "an ADDSS a round",
	        "sse_move_scalar"),
	RETIRES("EMON_KNI_COMP_INST_RET", "SCALAR", "sse_add_scalar", "an ADDSS a round",
	        "sse_add_packed"));

/* ------------------------------------------------------------------------ segment renaming */

#define RENAMES(mask_, code, still_) \
	EXECUTES("SEG_REG_RENAMES", mask_, code, "a load of this register a round", still_)

P6_EVENT(seg_reg_renames,
	"the event counts renames of the segment registers in its mask: one for each load of "
	"such a register, none for a load of another one",
	RENAMES("ES", "load_es", "load_ds"),
	RENAMES("DS", "load_ds", "load_es"),
	RENAMES("ES+DS", "load_ds", "load_fs"),
	RENAMES("FS", "load_fs", "load_gs"),
	RENAMES("GS", "load_gs", "load_fs"),
	RENAMES("ALL", "load_es", "loop"));

P6_EVENT(ret_seg_renames,
	"the event counts renames of segment registers that retire: one for each load of ES, "
	"none in a loop",
	EXECUTES("RET_SEG_RENAMES", NULL, "load_es", "a load of ES a round", "loop"));

P6_EVENT(seg_rename_stalls,
	"the event counts stalls for want of a renamed segment register; its count for loads of "
	"ES is shown, not judged",
	{ .event = "SEG_RENAME_STALLS", LOOPS("load_es"), SHOWN(0),
	  .reason = "the manual does not say how many copies of a segment register exist" });

/* ------------------------------------------------------------------------ Pentium M */

#define BRANCHES(name, code, text, still_) EXECUTES(name, NULL, code, text, still_)
#define UNLUCKY(name, text) \
	{ .event = name, LOOPS("random"), .argument = 12345, SHOWN(0), .reason = text }
#define LEARNS  "the manual does not say how the predictors learn"

P6_EVENT(br_inst_exec,
	"the event counts executed branches: one for each JNZ, none for NOPs",
	BRANCHES("BR_INST_EXEC", "loop", "a JNZ a round", "nops"));
P6_EVENT(br_missp_exec,
	"the event counts executed branches that were mispredicted; its count for branches on a "
	"random bit is shown, not judged",
	UNLUCKY("BR_MISSP_EXEC", LEARNS));
P6_EVENT(br_bac_missp_exec,
	"the event counts executed branches that the front end mispredicted; its count for "
	"branches on a random bit is shown, not judged",
	UNLUCKY("BR_BAC_MISSP_EXEC", LEARNS));
P6_EVENT(br_cnd_exec,
	"the event counts executed conditional branches: one for each JNZ, none for NOPs",
	BRANCHES("BR_CND_EXEC", "loop", "a JNZ a round", "nops"));
P6_EVENT(br_cnd_missp_exec,
	"the event counts executed conditional branches that were mispredicted; its count for "
	"branches on a random bit is shown, not judged",
	UNLUCKY("BR_CND_MISSP_EXEC", LEARNS));
P6_EVENT(br_ind_exec,
	"the event counts executed indirect branches: one for each indirect JMP, none for a "
	"direct one",
	BRANCHES("BR_IND_EXEC", "jmp_indirect", "an indirect JMP a round", "jmp"));
P6_EVENT(br_ind_missp_exec,
	"the event counts executed indirect branches that were mispredicted; its count for "
	"branches on a random bit is shown, not judged",
	UNLUCKY("BR_IND_MISSP_EXEC", LEARNS));
P6_EVENT(br_ret_exec,
	"the event counts executed returns: one for each RET, none in a loop",
	BRANCHES("BR_RET_EXEC", "call", "a RET a round", "loop"));
P6_EVENT(br_ret_missp_exec,
	"the event counts executed returns that were mispredicted; its count for RETs without a "
	"CALL is shown, not judged",
	{ .event = "BR_RET_MISSP_EXEC", LOOPS("push_ret"), SHOWN(0), .reason = LEARNS });
P6_EVENT(br_ret_bac_missp_exec,
	"the event counts executed returns that the front end mispredicted; its count for RETs "
	"without a CALL is shown, not judged",
	{ .event = "BR_RET_BAC_MISSP_EXEC", LOOPS("push_ret"), SHOWN(0), .reason = LEARNS });
P6_EVENT(br_call_exec,
	"the event counts executed CALLs: one for each, none in a loop",
	BRANCHES("BR_CALL_EXEC", "call", "a CALL a round", "loop"));
P6_EVENT(br_call_missp_exec,
	"the event counts executed CALLs that were mispredicted; its count for branches on a "
	"random bit is shown, not judged",
	UNLUCKY("BR_CALL_MISSP_EXEC", LEARNS));
P6_EVENT(br_ind_call_exec,
	"the event counts executed indirect CALLs: one for each, none for a direct CALL",
	BRANCHES("BR_IND_CALL_EXEC", "call_indirect", "an indirect CALL a round", "call"));

P6_EVENT(emon_est_trans,
	"the event counts transitions of Enhanced SpeedStep; it is not exercised, as they need "
	"the firmware's tables",
	{ .event = "EMON_EST_TRANS",
	  .reason = "a change of frequency and voltage needs the firmware's tables" });
P6_EVENT(emon_thermal_trip,
	"the event counts clocks in a thermal trip; it is not exercised, as code cannot heat the "
	"processor on demand",
	{ .event = "EMON_THERMAL_TRIP", .reason = "code cannot heat the processor on demand" });

P6_EVENT(emon_simd_instr_retired,
	"the event counts MMX instructions that retire on a Pentium M: one for each PADDB, none "
	"in a loop",
	RETIRES("EMON_SIMD_INSTR_RETIRED", NULL, "mmx_add", "a PADDB a round", "loop"));
P6_EVENT(emon_synch_uops,
	"the event counts synchronising micro-operations; its count for CPUID is shown, not "
	"judged",
	{ .event = "EMON_SYNCH_UOPS", LOOPS("cpuid"), SHOWN(0),
	  .reason = "the manual does not say what synchronises" });
P6_EVENT(emon_esp_uops,
	"the event counts micro-operations, of the stack pointer only or all; its count for PUSH "
	"and POP is shown, not judged",
	{ .event = "EMON_ESP_UOPS", LOOPS("push_pop"), SHOWN(0),
	  .reason = "the manual's name and text differ: only of the stack pointer, or all" });
P6_EVENT(emon_sse_sse2_inst_retired,
	"the event counts retired SSE and SSE2 instructions of the kind in its mask: one for "
	"each ADDPS, with mask SCALAR_SINGLE for each ADDSS only",
	RETIRES("EMON_SSE_SSE2_INST_RETIRED", NULL, "sse_add_packed", "an ADDPS a round", "loop"),
	RETIRES("EMON_SSE_SSE2_INST_RETIRED", "SCALAR_SINGLE", "sse_add_scalar",
	        "an ADDSS a round", "sse_add_packed"));
P6_EVENT(emon_sse_sse2_comp_inst_retired,
	"the event counts retired SSE and SSE2 instructions that compute, of the kind in its "
	"mask: one for each ADDPS, with mask SCALAR_SINGLE for each ADDSS only",
	RETIRES("EMON_SSE_SSE2_COMP_INST_RETIRED", NULL, "sse_add_packed", "an ADDPS a round",
	        "loop"),
	RETIRES("EMON_SSE_SSE2_COMP_INST_RETIRED", "SCALAR_SINGLE", "sse_add_scalar",
	        "an ADDSS a round", "sse_add_packed"));
P6_EVENT(emon_fused_uops_ret,
	"the event counts fused micro-operations that retire; its count for an ADD to memory is "
	"shown, not judged",
	{ .event = "EMON_FUSED_UOPS_RET", LOOPS("load_store"), SHOWN(0),
	  .reason = "the manual does not say what is fused" });
P6_EVENT(emon_unfusion,
	"the event counts how often an exception takes a fused micro-operation apart; its count "
	"for an FADD of a denormal number is shown, not judged",
	{ .event = "EMON_UNFUSION", LOOPS("fp_assist"), SHOWN(0),
	  .reason = "the manual does not say what is fused" });
P6_EVENT_ALONE(emon_pref_rqsts_up,
	"the event counts lines at higher addresses that the prefetcher requests; its count for "
	"a walk of loads is shown, not judged",
	{ .event = "EMON_PREF_RQSTS_UP", WALKS("walk"), SHOWN(COLD_ARENA),
	  .reason = "the manual does not say how far the prefetcher runs ahead" });
P6_EVENT_ALONE(emon_pref_rqsts_dn,
	"the event counts lines at lower addresses that the prefetcher requests; its count for a "
	"walk of loads is shown, not judged",
	{ .event = "EMON_PREF_RQSTS_DN", WALKS("walk"), SHOWN(COLD_ARENA),
	  .reason = "the manual does not say how far the prefetcher runs ahead" });
