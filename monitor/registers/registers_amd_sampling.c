/* SPDX-License-Identifier: MIT */
/* Lists AMD's registers of sampling: IBS, and the branch records beyond the pair. Sources: as
 * amd_ibs.h and amd_branches.h. */
#include <monitor/registers/registers.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/amd.h>
#include <arch/regs/amd_ibs.h>
#include <pmu/sampling/ibs.h>

static const char *const page_sizes[] = {
	[IBS_PAGE_4K] = "4 KB", [IBS_PAGE_2M] = "2 MB", [IBS_PAGE_1G] = "1 GB", "reserved"
};

/* A field that has the name of its constant. */
#define IS(name, prefix)  MONITOR_NAMED(#name, prefix##_##name)

static const struct monitor_field fetch_fields[] = {
	{ "MaxCnt", IbsFetchCtl_MaxCnt, .meaning = "in units of 16 fetches" },
	IS(Cnt, IbsFetchCtl),
	{ "Lat", IbsFetchCtl_Lat, .meaning = "in clocks" },
	{ "En", IbsFetchCtl_En, .meaning = "fetches are sampled", .zero = "none is sampled" },
	{ "Val", IbsFetchCtl_Val, .meaning = "there is a sample, and no other one is taken" },
	{ "Comp", IbsFetchCtl_Comp, .meaning = "the fetch was completed" },
	IS(IcMiss, IbsFetchCtl), IS(PhyAddrValid, IbsFetchCtl),
	{ "L1TlbPgSz", IbsFetchCtl_L1TlbPgSz, .values = page_sizes },
	IS(L1TlbMiss, IbsFetchCtl), IS(L2TlbMiss, IbsFetchCtl),
	{ "RandEn", IbsFetchCtl_RandEn, .meaning = "the counter's low bits are random" },
	IS(L2Miss, IbsFetchCtl), IS(L3MissOnly, IbsFetchCtl), IS(OcMiss, IbsFetchCtl),
	IS(L3Miss, IbsFetchCtl),
	{ .name = NULL }
};

static const struct monitor_field op_fields[] = {
	{ "MaxCnt", IbsOpCtl_MaxCnt, .meaning = "in units of 16 ops or clocks" },
	IS(L3MissOnly, IbsOpCtl),
	{ "En", IbsOpCtl_En, .meaning = "ops are sampled", .zero = "none is sampled" },
	{ "Val", IbsOpCtl_Val, .meaning = "there is a sample, and no other one is taken" },
	{ "CntCtl", IbsOpCtl_CntCtl, .meaning = "counts ops", .zero = "counts clocks" },
	IS(MaxCntHigh, IbsOpCtl), IS(CurCnt, IbsOpCtl), IS(LatThreshold, IbsOpCtl),
	IS(LatFilterEn, IbsOpCtl),
	{ .name = NULL }
};

static const struct monitor_field data_fields[] = {
	{ "CompToRetCtr", IbsOpData_CompToRetCtr, .meaning = "in clocks" },
	{ "TagToRetCtr", IbsOpData_TagToRetCtr, .meaning = "in clocks" },
	IS(OpBrnResync, IbsOpData), IS(OpMispReturn, IbsOpData), IS(OpReturn, IbsOpData),
	IS(OpBrnTaken, IbsOpData), IS(OpBrnMisp, IbsOpData), IS(OpBrnRet, IbsOpData),
	IS(RipInvalid, IbsOpData), IS(OpBrnFuse, IbsOpData), IS(OpMicrocode, IbsOpData),
	{ .name = NULL }
};

static const struct monitor_field data3_fields[] = {
	IS(LdOp, IbsOpData3), IS(StOp, IbsOpData3), IS(DcL1TlbMiss, IbsOpData3),
	IS(DcL2TlbMiss, IbsOpData3), IS(DcL1TlbHit2M, IbsOpData3), IS(DcL1TlbHit1G, IbsOpData3),
	IS(DcL2TlbHit2M, IbsOpData3), IS(DcMiss, IbsOpData3), IS(DcMisAcc, IbsOpData3),
	IS(Bank, IbsOpData3), IS(DcWcMemAcc, IbsOpData3), IS(DcUcMemAcc, IbsOpData3),
	IS(DcLockedOp, IbsOpData3), IS(MabAlloc, IbsOpData3), IS(DcLinAddrValid, IbsOpData3),
	IS(DcPhyAddrValid, IbsOpData3), IS(DcL2TlbHit1G, IbsOpData3), IS(L2Miss, IbsOpData3),
	IS(SwPf, IbsOpData3), IS(OpMemWidth, IbsOpData3),
	IS(OpDcMissOpenMemReqs, IbsOpData3),
	{ "DcMissLat", IbsOpData3_DcMissLat, .meaning = "in clocks" },
	{ "TlbRefillLat", IbsOpData3_TlbRefillLat, .meaning = "in clocks" },
	{ .name = NULL }
};

static const struct monitor_field control_fields[] = {
	{ "LvtOffset", IbsControl_LvtOffset, .meaning = "the entry of the extended LVT" },
	IS(LvtOffsetVal, IbsControl),
	{ .name = NULL }
};

static const struct monitor_field select_fields[] = {
	{ "BITS", LBR_SELECT_BITS, .meaning = "kinds of branches that are left out" },
	{ .name = NULL }
};

static const struct monitor_field stack_fields[] = {
	{ "LBRSE", DbgExtnCfg_LBRSE, .meaning = "branches are recorded" },
	{ .name = NULL }
};

static const struct monitor_field brs_fields[] = {
	{ "EN", BRS_CFG_EN, .meaning = "records after an overflow" },
	{ "ONES", BRS_CFG_ONES, .meaning = "must be 11b" },
	{ "VALID", BRS_CFG_VALID, .meaning = "there are branches" },
	{ "NEXT", BRS_CFG_NEXT, .meaning = "the next entry" },
	{ "PMC", BRS_CFG_PMC, .meaning = "the counter that starts it" },
	{ .name = NULL }
};

static const struct monitor_field from_fields[] = {
	MONITOR_NAMED("ADDRESS", LBR_STACK_ADDRESS),
	{ "MISP", LastBranchStackFromIp_MISP, .meaning = "mispredicted" },
	{ .name = NULL }
};

static const struct monitor_field to_fields[] = {
	MONITOR_NAMED("ADDRESS", LBR_STACK_ADDRESS),
	{ "JUNK", LastBranchStackToIp_JUNK, .meaning = "erratum 1452: no branch" },
	{ "SPEC", LastBranchStackToIp_SPEC, .meaning = "speculative" },
	{ "V", LastBranchStackToIp_V, .meaning = "valid" },
	{ .name = NULL }
};

static bool has_fetch(void)    { return ibs_has(CPUID_AMD_IBS_EAX_FetchSam); }
static bool has_op(void)       { return ibs_has(CPUID_AMD_IBS_EAX_OpSam); }
static bool has_target(void)   { return ibs_has(CPUID_AMD_IBS_EAX_BrnTrgt); }
static bool has_extended(void) { return ibs_has(CPUID_AMD_IBS_EAX_FetchCtlExtd); }
static bool has_data4(void)    { return ibs_has(CPUID_AMD_IBS_EAX_OpData4); }
static bool has_stack(void)    { return cpuid_get(CPUID_AMD_LBR_STACK) != 0; }
static bool has_brs(void)      { return cpuid_get(CPUID_AMD_BRS) && !has_stack(); }

#define AMD     .has = PMU_HAS_LEGACY_CTLS
#define ENTRIES .count = AMD_BRANCHES, .stride = 2, .is_record = true

const struct monitor_register monitor_registers_amd_sampling[] = {
	{ .name = "IbsFetchCtl", .msr = IbsFetchCtl, AMD, .is_here = has_fetch,
	  .fields = fetch_fields },
	{ .name = "IbsFetchLinAd", .msr = IbsFetchLinAd, AMD, .is_here = has_fetch },
	{ .name = "IbsFetchPhysAd", .msr = IbsFetchPhysAd, AMD, .is_here = has_fetch },
	{ .name = "IbsOpCtl", .msr = IbsOpCtl, AMD, .is_here = has_op, .fields = op_fields },
	{ .name = "IbsOpRip", .msr = IbsOpRip, AMD, .is_here = has_op },
	{ .name = "IbsOpData", .msr = IbsOpData, AMD, .is_here = has_op, .fields = data_fields },
	{ .name = "IbsOpData2", .msr = IbsOpData2, AMD, .is_here = has_op },
	{ .name = "IbsOpData3", .msr = IbsOpData3, AMD, .is_here = has_op,
	  .fields = data3_fields },
	{ .name = "IbsOpData4", .msr = IbsOpData4, AMD, .is_here = has_data4 },
	{ .name = "IbsDcLinAd", .msr = IbsDcLinAd, AMD, .is_here = has_op },
	{ .name = "IbsDcPhysAd", .msr = IbsDcPhysAd, AMD, .is_here = has_op },
	{ .name = "IbsBrTarget", .msr = IbsBrTarget, AMD, .is_here = has_target },
	{ .name = "IbsFetchCtlExtd", .msr = IbsFetchCtlExtd, AMD, .is_here = has_extended },
	{ .name = "IbsControl", .msr = IbsControl, AMD, .is_here = has_op,
	  .fields = control_fields, .refusal = MONITOR_READ_ONLY },
	{ .name = "LBR_SELECT", .msr = AMD_LBR_SELECT, AMD, .is_here = has_stack,
	  .fields = select_fields },
	{ .name = "DbgExtnCfg", .msr = DbgExtnCfg, AMD, .is_here = has_stack,
	  .fields = stack_fields },
	{ .name = "DbgExtnCfg", .msr = DbgExtnCfg, AMD, .is_here = has_brs,
	  .fields = brs_fields },
	{ .name = "LastBranchStackFromIp#", .msr = LastBranchStackFromIp(0), AMD,
	  .is_here = has_stack, .fields = from_fields, ENTRIES },
	{ .name = "LastBranchStackToIp#", .msr = LastBranchStackToIp(0), AMD,
	  .is_here = has_stack, .fields = to_fields, ENTRIES },
	{ .name = "LastBranchStackFromIp#", .msr = LastBranchStackFromIp(0), AMD,
	  .is_here = has_brs, ENTRIES },
	{ .name = "LastBranchStackToIp#", .msr = LastBranchStackToIp(0), AMD, .is_here = has_brs,
	  ENTRIES },
	{ .name = NULL }
};
