/* SPDX-License-Identifier: MIT */
#include <tests/p6.h>

#include <stddef.h>

#include <arch/apic.h>
#include <tests/identities.h>
#include <tests/needs.h>
#include <tests/pmi_windows.h>
#include <tests/smp.h>

/* The entry of LVTPC is the fifth: timer, thermal or none, LINT0, LINT1, error are four. */
#define MAX_LVT_WITH_LVTPC  4u

uint64_t p6_extended(uint64_t value)
{
	return (uint64_t)(int64_t)(int32_t)value & P6_COUNTER_MASK;
}

uint16_t p6_clocks(void)
{
	return identities_cycles();
}

struct pmu_setup p6_setup(unsigned counter, uint16_t event, unsigned flags)
{
	return (struct pmu_setup){ .counter = counter, .event = event, .flags = PMU_BOTH | flags };
}

const char *need_p6_modes(struct test_ctx *t)
{
	const char *problem = need_p6(t);

	return problem ? problem : need_modes(t);
}

const char *need_p6_apic(struct test_ctx *t)
{
	const char *problem = need_p6(t);

	return problem ? problem : need_local_apic(t);
}

const char *need_p6_pmi(struct test_ctx *t)
{
	const char *problem = need_p6(t);
	unsigned max_lvt;

	if (!problem)
		problem = need_pmi_delivery(t);
	if (problem)
		return problem;
	max_lvt = (unsigned)FIELD_GET(APIC_VERSION_MAX_LVT, apic_read(APIC_VERSION));
	if (max_lvt >= MAX_LVT_WITH_LVTPC)
		return NULL;
	return test_reason(t, "no LVTPC: the APIC's version register says max LVT = %u", max_lvt);
}

const char *need_p6_others(struct test_ctx *t)
{
	const char *problem = need_p6(t);

	return problem ? problem : need_others(t);
}

unsigned p6_other_package(void)
{
	FOR_EACH_OTHER(cpu)
		if (smp_get(cpu)->topology.package != smp_get(0)->topology.package)
			return cpu;
	return 0;
}

const char *need_p6_packages(struct test_ctx *t)
{
	const char *problem = need_p6_others(t);

	if (problem || p6_other_package())
		return problem;
	return test_reason(t, "all processors are of one package, by %s",
	                   smp_get(0)->topology.source);
}
