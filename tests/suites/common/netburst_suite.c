/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/netburst_suite.h>

#include <stddef.h>

#include <kernel/machine/machine.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/smp_tests.h>

NEED_BOTH(need_netburst_modes, need_netburst, need_modes)
NEED_BOTH(need_netburst_pmi, need_netburst, need_pmi_lvtpc)

unsigned netburst_sibling(void)
{
	return smp_find(true);
}

NEED_BOTH(need_netburst_threads, need_netburst, need_siblings)
NEED_BOTH(need_netburst_thread_pmis, need_netburst_pmi, need_siblings)

const char *need_netburst_extended(struct test_ctx *t)
{
	const char *problem = need_netburst(t);

	if (problem || netburst_has_extended_cascading())
		return problem;
	return test_reason(t, "model %u has no extended cascading, models from 2 on have it",
	                   machine_cpu()->model);
}

uint64_t netburst_count(const char *event, const char *masks, unsigned counter, unsigned flags,
                        void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds,
                        uint32_t argument)
{
	struct netburst_use use;
	struct pmu_setup s = netburst_setup(&use, netburst_event_find(event), masks, counter,
	                                    flags);

	return pmu_measure_code(&s, 1, code, rounds, argument).count[0];
}

uint64_t netburst_net(const char *event, const char *masks, unsigned counter, unsigned flags,
                      void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds,
                      uint32_t argument)
{
	uint64_t empty = netburst_count(event, masks, counter, flags, workload_empty.code, 0, 0);
	uint64_t full = netburst_count(event, masks, counter, flags, code, rounds, argument);

	return (full - empty) & NETBURST_COUNTER_VALUE;
}
