/* SPDX-License-Identifier: MIT */
/*
 * Lists the branch records of all generations (numbers: lbr_stack.h), and registers outside the
 * PMU.
 */
#include <monitor/registers/registers.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/lbr.h>
#include <arch/regs/msr.h>
#include <arch/regs/netburst.h>
#include <arch/regs/p6.h>
#include <arch/regs/perfmon.h>
#include <pmu/sampling/lbr_stack.h>

static const struct monitor_field select_fields[] = {
	MONITOR_NAMED("CPL_EQ_0", MSR_LBR_SELECT_CPL_EQ_0),
	MONITOR_NAMED("CPL_NEQ_0", MSR_LBR_SELECT_CPL_NEQ_0),
	MONITOR_NAMED("JCC", MSR_LBR_SELECT_JCC),
	MONITOR_NAMED("NEAR_REL_CALL", MSR_LBR_SELECT_NEAR_REL_CALL),
	MONITOR_NAMED("NEAR_IND_CALL", MSR_LBR_SELECT_NEAR_IND_CALL),
	MONITOR_NAMED("NEAR_RET", MSR_LBR_SELECT_NEAR_RET),
	MONITOR_NAMED("NEAR_IND_JMP", MSR_LBR_SELECT_NEAR_IND_JMP),
	MONITOR_NAMED("NEAR_REL_JMP", MSR_LBR_SELECT_NEAR_REL_JMP),
	MONITOR_NAMED("FAR_BRANCH", MSR_LBR_SELECT_FAR_BRANCH),
	{ "EN_CALLSTACK", MSR_LBR_SELECT_EN_CALLSTACK,
	  .meaning = "calls and returns only, as a stack" },
	{ .name = NULL }
};

static const struct monitor_field control_fields[] = {
	{ "LBREN", IA32_LBR_CTL_LBREN, .meaning = "branches are recorded" },
	{ "OS", IA32_LBR_CTL_OS, .meaning = "at CPL 0" },
	{ "USR", IA32_LBR_CTL_USR, .meaning = "at CPL 1, 2, 3" },
	MONITOR_NAMED("CALL_STACK", IA32_LBR_CTL_CALL_STACK),
	MONITOR_NAMED("JCC", IA32_LBR_CTL_JCC),
	MONITOR_NAMED("NEAR_REL_JMP", IA32_LBR_CTL_NEAR_REL_JMP),
	MONITOR_NAMED("NEAR_IND_JMP", IA32_LBR_CTL_NEAR_IND_JMP),
	MONITOR_NAMED("NEAR_REL_CALL", IA32_LBR_CTL_NEAR_REL_CALL),
	MONITOR_NAMED("NEAR_IND_CALL", IA32_LBR_CTL_NEAR_IND_CALL),
	MONITOR_NAMED("NEAR_RET", IA32_LBR_CTL_NEAR_RET),
	MONITOR_NAMED("OTHER_BRANCH", IA32_LBR_CTL_OTHER_BRANCH),
	{ .name = NULL }
};

static const char *const branch_types[] = {
	[LBR_TYPE_COND] = "conditional", [LBR_TYPE_JMP_INDIRECT] = "indirect JMP",
	[LBR_TYPE_JMP_DIRECT] = "direct JMP", [LBR_TYPE_CALL_INDIRECT] = "indirect CALL",
	[LBR_TYPE_CALL_DIRECT] = "direct CALL", [LBR_TYPE_RET] = "RET",
	[LBR_TYPE_RET + 1] = "reserved", "reserved",
	[LBR_TYPE_OTHER] = "other", "other", "other", "other", "other", "other", "other", "other",
};

static const struct monitor_field info_fields[] = {
	{ "CYC_CNT", LBR_INFO_CYC_CNT, .meaning = "cycles since the previous record" },
	MONITOR_NAMED("TSX_ABORT", LBR_INFO_TSX_ABORT), MONITOR_NAMED("IN_TX", LBR_INFO_IN_TX),
	MONITOR_NAMED("MISPRED", LBR_INFO_MISPRED),
	{ .name = NULL }
};

static const struct monitor_field arch_info_fields[] = {
	{ "CYC_CNT", LBR_INFO_CYC_CNT, .meaning = "cycles since the previous record" },
	{ "BR_TYPE", LBR_INFO_BR_TYPE, .values = branch_types },
	MONITOR_NAMED("CYC_CNT_VALID", LBR_INFO_CYC_CNT_VALID),
	MONITOR_NAMED("TSX_ABORT", LBR_INFO_TSX_ABORT), MONITOR_NAMED("IN_TX", LBR_INFO_IN_TX),
	MONITOR_NAMED("MISPRED", LBR_INFO_MISPRED),
	{ .name = NULL }
};

/* Selects the names of the stack by the number of its first register. */
static bool is_first(uint32_t msr)
{
	const struct lbr_kind *k = lbr_kind(NULL);

	return k && k->from_msr == msr;
}

static bool is_packed(void)    { return lbr_kind(NULL) && lbr_kind(NULL)->is_packed; }
static bool has_select(void)   { return lbr_kind(NULL) && lbr_kind(NULL)->select_msr; }
static bool has_info(void)     { return lbr_kind(NULL) && lbr_kind(NULL)->info_msr; }
static bool is_packed_40(void) { return is_first(MSR_LASTBRANCH_PACKED(0)) && is_packed(); }
static bool is_packed_1db(void) { return is_first(MSR_LASTBRANCH(0)) && is_packed(); }
static bool is_at_40(void)     { return is_first(MSR_LASTBRANCH_FROM_IP_40(0)) && !is_packed(); }
static bool is_at_680(void)    { return is_first(MSR_LASTBRANCH_FROM_IP(0)); }
static bool is_arch(void)      { return cpuid_get(CPUID_ARCH_LBR) != 0; }
static bool has_info_here(void) { return is_at_680() && has_info(); }

#define RECORDS .count = MONITOR_PER_RECORD, .is_record = true
#define FAMILY6 .has = PMU_HAS_LEAF_0AH
#define NETBURST .has = PMU_HAS_CCCRS

const struct monitor_register monitor_registers_records[] = {
	{ .name = "LastBranchFromIP", .msr = LastBranchFromIP, .has = PMU_HAS_ONE_ENABLE },
	{ .name = "LastBranchToIP", .msr = LastBranchToIP, .has = PMU_HAS_ONE_ENABLE },
	{ .name = "MSR_LBR_SELECT", .msr = MSR_LBR_SELECT, .is_here = has_select,
	  .fields = select_fields },
	{ .name = "MSR_LASTBRANCH_TOS", .msr = MSR_LASTBRANCH_TOS_CORE, FAMILY6,
	  .is_here = is_at_40, .refusal = MONITOR_READ_ONLY },
	{ .name = "MSR_LASTBRANCH_TOS", .msr = MSR_LASTBRANCH_TOS_CORE, FAMILY6,
	  .is_here = is_at_680, .refusal = MONITOR_READ_ONLY },
	{ .name = "MSR_LASTBRANCH_TOS", .msr = MSR_LASTBRANCH_TOS_CORE, .is_here = is_packed_40,
	  .refusal = MONITOR_READ_ONLY },
	{ .name = "MSR_LASTBRANCH_TOS", .msr = MSR_LASTBRANCH_TOS, NETBURST,
	  .refusal = MONITOR_READ_ONLY },
	{ .name = "MSR_LASTBRANCH_#", .msr = MSR_LASTBRANCH_PACKED(0), .is_here = is_packed_40,
	  RECORDS },
	{ .name = "MSR_LASTBRANCH_#", .msr = MSR_LASTBRANCH(0), .is_here = is_packed_1db,
	  RECORDS },
	{ .name = "MSR_LASTBRANCH_#_FROM_IP", .msr = MSR_LASTBRANCH_FROM_IP_40(0),
	  .is_here = is_at_40, RECORDS },
	{ .name = "MSR_LASTBRANCH_#_TO_IP", .msr = MSR_LASTBRANCH_TO_IP_60(0),
	  .is_here = is_at_40, RECORDS },
	{ .name = "MSR_LASTBRANCH_#_FROM_IP", .msr = MSR_LASTBRANCH_FROM_IP(0), FAMILY6,
	  .is_here = is_at_680, RECORDS },
	{ .name = "MSR_LASTBRANCH_#_TO_IP", .msr = MSR_LASTBRANCH_TO_IP(0), FAMILY6,
	  .is_here = is_at_680, RECORDS },
	{ .name = "MSR_LASTBRANCH_#_FROM_LIP", .msr = MSR_LASTBRANCH_FROM_LIP(0), NETBURST,
	  .is_here = is_at_680, RECORDS },
	{ .name = "MSR_LASTBRANCH_#_TO_LIP", .msr = MSR_LASTBRANCH_TO_LIP(0), NETBURST,
	  .is_here = is_at_680, RECORDS },
	{ .name = "MSR_LBR_INFO_#", .msr = MSR_LBR_INFO(0), .is_here = has_info_here,
	  .fields = info_fields, RECORDS },
	{ .name = "IA32_LBR_CTL", .msr = IA32_LBR_CTL, .is_here = is_arch,
	  .fields = control_fields },
	{ .name = "IA32_LBR_DEPTH", .msr = IA32_LBR_DEPTH, .is_here = is_arch },
	{ .name = "IA32_LBR_#_FROM_IP", .msr = IA32_LBR_FROM_IP(0), .is_here = is_arch, RECORDS },
	{ .name = "IA32_LBR_#_TO_IP", .msr = IA32_LBR_TO_IP(0), .is_here = is_arch, RECORDS },
	{ .name = "IA32_LBR_#_INFO", .msr = IA32_LBR_INFO(0), .is_here = is_arch,
	  .fields = arch_info_fields, RECORDS },
	{ .name = "MSR_LER_FROM_LIP", .msr = MSR_LER_FROM_IP, FAMILY6,
	  .refusal = MONITOR_READ_ONLY },
	{ .name = "MSR_LER_TO_LIP", .msr = MSR_LER_TO_IP, FAMILY6, .refusal = MONITOR_READ_ONLY },
	{ .name = "MSR_LER_FROM_LIP", .msr = MSR_LER_FROM_LIP, NETBURST,
	  .refusal = MONITOR_READ_ONLY },
	{ .name = "MSR_LER_TO_LIP", .msr = MSR_LER_TO_LIP, NETBURST,
	  .refusal = MONITOR_READ_ONLY },
	{ .name = NULL }
};

/* ---------------------------------------------------------------------------- outside the PMU */

static const struct monitor_field misc_enable_fields[] = {
	{ "PERFMON", IA32_MISC_ENABLE_PERFMON, .meaning = "performance monitoring is available",
	  .zero = "performance monitoring is not available" },
	MONITOR_NAMED("BTS_UNAVAILABLE", IA32_MISC_ENABLE_BTS_UNAVAILABLE),
	MONITOR_NAMED("PEBS_UNAVAILABLE", IA32_MISC_ENABLE_PEBS_UNAVAILABLE),
	{ .name = NULL }
};

static const struct monitor_field apic_base_fields[] = {
	{ "BSP", IA32_APIC_BASE_BSP, .meaning = "the processor that booted" },
	{ "EXTD", IA32_APIC_BASE_EXTD, .meaning = "x2APIC mode" },
	{ "EN", IA32_APIC_BASE_EN, .meaning = "the local APIC is on", .zero = "it is off" },
	{ "ADDRESS", IA32_APIC_BASE_ADDRESS, .meaning = "of its page" },
	{ .name = NULL }
};

static const struct monitor_field smi_fields[] = {
	MONITOR_NAMED("COUNT", MSR_SMI_COUNT_COUNT), { .name = NULL }
};

static bool has_ds(void)     { return cpuid_get(CPUID_DS) != 0; }
static bool has_msrs(void)   { return cpuid_get(CPUID_MSR) != 0; }
static bool is_since_p6(void) { return cpuid_get(CPUID_BASE_FAMILY) >= 6; }

#define OTHERS .refusal = MONITOR_NOT_PMU

const struct monitor_register monitor_registers_other[] = {
	{ .name = "IA32_TIME_STAMP_COUNTER", .alias = "TSC", .msr = IA32_TIME_STAMP_COUNTER,
	  .is_here = has_msrs, OTHERS },
	{ .name = "IA32_APIC_BASE", .msr = IA32_APIC_BASE, .is_here = is_since_p6,
	  .fields = apic_base_fields, OTHERS },
	{ .name = "IA32_MISC_ENABLE", .msr = IA32_MISC_ENABLE,
	  .has = PMU_HAS_LEAF_0AH | PMU_HAS_CCCRS, .fields = misc_enable_fields, OTHERS },
	{ .name = "MSR_SMI_COUNT", .msr = MSR_SMI_COUNT, .has = PMU_HAS_LEAF_0AH, .since = 3,
	  .fields = smi_fields, OTHERS },
	{ .name = "IA32_DS_AREA", .msr = IA32_DS_AREA,
	  .has = PMU_HAS_LEAF_0AH | PMU_HAS_CCCRS, .is_here = has_ds,
	  .refusal = MONITOR_BY_PEBS },
	{ .name = NULL }
};
