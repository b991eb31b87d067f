/* SPDX-License-Identifier: MIT */
/*
 * AMD's processors since K7. Bochs poses as Athlon, Clawhammer, Venice, Tyler, Toliman, Zambezi,
 * Trinity and Zen; the others are for other emulators, and for as=.
 *
 * Sources: APM 2, table "Performance-Monitoring MSR Cross-Reference"; APM 3, "CPUID". Reserved bits
 * of K8, of families 10H, 15H and 17H, and of the counters beyond the core's: VirtualBox's tables
 * of processors; of Zen 3: Linux 9b026073db2f. Chosen, where nobody looked: K7 has the bits of K8,
 * family 11H those of 10H without the host and guest bits, families 12H, 14H and 16H those of 10H,
 * Zen 2 those of Zen, Zen 4 and 5 those of Zen 3.
 *
 * Caches and TLBs: CPUID.80000005H and 80000006H, for the processors of Bochs as Bochs answers, for
 * the others as AMD publishes their sizes. Chosen: there is one level of TLB; an L2 that excludes
 * L1, and an L1I that two cores share, are as others.
 */
#include <model/amd/amd_shared.h>

#include <arch/regs/amd.h>
#include <model/cache/geometry.h>

/* Invented: geometry.h. */
static const struct cache_invented
	k7  = { 0, 11, 120, 20, 10, 8, 1024, 1024, 256, 8 },
	k10 = { 12, 40, 160, 25, 12, 8, 1024, 1024, 256, 16 },
	k15 = { 20, 60, 180, 30, 20, 12, 1024, 1024, 256, 16 },
	zen = { 12, 40, 200, 30, 18, 12, 1024, 1024, 256, 16 };

/*
 * IBS. The bits that take a write are those of VirtualBox's tables, of family 10H, 15H and 17H.
 * Chosen, where nobody looked: families 12H, 14H and 16H are as 15H, later ones as 17H, whose
 * control has the bits that came later, too. The number of the entry of the extended LVT, which
 * firmware chooses, is what these tables show.
 */
#define IBS_CAPS_12H 0xff
#define IBS_CAPS_17H 0x3ff
#define DATA3_10H    (FIELD(63, 32) | FIELD(19, 13) | FIELD(8, 0))
#define IBS_15H(rise) { \
	.caps = IBS_CAPS_12H, .control = IbsControl_LvtOffsetVal, \
	.fetch_ctl = IbsFetchCtl_RandEn | IbsFetchCtl_En | IbsFetchCtl_MaxCnt, \
	.op_ctl = IbsOpCtl_CurCnt | FIELD(26, 17) | IbsOpCtl_MaxCnt, .op_data = FIELD(37, 0), \
	.op_data2 = FIELD(5, 4) | FIELD(2, 0), \
	.op_data3 = FIELD(47, 32) | FIELD(19, 11) | FIELD(9, 0), .op_data3_fields = DATA3_10H, \
	.dc_linear = ~UINT64_C(0), .dc_physical = FIELD(47, 0), .loads_on_rise = (rise) }
#define IBS_17H(more, fetch, op, rise) { \
	.caps = IBS_CAPS_17H | (more), .control = IbsControl_LvtOffsetVal, \
	.fetch_ctl = IbsFetchCtl_RandEn | IbsFetchCtl_En | IbsFetchCtl_MaxCnt | (fetch), \
	.fetch_linear = FIELD(47, 0), .fetch_physical = FIELD(47, 0), \
	.op_ctl = IbsOpCtl_CurCnt | FIELD(26, 17) | IbsOpCtl_MaxCnt | (op), \
	.op_data = FIELD(40, 34) | FIELD(31, 0), .op_data2 = FIELD(5, 4) | FIELD(2, 0), \
	.op_data3 = ~FIELD(12, 9), .op_data3_fields = ~UINT64_C(0), \
	.dc_linear = ~UINT64_C(0), .dc_physical = FIELD(47, 0), .loads_on_rise = (rise) }
static const struct model_ibs_rules ibs_10h = {
	.caps = CPUID_AMD_IBS_EAX_FetchSam | CPUID_AMD_IBS_EAX_OpSam,
	.control = IbsControl_LvtOffsetVal | 1,
	.fetch_ctl = IbsFetchCtl_RandEn | IbsFetchCtl_Val | IbsFetchCtl_En | IbsFetchCtl_Cnt |
	             IbsFetchCtl_MaxCnt,
	.op_ctl = FIELD(19, 0), .op_data2 = FIELD(5, 4) | FIELD(2, 0),
	.op_data3_fields = DATA3_10H, .dc_linear = FIELD(63, 47),
}, ibs_12h = IBS_15H(false), ibs_16h = IBS_15H(true), ibs_zen = IBS_17H(0, 0, 0, true),
ibs_zen3 = IBS_17H(0, 0, 0, false),
ibs_zen4 = IBS_17H(CPUID_AMD_IBS_EAX_L3MissFilter, IbsFetchCtl_L3MissOnly, IbsOpCtl_L3MissOnly,
                   false),
ibs_zen5 = IBS_17H(CPUID_AMD_IBS_EAX_L3MissFilter | CPUID_AMD_IBS_EAX_LoadLatFilter,
                   IbsFetchCtl_L3MissOnly,
                   IbsOpCtl_L3MissOnly | IbsOpCtl_LatThreshold | IbsOpCtl_LatFilterEn, false);

/* The rules that all of them share. width: micro-operations that retire in a cycle. */
#define COMMON(family, row, width, fetch) \
	.generation = &model_generation_amd, .events.model = (family), \
	.registers.has_rdpmc = true, .lbr.ler_takes_int = true, \
	.counters.gp_width = PERF_CTR_WIDTH, .counters.fixed_width = 64, \
	.counters.usr_cpls = 0xe, .counters.cycle_width = (width), .counters.bus_ratio = 10, \
	.caches.line_bytes = 64, .caches.invented = &(row), .caches.observes_traffic = true, \
	.caches.predicts_unknown = true, .caches.fetch_bytes = (fetch), .caches.btb = { 512, 4 }

#define IBS(rules) .amd.ibs = &(rules)
#define GP(n) .counters.gp_count = (n), .counters.gp_count_shared = (n)
#define CTL(bits) .registers.perfevtsel_bits = (bits)
#define CTL_K8  (FIELD(31, 0) & ~PERF_CTL_RESERVED_21)
#define CTL_11H (CTL_K8 | PERF_CTL_EVENT_SELECT_HIGH)
#define CTL_10H (CTL_11H | PERF_CTL_GUEST_ONLY | PERF_CTL_HOST_ONLY)
#define CTL_19H (CTL_10H | PERF_CTL_RESERVED_42)
#define DEBUGCTL(bits) .registers.debugctl_bits = (bits)

/* Up to Fam14h. */
#define LEGACY(family, row, width, fetch, bits) \
	COMMON(family, row, width, fetch), GP(PERF_LEGACY_COUNTERS), CTL(bits), \
	DEBUGCTL(FIELD(5, 0))
#define K7  LEGACY(AMD_K7, k7, 3, 16, CTL_K8)
#define K8  LEGACY(AMD_K8, k7, 3, 16, CTL_K8), \
	TLB(1, 32, 1, 32), L1(512, 2, 512, 2), L2(512, 16)

/* Northbridge, L2I and L3. No source tells the bits of 16H's: those of 15H, and APM 2's figure. */
#define NB(n, bits) .amd.nb_count = (n), .amd.nb_bits = (bits)
#define L3(n, bits, width) \
	.amd.l3_count = (n), .amd.l3_bits = (bits), .amd.l3_width = (width)
#define NB_15H NB(4, UINT64_C(0x1ff0058ffff))
#define DF_17H NB(4, UINT64_C(0xe000000f0068ffff))
#define DF_19H NB(16, FIELD(37, 32) | PERF_CTL_EN | FIELD(27, 24) | FIELD(15, 0))
#define L2I_16H L3(4, FIELD(35, 32) | PERF_CTL_EN | PERF_CTL_INT | FIELD(15, 0), 48)
#define L3_17H L3(6, UINT64_C(0xff0f00000040ffff), 49)
#define L3_19H \
	L3(6, FIELD(57, 56) | FIELD(50, 46) | FIELD(44, 42) | PERF_CTL_EN | FIELD(15, 0), 48)

#define EXTENDED(family, row, width, bits) \
	COMMON(family, row, width, 32), GP(6), CTL(bits)
#define F15 EXTENDED(AMD_15H, k15, 4, CTL_10H), NB_15H, DEBUGCTL(FIELD(5, 0)), \
	IBS(ibs_12h)
#define ZEN \
	.amd.merges = true, .amd.has_irperf = true, .amd.has_mperf = true, \
	.amd.has_spec_lock_map = true
#define F17(family) \
	EXTENDED(family, zen, 8, CTL_10H), DF_17H, L3_17H, DEBUGCTL(FIELD(5, 0)), \
	ZEN
#define F19(family) \
	EXTENDED(family, zen, 8, CTL_19H), L3_19H, \
	.amd.ctl2_bits = PERF_CTL_PREC_RET, ZEN

/* PerfMonV2, with a freeze. */
#define V2(family, status) \
	F19(family), DF_19H, .registers.has_global_control = true, \
	.registers.status_bits = \
		PerfCntrGlobalStatus_LBRSF | PerfCntrGlobalStatus_PMCF | (status), \
	.overflow.freezes_by_status = true, .amd.has_prec_ret = true, \
	.amd.branch_stack = AMD_STACK, \
	DEBUGCTL(DebugCtl_FPMCI | DebugCtl_FLBRI | FIELD(5, 0))

/* Turin keeps bits 7:6 of the status, although it has six counters (mail to the kvm list, 2025). */
#define V2_1AH V2(AMD_ZEN5, FIELD(7, 6))

const struct model_rules model_rules_amd[] = {
	{ .name = "Athlon", .cpuid_1_eax = 0x80000620, K7,
	  TLB(1, 16, 1, 32), L1(512, 2, 512, 2), L2(256, 16) },
	{ .name = "Clawhammer", .cpuid_1_eax = 0x80000f40, K8 },
	{ .name = "Venice", .cpuid_1_eax = 0x80020ff0, K8 },
	{ .name = "Tyler", .cpuid_1_eax = 0x80060f80, K8 },
	{ .name = "Toliman", .cpuid_1_eax = 0x80100f20, LEGACY(AMD_10H, k10, 3, 32, CTL_10H),
	  IBS(ibs_10h), TLB(1, 32, 1, 32), L1(512, 2, 512, 2), L2_L3(512, 16, 1024, 32) },
	{ .name = "Griffin", .cpuid_1_eax = 0x80200f30, LEGACY(AMD_11H, k7, 3, 16, CTL_11H),
	  TLB(1, 32, 1, 32), L1(512, 2, 512, 2), L2(1024, 16) },
	{ .name = "Llano", .cpuid_1_eax = 0x80300f10, LEGACY(AMD_12H, k7, 3, 32, CTL_10H),
	  IBS(ibs_12h), TLB(1, 32, 1, 48), L1(512, 2, 512, 2), L2(1024, 16) },
	{ .name = "Zacate", .cpuid_1_eax = 0x80500f10, LEGACY(AMD_14H, k7, 2, 32, CTL_10H),
	  IBS(ibs_12h), TLB(1, 16, 1, 40), L1(256, 2, 64, 8), L2(512, 16) },
	{ .name = "Mullins", .cpuid_1_eax = 0x80730f00, LEGACY(AMD_16H, k7, 2, 32, CTL_10H),
	  IBS(ibs_16h), NB_15H, L2I_16H, TLB(1, 32, 1, 40), L1(256, 2, 64, 8), L2(2048, 16) },
	{ .name = "Zambezi", .cpuid_1_eax = 0x80600f10, F15,
	  TLB(1, 48, 1, 32), L1(512, 2, 64, 4), L2_L3(2048, 16, 2048, 64) },
	{ .name = "Trinity", .cpuid_1_eax = 0x80610f00, F15,
	  TLB(1, 48, 1, 64), L1(512, 2, 64, 4), L2(2048, 16) },
	{ .name = "Zen", .cpuid_1_eax = 0x80800f10,
	  .also = { 0x80800f80, 0x80810f10, 0x80810f80, 0x80820f00, 0x80900f00, 0x80900f10 },
	  F17(AMD_ZEN),
	  IBS(ibs_zen), TLB(1, 64, 1, 64), L1(256, 4, 64, 8), L2_L3(1024, 8, 16384, 16) },
	{ .name = "Zen 2", .cpuid_1_eax = 0x80870f10,
	  .also = { 0x80830f10, 0x80840f70, 0x80860f00, 0x80860f80, 0x80890f00, 0x808a0f00 },
	  F17(AMD_ZEN2),
	  IBS(ibs_zen), TLB(1, 64, 1, 64), L1(64, 8, 64, 8), L2_L3(1024, 8, 16384, 16) },
	{ .name = "Zen 3", .cpuid_1_eax = 0x80a20f10,
	  .also = { 0x80a00f10, 0x80a00f80, 0x80a40f00, 0x80a40f40, 0x80a50f00 },
	  F19(AMD_ZEN3), DF_17H, DEBUGCTL(FIELD(5, 0)),
	  IBS(ibs_zen3), .amd.branch_stack = AMD_BRS,
	  TLB(1, 64, 1, 64), L1(64, 8, 64, 8), L2_L3(1024, 8, 32768, 16) },
	{ .name = "Zen 4", .cpuid_1_eax = 0x80a60f10,
	  .also = { 0x80a10f10, 0x80a10f80, 0x80a70f40, 0x80a70f50, 0x80a70f80, 0x80aa0f00 },
	  V2(AMD_ZEN4, 0),
	  IBS(ibs_zen4), TLB(1, 64, 1, 72), L1(64, 8, 64, 8), L2_L3(2048, 8, 32768, 16) },
	{ .name = "Zen 5", .cpuid_1_eax = 0x80b40f40,
	  .also = { 0x80b00f20, 0x80b10f10, 0x80b20f40, 0x80b60f00, 0x80b70f00 },
	  V2_1AH,
	  IBS(ibs_zen5), TLB(1, 64, 1, 96), L1(64, 8, 64, 12), L2_L3(1024, 16, 32768, 16) },
	{ .name = NULL }
};
