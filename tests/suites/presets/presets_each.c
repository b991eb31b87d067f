/* SPDX-License-Identifier: MIT */
/*
 * The presets: one set of events for every generation. The same code must give the same numbers,
 * whatever native event a generation counts it with.
 */
#include <tests/suites/presets/presets_run.h>

#include <tests/suites/common/events/exercises.h>

#define PAPI    "; PAPI's documentation, \"PAPI Preset Events\""

/* Each macro has rows of one event, so that the preset's name stands once. */
#define ROW(...)  { .event = THIS, __VA_ARGS__ }

/* ------------------------------------------------------------------------ instructions */

#define THIS "PAPI_TOT_INS"
PRESET(tot_ins, "PAPI_TOT_INS counts each instruction that retires once", EVENTS PAPI,
	ROW(LOOPS("loop"), EXACTLY(2, 0), .why = "DEC and JNZ a round"),
	ROW(LOOPS("nops"), EXACTLY(1, 0), .why = "a NOP a round"),
	ROW(LOOPS("call"), EXACTLY(4, 0), .why = "CALL, RET, DEC and JNZ a round"),
	ROW(LOOPS("load_store"), EXACTLY(3, 0), .why = "an ADD to memory, DEC and JNZ a round"),
	ROW(LOOPS("push_pop"), EXACTLY(4, 0), .why = "PUSH, POP, DEC and JNZ a round"));
#undef THIS

/* The name asks for a ring; one loop runs at CPL 0, another at CPL 3. */
#define RING(ring, each, more, text) \
	{ .event = "PAPI_TOT_INS" ring, LOOPS("loop"), EXACTLY(each, more), .why = text }, \
	{ .event = "PAPI_BR_INS" ring, LOOPS("loop"), EXACTLY((each) / 2, more), .why = text }

PRESET(rings, "with :u a preset counts only CPL 3, with :k only CPL 0", EVENTS PAPI,
	RING("", 2, 0, "DEC and JNZ a round, in any ring"),
	RING("", 2, EXERCISE_USR, "DEC and JNZ a round, in any ring"),
	RING(":k", 2, 0, "it runs at CPL 0"), RING(":u", 0, 0, "it runs at CPL 0"),
	RING(":k", 0, EXERCISE_USR, "it runs at CPL 3"),
	RING(":u", 2, EXERCISE_USR, "it runs at CPL 3"));

/* ------------------------------------------------------------------------ clocks */

#define THIS "PAPI_TOT_CYC"
PRESET_ALONE(tot_cyc, "PAPI_TOT_CYC counts the clocks of code that runs", EVENTS PAPI,
	ROW(MOVES("nops", 1, 4081), .low = 1, .high = EXERCISE_UNBOUNDED, .per = 16,
	    .flags = EXERCISE_RELATION,
	    .why = "low: at most 16 instructions execute in a clock; high: the "
	           "manual bounds no time"),
	ROW(MOVES("divide", 64, 4160), .low = 1, .high = EXERCISE_UNBOUNDED, .per = 4,
	    .flags = EXERCISE_RELATION,
	    .why = "low: a round has at least four instructions, at most 16 a clock; high: the "
	           "manual bounds no time"));
#undef THIS

/* ------------------------------------------------------------------------ branches */

#define THIS "PAPI_BR_INS"
PRESET(br_ins, "PAPI_BR_INS counts each branch that retires once, taken or not", EVENTS PAPI,
	ROW(LOOPS("loop"), EXACTLY(1, 0), .why = "a JNZ a round", STILL("nops")),
	ROW(LOOPS("jcc_not_taken"), EXACTLY(2, 0), .why = "a branch that falls through, and a JNZ"),
	ROW(LOOPS("jmp_indirect"), EXACTLY(2, 0), .why = "an indirect JMP, and a JNZ"),
	ROW(LOOPS("call"), EXACTLY(3, 0), .why = "CALL, RET and JNZ"));
#undef THIS

#define THIS "PAPI_BR_CN"
PRESET(br_cn, "PAPI_BR_CN counts only conditional branches", EVENTS PAPI,
	ROW(LOOPS("loop"), EXACTLY(1, 0), .why = "a JNZ a round"),
	ROW(LOOPS("jcc_not_taken"), EXACTLY(2, 0), .why = "a branch that falls through, and a JNZ"),
	ROW(LOOPS("call"), EXACTLY(1, 0), .why = "the JNZ; CALL and RET have no condition"));
#undef THIS

#define THIS "PAPI_BR_TKN"
PRESET(br_tkn, "PAPI_BR_TKN counts the branches that are taken", EVENTS PAPI,
	ROW(LOOPS("loop"), EXACTLY(1, 0), .why = "a JNZ a round", STILL("nops")),
	ROW(LOOPS("jcc_not_taken"), EXACTLY(1, 0), .why = "the JNZ is taken; the other branch "
	                                                  "falls through"),
	ROW(LOOPS("jcc_taken"), EXACTLY(2, 0), .why = "both"),
	ROW(LOOPS("call"), EXACTLY(3, 0), .why = "CALL, RET and JNZ"),
	ROW(MOVES("pattern", 64, 1088), .argument = 0x0000ffff, EXACTLY(48, 0), .per = 32,
	    .why = "16 of 32 branches are taken by the pattern, and every JNZ"));
#undef THIS

#define THIS "PAPI_BR_NTK"
PRESET(br_ntk, "PAPI_BR_NTK counts the branches that are not taken", EVENTS PAPI,
	ROW(LOOPS("jcc_not_taken"), EXACTLY(1, 0), .why = "one branch falls through",
	    STILL("loop")),
	ROW(LOOPS("jcc_taken"), EXACTLY(0, 0), .why = "both branches are taken"),
	ROW(MOVES("pattern", 64, 1088), .argument = 0x0000ffff, EXACTLY(16, 0), .per = 32,
	    .why = "16 of 32 branches by the pattern"));
#undef THIS

/*
 * Half of 4095 fair tosses are guessed wrong, with a standard deviation of 32: a quarter and three
 * quarters are 32 of them away. The loop's own JNZ is always taken, except once.
 */
#define THIS "PAPI_BR_MSP"
PRESET(br_msp, "PAPI_BR_MSP counts half of the branches on a random bit, and hardly any on a "
       "constant bit", EVENTS PAPI,
	ROW(MOVES("random", 1, 4096), .argument = 0x2545f491, BETWEEN(1, 3, 0), .per = 4,
	    .why = "half of fair tosses are guessed wrong; low: 32 standard deviations fewer; "
	           "high: as many more"),
	ROW(MOVES("pattern", 4096, 8192), .argument = UINT32_MAX,
	    BETWEEN(0, 1, EXERCISE_WARM | EXERCISE_IF_EXACT), .per = 64,
	    .reason = "what a predictor holds at first may favour the longer window",
	    .why = "low: no count is negative; high: 4096 more of what was learnt in 4096 before, "
	           "with one in 64 left for chance"));
#undef THIS

/* ------------------------------------------------------------------------ loads and stores */

#define THIS "PAPI_LD_INS"
PRESET(ld_ins, "PAPI_LD_INS counts each instruction that loads once", EVENTS PAPI,
	ROW(LOOPS("load"), EXACTLY(1, 0), .why = "a MOV from memory a round", STILL("loop")),
	ROW(LOOPS("load_store"), EXACTLY(1, 0), .why = "an ADD to memory loads once"),
	ROW(LOOPS("push_pop"), EXACTLY(1, 0), .why = "POP loads; PUSH of a register does not"),
	ROW(LOOPS("cmps"), EXACTLY(1, 0), .why = "CMPS loads twice and is one instruction"),
	ROW(LOOPS("store"), EXACTLY(0, 0), .why = "a MOV to memory loads nothing"));
#undef THIS

#define THIS "PAPI_SR_INS"
PRESET(sr_ins, "PAPI_SR_INS counts each instruction that stores once", EVENTS PAPI,
	ROW(LOOPS("store"), EXACTLY(1, 0), .why = "a MOV to memory a round", STILL("loop")),
	ROW(LOOPS("load_store"), EXACTLY(1, 0), .why = "an ADD to memory stores once"),
	ROW(LOOPS("push_pop"), EXACTLY(1, 0), .why = "PUSH stores; POP to a register does not"),
	ROW(LOOPS("load"), EXACTLY(0, 0), .why = "a MOV from memory stores nothing"));
#undef THIS

/* ------------------------------------------------------------------------ the first cache */

#define ACCESSES(name, each, text) \
	ROW(LOOPS(name), EXACTLY(each, EXERCISE_IF_EXACT), .reason = RETRIES, .why = text)

#define THIS "PAPI_L1_DCA"
PRESET(l1_dca, "PAPI_L1_DCA counts each access to data", EVENTS PAPI,
	ACCESSES("load", 1, "a load a round"),
	ACCESSES("store", 1, "a store a round"),
	ACCESSES("load_store", 2, "an ADD to memory: a load and a store"),
	ACCESSES("push_pop", 2, "a store and a load"),
	ACCESSES("loop", 0, "the loop uses only registers"));
#undef THIS

#define THIS "PAPI_L1_DCR"
PRESET(l1_dcr, "PAPI_L1_DCR counts each read of data", EVENTS PAPI,
	ACCESSES("load", 1, "a load a round"),
	ACCESSES("load_store", 1, "an ADD to memory reads it once"),
	ACCESSES("store", 0, "a MOV to memory reads nothing"));
#undef THIS

#define THIS "PAPI_L1_DCW"
PRESET(l1_dcw, "PAPI_L1_DCW counts each write of data", EVENTS PAPI,
	ACCESSES("store", 1, "a store a round"),
	ACCESSES("load_store", 1, "an ADD to memory writes it once"),
	ACCESSES("load", 0, "a MOV from memory writes nothing"));
#undef THIS

/* The addresses are 64 bytes apart: two lines of a Pentium, one of a later processor. 64 of
 * them are half of a set or less in each first cache (8 KB in two ways), so that the
 * stack's lines stay. */
#define PREFETCHES  "silicon loads lines ahead, and after a mispredicted branch"
#define FEW_LINES(code)  MOVES(code, 8, 64)
#define COLD_WALK(code, still_) \
	ROW(FEW_LINES(code), EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .reason = PREFETCHES, \
	    .why = "each round goes to a line that is in no cache", STILL(still_))

#define THIS "PAPI_L1_DCM"
PRESET(l1_dcm, "PAPI_L1_DCM counts accesses to lines that are in no cache", EVENTS PAPI,
	COLD_WALK("walk", "load"), COLD_WALK("store_walk", "load_store"));
#undef THIS

#define THIS "PAPI_L1_LDM"
PRESET(l1_ldm, "PAPI_L1_LDM counts loads from lines that are in no cache", EVENTS PAPI,
	COLD_WALK("walk", "load"));
#undef THIS

#define THIS "PAPI_L1_STM"
PRESET(l1_stm, "PAPI_L1_STM counts stores to lines that are in no cache", EVENTS PAPI,
	COLD_WALK("store_walk", "load_store"));
#undef THIS

#define THIS "PAPI_L1_ICA"
PRESET(l1_ica, "PAPI_L1_ICA counts fetches of code", EVENTS PAPI,
	ROW(MOVES("code_walk64", 16, 1016), .low = 40, .high = 3200, .per = 100,
	    .flags = EXERCISE_RELATION,
	    .why = "low: of the other 1000 lines at most 512 are in a cache of decoded operations, "
	           "whose hits pass by, and 16 lines take 64 fetches at most; high: none fetches "
	           "fewer than four bytes, and it reads one line ahead"));
#undef THIS

#define THIS "PAPI_L1_ICM"
PRESET_ALONE(l1_icm, "PAPI_L1_ICM counts fetches of lines of code that are in no cache",
	EVENTS PAPI,
	ROW(MOVES("code_walk64", 16, 1016), .low = 100, .high = 202, .per = 100,
	    .flags = EXERCISE_RELATION | EXERCISE_COLD | EXERCISE_IF_EXACT,
	    .reason = "silicon may hold lines from before the window",
	    .why = "low: each jump goes to another line, none of which was cached; high: the next "
	           "line is read ahead, and the window's own were evicted", STILL("loop")));
#undef THIS

/* ------------------------------------------------------------------------ later caches, TLBs */

#define LATER(preset, name, claim) \
	PRESET_ALONE(name, claim, EVENTS PAPI, \
		{ .event = preset, FEW_LINES("walk"), EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), \
		  .reason = PREFETCHES, .why = "each round loads from a line that is in no cache", \
		  STILL("load") })

LATER("PAPI_L2_TCA", l2_tca, "PAPI_L2_TCA counts requests of the first caches to the second one");
LATER("PAPI_L2_TCM", l2_tcm, "PAPI_L2_TCM counts requests for lines that the second "
                             "cache does not have");
LATER("PAPI_L3_TCA", l3_tca, "PAPI_L3_TCA counts requests of the second cache to the third one");
LATER("PAPI_L3_TCM", l3_tcm, "PAPI_L3_TCM counts requests for lines that the third "
                             "cache does not have");

#define THIS "PAPI_TLB_DM"
PRESET(tlb_dm, "PAPI_TLB_DM counts accesses to pages that the data TLB does not have", EVENTS PAPI,
	ROW(LOOPS("invlpg"), EXACTLY(1, EXERCISE_IF_EXACT),
	    .reason = "silicon may also walk for loads that do not retire",
	    .why = "INVLPG drops the page of the load after it", STILL("load")));
#undef THIS

#define THIS "PAPI_TLB_IM"
PRESET(tlb_im, "PAPI_TLB_IM counts fetches from pages that the instruction TLB does not have",
       EVENTS PAPI,
	ROW(LOOPS("invlpg_code"), AT_LEAST(9, 0), .per = 10,
	    .why = "low: INVLPG drops the page that holds the next instruction, and a tenth is "
	           "left for what the TLB held at first; high: the manual does not say how many "
	           "fetches ask before the page is back", STILL("loop")));
#undef THIS

/* ------------------------------------------------------------------------ the others */

#define OPERATION(name, text) \
	ROW(LOOPS(name), EXACTLY(1, 0), .why = text, STILL("loop"))

#define THIS "PAPI_FP_OPS"
PRESET(fp_ops, "PAPI_FP_OPS counts floating-point operations, not moves", EVENTS PAPI,
	OPERATION("fadd", "an FADD a round"), OPERATION("fmul", "an FMUL a round"),
	OPERATION("fdiv", "an FDIV a round"), OPERATION("fsqrt", "an FSQRT a round"));
#undef THIS

#define THIS "PAPI_VEC_INS"
PRESET(vec_ins, "PAPI_VEC_INS counts SIMD instructions", EVENTS PAPI,
	OPERATION("mmx_add", "a PADDB a round"), OPERATION("mmx_logic", "a PAND a round"),
	OPERATION("mmx_load", "a MOVQ a round"));
#undef THIS

#define THIS "PAPI_HW_INT"
PRESET(hw_int, "PAPI_HW_INT counts the interrupts that are taken", EVENTS PAPI,
	ROW(MOVES("interrupts", 2, 6), EXACTLY(1, 0), .why = "one interrupt of the "
	                                                     "local APIC a round",
	    STILL("loop")));
#undef THIS

#define THIS "PAPI_RES_STL"
PRESET(res_stl, "PAPI_RES_STL counts clocks in which a resource was missing", EVENTS PAPI,
	ROW(LOOPS("cpuid"), AT_LEAST(1, 0),
	    .why = "low: a serialising instruction drains the machine; high: the manual bounds no "
	           "time", STILL("loop")));
#undef THIS
