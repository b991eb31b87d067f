/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/counts/arch_measure.h>

#include <arch/cpu/cpuid.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/needs.h>

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
