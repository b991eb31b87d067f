/* SPDX-License-Identifier: MIT */
/*
 * The names are those of PAPI's preset events. Its documentation says "conditional" of branches
 * taken, not taken and mispredicted, but its own tables count all of them on most processors: the
 * meanings here are those of the counts. Sources of the rows: the manual's descriptions of the
 * events, which the tables in this folder cite.
 */
#include <pmu/events/presets.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <pmu/core/microarchitecture.h>

const struct pmu_preset pmu_presets[] = {
	{ "PAPI_TOT_INS", "instructions that retired" },
	{ "PAPI_TOT_CYC", "clocks of the core while it is not halted" },
	{ "PAPI_REF_CYC", "clocks at the TSC's rate while it is not halted" },
	{ "PAPI_BR_INS",  "branches that retired, of every kind" },
	{ "PAPI_BR_CN",   "conditional branches that retired" },
	{ "PAPI_BR_TKN",  "branches that retired and were taken" },
	{ "PAPI_BR_NTK",  "branches that retired and were not taken" },
	{ "PAPI_BR_MSP",  "branches that retired and were mispredicted" },
	{ "PAPI_LD_INS",  "instructions that retired and load" },
	{ "PAPI_SR_INS",  "instructions that retired and store" },
	{ "PAPI_L1_DCA",  "accesses to data in the first cache" },
	{ "PAPI_L1_DCR",  "reads of data from the first cache" },
	{ "PAPI_L1_DCW",  "writes of data to the first cache" },
	{ "PAPI_L1_DCM",  "accesses to data that missed the first cache" },
	{ "PAPI_L1_LDM",  "loads that missed the first cache" },
	{ "PAPI_L1_STM",  "stores that missed the first cache" },
	{ "PAPI_L1_ICA",  "fetches of instructions from the first cache" },
	{ "PAPI_L1_ICM",  "fetches of instructions that missed the first cache" },
	{ "PAPI_L2_TCA",  "accesses to the second cache" },
	{ "PAPI_L2_TCM",  "accesses that missed the second cache" },
	{ "PAPI_L3_TCA",  "accesses to the third cache" },
	{ "PAPI_L3_TCM",  "accesses that missed the third cache" },
	{ "PAPI_TLB_DM",  "misses of the data TLB" },
	{ "PAPI_TLB_IM",  "misses of the instruction TLB" },
	{ "PAPI_FP_OPS",  "floating-point operations" },
	{ "PAPI_VEC_INS", "SIMD instructions" },
	{ "PAPI_HW_INT",  "hardware interrupts" },
	{ "PAPI_RES_STL", "clocks in which a resource was missing" },
};

const unsigned pmu_preset_count = COUNT_OF(pmu_presets);

#define P5_ALL    PMU_ON_P5
#define P5_MMX    PMU_ON_P5_MMX
#define P6_ALL    PMU_ON_P6
#define PM        PMU_MODEL_PM
#define NETBURST  PMU_ON_NETBURST
#define ARCH      PMU_ON_ARCH
#define ANY_ARCH  PMU_ON_ANY_ARCH
#define AMD       PMU_ON_AMD
#define AMD_15H   PMU_ON_AMD_15H
#define ZEN       PMU_ON_ZEN
#define ZEN_1     PMU_ON_ZEN_1
#define ZEN_2_3   (PMU_ON_ZEN_2 | PMU_ON_ZEN_3)
#define ZEN_4_5   (PMU_ON_ZEN_4 | PMU_ON_ZEN_5)
#define AMD_14_16 (PMU_ON_AMD_14H | PMU_ON_AMD_16H)
#define AMD_L2    (PMU_ON_K8 | PMU_ON_AMD_10H | PMU_ON_AMD_12H | PMU_ON_AMD_14H | AMD_15H)
#define L2_LAST   (PMU_ON_CORE2 | PMU_ON_BONNELL)      /* the last cache is L2 */
#define L3_LAST   (PMU_ON_NEHALEM | PMU_ON_SINCE_SNB)

#define HAS(preset_, on_, ...)  { .preset = preset_, .on = on_, .parts = { __VA_ARGS__ } }
#define NOTED(preset_, on_, note_, ...) \
	{ .preset = preset_, .on = on_, .note = note_, .parts = { __VA_ARGS__ } }
#define ONE(event)              { event, 1 }
#define LESS(event)             { event, -1 }
#define NEAR(preset_, on_, event, why_) \
	{ .preset = preset_, .on = on_, .near = event, .why = event " " why_ }
#define LACKS(preset_, on_, word, why_) \
	{ .preset = preset_, .on = on_, .lacks = word, .why = why_ }

#define NONE(preset_, on_, why_)  { .preset = preset_, .on = on_, .why = why_ }

#define SPECULATIVE "speculative ones, too"
#define DISPATCHED  "counts loads and stores when they are dispatched, retired or not"
#define BUFFERS     "counts buffers for misses: several of one line are one"
#define MOVES       "counts instructions, moves as well"
#define SCALARS     "SSE's operations on one element, too"
#define OF_NODE     "counts those of all cores of the node"
#define OF_NB       "is of the northbridge's own counters, which all cores share"
#define OF_L3       "is of L3's own counters, which all cores share"
#define X87_ALONE   "those of the x87 alone"
#define NO_PRESET "no architectural event counts it; \"events\" lists this processor's own"

const struct pmu_preset_row pmu_preset_rows[] = {
	NOTED("PAPI_TOT_INS", P5_ALL, "entries of exceptions and interrupts, too",
	      ONE("INSTRUCTIONS_EXECUTED")),
	HAS("PAPI_TOT_INS", P6_ALL, ONE("INST_RETIRED")),
	HAS("PAPI_TOT_INS", PMU_ON_PRESCOTT, ONE("instr_completed:NBOGUS")),
	NOTED("PAPI_TOT_INS", PMU_ON_WILLAMETTE, "one that is interrupted in the middle twice",
	      ONE("instr_retired:NBOGUSNTAG+NBOGUSTAG")),
	HAS("PAPI_TOT_INS", ARCH, ONE("INSTRUCTIONS_RETIRED")),
	NOTED("PAPI_TOT_INS", AMD, "entries of exceptions and interrupts, too",
	      ONE("RETIRED_INSTRUCTIONS")),

	HAS("PAPI_TOT_CYC", P5_MMX, ONE("NUMBER_OF_CYCLES_NOT_IN_HALT_STATE")),
	LACKS("PAPI_TOT_CYC", P5_ALL, "HALT", "the event came with the Pentium with MMX"),
	HAS("PAPI_TOT_CYC", P6_ALL, ONE("CPU_CLK_UNHALTED")),
	HAS("PAPI_TOT_CYC", NETBURST, ONE("global_power_events:RUNNING")),
	HAS("PAPI_TOT_CYC", ARCH, ONE("UNHALTED_CORE_CYCLES")),
	HAS("PAPI_TOT_CYC", AMD, ONE("CPU_CLOCKS_NOT_HALTED")),

	HAS("PAPI_REF_CYC", ARCH, ONE("CPU_CLK_UNHALTED.REF_TSC")),
	LACKS("PAPI_REF_CYC", UINT32_MAX, "REF_TSC",
	      "it counts only clocks of the core and the bus"),

	NOTED("PAPI_BR_INS", P5_ALL, "exceptions, interrupts and serializing instructions, too",
	      ONE("BRANCHES")),
	HAS("PAPI_BR_INS", P6_ALL, ONE("BR_INST_RETIRED")),
	HAS("PAPI_BR_INS", NETBURST, ONE("branch_retired:MMNP+MMNM+MMTP+MMTM")),
	HAS("PAPI_BR_INS", ARCH, ONE("BRANCH_INSTR_RETIRED")),
	NOTED("PAPI_BR_INS", AMD, "exceptions and interrupts, too", ONE("RETIRED_BRANCHES")),

	NEAR("PAPI_BR_CN", PM, "BR_CND_EXEC", "counts those that were executed, retired or not"),
	LACKS("PAPI_BR_CN", P5_ALL | P6_ALL, "_CND_", "no event tells them from other branches"),
	NEAR("PAPI_BR_CN", NETBURST, "retired_branch_type",
	     "may count conditional branches twice"),
	HAS("PAPI_BR_CN", PMU_ON_NEHALEM | PMU_ON_SNB_TO_BDW | PMU_ON_SKYLAKE,
	    ONE("BR_INST_RETIRED.CONDITIONAL")),
	HAS("PAPI_BR_CN", PMU_ON_ICE_LAKE | PMU_ON_TREMONT, ONE("BR_INST_RETIRED.COND")),
	NONE("PAPI_BR_CN", ARCH, NO_PRESET),
	HAS("PAPI_BR_CN", ZEN, ONE("RETIRED_CONDITIONAL_BRANCHES")),
	LACKS("PAPI_BR_CN", AMD, "COND", "no event tells them from other branches"),

	NOTED("PAPI_BR_TKN", P5_MMX, "exceptions, interrupts and serializing instructions, too",
	      ONE("TAKEN_BRANCHES")),
	NEAR("PAPI_BR_TKN", P5_ALL, "TAKEN_BRANCH_OR_BTB_HIT",
	     "counts branches that are not taken and hit the BTB as well"),
	HAS("PAPI_BR_TKN", P6_ALL, ONE("BR_TAKEN_RETIRED")),
	HAS("PAPI_BR_TKN", NETBURST, ONE("branch_retired:MMTP+MMTM")),
	HAS("PAPI_BR_TKN", L2_LAST, ONE("BR_INST_RETIRED.TAKEN")),
	HAS("PAPI_BR_TKN", PMU_ON_SNB_TO_BDW | PMU_ON_SKYLAKE, ONE("BRANCH_INSTR_RETIRED"),
	    LESS("BR_INST_RETIRED.NOT_TAKEN")),
	HAS("PAPI_BR_TKN", PMU_ON_ICE_LAKE, ONE("BRANCH_INSTR_RETIRED"),
	    LESS("BR_INST_RETIRED.COND_NTAKEN")),
	NONE("PAPI_BR_TKN", ARCH, NO_PRESET),
	NOTED("PAPI_BR_TKN", AMD, "exceptions and interrupts, too",
	      ONE("RETIRED_TAKEN_BRANCHES")),

	HAS("PAPI_BR_NTK", P5_MMX, ONE("BRANCHES"), LESS("TAKEN_BRANCHES")),
	NEAR("PAPI_BR_NTK", P5_ALL, "TAKEN_BRANCH_OR_BTB_HIT",
	     "counts some of them, and nothing else tells taken ones from them"),
	HAS("PAPI_BR_NTK", P6_ALL, ONE("BR_INST_RETIRED"), LESS("BR_TAKEN_RETIRED")),
	HAS("PAPI_BR_NTK", NETBURST, ONE("branch_retired:MMNP+MMNM")),
	HAS("PAPI_BR_NTK", L2_LAST, ONE("BRANCH_INSTR_RETIRED"), LESS("BR_INST_RETIRED.TAKEN")),
	HAS("PAPI_BR_NTK", PMU_ON_SNB_TO_BDW | PMU_ON_SKYLAKE, ONE("BR_INST_RETIRED.NOT_TAKEN")),
	HAS("PAPI_BR_NTK", PMU_ON_ICE_LAKE, ONE("BR_INST_RETIRED.COND_NTAKEN")),
	NONE("PAPI_BR_NTK", ARCH, NO_PRESET),
	HAS("PAPI_BR_NTK", AMD, ONE("RETIRED_BRANCHES"), LESS("RETIRED_TAKEN_BRANCHES")),

	HAS("PAPI_BR_MSP", P5_MMX, ONE("PIPELINE_FLUSHES_DUE_TO_WRONG_BRANCH_PREDICTIONS")),
	NEAR("PAPI_BR_MSP", P5_ALL, "PIPELINE_FLUSHES",
	     "counts those of exceptions and interrupts as well"),
	HAS("PAPI_BR_MSP", P6_ALL, ONE("BR_MISS_PRED_RETIRED")),
	HAS("PAPI_BR_MSP", NETBURST, ONE("mispred_branch_retired:NBOGUS")),
	HAS("PAPI_BR_MSP", ARCH, ONE("BRANCH_MISSES_RETIRED")),
	NEAR("PAPI_BR_MSP", ZEN, "RETIRED_MISPREDICTED_BRANCHES",
	     "counts far branches as well, which are not predicted"),
	HAS("PAPI_BR_MSP", AMD, ONE("RETIRED_MISPREDICTED_BRANCHES")),

	NEAR("PAPI_LD_INS", P5_ALL, "DATA_READ", "counts accesses: POP to memory is one, CMPS two"),
	NEAR("PAPI_LD_INS", P6_ALL, "DATA_MEM_REFS", "counts stores as well"),
	NEAR("PAPI_LD_INS", NETBURST, "uop_type", "tags micro-operations: CMPS has two that load"),
	HAS("PAPI_LD_INS", PMU_ON_NEHALEM, ONE("MEM_INST_RETIRED.LOADS")),
	NEAR("PAPI_LD_INS", PMU_ON_SNB_TO_BDW, "MEM_UOPS_RETIRED.ALL_LOADS",
	     "counts micro-operations: CMPS has two that load"),
	HAS("PAPI_LD_INS", PMU_ON_SKYLAKE | PMU_ON_ICE_LAKE, ONE("MEM_INST_RETIRED.ALL_LOADS")),
	HAS("PAPI_LD_INS", PMU_ON_CORE2, ONE("INST_RETIRED.LOADS")),
	NONE("PAPI_LD_INS", ARCH, NO_PRESET),
	NEAR("PAPI_LD_INS", AMD_15H | PMU_ON_AMD_16H | ZEN, "LS_DISPATCH", DISPATCHED),
	LACKS("PAPI_LD_INS", AMD, "LS_DISPATCH", "no event counts instructions that load"),

	NEAR("PAPI_SR_INS", P5_ALL, "DATA_WRITE", "counts accesses: ENTER and PUSHA have several"),
	NEAR("PAPI_SR_INS", P6_ALL, "DATA_MEM_REFS", "counts loads as well"),
	NEAR("PAPI_SR_INS", NETBURST, "uop_type", "tags micro-operations: PUSHA has eight"),
	HAS("PAPI_SR_INS", PMU_ON_NEHALEM, ONE("MEM_INST_RETIRED.STORES")),
	NEAR("PAPI_SR_INS", PMU_ON_SNB_TO_BDW, "MEM_UOPS_RETIRED.ALL_STORES",
	     "counts micro-operations: ENTER has several that store"),
	HAS("PAPI_SR_INS", PMU_ON_SKYLAKE | PMU_ON_ICE_LAKE, ONE("MEM_INST_RETIRED.ALL_STORES")),
	HAS("PAPI_SR_INS", PMU_ON_CORE2, ONE("INST_RETIRED.STORES")),
	NONE("PAPI_SR_INS", ARCH, NO_PRESET),
	NEAR("PAPI_SR_INS", AMD_15H | PMU_ON_AMD_16H | ZEN, "LS_DISPATCH", DISPATCHED),
	LACKS("PAPI_SR_INS", AMD, "LS_DISPATCH", "no event counts instructions that store"),

	HAS("PAPI_L1_DCA", P5_ALL, ONE("DATA_READ_OR_WRITE")),
	NOTED("PAPI_L1_DCA", P6_ALL, "each half of a split one, and retries", ONE("DATA_MEM_REFS")),
	LACKS("PAPI_L1_DCA", NETBURST, "L1D_ACCESS", "no event counts accesses that hit"),
	NONE("PAPI_L1_DCA", ARCH, NO_PRESET),
	NOTED("PAPI_L1_DCA", AMD, SPECULATIVE, ONE("DATA_CACHE_ACCESSES")),

	HAS("PAPI_L1_DCR", P5_ALL, ONE("DATA_READ")),
	NEAR("PAPI_L1_DCR", P6_ALL, "DATA_MEM_REFS", "counts writes as well"),
	LACKS("PAPI_L1_DCR", NETBURST, "L1D_ACCESS", "no event counts accesses that hit"),
	NONE("PAPI_L1_DCR", ARCH, NO_PRESET),
	NEAR("PAPI_L1_DCR", AMD, "DATA_CACHE_ACCESSES", "counts writes as well"),

	HAS("PAPI_L1_DCW", P5_ALL, ONE("DATA_WRITE")),
	NEAR("PAPI_L1_DCW", P6_ALL, "DATA_MEM_REFS", "counts reads as well"),
	LACKS("PAPI_L1_DCW", NETBURST, "L1D_ACCESS", "no event counts accesses that hit"),
	NONE("PAPI_L1_DCW", ARCH, NO_PRESET),
	NEAR("PAPI_L1_DCW", AMD, "DATA_CACHE_ACCESSES", "counts reads as well"),

	HAS("PAPI_L1_DCM", P5_ALL, ONE("DATA_READ_MISS_OR_WRITE_MISS")),
	NEAR("PAPI_L1_DCM", P6_ALL, "DCU_LINES_IN",
	     "counts lines that were allocated: several misses of one line are one"),
	LACKS("PAPI_L1_DCM", NETBURST, "STORE_MISS_RETIRED_L1", "misses of stores are not counted"),
	NONE("PAPI_L1_DCM", ARCH, NO_PRESET),
	NEAR("PAPI_L1_DCM", ZEN_1 | PMU_ON_ZEN_2, "MAB_ALLOCATION_BY_PIPE", BUFFERS),
	NEAR("PAPI_L1_DCM", ZEN, "MAB_ALLOCATION_BY_TYPE", BUFFERS),
	NOTED("PAPI_L1_DCM", AMD_15H, "streaming stores and speculative ones, too",
	      ONE("DATA_CACHE_MISSES:DC_MISS_STREAMING_STORE")),
	NOTED("PAPI_L1_DCM", AMD, SPECULATIVE, ONE("DATA_CACHE_MISSES")),

	HAS("PAPI_L1_LDM", P5_ALL, ONE("DATA_READ_MISS")),
	NEAR("PAPI_L1_LDM", P6_ALL, "DCU_LINES_IN",
	     "counts lines that were allocated, for stores, too"),
	HAS("PAPI_L1_LDM", NETBURST, ONE("1stL_cache_load_miss_retired")),
	HAS("PAPI_L1_LDM", PMU_ON_CORE2, ONE("MEM_LOAD_RETIRED.L1D_MISS")),
	HAS("PAPI_L1_LDM", PMU_ON_IVY_BRIDGE | PMU_ON_HASWELL,
	    ONE("MEM_LOAD_UOPS_RETIRED.L1_MISS")),
	HAS("PAPI_L1_LDM", PMU_ON_SKYLAKE | PMU_ON_ICE_LAKE, ONE("MEM_LOAD_RETIRED.L1_MISS")),
	HAS("PAPI_L1_LDM", PMU_ON_BONNELL, ONE("MEM_LOAD_RETIRED.L2_HIT"),
	    ONE("MEM_LOAD_RETIRED.L2_MISS")),
	NONE("PAPI_L1_LDM", ARCH, NO_PRESET),
	NEAR("PAPI_L1_LDM", ZEN_1 | PMU_ON_ZEN_2, "MAB_ALLOCATION_BY_PIPE", BUFFERS),
	NEAR("PAPI_L1_LDM", ZEN, "MAB_ALLOCATION_BY_TYPE", BUFFERS),
	NEAR("PAPI_L1_LDM", AMD, "DATA_CACHE_MISSES", "counts those of stores as well"),

	HAS("PAPI_L1_STM", P5_ALL, ONE("DATA_WRITE_MISS")),
	NEAR("PAPI_L1_STM", P6_ALL, "DCU_M_LINES_IN",
	     "counts lines that were allocated: several misses of one line are one"),
	LACKS("PAPI_L1_STM", NETBURST, "1stL_cache_store", "misses of stores are not counted"),
	NONE("PAPI_L1_STM", ARCH, NO_PRESET),
	NEAR("PAPI_L1_STM", ZEN_1 | PMU_ON_ZEN_2, "MAB_ALLOCATION_BY_PIPE", BUFFERS),
	NEAR("PAPI_L1_STM", ZEN, "MAB_ALLOCATION_BY_TYPE", BUFFERS),
	NEAR("PAPI_L1_STM", AMD, "DATA_CACHE_MISSES", "counts those of loads as well"),

	HAS("PAPI_L1_ICA", P5_ALL, ONE("CODE_READ")),
	HAS("PAPI_L1_ICA", P6_ALL, ONE("IFU_IFETCH")),
	LACKS("PAPI_L1_ICA", NETBURST, "ICACHE", "it has a trace cache in its place"),
	NONE("PAPI_L1_ICA", ARCH, NO_PRESET),
	LACKS("PAPI_L1_ICA", ZEN_4_5, "CACHE_FETCH", "its events count only those that missed"),
	HAS("PAPI_L1_ICA", ZEN_1, ONE("32_BYTE_INSTRUCTION_CACHE_FETCH")),
	HAS("PAPI_L1_ICA", ZEN_2_3, ONE("ICACHE_FETCHES")),
	HAS("PAPI_L1_ICA", AMD, ONE("INSTRUCTION_CACHE_FETCHES")),

	HAS("PAPI_L1_ICM", P5_ALL, ONE("CODE_CACHE_MISS")),
	HAS("PAPI_L1_ICM", P6_ALL, ONE("IFU_IFETCH_MISS")),
	NEAR("PAPI_L1_ICM", NETBURST, "BPU_fetch_request", "counts misses of the trace cache"),
	HAS("PAPI_L1_ICM", PMU_ON_CORE2, ONE("L1I_MISSES")),
	HAS("PAPI_L1_ICM", PMU_ON_NEHALEM, ONE("L1I.MISSES")),
	HAS("PAPI_L1_ICM", PMU_ON_BONNELL | PMU_ON_SNB_TO_BDW, ONE("ICACHE.MISSES")),
	HAS("PAPI_L1_ICM", PMU_ON_SKYLAKE, ONE("ICACHE_64B.IFTAG_MISS")),
	NONE("PAPI_L1_ICM", ARCH, NO_PRESET),
	NOTED("PAPI_L1_ICM", ZEN_4_5, "as lines that came from L2 or from beyond it",
	      ONE("INSTRUCTION_CACHE_REFILLS_FROM_L2"),
	      ONE("INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM")),
	HAS("PAPI_L1_ICM", ZEN_1, ONE("32_BYTE_INSTRUCTION_CACHE_MISSES")),
	HAS("PAPI_L1_ICM", ZEN_2_3, ONE("ICACHE_MISSES")),
	HAS("PAPI_L1_ICM", AMD, ONE("INSTRUCTION_CACHE_MISSES")),

	LACKS("PAPI_L2_TCA", P5_ALL, "L2", "the second cache is outside of the processor"),
	HAS("PAPI_L2_TCA", P6_ALL, ONE("L2_RQSTS:MESI")),
	NEAR("PAPI_L2_TCA", NETBURST, "BSQ_cache_reference", "may count up to twice as many"),
	HAS("PAPI_L2_TCA", L2_LAST, ONE("LLC_REFERENCE")),
	NONE("PAPI_L2_TCA", ARCH, NO_PRESET),
	HAS("PAPI_L2_TCA", ZEN,
	    ONE("REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ+LS_RD_BLK_C_S+RD_BLK_X+RD_BLK_L")),
	HAS("PAPI_L2_TCA", AMD_L2, ONE("REQUESTS_TO_L2:INSTRUCTIONS+DATA")),
	LACKS("PAPI_L2_TCA", AMD, "REQUESTS_TO_L2", "no event counts requests that hit"),

	LACKS("PAPI_L2_TCM", P5_ALL, "L2", "the second cache is outside of the processor"),
	HAS("PAPI_L2_TCM", P6_ALL, ONE("L2_RQSTS:I")),
	NEAR("PAPI_L2_TCM", NETBURST, "BSQ_cache_reference", "may count up to twice as many"),
	HAS("PAPI_L2_TCM", L2_LAST, ONE("LLC_MISSES")),
	NONE("PAPI_L2_TCM", ARCH, NO_PRESET),
	HAS("PAPI_L2_TCM", ZEN,
	    ONE("CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:IC_FILL_MISS+LS_RD_BLK_C")),
	HAS("PAPI_L2_TCM", AMD_L2, ONE("L2_CACHE_MISS:INSTRUCTIONS+DATA")),
	LACKS("PAPI_L2_TCM", AMD, "L2_CACHE_MISS", "its events count misses of data and of code "
	      "apart, prefetches and walks of page tables with them"),

	NEAR("PAPI_L3_TCA", PMU_ON_AMD_10H, "READ_REQUEST_TO_L3_CACHE", OF_NODE),
	NEAR("PAPI_L3_TCA", AMD_15H, "READ_REQUEST_TO_L3_CACHE", OF_NB),
	NEAR("PAPI_L3_TCA", ZEN_1 | PMU_ON_ZEN_2 | PMU_ON_ZEN_3, "L3_ACCESS", OF_L3),
	NEAR("PAPI_L3_TCA", ZEN, "L3_LOOKUP_STATE", OF_L3),
	NEAR("PAPI_L3_TCA", NETBURST, "BSQ_cache_reference", "may count up to twice as many"),
	HAS("PAPI_L3_TCA", L3_LAST, ONE("LLC_REFERENCE")),
	NEAR("PAPI_L3_TCA", ANY_ARCH | PMU_ON_TREMONT, "LLC_REFERENCE",
	     "is of the last cache, whichever that is"),
	LACKS("PAPI_L3_TCA", UINT32_MAX, "L3", "there is no third cache"),

	NEAR("PAPI_L3_TCM", PMU_ON_AMD_10H, "L3_CACHE_MISSES", OF_NODE),
	NEAR("PAPI_L3_TCM", AMD_15H, "L3_CACHE_MISSES", OF_NB),
	NEAR("PAPI_L3_TCM", ZEN_1 | PMU_ON_ZEN_2, "L3_MISS", OF_L3),
	NEAR("PAPI_L3_TCM", PMU_ON_ZEN_3, "UNC_L3_MISSES", OF_L3),
	NEAR("PAPI_L3_TCM", ZEN, "L3_LOOKUP_STATE", OF_L3),
	NEAR("PAPI_L3_TCM", NETBURST, "BSQ_cache_reference", "may count up to twice as many"),
	HAS("PAPI_L3_TCM", L3_LAST, ONE("LLC_MISSES")),
	NEAR("PAPI_L3_TCM", ANY_ARCH | PMU_ON_TREMONT, "LLC_MISSES",
	     "is of the last cache, whichever that is"),
	LACKS("PAPI_L3_TCM", UINT32_MAX, "L3", "there is no third cache"),

	HAS("PAPI_TLB_DM", P5_ALL, ONE("DATA_TLB_MISS")),
	LACKS("PAPI_TLB_DM", P6_ALL, "DTLB", "of the two TLBs its events count the other one"),
	NOTED("PAPI_TLB_DM", NETBURST, "as walks of the page tables", ONE("page_walk_type:DTMISS")),
	HAS("PAPI_TLB_DM", PMU_ON_CORE2 | PMU_ON_NEHALEM, ONE("DTLB_MISSES.ANY")),
	HAS("PAPI_TLB_DM", PMU_ON_BONNELL, ONE("DATA_TLB_MISSES.DTLB_MISS")),
	HAS("PAPI_TLB_DM", PMU_ON_SNB_TO_BDW | PMU_ON_SKYLAKE,
	    ONE("DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK"),
	    ONE("DTLB_STORE_MISSES.MISS_CAUSES_A_WALK")),
	HAS("PAPI_TLB_DM", PMU_ON_ICE_LAKE, ONE("DTLB_LOAD_MISSES.WALK_COMPLETED"),
	    ONE("DTLB_STORE_MISSES.WALK_COMPLETED")),
	NONE("PAPI_TLB_DM", ARCH, NO_PRESET),
	NOTED("PAPI_TLB_DM", ZEN, "those that the second TLB serves, too", ONE("L1_DTLB_MISS")),
	HAS("PAPI_TLB_DM", PMU_ON_AMD_14H, ONE("DTLB_MISS:STORES_L2TLB_MISS+LOADS_L2TLB_MISS")),
	HAS("PAPI_TLB_DM", PMU_ON_AMD_16H, ONE("DTLB_MISS:STORES_L2TLB+LOADS_L2TLB")),
	HAS("PAPI_TLB_DM", AMD_15H, ONE("UNIFIED_TLB_MISS:4K_DATA+2M_DATA+1GB_DATA")),
	HAS("PAPI_TLB_DM", AMD, ONE("L1_DTLB_AND_L2_DTLB_MISS")),

	HAS("PAPI_TLB_IM", P5_ALL, ONE("CODE_TLB_MISS")),
	HAS("PAPI_TLB_IM", P6_ALL, ONE("ITLB_MISS")),
	HAS("PAPI_TLB_IM", NETBURST, ONE("ITLB_reference:MISS")),
	HAS("PAPI_TLB_IM", L2_LAST, ONE("ITLB.MISSES")),
	HAS("PAPI_TLB_IM", PMU_ON_NEHALEM, ONE("ITLB_MISSES.ANY")),
	HAS("PAPI_TLB_IM", PMU_ON_SNB_TO_BDW | PMU_ON_SKYLAKE,
	    ONE("ITLB_MISSES.MISS_CAUSES_A_WALK")),
	HAS("PAPI_TLB_IM", PMU_ON_ICE_LAKE, ONE("ITLB_MISSES.WALK_COMPLETED")),
	NONE("PAPI_TLB_IM", ARCH, NO_PRESET),
	HAS("PAPI_TLB_IM", ZEN, ONE("L1_ITLB_MISS_L2_ITLB_MISS")),
	HAS("PAPI_TLB_IM", PMU_ON_AMD_16H, ONE("ITLB_MISS")),
	HAS("PAPI_TLB_IM", AMD, ONE("L1_ITLB_MISS_AND_L2_ITLB_MISS")),

	NEAR("PAPI_FP_OPS", P5_ALL, "FLOPS", "counts multiplications of integers as well"),
	NOTED("PAPI_FP_OPS", P6_ALL, "x87 only", ONE("FLOPS")),
	NEAR("PAPI_FP_OPS", NETBURST, "x87_FP_uop",
	     "and its like count micro-operations, whatever number of operations they do"),
	NOTED("PAPI_FP_OPS", PMU_ON_CORE2, X87_ALONE, ONE("FP_COMP_OPS_EXE")),
	NOTED("PAPI_FP_OPS", PMU_ON_BONNELL, X87_ALONE, ONE("X87_COMP_OPS_EXE.ANY.AR")),
	NOTED("PAPI_FP_OPS", PMU_ON_NEHALEM | PMU_ON_SANDY_BRIDGE | PMU_ON_IVY_BRIDGE, X87_ALONE,
	      ONE("FP_COMP_OPS_EXE.X87")),
	NEAR("PAPI_FP_OPS", PMU_ON_SKYLAKE | PMU_ON_ICE_LAKE, "FP_ARITH_INST_RETIRED.SCALAR",
	     "and its like count instructions of SSE and AVX, none of the x87's"),
	NONE("PAPI_FP_OPS", ARCH, NO_PRESET),
	LACKS("PAPI_FP_OPS", PMU_ON_K7, "FP_", "no event counts them"),
	NEAR("PAPI_FP_OPS", PMU_ON_AMD_14H, "RETIRED_FLOATING_POINT_INSTRUCTIONS", MOVES),
	NEAR("PAPI_FP_OPS", AMD_15H | ZEN, "RETIRED_MMX_FP_INSTRUCTIONS", MOVES),
	NEAR("PAPI_FP_OPS", AMD, "RETIRED_MMX_AND_FP_INSTRUCTIONS", MOVES),

	HAS("PAPI_VEC_INS", P5_MMX, ONE("MMX_INSTRUCTIONS_EXECUTED_U_PIPE"),
	    ONE("MMX_INSTRUCTIONS_EXECUTED_V_PIPE")),
	HAS("PAPI_VEC_INS", PMU_MODEL_PII, ONE("MMX_INSTR_RET")),
	NEAR("PAPI_VEC_INS", PM, "EMON_SIMD_INSTR_RETIRED", "counts only those of MMX"),
	NEAR("PAPI_VEC_INS", PMU_MODEL_PIII, "MMX_UOPS_EXEC",
	     "counts micro-operations, only of MMX"),
	LACKS("PAPI_VEC_INS", P5_ALL | P6_ALL, "MMX", "the processor has no SIMD instructions"),
	NEAR("PAPI_VEC_INS", NETBURST, "64bit_MMX_uop", "and its like count micro-operations"),
	NEAR("PAPI_VEC_INS", L2_LAST, "SIMD_INSTR_RETIRED",
	     "counts those of SSE on one element as well"),
	NEAR("PAPI_VEC_INS", PMU_ON_NEHALEM, "SSEX_UOPS_RETIRED.PACKED_SINGLE",
	     "and its like count micro-operations"),
	NEAR("PAPI_VEC_INS", PMU_ON_SKYLAKE | PMU_ON_ICE_LAKE, "FP_ARITH_INST_RETIRED.VECTOR",
	     "counts only those that compute with floating-point numbers"),
	NONE("PAPI_VEC_INS", ARCH, NO_PRESET),
	LACKS("PAPI_VEC_INS", PMU_ON_K7, "MMX", "no event counts them"),
	NEAR("PAPI_VEC_INS", PMU_ON_AMD_14H, "RETIRED_FLOATING_POINT_INSTRUCTIONS",
	     "counts those of MMX together with x87's"),
	NEAR("PAPI_VEC_INS", PMU_ON_AMD_16H, "RETIRED_MMX_AND_FP_INSTRUCTIONS",
	     "counts those of MMX together with x87's"),
	NOTED("PAPI_VEC_INS", PMU_ON_AMD_12H, SCALARS,
	      ONE("RETIRED_MMX_AND_FP_INSTRUCTIONS:MMX_AND_3DNOW+SSE_AND_SSE2")),
	HAS("PAPI_VEC_INS", PMU_ON_K8 | PMU_ON_AMD_10H,
	    ONE("RETIRED_MMX_AND_FP_INSTRUCTIONS:MMX_AND_3DNOW+PACKED_SSE_AND_SSE2")),
	NOTED("PAPI_VEC_INS", AMD_15H, SCALARS, ONE("RETIRED_MMX_FP_INSTRUCTIONS:MMX+SSE")),
	NOTED("PAPI_VEC_INS", AMD, SCALARS,
	      ONE("RETIRED_MMX_FP_INSTRUCTIONS:MMX_INSTR+SSE_INSTR")),

	HAS("PAPI_HW_INT", P5_ALL, ONE("HARDWARE_INTERRUPTS")),
	HAS("PAPI_HW_INT", P6_ALL, ONE("HW_INT_RX")),
	LACKS("PAPI_HW_INT", NETBURST, "INTERRUPT", "no event counts interrupts"),
	HAS("PAPI_HW_INT", L2_LAST, ONE("HW_INT_RCV")),
	NONE("PAPI_HW_INT", ARCH, NO_PRESET),
	HAS("PAPI_HW_INT", AMD, ONE("INTERRUPTS_TAKEN")),

	LACKS("PAPI_RES_STL", P5_ALL, "RESOURCE", "each of its events is of one kind of stall"),
	HAS("PAPI_RES_STL", P6_ALL, ONE("RESOURCE_STALLS")),
	NEAR("PAPI_RES_STL", NETBURST, "resource_stall", "counts only those of store buffers"),
	NONE("PAPI_RES_STL", ARCH, NO_PRESET),
	LACKS("PAPI_RES_STL", AMD_14_16, "DISPATCH_STALL", "no event counts them"),
	NEAR("PAPI_RES_STL", ZEN, "DISPATCH_RESOURCE_STALL_CYCLES_1",
	     "and its like count those of some resources each"),
	NEAR("PAPI_RES_STL", AMD, "DISPATCH_STALLS", "counts those for other reasons as well"),
};

const unsigned pmu_preset_row_count = COUNT_OF(pmu_preset_rows);
