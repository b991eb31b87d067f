/* SPDX-License-Identifier: MIT */
/*
 * netburst.speculation: counts what retires, and nothing on the path of a mispredicted branch. Each
 * RET of wrong_path goes to another place than the address after its CALL, where a load, a store,
 * x87, MMX and SSE instructions and branches stand: predicted by the CALL, they begin and never
 * retire. SDM 3B, "At-Retirement Counting": bogus and non-bogus.
 */
#include <tests/suites/netburst/events/netburst_exercises.h>

#define ON_PATH(event_, mask_, each, text) \
	{ .event = event_, .mask = mask_, LOOPS("wrong_path"), EXACTLY(each, 0), .why = text }
#define SHOWN_BOGUS(event_, mask_) \
	{ .event = event_, .mask = mask_, LOOPS("wrong_path"), SHOWN(0), \
	  .reason = "no manual says how far a wrong path is followed" }

#define ROUND  "CALL, MOV, RET, DEC, JNZ a round"

NETBURST_EVENTS("speculation", instr_retired,
	"in a round whose RET is mispredicted instr_retired counts the five instructions that "
	"retire and none of the wrong path",
	{ .event = "instr_retired", .mask = "NBOGUSNTAG+NBOGUSTAG", LOOPS("wrong_path"),
	  OR_MORE(5, "low: as on the exact machine; high: the manual counts an instruction again "
	             "when its micro-operations are interrupted"), .why = ROUND },
	SHOWN_BOGUS("instr_retired", "BOGUSNTAG+BOGUSTAG"));
NETBURST_EVENTS("speculation", instr_completed,
	"in a round whose RET is mispredicted instr_completed counts the five instructions that "
	"complete and none of the wrong path",
	ON_PATH("instr_completed", "NBOGUS", 5, ROUND),
	SHOWN_BOGUS("instr_completed", "BOGUS"));
NETBURST_EVENTS("speculation", branch_retired,
	"in a round whose RET is mispredicted branch_retired counts CALL, RET and JNZ, all of "
	"them taken, and no branch of the wrong path",
	ON_PATH("branch_retired", NULL, 3, "CALL, RET, JNZ a round"),
	ON_PATH("branch_retired", "MMTP+MMTM", 3, "CALL, RET and JNZ are all taken"));
NETBURST_EVENTS("speculation", uops_retired,
	"in a round whose RET is mispredicted uops_retired counts at least five micro-operations "
	"with NBOGUS; how many of the wrong path it counts with BOGUS is shown, not judged",
	{ .event = "uops_retired", .mask = "NBOGUS", LOOPS("wrong_path"), AT_LEAST(5, 0),
	  .why = "low: each instruction retires a micro-operation; high: the manual does not say "
	         "how many it has" },
	SHOWN_BOGUS("uops_retired", "BOGUS"));

/* On the exact machine each has one micro-operation. */
#define TAGGED(metric, each, text) \
	{ .event = metric, LOOPS("wrong_path"), \
	  OR_MORE(each, "low: each is tagged once or more; high: it may have more " \
	                "micro-operations"), \
	  .why = text }
#define NONE(metric) \
	{ .event = metric, LOOPS("wrong_path"), EXACTLY(0, 0), \
	  .why = "those on the wrong path do not retire" }

NETBURST_METRIC("speculation", memory_loads,
	"in a round whose RET is mispredicted memory_loads counts the load of RET and none of "
	"the wrong path",
	TAGGED("memory_loads", 1, "a RET a round"));
NETBURST_METRIC("speculation", memory_stores,
	"in a round whose RET is mispredicted memory_stores counts the stores of CALL and MOV "
	"and none of the wrong path",
	TAGGED("memory_stores", 2, "a CALL and a MOV a round"));
NETBURST_METRIC("speculation", packed_sp_retired,
	"in a round whose RET is mispredicted packed_SP_retired counts nothing, as the packed "
	"instructions of the wrong path do not retire",
	NONE("packed_SP_retired"));
NETBURST_METRIC("speculation", scalar_sp_retired,
	"in a round whose RET is mispredicted scalar_SP_retired counts nothing, as the scalar "
	"instructions of the wrong path do not retire",
	NONE("scalar_SP_retired"));
NETBURST_METRIC("speculation", 64_bit_mmx_retired,
	"in a round whose RET is mispredicted 64_bit_MMX_retired counts nothing, as the MMX "
	"instructions of the wrong path do not retire",
	NONE("64_bit_MMX_retired"));
NETBURST_METRIC("speculation", x87_fp_retired,
	"in a round whose RET is mispredicted X87_FP_retired counts nothing, as the x87 "
	"instructions of the wrong path do not retire",
	NONE("X87_FP_retired"));
