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

NEED_BOTH(need_p5_modes, need_p5, need_modes)
NEED_BOTH(need_p5_apic, need_p5, need_local_apic)
