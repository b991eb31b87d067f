/* SPDX-License-Identifier: MIT */
/* The MSRs that an architectural PMU has; see arch_rules.h. */
#include <tests/suites/arch/arch_rules.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/msr.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>

static enum arch_kind kind_if(bool is_there)
{
	return is_there ? ARCH_DEFINED : ARCH_RESERVED;
}

static enum arch_kind gp(const struct pmu *p, unsigned i)
{
	return pmu_may_hide_gp(p, i) ? ARCH_OPEN : kind_if(arch_has_gp(p, i));
}

static bool has_mcg_ext_ctl(void)
{
	uint64_t capabilities;

	return cpuid_get(CPUID_MCA) && !is_fault(msr_try_read(IA32_MCG_CAP, &capabilities))
	       && (capabilities & IA32_MCG_CAP_LMCE_P);
}

/* At the address of IA32_A_PMC15 machine check may have a register, whatever the PMU has. */
static enum arch_kind gp_full(const struct pmu *p, unsigned i)
{
	if (pmu_may_hide_gp(p, i) || (IA32_A_PMC(i) == IA32_MCG_EXT_CTL && has_mcg_ext_ctl()))
		return ARCH_OPEN;
	return kind_if(arch_has_gp(p, i)
	               && (p->capabilities & IA32_PERF_CAPABILITIES_FW_WRITE) != 0);
}

static enum arch_kind fixed(const struct pmu *p, unsigned i)
{
	if (pmu_may_hide_fixed(p, i))
		return ARCH_OPEN;
	return kind_if(arch_has_fixed(p, i));
}

static enum arch_kind v2(const struct pmu *p, unsigned i)
{
	(void)i;
	return kind_if(p->version >= 2);
}

/* Processors of version 3, Nehalem to Broadwell, have registers of the uncore here. */
static enum arch_kind v4(const struct pmu *p, unsigned i)
{
	(void)i;
	return p->version == 3 ? ARCH_OPEN : kind_if(p->version >= 4);
}

/* Before version 6 no manual says what is at these addresses. */
static enum arch_kind v6_gp(const struct pmu *p, unsigned i)
{
	return p->version >= 6 ? gp(p, i) : ARCH_OPEN;
}

static enum arch_kind v6_fixed(const struct pmu *p, unsigned i)
{
	return p->version >= 6 ? fixed(p, i) : ARCH_OPEN;
}

static enum arch_kind pdcm(const struct pmu *p, unsigned i)
{
	(void)p, (void)i;
	return kind_if(cpuid_get(CPUID_PDCM) != 0);
}

static enum arch_kind metrics(const struct pmu *p, unsigned i)
{
	(void)i;
	if (pmu_may_hide_metrics(p))
		return ARCH_OPEN;
	return kind_if((p->capabilities & IA32_PERF_CAPABILITIES_PERF_METRICS) != 0);
}

/*
 * IA32_PMC12 would be at CDH, where processors have MSR_FSB_FREQ, so there are twelve;
 * IA32_PERFEVTSEL18 would be at IA32_PERF_STATUS, so sixteen are tried.
 */
const struct arch_msrs arch_msrs[] = {
	{ .name = "IA32_PERFEVTSEL", .msr = IA32_PERFEVTSEL(0), .step = 1, .count = 16,
	  .kind = gp, .source = V1 },
	{ .name = "IA32_PMC", .msr = IA32_PMC(0), .step = 1, .count = 12,
	  .kind = gp, .source = V1 },
	{ .name = "IA32_A_PMC", .msr = IA32_A_PMC(0), .step = 1, .count = 16,
	  .kind = gp_full, .source = FULL },
	{ .name = "IA32_FIXED_CTR", .msr = IA32_FIXED_CTR(0), .step = 1, .count = 16,
	  .kind = fixed, .source = V2 },
	{ .name = "IA32_FIXED_CTR_CTRL", .msr = IA32_FIXED_CTR_CTRL,
	  .step = 1, .count = 1, .kind = v2, .source = V2 },
	{ .name = "IA32_PERF_GLOBAL_STATUS", .msr = IA32_PERF_GLOBAL_STATUS,
	  .step = 1, .count = 1, .kind = v2, .is_read_only = true, .source = V2 },
	{ .name = "IA32_PERF_GLOBAL_CTRL", .msr = IA32_PERF_GLOBAL_CTRL,
	  .step = 1, .count = 1, .kind = v2, .source = V2 },
	{ .name = "IA32_PERF_GLOBAL_OVF_CTRL", .msr = IA32_PERF_GLOBAL_OVF_CTRL,
	  .step = 1, .count = 1, .kind = v2, .source = V2 },
	{ .name = "IA32_PERF_GLOBAL_STATUS_SET", .msr = IA32_PERF_GLOBAL_STATUS_SET,
	  .step = 1, .count = 1, .kind = v4, .source = V4 },
	{ .name = "IA32_PERF_GLOBAL_INUSE", .msr = IA32_PERF_GLOBAL_INUSE,
	  .step = 1, .count = 1, .kind = v4, .is_read_only = true, .source = V4 },
	{ .name = "IA32_PERF_CAPABILITIES", .msr = IA32_PERF_CAPABILITIES,
	  .step = 1, .count = 1, .kind = pdcm, .is_read_only = true, .source = MSRS },
	{ .name = "IA32_PERF_METRICS", .msr = IA32_PERF_METRICS,
	  .step = 1, .count = 1, .kind = metrics, .source = V5 },
	{ .name = "IA32_PMC_GPn_CTR", .msr = IA32_PMC_GP_CTR(0), .step = 4, .count = 16,
	  .kind = v6_gp, .source = V6 },
	{ .name = "IA32_PMC_GPn_CFG_A", .msr = IA32_PMC_GP_CFG_A(0), .step = 4, .count = 16,
	  .kind = v6_gp, .source = V6 },
	{ .name = "IA32_PMC_FXm_CTR", .msr = IA32_PMC_FX_CTR(0), .step = 4, .count = 16,
	  .kind = v6_fixed, .source = V6 },
};

const unsigned arch_msrs_count = COUNT_OF(arch_msrs);
