/* SPDX-License-Identifier: MIT */
/*
 * The rows of silicon.h, each a call of R() with: its name; CPUID's family and models; the source;
 * the tests; what they demand elsewhere; what these processors do instead. The source is the names
 * of errata in Intel's specification updates, or ISPASS for the measurements of V. Weaver,
 * D. Terpstra and S. Moore, "Non-determinism and overcount on modern hardware performance counter
 * implementations" (ISPASS 2013), whose raw data are at github.com/deater/deterministic. Where an
 * erratum is of a desktop or mobile part, its servers are included.
 */
#ifndef TESTS_SUITES_COMMON_SILICON_SILICON_ROWS_H
#define TESTS_SUITES_COMMON_SILICON_SILICON_ROWS_H

#include <pmu/core/models.h>

#define MODELS(...)    __VA_ARGS__
enum { SILICON_MODELS_MAX = 48 };       /* of a row */

#define SILICON_ROWS(R) \
	R(CPUID_IS_BRANCH, 6, MODELS(ON_CORE2), "W146; ISPASS", \
	  "arch.branches.cpuid", "CPUID is no branch", \
	  "CPUID may count as a branch in C4H/00H") \
	R(REP_COUNTS_MORE, 6, MODELS(ON_SKL_TO_CML), "SKL091, KBL057, CFL057, CML057", \
	  "arch.instructions.rep_movsb arch.instructions.rep_stosd arch.branches.movsb " \
	  "arch.branches.stosd pmu.workloads", \
	  "a REP string instruction is one instruction and no branch", \
	  "REP MOVS and REP STOS with fast strings may count more") \
	R(IRET_COUNTS_TWICE, 6, MODELS(ON_SNB, ON_IVB), "BV052, BU052; ISPASS", \
	  "arch.instructions.iret arch.instructions.fault arch.filters.transitions_fault " \
	  "arch.freeze.legacy arch.smp.any_thread pmu.workloads", \
	  "IRET is one instruction on every counter", \
	  "C0H may count an IRET, or an interrupt, twice; fixed counter 0 does not") \
	R(E_CORE_BRANCHES, 6, MODELS(ON_ATOMS), \
	  "MTL012, MTL013, ARL010, ARL011, SRF6, SRF7; kvm-unit-tests 3ffdf39c, db647e43; of " \
	  "Lunar Lake inferred", \
	  "arch.branches.* arch.filters.transitions* arch.filters.sysenter arch.passages.* " \
	  "arch.x64.syscall errata.cpuid_branch gracemont.events.branches " \
	  "gracemont.events.mispredict* pmu.branches.locked pmu.window.branches " \
	  "skymont.events.branches skymont.events.mispredict*", \
	  "each branch counts once in C4H/00H", \
	  "branches are inexact on E-cores, the most around far transfers") \
	R(E_CORE_FAR, 6, MODELS(ON_ATOMS, ON_DARKMONT), \
	  "SRF7; kvm-unit-tests 3ffdf39c, 61a7ee52; of Lunar, Panther and Wildcat Lake inferred", \
	  "arch.instructions.far_call arch.instructions.far_jmp arch.instructions.iret " \
	  "arch.instructions.int_iret arch.instructions.fault arch.filters.transitions* " \
	  "arch.filters.sysenter arch.x64.syscall errata.iret_twice pmu.workloads", \
	  "a far transfer is one instruction", \
	  "instructions count more around far transfers") \
	R(E_CORE_GUESTS, 6, MODELS(ON_ATOMS, ON_DARKMONT), \
	  "SRF6, SRF7; kvm-unit-tests 3ffdf39c, 61a7ee52; of Lunar, Panther and Wildcat Lake " \
	  "inferred", \
	  "vmx.counts.* vmx.lists.counter vmx.pmi.goes_on vmx.pmi.place", \
	  "a VM entry is VMLAUNCH or VMRESUME, and a VM exit is nothing besides", \
	  "each VM entry and each VM exit may add one to instructions and to branches") \
	R(FIXED0_GAINS_32, 6, MODELS(ON_HASWELL), "HSD143, HSM154", \
	  "arch.instructions.* arch.status.exact arch.pmi.reload.fixed pmu.instructions.* " \
	  "pmu.window.* arch.counters.carries", \
	  "fixed counter 0 counts each instruction once", \
	  "with Hyper-Threading fixed counter 0 may gain up to 32 when it is enabled") \
	R(MISSES_ARE_JUNK, 6, MODELS(ON_NEHALEM), "AAJ080", \
	  "arch.branches.misses.constant arch.branches.misses.patterns " \
	  "arch.branches.misses.random", \
	  "mispredicted branches are no more than branches, few on a constant bit and half on a " \
	  "random one", "C5H does not count mispredicted branches") \
	R(CONDITIONAL_COUNTS_0FH, 6, MODELS(ON_NEHALEM), "ISPASS", \
	  "arch.branches.locked_conditional", "C4H/01H counts conditional branches alone", \
	  "C4H/01H also counts MMX and SSE instructions of two opcode bytes, as LOCK XADD has") \
	R(CACHE_INEXACT, 6, MODELS(ON_SKL_TO_CML), "SKL057, KBL050, CFL050, CML042", \
	  "arch.cache.misses_are_references", "misses of the last cache are references, too", \
	  "events 2EH of the last cache are inexact") \
	R(DEAF_AT_CPL_CHANGE, 6, MODELS(0x3d, ON_SKL_TO_CML), \
	  "BDM120, SKL117, KBL063, CFL062, CML062", \
	  "arch.filters.cycles_sum", "cycles with OS alone and with USR alone add up to all", \
	  "with one of OS and USR a counter is deaf for a moment at each change of CPL") \
	R(ANY_INEXACT, 6, MODELS(ON_SNB, ON_BROADWELL), "BJ091, BK090, BDD059, BDM062", \
	  "arch.smp.any_thread arch.identities.any_general", \
	  "a counter with AnyThread counts what both threads count", \
	  "AnyThread with events at retirement, or with one of OS and USR, is inexact") \
	R(NO_REFERENCE_CYCLES, 6, MODELS(ON_NEHALEM), "AAJ079", \
	  "arch.enumeration.events arch.cycles.reference", \
	  "an event that CPUID.0AH:EBX makes available counts", \
	  "3CH/01H does not count, although CPUID.0AH:EBX[2] says that it exists") \
	R(FIXED2_COMES_AGAIN, 6, MODELS(ON_SNB, ON_IVB, ON_HASWELL, ON_BROADWELL, ON_SKL_TO_CML, \
	                                ON_ICL_TO_PTL), \
	  "Intel's perfmon, CPU_CLK_UNHALTED.REF_TSC; kvm-unit-tests 0ef1f6a8; of Panther Lake " \
	  "inferred", \
	  "arch.pmi.every_counter", "one overflow is one PMI, and a cleared bit stays cleared", \
	  "fixed counter 2 may set its bit again after the clear, with another PMI") \
	R(FIXED2_HAS_OWN_RATE, 6, MODELS(ON_CORE2), "W145", \
	  "arch.cycles.reference_tsc presets.ref_cyc", "fixed counter 2 counts at the TSC's rate", \
	  "fixed counter 2 counts at the rate of the maximum core to bus ratio") \
	R(STOP_AT_OVERFLOW, 6, MODELS(ON_NEHALEM, ON_WESTMERE, ON_SNB, ON_IVB), \
	  "AAJ143, AAT107, BJ058, BV038, BV085", \
	  "arch.status.exact arch.counters.carries", \
	  "the last count before the stop sets the status bit when it wraps", \
	  "an overflow close to the stop may leave a bit that cannot be cleared: not provoked") \
	R(FIXED_WRITES, 6, MODELS(ON_SNB, ON_IVB), "BJ054, BJ077, BV035, BV036", \
	  "arch.counters.fixed_write arch.status.write_is_no_wrap", \
	  "a write of a fixed counter that holds all ones stores the value and is no overflow", \
	  "writing fixed counter 1 at all ones may corrupt it, fixed counter 2 may raise a PMI") \
	R(FREEZE_MANY_PMIS, 6, MODELS(ON_NEHALEM, ON_WESTMERE, ON_IVB), "AAJ125, AAT060, BV043", \
	  "arch.freeze.legacy", "one overflow raises one PMI", \
	  "fixed counter 0 with the freeze and Hyper-Threading raises several PMIs") \
	R(PMI_REPEATS, 6, MODELS(ON_HASWELL, ON_BROADWELL), "HSD091, HSM097, BDD038, BDM038", \
	  "arch.pmi.masked", "LVTPC does not remember an overflow under its mask", \
	  "a PMI repeats until the status bit is cleared") \
	R(PMI_AT_ZERO, 6, MODELS(ON_NEHALEM, ON_WESTMERE), "Xen, vpmu_core2.c: PMC quirk", \
	  "arch.pmi.period.user arch.pmi.period.kernel arch.pmi.period.long " \
	  "arch.pmi.every_counter", "one overflow raises one PMI", \
	  "a counter that is 0 when its handler ends may raise PMIs without end") \
	R(LBR_FREEZE_FROM, 6, MODELS(ON_SNB), "BJ094, BK093", \
	  "lbr.freeze.legacy pebs.freeze.lbr", \
	  "the newest record is the last branch before the PMI", \
	  "the newest FROM may be wrong where a PMI freezes the records") \
	R(LBR_RESTORE, 6, MODELS(ON_HASWELL, ON_BROADWELL), \
	  "HSD172, HSM182, HSE117, BDD117, BDM127, BDF85, BDE105", \
	  "lbr.registers.sign", "FROM takes a canonical address", \
	  "without transactions a FROM with bits 62:61 may raise #GP or change") \
	R(PDIR_SHORT, 6, MODELS(ON_SNB, ON_HASWELL, ON_BROADWELL), \
	  "BJ103, BK102, HSD011, HSM011, BDD011, BDM011, BDD053, BDM055", \
	  "pebs.nothing.left_over pebs.period.* pebs.record.* pebs.threshold.*", \
	  "instructions are recorded with every period from 2 on", \
	  "INST_RETIRED.PREC_DIST with a reset value below 100 gives wrong records and counts: " \
	  "these tests use other events, or are skipped") \
	R(PEBS_LEVELS_LEAK, 6, MODELS(ON_CORE2), "AJ067, AR063, W126", \
	  "pebs.rings.*", "records are of the levels that OS and USR select", \
	  "records may be of the other level") \
	R(PEBS_PMI_LATE, 6, MODELS(ON_CORE2), "AJ068, AJ069, AR064, W127, AG069", \
	  "pebs.threshold.at pebs.threshold.many pebs.threshold.ovf_buffer", \
	  "the record that reaches the threshold raises the PMI and sets OvfBuffer", \
	  "the PMI may be a record late, OvfBuffer is set only with FREEZE_PERFMON_ON_PMI") \
	R(FULL_RAISES_PMI, 6, MODELS(ON_SNB, ON_IVB), "BJ101, BK100, BV051, BU051", \
	  "pebs.threshold.never", "a full buffer raises no PMI if its threshold is beyond it", \
	  "a PMI comes although the index is at the absolute maximum") \
	R(STATUS_RACE, 6, MODELS(ON_NEHALEM, ON_WESTMERE, ON_SNB, ON_IVB, ON_HASWELL, \
	                         ON_BROADWELL), "BJ097, BK096; Linux, ds.c", \
	  "pebs.counters.together", "each counter's records name it", \
	  "records of several counters may name none, or several") \
	R(BTS_FROM_REPEATS, 6, MODELS(ON_HASWELL), "HSD053, HSM054", \
	  "bts.records.*", "FROM is the address of the branch", \
	  "FROM may repeat that of the record before") \
	R(BTS_FROM_AT_LEVELS, 6, MODELS(ON_CORE2), "W125, AR62", \
	  "bts.levels.off_os bts.levels.off_usr", "a record's FROM is right at a change of CPL", \
	  "FROM is wrong around a change of CPL with BTS_OFF_OS or BTS_OFF_USR") \
	R(SELECTS_READ_BADLY, 6, MODELS(ON_IVB), "BV080, BU081, BV086, BU088", \
	  "arch.registers.perfevtsel arch.registers.perfevtsel.independent", \
	  "IA32_PERFEVTSEL4 to 7 read as written", \
	  "RDMSR of IA32_PERFEVTSEL4 to 7 may not return what was written; the write works") \
	R(STATUS_SET_55, 6, MODELS(0x4e, 0x5e), "SKL051", \
	  "arch.registers.global_status_set", "391H takes bit 55 where the processor has PT", \
	  "bit 55 raises #GP") \
	R(UPPER_COUNTERS_DEAF, 6, MODELS(ON_BROADWELL), "BDD116, BDM126", \
	  "arch.filters.cpl1 arch.filters.cpl2 arch.filters.cpl3 arch.passages.* " \
	  "arch.enable.combinations arch.freeze.legacy.resume", \
	  "every general counter counts with USR alone", \
	  "IA32_PMC4 to 7 do not count with USR = 1 and OS = 0") \
	R(FREEZE_SPARES_UPPER, 6, MODELS(ON_SKL_TO_CML), "SKL090, KBL056, CFL056, CML056", \
	  "arch.freeze.streamlined arch.freeze.streamlined.*", "CTR_FRZ stops all counters", \
	  "CTR_FRZ does not stop IA32_PMC4 to 7 with Hyper-Threading off") \
	R(TAKEN_INEXACT, 6, MODELS(ON_SNB), "BJ090, BK089", \
	  "presets.br_ntk presets.br_tkn", "branches that are not taken count once", \
	  "NOT_TAKEN and NEAR_TAKEN count too many") \
	R(NEEDS_TOGGLE, 6, MODELS(ON_NEHALEM, ON_WESTMERE), \
	  "AAJ091, AAK100, AAP053, AAT043, BD053", \
	  "arch.enumeration.alive arch.enumeration.each_counts", "each counter counts exactly", \
	  "a counter may count clocks, or nothing, after power-on") \
	R(RETIRED_TWICE, 15, MODELS(3, 4, 6), "ISPASS", \
	  "pmu.workloads", "each instruction counts once in instr_retired", \
	  "EMMS, SFENCE, MFENCE, FLDCW and some others count twice in instr_retired") \
	R(CARRY_OF_32, 15, MODELS(0, 1, 2), "N15, N17, O8, O9", \
	  "netburst.overflow.carry.instructions netburst.overflow.carry.stop " \
	  "netburst.overflow.carry.write netburst.overflow.carries", \
	  "a carry into bit 32 is neither lost by a stop nor added by a write", \
	  "a stop at the carry may lose 2^32, a write may add it") \
	R(UPPER_BITS, 6, MODELS(0x09), "Y3", \
	  "p6.counters.bit_31 p6.counters.wrap p6.counters.carries", \
	  "bits 39:32 read as they were counted", \
	  "the upper bits of a counter may be wrong when it is read") \
	R(BONNELL_LBR, 6, MODELS(0x1c), "Linux, lbr.c", \
	  "lbr.freeze.legacy", "the records freeze with FREEZE_LBRS_ON_PMI", \
	  "steppings below 10 do not freeze their records")

#endif
