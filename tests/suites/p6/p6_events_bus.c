/* SPDX-License-Identifier: MIT */
/* P6 events: the external bus. See event_exercise.h. */
#include <tests/suites/p6/p6_exercises.h>

/* Each line, or each access, is a transaction of the event's kind. */
#define LINES(name, code, text, ...) \
	{ .event = name, WALKS(code), EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), \
	  .reason = LOADS_MORE, .why = text, __VA_ARGS__ }
#define CODE_LINES(name, ...) \
	{ .event = name, WALKS("code_walk"), EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), \
	  .reason = "silicon also fetches the line after a jump", \
	  .why = "each round executes a line that no cache has", __VA_ARGS__ }
#define ACCESSES(name, code, text, ...) \
	{ .event = name, LOOPS(code), EXACTLY(1, 0), .why = text, __VA_ARGS__ }

#define READ_LINE   "each round reads a line that no cache has"
#define WRITE_LINE  "each round writes a line that no cache has"
#define STILL_WALK(name)  .still = name, .still_few = 16, .still_many = 272

P6_EVENT_ALONE(bus_drdy_clocks,
	{ .event = "BUS_DRDY_CLOCKS", .mask = "ANY", WALKS("walk32"), AT_LEAST(4, COLD_ARENA),
	  .why = "low: a line of 32 bytes takes four bus clocks, which are not shorter than the "
	         "processor's; high: the manual does not say how much slower the bus is",
	  STILL("loop") },
	{ .event = "BUS_DRDY_CLOCKS", .mask = "SELF", LOOPS("out_port"), AT_LEAST(1, 0),
	  .why = "low: the processor drives the data that it writes; high: the "
	         "manual bounds no time",
	  STILL("loop") });

P6_EVENT_ALONE(bus_lock_clocks,
	{ .event = "BUS_LOCK_CLOCKS", LOOPS("split_lock"), AT_LEAST(1, 0),
	  .why = "low: two lines cannot be locked in the cache; high: a lock lasts as long as its "
	         "transactions",
	  STILL("loop") });

P6_EVENT_ALONE(bus_req_outstanding,
	{ .event = "BUS_REQ_OUTSTANDING", WALKS("walk32"), AT_LEAST(1, COLD_ARENA),
	  .why = "low: each line is requested, for a clock or more; high: the manual "
	         "bounds no latency",
	  STILL("loop") });

P6_EVENT_ALONE(bus_tran_brd,
	LINES("BUS_TRAN_BRD", "walk32", READ_LINE, STILL("load")),
	LINES("BUS_TRAN_BRD", "walk32", READ_LINE, STILL("in_port")));

P6_EVENT_ALONE(bus_tran_rfo,
	LINES("BUS_TRAN_RFO", "store_walk32", WRITE_LINE, STILL_WALK("walk32")));

P6_EVENT_ALONE(bus_trans_wb,
	{ .event = "BUS_TRANS_WB", WALKS_OVER_L2("store_walk32"),
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .reason = LOADS_MORE,
	  .why = "a full L2 writes back a modified line for each new one",
	  STILL_WALK("walk32") });

P6_EVENT_ALONE(bus_tran_ifetch, CODE_LINES("BUS_TRAN_IFETCH", STILL_WALK("walk32")));

P6_EVENT_ALONE(bus_tran_inval,
	{ .event = "BUS_TRAN_INVAL", WALKS("store_walk32"),
	  EXACTLY(0, COLD_ARENA | EXERCISE_IF_EXACT),
	  .reason = "nothing that one processor does alone has to invalidate",
	  .why = "no other processor has the lines, so there is nothing to invalidate",
	  STILL("loop") });

P6_EVENT_ALONE(bus_tran_pwr,
	ACCESSES("BUS_TRAN_PWR", "video_writes", "an uncacheable write of four bytes a round",
	         STILL("video_reads")));

P6_EVENT_ALONE(bus_tran_p,
	ACCESSES("BUS_TRAN_P", "video_reads", "an uncacheable read of four bytes a round",
	         STILL("loop")));

P6_EVENT_ALONE(bus_tran_io,
	ACCESSES("BUS_TRAN_IO", "in_port", "an IN a round", STILL("load")),
	ACCESSES("BUS_TRAN_IO", "out_port", "an OUT a round", STILL("store")));

P6_EVENT_ALONE(bus_tran_def,
	{ .event = "BUS_TRAN_DEF", LOOPS("in_port"), SHOWN(0),
	  .reason = "an agent decides itself whether it defers a transaction" });

P6_EVENT_ALONE(bus_tran_burst,
	LINES("BUS_TRAN_BURST", "walk32", READ_LINE, STILL("in_port")),
	LINES("BUS_TRAN_BURST", "store_walk32", WRITE_LINE, STILL("out_port")),
	CODE_LINES("BUS_TRAN_BURST", STILL("loop")));

P6_EVENT_ALONE(bus_tran_any,
	LINES("BUS_TRAN_ANY", "walk32", READ_LINE, STILL("loop")),
	ACCESSES("BUS_TRAN_ANY", "in_port", "an IN a round", STILL("load")));

P6_EVENT_ALONE(bus_tran_mem,
	LINES("BUS_TRAN_MEM", "walk32", READ_LINE, STILL("in_port")),
	LINES("BUS_TRAN_MEM", "store_walk32", WRITE_LINE, STILL("out_port")),
	CODE_LINES("BUS_TRAN_MEM", STILL("loop")));

P6_EVENT_ALONE(bus_data_rcv,
	{ .event = "BUS_DATA_RCV", WALKS("walk32"), AT_LEAST(4, COLD_ARENA),
	  .why = "low: a line of 32 bytes is received 8 bytes a bus clock; high: the other side "
	         "may be slower",
	  STILL("loop") });

P6_EVENT_ALONE(bus_bnr_drv,
	{ .event = "BUS_BNR_DRV", WALKS("walk32"), SHOWN(COLD_ARENA),
	  .reason = "no code makes the processor block the next request" });

P6_EVENT_ALONE(bus_hit_drv,
	{ .event = "BUS_HIT_DRV", WALKS("walk32"), SHOWN(COLD_ARENA),
	  .reason = "it takes another agent that reads a line of this processor" });

P6_EVENT_ALONE(bus_hitm_drv,
	{ .event = "BUS_HITM_DRV", WALKS("store_walk32"), SHOWN(COLD_ARENA),
	  .reason = "it takes another agent that reads a line that this processor wrote" });

P6_EVENT_ALONE(bus_snoop_stall,
	{ .event = "BUS_SNOOP_STALL", WALKS("walk32"), SHOWN(COLD_ARENA),
	  .reason = "an agent decides itself whether it stalls a snoop" });
