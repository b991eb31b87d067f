/* SPDX-License-Identifier: MIT */
/* P6 events: decoding and retirement, branches, arithmetic, interrupts, stalls, segments, clocks.
 * See event_exercise.h. */
#include <tests/suites/p6/p6_exercises.h>

P6_EVENT(inst_retired,
	"the event counts retired instructions: one for each NOP, DEC, JNZ, MOV or CPUID and for "
	"a whole REP MOVSB",
	{ .event = "INST_RETIRED", LOOPS("loop"), EXACTLY(2, 0), .why = "DEC, JNZ" },
	{ .event = "INST_RETIRED", MOVES("nops", 0, 4096), EXACTLY(1, 0), .why = "a NOP" },
	{ .event = "INST_RETIRED", LOOPS("movsb"), EXACTLY(6, 0), .argument = 16,
	  .why = "three MOVs, a REP MOVSB, which is one instruction, DEC, JNZ" },
	{ .event = "INST_RETIRED", LOOPS("cpuid"), EXACTLY(4, 0), .why = "XOR, CPUID, DEC, JNZ" });

P6_EVENT(uops_retired,
	"the event counts retired micro-operations: at least one for each instruction of a loop "
	"or of NOPs",
	{ .event = "UOPS_RETIRED", LOOPS("loop"), AT_LEAST(2, 0),
	  .why = "low: each instruction retires a micro-operation; high: the event's definition "
	         "does not say how many it has" },
	{ .event = "UOPS_RETIRED", MOVES("nops", 64, 4096), AT_LEAST(1, 0),
	  .why = "low: each instruction retires a micro-operation; high: the event's definition "
	         "does not say how many it has" });

P6_EVENT(inst_decoded,
	"the event counts decoded instructions, including those that do not retire: at least two "
	"for each round of DEC and JNZ",
	{ .event = "INST_DECODED", LOOPS("loop"), AT_LEAST(2, 0),
	  .why = "low: what retires was decoded; high: so was what did not retire" });

/* ------------------------------------------------------------------------ branches */

P6_EVENT(br_inst_retired,
	"the event counts retired branches, taken or not: one for each Jcc, CALL or RET, none "
	"for NOPs",
	{ .event = "BR_INST_RETIRED", LOOPS("loop"), EXACTLY(1, 0), .why = "a JNZ a round",
	  .still = "nops", .still_few = 0, .still_many = 4096 },
	{ .event = "BR_INST_RETIRED", LOOPS("call"), EXACTLY(3, 0), .why = "CALL, RET, JNZ" },
	{ .event = "BR_INST_RETIRED", LOOPS("jcc_not_taken"), EXACTLY(2, 0),
	  .why = "a JC that falls through, and a JNZ" });

P6_EVENT(br_taken_retired,
	"the event counts retired branches that are taken: one for each JC or JNZ that jumps, "
	"none for a JC that falls through or a NOP",
	{ .event = "BR_TAKEN_RETIRED", LOOPS("jcc_taken"), EXACTLY(2, 0),
	  .why = "a JC that jumps, and a JNZ",
	  .still = "nops", .still_few = 0, .still_many = 4096 },
	{ .event = "BR_TAKEN_RETIRED", LOOPS("jcc_not_taken"), EXACTLY(1, 0),
	  .why = "the JNZ; the JC falls through" });

P6_EVENT(br_miss_pred_retired,
	"the event counts retired branches that were mispredicted: at least one for four "
	"branches on a random bit, none for those that always go one way",
	{ .event = "BR_MISS_PRED_RETIRED", LOOPS("random"), BETWEEN(1, 4, 0), .argument = 12345,
	  .per = 4, .why = COIN, STILL("jcc_taken") });

P6_EVENT(br_miss_pred_taken_ret,
	"the event counts retired branches that are taken and were mispredicted: at least one "
	"for eight branches on a random bit, one for each RET without a CALL, none for those "
	"that always go one way",
	{ .event = "BR_MISS_PRED_TAKEN_RET", LOOPS("random"), BETWEEN(1, 8, 0), .argument = 12345,
	  .per = 8, .why = COIN "; half of them are taken", STILL("jcc_not_taken") },
	{ .event = "BR_MISS_PRED_TAKEN_RET", LOOPS("push_ret"), EXACTLY(1, EXERCISE_IF_EXACT),
	  .why = "a RET without a CALL is taken, and goes to a place that no return predicts",
	  .reason = "silicon may predict a target by the last one" });

P6_EVENT(br_inst_decoded,
	"the event counts decoded branches, including those that do not retire: at least three "
	"for each round of CALL, RET and JNZ, none for NOPs",
	{ .event = "BR_INST_DECODED", LOOPS("call"), AT_LEAST(3, 0),
	  .why = "low: CALL, RET and JNZ retire, so they were decoded; high: so was what did not "
	         "retire",
	  .still = "nops", .still_few = 64, .still_many = 4096 });

/* The largest branch target buffer of the family has 512 entries. */
#define NEW_JUMPS(name, text) \
	{ .event = name, MOVES("code_walk", 1024, 2048), \
	  EXACTLY(1, EXERCISE_COLD | EXERCISE_IF_EXACT), .reason = SPECULATES, .why = text, \
	  STILL("loop") }

P6_EVENT(btb_misses,
	"the event counts branches that the branch target buffer misses: at least one for each "
	"of 1024 new jumps, none in a loop",
	NEW_JUMPS("BTB_MISSES", "the buffer does not have the jump, or no longer has it"),
	{ .event = "BTB_MISSES", MOVES("code_walk", 1024, 2048), AT_LEAST(1, EXERCISE_COLD),
	  .why = "low: the buffer does not have the jump, or no longer has it; high: the jump may "
	         "be decoded more than once",
	  STILL("loop") });

P6_EVENT(baclears,
	"the event counts branches that the decoder finds, as the branch target buffer misses "
	"them: at least one for each of 1024 new jumps, none in a loop",
	NEW_JUMPS("BACLEARS", "the decoder must find each jump, which the buffer does not have"),
	{ .event = "BACLEARS", MOVES("code_walk", 1024, 2048), AT_LEAST(1, EXERCISE_COLD),
	  .why = "low: the decoder must find each jump, which the buffer does not have; high: the "
	         "jump may be decoded more than once",
	  STILL("loop") });

P6_EVENT(br_bogus,
	"the event counts predictions of a branch where there is none; it is not exercised, as "
	"no manual says which code causes one",
	{ .event = "BR_BOGUS",
	  .reason = "a buffer takes something else for a branch only by an alias, of which the "
	            "manual says nothing" });

/* ------------------------------------------------------------------------ arithmetic */

#define COMPUTES(name, code, text, still_) \
	{ .event = name, LOOPS(code), EXACTLY(1, EXERCISE_IF_EXACT), .reason = SPECULATES, \
	  .why = text, STILL(still_) }

P6_EVENT(flops,
	"the event counts retired x87 operations that compute: one for each FADD, FMUL, FDIV, "
	"FSQRT or FCOM, none for x87 loads and stores or an integer MUL",
	{ .event = "FLOPS", LOOPS("fadd"), EXACTLY(1, 0), .why = "an FADD a round",
	  STILL("fld1") },
	{ .event = "FLOPS", LOOPS("fmul"), EXACTLY(1, 0), .why = "an FMUL a round",
	  STILL("fld80") },
	{ .event = "FLOPS", LOOPS("fdiv"), EXACTLY(1, 0), .why = "an FDIV a round",
	  STILL("mul") },
	{ .event = "FLOPS", LOOPS("fsqrt"), EXACTLY(1, 0), .why = "an FSQRT a round",
	  STILL("loop") },
	{ .event = "FLOPS", LOOPS("fcom"), EXACTLY(1, 0), .why = "an FCOM a round",
	  STILL("fld_fstp") });

P6_EVENT(fp_comp_ops_exe,
	"the event counts executed operations that compute: one for each FADD, FMUL, integer MUL "
	"or DIV, none for an FLD1 or a loop",
	COMPUTES("FP_COMP_OPS_EXE", "fadd", "an FADD a round", "fld1"),
	COMPUTES("FP_COMP_OPS_EXE", "fmul", "an FMUL a round", "loop"),
	COMPUTES("FP_COMP_OPS_EXE", "mul", "a MUL a round: the event includes integer ones",
	         "loop"),
	COMPUTES("FP_COMP_OPS_EXE", "divide", "a DIV a round: the event includes integer ones",
	         "loop"));

P6_EVENT(fp_assist,
	"the event counts x87 operations that microcode completes: one for each FADD of a "
	"denormal number, none for an FADD of normal ones",
	COMPUTES("FP_ASSIST", "fp_assist", "an FADD of a denormal number a round", "fadd"));

P6_EVENT(mul,
	"the event counts executed multiplications: one for each MUL, IMUL or FMUL, none for an "
	"FADD or a load",
	COMPUTES("MUL", "mul", "a MUL a round", "loop"),
	COMPUTES("MUL", "imul_mem", "an IMUL a round", "load"),
	COMPUTES("MUL", "fmul", "an FMUL a round", "fadd"));

P6_EVENT(div,
	"the event counts executed divisions: one for each DIV, IDIV or FDIV, none for a MUL or "
	"FMUL",
	COMPUTES("DIV", "divide", "a DIV a round", "mul"),
	COMPUTES("DIV", "idiv", "an IDIV a round", "loop"),
	COMPUTES("DIV", "fdiv", "an FDIV a round", "fmul"));

P6_EVENT(cycles_div_busy,
	"the event counts clocks in which the divider is busy: at least one for each DIV, none "
	"in a loop",
	{ .event = "CYCLES_DIV_BUSY", LOOPS("divide"), AT_LEAST(1, 0),
	  .why = "low: each DIV keeps the divider busy for a clock or more; high: the event's "
	         "definition gives no latency",
	  STILL("loop") });

/* ------------------------------------------------------------------------ interrupts */

P6_EVENT(hw_int_rx,
	"the event counts hardware interrupts that are received: one for each of the local APIC, "
	"none for INT n or an exception",
	{ .event = "HW_INT_RX", MOVES("interrupts", 2, 6), EXACTLY(1, 0),
	  .why = "an interrupt of the local APIC a round", STILL("int_iret") },
	{ .event = "HW_INT_RX", MOVES("interrupts", 2, 6), EXACTLY(1, 0),
	  .why = "an interrupt of the local APIC a round", STILL("fault") });

/* At most three instructions retire in a clock: SDM 1, "P6 Family Microarchitecture". */
#define THREE_A_CLOCK \
	"low: three instructions retire in a clock, and a round has two; high: no " \
	"manual bounds it"

P6_EVENT_ALONE(cycles_int_masked,
	"the event counts clocks with EFLAGS.IF = 0: at least two for three rounds of a loop, "
	"none while IF = 1",
	{ .event = "CYCLES_INT_MASKED", LOOPS("loop_masked"), AT_LEAST(2, 0), .per = 3,
	  .why = THREE_A_CLOCK, STILL("loop_unmasked") });

P6_EVENT_ALONE(cycles_int_pending_and_masked,
	"the event counts clocks with EFLAGS.IF = 0 while an interrupt is pending: at least two "
	"for three rounds of a loop, none while none is pending",
	{ .event = "CYCLES_INT_PENDING_AND_MASKED", LOOPS("pending_loop"), AT_LEAST(2, 0),
	  .per = 3, .why = THREE_A_CLOCK, STILL("loop") });

/* ------------------------------------------------------------------------ stalls, clocks */

P6_EVENT(resource_stalls,
	"the event counts clocks in which a resource or a serialising instruction stalls the "
	"machine: at least one for each CPUID, none in a loop",
	{ .event = "RESOURCE_STALLS", LOOPS("cpuid"), AT_LEAST(1, 0),
	  .why = "low: a serialising instruction drains the machine; high: the manual bounds no "
	         "time",
	  STILL("loop") });

P6_EVENT(partial_rat_stalls,
	"the event counts stalls of a read of a register that was written in part; its count for "
	"a round with such a read is shown, not judged",
	{ .event = "PARTIAL_RAT_STALLS", LOOPS("partial_register"), SHOWN(0),
	  .reason = "the manual says neither clocks nor events, and later processors of the family "
	            "do not stall" });

P6_EVENT(cpu_clk_unhalted,
	"the event counts clocks outside of HLT: at least one for three instructions of a loop, "
	"of NOPs or of DIVs",
	{ .event = "CPU_CLK_UNHALTED", LOOPS("loop"), AT_LEAST(2, 0), .per = 3,
	  .why = THREE_A_CLOCK },
	{ .event = "CPU_CLK_UNHALTED", MOVES("nops", 64, 4096), AT_LEAST(1, 0), .per = 3,
	  .why = "low: at most three instructions retire in a clock; high: no manual bounds it" },
	{ .event = "CPU_CLK_UNHALTED", LOOPS("divide"), AT_LEAST(5, 0), .per = 3,
	  .why = "low: three instructions retire in a clock, and a round has five; high: no "
	         "manual bounds it" });

/* ------------------------------------------------------------------------ segment registers */

#define SEGMENT(name, text) \
	{ .event = "SEGMENT_REG_LOADS", LOOPS(name), EXACTLY(1, 0), .why = text, STILL("loop") }

P6_EVENT(segment_reg_loads,
	"the event counts loads of segment registers: one for each MOV to DS, ES, FS or GS, none "
	"in a loop",
	SEGMENT("load_ds", "a MOV to DS a round"),
	SEGMENT("load_es", "a MOV to ES a round"),
	SEGMENT("load_fs", "a MOV to FS a round"),
	SEGMENT("load_gs", "a MOV to GS a round"));
