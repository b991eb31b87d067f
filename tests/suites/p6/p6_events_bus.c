/* SPDX-License-Identifier: MIT */
/* P6 events: the external bus. See event_exercise.h. */
#include <tests/suites/p6/p6_exercises.h>

/* Each line, or each access, is a transaction of the event's kind. */
#define LINES(name, code, text, ...) \
	{ .event = name, WALKS(code), EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), \
	  .reason = LOADS_MORE, .why = text, __VA_ARGS__ }
#define CODE_LINES(name, ...) \
	{ .event = name, WALKS_LESS("line_code_walk"), EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), \
	  .reason = "silicon also fetches the line after a jump", \
	  .why = "each round executes a line that no cache has", __VA_ARGS__ }
#define ACCESSES(name, code, text, ...) \
	{ .event = name, LOOPS(code), EXACTLY(1, 0), .why = text, __VA_ARGS__ }

#define READ_LINE   "each round reads a line that no cache has"
#define WRITE_LINE  "each round writes a line that no cache has"
#define STILL_WALK(name)  .still = name, .still_few = 16, .still_many = 272

P6_EVENT_ALONE(bus_drdy_clocks,
	"the event counts clocks in which DRDY# is asserted: at least four for each line that "
	"any agent sends, at least one for each OUT that this processor sends, none in a loop",
	{ .event = "BUS_DRDY_CLOCKS", .mask = "ANY", WALKS("line_walk"), AT_LEAST(4, COLD_ARENA),
	  .why = "low: a line of 32 bytes takes four bus clocks, which are not shorter than the "
	         "processor's; high: the manual does not say how much slower the bus is",
	  STILL("loop") },
	{ .event = "BUS_DRDY_CLOCKS", .mask = "SELF", LOOPS("out_port"), AT_LEAST(1, 0),
	  .why = "low: the processor drives the data that it writes; high: the "
	         "manual bounds no time",
	  STILL("loop") });

P6_EVENT_ALONE(bus_lock_clocks,
	"the event counts clocks in which LOCK# is asserted: at least one for each locked access "
	"across two lines, none in a loop",
	{ .event = "BUS_LOCK_CLOCKS", LOOPS("split_lock"), AT_LEAST(1, 0),
	  .why = "low: two lines cannot be locked in the cache; high: a lock lasts as long as its "
	         "transactions",
	  STILL("loop") });

P6_EVENT_ALONE(bus_req_outstanding,
	"the event adds the number of outstanding line reads of the bus in each clock: at least "
	"one for each uncached line that is read, none in a loop",
	{ .event = "BUS_REQ_OUTSTANDING", WALKS("line_walk"), AT_LEAST(1, COLD_ARENA),
	  .why = "low: each line is requested, for a clock or more; high: the manual "
	         "bounds no latency",
	  STILL("loop") });

P6_EVENT_ALONE(bus_tran_brd,
	"the event counts burst reads on the bus: one for each uncached line that is read, none "
	"for a line that is cached or an IN",
	LINES("BUS_TRAN_BRD", "line_walk", READ_LINE, STILL("load")),
	LINES("BUS_TRAN_BRD", "line_walk", READ_LINE, STILL("in_port")));

P6_EVENT_ALONE(bus_tran_rfo,
	"the event counts reads for ownership on the bus: one for each uncached line that is "
	"written, none for one that is read",
	LINES("BUS_TRAN_RFO", "line_store_walk", WRITE_LINE, STILL_WALK("line_walk")));

P6_EVENT_ALONE(bus_trans_wb,
	"the event counts write-backs on the bus: one for each new line of a walk of stores over "
	"more than L2 holds, none for a walk of loads",
	{ .event = "BUS_TRANS_WB", WALKS_OVER_L2("line_store_walk"),
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .reason = LOADS_MORE,
	  .why = "a full L2 writes back a modified line for each new one",
	  STILL_WALK("line_walk") });

P6_EVENT_ALONE(bus_tran_ifetch,
	"the event counts instruction fetches on the bus: one for each jump to a line that is "
	"not cached, none for loads of data",
	CODE_LINES("BUS_TRAN_IFETCH", STILL_WALK("line_walk")));

P6_EVENT_ALONE(bus_tran_inval,
	"the event counts invalidations on the bus: none for writes of lines that no other "
	"processor has",
	{ .event = "BUS_TRAN_INVAL", WALKS("line_store_walk"),
	  EXACTLY(0, COLD_ARENA | EXERCISE_IF_EXACT),
	  .reason = "nothing that one processor does alone has to invalidate",
	  .why = "no other processor has the lines, so there is nothing to invalidate",
	  STILL("loop") });

P6_EVENT_ALONE(bus_tran_pwr,
	"the event counts partial writes on the bus: one for each uncacheable write of four "
	"bytes, none for uncacheable reads",
	ACCESSES("BUS_TRAN_PWR", "video_writes", "an uncacheable write of four bytes a round",
	         STILL("video_reads")));

P6_EVENT_ALONE(bus_tran_p,
	"the event counts partial transactions on the bus: one for each uncacheable read of four "
	"bytes, none in a loop",
	ACCESSES("BUS_TRAN_P", "video_reads", "an uncacheable read of four bytes a round",
	         STILL("loop")));

P6_EVENT_ALONE(bus_tran_io,
	"the event counts I/O transactions on the bus: one for each IN or OUT, none for loads "
	"and stores",
	ACCESSES("BUS_TRAN_IO", "in_port", "an IN a round", STILL("load")),
	ACCESSES("BUS_TRAN_IO", "out_port", "an OUT a round", STILL("store")));

P6_EVENT_ALONE(bus_tran_def,
	"the event counts deferred transactions on the bus; its count for IN is shown, not "
	"judged",
	{ .event = "BUS_TRAN_DEF", LOOPS("in_port"), SHOWN(0),
	  .reason = "an agent decides itself whether it defers a transaction" });

P6_EVENT_ALONE(bus_tran_burst,
	"the event counts burst transactions on the bus: one for each uncached line that is "
	"read, written or executed, none for IN, OUT or a loop",
	LINES("BUS_TRAN_BURST", "line_walk", READ_LINE, STILL("in_port")),
	LINES("BUS_TRAN_BURST", "line_store_walk", WRITE_LINE, STILL("out_port")),
	CODE_LINES("BUS_TRAN_BURST", STILL("loop")));

P6_EVENT_ALONE(bus_tran_any,
	"the event counts all transactions on the bus: one for each uncached line that is read "
	"and for each IN, none in a loop or for a line that is cached",
	LINES("BUS_TRAN_ANY", "line_walk", READ_LINE, STILL("loop")),
	ACCESSES("BUS_TRAN_ANY", "in_port", "an IN a round", STILL("load")));

P6_EVENT_ALONE(bus_tran_mem,
	"the event counts memory transactions on the bus: one for each uncached line that is "
	"read, written or executed, none for IN, OUT or a loop",
	LINES("BUS_TRAN_MEM", "line_walk", READ_LINE, STILL("in_port")),
	LINES("BUS_TRAN_MEM", "line_store_walk", WRITE_LINE, STILL("out_port")),
	CODE_LINES("BUS_TRAN_MEM", STILL("loop")));

P6_EVENT_ALONE(bus_data_rcv,
	"the event counts bus clocks in which this processor receives data: at least four for "
	"each uncached line that is read, none in a loop",
	{ .event = "BUS_DATA_RCV", WALKS("line_walk"), AT_LEAST(4, COLD_ARENA),
	  .why = "low: a line of 32 bytes is received 8 bytes a bus clock; high: the other side "
	         "may be slower",
	  STILL("loop") });

P6_EVENT_ALONE(bus_bnr_drv,
	"the event counts bus clocks in which this processor drives BNR#; its count for a walk "
	"of loads is shown, not judged",
	{ .event = "BUS_BNR_DRV", WALKS("line_walk"), SHOWN(COLD_ARENA),
	  .reason = "no code makes the processor block the next request" });

P6_EVENT_ALONE(bus_hit_drv,
	"the event counts bus clocks in which this processor drives HIT#; its count for a walk "
	"of loads is shown, not judged",
	{ .event = "BUS_HIT_DRV", WALKS("line_walk"), SHOWN(COLD_ARENA),
	  .reason = "it takes another agent that reads a line of this processor" });

P6_EVENT_ALONE(bus_hitm_drv,
	"the event counts bus clocks in which this processor drives HITM#; its count for a walk "
	"of stores is shown, not judged",
	{ .event = "BUS_HITM_DRV", WALKS("line_store_walk"), SHOWN(COLD_ARENA),
	  .reason = "it takes another agent that reads a line that this processor wrote" });

P6_EVENT_ALONE(bus_snoop_stall,
	"the event counts clocks in which a snoop stalls the bus; its count for a walk of loads "
	"is shown, not judged",
	{ .event = "BUS_SNOOP_STALL", WALKS("line_walk"), SHOWN(COLD_ARENA),
	  .reason = "an agent decides itself whether it stalls a snoop" });
