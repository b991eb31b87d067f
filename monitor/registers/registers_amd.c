/* SPDX-License-Identifier: MIT */
/* Lists the registers of AMD's PMUs, from K7 to Zen 5. Source: as amd.h. */
#include <monitor/registers/registers.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/amd.h>
#include <kernel/machine/machine.h>

static bool is_k8(void)          { return machine_cpu()->family < 0x10; }
static bool has_high_codes(void) { return machine_cpu()->family >= 0x10; }
static bool has_host_bits(void)  { return has_high_codes() && machine_cpu()->family != 0x11; }
static bool has_prec_ret(void)   { return cpuid_get(CPUID_AMD_PREC_RET) != 0; }

#define EDGES "counts beginnings of the condition: edges"
static const struct monitor_field select_fields[] = {
	MONITOR_NAMED("EVENT_SELECT", PERF_CTL_EVENT_SELECT),
	MONITOR_NAMED("UNIT_MASK", PERF_CTL_UNIT_MASK),
	{ "USR", PERF_CTL_USR, .meaning = "counts at CPL 1, 2, 3" },
	{ "OS", PERF_CTL_OS, .meaning = "counts at CPL 0" },
	{ "EDGE", PERF_CTL_EDGE, .meaning = EDGES },
	{ "PC", PERF_CTL_PC, .meaning = "pin control", .is_here = is_k8 },
	{ "INT", PERF_CTL_INT, .meaning = "an overflow raises a PMI" },
	{ "EN", PERF_CTL_EN, .meaning = "the counter counts", .zero = "it stands still" },
	{ "INV", PERF_CTL_INV, .meaning = "counts cycles with fewer than CNT_MASK" },
	{ "CNT_MASK", PERF_CTL_CNT_MASK, .meaning = "counts cycles with CNT_MASK events or more",
	  .zero = "counts events" },
	{ "EVENT_SELECT_HIGH", PERF_CTL_EVENT_SELECT_HIGH, .meaning = "bits 11:8 of the event",
	  .is_here = has_high_codes },
	{ "GUEST_ONLY", PERF_CTL_GUEST_ONLY,
	  .meaning = "counts in guests alone, and not at all while EFER.SVME is 0",
	  .is_here = has_host_bits },
	{ "HOST_ONLY", PERF_CTL_HOST_ONLY,
	  .meaning = "counts in the host alone, and not at all while EFER.SVME is 0",
	  .is_here = has_host_bits },
	{ "PREC_RET", PERF_CTL_PREC_RET, .meaning = "PERF_CTL2: retirement is counted precisely",
	  .is_here = has_prec_ret },
	{ .name = NULL }
};

#define STATUS_FIELDS(of_counter) \
	{ "CNT_OF", PerfCntrGlobalStatus_CNT_OF(0), MONITOR_PER_GP, 1, .meaning = of_counter }, \
	{ "LBRSF", PerfCntrGlobalStatus_LBRSF, .meaning = "the branch records are frozen" }, \
	{ "PMCF", PerfCntrGlobalStatus_PMCF, .meaning = "the counters are frozen" }, \
	{ .name = NULL }
static const struct monitor_field status_fields[] = { STATUS_FIELDS("it overflowed") };
static const struct monitor_field clear_fields[] = { STATUS_FIELDS("clears its bit") };
static const struct monitor_field set_fields[] = { STATUS_FIELDS("sets its bit") };

static const struct monitor_field global_fields[] = {
	{ "EN", PerfCntrGlobalCtl_EN(0), MONITOR_PER_GP, 1, .meaning = "it may count",
	  .zero = "it does not count" },
	{ .name = NULL }
};

static const struct monitor_field debugctl_fields[] = {
	{ "LBR", DebugCtl_LBR, .meaning = "the last branch is recorded" },
	{ "BTF", DebugCtl_BTF, .meaning = "EFLAGS.TF stops at branches only" },
	{ "FLBRI", DebugCtl_FLBRI, .since = 2, .meaning = "a PMI freezes the branch records" },
	{ "FPMCI", DebugCtl_FPMCI, .since = 2, .meaning = "a PMI freezes the counters" },
	{ .name = NULL }
};

static const struct monitor_field hwcr_fields[] = {
	{ "IRPERF_EN", HWCR_IRPERF_EN, .meaning = "IRPerfCount counts" },
	{ .name = NULL }
};

static const struct monitor_field ls_cfg_fields[] = {
	{ "NO_SPEC_LOCK_MAP", LS_CFG_NO_SPEC_LOCK_MAP,
	  .meaning = "locks are not run ahead: rr wants it" },
	{ .name = NULL }
};

static const struct monitor_field vm_cr_fields[] = {
	{ "SVMDIS", VM_CR_SVMDIS, .meaning = "EFER.SVME cannot be set" },
	{ .name = NULL }
};

static bool has_map(void)       { return machine_cpu()->family >= 0x17; }
static bool has_nb(void)        { return cpuid_get(CPUID_PERFCTR_NB) != 0; }
static bool has_llc(void)       { return cpuid_get(CPUID_PERFCTR_LLC) != 0; }
static bool has_irperf(void)    { return cpuid_get(CPUID_IRPERF) != 0; }
static bool has_read_only(void) { return cpuid_get(CPUID_EFF_FREQ_RO) != 0; }
static bool has_mperf(void)     { return cpuid_get(CPUID_EFF_FREQ) != 0; }
static bool has_svm(void)       { return cpuid_get(CPUID_SVM) != 0; }

#define CORE  .has = PMU_HAS_CORE_CTLS
#define BOTH  .has = PMU_HAS_LEGACY_CTLS
#define LAST  .refusal = MONITOR_READ_ONLY

/* Where the core's addresses are, the legacy ones are those of its counters 0 to 3. */
const struct monitor_register monitor_registers_amd[] = {
	{ .name = "PERF_CTL#", .msr = PERF_CTL(0), .count = MONITOR_PER_GP, .stride = 2, CORE,
	  .fields = select_fields, .is_select = true },
	{ .name = "PERF_CTR#", .alias = "COUNTER#", .msr = PERF_CTR(0), .count = MONITOR_PER_GP,
	  .stride = 2, CORE },
	{ .name = "PerfEvtSel#", .msr = PERF_LEGACY_CTL(0), .count = PERF_LEGACY_COUNTERS, BOTH,
	  .fields = select_fields, .is_select = true },
	{ .name = "PerfCtr#", .alias = "COUNTER#", .msr = PERF_LEGACY_CTR(0),
	  .count = PERF_LEGACY_COUNTERS, BOTH },
	{ .name = "PerfCntrGlobalCtl", .msr = PerfCntrGlobalCtl, CORE, .since = 2,
	  .fields = global_fields },
	{ .name = "PerfCntrGlobalStatus", .msr = PerfCntrGlobalStatus, CORE, .since = 2,
	  .fields = status_fields, .refusal = MONITOR_READ_ONLY },
	{ .name = "PerfCntrGlobalStatusClr", .msr = PerfCntrGlobalStatusClr, CORE, .since = 2,
	  .fields = clear_fields, .reads_otherwise = true },
	{ .name = "PerfCntrGlobalStatusSet", .msr = PerfCntrGlobalStatusSet, CORE, .since = 2,
	  .fields = set_fields, .reads_otherwise = true },
	{ .name = "DebugCtl", .msr = DebugCtl, BOTH, .fields = debugctl_fields },
	{ .name = "LastBranchFromIP", .msr = AMD_LastBranchFromIP, BOTH, LAST },
	{ .name = "LastBranchToIP", .msr = AMD_LastBranchToIP, BOTH, LAST },
	{ .name = "LastIntFromIP", .msr = AMD_LastIntFromIP, BOTH, LAST },
	{ .name = "LastIntToIP", .msr = AMD_LastIntToIP, BOTH, LAST },
	{ .name = "NB_PERF_CTL#", .alias = "DF_PERF_CTL#", .msr = NB_PERF_CTL(0), .count = 4,
	  .stride = 2, BOTH, .is_here = has_nb },
	{ .name = "NB_PERF_CTR#", .alias = "DF_PERF_CTR#", .msr = NB_PERF_CTR(0), .count = 4,
	  .stride = 2, BOTH, .is_here = has_nb },
	{ .name = "L3_PERF_CTL#", .alias = "L2I_PERF_CTL#", .msr = L3_PERF_CTL(0), .count = 4,
	  .stride = 2, BOTH, .is_here = has_llc },
	{ .name = "L3_PERF_CTR#", .alias = "L2I_PERF_CTR#", .msr = L3_PERF_CTR(0), .count = 4,
	  .stride = 2, BOTH, .is_here = has_llc },
	{ .name = "HWCR", .msr = HWCR, BOTH, .is_here = has_irperf, .fields = hwcr_fields,
	  .refusal = MONITOR_NOT_PMU },
	{ .name = "LS_CFG", .msr = LS_CFG, BOTH, .is_here = has_map, .fields = ls_cfg_fields,
	  .refusal = MONITOR_NOT_PMU },
	{ .name = "VM_CR", .msr = VM_CR, BOTH, .is_here = has_svm, .fields = vm_cr_fields,
	  .refusal = MONITOR_NOT_PMU },
	{ .name = "IRPerfCount", .msr = IRPerfCount, BOTH, .is_here = has_irperf,
	  .refusal = MONITOR_READ_ONLY },
	{ .name = "MPERF", .msr = MPERF, BOTH, .is_here = has_mperf, .refusal = MONITOR_NOT_PMU },
	{ .name = "APERF", .msr = APERF, BOTH, .is_here = has_mperf, .refusal = MONITOR_NOT_PMU },
	{ .name = "MPerfReadOnly", .msr = MPerfReadOnly, BOTH, .is_here = has_read_only,
	  .refusal = MONITOR_READ_ONLY },
	{ .name = "APerfReadOnly", .msr = APerfReadOnly, BOTH, .is_here = has_read_only,
	  .refusal = MONITOR_READ_ONLY },
	{ .name = NULL }
};
