/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/needs.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/modes.h>
#include <arch/modes/paging.h>
#include <arch/regs/amd.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/vmx.h>
#include <arch/svm/svm_hypervisor.h>
#include <arch/vmx/hypervisor.h>
#include <kernel/lib/format.h>
#include <pmu/core/dangers.h>
#include <pmu/core/pmi.h>
#include <pmu/core/pmu.h>
#include <pmu/core/program.h>
#include <pmu/core/stuck_status.h>

const char *need_modes(struct test_ctx *t)
{
	return modes_problem() ? test_reason(t, "%s", modes_problem()) : NULL;
}

const char *need_local_apic(struct test_ctx *t)
{
	const struct apic_state *a = apic_get_state();

	return a->is_present ? NULL : test_reason(t, "no local APIC: %s", a->reason);
}

const char *need_xapic(struct test_ctx *t)
{
	const char *problem = need_local_apic(t);

	if (problem || !apic_get_state()->is_x2apic)
		return problem;
	return test_reason(t, "%s", "IA32_APIC_BASE[10] (EXTD) = 1: the APIC is not in memory");
}

const char *need_lvtpc(struct test_ctx *t)
{
	const char *reason = need_local_apic(t);

	if (reason || apic_get_state()->has_lvtpc)
		return reason;
	return test_reason(t, "APIC version[23:16] (Max LVT Entry) = %u, LVTPC needs 4",
	                   (unsigned)FIELD_GET(APIC_VERSION_MAX_LVT, apic_read(APIC_VERSION)));
}

const char *need_counting_pmu(struct test_ctx *t)
{
	const struct pmu *p = pmu_get();

	return p->state == PMU_COUNTS ? NULL : test_reason(t, "%s", p->verdict);
}

/* Returns no reason for a PMU of the suite's own class: where uarch= forces the class, the faults
 * show; and none for a dead one, if the test looks at its registers alone. */
static const char *need_counts(struct test_ctx *t)
{
	const struct pmu *p = pmu_get();

	if (p->state == PMU_IS_DEAD && test_that_runs(t)->is_static)
		return NULL;
	return p->is_forced && p->state != PMU_IS_ABSENT ? NULL : need_counting_pmu(t);
}

const char *need_arch(struct test_ctx *t)
{
	const struct pmu *p = pmu_get();

	if (!pmu_has(PMU_HAS_LEAF_0AH))
		return test_reason(t, "CPUID.0AH:EAX[7:0] = %u, the PMU is %s",
		                   cpuid_get(CPUID_PERFMON_VERSION), p->class->name);
	return need_counts(t);
}

const char *need_arch_version(struct test_ctx *t, unsigned version)
{
	const char *problem = need_arch(t);

	if (problem || pmu_get()->version >= version)
		return problem;
	return test_reason(t, "CPUID.0AH:EAX[7:0] = %u, the test needs %u or more",
	                   pmu_get()->version, version);
}

const char *need_arch_v2(struct test_ctx *t) { return need_arch_version(t, 2); }
const char *need_arch_v4(struct test_ctx *t) { return need_arch_version(t, 4); }
const char *need_arch_v6(struct test_ctx *t) { return need_arch_version(t, 6); }

const char *need_arch_before_v4(struct test_ctx *t)
{
	const char *reason = need_arch(t);

	if (!reason && pmu_get()->version >= 4)
		return test_reason(t, "CPUID.0AH:EAX[7:0] = %u: streamlined from 4 on",
		                   pmu_get()->version);
	return reason;
}

/* tests/runner/report.py knows the beginning of this reason. */
const char *need_clear_status(struct test_ctx *t)
{
	const char *id = stuck_status_since();

	return id ? test_reason(t, "after %s failed: the overflow status has %" PRIX64
	                        "H, which cannot be cleared", id, stuck_status()) : NULL;
}

const char *need_p6(struct test_ctx *t)
{
	const struct pmu *p = pmu_get();

	if (!pmu_has(PMU_HAS_ONE_ENABLE))
		return test_reason(t, "the PMU is %s, not P6: %s", p->class->name,
		                   p->because);
	return need_counts(t);
}

const char *need_p5(struct test_ctx *t)
{
	const struct pmu *p = pmu_get();

	if (!pmu_has(PMU_HAS_CESR))
		return test_reason(t, "the PMU is %s, not P5: %s", p->class->name,
		                   p->because);
	return need_counts(t);
}

const char *need_p5_mmx(struct test_ctx *t)
{
	const char *problem = need_p5(t);

	if (problem || pmu_has(PMU_HAS_RDPMC))
		return problem;
	return test_reason(t, "CPUID.1:EDX[23] (MMX) = %u", cpuid_get(CPUID_MMX));
}

const char *need_netburst(struct test_ctx *t)
{
	const struct pmu *p = pmu_get();

	if (!pmu_has(PMU_HAS_CCCRS))
		return test_reason(t, "the PMU is %s, not NetBurst: %s", p->class->name,
		                   p->because);
	return need_counts(t);
}

const char *need_amd(struct test_ctx *t)
{
	const struct pmu *p = pmu_get();

	if (!pmu_has(PMU_HAS_LEGACY_CTLS))
		return test_reason(t, "the PMU is %s, not AMD's: %s", p->class->name, p->because);
	return need_counts(t);
}

const char *need_fixed(struct test_ctx *t)
{
	const char *problem = need_arch_v2(t);

	if (problem || pmu_get()->fixed_map)
		return problem;
	return test_reason(t, "no fixed counter exists: CPUID.0AH:EDX[4:0] = %u, ECX = %XH",
	                   cpuid_get(CPUID_PERFMON_FIXED_COUNT),
	                   cpuid_get(CPUID_PERFMON_FIXED_MAP));
}

static const char *need_fixed_ctr(struct test_ctx *t, unsigned i)
{
	const char *problem = need_fixed(t);

	if (problem || (pmu_get()->fixed_map >> i & 1))
		return problem;
	return test_reason(t, "no IA32_FIXED_CTR%u exists: the fixed counters' bitmap is %XH", i,
	                   pmu_get()->fixed_map);
}

const char *need_fixed0(struct test_ctx *t) { return need_fixed_ctr(t, 0); }
const char *need_fixed1(struct test_ctx *t) { return need_fixed_ctr(t, 1); }
const char *need_fixed2(struct test_ctx *t) { return need_fixed_ctr(t, 2); }
const char *need_fixed3(struct test_ctx *t) { return need_fixed_ctr(t, 3); }

const char *need_full_width_writes(struct test_ctx *t)
{
	const char *problem = need_arch(t);

	if (problem || (pmu_get()->capabilities & IA32_PERF_CAPABILITIES_FW_WRITE))
		return problem;
	return test_reason(t, "IA32_PERF_CAPABILITIES[13] (FW_WRITE) = 0, CPUID.1:ECX[15] = %u",
	                   cpuid_get(CPUID_PDCM));
}

const char *need_smi(struct test_ctx *t)
{
	const char *problem = need_counting_pmu(t);
	const char *danger = danger_of_smi();

	return problem || !danger ? problem : test_reason(t, "%s", danger);
}

const char *need_smi_freeze(struct test_ctx *t)
{
	const char *problem = need_smi(t);

	if (problem || (pmu_get()->capabilities & IA32_PERF_CAPABILITIES_FREEZE_WHILE_SMM))
		return problem;
	return test_reason(t, "IA32_PERF_CAPABILITIES[12] (FREEZE_WHILE_SMM) = 0, "
	                   "CPUID.1:ECX[15] = %u", cpuid_get(CPUID_PDCM));
}

const char *need_gp2(struct test_ctx *t)
{
	const char *problem = need_arch(t);

	if (problem || pmu_get()->gp_count >= 2)
		return problem;
	return test_reason(t, "%u general counter exists, the test needs two", pmu_get()->gp_count);
}

const char *need_any_thread(struct test_ctx *t)
{
	const char *reason = need_arch_version(t, 3);
	unsigned deprecated = reason ? 0 : cpuid_get(CPUID_PERFMON_ANYTHREAD_DEPRECATED);

	if (!reason && (pmu_get()->version > 4 || deprecated))
		return test_reason(t, "CPUID.0AH:EAX[7:0] = %u, EDX[15] = %u: no AnyThread",
		                   pmu_get()->version, deprecated);
	return reason;
}

const char *need_event(struct test_ctx *t, uint16_t event)
{
	const char *problem = need_arch(t);

	if (problem || pmu_has_event(event))
		return problem;
	return test_reason(t, "no event %02XH, unit mask %02XH: CPUID.0AH:EAX[31:24] = %" PRIu32
	                   ", EBX = %" PRIX32 "H", event & 0xffu, event >> 8u,
	                   cpuid_get(CPUID_PERFMON_EVENT_COUNT),
	                   cpuid_get(CPUID_PERFMON_EVENT_MISSING));
}

static NEED_BOTH(need_delivery, need_local_apic, need_modes)
static NEED_BOTH(need_pmi_delivery, need_delivery, need_clear_status)

const char *need_pmi_lvtpc(struct test_ctx *t)
{
	const char *problem = need_pmi_delivery(t);

	if (!problem && pmi_unavailable())
		problem = test_reason(t, "%s", pmi_unavailable());
	return problem;
}

NEED_BOTH(need_pmi, need_arch, need_pmi_delivery)
NEED_BOTH(need_pmi_gp2, need_gp2, need_pmi_delivery)
NEED_BOTH(need_pmi_v2, need_arch_v2, need_pmi_delivery)
NEED_BOTH(need_pmi_v4, need_arch_v4, need_pmi_delivery)

static const char *need_hypervisor(struct test_ctx *t)
{
	switch (vmx_get_state()) {
	case VMX_IS_ABSENT:
		return test_reason(t, "CPUID.1:ECX[5] (VMX) = 0");
	case VMX_IS_LOCKED:
		return test_reason(t, "IA32_FEATURE_CONTROL = %XH: firmware has locked VMX off",
		                   (unsigned)msr_read(IA32_FEATURE_CONTROL));
	case VMX_HAS_NO_PAGING:
		return test_reason(t, "CR0.PG = 0: %s", paging_problem());
	default:
		return NULL;
	}
}

NEED_BOTH(need_vmx, need_hypervisor, need_arch_v2)

const char *need_svm(struct test_ctx *t)
{
	switch (svm_get_state()) {
	case SVM_IS_ABSENT:
		return test_reason(t, "CPUID.80000001H:ECX[2] (SVM) = 0");
	case SVM_IS_LOCKED:
		return test_reason(t, "VM_CR = %XH: firmware has disabled SVM",
		                   (unsigned)msr_read(VM_CR));
	default:
		return need_amd(t);
	}
}
