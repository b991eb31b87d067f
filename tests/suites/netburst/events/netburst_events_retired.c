/* SPDX-License-Identifier: MIT */
/* NetBurst events at retirement; see event_exercise.h. The metrics in netburst_tagging.c exercise
 * what counts tagged micro-operations. */
#include <tests/suites/netburst/events/netburst_exercises.h>

NETBURST_EVENT(front_end_event,
	"the event counts micro-operations that retire with a tag of the front end: none for an "
	"ADD to memory while nothing is tagged; netburst.tagging.memory_loads judges tagged ones",
	{ .event = "front_end_event", .mask = "NBOGUS", LOOPS("load_store"), EXACTLY(0, 0),
	  .why = "nothing is tagged" },
	{ .event = "front_end_event", .mask = "BOGUS", LOOPS("load_store"), EXACTLY(0, 0),
	  .why = "nothing is tagged" },
	{ .event = "front_end_event", .test = "netburst.tagging.memory_loads" });
NETBURST_EVENT(execution_event,
	"the event counts micro-operations that retire with one of the four execution tags: none "
	"for an ADDPS while nothing is tagged; netburst.tagging.values judges tagged ones",
	{ .event = "execution_event", LOOPS("sse_add_packed"), EXACTLY(0, 0),
	  .why = "nothing is tagged" },
	{ .event = "execution_event", .test = "netburst.tagging.values" });
NETBURST_EVENT(replay_event,
	"the event counts micro-operations that retire with the tag of a replay: none for a walk "
	"of loads while nothing is tagged; netburst.replay.load_miss judges tagged ones",
	{ .event = "replay_event", .mask = "NBOGUS", WALKS("walk"), EXACTLY(0, COLD_ARENA),
	  .why = "nothing is tagged" },
	{ .event = "replay_event", .test = "netburst.replay.load_miss" });
NETBURST_EVENT(uop_type,
	"the event tags loads and stores and counts nothing by itself, not even for an ADD to "
	"memory; netburst.tagging.memory_loads judges what it tags",
	{ .event = "uop_type", LOOPS("load_store"), EXACTLY(0, 0),
	  .why = "the event tags, and counts nothing" },
	{ .event = "uop_type", .test = "netburst.tagging.memory_loads" });

#define STARTED "low: as on the exact machine; high: the manual counts an instruction again when " \
                "its micro-operations are interrupted"
#define RETIRED(code, each, text) \
	{ .event = "instr_retired", .mask = "NBOGUSNTAG+NBOGUSTAG", LOOPS(code), \
	  OR_MORE(each, STARTED), .why = text }

NETBURST_EVENT(instr_retired,
	"the event counts instructions that retire: one for each NOP, DEC, JNZ, PUSH, POP or "
	"CPUID",
	RETIRED("loop", 2, "DEC, JNZ"),
	RETIRED("cpuid", 4, "XOR, CPUID, DEC, JNZ"),
	RETIRED("push_pop", 4, "PUSH, POP, DEC, JNZ"),
	{ .event = "instr_retired", .mask = "NBOGUSNTAG+NBOGUSTAG", MOVES("nops", 0, 4096),
	  OR_MORE(1, STARTED), .why = "a NOP" });

#define COMPLETED(code, each, text) \
	{ .event = "instr_completed", .mask = "NBOGUS", LOOPS(code), EXACTLY(each, 0), .why = text }
NETBURST_EVENT(instr_completed,
	"the event counts instructions that complete: one for each DEC, JNZ, PUSH, POP or CPUID",
	COMPLETED("loop", 2, "DEC, JNZ"), COMPLETED("cpuid", 4, "XOR, CPUID, DEC, JNZ"),
	COMPLETED("push_pop", 4, "PUSH, POP, DEC, JNZ"));

#define HOW_MANY \
	"low: each instruction retires a micro-operation; high: the manual does not " \
	"say how many it has"
NETBURST_EVENT(uops_retired,
	"the event counts micro-operations that retire: at least one NBOGUS for each "
	"instruction, no BOGUS for NOPs, and its masks add up",
	{ .event = "uops_retired", .mask = "NBOGUS", LOOPS("loop"), AT_LEAST(2, 0),
	  .why = HOW_MANY },
	{ .event = "uops_retired", LOOPS("push_pop"), AT_LEAST(4, EXERCISE_MASKS),
	  .why = HOW_MANY },
	{ .event = "uops_retired", .mask = "BOGUS", MOVES("nops", 64, 4096), .low = 0, .high = 0,
	  .flags = EXERCISE_EXACT | EXERCISE_IF_EXACT, .why = "no branch is mispredicted",
	  .reason = "silicon may enter the sled by a misprediction" });

#define PREDICTED(mask_, code, text) \
	{ .event = "branch_retired", .mask = mask_, LOOPS(code), EXACTLY(1, EXERCISE_IF_EXACT), \
	  .why = text, .reason = "silicon may not have learnt it by then" }
NETBURST_EVENT(branch_retired,
	"the event counts retired branches by direction and prediction: one for each Jcc, CALL "
	"or RET, MMNP if it always falls through, MMTP if it always jumps, none for NOPs",
	{ .event = "branch_retired", LOOPS("loop"), EXACTLY(1, EXERCISE_MASKS), .why = "a JNZ",
	  .still = "nops", .still_few = 0, .still_many = 4096 },
	{ .event = "branch_retired", LOOPS("call"), EXACTLY(3, EXERCISE_MASKS),
	  .why = "CALL, RET, JNZ" },
	{ .event = "branch_retired", LOOPS("far_call"), EXACTLY(3, 0), .why = "CALL, RET, JNZ" },
	PREDICTED("MMNP", "jcc_not_taken", "the JC falls through"),
	PREDICTED("MMTP", "jcc_not_taken", "the JNZ jumps"));

NETBURST_EVENT(mispred_branch_retired,
	"the event counts retired branches that were mispredicted: at least one for four "
	"branches on a random bit, none for those that always go one way",
	{ .event = "mispred_branch_retired", LOOPS("random"), BETWEEN(1, 4, 0), .argument = 12345,
	  .per = 4, .why = COIN, STILL("jcc_taken") });

#define ASSIST(mask_, code, text, still_) \
	{ .event = "x87_assist", .mask = mask_, LOOPS(code), AT_LEAST(1, 0), \
	  .why = "low: " text " a round; high: the manual does not say how often one is tried", \
	  STILL(still_) }
NETBURST_EVENT(x87_assist,
	"the event counts x87 operations that microcode completes, by their cause: at least one "
	"for each underflow or overflow of the stack or of a number and for each denormal "
	"operand, none without",
	ASSIST("FPSU", "fp_stack_underflow", "an FADD of an empty register", "fadd"),
	ASSIST("FPSO", "fp_stack_overflow", "an FLD1 onto a full stack", "fld1"),
	ASSIST("POAO", "fp_overflow", "a product that is too large", "fmul"),
	ASSIST("POAU", "fp_underflow", "a product that is too small", "fmul"),
	ASSIST("PREA", "fp_assist", "an FADD of a denormal number", "fadd"));

#define CLEARS(mask_, why_) \
	{ .event = "machine_clear", .mask = mask_, LOOPS("modify_code"), SHOWN(EXERCISE_ARENA), \
	  .reason = why_ }
NETBURST_EVENT(machine_clear,
	"the event counts clears of the pipeline by their cause; its count for code that "
	"modifies itself is shown, not judged",
	CLEARS("CLEAR", "the event counts clocks, and the manual does not say how "
	                "many a clear takes"),
	CLEARS("SMCLEAR", "sources contradict each other about its bit"));
