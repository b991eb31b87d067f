/* SPDX-License-Identifier: MIT */
/* P6 events: the data cache, the fetch unit, L2, ordering of memory. See event_exercise.h. */
#include <tests/suites/p6/p6_exercises.h>

#define DATA(name, each, text) \
	{ .event = "DATA_MEM_REFS", LOOPS(name), EXACTLY(each, EXERCISE_IF_EXACT), \
	  .reason = RETRIES, .why = text, STILL("loop") }

P6_EVENT(data_mem_refs,
	"the event counts loads and stores of data: one for a MOV, two for an ADD to memory, a "
	"PUSH and POP, a CALL and RET, an access across two lines or 80 bits, none for an IN",
	DATA("load", 1, "a load a round"),
	DATA("store", 1, "a store a round"),
	DATA("load_store", 2, "an ADD to memory a round: a load and a store"),
	DATA("push_pop", 2, "a PUSH and a POP a round"),
	DATA("call", 2, "a CALL and a RET a round, which use the stack"),
	DATA("misaligned4_load", 1, "within a line a load is one reference, aligned or not"),
	DATA("split_load", 2, "each part of a load across lines counts"),
	DATA("split_store", 2, "each part of a store across lines counts"),
	DATA("fld80", 2, "80 bits are loaded as 16 and 64"),
	{ .event = "DATA_MEM_REFS", LOOPS("load"), EXACTLY(1, EXERCISE_IF_EXACT),
	  .reason = RETRIES, .why = "a load a round", STILL("in_port") });

P6_EVENT(dcu_lines_in,
	"the event counts lines that the data cache allocates: one for each uncached line that "
	"is read or written, none for a line that is cached",
	/* Even the fewer rounds fill the greatest data cache, 512 lines: both windows read their
	 * own data again. */
	{ .event = "DCU_LINES_IN", MOVES("line_walk", 576, 832),
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .reason = LOADS_MORE,
	  .why = "each round reads a line that is not cached", STILL("load") },
	{ .event = "DCU_LINES_IN", MOVES("line_store_walk", 576, 832),
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT),
	  .reason = LOADS_MORE, .why = "each round writes a line that is not cached",
	  STILL("store") });

P6_EVENT(dcu_m_lines_in,
	"the event counts lines that the data cache allocates in state M: one for each uncached "
	"line that is written, none for one that is read",
	{ .event = "DCU_M_LINES_IN", WALKS("line_store_walk"),
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .reason = LOADS_MORE,
	  .why = "each round writes a line that is not cached, which is brought in to be modified",
	  .still = "line_walk", .still_few = 16, .still_many = 272 });

P6_EVENT(dcu_m_lines_out,
	"the event counts modified lines that leave the data cache: one for each new line of a "
	"walk of stores over more than the cache holds, none for a walk of loads",
	{ .event = "DCU_M_LINES_OUT", WALKS_OVER_L1("line_store_walk"),
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .reason = LOADS_MORE,
	  .why = "the cache is full of modified lines and evicts one for each new one",
	  .still = "line_walk", .still_few = 2048, .still_many = 6144 });

P6_EVENT(dcu_miss_outstanding,
	"the event adds the number of outstanding misses of the data cache in each clock: at "
	"least one for each uncached line that is read, none for a line that is cached",
	{ .event = "DCU_MISS_OUTSTANDING", WALKS("line_walk"), AT_LEAST(1, COLD_ARENA),
	  .why = "low: memory does not answer within the two clocks that the count of an L2 miss "
	         "lacks; high: the manual bounds no latency",
	  STILL("load") });

P6_EVENT(ifu_ifetch,
	"the event counts instruction fetches: one for 16 NOPs, at least one for each jump to "
	"another line",
	{ .event = "IFU_IFETCH", MOVES("nops", 64, 4096), EXACTLY(1, EXERCISE_IF_EXACT), .per = 16,
	  .reason = "silicon also fetches after a mispredicted branch",
	  .why = "16 bytes are fetched at a time, and a NOP has one" },
	{ .event = "IFU_IFETCH", WALKS_LESS("line_code_walk"), AT_LEAST(1, EXERCISE_COLD),
	  .why = "low: each round executes another line; high: the manual does not say what is "
	         "fetched after a jump" });

P6_EVENT(ifu_ifetch_miss,
	"the event counts instruction fetches that miss the instruction cache: one for each jump "
	"to a line that is not cached, none in a loop",
	{ .event = "IFU_IFETCH_MISS", WALKS_LESS("line_code_walk"),
	  EXACTLY(1, EXERCISE_COLD | EXERCISE_IF_EXACT),
	  .reason = "silicon fetches the line after a jump, too, and Pentium M's have 64 bytes",
	  .why = "each round executes a line that is not cached", STILL("loop") });

P6_EVENT(itlb_miss,
	"the event counts misses of the instruction TLB: at least one for each MOV to CR3, one "
	"for each new page of a walk through code, none in a loop",
	{ .event = "ITLB_MISS", LOOPS("cr3"), AT_LEAST(1, 0),
	  .why = "low: MOV to CR3 drops the page of the next instruction; high: the manual does "
	         "not say how many fetches ask before it is back",
	  STILL("loop") },
	{ .event = "ITLB_MISS", MOVES("code_page_walk", 160, 320),
	  EXACTLY(1, EXERCISE_COLD | EXERCISE_IF_EXACT),
	  .reason = "silicon may have one large page for all of them",
	  .why = "each round executes on a page that was not used before; both lengths replace all "
	         "of 128 entries, the Pentium M's and largest number", STILL("loop") });

P6_EVENT(ifu_mem_stall,
	"the event counts clocks in which instruction fetch waits for memory: at least one for "
	"each jump to a line that is not cached, none in a loop",
	{ .event = "IFU_MEM_STALL", WALKS_LESS("line_code_walk"), AT_LEAST(1, EXERCISE_COLD),
	  .why = "low: fetching waits for each line, a clock or more; high: the manual bounds no "
	         "latency",
	  STILL("loop") });

P6_EVENT(ild_stall,
	"the event counts clocks in which the instruction length decoder stalls; its count for "
	"prefixes that change a length is shown, not judged",
	{ .event = "ILD_STALL", LOOPS("length_prefix"), SHOWN(0),
	  .reason = "the manual does not say which code stalls the length decoder" });

/* ------------------------------------------------------------------------ L2 */

#define L2(name, mask_, code, more, text) \
	{ .event = name, .mask = mask_, WALKS_LESS(code), EXACTLY(1, EXERCISE_IF_EXACT | (more)), \
	  .reason = LOADS_MORE, .why = text, STILL("loop") }
#define NOT_THERE  "each round requests a line that L2 does not have"

/* 2048 lines are more than an L1D holds, 3072 (96 KB) fewer than any L2 holds: the second walk
 * finds in L2 what the first one brought. */
#define L2_AGAIN(name, mask_, code, text) \
	{ .event = name, .mask = mask_, MOVES(code, 2048, 3072), \
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .reason = LOADS_MORE, .why = text, \
	  STILL("loop") }

P6_EVENT_ALONE(l2_ifetch,
	"the event counts instruction fetches that L2 receives, by the state of the line: one "
	"for each jump to a line that is not cached, none in a loop or for loads of data",
	L2("L2_IFETCH", "MESI", "line_code_walk", EXERCISE_COLD, NOT_THERE),
	L2("L2_IFETCH", "I", "line_code_walk", EXERCISE_COLD, NOT_THERE),
	{ .event = "L2_IFETCH", WALKS_LESS("line_code_walk"),
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT),
	  .reason = LOADS_MORE, .why = NOT_THERE,
	  .still = "line_walk", .still_few = 16, .still_many = 272 });

P6_EVENT_ALONE(l2_ld,
	"the event counts loads that L2 receives, by the state of the line: one in I for each "
	"line that L2 lacks, one in E or M for each that was read or written before, none in a "
	"loop",
	L2("L2_LD", NULL, "line_walk", COLD_ARENA, NOT_THERE),
	L2("L2_LD", "I", "line_walk", COLD_ARENA, NOT_THERE),
	L2_AGAIN("L2_LD", "E", "line_walk_twice",
	         "the second walk finds each line as the first one brought it: no other "
	         "processor has it"),
	L2_AGAIN("L2_LD", "M", "line_store_and_walk",
	         "the second walk finds each line as the first one wrote it"));

P6_EVENT_ALONE(l2_st,
	"the event counts stores that L2 receives, by the state of the line: one in I for each "
	"line that L2 lacks, none in a loop",
	L2("L2_ST", NULL, "line_store_walk", COLD_ARENA, NOT_THERE),
	L2("L2_ST", "I", "line_store_walk", COLD_ARENA, NOT_THERE));

P6_EVENT_ALONE(l2_rqsts,
	"the event counts all requests that L2 receives, by the state of the line: one for each "
	"uncached line that is read, written or executed, one in E for each line read again, "
	"none in a loop",
	L2("L2_RQSTS", NULL, "line_walk", COLD_ARENA, NOT_THERE),
	L2("L2_RQSTS", NULL, "line_store_walk", COLD_ARENA, NOT_THERE),
	L2("L2_RQSTS", NULL, "line_code_walk", EXERCISE_COLD, NOT_THERE),
	L2_AGAIN("L2_RQSTS", "E", "line_walk_twice", "the second walk finds each line in L2"));

P6_EVENT_ALONE(l2_lines_in,
	"the event counts lines that L2 allocates: one for each uncached line that is read, none "
	"for a line that is cached; with the Pentium M's prefetcher its count is shown, not "
	"judged",
	{ .event = "L2_LINES_IN", .unit = "L2", WALKS("line_walk"),
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .reason = LOADS_MORE, .why = NOT_THERE,
	  STILL("load") },
	{ .event = "L2_LINES_IN", .unit = "PM_L2", WALKS("walk"), SHOWN(COLD_ARENA),
	  .reason = "the manual does not say how far the Pentium M's prefetcher runs ahead" });

P6_EVENT_ALONE(l2_lines_out,
	"the event counts lines that leave L2: one for each new line of a walk over more than L2 "
	"holds, none for a line that is cached; with the Pentium M's prefetcher its count is "
	"shown, not judged",
	{ .event = "L2_LINES_OUT", .unit = "L2", WALKS_OVER_L2("line_walk"),
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .reason = LOADS_MORE,
	  .why = "a full L2 evicts a line for each new one", STILL("load") },
	{ .event = "L2_LINES_OUT", .unit = "PM_L2", WALKS_OVER_L2("walk"), SHOWN(COLD_ARENA),
	  .reason = "the manual does not say how far the Pentium M's prefetcher runs ahead" });

P6_EVENT_ALONE(l2_m_lines_inm,
	"the event counts modified lines that L2 allocates: at most one for each line of a walk "
	"of stores, none for a walk of loads",
	{ .event = "L2_M_LINES_INM", WALKS_OVER_L1("line_store_walk"), BETWEEN(0, 1, COLD_ARENA),
	  .why = "low: a line may be allocated before it is modified; high: L2 allocates each line "
	         "once",
	  .still = "line_walk", .still_few = 2048, .still_many = 6144 });

P6_EVENT_ALONE(l2_m_lines_outm,
	"the event counts modified lines that leave L2: one for each new line of a walk of "
	"stores over more than L2 holds, none for a walk of loads",
	{ .event = "L2_M_LINES_OUTM", WALKS_OVER_L2("line_store_walk"),
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .reason = LOADS_MORE,
	  .why = "a full L2 evicts a modified line for each new one",
	  .still = "line_walk", .still_few = 16, .still_many = 272 });

P6_EVENT_ALONE(l2_m_lines_out,
	"the event counts modified lines that leave the Pentium M's L2; its count for a walk of "
	"stores over more than L2 holds is shown, not judged",
	{ .event = "L2_M_LINES_OUT", WALKS_OVER_L2("store_walk"), SHOWN(COLD_ARENA),
	  .reason = "the manual does not say how far the Pentium M's prefetcher runs ahead" });

P6_EVENT_ALONE(l2_ads,
	"the event counts address strobes of L2: at least one for each uncached line that is "
	"read, none in a loop",
	{ .event = "L2_ADS", WALKS("line_walk"), AT_LEAST(1, COLD_ARENA),
	  .why = "low: one strobe for each request of a line; high: the manual does not say how "
	         "many more it takes to fill one",
	  STILL("loop") });

/* A line of 32 bytes takes four clocks of a bus of 8 bytes; the bus has the core's clock. */
P6_EVENT_ALONE(l2_dbus_busy,
	"the event counts clocks in which the data bus of L2 is busy: at least one for each line "
	"that is read from L2, none in a loop",
	{ .event = "L2_DBUS_BUSY", MOVES("line_walk_twice", 2048, 3072), AT_LEAST(1, COLD_ARENA),
	  .why = "low: each line of the second walk comes over this bus; high: its speed and what "
	         "fills L2 differ between processors",
	  STILL("loop") });

P6_EVENT_ALONE(l2_dbus_busy_rd,
	"the event counts clocks in which the data bus of L2 carries data to the core: at least "
	"one for each line that is read from L2, none in a loop",
	{ .event = "L2_DBUS_BUSY_RD", MOVES("line_walk_twice", 2048, 3072), AT_LEAST(1, COLD_ARENA),
	  .why = "low: each line of the second walk is read over this bus; high: its speed differs "
	         "between processors",
	  STILL("loop") });

/* ------------------------------------------------------------------------ ordering of memory */

P6_EVENT(ld_blocks,
	"the event counts loads that a preceding store blocks; its count for loads of more bytes "
	"than the preceding store wrote is shown, not judged",
	{ .event = "LD_BLOCKS", LOOPS("blocked_load"), SHOWN(0),
	  .reason = "a load is blocked only while the preceding store waits, and no manual says "
	            "how long that is" });

P6_EVENT(sb_drains,
	"the event counts clocks in which the store buffer drains: at least one for each XCHG "
	"with memory, none in a loop",
	{ .event = "SB_DRAINS", LOOPS("xchg"), AT_LEAST(1, 0),
	  .why = "low: XCHG with memory drains the store buffer; high: the manual bounds no time",
	  STILL("loop") });

P6_EVENT(misalign_mem_ref,
	"the event counts references to data across a boundary of 64 bits: at least one for each "
	"such load or store, none within the boundary",
	{ .event = "MISALIGN_MEM_REF", LOOPS("misaligned_load"), EXACTLY(1, EXERCISE_IF_EXACT),
	  .reason = "approximate on silicon: one reference may count more than once",
	  .why = "each round crosses a boundary of 64 bits", STILL("misaligned4_load") },
	{ .event = "MISALIGN_MEM_REF", LOOPS("misaligned_store"), EXACTLY(1, EXERCISE_IF_EXACT),
	  .reason = "approximate on silicon: one reference may count more than once",
	  .why = "each round crosses a boundary of 64 bits", STILL("store") },
	{ .event = "MISALIGN_MEM_REF", LOOPS("misaligned_load"), AT_LEAST(1, 0),
	  .why = "low: each round crosses a boundary of 64 bits; high: it may count more than once",
	  STILL("load") });
