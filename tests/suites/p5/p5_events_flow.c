/* SPDX-License-Identifier: MIT */
/* Events of every P5: branches, instructions, pipelines, breakpoints, interrupts. */
#include <tests/suites/p5/p5_events.h>

/* ------------------------------------------------------------------------ branches */

P5_EVENT(branches,
	"the event counts branches, taken or not: one for each Jcc, CALL, RET, INT n, IRET, "
	"exception and serialising instruction, none for NOPs",
	{ .event = "BRANCHES", MOVES("loop"), EXACTLY(1, "JNZ"), STILL("nops") },
	{ .event = "BRANCHES", MOVES("jcc_not_taken"), EXACTLY(2, "JC, not taken, and JNZ") },
	{ .event = "BRANCHES", MOVES("jcc_taken"), EXACTLY(2, "JC, taken, and JNZ") },
	{ .event = "BRANCHES", MOVES("call"), EXACTLY(3, "CALL, RET, JNZ") },
	{ .event = "BRANCHES", MOVES("far_call"), EXACTLY(3, "CALL FAR, RET FAR, JNZ") },
	{ .event = "BRANCHES", MOVES("int_iret"), EXACTLY(3, "INT n, IRET, JNZ") },
	{ .event = "BRANCHES", MOVES("fault"), EXACTLY(3, "the exception, IRET, JNZ") },
	{ .event = "BRANCHES", MOVES("cpuid"),
	  EXACTLY(2, "serialising instructions count as taken branches: CPUID and JNZ") });

P5_EVENT(btb_hits,
	"the event counts branches that hit in the branch target buffer: nearly each JNZ of a "
	"loop, none among NOPs",
	{ .event = "BTB_HITS", MOVES("loop"),
	  FROM(99, 100, 100, "low: the first rounds miss; high: one branch a round"),
	  STILL("nops") });

P5_EVENT(taken_branch_or_btb_hit,
	"the event counts branches that are taken or hit in the branch target buffer: one for "
	"each taken JNZ, CALL and RET, none for NOPs",
	{ .event = "TAKEN_BRANCH_OR_BTB_HIT", MOVES("loop"), EXACTLY(1, "JNZ, taken"),
	  STILL("nops") },
	{ .event = "TAKEN_BRANCH_OR_BTB_HIT", MOVES("call"), EXACTLY(3, "CALL, RET, JNZ") });

P5_EVENT(pipeline_flushes,
	"the event counts flushes of the pipeline: one to three for each exception, 20 to 200 "
	"for 100 branches on a random bit, none for NOPs",
	{ .event = "PIPELINE_FLUSHES", MOVES("fault"),
	  FROM(1, 3, 1, "low: an exception flushes; high: IRET and JNZ may as well"),
	  STILL("nops") },
	{ .event = "PIPELINE_FLUSHES", MOVES("random"), .argument = 0x1234567,
	  FROM(20, 200, 100, "low: the code has a branch that nothing can predict, half of them "
	       "taken; high: two branches a round") });

/* ------------------------------------------------------------------------ instructions */

P5_EVENT(instructions_executed,
	"the event counts executed instructions: one for each NOP, DEC, JNZ or CPUID, for a "
	"whole REP STOSD and for an exception, none for the instruction that faults",
	{ .event = "INSTRUCTIONS_EXECUTED", MOVES("nops"), EXACTLY(1, "a NOP") },
	{ .event = "INSTRUCTIONS_EXECUTED", MOVES("loop"), EXACTLY(2, "DEC, JNZ") },
	{ .event = "INSTRUCTIONS_EXECUTED", MOVES("stosd"), .argument = 16,
	  EXACTLY(5, "two MOVs, REP STOSD as one, DEC, JNZ") },
	{ .event = "INSTRUCTIONS_EXECUTED", MOVES("cpuid"), EXACTLY(4, "XOR, CPUID, DEC, JNZ") },
	{ .event = "INSTRUCTIONS_EXECUTED", MOVES("fault"),
	  EXACTLY(5, "the exception, ADD, IRET, DEC, JNZ; not UD2, which faults") },
	{ .event = "INSTRUCTIONS_EXECUTED", MOVES("int_iret"),
	  REPORTED("the manual does not say whether INT n counts beside the "
	           "interrupt that it raises") });

P5_EVENT(instructions_executed_v_pipe,
	"the event counts instructions that execute in the V pipe: one for each pair, such as "
	"DEC and JNZ or two independent ADDs, none for a LOOP or a MUL, which pair with nothing",
	{ .event = "INSTRUCTIONS_EXECUTED_V_PIPE", MOVES("pairs"),
	  EXACTLY(2, "two ADDs without dependence; DEC, JNZ"), STILL("loop_insn") },
	{ .event = "INSTRUCTIONS_EXECUTED_V_PIPE", MOVES("mul"),
	  EXACTLY(1, "DEC and JNZ pair; MUL pairs with nothing") },
	{ .event = "INSTRUCTIONS_EXECUTED_V_PIPE", MOVES("unpaired"),
	  REPORTED("1 on silicon, as the second ADD needs the first and pairs with DEC") });

P5_EVENT(pipeline_agi_stalls,
	"the event counts stalls of a pipe that waits for an address: one for each load whose "
	"address the preceding instruction computes, none for other loads",
	{ .event = "PIPELINE_AGI_STALLS", MOVES("agi"),
	  EXACTLY(1, "the preceding instruction computes the address: one clock, in one pipe"),
	  STILL("load") });

P5_EVENT(flops,
	"the event counts floating-point operations and integer multiplications: one for each "
	"FADD, FSUB, FMUL, FDIV, FSQRT or MUL, none in a loop without them",
	{ .event = "FLOPS", MOVES("fadd"), EXACTLY(1, "an addition"), STILL("loop") },
	{ .event = "FLOPS", MOVES("fsub"), EXACTLY(1, "a subtraction") },
	{ .event = "FLOPS", MOVES("fmul"), EXACTLY(1, "a multiplication") },
	{ .event = "FLOPS", MOVES("fdiv"), EXACTLY(1, "a division") },
	{ .event = "FLOPS", MOVES("fsqrt"), EXACTLY(1, "a square root") },
	{ .event = "FLOPS", MOVES("mul"), EXACTLY(1, "integer multiplications count as well") },
	{ .event = "FLOPS", MOVES("fcom"),
	  REPORTED("the manual does not say whether a comparison counts") },
	{ .event = "FLOPS", MOVES("fxch"), REPORTED("the manual does not say "
	                                            "whether a move counts") });

/* ------------------------------------------------------------------------ breakpoints */

#define BREAKPOINT(n) \
	P5_EVENT(breakpoint_match_on_dr##n##_register, \
		"the event counts matches of the address in DR" #n ", whether or not DR7 enables " \
		"it; p5.breakpoints.dr" #n " judges it", \
		{ .event = "BREAKPOINT_MATCH_ON_DR" #n "_REGISTER", \
		  .test = "p5.breakpoints.dr" #n })
BREAKPOINT(0);
BREAKPOINT(1);
BREAKPOINT(2);
BREAKPOINT(3);

/* ------------------------------------------------------------------------ interrupts */

P5_EVENT(hardware_interrupts,
	"the event counts interrupts and NMIs that are taken: one for each that the local APIC "
	"delivers, none for INT n or an exception",
	{ .event = "HARDWARE_INTERRUPTS", MOVES_SLOWLY("interrupts"),
	  EXACTLY(1, "an interrupt that the local APIC delivers"), STILL("int_iret") },
	{ .event = "HARDWARE_INTERRUPTS", MOVES_SLOWLY("nmis"), EXACTLY(1, "an NMI"),
	  STILL("fault") });

/* ------------------------------------------------------------------------ reserved */

#define RESERVED(name_, NAME, select) \
	P5_EVENT(reserved_##name_, \
		"the manual reserves event select " select ", so nothing exercises it", \
		{ .event = "RESERVED_" NAME, .reason = "the manual reserves this encoding" })
RESERVED(10, "10", "10H");
RESERVED(11, "11", "11H");
RESERVED(20, "20", "20H");
RESERVED(21, "21", "21H");
RESERVED(39_c1, "39_C1", "39H of counter 1");
RESERVED(3c, "3C", "3CH");
RESERVED(3d, "3D", "3DH");
RESERVED(3e, "3E", "3EH");
RESERVED(3f, "3F", "3FH");
