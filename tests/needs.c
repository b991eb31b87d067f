/* SPDX-License-Identifier: MIT */
#include <tests/needs.h>

#include <stddef.h>

#include <arch/apic.h>
#include <arch/modes.h>
#include <pmu/pmu.h>

const char *need_modes(struct test_ctx *t)
{
	return modes_problem() ? test_reason(t, "%s", modes_problem()) : NULL;
}

const char *need_local_apic(struct test_ctx *t)
{
	const struct apic_state *a = apic_get_state();

	return a->is_present ? NULL : test_reason(t, "no local APIC: %s", a->reason);
}

const char *need_counting_pmu(struct test_ctx *t)
{
	const struct pmu *p = pmu_get();

	return p->state == PMU_COUNTS ? NULL : test_reason(t, "%s", p->verdict);
}
