/* SPDX-License-Identifier: MIT */
/* Intel's events of data, caches, TLBs and code. See event_exercise.h. */
#define INTEL_RUNS TEST_ALONE
#include <tests/suites/intel/intel_exercises.h>

#define ACCESS(name, code, each, text, still_) \
	{ .event = name, INTEL_LOOPS(code), EXACTLY(each, EXERCISE_IF_EXACT), .reason = RETRIES, \
	  .why = text, INTEL_STILL(still_) }

INTEL_EVENT(EVERY_CORE, loads_and_stores,
	"the event counts retired loads or stores: one for each of its kind, none for the other or "
	"a loop",
	RETIRED("INST_RETIRED.LOADS|MEM_INST_RETIRED.LOADS|MEM_UOPS_RETIRED.ALL_LOADS"
	        "|MEM_INST_RETIRED.ALL_LOADS", "load", 1, "a load a round", "store"),
	RETIRED("INST_RETIRED.LOADS|MEM_INST_RETIRED.LOADS|MEM_UOPS_RETIRED.ALL_LOADS"
	        "|MEM_INST_RETIRED.ALL_LOADS", "load_store", 1, "an ADD to memory loads", "loop"),
	RETIRED("INST_RETIRED.STORES|MEM_INST_RETIRED.STORES|MEM_UOPS_RETIRED.ALL_STORES"
	        "|MEM_INST_RETIRED.ALL_STORES", "store", 1, "a store a round", "load"),
	RETIRED("INST_RETIRED.STORES|MEM_INST_RETIRED.STORES|MEM_UOPS_RETIRED.ALL_STORES"
	        "|MEM_INST_RETIRED.ALL_STORES", "load_store", 1, "an ADD to memory stores",
	        "loop"),
	RETIRED("MEM_INST_RETIRED.ANY", "load", 1, "a load a round", "loop"),
	RETIRED("MEM_INST_RETIRED.ANY", "load_store", 1, "one instruction loads and stores",
	        "loop"),
	RETIRED("MEM_UOPS_RETIRED.ALL", "load_store", 2, "a load and a store a round", "loop"),
	RETIRED("INST_RETIRED.OTHER", "load", 2, "DEC and JNZ; the load does not count",
	        "empty") ,
	ACCESS("L1D_ALL_REF|L1D_ALL_REF.ANY|L1D_CACHE.ALL_REF", "load_store", 2,
	       "a load and a store a round", "loop"),
	ACCESS("L1D_ALL_CACHE_REF|L1D_ALL_REF.CACHEABLE|L1D_CACHE.ALL_CACHE_REF", "store", 1,
	       "a store a round", "loop"),
	ACCESS("L1D_CACHE_LD.MESI|L1D_CACHE.LD", "load", 1, "a load a round", "store"),
	ACCESS("L1D_CACHE_ST.MESI|L1D_CACHE.ST", "store", 1, "a store a round", "load"));

#define SPLIT(name, code, still_) \
	{ .event = name, INTEL_LOOPS(code), EXACTLY(1, EXERCISE_IF_EXACT), .reason = RETRIES, \
	  .why = "an access across two lines a round", INTEL_STILL(still_) }

INTEL_EVENT(EVERY_CORE, splits,
	"the event counts accesses across two lines: one for each load or store of its kind, none "
	"for an aligned one",
	SPLIT("L1D_SPLIT.LOADS|MISALIGN_MEM_REF.LD_SPLIT|MEM_UOPS_RETIRED.SPLIT_LOADS"
	      "|MEM_INST_RETIRED.SPLIT_LOADS", "split_load", "load"),
	SPLIT("L1D_SPLIT.STORES|MISALIGN_MEM_REF.ST_SPLIT|MEM_UOPS_RETIRED.SPLIT_STORES"
	      "|MEM_INST_RETIRED.SPLIT_STORES|MISALIGN_MEM_REF.STORE", "split_store", "store"),
	SPLIT("MEM_UOPS_RETIRED.SPLIT", "split_load", "load"),
	SPLIT("MEM_UOPS_RETIRED.SPLIT", "split_store", "store"),
	SPLIT("MISALIGN_MEM_REF.LOADS|MISALIGN_MEM_REF.LD_SPLIT.AR", "split_load", "load"),
	SPLIT("MISALIGN_MEM_REF.STORES|MISALIGN_MEM_REF.ST_SPLIT.AR", "split_store", "store"),
	{ .event = "MEM_LOAD_RETIRED.L1_HIT|MEM_LOAD_UOPS_RETIRED.L1_HIT|MEM_LOAD_RETIRED.L1D_HIT",
	  INTEL_LOOPS("load"), EXACTLY(1, EXERCISE_IF_EXACT), .reason = MEMORY_MORE,
	  .why = "the line is cached", INTEL_STILL("store") });

#define READS_LINE   "each round reads a line that no cache has"
#define WRITES_LINE  "each round writes a line that no cache has"
#define MISSES(name)        WALKED(name, "walk", 1, READS_LINE, "load")
#define STORE_MISSES(name)  WALKED(name, "store_walk", 1, WRITES_LINE, "store")
#define NOT_HERE(name, code, text) \
	{ .event = name, INTEL_WALKS(code), EXACTLY(0, COLD_ARENA | EXERCISE_IF_EXACT), \
	  .reason = MEMORY_MORE, .why = text }

INTEL_EVENT(EVERY_CORE, load_misses,
	"the event counts loads by the cache that they miss or hit: one miss for each line that no "
	"cache has, none for a line that is cached",
	MISSES("MEM_LOAD_RETIRED.L1D_MISS|MEM_LOAD_RETIRED.L1_MISS|MEM_LOAD_UOPS_RETIRED.L1_MISS"),
	MISSES("MEM_LOAD_RETIRED.L1D_LINE_MISS"),
	MISSES("MEM_LOAD_RETIRED.L2_MISS|MEM_LOAD_UOPS_RETIRED.L2_MISS"),
	MISSES("MEM_LOAD_RETIRED.L2_LINE_MISS"),
	MISSES("MEM_LOAD_RETIRED.L3_MISS|MEM_LOAD_UOPS_RETIRED.L3_MISS"
	       "|MEM_LOAD_UOPS_RETIRED.LLC_MISS|MEM_LOAD_RETIRED.LLC_MISS"
	       "|MEM_LOAD_UOPS_MISC_RETIRED.LLC_MISS"),
	MISSES("MEM_LOAD_UOPS_L3_MISS_RETIRED.LOCAL_DRAM|MEM_LOAD_UOPS_LLC_MISS_RETIRED.LOCAL_DRAM"
	       "|MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM|MEM_LOAD_UOPS_RETIRED.DRAM_HIT"
	       "|MEM_LOAD_UOPS_MISC_RETIRED.LOCAL_DRAM"),
	MISSES("MEM_LOAD_UOPS_RETIRED_MISC.L3_MISS"),
	NOT_HERE("MEM_LOAD_RETIRED.L3_HIT|MEM_LOAD_UOPS_RETIRED.L3_HIT"
	         "|MEM_LOAD_UOPS_RETIRED.LLC_HIT|MEM_LOAD_RETIRED.LLC_UNSHARED_HIT", "walk",
	         "no cache has the lines"),
	NOT_HERE("MEM_LOAD_UOPS_L3_HIT_RETIRED.XSNP_NONE", "walk", "no cache has the lines"),
	NOT_HERE("MEM_LOAD_RETIRED.L2_HIT|MEM_LOAD_UOPS_RETIRED.L2_HIT", "walk",
	         "no cache has the lines"),
	WALKED("MEM_LOAD_RETIRED.L2_HIT|MEM_LOAD_UOPS_RETIRED.L2_HIT", "line_walk_twice", 1,
	       "the second walk finds a line in L2 a round", "load"));

INTEL_EVENT(EVERY_GENERATION, data_lines,
	"the event counts lines that come into the data cache: one for each line that no cache "
	"has, none for a line that is cached",
	MISSES("L1D_REPL|L1D_CACHE.REPL|L1D.REPL|L1D.REPLACEMENT"),
	STORE_MISSES("L1D_REPL|L1D_CACHE.REPL|L1D.REPL|L1D.REPLACEMENT"),
	MISSES("L1D_CACHE_LD.I_STATE"),
	STORE_MISSES("L1D_CACHE_ST.I_STATE"));

#define CODE_LINE "each second round executes a line of 64 bytes that no cache has"
#define CODE_LINES(name) \
	{ .event = name, WALKS("code_walk"), EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .per = 2, \
	  .reason = MEMORY_MORE, .why = CODE_LINE, STILL("loop") }

#define L1I_GENERATIONS(name, claim) \
	UP_TO_BROADWELL(name, claim) E_CORES(name, claim) INTEL_TEST(skylake, name, claim) \
	INTEL_TEST(icelake, name, claim) INTEL_TEST(tigerlake, name, claim)

INTEL_EVENT(L1I_GENERATIONS, code_misses,
	"the event counts misses of the code cache: one for each line of code that no cache has, "
	"none in a loop",
	CODE_LINES("L1I_MISSES|L1I.MISSES|ICACHE.MISSES|ICACHE_64B.IFTAG_MISS"));

INTEL_EVENT(EVERY_CORE, l2_requests,
	"the event counts requests to L2 of its kind, those that hit or those that miss: one for "
	"each line that no cache has, none for a line that is cached or for another kind",
	MISSES("L2_LD.SELF.MESI|L2_LD.SELF.DEMAND.MESI|L2_RQSTS.LOADS|L2_RQSTS.ALL_DEMAND_DATA_RD"),
	MISSES("L2_LD.SELF.I_STATE|L2_LD.SELF.DEMAND.I_STATE|L2_RQSTS.LD_MISS"
	       "|L2_RQSTS.DEMAND_DATA_RD_MISS"),
	NOT_HERE("L2_LD.SELF.E_STATE|L2_LD.SELF.DEMAND.E_STATE|L2_RQSTS.LD_HIT"
	         "|L2_RQSTS.DEMAND_DATA_RD_HIT", "walk", "no cache has the lines"),
	WALKED("L2_LD.SELF.E_STATE|L2_LD.SELF.DEMAND.E_STATE|L2_RQSTS.LD_HIT"
	       "|L2_RQSTS.DEMAND_DATA_RD_HIT", "line_walk_twice", 1,
	       "the second walk finds a line in L2 a round", "load"),
	STORE_MISSES("L2_ST.SELF.MESI|L2_RQSTS.RFOS|L2_RQSTS.ALL_RFO"),
	STORE_MISSES("L2_ST.SELF.I_STATE|L2_RQSTS.RFO_MISS"),
	NOT_HERE("L2_ST.SELF.MESI|L2_RQSTS.RFOS|L2_RQSTS.ALL_RFO", "walk", "nothing is written"),
	NOT_HERE("L2_RQSTS.RFO_HIT", "store_walk", "no cache has the lines"),
	CODE_LINES("L2_IFETCH.SELF.MESI|L2_RQSTS.IFETCHES|L2_RQSTS.ALL_CODE_RD"),
	CODE_LINES("L2_IFETCH.SELF.I_STATE|L2_RQSTS.IFETCH_MISS|L2_RQSTS.CODE_RD_MISS"),
	NOT_HERE("L2_RQSTS.IFETCH_HIT|L2_RQSTS.CODE_RD_HIT", "walk", "no new code runs"),
	MISSES("L2_RQSTS.ALL_DEMAND_MISS|L2_LD_IFETCH.SELF.I_STATE"),
	MISSES("L2_RQSTS.MISS|L2_REQUEST.MISS"),
	STORE_MISSES("L2_REQUEST.MISS"),
	WALKED("L2_REQUEST.HIT", "line_walk_twice", 1,
	       "the second walk finds a line in L2 a round", "load"),
	NOT_HERE("L2_REQUEST.HIT", "walk", "no cache has the lines"),
	MISSES("L2_REQUEST.ALL"),
	MISSES("L2_RQSTS.ALL_DEMAND_REFERENCES|L2_RQSTS.REFERENCES|L2_LD_IFETCH.SELF.MESI"),
	MISSES("L2_DATA_RQSTS.DEMAND.MESI"),
	MISSES("L2_DATA_RQSTS.DEMAND.I_STATE"),
	STORE_MISSES("L2_WRITE.RFO.MESI|L2_STORE_LOCK_RQSTS.ALL"),
	STORE_MISSES("L2_WRITE.RFO.I_STATE|L2_STORE_LOCK_RQSTS.MISS"),
	NOT_HERE("L2_WRITE.RFO.M_STATE|L2_STORE_LOCK_RQSTS.HIT_M", "store_walk",
	         "no cache has the lines"));

INTEL_EVENT(EVERY_GENERATION, l2_lines,
	"the event counts lines that come into L2, or what L2 does for them: one for each line "
	"that no cache has, none for a line that is cached",
	MISSES("L2_LINES_IN.SELF.DEMAND|L2_LINES_IN.SELF|L2_LINES_IN.ANY|L2_LINES_IN.ALL"),
	STORE_MISSES("L2_LINES_IN.SELF.DEMAND|L2_LINES_IN.SELF|L2_LINES_IN.ANY|L2_LINES_IN.ALL"),
	MISSES("L2_TRANSACTIONS.LOAD|L2_TRANS.DEMAND_DATA_RD"),
	STORE_MISSES("L2_TRANSACTIONS.RFO|L2_TRANS.RFO"),
	CODE_LINES("L2_TRANSACTIONS.IFETCH|L2_TRANS.CODE_RD"));

INTEL_EVENT(EVERY_GENERATION, requests_to_memory,
	"the event counts requests of its kind that leave the core, or the last cache: one for "
	"each line that no cache has, none for another kind",
	MISSES("BUS_TRANS_BRD.SELF|OFFCORE_REQUESTS.DEMAND_DATA_RD"
	       "|OFFCORE_REQUESTS.DEMAND.READ_DATA|LONGEST_LAT_CACHE.MISS"),
	STORE_MISSES("BUS_TRANS_RFO.SELF|OFFCORE_REQUESTS.DEMAND_RFO|OFFCORE_REQUESTS.DEMAND.RFO"),
	NOT_HERE("BUS_TRANS_RFO.SELF|OFFCORE_REQUESTS.DEMAND_RFO|OFFCORE_REQUESTS.DEMAND.RFO",
	         "walk", "nothing is written"),
	CODE_LINES("BUS_TRANS_IFETCH.SELF|OFFCORE_REQUESTS.DEMAND_CODE_RD"
	           "|OFFCORE_REQUESTS.DEMAND.READ_CODE"),
	MISSES("OFFCORE_REQUESTS.ALL_DATA_RD|OFFCORE_REQUESTS.DATA_RD|OFFCORE_REQUESTS.ANY.READ"));

#define OWN_PAGES    "; high: the window's own pages, which these replace, at most two"
#define READS_PAGE   "low: each round reads a page for the first time" OWN_PAGES
#define WRITES_PAGE  "low: each round writes a page for the first time" OWN_PAGES
#define PAGES_READ(name)     PAGED(name, "page_walk", READS_PAGE, "load")
#define PAGES_WRITTEN(name)  PAGED(name, "page_store_walk", WRITES_PAGE, "store")
#define PAGES_RUN(name) \
	{ .event = name, INTEL_PAGES("code_page_walk"), \
	  BETWEEN(64, 66, COLD_ARENA | EXERCISE_IF_EXACT), .per = 64, .reason = MEMORY_MORE, \
	  .why = "low: each round executes a page for the first time" OWN_PAGES, STILL("loop") }

INTEL_EVENT(EVERY_CORE, dtlb_misses,
	"the event counts misses of the data TLB by loads, by stores or by both: one for each page "
	"that is used for the first time, none for a page that is in use",
	PAGES_READ("DTLB_MISSES.ANY|DATA_TLB_MISSES.DTLB_MISS"),
	PAGES_READ("DTLB_MISSES.MISS_LD|DATA_TLB_MISSES.DTLB_MISS_LD|DTLB_LOAD_MISSES.ANY"
	           "|DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK"),
	PAGES_READ("DTLB_LOAD_MISSES.WALK_COMPLETED"),
	PAGES_READ("DTLB_LOAD_MISSES.WALK_COMPLETED_4K"),
	PAGES_READ("MEM_LOAD_RETIRED.DTLB_MISS|MEM_UOPS_RETIRED.STLB_MISS_LOADS"
	           "|MEM_INST_RETIRED.STLB_MISS_LOADS"),
	PAGES_WRITTEN("DTLB_MISSES.MISS_ST|DATA_TLB_MISSES.DTLB_MISS_ST"
	              "|DTLB_STORE_MISSES.MISS_CAUSES_A_WALK"),
	PAGES_READ("DTLB_LOAD_MISSES.MISS_CAUSED_WALK"),
	PAGES_WRITTEN("DTLB_STORE_MISSES.MISS_CAUSED_WALK"),
	PAGES_READ("MEM_UOPS_RETIRED.STLB_MISS"),
	PAGES_WRITTEN("MEM_UOPS_RETIRED.STLB_MISS"),
	PAGES_WRITTEN("DTLB_STORE_MISSES.WALK_COMPLETED"),
	PAGES_WRITTEN("DTLB_STORE_MISSES.WALK_COMPLETED_4K"),
	PAGES_WRITTEN("MEM_STORE_RETIRED.DTLB_MISS|MEM_UOPS_RETIRED.STLB_MISS_STORES"
	              "|MEM_INST_RETIRED.STLB_MISS_STORES"),
	PAGES_READ("PAGE_WALKS.COUNT|DTLB_MISSES.WALK_COMPLETED"));

INTEL_EVENT(EVERY_CORE, itlb_misses,
	"the event counts misses of the instruction TLB: one for each page that code runs in for "
	"the first time, none in a loop",
	PAGES_RUN("ITLB.MISSES|ITLB_MISSES.ANY|ITLB_MISSES.MISS_CAUSES_A_WALK"),
	PAGES_RUN("ITLB.SMALL_MISS|ITLB_MISSES.WALK_COMPLETED"),
	PAGES_RUN("ITLB_MISSES.MISS_CAUSED_WALK"),
	PAGES_RUN("ITLB_MISSES.WALK_COMPLETED_4K"),
	PAGES_RUN("ITLB_MISS_RETIRED"));
