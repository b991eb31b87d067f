/* SPDX-License-Identifier: MIT */
/* NetBurst events: loads and stores, caches, the bus. See event_exercise.h. */
#include <tests/suites/netburst/events/netburst_exercises.h>

NETBURST_EVENT(memory_cancel,
	"the event counts cancelled memory accesses by their cause; its count for loads at a "
	"distance of 64 KB and for a walk of stores is shown, not judged",
	{ .event = "memory_cancel", .mask = "64K_CONF", LOOPS("load_64k"), SHOWN(0),
	  .reason = WORDS_ONLY },
	{ .event = "memory_cancel", .mask = "ST_RB_FULL", WALKS("store_walk"), SHOWN(COLD_ARENA),
	  .reason = WORDS_ONLY });

#define SPLIT(event_, mask_, code, text, still_) \
	{ .event = event_, .mask = mask_, LOOPS(code), OR_MORE(1, UOPS_MORE), .why = text, \
	  STILL(still_) }

NETBURST_EVENT(memory_complete,
	"the event counts accesses across two lines that complete: one LSC for each such load, "
	"one SSC for each such store, none for the other kind, and its masks add up",
	SPLIT("memory_complete", "LSC", "split_load", "a load across two lines a round",
	      "split_store"),
	SPLIT("memory_complete", "SSC", "split_store", "a store across two lines a round",
	      "split_load"),
	{ .event = "memory_complete", LOOPS("split_lock"), SHOWN(EXERCISE_MASKS),
	  .reason = "the manual does not say how a locked access is split" });

#define REPLAYED  "; high: it may be replayed more than once"
NETBURST_EVENT(load_port_replay,
	"the event counts loads that the load port replays: at least one for each load across "
	"two lines, none for a store across them or a load within one",
	{ .event = "load_port_replay", LOOPS("split_load"), AT_LEAST(1, 0),
	  .why = "low: a load across two lines a round" REPLAYED, STILL("split_store") },
	{ .event = "load_port_replay", LOOPS("split_load"), AT_LEAST(1, 0),
	  .why = "low: a load across two lines a round" REPLAYED, STILL("misaligned_load") });
NETBURST_EVENT(store_port_replay,
	"the event counts stores that the store port replays: at least one for each store across "
	"two lines, none for a load across them or a store within one",
	{ .event = "store_port_replay", LOOPS("split_store"), AT_LEAST(1, 0),
	  .why = "low: a store across two lines a round" REPLAYED, STILL("split_load") },
	{ .event = "store_port_replay", LOOPS("split_store"), AT_LEAST(1, 0),
	  .why = "low: a store across two lines a round" REPLAYED, STILL("misaligned_store") });

NETBURST_EVENT(mob_load_replay,
	"the event counts loads replayed by the memory order buffer, by their cause: at least "
	"one for each load of more bytes than the preceding store has (PARTIAL_DATA) or from "
	"inside of it (UNALGN_ADDR)",
	{ .event = "MOB_load_replay", .mask = "PARTIAL_DATA", LOOPS("blocked_load"),
	  AT_LEAST(1, EXERCISE_IF_EXACT),
	  .why = "low: each load needs more bytes than the preceding store has" REPLAYED,
	  .reason = "silicon may have completed the store by then", STILL("load_store") },
	{ .event = "MOB_load_replay", .mask = "UNALGN_ADDR", LOOPS("inside_load"),
	  BETWEEN(1, 16, EXERCISE_IF_EXACT),
	  .why = "low: each load begins after the start of the preceding store, which has all of "
	         "its bytes; high: it may be replayed more than once",
	  .reason = "silicon may have completed the store by then", STILL("load_store") });

/* ------------------------------------------------------------------------ the caches */

/* 1024 lines of 64 bytes are more than L1D holds; 1536 (96 KB) are fewer than any L2 holds. */
#define HALF_OR_TWICE  "by the manual it counts up to twice as many, or half"

#define BSQ(mask_, still_) \
	{ .event = "BSQ_cache_reference", .mask = mask_, WALKS("walk"), \
	  BETWEEN(1, 4, COLD_ARENA | EXERCISE_IF_EXACT), .per = 2, .why = HALF_OR_TWICE, \
	  .reason = "silicon prefetches", STILL(still_) }

NETBURST_EVENT(bsq_cache_reference,
	"the event counts references to L2 and L3 by their result, within a factor of two: a "
	"miss for each uncached line, a hit for each that L2 has, none for a line that L1 has",
	BSQ(NULL, "load"), BSQ("RD_2ndL_MISS", "loop"),
	{ .event = "BSQ_cache_reference", .mask = "RD_2ndL_HITS+RD_2ndL_HITE+RD_2ndL_HITM",
	  MOVES("line_walk_twice", 1024, 1536), BETWEEN(1, 4, COLD_ARENA | EXERCISE_IF_EXACT),
	  .per = 2, .why = HALF_OR_TWICE, .reason = "silicon prefetches", STILL("load") });

/* ------------------------------------------------------------------------ the bus */

#define LINES \
	"low: a line of 128 bytes that is not cached every two rounds; high: the manual does not " \
	"say how often a line is requested and how long that takes"
#define BUS(event_, mask_) \
	{ .event = event_, .mask = mask_, WALKS("walk"), \
	  AT_LEAST(1, COLD_ARENA | EXERCISE_IF_EXACT), .per = 2, .why = LINES, \
	  .reason = "silicon prefetches", STILL("load") }

/* The bus transfers 32 bytes in each of its clocks, each of which is eight or more of the
 * core's. */
#define LASTING(event_, mask_) \
	{ .event = event_, .mask = mask_, WALKS("walk"), \
	  AT_LEAST(16, COLD_ARENA | EXERCISE_IF_EXACT), .per = 2, \
	  .why = "low: a line is requested at least every two rounds and takes two or more " \
	         "clocks of the bus; high: memory may be slow", \
	  .reason = "silicon prefetches", STILL("load") }

/* A demand read of a whole line of write-back memory (type 6). */
#define BSQ_READ  "REQ_LEN0+REQ_LEN1+REQ_CACHE_TYPE+REQ_DEM_TYPE+MEM_TYPE1+MEM_TYPE2"
#define IOQ_READ  "ALL_READ+MEM_WB+OWN+OTHER+PREFETCH"

NETBURST_EVENT(ioq_allocation,
	"the event counts requests that enter the bus's I/O queue: at least one for each "
	"uncached line of 128 bytes that is read, none for a line that is cached",
	BUS("IOQ_allocation", IOQ_READ));
NETBURST_EVENT(ioq_active_entries,
	"the event adds the number of active entries of the bus's I/O queue in each clock: at "
	"least 16 for each uncached line of 128 bytes that is read, none for a line that is "
	"cached",
	LASTING("IOQ_active_entries", IOQ_READ));
NETBURST_EVENT(fsb_data_activity,
	"the event counts clocks of data on the bus by who drives it: at least one for each "
	"uncached line of 128 bytes that is read, none driven by the reader, none for a line "
	"that is cached",
	BUS("FSB_data_activity", NULL), BUS("FSB_data_activity", "DRDY_OWN"),
	{ .event = "FSB_data_activity", .mask = "DRDY_DRV+DBSY_DRV", WALKS("walk"),
	  EXACTLY(0, COLD_ARENA | EXERCISE_IF_EXACT),
	  .why = "a processor that only reads drives no data",
	  .reason = "silicon may write back what was written before" });
NETBURST_EVENT(bsq_allocation,
	"the event counts requests that enter the bus sequence queue: at least one for each "
	"uncached line of 128 bytes that is read, none for a line that is cached",
	BUS("BSQ_allocation", BSQ_READ));
NETBURST_EVENT(bsq_active_entries,
	"the event adds the number of active entries of the bus sequence queue in each clock: at "
	"least 16 for each uncached line of 128 bytes that is read, none for a line that is "
	"cached",
	LASTING("bsq_active_entries", BSQ_READ));

NETBURST_EVENT(wc_buffer,
	"the event counts evictions of write-combining buffers by their cause: at least one for "
	"each line of MOVNTPS, one WCB_EVICTS and no WCB_FULL_EVICT where whole lines are "
	"written, none for cached stores",
	{ .event = "WC_Buffer", WALKS("movntps_walk"), AT_LEAST(1, COLD_ARENA | EXERCISE_IF_EXACT),
	  .per = 2, .why = "low: a line every two rounds is written past the caches; high: its "
	                   "parts may be written one by one",
	  .reason = "silicon may have buffers left when the window ends", STILL("store") },
	{ .event = "WC_Buffer", .mask = "WCB_EVICTS", WALKS("movntps_lines"),
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .per = 2,
	  .why = "a whole line is written every two rounds, and its buffer is then evicted",
	  .reason = "silicon may have buffers left when the window ends", STILL("store") },
	{ .event = "WC_Buffer", .mask = "WCB_FULL_EVICT", WALKS("movntps_lines"),
	  EXACTLY(0, COLD_ARENA | EXERCISE_IF_EXACT),
	  .why = "a complete line leaves its buffer for the next one",
	  .reason = "silicon may be late with its evictions" });

#define UNKNOWN(event_) \
	{ .event = event_, WALKS("walk"), SHOWN(COLD_ARENA), .reason = NO_MEANING }

NETBURST_EVENT(b2b_cycles,
	"no manual says what b2b_cycles counts; its count for a walk of loads is shown, not "
	"judged",
	UNKNOWN("b2b_cycles"));
NETBURST_EVENT(bnr,
	"no manual says what the masks of bnr count; its count for a walk of loads is shown, not "
	"judged",
	UNKNOWN("bnr"));
NETBURST_EVENT(snoop,
	"no manual says what the masks of snoop count; its count for a walk of loads is shown, "
	"not judged",
	UNKNOWN("snoop"));
NETBURST_EVENT(response,
	"no manual says what the masks of response count; its count for a walk of loads is "
	"shown, not judged",
	UNKNOWN("response"));
