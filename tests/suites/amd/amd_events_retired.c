/* SPDX-License-Identifier: MIT */
/* AMD's events: what retires, by kind. See event_exercise.h; V. Weaver measured that instructions,
 * branches and taken branches of families 10H to 17H are exact ("deterministic events"). */
#include <tests/suites/amd/amd_exercises.h>

AMD_EVENT(retired_instructions,
	"the event counts retired instructions: one for each NOP, DEC, JNZ or MOV, and one for a "
	"whole REP MOVSB",
	{ .event = "RETIRED_INSTRUCTIONS", AMD_LOOPS("loop"), EXACTLY(2, 0), .why = "DEC, JNZ" },
	{ .event = "RETIRED_INSTRUCTIONS", AMD_LOOPS("movsb"), EXACTLY(6, 0), .argument = 16,
	  .why = "three MOVs, a REP MOVSB, which is one instruction, DEC, JNZ" });

AMD_EVENT(retired_operations,
	"the event counts retired operations: at least one for each instruction that is not fused",
	{ .event = "RETIRED_UOPS|RETIRED_OPS", MOVES("nops", 64, 4096), AT_LEAST(1, 0),
	  .why = "low: a NOP is an operation; high: no manual says how many an instruction has" });

AMD_EVENT(retired_branches,
	"the event counts retired branches, taken or not: one for each Jcc, CALL or RET, none "
	"for NOPs",
	{ .event = "RETIRED_BRANCH_INSTRUCTIONS", AMD_LOOPS("call"), EXACTLY(3, 0),
	  .why = "CALL, RET, JNZ", .still = "nops", .still_few = 0, .still_many = 4096 },
	{ .event = "RETIRED_BRANCH_INSTRUCTIONS", AMD_LOOPS("jcc_not_taken"), EXACTLY(2, 0),
	  .why = "a JC that falls through, and a JNZ" });

AMD_EVENT(retired_taken_branches,
	"the event counts retired branches that are taken: one for each JC or JNZ that jumps, "
	"none for a JC that falls through or a NOP",
	{ .event = "RETIRED_TAKEN_BRANCH_INSTRUCTIONS", AMD_LOOPS("jcc_taken"), EXACTLY(2, 0),
	  .why = "a JC that jumps, and a JNZ", .still = "nops", .still_few = 0,
	  .still_many = 4096 },
	{ .event = "RETIRED_TAKEN_BRANCH_INSTRUCTIONS", AMD_LOOPS("jcc_not_taken"), EXACTLY(1, 0),
	  .why = "the JNZ; the JC falls through" });

#define MISPREDICTED \
	"RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS|RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED"

AMD_EVENT(mispredicted_branches,
	"the event counts retired branches that were mispredicted: at least one for four "
	"branches on a random bit, none for those that always go one way; on Zen far ones, too",
	{ .event = MISPREDICTED, LOOPS("random"), BETWEEN(1, 4, 0), .argument = 12345, .per = 4,
	  .why = COIN, STILL("jcc_taken") },
	{ .event = MISPREDICTED, .unit = "Zen|Zen2|Zen3|Zen4|Zen5", AMD_LOOPS("far_call"),
	  EXACT_ON_MODEL(2), .why = "a far CALL and a far RET, which are never predicted" },
	{ .event = MISPREDICTED, .unit = "K7|K8|10H|11H|12H|14H|15H|16H", AMD_LOOPS("far_jmp"),
	  EXACT_ON_MODEL(0), .why = "far branches are not predicted, so not mispredicted" });

AMD_EVENT(mispredicted_taken_branches,
	"the event counts retired branches that are taken and were mispredicted: at least one "
	"for eight branches on a random bit, none for those that always go one way",
	{ .event = "RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED", LOOPS("random"),
	  BETWEEN(1, 8, 0), .argument = 12345, .per = 8, .why = COIN "; half of them are taken",
	  STILL("jcc_not_taken") });

AMD_EVENT(far_transfers,
	"the event counts far transfers: one for each far CALL, far RET, far JMP or IRET, none "
	"for near branches",
	{ .event = "RETIRED_FAR_CONTROL_TRANSFERS", AMD_LOOPS("far_call"), EXACTLY(2, 0),
	  .why = "a far CALL and a far RET", AMD_STILL("call") },
	{ .event = "RETIRED_FAR_CONTROL_TRANSFERS", AMD_LOOPS("iret"), EXACTLY(1, 0),
	  .why = "an IRET a round", AMD_STILL("jmp_indirect") });

AMD_EVENT(near_returns,
	"the event counts near returns: one for each RET, none for a far RET or a JMP",
	{ .event = "RETIRED_NEAR_RETURNS", AMD_LOOPS("call"), EXACTLY(1, 0), .why = "a RET a round",
	  AMD_STILL("far_call") },
	{ .event = "RETIRED_NEAR_RETURNS", AMD_LOOPS("push_ret"), EXACTLY(1, 0),
	  .why = "a RET a round, without a CALL", AMD_STILL("jmp_indirect") });

AMD_EVENT(mispredicted_near_returns,
	"the event counts near returns that were mispredicted: one for each RET without a CALL, "
	"none for RETs that return from a CALL",
	{ .event = "RETIRED_NEAR_RETURNS_MISPREDICTED", MOVES("push_ret", 256, 512),
	  EXACT_ON_MODEL(1),
	  .why = "the stack of returns predicts another place", STILL("call") });

AMD_EVENT(return_stack_hits,
	"the event counts near returns that the return stack predicts: one for each CALL and "
	"RET, none for JMPs or a RET without a CALL",
	{ .event = "RETURN_STACK_HITS", LOOPS("call"), EXACT_ON_MODEL(1),
	  .why = "a RET a round returns to the place after its CALL", STILL("jmp") },
	{ .event = "RETURN_STACK_HITS", MOVES("push_ret", 256, 512), EXACT_ON_MODEL(0),
	  .why = "a RET without a CALL goes where no return stack sends it" });

AMD_EVENT(mispredicted_indirect_branches,
	"the event counts indirect branches whose target was mispredicted: none for those that "
	"always go to one place",
	{ .event = "RETIRED_INDIRECT_BRANCHES_MISPREDICTED"
	           "|RETIRED_INDIRECT_BRANCH_INSTRUCTIONS_MISPREDICTED|RETIRED_MISPREDICTED_TAKEN"
	           "|RETIRED_UNCONDITIONAL_INDIRECT_BRANCH_INSTRUCTIONS_MISPREDICTED",
	  MOVES("jmp_indirect", 256, 512), EXACT_ON_MODEL(0),
	  .why = "each JMP goes where the last one went" },
	{ .event = "RETIRED_UNCONDITIONAL_INDIRECT_BRANCH_INSTRUCTIONS_MISPREDICTED",
	  MOVES("call_indirect", 256, 512), EXACT_ON_MODEL(0),
	  .why = "each CALL goes where the last one went" });

AMD_EVENT(indirect_branches,
	"the event counts indirect branches: one for each JMP or CALL through a register, none "
	"for a direct JMP",
	{ .event = "RETIRED_INDIRECT_BRANCH_INSTRUCTIONS|RETIRED_INDIRECT_BRANCH_INFO",
	  .mask = "RETIRED", .unit = "16H", AMD_LOOPS("jmp_indirect"), EXACT_ON_MODEL(1),
	  .why = "an indirect JMP a round", AMD_STILL("jmp") },
	{ .event = "RETIRED_INDIRECT_BRANCH_INSTRUCTIONS", AMD_LOOPS("jmp_indirect"),
	  EXACT_ON_MODEL(1), .why = "an indirect JMP a round", AMD_STILL("jmp") });

AMD_EVENT(conditional_branches,
	"the event counts conditional branches: one for each Jcc, taken or not, none for others",
	{ .event = "RETIRED_CONDITIONAL_BRANCH_INSTRUCTIONS", AMD_LOOPS("jcc_not_taken"),
	  EXACTLY(2, 0), .why = "a JC that falls through, and a JNZ", .still = "nops",
	  .still_few = 0, .still_many = 4096 },
	{ .event = "RETIRED_CONDITIONAL_BRANCH_INSTRUCTIONS", AMD_LOOPS("call"), EXACTLY(1, 0),
	  .why = "the JNZ, but neither CALL nor RET" });

AMD_EVENT(mispredicted_conditional_branches,
	"the event counts conditional branches that went the wrong way: at least one for four "
	"branches on a random bit, none for those that always go one way",
	{ .event = "RETIRED_CONDITIONAL_BRANCH_INSTRUCTIONS_MISPREDICTED"
	           "|RETIRED_BRANCH_MISPREDICTED_DIRECTION_MISMATCH",
	  LOOPS("random"), BETWEEN(1, 4, 0), .argument = 12345, .per = 4, .why = COIN,
	  STILL("jcc_taken") },
	{ .event = "RETIRED_CONDITIONAL_BRANCH_INSTRUCTIONS_MISPREDICTED"
	           "|RETIRED_BRANCH_MISPREDICTED_DIRECTION_MISMATCH",
	  LOOPS("push_ret"), EXACT_ON_MODEL(0), .why = "it is the RET that is mispredicted" });

AMD_EVENT(unconditional_branches,
	"the event counts unconditional branches: one for each JMP, CALL or RET, none for Jcc",
	{ .event = "RETIRED_UNCONDITIONAL_BRANCH_INSTRUCTIONS", AMD_LOOPS("call"),
	  EXACT_ON_MODEL(2), .why = "CALL, RET", AMD_STILL("jcc_taken") });

/* ------------------------------------------------------------------------ by instruction */

AMD_EVENT(retired_clflush,
	"the event counts CLFLUSH: one for each, none for CPUID",
	{ .event = "RETIRED_CLFLUSH_INSTRUCTIONS", .unit = "K8|10H|11H|12H|14H|15H|16H",
	  AMD_LOOPS("clflush"), EXACTLY(1, 0), .why = "a CLFLUSH a round", AMD_STILL("cpuid") },
	{ .event = "RETIRED_CLFLUSH_INSTRUCTIONS|RETIRED_CLFLUSH", AMD_LOOPS("clflush"),
	  EXACT_ON_MODEL(1), .why = "a CLFLUSH a round", AMD_STILL("cpuid") });

AMD_EVENT(executed_clflush,
	"the event counts executed CLFLUSH: one for each, none for CPUID",
	{ .event = "EXECUTED_CLFLUSH_INSTRUCTIONS", AMD_LOOPS("clflush"), EXACT_ON_MODEL(1),
	  .why = "a CLFLUSH a round", AMD_STILL("cpuid") });

AMD_EVENT(retired_cpuid,
	"the event counts CPUID: one for each, none for CLFLUSH",
	{ .event = "RETIRED_CPUID_INSTRUCTIONS|RETIRED_CPUID", AMD_LOOPS("cpuid"), EXACTLY(1, 0),
	  .why = "a CPUID a round", AMD_STILL("clflush") });

#define FENCE(name, code, text, still_) \
	{ .event = name, AMD_LOOPS(code), EXACTLY(1, 0), .why = text, AMD_STILL(still_) }

AMD_EVENT(fences,
	"each event counts its fence: one for each LFENCE, SFENCE or MFENCE, none for another",
	FENCE("LFENCE_INST_RETIRED", "lfence", "an LFENCE a round", "sfence"),
	FENCE("SFENCE_INST_RETIRED", "sfence", "an SFENCE a round", "mfence"),
	FENCE("MFENCE_INST_RETIRED", "mfence", "an MFENCE a round", "lfence"));

AMD_EVENT(locked_instructions,
	"the event counts locked instructions by their mask: one for each LOCK INC or XCHG with "
	"memory, a lock of the bus for one across two lines, none in a loop",
	{ .event = "LOCKED_OPS", .mask = "EXECUTED", AMD_LOOPS("lock_inc"), EXACT_ON_MODEL(1),
	  .why = "a LOCK INC a round", AMD_STILL("load_store") },
	{ .event = "LOCKED_OPS", .mask = "EXECUTED", AMD_LOOPS("xchg"), EXACT_ON_MODEL(1),
	  .why = "an XCHG with memory a round, which locks without a prefix", AMD_STILL("loop") },
	{ .event = "RETIRED_LOCK_INSTRUCTIONS|LOCKS", .mask = "ANY|SPEC_LOCK_MAP_COMMIT",
	  AMD_LOOPS("lock_inc"), EXACT_ON_MODEL(1), .why = "a LOCK INC a round",
	  AMD_STILL("load_store") },
	{ .event = "RETIRED_LOCK_INSTRUCTIONS|LOCKS", .mask = "BUS_LOCK", AMD_LOOPS("split_lock"),
	  EXACT_ON_MODEL(1), .why = "a lock across two lines a round, which needs the bus",
	  AMD_STILL("lock_inc") });

#define SEGMENT(mask_, code, still_) \
	{ .event = "SEGMENT_REGISTER_LOADS", .mask = mask_, AMD_LOOPS(code), EXACT_ON_MODEL(1), \
	  .why = "a MOV to the segment register a round", AMD_STILL(still_) }

AMD_EVENT(segment_register_loads,
	"the event counts loads of the segment registers in its mask: one for each MOV, none "
	"for a MOV to another",
	SEGMENT("ES", "load_es", "load_ds"),
	SEGMENT("DS", "load_ds", "load_es"),
	SEGMENT("FS", "load_fs", "load_gs"),
	SEGMENT("GS", "load_gs", "load_fs"),
	SEGMENT("ES+DS", "load_ds", "load_fs"));

/* ------------------------------------------------------------------------ x87, MMX, SSE */

#define CLASSES "RETIRED_MMX_AND_FP_INSTRUCTIONS|RETIRED_MMX_FP_INSTRUCTIONS" \
                "|RETIRED_FLOATING_POINT_INSTRUCTIONS"
#define CLASS(mask_, code, still_) \
	{ .event = CLASSES, .mask = mask_, AMD_LOOPS(code), EXACT_BY_CLASS(1), \
	  .why = "one instruction of the class a round", AMD_STILL(still_) }

AMD_EVENT(media_instructions,
	"the event counts instructions of the classes in its mask: one for each of its class, "
	"none for one of another class",
	CLASS("X87|X87_INSTR", "fadd", "sse_add_packed"),
	CLASS("MMX_AND_3DNOW|MMX_INSTR|MMX", "mmx_add", "sse_add_packed"),
	CLASS("PACKED_SSE_AND_SSE2|SSE_INSTR|SSE", "sse_add_packed", "fadd"));

#define X87_OPERATIONS "RETIRED_X87_FLOATING_POINT_OPERATIONS|RETIRED_X87_FP_OPS" \
                       "|RETIRED_X87_FPU_OPS|RETIRED_X87_OPERATIONS|RETIRED_X87_OPS"
#define X87(mask_, code, still_) \
	{ .event = X87_OPERATIONS, .mask = mask_, AMD_LOOPS(code), EXACT_BY_CLASS(1), \
	  .why = "one x87 operation of the class a round", AMD_STILL(still_) }

AMD_EVENT(x87_operations,
	"the event counts x87 operations of the classes in its mask: one for each of its class, "
	"none for one of another class",
	X87("ADD_SUB_OPS|ADD_AND_SUB", "fadd", "fmul"),
	X87("ADD_SUB_OPS|ADD_AND_SUB", "fsub", "fdiv"),
	X87("MUL_OPS|MULT_OPS|MULTIPLY", "fmul", "fadd"),
	X87("DIV_SQR_R_OPS|DIV_SQRT_OPS|DIV_FSQRT_OPS|DIVIDE_AND_FSQRT|DIV_OPS", "fdiv", "fmul"));

#define SSE_OPERATIONS "RETIRED_SSE_OPERATIONS|RETIRED_SSE_OPS|RETIRED_SSE_AVX_OPERATIONS" \
                       "|RETIRED_SSE_AVX_FLOPS"
#define SSE_ADD        "SINGLE_ADD_SUB_OPS+OP_TYPE|SINGLE_ADD_SUB_OPS|SP_ADD_SUB_FLOPS" \
                       "|ADD_SUB_FLOPS"
#define SSE_FLOPS(mask_, code, each, text, still_) \
	{ .event = SSE_OPERATIONS, .mask = mask_, AMD_LOOPS(code), EXACT_BY_CLASS(each), \
	  .why = text, AMD_STILL(still_) }

AMD_EVENT(sse_operations,
	"the event counts floating-point operations of the classes in its mask: four for an "
	"ADDPS, one for an ADDSS, two for an ADDPD, none for a move or another class",
	SSE_FLOPS(SSE_ADD, "sse_add_packed", 4, "an ADDPS adds four numbers", "sse_move"),
	SSE_FLOPS(SSE_ADD, "sse_add_scalar", 1, "an ADDSS adds one number", "mmx_add"),
	SSE_FLOPS("DOUBLE_ADD_SUB_OPS+OP_TYPE|DOUBLE_ADD_SUB_OPS|DP_ADD_SUB_FLOPS|ADD_SUB_FLOPS",
	          "sse2_add_packed", 2, "an ADDPD adds two numbers", "sse_move"),
	SSE_FLOPS("SINGLE_MUL_OPS|SP_MULT_FLOPS|MULT_FLOPS", "sse_add_packed", 0,
	          "an addition multiplies nothing", "sse_move"));

#define FP_WIDTH(mask_, code, still_) \
	{ .event = "RETIRED_FP_OPS_BY_WIDTH", .mask = mask_, AMD_LOOPS(code), EXACT_ON_MODEL(1), \
	  .why = "one operation of the width a round", AMD_STILL(still_) }

AMD_EVENT(fp_operations_by_width,
	"the event counts operations of the widths in its mask: one for each of its width, none "
	"for one of another width",
	FP_WIDTH("X87_UOPS_RETIRED", "fadd", "sse_add_packed"),
	FP_WIDTH("MMX_UOPS_RETIRED", "mmx_add", "fadd"),
	FP_WIDTH("SCALAR_UOPS_RETIRED", "sse_add_scalar", "sse_add_packed"),
	FP_WIDTH("PACK128_UOPS_RETIRED", "sse_add_packed", "sse_add_scalar"));

#define FP_TYPE(name, mask_, code, each, still_) \
	{ .event = name, .mask = mask_, AMD_LOOPS(code), EXACT_ON_MODEL(each), \
	  .why = "what an operation a round is", AMD_STILL(still_) }

AMD_EVENT(fp_operations_by_type,
	"the events count operations of the types in the halves of their mask: one for each "
	"addition of its kind, none for another type or kind",
	FP_TYPE("RETIRED_FP_OPS_BY_TYPE", "SCALAR_ADD", "sse_add_scalar", 1, "sse_add_packed"),
	FP_TYPE("RETIRED_FP_OPS_BY_TYPE", "VECTOR_ADD", "sse_add_packed", 1, "sse_add_scalar"),
	FP_TYPE("RETIRED_FP_OPS_BY_TYPE", "VECTOR_MUL", "sse_add_packed", 0, "sse_add_scalar"),
	FP_TYPE("RETIRED_FP_OPS_BY_TYPE", "SCALAR_DIV+VECTOR_ADD", "sse_add_packed", 1, "fmul"),
	FP_TYPE("PACKED_FP_OPS_RETIRED", "FP128_ADD", "sse_add_packed", 1, "sse_add_scalar"),
	FP_TYPE("PACKED_FP_OPS_RETIRED", "FP256_ADD", "sse_add_packed", 0, "sse_add_scalar"));

AMD_EVENT(divisions,
	"the events count divisions, and the clocks in which the divider works: one and at least "
	"one for each IDIV, none for an IMUL",
	{ .event = "DIV_OP_COUNT", AMD_LOOPS("idiv"), EXACT_ON_MODEL(1), .why = "an IDIV a round",
	  AMD_STILL("mul") },
	{ .event = "DIV_CYCLES_BUSY_COUNT", AMD_LOOPS("idiv"), AT_LEAST(1, 0),
	  .why = "low: a division takes a clock; high: no manual says how long one takes",
	  AMD_STILL("mul") });
