/* SPDX-License-Identifier: MIT */
/* Intel's events of branches: retired, executed, mispredicted. See event_exercise.h. */
#include <tests/suites/intel/intel_exercises.h>

INTEL_EVENT(EVERY_CORE, branches,
	"the event counts retired branches of its kind: one for each of that kind, none for "
	"another or a NOP",
	RETIRED("BR_INST_RETIRED.ALL_BRANCHES|BR_INST_RETIRED.ANY", "call", 3, "CALL, RET, JNZ",
	        "nops"),
	RETIRED("BR_INST_RETIRED.ANY1", "call", 3, "CALL, RET, JNZ", "nops"),
	RETIRED("BR_INST_RETIRED.ALL_BRANCHES_PEBS", "jmp", 2, "JMP, JNZ", "nops"),
	RETIRED("BR_INST_RETIRED.TAKEN", "call", 3, "CALL, RET, JNZ", "nops"),
	RETIRED("BR_INST_RETIRED.TAKEN", "jcc_not_taken", 1, "the JNZ; the JC falls through",
	        "nops"),
	RETIRED("BR_INST_RETIRED.NEAR_CALL", "call", 1, "a CALL a round", "jcc_taken"),
	RETIRED("BR_INST_RETIRED.NEAR_CALL", "call_indirect", 1, "an indirect CALL a round", "jmp"),
	RETIRED("BR_INST_RETIRED.NEAR_RETURN", "call", 1, "a RET a round", "jcc_taken"),
	RETIRED("BR_INST_RETIRED.CONDITIONAL|BR_INST_RETIRED.COND", "jcc_not_taken", 2,
	        "a JC that falls through, and a JNZ", "nops"),
	RETIRED("BR_INST_RETIRED.CONDITIONAL|BR_INST_RETIRED.COND", "call", 1, "the JNZ a round",
	        "nops"),
	RETIRED("BR_INST_RETIRED.COND_TAKEN", "jcc_taken", 2, "a JC that jumps, and a JNZ", "nops"),
	RETIRED("BR_INST_RETIRED.NOT_TAKEN|BR_INST_RETIRED.COND_NTAKEN", "jcc_not_taken", 1,
	        "a JC that falls through", "nops"),
	RETIRED("BR_INST_RETIRED.NEAR_TAKEN", "call", 3, "CALL, RET, JNZ", "nops"),
	RETIRED("BR_INST_RETIRED.NEAR_TAKEN", "jcc_not_taken", 1, "the JNZ; the JC falls through",
	        "nops"),
	RETIRED("BR_INST_RETIRED.INDIRECT", "jmp_indirect", 1, "an indirect JMP a round",
	        "jcc_taken"),
	RETIRED("BR_INST_RETIRED.INDIRECT_JMP", "jmp_indirect", 1, "an indirect JMP a round",
	        "call_indirect"),
	RETIRED("BR_INST_RETIRED.INDIRECT_CALL", "call_indirect", 1, "an indirect CALL a round",
	        "jmp_indirect"),
	RETIRED("BR_INST_RETIRED.REL_CALL", "call", 1, "a CALL a round", "call_indirect"),
	RETIRED("BR_INST_RETIRED.REL_JMP", "jmp", 1, "a JMP a round", "jmp_indirect"),
	RETIRED("BR_INST_RETIRED.FAR_BRANCH", "far_call", 2, "a far CALL and a far RET a round",
	        "call"));

/* A loop is learnt at once, so its branches go as predicted. */
INTEL_EVENT(CORE2_AND_BONNELL, branches_by_prediction,
	"the event counts retired branches that were predicted and went as its mask says: each of "
	"a loop as taken or not, none as mispredicted",
	EXECUTED("BR_INST_RETIRED.PRED_TAKEN", "jcc_taken", 2, "a JC that jumps, and a JNZ",
	         "nops"),
	EXECUTED("BR_INST_RETIRED.PRED_NOT_TAKEN", "jcc_not_taken", 1, "a JC that falls through",
	         "nops"),
	EXECUTED("BR_INST_RETIRED.MISPRED_TAKEN", "jcc_taken", 0, "a loop is predicted", "nops"),
	EXECUTED("BR_INST_RETIRED.MISPRED_NOT_TAKEN", "jcc_not_taken", 0, "a loop is predicted",
	         "nops"));

#define EXEC(name, code, each, text, still_)  EXECUTED(name, code, each, text, still_)

INTEL_EVENT(UP_TO_BROADWELL, branches_executed,
	"the event counts executed branches of its kind: one for each of that kind in a loop, none "
	"for another or a NOP",
	EXEC("BR_INST_EXEC|BR_INST_EXEC.ANY|BR_INST_EXEC.ALL_BRANCHES", "call", 3, "CALL, RET, JNZ",
	     "nops"),
	EXEC("BR_CND_EXEC|BR_INST_EXEC.COND|BR_INST_EXEC.ALL_CONDITIONAL|BR_INST_TYPE_RETIRED.COND",
	     "jcc_not_taken", 2, "a JC and a JNZ a round", "nops"),
	EXEC("BR_INST_EXEC.TAKEN_CONDITIONAL|BR_INST_TYPE_RETIRED.COND_TAKEN", "jcc_not_taken", 1,
	     "the JNZ; the JC falls through", "nops"),
	EXEC("BR_INST_EXEC.NONTAKEN_CONDITIONAL", "jcc_not_taken", 1, "the JC falls through",
	     "nops"),
	EXEC("BR_INST_EXEC.DIRECT|BR_INST_EXEC.ALL_DIRECT_JMP|BR_INST_TYPE_RETIRED.UNCOND",
	     "jmp", 1, "a JMP a round", "jcc_taken"),
	EXEC("BR_INST_EXEC.TAKEN_DIRECT_JUMP", "jmp", 1, "a JMP a round", "jcc_taken"),
	EXEC("BR_IND_EXEC|BR_INST_EXEC.INDIRECT_NON_CALL"
	     "|BR_INST_EXEC.ALL_INDIRECT_JUMP_NON_CALL_RET|BR_INST_TYPE_RETIRED.IND",
	     "jmp_indirect", 1, "an indirect JMP a round", "call"),
	EXEC("BR_INST_EXEC.TAKEN_INDIRECT_JUMP_NON_CALL_RET", "jmp_indirect", 1,
	     "an indirect JMP a round", "call"),
	EXEC("BR_RET_EXEC|BR_INST_EXEC.RETURN_NEAR|BR_INST_EXEC.ALL_INDIRECT_NEAR_RETURN"
	     "|BR_INST_TYPE_RETIRED.RET", "call", 1, "a RET a round", "jmp"),
	EXEC("BR_INST_EXEC.TAKEN_INDIRECT_NEAR_RETURN", "call", 1, "a RET a round", "jmp"),
	EXEC("BR_CALL_EXEC|BR_INST_EXEC.NEAR_CALLS", "call", 1, "a CALL a round", "jmp"),
	EXEC("BR_INST_EXEC.DIRECT_NEAR_CALL|BR_INST_EXEC.ALL_DIRECT_NEAR_CALL"
	     "|BR_INST_TYPE_RETIRED.DIR_CALL", "call", 1, "a CALL a round", "call_indirect"),
	EXEC("BR_INST_EXEC.TAKEN_DIRECT_NEAR_CALL", "call", 1, "a CALL a round", "call_indirect"),
	EXEC("BR_IND_CALL_EXEC|BR_INST_EXEC.INDIRECT_NEAR_CALL"
	     "|BR_INST_EXEC.TAKEN_INDIRECT_NEAR_CALL|BR_INST_TYPE_RETIRED.IND_CALL",
	     "call_indirect", 1, "an indirect CALL a round", "call"),
	EXEC("BR_INST_EXEC.NON_CALLS", "jmp", 2, "JMP, JNZ", "nops"),
	EXEC("BR_INST_EXEC.TAKEN", "jcc_not_taken", 1, "the JNZ; the JC falls through", "nops"),
	EXEC("BR_INST_DECODED", "call", 3, "CALL, RET, JNZ", "nops"));

#define COINS(name, few_counts, text, still_) \
	{ .event = name, LOOPS("random"), BETWEEN(1, few_counts, 0), .argument = 12345, \
	  .per = few_counts, .why = text, STILL(still_) }
#define TAKEN_COIN COIN "; half of them are taken"

INTEL_EVENT(EVERY_CORE, mispredictions,
	"the event counts mispredicted branches of its kind: at least one for four or eight "
	"branches on a random bit, none for those that always go one way",
	COINS("BR_INST_RETIRED_MISPRED|BR_INST_RETIRED.MISPRED|BR_MISP_RETIRED.ALL_BRANCHES", 4,
	      COIN, "jcc_taken"),
	COINS("BR_MISP_RETIRED.CONDITIONAL|BR_MISP_RETIRED.COND", 4, COIN, "jcc_taken"),
	COINS("BR_MISP_RETIRED.ALL_BRANCHES_PEBS", 4, COIN, "jcc_taken"),
	COINS("BR_MISSP_EXEC|BR_MISP_EXEC.ANY|BR_MISP_EXEC.ALL_BRANCHES", 4, COIN, "jcc_taken"),
	COINS("BR_CND_MISSP_EXEC|BR_MISP_EXEC.COND|BR_MISP_EXEC.ALL_CONDITIONAL"
	      "|BR_MISSP_TYPE_RETIRED.COND", 4, COIN, "jcc_taken"),
	COINS("BR_INST_RETIRED.MISPRED_TAKEN", 8, TAKEN_COIN, "jcc_not_taken"),
	COINS("BR_INST_RETIRED.MISPRED_NOT_TAKEN", 8, TAKEN_COIN, "jcc_taken"),
	COINS("BR_MISP_RETIRED.NEAR_TAKEN|BR_MISP_RETIRED.TAKEN", 8, TAKEN_COIN, "jcc_not_taken"),
	COINS("BR_MISP_RETIRED.COND_TAKEN", 8, TAKEN_COIN, "jcc_not_taken"),
	COINS("BR_MISP_RETIRED.NOT_TAKEN|BR_MISP_RETIRED.COND_NTAKEN", 8, TAKEN_COIN, "jcc_taken"),
	COINS("BR_MISP_EXEC.TAKEN|BR_MISP_EXEC.TAKEN_CONDITIONAL"
	      "|BR_MISSP_TYPE_RETIRED.COND_TAKEN", 8, TAKEN_COIN, "jcc_not_taken"),
	COINS("BR_MISP_EXEC.NONTAKEN_CONDITIONAL", 8, TAKEN_COIN, "jcc_taken"));

/* A RET without a CALL goes to a place that no return predicts. */
#define LOST_RET(name) \
	{ .event = name, LOOPS("push_ret"), BETWEEN(1000, 1001, EXERCISE_IF_EXACT), .per = 1000, \
	  .reason = PREDICTORS, .why = "low: a RET without a CALL goes where no return predicts; " \
	  "high: so may the workload's own RET", STILL("call") }
#define PREDICTED(name, code) \
	{ .event = name, INTEL_LOOPS(code), EXACTLY(0, EXERCISE_IF_EXACT), .reason = PREDICTORS, \
	  .why = "the target is always the same one", INTEL_STILL("random") }

INTEL_EVENT(EVERY_CORE, mispredicted_targets,
	"the event counts mispredicted returns, calls or indirect branches: one for each RET "
	"without a CALL, none for a target that stays the same or for a conditional branch",
	LOST_RET("BR_RET_MISSP_EXEC|BR_MISP_EXEC.RETURN_NEAR|BR_MISP_EXEC.TAKEN_RETURN_NEAR"
	         "|BR_MISSP_TYPE_RETIRED.RETURN"),
	LOST_RET("BR_MISP_RETIRED.RET|BR_MISP_RETIRED.RETURN"),
	PREDICTED("BR_MISP_RETIRED.NEAR_CALL|BR_MISP_RETIRED.INDIRECT_CALL", "call_indirect"),
	PREDICTED("BR_MISP_RETIRED.INDIRECT", "jmp_indirect"),
	PREDICTED("BR_MISP_RETIRED.INDIRECT_JMP", "jmp_indirect"),
	PREDICTED("BR_MISP_EXEC.INDIRECT", "jmp_indirect"),
	PREDICTED("BR_IND_MISSP_EXEC|BR_MISP_EXEC.INDIRECT_NON_CALL"
	          "|BR_MISP_EXEC.ALL_INDIRECT_JUMP_NON_CALL_RET|BR_MISSP_TYPE_RETIRED.IND",
	          "jmp_indirect"),
	PREDICTED("BR_CALL_MISSP_EXEC|BR_MISP_EXEC.NEAR_CALLS"
	          "|BR_MISP_EXEC.TAKEN_INDIRECT_NEAR_CALL|BR_MISSP_TYPE_RETIRED.IND_CALL",
	          "call_indirect"));
