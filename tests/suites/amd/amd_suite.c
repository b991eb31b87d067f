/* SPDX-License-Identifier: MIT */
#include <tests/suites/amd/amd_suite.h>

#include <arch/cpu/cpuid.h>
#include <kernel/machine/machine.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>

bool amd_has_core(void)       { return pmu_get()->class->generation == PMU_AMD_CORE; }
bool amd_has_v2(void)         { return pmu_get()->version >= 2; }
unsigned amd_counters(void)   { return pmu_get()->gp_count; }
unsigned amd_family(void)     { return machine_cpu()->family; }

uint32_t amd_ctl(unsigned i)  { return amd_has_core() ? PERF_CTL(i) : PERF_LEGACY_CTL(i); }
uint32_t amd_ctr(unsigned i)  { return amd_has_core() ? PERF_CTR(i) : PERF_LEGACY_CTR(i); }

uint64_t amd_read(uint32_t msr)
{
	uint64_t value = 0;

	msr_try_read(msr, &value);
	return value;
}

uint64_t amd_select(uint16_t event, uint8_t umask)
{
	return PERF_CTL_EVENT(event) | FIELD_PUT(PERF_CTL_UNIT_MASK, umask) | PERF_CTL_USR
	       | PERF_CTL_OS | PERF_CTL_EN;
}

uint64_t amd_count(unsigned i, uint64_t select, void (*code)(uint32_t rounds, uint32_t argument),
                   uint32_t rounds, uint32_t argument)
{
	pmu_reset();
	if (amd_has_v2())
		msr_write(PerfCntrGlobalCtl, PerfCntrGlobalCtl_EN(i));
	msr_write(amd_ctl(i), select);
	code(rounds, argument);
	msr_write(amd_ctl(i), 0);
	return amd_read(amd_ctr(i));
}

uint64_t amd_more(unsigned i, uint64_t select, void (*code)(uint32_t rounds, uint32_t argument),
                  uint32_t argument)
{
	uint64_t few = amd_count(i, select, code, AMD_FEW, argument);

	return amd_count(i, select, code, AMD_FEW + AMD_MORE, argument) - few;
}

bool amd_is_known(void)
{
	const struct cpu_identity *cpu = machine_cpu();

	return cpu->family == AMD_K8 || cpu->family == AMD_10H || cpu->family == AMD_15H
	       || (cpu->family == AMD_17H && cpu->model < 0x30) || cpu->family == 0x18
	       || (cpu->family == AMD_19H && cpu->model < 0x10);
}

NEED_BOTH(need_amd_modes, need_amd, need_modes)
NEED_BOTH(need_amd_apic, need_amd, need_local_apic)
NEED_BOTH(need_amd_pmi, need_amd, need_pmi_lvtpc)
NEED_BOTH(need_amd_v2_pmi, need_amd_v2, need_pmi_lvtpc)

const char *need_amd_exact(struct test_ctx *t)
{
	const char *reason = need_amd(t);

	return reason ? reason : need_exact(t, "no manual says what silicon does");
}

const char *need_amd_core(struct test_ctx *t)
{
	const char *reason = need_amd(t);

	return reason || amd_has_core() ? reason
	       : test_reason(t, "CPUID.80000001H:ECX[23] = 0: four counters, without aliases");
}

const char *need_amd_v2(struct test_ctx *t)
{
	const char *reason = need_amd(t);

	return reason || amd_has_v2() ? reason
	       : test_reason(t, "CPUID.80000022H:EAX[0] (PerfMonV2) = 0");
}

const char *need_amd_before_v2(struct test_ctx *t)
{
	const char *reason = need_amd(t);

	return reason || !amd_has_v2() ? reason
	       : test_reason(t, "CPUID.80000022H:EAX[0] = 1: there is an overflow status");
}

static const char *need_family(struct test_ctx *t, unsigned first)
{
	const char *reason = need_amd(t);

	return reason || amd_family() >= first ? reason
	       : test_reason(t, "family %XH, the test needs %XH or later", amd_family(), first);
}

const char *need_amd_since_10h(struct test_ctx *t) { return need_family(t, AMD_10H); }
const char *need_amd_since_17h(struct test_ctx *t) { return need_family(t, AMD_17H); }

const char *need_amd_nb(struct test_ctx *t)
{
	const char *reason = need_amd(t);

	return reason || cpuid_get(CPUID_PERFCTR_NB) ? reason
	       : test_reason(t, "CPUID.80000001H:ECX[24] (PerfCtrExtNB) = 0");
}

const char *need_amd_l3(struct test_ctx *t)
{
	const char *reason = need_amd(t);

	return reason || cpuid_get(CPUID_PERFCTR_LLC) ? reason
	       : test_reason(t, "CPUID.80000001H:ECX[28] (L2I or L3 counters) = 0");
}
