/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/amd/amd_suite.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/table.h>
#include <kernel/machine/machine.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>

bool amd_has_core(void)       { return pmu_has(PMU_HAS_CORE_CTLS); }
bool amd_has_v2(void)         { return pmu_get()->version >= 2; }
unsigned amd_counters(void)   { return pmu_get()->gp_count; }
unsigned amd_family(void)     { return machine_cpu()->family; }

/* Linux, arch/x86/events/amd/core.c: family 15H has sets of counters. */
unsigned amd_counters_of(uint16_t event)
{
	static const struct { uint16_t event; uint8_t counters; } sets[] = {
		{ 0x003, 0x08 }, { 0x076, 0x07 }, { 0x080, 0x07 },
	};

	for (unsigned n = 0; amd_family() == AMD_15H && n < COUNT_OF(sets); n++)
		if (sets[n].event == event)
			return sets[n].counters;
	return (1u << amd_counters()) - 1;
}

/* APM 2: four, and with PerfMonV2 as many as CPUID says. */
unsigned amd_nb_counters(void)
{
	if (!cpuid_get(CPUID_PERFCTR_NB))
		return 0;
	return amd_has_v2() ? cpuid_get(CPUID_AMD_FABRIC_COUNTERS) : 4;
}

unsigned amd_l3_counters(void)
{
	return !cpuid_get(CPUID_PERFCTR_LLC) ? 0 : amd_family() < AMD_17H ? 4 : 6;
}

bool amd_is_17h(void)  { return amd_family() == AMD_17H || amd_family() == 0x18; }

uint32_t amd_ctl(unsigned i)  { return amd_has_core() ? PERF_CTL(i) : PERF_LEGACY_CTL(i); }
uint32_t amd_ctr(unsigned i)  { return amd_has_core() ? PERF_CTR(i) : PERF_LEGACY_CTR(i); }

uint64_t amd_read(uint32_t msr)
{
	return msr_read_or_0(msr);
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
NEED_BOTH(need_amd_merge_pmi, need_amd_since_17h, need_pmi_lvtpc)

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
