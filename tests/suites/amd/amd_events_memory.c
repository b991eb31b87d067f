/* SPDX-License-Identifier: MIT */
/* AMD's events: data, caches, TLBs, code, clocks and interrupts. See event_exercise.h. */
#include <tests/suites/amd/amd_exercises.h>

#define DATA(name, each, text) \
	{ .event = "DATA_CACHE_ACCESSES", AMD_LOOPS(name), \
	  EXACTLY(each, EXERCISE_IF_EXACT), .reason = RETRIES, .why = text, AMD_STILL("loop") }

AMD_EVENT(data_cache_accesses,
	"the event counts loads and stores of data: one for a MOV, two for an ADD to memory, a "
	"PUSH and POP, a CALL and RET, none in a loop",
	DATA("load", 1, "a load a round"),
	DATA("store", 1, "a store a round"),
	DATA("load_store", 2, "an ADD to memory a round: a load and a store"),
	DATA("push_pop", 2, "a PUSH and a POP a round"),
	DATA("call", 2, "a CALL and a RET a round, which use the stack"));

#define DISPATCHED(mask_, code, still_) \
	{ .event = "LS_DISPATCH", .mask = mask_, AMD_LOOPS(code), \
	  EXACTLY(1, EXERCISE_IF_EXACT), .reason = SPECULATES, .why = "one a round", \
	  AMD_STILL(still_) }

AMD_EVENT(load_store_dispatch,
	"the event counts loads, stores, or loads with a store to the same place that were "
	"dispatched, by its mask: one for each of its kind, none for another",
	DISPATCHED("LD_DISPATCH|LOADS", "load", "store"),
	DISPATCHED("STORE_DISPATCH|STORES", "store", "load"),
	DISPATCHED("LD_ST_DISPATCH|LOAD_OP_STORES", "load_store", "load"));

#define IN_LINES(name, mask_, code, text, still_) \
	{ .event = name, .mask = mask_, AMD_WALKS(code), EXACT_IN_CACHES(1, COLD_ARENA), \
	  .why = text, still_ }
#define READ_LINE   "each round reads a line that no cache has"
#define WRITE_LINE  "each round writes a line that no cache has"

AMD_EVENT_ALONE(data_cache_misses,
	"the event counts misses of the data cache: one for each line that no cache has, none "
	"for a line that is cached",
	IN_LINES("DATA_CACHE_MISSES", NULL, "walk", READ_LINE, AMD_STILL("load")),
	IN_LINES("DATA_CACHE_MISSES", NULL, "store_walk", WRITE_LINE, AMD_STILL("store")),
	IN_LINES("MAB_ALLOCATION_BY_PIPE", "DATA_PIPE", "walk", READ_LINE, AMD_STILL("load")),
	IN_LINES("MAB_ALLOCATION_BY_PIPE", "ST_PIPE", "store_walk", WRITE_LINE,
	         AMD_STILL("store")),
	IN_LINES("MAB_ALLOCATION_BY_TYPE", "LS", "walk", READ_LINE, AMD_STILL("load")),
	IN_LINES("MAB_ALLOCATION_BY_TYPE", "LS", "store_walk", WRITE_LINE, AMD_STILL("store")));

AMD_EVENT_ALONE(data_cache_refills,
	"the event counts lines that come into the data cache from L2 or from beyond, by its "
	"mask: one for each line that no cache has, none for a line that is cached",
	{ .event = "DATA_CACHE_REFILLS", .mask = "SYSTEM|NON_CACHABLE", .unit = "K7|K8|10H|11H|12H",
	  AMD_WALKS("walk"), EXACT_IN_CACHES(1, COLD_ARENA), .why = READ_LINE,
	  AMD_STILL("load") },
	IN_LINES("DATA_CACHE_REFILLS_FROM_SYSTEM", "EXCLUSIVE", "walk", READ_LINE,
	         AMD_STILL_WALK("store_walk")),
	IN_LINES("DATA_CACHE_REFILLS_FROM_SYSTEM", "MODIFIED", "store_walk", WRITE_LINE,
	         AMD_STILL_WALK("walk")),
	{ .event = "DATA_CACHE_REFILLS", .unit = "Zen", AMD_WALKS("walk"),
	  EXACT_IN_CACHES(1, COLD_ARENA), .why = READ_LINE, AMD_STILL("load") },
	IN_LINES("DATA_CACHE_REFILLS_FROM_NB|DATA_CACHE_REFILLS_FROM_NORTHBRIDGE", NULL, "walk",
	         READ_LINE, AMD_STILL("load")),
	IN_LINES("DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM|ANY_DATA_CACHE_FILLS_FROM_SYSTEM",
	         "DRAM_IO_NEAR|MEM_IO_LCL", "walk", READ_LINE, AMD_STILL("load")),
	IN_LINES("ANY_DATA_CACHE_FILLS_FROM_SYSTEM|DATA_CACHE_REFILLS_FROM_SYSTEM",
	         "DRAM_IO_NEAR|MEM_IO_LCL|LS_MABRESP_LCL_DRAM", "walk", READ_LINE,
	         AMD_STILL("load")));

AMD_EVENT(dtlb_misses,
	"the event counts misses of the data TLB: at least one for each new page that a walk of "
	"many pages reads, none for a page that is in use",
	{ .event = "L1_DTLB_AND_L2_DTLB_MISS|UNIFIED_TLB_MISS|L1_DTLB_MISS",
	  .mask = "4K_TLB_RELOAD|4K_DATA|TLB_RELOAD_4K_L2_MISS", MOVES("page_walk", 96, 160),
	  EXACT_IN_CACHES(1, COLD_ARENA), .why = "each round reads a page for the first time",
	  AMD_STILL("load") },
	{ .event = "L1_DTLB_AND_L2_DTLB_MISS", .unit = "K7|K8|11H", MOVES("page_walk", 96, 160),
	  EXACT_IN_CACHES(1, COLD_ARENA), .why = "each round reads a page for the first time",
	  AMD_STILL("load") });

AMD_EVENT(misaligned_accesses,
	"the event counts misaligned accesses: one for each load across two lines, none for an "
	"aligned one",
	{ .event = "MISALIGNED_ACCESSES|MISALIGNED_LOADS", 
	  .unit = "K7|K8|10H|11H|12H|14H|15H|16H|Zen|Zen2",
	  AMD_LOOPS("split_load"), EXACT_ON_MODEL(1), .why = "a load across two lines a round",
	  AMD_STILL("load") });

#define PREFETCH(mask_, code, still_) \
	{ .event = "PREFETCH_INSTRUCTIONS_DISPATCHED", .mask = mask_, AMD_LOOPS(code), \
	  EXACTLY(1, EXERCISE_IF_EXACT), .reason = SPECULATES, .why = "a prefetch a round", \
	  AMD_STILL(still_) }

AMD_EVENT(prefetch_instructions,
	"the event counts prefetch instructions by their kind: one for each PREFETCHT0 or "
	"PREFETCHNTA, none for the other or a load",
	PREFETCH("LOAD|PREFETCH_T0_T1_T2|PREFETCH|LOAD_PREFETCH_W", "prefetcht0", "load"),
	PREFETCH("LOAD|PREFETCH_T0_T1_T2|PREFETCH", "prefetcht1", "prefetchnta"),
	PREFETCH("NTA|PREFETCHNTA|PREFETCH_NTA", "prefetchnta", "prefetcht0"));

#define PREFETCHED "INEFFECTIVE_SW_PREFETCHES|INEFFECTIVE_SOFTWARE_PREFETCH" \
                   "|DCACHE_SW_PREFETCHES"

AMD_EVENT_ALONE(ineffective_prefetches,
	"the event counts prefetch instructions whose line is cached already: one for each of "
	"the same line, none for a load or a line that no cache has",
	{ .event = PREFETCHED,
	  .mask = "SW_PREFETCH_HIT_IN_L1|DATA_PIPE_SW_PF_DC_HIT|SW_PREFETCH_DATA_CACHE|HIT",
	  AMD_LOOPS("prefetcht0"), EXACT_ON_MODEL(1),
	  .why = "each round prefetches the line of the last one", AMD_STILL("load") },
	{ .event = PREFETCHED,
	  .mask = "SW_PREFETCH_HIT_IN_L1|DATA_PIPE_SW_PF_DC_HIT|SW_PREFETCH_DATA_CACHE|HIT",
	  AMD_WALKS("prefetcht1_walk"), EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .per = 2,
	  .reason = UNMEASURED, .why = "of two rounds the second finds its line of 64 bytes" });

AMD_EVENT_ALONE(prefetch_fills,
	"the event counts lines that prefetch instructions bring into the data cache: one for "
	"each line that no cache has, none for a walk of loads",
	{ .event = "SOFTWARE_PREFETCH_DATA_CACHE_FILLS",
	  .mask = "LS_MABRESP_LCL_DRAM|MEM_IO_LCL|DRAM_IO_NEAR", AMD_WALKS("prefetcht1_walk"),
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .per = 2, .reason = MEMORY_MORE,
	  .why = "of two rounds the first brings a line of 64 bytes", AMD_STILL_WALK("walk") });

AMD_EVENT_ALONE(evicted_lines,
	"the event counts modified lines that leave the data cache: one for each new line of a "
	"walk of stores over more than the cache holds, none for a walk of loads",
	{ .event = "DATA_CACHE_LINES_EVICTED", .mask = "MODIFIED",
	  MOVES("store_walk", 1280, 2304), BETWEEN(63, 65, COLD_ARENA | EXERCISE_IF_EXACT),
	  .per = 64, .reason = MEMORY_MORE,
	  .why = "64 KB are full of modified lines, of which each new one evicts one; low, "
	         "high: the window's own lines, at most 16, are evicted in one length alone",
	  .still = "walk", .still_few = 1280, .still_many = 2304 });

AMD_EVENT(blocked_loads,
	"the event counts loads that cannot get their bytes from a smaller store before them: "
	"one for each, none for a load of what the store wrote",
	{ .event = "CANCELLED_STORE_TO_LOAD_FORWARD_OPERATIONS|CANCELLED_STORE_TO_LOAD"
	           "|BAD_STATUS_2",
	  .mask = "STORE_IS_SMALLER_THAN_LOAD|SIZE_ADDRESS_MISMATCHES|STLI_OTHER",
	  AMD_LOOPS("blocked_load"), EXACT_ON_MODEL(1),
	  .why = "a load of four bytes of which the store wrote two, a round",
	  AMD_STILL("inside_load") });

AMD_EVENT_ALONE(l2_requests,
	"the event counts requests of the data cache to L2, and those that missed: one for each "
	"line that no cache has, none for a line that is cached",
	IN_LINES("REQUESTS_TO_L2", "DATA", "walk", READ_LINE, AMD_STILL("load")),
	IN_LINES("L2_CACHE_MISS", "DATA", "walk", READ_LINE, AMD_STILL("load")),
	IN_LINES("REQUESTS_TO_L2_GROUP1", "RD_BLK_L", "walk", READ_LINE,
	         AMD_STILL_WALK("store_walk")),
	IN_LINES("REQUESTS_TO_L2_GROUP1", "RD_BLK_X", "store_walk", WRITE_LINE,
	         AMD_STILL_WALK("walk")),
	IN_LINES("CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS", "LS_RD_BLK_C", "walk", READ_LINE,
	         AMD_STILL("load")));

AMD_EVENT_ALONE(l2_fills,
	"the event counts lines that come into L2: one for each line that no cache has, none for "
	"a line that is cached",
	IN_LINES("L2_FILL_WRITEBACK|L2_CACHE_FILL_WRITEBACK", "L2_FILLS", "walk", READ_LINE,
	         AMD_STILL("load")));

#define UNCACHED(code, still_) \
	{ .event = "MEMORY_REQUESTS", .mask = "NON_CACHEABLE", AMD_LOOPS(code), \
	  EXACT_ON_MODEL(1), .why = "an access to a register of the local APIC a round", \
	  AMD_STILL(still_) }

AMD_EVENT_ALONE(memory_requests,
	"the event counts requests to memory that is not cached: one for each access to the "
	"local APIC, none for a load that hits",
	UNCACHED("apic_reads", "load"),
	UNCACHED("apic_writes", "store"));

/* ------------------------------------------------------------------------ code */

/* A jump to each second line of 32 bytes enters a new line of 64. */
#define CODE_LINES(name, mask_) \
	{ .event = name, .mask = mask_, WALKS("code_walk"), \
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .per = 2, .reason = MEMORY_MORE, \
	  .why = "each second round executes a line of 64 bytes that no cache has", \
	  STILL("loop") }

AMD_EVENT(instruction_fetches,
	"the event counts fetches of code: at least one for each taken jump",
	{ .event = "INSTRUCTION_CACHE_FETCHES|32_BYTE_INSTRUCTION_CACHE_FETCH|ICACHE_FETCHES",
	  AMD_LOOPS("jmp"), BETWEEN(1, EXERCISE_UNBOUNDED, EXERCISE_IF_EXACT),
	  .reason = "a loop buffer may hold the code",
	  .why = "low: each jump fetches; high: wrong paths are fetched, too" });

AMD_EVENT_ALONE(instruction_cache_misses,
	"the event counts misses of the code cache, its refills, and requests of it to L2: one "
	"for each line of code that no cache has, none in a loop",
	CODE_LINES("INSTRUCTION_CACHE_MISSES|32_BYTE_INSTRUCTION_CACHE_MISSES|ICACHE_MISSES",
	           NULL),
	CODE_LINES("IC_REFILLS_FROM_SYSTEM|INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM", NULL),
	CODE_LINES("REQUESTS_TO_L2", "INSTRUCTIONS"),
	CODE_LINES("L2_CACHE_MISS", "INSTRUCTIONS"),
	CODE_LINES("REQUESTS_TO_L2_GROUP1", "CACHEABLE_IC_READ"),
	CODE_LINES("CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS", "IC_FILL_MISS"));

AMD_EVENT_ALONE(instruction_refills_from_l2,
	"the event counts lines of code that come from L2: none if no cache has the line",
	{ .event = "IC_REFILLS_FROM_L2|INSTRUCTION_CACHE_REFILLS_FROM_L2", WALKS("code_walk"),
	  EXACTLY(0, COLD_ARENA | EXERCISE_IF_EXACT), .reason = MEMORY_MORE,
	  .why = "the lines come from memory" });

AMD_EVENT(itlb_misses,
	"the event counts misses of the instruction TLB: one for each page that code is executed "
	"in for the first time, none in a loop",
	{ .event = "L1_ITLB_MISS_AND_L2_ITLB_MISS|ITLB_MISS|L1_ITLB_MISS_L2_ITLB_MISS",
	  .mask = "4K_PAGE_FETCHES|IF4K", MOVES("code_page_walk", 96, 160),
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .reason = MEMORY_MORE,
	  .why = "each round executes a page for the first time", STILL("loop") },
	{ .event = "L1_ITLB_MISS_AND_L2_ITLB_MISS", .unit = "K7|K8|11H",
	  MOVES("code_page_walk", 96, 160), EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT),
	  .reason = MEMORY_MORE, .why = "each round executes a page for the first time",
	  STILL("loop") },
	{ .event = "ITLB_RELOADS", MOVES("code_page_walk", 96, 160),
	  EXACTLY(1, COLD_ARENA | EXERCISE_IF_EXACT), .reason = MEMORY_MORE,
	  .why = "each round executes a page for the first time", STILL("loop") });

AMD_EVENT(instruction_fetch_stalls,
	"the event counts clocks in which fetching stalls: at least one for each line of code "
	"that no cache has",
	{ .event = "INSTRUCTION_FETCH_STALL|INSTRUCTION_FETCH_STALL_CYCLES", WALKS("code_walk"),
	  AT_LEAST(1, COLD_ARENA), .per = 2,
	  .why = "low: memory is slower than a clock; high: no manual bounds its time" });

/* ------------------------------------------------------------------------ clocks, interrupts */

AMD_EVENT(clocks_not_halted,
	"the event counts clocks of the core: at least one for each CPUID",
	{ .event = "CPU_CLK_UNHALTED|CYCLES_NOT_IN_HALT", AMD_LOOPS("cpuid"), AT_LEAST(1, 0),
	  .why = "low: CPUID serializes, so each takes a clock; high: no manual bounds its "
	         "time" });

AMD_EVENT(base_clocks_not_halted,
	"the event counts clocks of the base frequency: at least one for 16 CPUIDs",
	{ .event = "P0_FREQ_CYCLES_NOT_IN_HALT", MOVES("cpuid", 64, 1088), AT_LEAST(1, 0),
	  .per = 16, .why = "low: no processor runs 16 serializing instructions in a clock of its "
	                    "base frequency; high: no manual bounds their time" });

AMD_EVENT_ALONE(interrupts_masked,
	"the events count clocks with interrupts masked, and those with one pending: at least "
	"one for each CPUID with IF = 0, none with IF = 1 or nothing pending",
	{ .event = "INTERRUPTS_MASKED_CYCLES", AMD_LOOPS("cpuid_masked"), AT_LEAST(1, 0),
	  .why = "low: CPUID serializes, so each takes a clock; high: no manual bounds its "
	         "time", .still = "loop_unmasked", .still_few = 256,
	  .still_many = 1256 },
	{ .event = "INTERRUPTS_MASKED_CYCLES_WITH_INTERRUPT_PENDING",
	  MOVES("pending_loop", 64, 1088), BETWEEN(1, EXERCISE_UNBOUNDED, 0), .per = 16,
	  .why = "low: no processor runs 16 rounds in a clock; high: no manual bounds their time",
	  STILL("loop") });

AMD_EVENT(interrupts_taken,
	"the event counts hardware interrupts taken: one for each that the processor sends to "
	"itself, none for INT n",
	{ .event = "INTERRUPTS_TAKEN|INTERRUPT_TAKEN", MOVES("interrupts", 2, 6), EXACTLY(1, 0),
	  .why = "each round takes one interrupt", AMD_STILL("int_iret") });
