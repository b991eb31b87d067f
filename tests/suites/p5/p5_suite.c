/* SPDX-License-Identifier: MIT */
#include <tests/suites/p5/p5_suite.h>

#include <stddef.h>

#include <pmu/events/events.h>
#include <tests/suites/common/needs.h>

uint16_t p5_event(const char *event)
{
	return pmu_event_find(event)->select;
}

struct pmu_setup p5_setup(unsigned counter, const char *event, unsigned flags)
{
	return pmu_event_setup(pmu_event_find(event), NULL, counter, PMU_BOTH | flags);
}

const char *need_p5_modes(struct test_ctx *t)
{
	const char *problem = need_p5(t);

	return problem ? problem : need_modes(t);
}

const char *need_p5_apic(struct test_ctx *t)
{
	const char *problem = need_p5(t);

	return problem ? problem : need_local_apic(t);
}
