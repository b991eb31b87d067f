/* SPDX-License-Identifier: MIT */
#include <tests/suites/p6/p6_suite.h>

#include <stddef.h>

#include <tests/suites/common/counts/identities.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/smp_tests.h>

uint64_t p6_extended(uint64_t value)
{
	return (uint64_t)(int64_t)(int32_t)value & P6_COUNTER_MASK;
}

uint16_t p6_clocks(void)
{
	return pmu_get()->class->cycles;
}

struct pmu_setup p6_setup(unsigned counter, uint16_t event, unsigned flags)
{
	return (struct pmu_setup){ .counter = counter, .event = event, .flags = PMU_BOTH | flags };
}

NEED_BOTH(need_p6_modes, need_p6, need_modes)
NEED_BOTH(need_p6_apic, need_p6, need_local_apic)
NEED_BOTH(need_p6_pmi, need_p6, need_pmi_lvtpc)
NEED_BOTH(need_p6_secondaries, need_p6, need_secondaries)

unsigned p6_other_package(void)
{
	FOR_EACH_OTHER(cpu)
		if (smp_get(cpu)->topology.package != smp_get(0)->topology.package)
			return cpu;
	return 0;
}

const char *need_p6_packages(struct test_ctx *t)
{
	const char *problem = need_p6_secondaries(t);

	if (problem || p6_other_package())
		return problem;
	return test_reason(t, "all processors are of one package, by %s",
	                   smp_get(0)->topology.source);
}
