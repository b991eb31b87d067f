/* SPDX-License-Identifier: MIT */
/* Lists the registers of architectural performance monitoring. Source: as perfmon.h. */
#include <monitor/registers/registers.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/perfmon.h>

static const struct monitor_field select_fields[] = {
	MONITOR_NAMED("EVENT_SELECT", IA32_PERFEVTSEL_EVENT_SELECT),
	MONITOR_NAMED("UMASK", IA32_PERFEVTSEL_UMASK),
	{ "USR", IA32_PERFEVTSEL_USR, .meaning = "counts at CPL 1, 2, 3" },
	{ "OS",  IA32_PERFEVTSEL_OS,  .meaning = "counts at CPL 0" },
	{ "E",   IA32_PERFEVTSEL_E,   .meaning = "counts beginnings of the condition: edges" },
	{ "PC",  IA32_PERFEVTSEL_PC,  .meaning = "pin control" },
	{ "INT", IA32_PERFEVTSEL_INT, .meaning = "an overflow raises a PMI" },
	{ "ANY", IA32_PERFEVTSEL_ANY, .since = 3, .until = 4,
	  .meaning = "counts for every thread of the core" },
	{ "EN",  IA32_PERFEVTSEL_EN,  .meaning = "the counter counts", .zero = "it stands still" },
	{ "INV", IA32_PERFEVTSEL_INV, .meaning = "counts cycles with fewer than CMASK" },
	{ "CMASK", IA32_PERFEVTSEL_CMASK, .meaning = "counts cycles with CMASK events or more",
	  .zero = "counts events" },
	{ "IN_TX", IA32_PERFEVTSEL_IN_TX, .since = 3, .meaning = "in transactions only" },
	{ "IN_TXCP", IA32_PERFEVTSEL_IN_TXCP, .since = 3, .meaning = "without transactions that "
	                                                             "aborted" },
	{ "ADAPTIVE", IA32_PERFEVTSEL_ADAPTIVE, .since = 5,
	  .meaning = "PEBS records as MSR_PEBS_DATA_CFG" },
	{ "BR_CNTR", IA32_PERFEVTSEL_BR_CNTR, .since = 6, .meaning = "logged in branch records" },
	{ "EQ", IA32_PERFEVTSEL_EQ, .since = 6, .meaning = "CMASK compares for equality" },
	{ "UMASK2", IA32_PERFEVTSEL_UMASK2, .since = 6 },
	{ .name = NULL }
};

static const struct monitor_field fixed_control_fields[] = {
	{ "EN_OS", IA32_FIXED_CTR_CTRL_EN_OS(0), MONITOR_PER_FIXED, 4,
	  .meaning = "counts at CPL 0" },
	{ "EN_USR", IA32_FIXED_CTR_CTRL_EN_USR(0), MONITOR_PER_FIXED, 4,
	  .meaning = "counts at CPL 1, 2, 3" },
	{ "ANY", IA32_FIXED_CTR_CTRL_ANY(0), MONITOR_PER_FIXED, 4, .since = 3, .until = 4,
	  .meaning = "counts for every thread of the core" },
	{ "PMI", IA32_FIXED_CTR_CTRL_PMI(0), MONITOR_PER_FIXED, 4,
	  .meaning = "an overflow raises a PMI" },
	{ "ADAPTIVE", IA32_FIXED_CTR_CTRL_ADAPTIVE(0), MONITOR_PER_FIXED, 4, .since = 5,
	  .meaning = "PEBS records as MSR_PEBS_DATA_CFG" },
	{ .name = NULL }
};

/* Lists the fields of the status register, which the registers that clear and set it share. */
#define STATUS_FIELDS(what_of_counter) \
	{ "OVF_PMC", IA32_PERF_GLOBAL_STATUS_OVF_PMC(0), MONITOR_PER_GP, 1, \
	  .meaning = what_of_counter }, \
	{ "OVF_FIXED", IA32_PERF_GLOBAL_STATUS_OVF_FIXED(0), MONITOR_PER_FIXED, 1, \
	  .meaning = what_of_counter }, \
	{ "OVF_METRICS", IA32_PERF_GLOBAL_STATUS_OVF_METRICS, .since = 5 }, \
	MONITOR_NAMED("TRACE_TOPA", IA32_PERF_GLOBAL_STATUS_TRACE_TOPA), \
	{ "LBR_FRZ", IA32_PERF_GLOBAL_STATUS_LBR_FRZ, .since = 4, \
	  .meaning = "a PMI froze the branch records" }, \
	{ "CTR_FRZ", IA32_PERF_GLOBAL_STATUS_CTR_FRZ, .since = 4, \
	  .meaning = "a PMI froze all counters" }, \
	{ "ASCI", IA32_PERF_GLOBAL_STATUS_ASCI, .since = 4, \
	  .meaning = "an enclave ran: counts may be less" }, \
	{ "OVF_UNCORE", IA32_PERF_GLOBAL_STATUS_OVF_UNCORE, .since = 3 }, \
	{ "OVF_BUFFER", IA32_PERF_GLOBAL_STATUS_OVF_BUFFER, \
	  .meaning = "the DS area reached its threshold" }, \
	MONITOR_NAMED("COND_CHGD", IA32_PERF_GLOBAL_STATUS_COND_CHGD), \
	{ .name = NULL }

static const struct monitor_field status_fields[] = { STATUS_FIELDS("it overflowed") };
static const struct monitor_field reset_fields[] = { STATUS_FIELDS("clears its bit") };
static const struct monitor_field set_fields[] = { STATUS_FIELDS("sets its bit") };

static const struct monitor_field global_fields[] = {
	{ "EN_PMC", IA32_PERF_GLOBAL_CTRL_EN_PMC(0), MONITOR_PER_GP, 1,
	  .meaning = "it may count", .zero = "it does not count" },
	{ "EN_FIXED", IA32_PERF_GLOBAL_CTRL_EN_FIXED(0), MONITOR_PER_FIXED, 1,
	  .meaning = "it may count", .zero = "it does not count" },
	{ "EN_METRICS", IA32_PERF_GLOBAL_CTRL_EN_METRICS, .since = 5 },
	{ .name = NULL }
};

static const struct monitor_field inuse_fields[] = {
	{ .name = "PERFEVTSEL", .bits = IA32_PERF_GLOBAL_INUSE_PERFEVTSEL(0),
	  .count = MONITOR_PER_GP, .step = 1 },
	{ .name = "FIXED_CTR", .bits = IA32_PERF_GLOBAL_INUSE_FIXED_CTR(0),
	  .count = MONITOR_PER_FIXED, .step = 1 },
	MONITOR_NAMED("PMI", IA32_PERF_GLOBAL_INUSE_PMI),
	{ .name = NULL }
};

static const struct monitor_field metrics_fields[] = {
	{ "RETIRING", IA32_PERF_METRICS_RETIRING, .meaning = "of 255 slots" },
	{ "BAD_SPECULATION", IA32_PERF_METRICS_BAD_SPECULATION, .meaning = "of 255 slots" },
	{ "FRONTEND_BOUND", IA32_PERF_METRICS_FRONTEND_BOUND, .meaning = "of 255 slots" },
	{ "BACKEND_BOUND", IA32_PERF_METRICS_BACKEND_BOUND, .meaning = "of 255 slots" },
	{ "HEAVY_OPS", IA32_PERF_METRICS_HEAVY_OPS, .meaning = "of RETIRING" },
	{ "BR_MISPREDICT", IA32_PERF_METRICS_BR_MISPREDICT, .meaning = "of BAD_SPECULATION" },
	{ "FETCH_LATENCY", IA32_PERF_METRICS_FETCH_LATENCY, .meaning = "of FRONTEND_BOUND" },
	{ "MEMORY_BOUND", IA32_PERF_METRICS_MEMORY_BOUND, .meaning = "of BACKEND_BOUND" },
	{ .name = NULL }
};

static const struct monitor_field capability_fields[] = {
	{ "LBR_FMT", IA32_PERF_CAPABILITIES_LBR_FMT, .meaning = "format of branch records" },
	{ "PEBS_TRAP", IA32_PERF_CAPABILITIES_PEBS_TRAP,
	  .meaning = "records are taken after the instruction", .zero = "before it" },
	MONITOR_NAMED("PEBS_ARCH_REG", IA32_PERF_CAPABILITIES_PEBS_ARCH_REG),
	{ "PEBS_FMT", IA32_PERF_CAPABILITIES_PEBS_FMT, .meaning = "format of PEBS records" },
	{ "FREEZE_WHILE_SMM", IA32_PERF_CAPABILITIES_FREEZE_WHILE_SMM,
	  .meaning = "IA32_DEBUGCTL has it" },
	{ "FW_WRITE", IA32_PERF_CAPABILITIES_FW_WRITE, .meaning = "IA32_A_PMCx exist",
	  .zero = "IA32_PMCx take 32 bits and extend their sign" },
	MONITOR_NAMED("PEBS_BASELINE", IA32_PERF_CAPABILITIES_PEBS_BASELINE),
	{ "PERF_METRICS", IA32_PERF_CAPABILITIES_PERF_METRICS,
	  .meaning = "IA32_PERF_METRICS exists" },
	MONITOR_NAMED("PEBS_OUTPUT_PT", IA32_PERF_CAPABILITIES_PEBS_OUTPUT_PT),
	{ .name = NULL }
};

static const struct monitor_field debugctl_fields[] = {
	{ "LBR", IA32_DEBUGCTL_LBR, .meaning = "branches are recorded" },
	{ "BTF", IA32_DEBUGCTL_BTF, .meaning = "EFLAGS.TF stops at branches only" },
	{ "TR", IA32_DEBUGCTL_TR, .refusal = MONITOR_TO_MEMORY },
	{ "BTS", IA32_DEBUGCTL_BTS, .refusal = MONITOR_TO_MEMORY },
	{ "BTINT", IA32_DEBUGCTL_BTINT, .refusal = MONITOR_TO_MEMORY },
	MONITOR_NAMED("BTS_OFF_OS", IA32_DEBUGCTL_BTS_OFF_OS),
	MONITOR_NAMED("BTS_OFF_USR", IA32_DEBUGCTL_BTS_OFF_USR),
	{ "FREEZE_LBRS_ON_PMI", IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI, .since = 2 },
	{ "FREEZE_PERFMON_ON_PMI", IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI, .since = 2 },
	{ "ENABLE_UNCORE_PMI", IA32_DEBUGCTL_ENABLE_UNCORE_PMI, .since = 3 },
	{ "FREEZE_WHILE_SMM", IA32_DEBUGCTL_FREEZE_WHILE_SMM, .since = 2,
	  .meaning = "counters and records stand still in SMM" },
	{ "RTM", IA32_DEBUGCTL_RTM, .since = 2, .refusal = MONITOR_NOT_PMU },
	{ .name = NULL }
};

static const struct monitor_field pebs_enable_fields[] = {
	{ "PMC", IA32_PEBS_ENABLE_PMC(0), MONITOR_PER_GP, 1,
	  .meaning = "its overflow arms a record" },
	{ "LL", IA32_PEBS_ENABLE_LL(0), MONITOR_PER_GP, 1, .since = 3, .until = 4,
	  .meaning = "load latency" },
	{ "FIXED", IA32_PEBS_ENABLE_FIXED(0), MONITOR_PER_FIXED, 1, .since = 5,
	  .meaning = "its overflow arms a record" },
	{ .name = NULL }
};

static const struct monitor_field data_cfg_fields[] = {
	MONITOR_NAMED("MEMORY", MSR_PEBS_DATA_CFG_MEMORY),
	MONITOR_NAMED("GPRS", MSR_PEBS_DATA_CFG_GPRS),
	MONITOR_NAMED("XMMS", MSR_PEBS_DATA_CFG_XMMS),
	MONITOR_NAMED("LBRS", MSR_PEBS_DATA_CFG_LBRS),
	MONITOR_NAMED("COUNTERS", MSR_PEBS_DATA_CFG_COUNTERS),
	MONITOR_NAMED("METRICS", MSR_PEBS_DATA_CFG_METRICS),
	{ "LBR_ENTRIES", MSR_PEBS_DATA_CFG_LBR_ENTRIES, .meaning = "their number - 1" },
	{ "PMCS", MSR_PEBS_DATA_CFG_PMCS, .meaning = "the general counters to be recorded" },
	{ "FIXED", MSR_PEBS_DATA_CFG_FIXED, .meaning = "the fixed counters to be recorded" },
	{ .name = NULL }
};

static const struct monitor_field latency_fields[] = {
	{ "THRESHOLD", MSR_PEBS_LD_LAT_THRESHOLD, .meaning = "clocks; loads that take longer" },
	{ .name = NULL }
};

static bool has_ds(void)   { return cpuid_get(CPUID_DS) != 0; }
static bool has_pdcm(void) { return cpuid_get(CPUID_PDCM) != 0; }

#define ROW  .has = PMU_HAS_LEAF_0AH

const struct monitor_register monitor_registers_arch[] = {
	{ .name = "IA32_PERFEVTSEL#", .msr = IA32_PERFEVTSEL(0), .count = MONITOR_PER_GP, ROW,
	  .fields = select_fields, .is_select = true },
	{ .name = "IA32_PMC#", .alias = "COUNTER#", .msr = IA32_PMC(0),
	  .count = MONITOR_PER_GP, ROW },
	{ .name = "IA32_A_PMC#", .msr = IA32_A_PMC(0), .count = MONITOR_PER_GP, ROW,
	  .capability = IA32_PERF_CAPABILITIES_FW_WRITE },
	{ .name = "IA32_FIXED_CTR_CTRL", .msr = IA32_FIXED_CTR_CTRL, ROW, .since = 2,
	  .fields = fixed_control_fields },
	{ .name = "IA32_FIXED_CTR#", .msr = IA32_FIXED_CTR(0), .count = MONITOR_PER_FIXED, ROW,
	  .since = 2 },
	{ .name = "IA32_PERF_METRICS", .msr = IA32_PERF_METRICS, ROW, .since = 5,
	  .capability = IA32_PERF_CAPABILITIES_PERF_METRICS, .fields = metrics_fields },
	{ .name = "IA32_PERF_GLOBAL_CTRL", .msr = IA32_PERF_GLOBAL_CTRL, ROW, .since = 2,
	  .fields = global_fields },
	{ .name = "IA32_PERF_GLOBAL_STATUS", .msr = IA32_PERF_GLOBAL_STATUS, ROW, .since = 2,
	  .fields = status_fields, .refusal = MONITOR_READ_ONLY },
	{ .name = "IA32_PERF_GLOBAL_OVF_CTRL", .msr = IA32_PERF_GLOBAL_OVF_CTRL, ROW, .since = 2,
	  .until = 3, .fields = reset_fields, .reads_otherwise = true },
	{ .name = "IA32_PERF_GLOBAL_STATUS_RESET", .alias = "IA32_PERF_GLOBAL_OVF_CTRL",
	  .msr = IA32_PERF_GLOBAL_OVF_CTRL, ROW, .since = 4, .fields = reset_fields,
	  .reads_otherwise = true },
	{ .name = "IA32_PERF_GLOBAL_STATUS_SET", .msr = IA32_PERF_GLOBAL_STATUS_SET, ROW,
	  .since = 4, .fields = set_fields, .reads_otherwise = true },
	{ .name = "IA32_PERF_GLOBAL_INUSE", .msr = IA32_PERF_GLOBAL_INUSE, ROW, .since = 4,
	  .fields = inuse_fields, .refusal = MONITOR_READ_ONLY },
	{ .name = "IA32_PERF_CAPABILITIES", .msr = IA32_PERF_CAPABILITIES, ROW,
	  .is_here = has_pdcm, .fields = capability_fields, .refusal = MONITOR_READ_ONLY },
	{ .name = "IA32_PMC_GP#_CTR", .msr = IA32_PMC_GP_CTR(0), .count = MONITOR_PER_GP,
	  .stride = 4, ROW, .since = 6 },
	{ .name = "IA32_PMC_GP#_CFG_A", .msr = IA32_PMC_GP_CFG_A(0), .count = MONITOR_PER_GP,
	  .stride = 4, ROW, .since = 6, .fields = select_fields, .is_select = true },
	{ .name = "IA32_PMC_FX#_CTR", .msr = IA32_PMC_FX_CTR(0), .count = MONITOR_PER_FIXED,
	  .stride = 4, ROW, .since = 6 },
	{ .name = "IA32_DEBUGCTL", .msr = IA32_DEBUGCTL, ROW, .fields = debugctl_fields },
	{ .name = "IA32_PEBS_ENABLE", .alias = "MSR_PEBS_ENABLE", .msr = IA32_PEBS_ENABLE, ROW,
	  .is_here = has_ds, .fields = pebs_enable_fields, .refusal = MONITOR_BY_PEBS },
	{ .name = "MSR_PEBS_DATA_CFG", .msr = MSR_PEBS_DATA_CFG, ROW,
	  .capability = IA32_PERF_CAPABILITIES_PEBS_BASELINE, .fields = data_cfg_fields },
	{ .name = "MSR_PEBS_LD_LAT", .msr = MSR_PEBS_LD_LAT, ROW, .since = 3,
	  .is_here = has_ds, .fields = latency_fields },
	{ .name = "MSR_PEBS_FRONTEND", .msr = MSR_PEBS_FRONTEND, ROW, .since = 4,
	  .is_here = has_ds },
	{ .name = NULL }
};
