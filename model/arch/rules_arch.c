/* SPDX-License-Identifier: MIT */
/*
 * Processors with architectural performance monitoring, as Bochs poses as them.
 *
 * Sources: counters, widths and CPUID leaves are the values that the chips themselves gave. Bits
 * and behaviour by version: SDM 3B, "Architectural Performance Monitoring", "Version 1" to "Version
 * 6"; SDM 4, "Architectural MSRs".
 *
 * Linear addresses have the width of CPUID.80000008H:EAX[15:8], 32 bits without 64-bit mode.
 *
 * No processor here has RTM, so IN_TX and IN_TXCP are reserved.
 */
#include <model/arch/arch.h>

#include <arch/regs/lbr.h>
#include <model/cache/geometry.h>

/* Invented: geometry.h. */
static const struct cache_invented
	two_levels   = { 0, 12, 150, 20, 14, 8, 1024, 1024, 256, 16 },
	in_order     = { 0, 14, 120, 30, 13, 8, 512, 512, 128, 8 },
	three_levels = { 10, 30, 150, 20, 16, 8, 1024, 1024, 256, 16 };

#define CACHES(row) .caches.line_bytes = 64, .caches.invented = &(row)

/* SDM 3B, figures "Layout of IA32_PERFEVTSELx MSRs", versions 1, 3 and 6. PC exists in all: the SDM
 * calls it reserved from Sandy Bridge on, but chips and hypervisors take it. */
#define EVTSEL_V1  (FIELD(31, 0) & ~IA32_PERFEVTSEL_ANY)
#define EVTSEL_V3  FIELD(31, 0)
#define EVTSEL_V5  (EVTSEL_V1 | IA32_PERFEVTSEL_ADAPTIVE)
#define EVTSEL_V6  (EVTSEL_V5 | IA32_PERFEVTSEL_EQ | IA32_PERFEVTSEL_UMASK2)

/* EN_OS, EN_USR, PMI; with AnyThread. */
#define NIBBLE_V2  (IA32_FIXED_CTR_CTRL_NIBBLE(0) & ~IA32_FIXED_CTR_CTRL_ANY(0))
#define NIBBLE_V3  IA32_FIXED_CTR_CTRL_NIBBLE(0)

/* Bit 61 is in some tables and not in others: accepted. So is bit 63 of the SET register. */
#define CLEAR_V2 (IA32_PERF_GLOBAL_STATUS_OVF_BUFFER | IA32_PERF_GLOBAL_STATUS_COND_CHGD)
#define CLEAR_V3 (CLEAR_V2 | IA32_PERF_GLOBAL_STATUS_OVF_UNCORE)
#define CLEAR_V4 (CLEAR_V3 | IA32_PERF_GLOBAL_STATUS_LBR_FRZ | IA32_PERF_GLOBAL_STATUS_CTR_FRZ | \
                  IA32_PERF_GLOBAL_STATUS_ASCI)

/* SDM 4, IA32_DEBUGCTL. BTS_OFF_* need CPUID.1:ECX[4] (DS-CPL), which Yonah lacks. */
#define DEBUGCTL_V1 (IA32_DEBUGCTL_LBR | IA32_DEBUGCTL_BTF | IA32_DEBUGCTL_TR | \
                     IA32_DEBUGCTL_BTS | IA32_DEBUGCTL_BTINT)
#define DEBUGCTL_V2 (DEBUGCTL_V1 | IA32_DEBUGCTL_BTS_OFF_OS | IA32_DEBUGCTL_BTS_OFF_USR | \
                     IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI | IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI)
#define DEBUGCTL_V3 (DEBUGCTL_V2 | IA32_DEBUGCTL_FREEZE_WHILE_SMM)
#define DEBUGCTL_NEHALEM (DEBUGCTL_V3 | IA32_DEBUGCTL_ENABLE_UNCORE_PMI)

#define MISC_READ_ONLY (IA32_MISC_ENABLE_PERFMON | IA32_MISC_ENABLE_BTS_UNAVAILABLE | \
                        IA32_MISC_ENABLE_PEBS_UNAVAILABLE)

#define CAP_V3      IA32_PERF_CAPABILITIES_FREEZE_WHILE_SMM
#define CAP_SNB     (CAP_V3 | IA32_PERF_CAPABILITIES_FW_WRITE)
#define CAP_METRICS (CAP_SNB | IA32_PERF_CAPABILITIES_PERF_METRICS)

/* By CPUID bit. EBX's availability is ignored, because model-specific events share codes. */
#define EVENTS_V1  0x7fu
#define EVENTS_V5  0xffu
#define EVENTS_V6  0x1dffu                 /* not Topdown Bad Speculation */
#define EVENTS_V6_E 0x1f7fu                /* not Topdown Slots */

/* The rules that all of them share. */
#define COMMON \
	.generation = &model_generation_arch, .counters.usr_cpls = 0xe, \
	.registers.misc_enable_read_only = MISC_READ_ONLY, .registers.has_rdpmc = true, \
	.overflow.pmi_masks_lvtpc = true, .ds.bts_bit = 6

#define VERSION(n, counted) .registers.version = (n), .events.architectural = (counted)
#define BITS(evtsel, nibble) \
	.registers.perfevtsel_bits = (evtsel), .registers.fixed_nibble_bits = (nibble)
#define STATUS(bits) .registers.status_bits = (bits)
#define DEBUGCTL(bits) .registers.debugctl_bits = (bits)
#define CAPABILITIES(bits) .registers.capabilities = (bits)
#define FULL_WIDTH .registers.has_full_width_writes = true
/* G. Zhou and P. Irelan of Intel found so on Sandy Bridge, Ivy Bridge and Haswell (the notes are
 * with the data of V. Weaver). Chosen: so it is on later ones, and on no earlier one. */
#define ENTRY_IS_BRANCH .events.entry_signal = SIGNAL_BRANCHES
#define METRICS CAPABILITIES(CAP_METRICS), .counters.has_perf_metrics = true
/* Linux, intel_pmu_broken_perf_cap(): cores that have the metrics and do not say so. */
#define HIDDEN_METRICS CAPABILITIES(CAP_SNB), .counters.has_perf_metrics = true, \
	.counters.has_sub_metrics = true
#define NO_METRICS CAPABILITIES(CAP_SNB)

#define VERSION_1 COMMON, \
	VERSION(1, EVENTS_V1), BITS(EVTSEL_V1, 0), DEBUGCTL(DEBUGCTL_V1)

/*
 * Version 2 and on: global control, and a freeze that writes it. IRET as measured from Core 2 and
 * Bonnell to Skylake (V. Weaver, D. Terpstra, S. Moore, "Non-determinism and overcount on modern
 * hardware performance counter implementations", ISPASS 2013, and their later data). Chosen: on
 * later ones the same, and on Yonah as on P6.
 */
#define GLOBAL COMMON, .registers.has_global_control = true, .ds.has_dtes64 = true, \
	.counters.iret_counts_after = true

#define VERSION_2 GLOBAL, \
	VERSION(2, EVENTS_V1), BITS(EVTSEL_V1, NIBBLE_V2), STATUS(CLEAR_V2), \
	DEBUGCTL(DEBUGCTL_V2)

#define VERSION_3(capabilities, debugctl) GLOBAL, \
	VERSION(3, EVENTS_V1), BITS(EVTSEL_V3, NIBBLE_V3), STATUS(CLEAR_V3), \
	CAPABILITIES(capabilities), DEBUGCTL(debugctl)
#define VERSION_3_FULL_WIDTH VERSION_3(CAP_SNB, DEBUGCTL_V3), FULL_WIDTH, ENTRY_IS_BRANCH

/* Version 4 and on: a freeze that sets a status bit. */
#define STREAMLINED GLOBAL, \
	STATUS(CLEAR_V4), DEBUGCTL(DEBUGCTL_V3), FULL_WIDTH, ENTRY_IS_BRANCH, \
	.overflow.freezes_by_status = true

#define VERSION_4 STREAMLINED, \
	VERSION(4, EVENTS_V1), BITS(EVTSEL_V3, NIBBLE_V3), CAPABILITIES(CAP_SNB)

#define VERSION_5 STREAMLINED, \
	VERSION(5, EVENTS_V5), BITS(EVTSEL_V5, NIBBLE_V2)
#define VERSION_5_E STREAMLINED, \
	VERSION(5, EVENTS_V1), BITS(EVTSEL_V5, NIBBLE_V2), NO_METRICS

#define VERSION_6 STREAMLINED, \
	VERSION(6, EVENTS_V6), BITS(EVTSEL_V6, NIBBLE_V2), METRICS, \
	.counters.has_sub_metrics = true
#define VERSION_6_E STREAMLINED, \
	VERSION(6, EVENTS_V6_E), BITS(EVTSEL_V6, NIBBLE_V2), NO_METRICS

/*
 * Last branch records. SDM 3B, "Last Branch, Interrupt, and Exception Recording" by
 * microarchitecture, "Architectural Last Branch Records". Chosen: Core 2 and Bonnell store linear
 * addresses. SDM 2A, leaf 1CH: depths of 8, 16 and 32, cleared in deep C-states, offsets; all
 * filters; mispredictions, cycles and types, but no event logging, which some of these chips have.
 */
#define LBR(n, kind, first_from, first_to) \
	.lbr.depth = (n), .lbr.format = LBR_FORMAT_##kind, \
	.lbr.from = (first_from), .lbr.to = (first_to), .lbr.ler_from = MSR_LER_FROM_IP
#define LBR_PACKED \
	LBR(8, 32, MSR_LASTBRANCH_PACKED(0), 0), \
	.lbr.tos = MSR_LASTBRANCH_TOS_CORE, .lbr.has_offsets = true
#define LBR_AT_40(n) \
	LBR(n, LIP, MSR_LASTBRANCH_FROM_IP_40(0), MSR_LASTBRANCH_TO_IP_60(0)), \
	.lbr.tos = MSR_LASTBRANCH_TOS_CORE
#define LBR_AT_680(n, kind, select) \
	LBR(n, kind, MSR_LASTBRANCH_FROM_IP(0), MSR_LASTBRANCH_TO_IP(0)), \
	.lbr.tos = MSR_LASTBRANCH_TOS_CORE, .lbr.has_offsets = true, .lbr.select_bits = (select)
#define LBR_NEHALEM LBR_AT_680(16, FLAGS, SELECT_NEHALEM)
#define LBR_HASWELL LBR_AT_680(16, FLAGS2, SELECT_HASWELL)
#define LBR_SKYLAKE LBR_AT_680(32, INFO, SELECT_HASWELL), .lbr.info = MSR_LBR_INFO(0)
#define LBR_BY_LEAF_1C(eax) \
	LBR(32, ARCH, IA32_LBR_FROM_IP(0), IA32_LBR_TO_IP(0)), \
	.lbr.info = IA32_LBR_INFO(0), .lbr.is_architectural = true, \
	.lbr.select_bits = FIELD(22, 16) | FIELD(3, 0), .lbr.leaf_1c = { (eax), 7, 7, 0 }, \
	.lbr.ler_takes_int = true
#define LBR_ARCHITECTURAL LBR_BY_LEAF_1C(0x4000000b), .lbr.has_offsets = true
/* Linear addresses, as Skymont and Darkmont say. Chosen: Gracemont and Crestmont, too. */
#define LBR_LINEAR LBR_BY_LEAF_1C(0xc000000b)
#define SELECT_NEHALEM FIELD(8, 0)
#define SELECT_HASWELL (SELECT_NEHALEM | MSR_LBR_SELECT_EN_CALLSTACK)

#define GP(one_thread, two_threads, width) \
	.counters.gp_count = (one_thread), .counters.gp_count_shared = (two_threads), \
	.counters.gp_width = (width)
#define FIXED(map, width) .counters.fixed_map = (map), .counters.fixed_width = (width)
#define LINEAR(bits) .registers.linear_bits = (bits)
#define LEAF_0A(a, b, c, d) .registers.leaf_0a = { (a), (b), (c), (d) }

/* Slots, and the ratio of the core clock to the clock of Unhalted Reference Cycles (the bus; from
 * Skylake on the crystal), rounded, of the chip that was dumped. */
#define TIME(width, ratio) .counters.cycle_width = (width), .counters.bus_ratio = (ratio)

/*
 * PEBS by generation. SDM 3B: "Precise Event Based Sampling (PEBS)" of Core and Atom, "Processor
 * Event Based Sampling (PEBS)" of Nehalem to Skylake, where IA32_PEBS_ENABLE has bits for the load
 * latency (and precise stores), "Extended PEBS" and "Adaptive PEBS" since then.
 */
#define MISC_ENABLE(bits) .registers.misc_enable = BIT(0) | IA32_MISC_ENABLE_PERFMON | (bits)
#define PEBS(format, counters, whose) \
	.events.model = (whose), MISC_ENABLE(0), \
	.ds.pebs_format = (format), .ds.pebs_counters = (counters)
#define PEBS_4_PMCS FIELD(3, 0)
#define LOAD_LATENCY .ds.pebs_ld_lat_bits = MSR_PEBS_LD_LAT_THRESHOLD
#define LATENCY_ENABLE .ds.pebs_enable_bits = FIELD(35, 32), LOAD_LATENCY
#define PRECISE_STORE .ds.pebs_enable_bits = FIELD(35, 32) | BIT(63), LOAD_LATENCY
#define FRONTEND .ds.pebs_frontend_bits = FIELD(22, 0)
#define GROUPS (MSR_PEBS_DATA_CFG_MEMORY | MSR_PEBS_DATA_CFG_GPRS | MSR_PEBS_DATA_CFG_XMMS | \
                MSR_PEBS_DATA_CFG_LBRS | MSR_PEBS_DATA_CFG_LBR_ENTRIES)
#define COUNTER_GROUP (MSR_PEBS_DATA_CFG_COUNTERS | MSR_PEBS_DATA_CFG_METRICS | \
                       MSR_PEBS_DATA_CFG_PMCS | MSR_PEBS_DATA_CFG_FIXED)
#define RECORDS(format, counters, groups, whose) \
	PEBS(format, counters, whose), LOAD_LATENCY, \
	.ds.pebs_is_adaptive = true, .ds.pebs_data_cfg_bits = (groups)
#define ADAPTIVE(format, pmcs, groups, whose) \
	RECORDS(format, FIELD((pmcs) - 1, 0) | FIELD(35, 32), groups, whose), FRONTEND
/* Efficient cores have no MSR_PEBS_FRONTEND. Chosen: each of their counters records. */
#define ADAPTIVE_E(format, pmcs, fixed, groups, whose) \
	RECORDS(format, FIELD((pmcs) - 1, 0) | (uint64_t)(fixed) << 32, groups, whose)

#define PEBS_CORE      PEBS(0, BIT(0), MODEL_CORE2)
#define PEBS_BONNELL   PEBS(0, BIT(0), MODEL_BONNELL)
#define PEBS_NEHALEM(whose) PEBS(1, PEBS_4_PMCS, whose), LATENCY_ENABLE
#define PEBS_SANDY     PEBS(1, PEBS_4_PMCS, MODEL_SANDY_BRIDGE), PRECISE_STORE
#define PEBS_IVY       PEBS(1, PEBS_4_PMCS, MODEL_IVY_BRIDGE), PRECISE_STORE
#define PEBS_HASWELL(whose) PEBS(2, PEBS_4_PMCS, whose), LATENCY_ENABLE
#define PEBS_SKYLAKE   PEBS(3, PEBS_4_PMCS, MODEL_SKYLAKE), LATENCY_ENABLE, FRONTEND
#define PEBS_ICE_LAKE(whose) ADAPTIVE(4, 8, GROUPS, whose)
#define PEBS_LION_COVE ADAPTIVE(6, 10, GROUPS | COUNTER_GROUP, MODEL_LION_COVE)
#define PEBS_GOLDEN(format) ADAPTIVE(format, 8, GROUPS, MODEL_GOLDEN_COVE)
#define PEBS_SKYMONT   ADAPTIVE_E(6, 8, 0x77, GROUPS | \
	(COUNTER_GROUP & ~MSR_PEBS_DATA_CFG_METRICS), MODEL_SKYMONT)
#define NO_PEBS        MISC_ENABLE(IA32_MISC_ENABLE_PEBS_UNAVAILABLE)

/* The rules that several share. */
#define SINCE_NEHALEM(one_thread, two_threads, fixed) \
	CACHES(three_levels), GP(one_thread, two_threads, 48), FIXED(fixed, 48)
#define NEHALEM(whose) VERSION_3(CAP_V3, DEBUGCTL_NEHALEM), LBR_NEHALEM, \
	PEBS_NEHALEM(whose), LINEAR(48), SINCE_NEHALEM(4, 4, 0x7)
#define SANDY VERSION_3_FULL_WIDTH, LINEAR(48), SINCE_NEHALEM(8, 4, 0x7), \
	LEAF_0A(0x07300003, 0, 0, 0x603)
#define SKYLAKE VERSION_4, LBR_SKYLAKE, PEBS_SKYLAKE, \
	LINEAR(48), SINCE_NEHALEM(8, 4, 0x7), LEAF_0A(0x07300004, 0, 0, 0x603)
#define ICE_LAKE(whose) VERSION_5, METRICS, PEBS_ICE_LAKE(whose), SINCE_NEHALEM(8, 8, 0xf), \
	LEAF_0A(0x08300005, 0, 0xf, 0x8604)

/*
 * The cores of hybrid processors, performance first. Leaf 0AH reports what both types have in
 * common: that of a Core i5-12600K, and its caches. Chosen: Meteor Lake's has the same events.
 */
#define HYBRID(type, gp) LINEAR(48), TIME_OF_HYBRIDS(type), \
	LEAF_0A(0x07300005, 0, 0x7, 0x8603), .registers.leaf_0a_gp_count = (gp), \
	.registers.leaf_1a = (type)
#define TIME_OF_HYBRIDS(type) TIME((type) >> 24 == 0x40 ? 6 : 5, 96)
#define P_CORE(type, gp, format) VERSION_5, HIDDEN_METRICS, LBR_ARCHITECTURAL, HYBRID(type, gp), \
	PEBS_GOLDEN(format), SINCE_NEHALEM(8, 8, 0xf), \
	TLB(32, 8, 16, 4), L1(64, 8, 64, 12), L2_L3(2048, 10, 32768, 10)
#define E_CORE(type, gp, format) VERSION_5_E, LBR_LINEAR, HYBRID(type, gp), \
	ADAPTIVE_E(format, gp, 0x7, GROUPS, MODEL_GRACEMONT), SINCE_NEHALEM(gp, gp, 0x7), \
	TLB(1, 64, 1, 32), L1(128, 8, 64, 8), L2_L3(2048, 16, 32768, 10)

const struct model_rules model_rules_arch[] = {
	{ .name = "Yonah", .cpuid_1_eax = 0x006e0, VERSION_1, LINEAR(32), LBR_PACKED, NO_PEBS,
	  GP(2, 2, 40), TIME(3, 11), LEAF_0A(0x07280001, 0, 0, 0),
	  CACHES(two_levels), TLB(32, 4, 32, 4), L1(64, 8, 64, 8), L2(4096, 8) },
	/* Leaf 0AH reports one fixed counter although version 3 has three; so does the model. */
	{ .name = "Bonnell", .cpuid_1_eax = 0x106c0, VERSION_3(CAP_V3, DEBUGCTL_V3), LINEAR(32),
	  LBR_AT_40(8), PEBS_BONNELL, GP(2, 2, 40), FIXED(0x1, 40), TIME(2, 12),
	  LEAF_0A(0x07280003, 0, 0, 0x2501),
	  CACHES(in_order), TLB(1, 32, 16, 4), L1(64, 8, 64, 6), L2(1024, 8) },
	{ .name = "Penryn", .cpuid_1_eax = 0x10670,
	  .also = { 0x106d0 }, VERSION_2, LINEAR(48), LBR_AT_40(4), PEBS_CORE,
	  GP(2, 2, 40), FIXED(0x7, 40), TIME(4, 10), LEAF_0A(0x07280002, 0, 0, 0x503),
	  CACHES(two_levels), TLB(32, 4, 64, 4), L1(64, 8, 64, 8), L2(4096, 24) },
	{ .name = "Lynnfield", .cpuid_1_eax = 0x106e0,
	  .also = { 0x106a0, 0x106f0, 0x206e0 }, NEHALEM(MODEL_NEHALEM), TIME(4, 20),
	  LEAF_0A(0x07300003, 0x44, 0, 0x603),
	  TLB(32, 4, 16, 4), L1(128, 4, 64, 8), L2_L3(512, 8, 8192, 16) },
	{ .name = "Arrandale", .cpuid_1_eax = 0x20650,
	  .also = { 0x206c0, 0x206f0 }, NEHALEM(MODEL_WESTMERE), TIME(4, 18),
	  LEAF_0A(0x07300003, 0x04, 0, 0x603),
	  TLB(16, 4, 16, 4), L1(128, 4, 64, 8), L2_L3(512, 8, 4096, 12) },
	{ .name = "Sandy Bridge", .cpuid_1_eax = 0x206a0,
	  .also = { 0x206d0 }, SANDY, LBR_NEHALEM, PEBS_SANDY,
	  TIME(4, 34), TLB(32, 4, 16, 4), L1(64, 8, 64, 8), L2_L3(512, 8, 8192, 16) },
	{ .name = "Ivy Bridge", .cpuid_1_eax = 0x306a0,
	  .also = { 0x306e0 }, SANDY, LBR_NEHALEM, PEBS_IVY,
	  TIME(4, 35), TLB(16, 4, 16, 4), L1(64, 8, 64, 8), L2_L3(512, 8, 8192, 16) },
	{ .name = "Haswell", .cpuid_1_eax = 0x306c0,
	  .also = { 0x306f0, 0x40650, 0x40660 }, SANDY, LBR_HASWELL,
	  PEBS_HASWELL(MODEL_HASWELL), TIME(4, 34),
	  TLB(8, 8, 16, 4), L1(64, 8, 64, 8), L2_L3(512, 8, 8192, 16) },
	{ .name = "Broadwell", .cpuid_1_eax = 0x306d0,
	  .also = { 0x40670, 0x406f0, 0x50660 }, SANDY, LBR_HASWELL,
	  PEBS_HASWELL(MODEL_BROADWELL), TIME(4, 24),
	  TLB(8, 8, 16, 4), L1(64, 8, 64, 8), L2_L3(512, 8, 4096, 16) },
	{ .name = "Skylake-X", .cpuid_1_eax = 0x50650,
	  .also = { 0x406e0, 0x506e0, 0x806e0, 0x906e0, 0xa0650, 0xa0660 }, SKYLAKE,
	  TIME(4, 140), TLB(8, 8, 16, 4), L1(64, 8, 64, 8), L2_L3(1024, 16, 12288, 11) },
	{ .name = "Cannon Lake", .cpuid_1_eax = 0x60660, SKYLAKE,
	  TIME(4, 92), TLB(8, 8, 16, 4), L1(64, 8, 64, 8), L2_L3(1024, 16, 12288, 11) },
	{ .name = "Ice Lake", .cpuid_1_eax = 0x706e0,
	  .also = { 0x606a0, 0x606c0, 0x706d0, 0xa0670 }, ICE_LAKE(MODEL_ICE_LAKE), LINEAR(48),
	  LBR_SKYLAKE, TIME(5, 34), TLB(1, 8, 16, 4), L1(64, 8, 64, 12), L2_L3(1024, 8, 8192, 16) },
	{ .name = "Tiger Lake", .cpuid_1_eax = 0x806c0,
	  .also = { 0x806d0 }, ICE_LAKE(MODEL_TIGER_LAKE), LINEAR(48),
	  LBR_SKYLAKE, TIME(5, 73),
	  TLB(16, 8, 16, 4), L1(64, 8, 64, 12), L2_L3(1024, 20, 16384, 8) },
	{ .name = "Sapphire Rapids", .cpuid_1_eax = 0x806f0,
	  .also = { 0xc06f0 }, ICE_LAKE(MODEL_SAPPHIRE_RAPIDS),
	  LINEAR(57), LBR_ARCHITECTURAL, .counters.has_sub_metrics = true,
	  TIME(6, 80), TLB(32, 8, 16, 4), L1(64, 8, 64, 12), L2_L3(2048, 16, 90112, 15) },
	{ .name = "Alder Lake", .cpuid_1_eax = 0x90670,
	  .also = { 0x906a0, 0xb0670, 0xb06a0, 0xb06f0 }, P_CORE(0x40000001, 6, 4) },
	{ .name = "Gracemont", .cpuid_1_eax = 0x90670,
	  .also = { 0x906a0, 0xb0670, 0xb06a0, 0xb06f0, 0xb06e0 }, E_CORE(0x20000001, 6, 4) },
	{ .name = "Meteor Lake", .cpuid_1_eax = 0xa06a0,
	  .also = { 0xa06c0, 0xb0650 }, P_CORE(0x40000002, 8, 5) },
	{ .name = "Crestmont", .cpuid_1_eax = 0xa06a0,
	  .also = { 0xa06c0, 0xb0650 }, E_CORE(0x20000002, 8, 5) },
	/* The performance cores. Leaf 0AH reports only what the efficient cores have, too. */
	{ .name = "Arrow Lake", .cpuid_1_eax = 0xc0660,
	  .also = { 0xc0650, 0xb06d0 }, VERSION_6, LINEAR(48), LBR_ARCHITECTURAL,
	  PEBS_LION_COVE, SINCE_NEHALEM(10, 10, 0xf), TIME(8, 96),
	  LEAF_0A(0x0d300006, 0x280, 0x7, 0x8603), .registers.leaf_0a_gp_count = 8,
	  .registers.leaf_1a = 0x40000003,
	  .registers.has_leaf_23 = true, .registers.leaf_23 = {
		{ 0xb, 0x3, 0, 0 }, { 0x3ff, 0xf, 0, 0 }, { 0 }, { 0x1dff, 0, 0, 0 } },
	  TLB(32, 8, 16, 8), L1(64, 16, 64, 12), L2_L3(4096, 12, 32768, 12) },
	/* Leaf 23H without its sub-leaf 2: counters that others reload are not modelled. */
	{ .name = "Skymont", .cpuid_1_eax = 0xc0660,
	  .also = { 0xc0650, 0xb06d0 }, VERSION_6_E, LINEAR(48), LBR_LINEAR,
	  PEBS_SKYMONT, SINCE_NEHALEM(8, 8, 0x77), TIME(8, 96),
	  LEAF_0A(0x0d300006, 0x280, 0x7, 0x8603), .registers.leaf_1a = 0x20000003,
	  .registers.has_leaf_23 = true, .registers.leaf_23 = {
		{ 0xb, 0x3, 8, 0 }, { 0xff, 0x77, 0, 0 }, { 0 }, { 0x1f7f, 0, 0, 0 } },
	  TLB(1, 64, 1, 32), L1(128, 8, 64, 8), L2_L3(4096, 16, 32768, 12) },
	{ .name = NULL }
};
