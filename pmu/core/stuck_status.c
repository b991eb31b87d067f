/* SPDX-License-Identifier: MIT */
#include <pmu/core/stuck_status.h>

#include <stddef.h>

#include <arch/regs/perfmon.h>
#include <pmu/core/pmu.h>

/* Others than the PMU's counters set these bits, at any time; arch.status.at_rest judges them. */
#define SET_BY_OTHERS (IA32_PERF_GLOBAL_STATUS_COND_CHGD | IA32_PERF_GLOBAL_STATUS_ASCI \
                       | IA32_PERF_GLOBAL_STATUS_OVF_UNCORE | IA32_PERF_GLOBAL_STATUS_TRACE_TOPA)

static uint64_t stuck, judged;
static const char *since;

static bool is_arch(void)
{
	return pmu_get()->class->generation == PMU_ARCH;
}

static bool is_netburst(void)
{
	return pmu_get()->class->generation == PMU_NETBURST;
}

static const char *name(void)
{
	return is_arch() ? "IA32_PERF_GLOBAL_STATUS, cleared after this test"
	       : is_netburst() ? "OVF of the CCCRs, cleared after this test"
	       : "PerfCntrGlobalStatus, cleared after this test";
}

/* On NetBurst every bit is a counter's. */
static uint64_t counters(void)
{
	const struct pmu *p = pmu_get();

	return is_netburst() ? UINT64_MAX
	       : UINT64_MAX >> (64 - p->gp_count) | (uint64_t)p->fixed_map << 32;
}

void stuck_status_set(uint64_t bits)
{
	stuck = bits;
}

uint64_t stuck_status(void)
{
	return stuck;
}

void stuck_status_check(struct test_ctx *t)
{
	uint64_t now = stuck & ~(is_arch() ? SET_BY_OTHERS : 0), more = now & ~judged;

	judged = now;
	if (more & counters())
		since = test_that_runs(t)->id;
	if (more)
		expect_bits(t, name(), now, now, 0,
		            "between two tests what clears the status was written with these "
		            "bits; later tests leave them out of the status");
}

const char *stuck_status_since(void)
{
	return stuck & counters() ? since : NULL;
}
