/* SPDX-License-Identifier: MIT */
/*
 * The rows of errata.h, one for each name: two names are of one processor's desktop and mobile
 * parts. Where an erratum is of a desktop or mobile part, its servers are included. What makes a
 * test fail only after an SMI, in a sleep state or with Processor Trace is not here, because no
 * test does that; nor is an erratum without published conditions, such as HSD140, which would
 * explain every failure. docs/silicon.md has those that are not here, and why. Lynnfield's
 * specification updates have Bloomfield's errata under other names.
 */
#include <pmu/core/errata.h>

#include <arch/regs/table.h>
#include <pmu/core/microarchitecture.h>
#include <pmu/core/models.h>

#define ALL            UINT16_MAX
#define FROM(stepping) ((uint16_t)(ALL << (stepping)))
#define BELOW(stepping) ((uint16_t)~FROM(stepping))

#define P6(...)        .family = 6, .models = { __VA_ARGS__ }
#define NETBURST(...)  .family = 15, .models = { __VA_ARGS__ }, .steppings = ALL
#define CORE_2         P6(ON_CORE2), .steppings = ALL
#define NEHALEM        P6(ON_NEHALEM), .steppings = ALL
#define BLOOMFIELD     P6(0x1a, 0x2e), .steppings = ALL
#define LYNNFIELD      P6(0x1e, 0x1f), .steppings = ALL
#define WESTMERE       P6(ON_WESTMERE), .steppings = ALL
#define SANDY          P6(ON_SNB), .steppings = ALL
#define IVY            P6(ON_IVB), .steppings = ALL
#define HASWELL        P6(ON_HASWELL), .steppings = ALL
#define BROADWELL      P6(ON_BROADWELL), .steppings = ALL
#define BROADWELL_M    P6(0x3d), .steppings = ALL
#define SKYLAKE        P6(0x4e, 0x5e, 0x55), .steppings = ALL
#define KABY_LAKE      P6(0x8e, 0x9e), .steppings = BELOW(10)
#define COFFEE_LAKE    P6(0x8e, 0x9e), .steppings = FROM(10)
#define COMET_LAKE     P6(0xa5, 0xa6), .steppings = ALL

/* Families from 10H on are AMD's: errata.c. */
#define AMD_10H_B      .family = 0x10, .models = { 0x02 }, .steppings = ALL
#define AMD_15H_B2     .family = 0x15, .models = { 0x01 }, .steppings = ALL
#define AMD_15H_C0     .family = 0x15, .models = { 0x02, 0x10, 0x13 }, .steppings = ALL
#define AMD_16H        .family = 0x16, .models = { 0x00, 0x30 }, .steppings = ALL

/* The guides name 17H_01H, 08H, 11H, 18H and 20H; 17H_31H; 19H_01H and 08H. The other models of
 * these cores, and Hygon's family 18H, have the same ones. */
#define AMD_ZEN        .on = PMU_ON_ZEN_1, .steppings = ALL
#define AMD_ZEN_2      .on = PMU_ON_ZEN_2, .steppings = ALL
#define AMD_ZEN_3      .on = PMU_ON_ZEN_3, .steppings = ALL
#define GUIDE(n)       .source = "AMD Revision Guide " n

#define UPDATE(of)     .source = of " Specification Update"
#define CORE(n)        UPDATE("Intel Core Processor, generation " n)

/* ------------------------------------------------------------------ what several names share */

#define RETIRED_TOO_MANY \
	.tests = { "amd.*", "svm.*", "pmu.*", "presets.*", "summary", "rdpmc.*", \
	           "ibs.with_counters" }, \
	.what = "*", .sentence = "instructions and branches retired may count too many"
#define REP_COUNTS_MORE \
	.tests = { "arch.instructions.rep_*", "arch.branches.movs*", "arch.branches.stos*", \
	           "errata.rep_*" }, \
	.what = "*", \
	.sentence = "REP MOVS and REP STOS with fast strings may count more than one instruction"
#define LAST_CACHE \
	.tests = { "arch.cache.*" }, .what = "*", \
	.sentence = "events 2EH of the last cache, references and misses, are inexact"
#define DEAF_AT_CPL \
	.tests = { "arch.filters.cycles_sum", "arch.filters.transitions*", "arch.filters.sys*" }, \
	.what = "*", \
	.sentence = "with one of OS and USR a counter is deaf for a moment at each change of CPL"
#define FREEZE_TWICE \
	.tests = { "lbr.freeze.*", "lbr.call_stack.freeze" }, .what = "*before the newest", \
	.sentence = "a PMI that freezes the records may leave the newest one twice"
#define EXIT_CLEARS_FIXED \
	.tests = { "vmx.global.exit_load", "vmx.global.failed_entry" }, \
	.what = "IA32_PERF_GLOBAL_CTRL?34:32?*", \
	.sentence = "a VM exit that loads IA32_PERF_GLOBAL_CTRL may clear its bits 34:32 instead"
#define EVENTING_IP \
	.tests = { "pebs.record.eventing_ip" }, .what = "*", \
	.sentence = "EventingIP behind a Jcc that is not taken may name the instruction before"
#define RECORD_TOO_LATE \
	.tests = { "pebs.nothing.*", "pebs.switch.area" }, .what = "*", \
	.sentence = "a record may be written after PEBS or its counter was disabled"
#define PMI_REPEATS \
	.tests = { "arch.pmi.masked", "arch.pmi.delivery.rewritten" }, .what = "*", \
	.sentence = "a PMI repeats until the overflow's status bit is cleared"
#define FROM_RESTORED \
	.tests = { "lbr.registers.sign", "lbr.registers.records", "errata.from_restored" }, \
	.what = "*", \
	.sentence = "without transactions a FROM with bits 62:61 raises #GP or changes"
#define SHORT_PERIODS \
	.tests = { "pebs.period.*", "pebs.nothing.left_over", "pebs.threshold.*" }, \
	.what = "INST_RETIRED.PREC_DIST*", \
	.sentence = "INST_RETIRED.PREC_DIST with a reset value below 100 gives wrong " \
	            "records and PMIs"
#define LOW_BITS \
	.tests = { "pebs.period.*", "pebs.nothing.left_over", "pebs.threshold.*" }, \
	.what = "INST_RETIRED.PREC_DIST*", \
	.sentence = "INST_RETIRED.PREC_DIST gives several records for one overflow, unless the " \
	            "low six bits of the reset value are 0"
#define NEIGHBOUR_COUNTS \
	.condition = WITH_THREADS, \
	.tests = { "presets.ld_ins", "presets.sr_ins", "presets.l?_*" }, \
	.what = "*", \
	           \
	.sentence = "with Hyper-Threading events D0H to D3H may count on the other thread"
#define FREEZE_MANY \
	.tests = { "arch.freeze.legacy" }, .what = "*PMIs*", .condition = WITH_THREADS, \
	.sentence = "fixed counter 0 with the freeze and Hyper-Threading raises several PMIs"
#define STUCK_STATUS \
	.tests = { "arch.status.clear_*" }, .what = "*IA32_PERF_GLOBAL_STATUS*", \
	.sentence = "an overflow close to the stop may leave a status bit that cannot be cleared"
#define FIXED_1_WRITE \
	.tests = { "arch.counters.fixed_write", "arch.status.write_is_no_wrap", \
	           "arch.status.no_wrap", "errata.fixed_1_write" }, .what = "*IA32_FIXED_CTR1*", \
	.sentence = "a write of fixed counter 1 that is all ones may store another value"
#define FIXED_2_PMI \
	.tests = { "arch.status.write_is_no_wrap", "arch.counters.fixed_write", \
	           "arch.pmi.only_by_overflow" }, .what = "*", \
	.sentence = "a write of fixed counter 2 that is close to its wrap raises a PMI"
#define PMI_AT_MAXIMUM \
	.tests = { "pebs.full.maximum", "pebs.threshold.never" }, .what = "*PMI*", \
	.sentence = "a PMI comes although the index of PEBS is at the absolute maximum"
#define FREEZE_FROM \
	.tests = { "lbr.freeze.legacy", "pebs.freeze.lbr", "pebs.freeze.newest" }, \
	.what = "*FROM*", \
	           \
	.sentence = "FROM of the newest record may be wrong where a PMI freezes the records"
#define NEEDS_TOGGLE \
	.tests = { "arch.enumeration.alive", "arch.enumeration.each_counts" }, .what = "*", \
	.sentence = "a general counter may count clocks, or nothing, after power-on"
#define ENABLED_BY_RESET \
	.tests = { "arch.enumeration.reset_values", "arch.smp.reset_equal", \
	           "errata.enabled_by_reset" }, \
	.what = "IA32_PERF_GLOBAL_CTRL*", \
	.sentence = "IA32_PERF_GLOBAL_CTRL[34:32] may be 7 after RESET"
#define RECORDS_OF_POWER_UP \
	.tests = { "lbr.registers.power_up" }, .what = "*", \
	.sentence = "a second RESET during power-up leaves the branch records as they were"
#define SEVERAL_PMIS \
	.tests = { "arch.pmi.two.together", "arch.pmi.every_counter" }, .what = "*PMI*", \
	.sentence = "fixed counter 2 that overflows together with another one raises several PMIs"
#define BTS_FROM_REPEATS \
	.tests = { "bts.records.*" }, .what = "*from*", \
	.sentence = "FROM of a branch trace record may be that of the record before"
#define SELECTS_READ_BADLY \
	.condition = WITHOUT_THREADS, .tests = { "arch.registers.perfevtsel*", \
	           "errata.select_read" }, \
	.what = "IA32_PERFEVTSEL?*", \
	.sentence = "RDMSR of IA32_PERFEVTSEL4 to 7 may not return what was written"
#define IRET_TWICE \
	.tests = { "arch.instructions.*iret*", "arch.instructions.fault", \
	           "arch.filters.transitions*", "errata.iret_twice" }, \
	.what = "*", .sentence = "event C0H may count an IRET twice"
#define ZERO_LENGTH_CALL \
	.tests = { "lbr.call_stack.*" }, .what = "*", \
	.sentence = "call-stack mode records a CALL to the next instruction"
#define FIXED_0_GAINS \
	.condition = WITH_THREADS, \
	.tests = { "arch.status.exact", "arch.pmi.reload.fixed", "arch.instructions.*", \
	           "arch.freeze.legacy*", "arch.smp.*", "arch.identities.*", \
	           "arch.enumeration.*", "smm.freeze.counts" }, \
	.what = "*IA32_FIXED_CTR0*", \
	.sentence = "with Hyper-Threading fixed counter 0 may gain up to 32 when it is enabled"
#define USER_ONLY_UPPER \
	.condition = WITHOUT_THREADS, \
	.tests = { "arch.filters.cpl?", "arch.enumeration.all_count", "errata.user_only", \
	           "arch.user.rdpmc.running", "arch.x64.syscall", "vmx.counts.rings", \
	           "arch.pmi.every_counter", "arch.pmi.many" }, \
	.what = "*", \
	.sentence = "IA32_PMC4 to 7 do not count with USR = 1 and OS = 0"
#define SPARES_UPPER \
	.condition = WITHOUT_THREADS, \
	.tests = { "arch.v4.freeze", "arch.v4.freeze_running", "arch.freeze.streamlined*" }, \
	.what = "*IA32_PMC?*", .sentence = "CTR_FRZ does not stop IA32_PMC4 to 7"
#define TSX_TAKES_3 \
	.condition = WITH_TSX, \
	.tests = { "arch.counters.*", "arch.registers.perfevtsel*", "arch.enumeration.all_count", \
	           "arch.v4.inuse_general" }, \
	.what = "*IA32_P*3*", \
	.sentence = "with transactions IA32_PMC3 and its control change: TSX_FORCE_ABORT is 0"
#define ANY_ONE_LEVEL \
	.tests = { "arch.smp.any_thread*", "arch.identities.any_general" }, .what = "*", \
	.sentence = "AnyThread is inexact with events at retirement or with one of OS and USR"
#define TAKEN_TOO_MANY \
	.tests = { "presets.br_ntk", "presets.br_tkn", "sandybridge.events.branches" }, \
	.what = "*", \
	.sentence = "the events NOT_TAKEN and NEAR_TAKEN of branches count too many"

const struct erratum errata[] = {
	/* NetBurst and P6 */
	{ "N15/O8", NETBURST(0, 1, 2), UPDATE("Pentium 4 and Xeon MP"),
	  .tests = { "netburst.overflow.carry.write", "netburst.registers.write_selected",
	             "netburst.registers.carry_32" }, .what = "*",
	  .sentence = "a counter written while its event is active may be 2^32 too high" },
	{ "N17/O9", NETBURST(0, 1, 2), UPDATE("Pentium 4 and Xeon MP"),
	  .tests = { "netburst.overflow.carry.*" }, .what = "*",
	  .sentence = "a counter stopped at the carry into bit 32 is 2^32 too low" },
	{ "P79", NETBURST(1, 2), UPDATE("Xeon"),
	  .tests = { "bts.buffer.maximum", "pebs.full.partial" }, .what = "*",
	  .sentence = "a record that begins below the absolute maximum is stored beyond it" },
	{ "Y3", P6(0x09), .steppings = ALL, UPDATE("Pentium M"),
	  .tests = { "p6.counters.bit_31", "p6.counters.wrap", "p6.registers.counter_write" },
	  .what = "*", .sentence = "the upper bits of a counter may be wrong when it is read" },

	/* Core 2 and Atom */
	{ "AJ067/AR063", CORE_2, UPDATE("Core 2"), .tests = { "pebs.rings.*" }, .what = "*",
	  .sentence = "PEBS does not keep to the levels that OS and USR select" },
	{ "AJ069/AG069", CORE_2, UPDATE("Core 2"), .tests = { "pebs.threshold.ovf_buffer" },
	  .what = "*IA32_PERF_GLOBAL_STATUS*",
	  .sentence = "OvfBuffer is set only while FREEZE_PERFMON_ON_PMI is set" },
	{ "AJ068/AR064", CORE_2, UPDATE("Core 2"), .tests = { "pebs.threshold.*" }, .what = "*",
	  .sentence = "the PMI at the threshold of PEBS may be a record late" },
	{ "AJ106/AM094", CORE_2, UPDATE("Core 2"), .tests = { "pebs.freeze.*", \
	           "lbr.freeze.legacy" },
	  .what = "*", .sentence = "branch records freeze before PEBS requests its PMI" },
	{ "AR062/W125", CORE_2, UPDATE("Core 2"), .tests = { "bts.levels.*" }, .what = "*from*",
	  .sentence = "FROM is wrong around a change of CPL with BTS_OFF_OS or BTS_OFF_USR" },
	{ "W145", CORE_2, UPDATE("Core 2"),
	  .tests = { "arch.cycles.reference_tsc", "arch.cycles.reference", "presets.ref_cyc" },
	  .what = "*",
	  .sentence = "fixed counter 2 counts at the rate of the maximum core to bus ratio" },
	{ "W146", CORE_2, UPDATE("Core 2"),
	  .tests = { "arch.branches.cpuid", "errata.cpuid_branch" }, .what = "*",
	  .sentence = "events C4H/00H and C4H/01H also count CPUID" },

	/* Nehalem and Westmere */
	{ "AAJ075", NEHALEM, CORE("1"), .tests = { "pebs.record.address" }, .what = "*",
	  .sentence = "the data address of a record is not sign extended" },
	{ "AAJ079", NEHALEM, CORE("1"),
	  .tests = { "arch.enumeration.events", "arch.cycles.reference",
	             "errata.reference_event" }, .what = "*",
	  .sentence = "event 3CH/01H does not count, although CPUID.0AH:EBX[2] says "
	            "that it exists" },
	{ "AAJ080", NEHALEM, CORE("1"), .tests = { "arch.branches.misses.*",
	  "errata.mispredictions" }, .what = "*",
	  .sentence = "event C5H does not count mispredicted branches" },
	{ "AAJ083", NEHALEM, CORE("1"), ENABLED_BY_RESET },
	{ "AAT037", WESTMERE, CORE("1"), ENABLED_BY_RESET },
	{ "AAJ091/AAK100", BLOOMFIELD, CORE("1"), NEEDS_TOGGLE },
	{ "AAP053", LYNNFIELD, CORE("1"), NEEDS_TOGGLE },
	{ "AAT043/BD053", WESTMERE, CORE("1"), NEEDS_TOGGLE },
	{ "AAJ119", NEHALEM, CORE("1"), SEVERAL_PMIS },
	{ "AAT056", WESTMERE, CORE("1"), SEVERAL_PMIS },
	{ "AAJ120", NEHALEM, CORE("1"), RECORDS_OF_POWER_UP },
	{ "AAT057", WESTMERE, CORE("1"), RECORDS_OF_POWER_UP },
	{ "AAJ125", NEHALEM, CORE("1"), FREEZE_MANY },
	{ "AAT060", WESTMERE, CORE("1"), FREEZE_MANY },
	{ "AAJ141/AAK155", BLOOMFIELD, CORE("1"), EXIT_CLEARS_FIXED },
	{ "AAP115", LYNNFIELD, CORE("1"), EXIT_CLEARS_FIXED },
	{ "AAT100/BD102", WESTMERE, CORE("1"), EXIT_CLEARS_FIXED },
	{ "AAJ143", NEHALEM, CORE("1"), STUCK_STATUS },
	{ "AAT107", WESTMERE, CORE("1"), STUCK_STATUS },

	/* Sandy Bridge and Ivy Bridge */
	{ "BJ054/BK054", SANDY, CORE("2"), FIXED_1_WRITE },
	{ "BV036/BU036", IVY, CORE("3"), FIXED_1_WRITE },
	{ "BJ058/BK058", SANDY, CORE("2"), STUCK_STATUS },
	{ "BV085/BU087", IVY, CORE("3"), STUCK_STATUS },
	{ "BJ077/BK076", SANDY, CORE("2"), FIXED_2_PMI },
	{ "BV035/BU035", IVY, CORE("3"), FIXED_2_PMI },
	{ "BJ090/BK089", SANDY, CORE("2"), TAKEN_TOO_MANY },
	{ "BJ091/BK090", SANDY, CORE("2"), ANY_ONE_LEVEL },
	{ "BJ094/BK093", SANDY, CORE("2"), FREEZE_FROM },
	{ "BJ097/BK096", SANDY, CORE("2"), .tests = { "pebs.counters.together" }, .what = "*",
	  .sentence = "PREC_DIST with a second precise event gives wrong PMIs and records" },
	{ "BJ101/BK100", SANDY, CORE("2"), PMI_AT_MAXIMUM },
	{ "BV051/BU051", IVY, CORE("3"), PMI_AT_MAXIMUM },
	{ "BJ103/BK102", SANDY, CORE("2"), SHORT_PERIODS },
	{ "BJ122", SANDY, CORE("2"), NEIGHBOUR_COUNTS },
	{ "BV098/BU101", IVY, CORE("3"), NEIGHBOUR_COUNTS },
	{ "BV043/BU043", IVY, CORE("3"), FREEZE_MANY },
	{ "ISPASS 2013", SANDY, CORE("2"), IRET_TWICE },
	{ "BV052/BU052", IVY, CORE("3"), IRET_TWICE },
	{ "BV080/BU081", IVY, CORE("3"), SELECTS_READ_BADLY },

	/* Haswell and Broadwell */
	{ "HSD011/HSM011", HASWELL, CORE("4"), SHORT_PERIODS },
	{ "BDD011/BDM011", BROADWELL, CORE("5"), SHORT_PERIODS },
	{ "HSD029/HSM030", HASWELL, CORE("4"), NEIGHBOUR_COUNTS },
	{ "HSD053/HSM054", HASWELL, CORE("4"), BTS_FROM_REPEATS },
	{ "HSD080/HSM083", HASWELL, CORE("4"), ZERO_LENGTH_CALL },
	{ "HSD091/HSM097", HASWELL, CORE("4"), PMI_REPEATS },
	{ "BDD038/BDM038", BROADWELL, CORE("5"), PMI_REPEATS },
	{ "HSD143/HSM154", HASWELL, CORE("4"), FIXED_0_GAINS },
	{ "HSD159/HSM169", HASWELL, CORE("4"), RECORD_TOO_LATE },
	{ "BDD102/BDM114", BROADWELL, CORE("5"), RECORD_TOO_LATE },
	{ "HSD172/HSM182", HASWELL, CORE("4"), FROM_RESTORED },
	{ "BDD117/BDM127", BROADWELL, CORE("5"), FROM_RESTORED },
	{ "BDD049/BDM050", BROADWELL, CORE("5"), EVENTING_IP },
	{ "BDD053/BDM055", BROADWELL, CORE("5"), LOW_BITS },
	{ "BDD059/BDM062", BROADWELL, CORE("5"), ANY_ONE_LEVEL },
	{ "BDM120", BROADWELL_M, CORE("5"), DEAF_AT_CPL },
	{ "BDD116/BDM126", BROADWELL, CORE("5"), USER_ONLY_UPPER },
	{ "BDM134", BROADWELL_M, CORE("5"), TSX_TAKES_3 },

	/* Skylake to Comet Lake */
	{ "SKL018", SKYLAKE, CORE("6"), EVENTING_IP },
	{ "KBL018", KABY_LAKE, CORE("7"), EVENTING_IP },
	{ "CFL018", COFFEE_LAKE, CORE("8"), EVENTING_IP },
	{ "CML018", COMET_LAKE, CORE("10"), EVENTING_IP },
	{ "SKL051", P6(0x4e, 0x5e), .steppings = ALL, CORE("6"),
	  .tests = { "arch.registers.global_status_set", "arch.status.set_all",
	             "errata.status_set" }, .what = "*[55]*",
	  .sentence = "setting bit 55 by IA32_PERF_GLOBAL_STATUS_SET raises #GP" },
	{ "SKL057", SKYLAKE, CORE("6"), LAST_CACHE },
	{ "KBL042", KABY_LAKE, CORE("7"), LAST_CACHE },
	{ "CFL042", COFFEE_LAKE, CORE("8"), LAST_CACHE },
	{ "CML042", COMET_LAKE, CORE("10"), LAST_CACHE },
	{ "SKL091", SKYLAKE, CORE("6"), REP_COUNTS_MORE },
	{ "KBL057", KABY_LAKE, CORE("7"), REP_COUNTS_MORE },
	{ "CFL057", COFFEE_LAKE, CORE("8"), REP_COUNTS_MORE },
	{ "CML057", COMET_LAKE, CORE("10"), REP_COUNTS_MORE },
	{ "SKL090", SKYLAKE, CORE("6"), SPARES_UPPER },
	{ "KBL056", KABY_LAKE, CORE("7"), SPARES_UPPER },
	{ "CFL056", COFFEE_LAKE, CORE("8"), SPARES_UPPER },
	{ "CML056", COMET_LAKE, CORE("10"), SPARES_UPPER },
	{ "SKL104", SKYLAKE, CORE("6"), RECORD_TOO_LATE },
	{ "SKL117", SKYLAKE, CORE("6"), DEAF_AT_CPL },
	{ "KBL063", KABY_LAKE, CORE("7"), DEAF_AT_CPL },
	{ "CFL062", COFFEE_LAKE, CORE("8"), DEAF_AT_CPL },
	{ "CML062", COMET_LAKE, CORE("10"), DEAF_AT_CPL },
	{ "SKL179", SKYLAKE, CORE("6"), TSX_TAKES_3 },
	{ "KBL135", KABY_LAKE, CORE("7"), TSX_TAKES_3 },
	{ "SKL186", SKYLAKE, CORE("6"), FREEZE_TWICE },
	{ "KBL143", KABY_LAKE, CORE("7"), FREEZE_TWICE },
	{ "CFL135", COFFEE_LAKE, CORE("8"), FREEZE_TWICE },
	{ "CML121", COMET_LAKE, CORE("10"), FREEZE_TWICE },

	{ "AMD 301", AMD_10H_B, .tests = { "amd.exact.fences" }, .what = "event 1D4H*",
	  GUIDE("41322"), .sentence = "event 1D4H, SFENCE retired, may count wrong" },
	{ "AMD 536", AMD_15H_B2, .tests = { "presets.l1_icm" }, .what = "*", GUIDE("48063"),
	  .sentence = "event 81H does not count misses of a sequential prefetch" },
	{ "AMD 685", AMD_15H_C0, .tests = { "presets.l1_ica" }, .what = "*", GUIDE("48063, 48931"),
	  .sentence = "on odd cores event 80H counts too many" },
	{ "AMD 781", .family = 0x16, .models = { 0x00 }, .steppings = ALL,
	  .tests = { "amd.rdpmc.northbridge" }, .what = "RDPMC*", GUIDE("51810"),
	  .sentence = "RDPMC 6 to 9 may return another counter of the northbridge" },
	{ "AMD 794", AMD_16H, .tests = { "amd.cycles.halted" }, .what = "*", GUIDE("51810, 53072"),
	  .sentence = "clocks not halted may count in HLT" },
	{ "AMD 795", AMD_16H, GUIDE("51810, 53072"), .what = "*",
	  .tests = { "amd.counters.*", "amd.overflow.*", "amd.pmi.*", "amd.sweep.*" },
	  .sentence = "a counter that stops at the carry into bit 32 may lose it" },
	{ "AMD 990", AMD_ZEN, GUIDE("55449"), .what = "*",
	  .tests = { "amd.exact.classes", "amd.merge.*", "presets.fp_ops", "presets.vec_ins" },
	  .sentence = "events 02H, 03H, 05H and CBH may count too many" },
	{ "AMD 1023", .family = 0x17, .models = { 0x01 }, .steppings = 1 << 1,
	  .tests = { "amd.pmi.two.*", "amd.pmi.nested" }, .what = "*", GUIDE("55449"),
	  .sentence = "with INT on two counters PMIs may stop after the first one" },
	{ "AMD 1291", AMD_ZEN_2, RETIRED_TOO_MANY, GUIDE("56323") },
	{ "AMD 1292", AMD_ZEN_3, RETIRED_TOO_MANY, GUIDE("56683") },
	{ "AMD 1266", AMD_ZEN_3, .tests = { "amd.exact.classes" }, .what = "*", GUIDE("56683"),
	  .sentence = "stores of MMX are not counted by class" },
};

const unsigned erratum_count = COUNT_OF(errata);
