/* SPDX-License-Identifier: MIT */
/*
 * netburst.replay: loads and stores that were replayed for a reason named by MSR_PEBS_ENABLE and
 * MSR_PEBS_MATRIX_VERT, counted when they retire. SDM 3B, "Tagging Mechanism for Replay_event" and
 * the table of replay metrics.
 */
#include <tests/suites/netburst/events/netburst_exercises.h>

#define REPLAY(metric, walk, each, text, still_) \
	{ .event = metric, walk, EXACTLY(each, COLD_ARENA | EXERCISE_IF_EXACT), .why = text, \
	  .reason = "silicon prefetches, has large pages, or finds a miss too late to tag it", \
	  STILL(still_) }
#define NOT_BY(metric, walk, text) \
	{ .event = metric, walk, EXACTLY(0, COLD_ARENA | EXERCISE_IF_EXACT), .why = text, \
	  .reason = "silicon's other loads and stores may miss once more" }

/* 1024 lines of 64 bytes are more than L1D holds: at both lengths the stack's line has to be
 * fetched again. With 272 lines the stack's line stays in L2. */
#define NEW_LINE  "each round reads a line that is not cached"
NETBURST_METRIC("replay", load_miss,
	"replay_event counts retired loads that L1 missed: one for each uncached line that is "
	"read, none for stores that miss, none for a line that is cached",
	REPLAY("1stL_cache_load_miss_retired", MOVES("walk", 1024, 1536), 1, NEW_LINE, "load"),
	REPLAY("1stL_cache_load_miss_retired", MOVES("walk", 1024, 1536), 1, NEW_LINE, "store"),
	NOT_BY("1stL_cache_load_miss_retired", MOVES("store_walk", 1024, 1536),
	       "stores miss, loads do not"));
NETBURST_METRIC("replay", second_level_load_miss,
	"replay_event counts retired loads that L2 missed: one for each uncached line that is "
	"read, none for a line that is cached",
	REPLAY("2ndL_cache_load_miss_retired", WALKS("walk"), 1, NEW_LINE, "load"));

#define NEW_PAGE  "each round uses a page that is not in the TLB"
NETBURST_METRIC("replay", dtlb_load_miss,
	"replay_event counts retired loads that the data TLB missed: one for each new page that "
	"is read, none for stores, whether or not they miss",
	REPLAY("DTLB_load_miss_retired", WALKS_OVER_TLB("page_walk"), 1, NEW_PAGE, "store"),
	NOT_BY("DTLB_load_miss_retired", WALKS_OVER_TLB("page_store_walk"),
	       "stores miss, loads do not"));
NETBURST_METRIC("replay", dtlb_store_miss,
	"replay_event counts retired stores that the data TLB missed: one for each new page that "
	"is written, none for loads, whether or not they miss",
	REPLAY("DTLB_store_miss_retired", WALKS_OVER_TLB("page_store_walk"), 1, NEW_PAGE, "load"),
	NOT_BY("DTLB_store_miss_retired", WALKS_OVER_TLB("page_walk"),
	       "loads miss, stores do not"));
NETBURST_METRIC("replay", dtlb_all_miss,
	"replay_event counts retired loads and stores that the data TLB missed: one for each new "
	"page that is read or written, none for a page that the TLB has",
	REPLAY("DTLB_all_miss_retired", WALKS_OVER_TLB("page_walk"), 1, NEW_PAGE, "load"),
	REPLAY("DTLB_all_miss_retired", WALKS_OVER_TLB("page_store_walk"), 1, NEW_PAGE, "store"));

NETBURST_METRIC("replay", mob_load,
	"replay_event counts retired loads that the memory order buffer replayed: one for each "
	"load of more bytes than the preceding store has, none for a load of the same bytes",
	REPLAY("MOB_load_replay_retired", LOOPS("blocked_load"), 1,
	       "each load needs more bytes than the preceding store has", "load_store"));
NETBURST_METRIC("replay", split_load,
	"replay_event counts retired loads across two lines: one for each such load, none for a "
	"store across two lines or a load within one",
	REPLAY("split_load_retired", LOOPS("split_load"), 1, "a load across two lines a round",
	       "split_store"),
	REPLAY("split_load_retired", LOOPS("split_load"), 1, "a load across two lines a round",
	       "misaligned_load"));
NETBURST_METRIC("replay", split_store,
	"replay_event counts retired stores across two lines: one for each such store, none for "
	"a load across two lines or a store within one",
	REPLAY("split_store_retired", LOOPS("split_store"), 1, "a store across two lines a round",
	       "split_load"),
	REPLAY("split_store_retired", LOOPS("split_store"), 1, "a store across two lines a round",
	       "misaligned_store"));
NETBURST_METRIC("replay", mispredicted_branch,
	"replay_event counts retired branches that were mispredicted; its count for RETs away "
	"from their CALL is shown, not judged",
	{ .event = "Tagged_mispred_branch", LOOPS("wrong_path"), SHOWN(0),
	  .reason = "the list of MSRs calls its bits of MSR_PEBS_ENABLE reserved" });
