/* SPDX-License-Identifier: MIT */
/* Events that came with the Pentium MMX: each belongs to one counter. */
#include <tests/suites/p5/p5_events.h>

#define TWO_PROCESSORS REPORTED("it is about two processors on one bus")

/* ------------------------------------------------------------------------ two processors */

P5_EVENT(bus_ownership_latency,
	"the event counts clocks from the request for a bus of two processors to its ownership: "
	"around IN no more than the time-stamp counter",
	{ .event = "BUS_OWNERSHIP_LATENCY", MOVES("in_port"), TWO_PROCESSORS });
P5_EVENT(bus_ownership_transfers,
	"the event counts how often a bus of two processors changes its owner; its count around "
	"IN is shown, not judged",
	{ .event = "BUS_OWNERSHIP_TRANSFERS", MOVES("in_port"), TWO_PROCESSORS });
P5_EVENT(cache_m_state_line_sharing,
	"the event counts accesses of the other processor that hit a modified line of this one; "
	"p5.smp.m_sharing judges it",
	{ .event = "CACHE_M_STATE_LINE_SHARING", .test = "p5.smp.m_sharing" });
P5_EVENT(cache_line_sharing,
	"the event counts reads of lines that two processors share; its count for loads is "
	"shown, not judged",
	{ .event = "CACHE_LINE_SHARING", MOVES("load"), TWO_PROCESSORS });

/* ------------------------------------------------------------------------ MMX */

P5_EVENT(mmx_instructions_executed_u_pipe,
	"the event counts MMX instructions that execute in the U pipe: one for each pair of "
	"PADDBs and for each MOVQ from memory, none for pairs of ADDs",
	{ .event = "MMX_INSTRUCTIONS_EXECUTED_U_PIPE", MOVES("mmx_pairs"),
	  EXACTLY(1, "one of two PADDBs that pair"), STILL("pairs") },
	{ .event = "MMX_INSTRUCTIONS_EXECUTED_U_PIPE", MOVES("mmx_load"),
	  EXACTLY(1, "MMX instructions that use memory go into the U pipe") });

P5_EVENT(mmx_instructions_executed_v_pipe,
	"the event counts MMX instructions that execute in the V pipe: one for each pair of "
	"PADDBs, none for a MOVQ from memory",
	{ .event = "MMX_INSTRUCTIONS_EXECUTED_V_PIPE", MOVES("mmx_pairs"),
	  EXACTLY(1, "one of two PADDBs that pair"), STILL("mmx_load") });

P5_EVENT(emms_instructions_executed,
	"the event counts executed EMMS instructions: one for each, none for a PADDB",
	{ .event = "EMMS_INSTRUCTIONS_EXECUTED", MOVES("emms"), EXACTLY(1, "EMMS"),
	  STILL("mmx_add") });

P5_EVENT(transitions_between_mmx_and_fp_instructions,
	"the event counts transitions between MMX and x87 instructions: two for each round that "
	"goes to MMX and back, none among PADDBs",
	{ .event = "TRANSITIONS_BETWEEN_MMX_AND_FP_INSTRUCTIONS", MOVES("mmx_x87"),
	  EXACTLY(2, "one transition to MMX and one back"), STILL("mmx_add") });

P5_EVENT(saturating_mmx_instructions_executed,
	"the event counts executed MMX instructions that can saturate, whether or not they do: "
	"one for each PADDSB, PADDUSB or PACKSSWB, none for a PADDB",
	{ .event = "SATURATING_MMX_INSTRUCTIONS_EXECUTED", MOVES("mmx_saturating"),
	  EXACTLY(1, "PADDSB, which does not saturate here"), STILL("mmx_add") },
	{ .event = "SATURATING_MMX_INSTRUCTIONS_EXECUTED", MOVES("mmx_saturates"),
	  EXACTLY(1, "PADDUSB, which saturates") },
	{ .event = "SATURATING_MMX_INSTRUCTIONS_EXECUTED", MOVES("mmx_pack"),
	  EXACTLY(1, "PACKSSWB, which saturates values that do not fit") });

P5_EVENT(saturations_performed,
	"the event counts MMX instructions that saturate one element or more: one for each "
	"PADDUSB whose sums do not fit, none for a PADDSB whose sums fit",
	{ .event = "SATURATIONS_PERFORMED", MOVES("mmx_saturates"),
	  EXACTLY(1, "one instruction, all of whose elements saturate"), STILL("mmx_saturating") });

P5_EVENT(mmx_instruction_data_reads,
	"the event counts reads of data by MMX instructions: one for each MOVQ from memory, none "
	"for a MOV",
	{ .event = "MMX_INSTRUCTION_DATA_READS", MOVES("mmx_load"), EXACTLY(1, "MOVQ from memory"),
	  STILL("load") });

P5_EVENT(mmx_instruction_data_read_misses,
	"the event counts MMX reads that the data cache misses: one for each new line of a walk "
	"through 250 KB, none for a line that is cached",
	{ .event = "MMX_INSTRUCTION_DATA_READ_MISSES", EACH_LINE("mmx_walk"), STILL("mmx_load") });

P5_EVENT(mmx_instruction_data_writes,
	"the event counts writes of data by MMX instructions: one for each MOVQ to memory, none "
	"for a MOV",
	{ .event = "MMX_INSTRUCTION_DATA_WRITES", MOVES("mmx_store"), EXACTLY(1, "MOVQ to memory"),
	  STILL("store") });

P5_EVENT(mmx_instruction_data_write_misses,
	"the event counts MMX writes that the data cache misses: one for each new line of a walk "
	"through 250 KB, none for an ADD to a line that is cached",
	{ .event = "MMX_INSTRUCTION_DATA_WRITE_MISSES", EACH_LINE("mmx_store_walk"),
	  STILL("load_store") });

P5_EVENT(misaligned_data_memory_reference_on_mmx_instructions,
	"the event counts misaligned references to data by MMX instructions: one for each eight "
	"bytes across a boundary of eight, none for a misaligned MOV",
	{ .event = "MISALIGNED_DATA_MEMORY_REFERENCE_ON_MMX_INSTRUCTIONS",
	  MOVES("mmx_misaligned"), EXACTLY(1, "eight bytes across a boundary of eight"),
	  STILL("misaligned_load") });

P5_EVENT(pipeline_stall_for_mmx_instruction_data_memory_reads,
	"the event counts clocks in which the pipeline waits for an MMX read: at least 93 for "
	"100 lines that are not cached, none for a MOV",
	{ .event = "PIPELINE_STALL_FOR_MMX_INSTRUCTION_DATA_MEMORY_READS",
	  .moves = "mmx_walk", .few = 16, .many = 8016,
	  .low = 93, .high = EXERCISE_UNBOUNDED, .per = 100,
	  .flags = EXERCISE_RELATION | EXERCISE_ARENA,
	  .why = "low: each line that is not cached is waited for; high: no bound, as "
	         "memory may be slow",
	  STILL("load") });

P5_EVENT(mmx_multiply_unit_interlock,
	"the event counts clocks in which an instruction waits for an MMX product: one to four "
	"for each sum of a product just begun, none for PADDBs",
	{ .event = "MMX_MULTIPLY_UNIT_INTERLOCK", MOVES("mmx_mul_use"),
	  FROM(1, 4, 1, "low: the sum needs the product at once; high: PMULLW takes three clocks, "
	       "and the next one may have to wait, too"), STILL("mmx_add") });

P5_EVENT(movd_movq_store_stall_due_to_previous_mmx_operation,
	"the event counts clocks in which a MOVD or MOVQ to memory waits for the preceding MMX "
	"result: one or two for each such store, none for a store of an older value",
	{ .event = "MOVD_MOVQ_STORE_STALL_DUE_TO_PREVIOUS_MMX_OPERATION", MOVES("mmx_add_store"),
	  FROM(1, 2, 1,
	       "low: MOVQ stores what the preceding instruction computed; high: two clocks"),
	  STILL("mmx_store") });

P5_EVENT(full_write_buffer_stall_duration_while_executing_mmx_instructions,
	"the event counts clocks in which full write buffers stall MMX instructions: in a walk "
	"of MMX stores no more than the time-stamp counter",
	{ .event = "FULL_WRITE_BUFFER_STALL_DURATION_WHILE_EXECUTING_MMX_INSTRUCTIONS",
	  .moves = "mmx_store_walk", .few = 16, .many = 8016,
	  .flags = EXERCISE_REPORTED | EXERCISE_ARENA,
	  .reason = "the board decides how fast the bus takes writes" });

P5_EVENT(stall_on_mmx_instruction_write_to_e_or_m_state_line,
	"the event counts clocks in which an MMX write to a line in state E or M stalls: in a "
	"walk of MMX stores no more than the time-stamp counter",
	{ .event = "STALL_ON_MMX_INSTRUCTION_WRITE_TO_E_OR_M_STATE_LINE",
	  .moves = "mmx_store_walk", .few = 16, .many = 8016,
	  .flags = EXERCISE_REPORTED | EXERCISE_ARENA,
	  .reason = "the board decides how fast the bus takes writes" });

/* ------------------------------------------------------------------------ bus, clocks */

P5_EVENT(bus_utilization_due_to_processor_activity,
	"the event counts clocks in which this processor keeps the bus busy: at least one for "
	"each IN, none in a loop",
	{ .event = "BUS_UTILIZATION_DUE_TO_PROCESSOR_ACTIVITY", MOVES("in_port"),
	  CLOCKS_EACH("low: IN is a bus cycle"), STILL("loop") });

P5_EVENT(writes_to_noncacheable_memory,
	"the event counts writes to uncacheable memory or I/O space: one for each write to a "
	"register of the local APIC or OUT, none for a cacheable write",
	{ .event = "WRITES_TO_NONCACHEABLE_MEMORY", MOVES("apic_writes"),
	  EXACTLY(1, "a register of the local APIC, in memory that is never cached"),
	  STILL("load_store") },
	{ .event = "WRITES_TO_NONCACHEABLE_MEMORY", MOVES("out_port"),
	  EXACTLY(1, "writes to I/O space count as well") });

P5_EVENT(number_of_cycles_not_in_halt_state,
	"the event counts clocks outside of HLT: at least one for each round of a loop, and no "
	"more than the time-stamp counter",
	{ .event = "NUMBER_OF_CYCLES_NOT_IN_HALT_STATE", MOVES("loop"),
	  CLOCKS_EACH("low: DEC and JNZ pair and take a clock") });

P5_EVENT(data_cache_tlb_miss_stall_duration,
	"the event counts clocks in which the pipeline waits for the data TLB: at least one for "
	"each load whose page INVLPG has dropped, none for a page that the TLB has",
	{ .event = "DATA_CACHE_TLB_MISS_STALL_DURATION", MOVES("invlpg"),
	  CLOCKS_EACH("low: the load after INVLPG waits for a walk of the page tables"),
	  STILL("load") });

P5_EVENT(floating_point_stalls_duration,
	"the event counts clocks in which the pipeline waits for the floating-point unit: at "
	"least one for each FDIV that needs the one before, none in a loop",
	{ .event = "FLOATING_POINT_STALLS_DURATION", MOVES("fdiv"),
	  CLOCKS_EACH("low: each division needs the result of the one before, which "
	              "takes many clocks"),
	  STILL("loop") });

P5_EVENT(d1_starvation_and_fifo_is_empty,
	"the event counts how often the decoder has no instruction to issue, as the FIFO is "
	"empty; its count in a walk through code is shown, not judged",
	{ .event = "D1_STARVATION_AND_FIFO_IS_EMPTY", .moves = "code_walk", .few = 16,
	  .many = 8016, REPORTED("what fills the instruction FIFO is not specified") });

P5_EVENT(d1_starvation_and_only_one_instruction_in_fifo,
	"the event counts how often the decoder issues one instruction only, as the FIFO holds "
	"no other; its count in a walk through code is shown, not judged",
	{ .event = "D1_STARVATION_AND_ONLY_ONE_INSTRUCTION_IN_FIFO", .moves = "code_walk",
	  .few = 16, .many = 8016, REPORTED("what fills the instruction FIFO is not specified") });

/* ------------------------------------------------------------------------ branches */

P5_EVENT(taken_branches,
	"the event counts taken branches: one for each JNZ, CALL or RET that jumps, none for a "
	"JC that falls through or a NOP",
	{ .event = "TAKEN_BRANCHES", MOVES("loop"), EXACTLY(1, "JNZ"), STILL("nops") },
	{ .event = "TAKEN_BRANCHES", MOVES("jcc_not_taken"), EXACTLY(1,
	                                                             "the JNZ counts, "
	                                                             "not the JC") },
	{ .event = "TAKEN_BRANCHES", MOVES("call"), EXACTLY(3, "CALL, RET, JNZ") });

P5_EVENT(pipeline_flushes_due_to_wrong_branch_predictions,
	"the event counts flushes of the pipeline for mispredicted branches: 20 to 100 for 100 "
	"branches on a random bit, none for NOPs",
	{ .event = "PIPELINE_FLUSHES_DUE_TO_WRONG_BRANCH_PREDICTIONS", MOVES("random"),
	  .argument = 0x1234567,
	  FROM(20, 100, 100, "low: the code has a branch that nothing can predict; "
	                     "high: one a round"),
	  STILL("nops") });

P5_EVENT(pipeline_flushes_due_to_wrong_branch_predictions_resolved_in_wb_stage,
	"the event counts flushes of the pipeline for mispredicted branches that the WB stage "
	"resolves: at most one for each branch on a random bit, none for NOPs",
	{ .event = "PIPELINE_FLUSHES_DUE_TO_WRONG_BRANCH_PREDICTIONS_RESOLVED_IN_WB_STAGE",
	  MOVES("random"), .argument = 0x1234567,
	  FROM(0, 100, 100, "low: those in the U pipe are resolved earlier; high: one a round"),
	  STILL("nops") });

P5_EVENT(returns,
	"the event counts near returns: one for each RET, with or without a CALL before it, none "
	"for a far RET or an IRET",
	{ .event = "RETURNS", MOVES("call"), EXACTLY(1, "RET"), STILL("far_call") },
	{ .event = "RETURNS", MOVES("push_ret"), EXACTLY(1, "RET, without a CALL"),
	  STILL("iret") });

P5_EVENT(predicted_returns,
	"the event counts returns that are predicted: one for each RET that follows its CALL, "
	"none in a loop",
	{ .event = "PREDICTED_RETURNS", MOVES("call"),
	  EXACTLY(1, "the CALL has pushed the address to which its RET goes"), STILL("loop") });

P5_EVENT(mispredicted_or_unpredicted_returns,
	"the event counts returns that are mispredicted or not predicted: one for each RET "
	"without a CALL, none for a RET that follows its CALL",
	{ .event = "MISPREDICTED_OR_UNPREDICTED_RETURNS", MOVES("push_ret"),
	  EXACTLY(1, "no CALL came before it"), STILL("call") });

P5_EVENT(btb_false_entries,
	"the event counts hits in the branch target buffer by what is no branch; its count in a "
	"loop is shown, not judged",
	{ .event = "BTB_FALSE_ENTRIES", MOVES("loop"),
	  REPORTED("the manual does not say which two addresses the BTB confuses") });

P5_EVENT(btb_miss_prediction_on_not_taken_branch,
	"the event counts branches that were predicted taken and are not: 5 to 60 for 100 "
	"branches on a random bit, none for NOPs",
	{ .event = "BTB_MISS_PREDICTION_ON_NOT_TAKEN_BRANCH", MOVES("random"),
	  .argument = 0x1234567,
	  FROM(5, 60, 100, "low: half of the branches are not taken, and nothing can predict "
	       "which; high: that half, and as many more as chance allows"), STILL("nops") });
