/* SPDX-License-Identifier: MIT */
/*
 * Sources: SDM 3B, table "Architectural Performance Events" and "Fixed-Function Performance
 * Counters"; the mnemonics are those of "Performance-Monitoring Events" by microarchitecture.
 * Model-specific events: the same, and the tables of PEBS events by microarchitecture; for counters
 * 0 to 3 on a microarchitecture with eight: the column "Counter" of Intel's event lists.
 */
#include <pmu/events/arch_events.h>

#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>

/* Short names for the column `on`. */
#define CORE2     PMU_ON_CORE2
#define BONNELL   PMU_ON_BONNELL
#define NEHALEM   PMU_ON_NEHALEM
#define SANDY     PMU_ON_SANDY_BRIDGE
#define ICE_LAKE  PMU_ON_ICE_LAKE
#define TREMONT   PMU_ON_TREMONT
#define UOPS      PMU_ON_SNB_TO_BDW    /* microarchitectures that count micro-operations */
#define SKYLAKE   PMU_ON_SKYLAKE

#define EVERY     UINT32_MAX                  /* every general counter */

#define NAMES(name_, ...)  .name = name_, .aliases = { __VA_ARGS__ }
#define ARCH(select, umask, kind_) \
	.on = PMU_ON_ARCH, .is_architectural = true, .event = EVENT(select, umask), \
	.counters = EVERY, .kind = kind_
#define FIXED(i)     .fixed = (i)
#define GENERAL      .fixed = ARCH_NOT_FIXED
#define ONLY_FIXED(i, kind_) \
	.on = PMU_ON_ARCH, .event = ARCH_FIXED_ALONE, .fixed = (i), .kind = kind_
#define MODEL(on_, select, umask, counters_) \
	.on = on_, .event = EVENT(select, umask), GENERAL, .counters = counters_, .kind = PMU_COUNT

#define CLOCKS(on_, select, counters_) \
	.on = on_, .event = EVENT(select, 0), GENERAL, .counters = counters_, .kind = PMU_CYCLES

const struct arch_event arch_events[] = {
	{ NAMES("UNHALTED_CORE_CYCLES", "CPU_CLK_UNHALTED.THREAD_P", "CPU_CLK_UNHALTED.THREAD",
	        "CPU_CLK_UNHALTED.CORE"),
	  ARCH(0x3c, 0x00, PMU_CYCLES), FIXED(1), PMU_WORDS("clocks of the core, not halted") },
	{ NAMES("INSTRUCTIONS_RETIRED", "INST_RETIRED.ANY_P", "INST_RETIRED.ANY",
	        "INSTR_RETIRED.ANY_P"),
	  ARCH(0xc0, 0x00, PMU_COUNT), FIXED(0),
	  PMU_WORDS("instructions retired; a REP string instruction is one") },
	{ NAMES("UNHALTED_REFERENCE_CYCLES", "CPU_CLK_UNHALTED.REF_P"),
	  ARCH(0x3c, 0x01, PMU_BUS_CYCLES), GENERAL,
	  PMU_WORDS("clocks of a fixed rate while not halted: the bus's on Core, later a "
	            "crystal's") },
	{ NAMES("LLC_REFERENCE", "LONGEST_LAT_CACHE.REFERENCE"),
	  ARCH(0x2e, 0x4f, PMU_COUNT), GENERAL,
	  PMU_WORDS("references of the core to the last cache, speculative ones, too; those of "
	            "the prefetcher of L1 may be in it") },
	{ NAMES("LLC_MISSES", "LONGEST_LAT_CACHE.MISS"),
	  ARCH(0x2e, 0x41, PMU_COUNT), GENERAL, PMU_WORDS("those that missed") },
	{ NAMES("BRANCH_INSTR_RETIRED", "BR_INST_RETIRED.ALL_BRANCHES"),
	  ARCH(0xc4, 0x00, PMU_COUNT), GENERAL,
	  PMU_WORDS("branches retired, taken or not, near and far") },
	{ NAMES("BRANCH_MISSES_RETIRED", "BR_MISP_RETIRED.ALL_BRANCHES"),
	  ARCH(0xc5, 0x00, PMU_COUNT), GENERAL, PMU_WORDS("mispredicted ones of them") },
	{ NAMES("TOPDOWN_SLOTS", "TOPDOWN.SLOTS_P", "TOPDOWN.SLOTS"),
	  ARCH(0xa4, 0x01, PMU_COUNT), FIXED(3),
	  PMU_WORDS("issue slots: width of the machine x clocks not halted") },
	{ NAMES("TOPDOWN_BACKEND_BOUND", "TOPDOWN.BACKEND_BOUND_SLOTS"),
	  ARCH(0xa4, 0x02, PMU_COUNT), GENERAL, PMU_WORDS("slots lost to the back end") },
	{ NAMES("TOPDOWN_BAD_SPECULATION", "TOPDOWN_BAD_SPECULATION.ALL"),
	  ARCH(0x73, 0x00, PMU_COUNT), FIXED(4), PMU_WORDS("slots lost to bad speculation") },
	{ NAMES("TOPDOWN_FRONTEND_BOUND", "TOPDOWN_FE_BOUND.ALL"),
	  ARCH(0x9c, 0x01, PMU_COUNT), FIXED(5), PMU_WORDS("slots lost to the front end") },
	{ NAMES("TOPDOWN_RETIRING", "TOPDOWN_RETIRING.ALL"),
	  ARCH(0xc2, 0x02, PMU_COUNT), FIXED(6), PMU_WORDS("slots of what retired") },
	{ NAMES("LBR_INSERTS", "MISC_RETIRED.LBR_INSERTS"),
	  ARCH(0xe4, 0x01, PMU_COUNT), GENERAL, PMU_WORDS("last branch records inserted") },
	{ NAMES("CPU_CLK_UNHALTED.REF_TSC", "CPU_CLK_UNHALTED.REF"),
	  ONLY_FIXED(2, PMU_BUS_CYCLES), PMU_WORDS("clocks at the TSC's rate while not halted") },

	{ NAMES("INST_RETIRED.PREC_DIST"), MODEL(UOPS | SKYLAKE, 0xc0, 0x01, 1 << 1),
	  PMU_WORDS("instructions retired, precisely distributed; counter 1 only") },
	{ NAMES("BR_INST_RETIRED.TAKEN"), MODEL(CORE2 | BONNELL, 0xc4, 0x0c, EVERY),
	  PMU_WORDS("branches retired and taken") },
	{ NAMES("BR_INST_RETIRED.CONDITIONAL"), MODEL(NEHALEM | UOPS | SKYLAKE, 0xc4, 0x01, EVERY),
	  PMU_WORDS("conditional branches retired") },
	{ NAMES("BR_INST_RETIRED.COND"), MODEL(ICE_LAKE, 0xc4, 0x11, EVERY), .lacks_umask2 = true,
	  PMU_WORDS("conditional branches retired") },
	{ NAMES("BR_INST_RETIRED.COND"), MODEL(ICE_LAKE, 0xc4, 0x11, EVERY), .umask2 = 1,
	  PMU_WORDS("the same on Lion Cove, with UMASK2 = 1") },
	{ NAMES("BR_INST_RETIRED.COND", "BR_INST_RETIRED.JCC"), MODEL(TREMONT, 0xc4, 0x7e, EVERY),
	  PMU_WORDS("conditional branches retired") },
	{ NAMES("BR_INST_RETIRED.NOT_TAKEN"), MODEL(UOPS | SKYLAKE, 0xc4, 0x10, EVERY),
	  PMU_WORDS("branches retired and not taken") },
	{ NAMES("BR_INST_RETIRED.COND_NTAKEN"), MODEL(ICE_LAKE, 0xc4, 0x10, EVERY),
	  PMU_WORDS("branches retired and not taken") },
	{ NAMES("BR_INST_RETIRED.NEAR_CALL"), MODEL(UOPS | SKYLAKE | ICE_LAKE, 0xc4, 0x02, EVERY),
	  PMU_WORDS("near calls retired, direct and indirect") },
	{ NAMES("BR_INST_RETIRED.NEAR_RETURN"), MODEL(UOPS | SKYLAKE | ICE_LAKE, 0xc4, 0x08, EVERY),
	  PMU_WORDS("near returns retired") },
	{ NAMES("BR_INST_RETIRED.NEAR_TAKEN"), MODEL(UOPS | SKYLAKE | ICE_LAKE, 0xc4, 0x20, EVERY),
	  PMU_WORDS("near branches retired and taken") },
	{ NAMES("BR_INST_RETIRED.FAR_BRANCH"), MODEL(UOPS | SKYLAKE | ICE_LAKE, 0xc4, 0x40, EVERY),
	  PMU_WORDS("far branches retired; entries of interrupts and faults are some") },
	{ NAMES("MEM_INST_RETIRED.LOADS"), MODEL(NEHALEM, 0x0b, 0x01, EVERY),
	  PMU_WORDS("instructions retired that load") },
	{ NAMES("MEM_INST_RETIRED.STORES"), MODEL(NEHALEM, 0x0b, 0x02, EVERY),
	  PMU_WORDS("instructions retired that store") },
	{ NAMES("MEM_UOPS_RETIRED.ALL_LOADS"), MODEL(UOPS, 0xd0, 0x81, 0xf),
	  PMU_WORDS("micro-operations retired that load") },
	{ NAMES("MEM_UOPS_RETIRED.ALL_STORES"), MODEL(UOPS, 0xd0, 0x82, 0xf),
	  PMU_WORDS("micro-operations retired that store") },
	{ NAMES("MEM_INST_RETIRED.ALL_LOADS"), MODEL(SKYLAKE | ICE_LAKE, 0xd0, 0x81, 0xf),
	  PMU_WORDS("instructions retired that load") },
	{ NAMES("MEM_INST_RETIRED.ALL_STORES"), MODEL(SKYLAKE | ICE_LAKE, 0xd0, 0x82, 0xf),
	  PMU_WORDS("instructions retired that store") },

	{ NAMES("MEM_LOAD_RETIRED.L1D_MISS"), MODEL(CORE2, 0xcb, 0x01, 1 << 0),
	  PMU_WORDS("loads retired that missed L1D") },
	{ NAMES("MEM_LOAD_RETIRED.L1D_LINE_MISS"), MODEL(CORE2, 0xcb, 0x02, 1 << 0),
	  PMU_WORDS("lines that loads retired missed in L1D") },
	{ NAMES("MEM_LOAD_RETIRED.L2_MISS"), MODEL(CORE2, 0xcb, 0x04, 1 << 0),
	  PMU_WORDS("loads retired that missed L2") },
	{ NAMES("MEM_LOAD_RETIRED.L2_HIT"), MODEL(BONNELL, 0xcb, 0x01, EVERY),
	  PMU_WORDS("loads retired that missed L1D and hit L2") },
	{ NAMES("MEM_LOAD_RETIRED.L2_MISS"), MODEL(BONNELL, 0xcb, 0x02, EVERY),
	  PMU_WORDS("loads retired that missed L2") },
	{ NAMES("MEM_LOAD_RETIRED.L2_HIT"), MODEL(NEHALEM, 0xcb, 0x02, EVERY),
	  PMU_WORDS("loads retired that missed L1D and hit L2") },
	{ NAMES("MEM_LOAD_UOPS_RETIRED.L2_HIT"), MODEL(UOPS, 0xd1, 0x02, 0xf),
	  PMU_WORDS("loading micro-operations retired that missed L1D and hit L2") },
	{ NAMES("MEM_LOAD_UOPS_RETIRED.L1_MISS"), MODEL(UOPS & ~SANDY, 0xd1, 0x08, 0xf),
	  PMU_WORDS("loading micro-operations retired that missed L1D") },
	{ NAMES("MEM_LOAD_UOPS_RETIRED.L2_MISS"), MODEL(UOPS & ~SANDY, 0xd1, 0x10, 0xf),
	  PMU_WORDS("loading micro-operations retired that missed L2") },
	{ NAMES("MEM_LOAD_RETIRED.L2_HIT"), MODEL(SKYLAKE | ICE_LAKE, 0xd1, 0x02, 0xf),
	  PMU_WORDS("loads retired that missed L1D and hit L2") },
	{ NAMES("MEM_LOAD_RETIRED.L1_MISS"), MODEL(SKYLAKE | ICE_LAKE, 0xd1, 0x08, 0xf),
	  PMU_WORDS("loads retired that missed L1D") },
	{ NAMES("MEM_LOAD_RETIRED.L2_MISS"), MODEL(SKYLAKE | ICE_LAKE, 0xd1, 0x10, 0xf),
	  PMU_WORDS("loads retired that missed L2") },

	/* AMD. Sources: Linux' perf and libpfm4, lists of AMD's events */
	{ NAMES("RETIRED_INSTRUCTIONS"), MODEL(PMU_ON_AMD, 0xc0, 0x00, EVERY),
	  PMU_WORDS("instructions retired, and entries of exceptions and interrupts") },
	{ NAMES("CPU_CLOCKS_NOT_HALTED", "CYCLES_NOT_IN_HALT"),
	  CLOCKS(PMU_ON_AMD_OLD | PMU_ON_ZEN, 0x76, EVERY), PMU_WORDS("clocks, not halted") },
	{ NAMES("CPU_CLOCKS_NOT_HALTED", "CYCLES_NOT_IN_HALT"),
	  CLOCKS(PMU_ON_AMD_15H, 0x76, 0x07), PMU_WORDS("clocks, not halted; counters 0 to 2") },
	{ NAMES("RETIRED_BRANCHES", "RETIRED_BRANCH_INSTRUCTIONS"),
	  MODEL(PMU_ON_AMD, 0xc2, 0x00, EVERY),
	  PMU_WORDS("branches retired, and entries of exceptions and interrupts") },
	{ NAMES("RETIRED_MISPREDICTED_BRANCHES"), MODEL(PMU_ON_AMD, 0xc3, 0x00, EVERY),
	  PMU_WORDS("mispredicted ones of them; on Zen far ones, too") },
	{ NAMES("RETIRED_TAKEN_BRANCHES"), MODEL(PMU_ON_AMD, 0xc4, 0x00, EVERY),
	  PMU_WORDS("those of them that were taken") },
	{ NAMES("RETIRED_FAR_TRANSFERS"), MODEL(PMU_ON_AMD, 0xc6, 0x00, EVERY),
	  PMU_WORDS("far branches, exceptions and interrupts") },
	{ NAMES("RETIRED_NEAR_RETURNS"), MODEL(PMU_ON_AMD, 0xc8, 0x00, EVERY),
	  PMU_WORDS("near returns") },
	{ NAMES("RETIRED_CONDITIONAL_BRANCHES"), MODEL(PMU_ON_ZEN, 0xd1, 0x00, EVERY),
	  PMU_WORDS("conditional branches retired, taken or not") },
	{ NAMES("INTERRUPTS_TAKEN"), MODEL(PMU_ON_AMD_OLD | PMU_ON_AMD_15H, 0xcf, 0x00, EVERY),
	  PMU_WORDS("hardware interrupts taken") },
	{ NAMES("INTERRUPTS_TAKEN"), MODEL(PMU_ON_ZEN, 0x2c, 0x00, EVERY),
	  PMU_WORDS("hardware interrupts taken") },
};

const unsigned arch_event_count = COUNT_OF(arch_events);
