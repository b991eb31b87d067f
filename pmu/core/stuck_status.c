/* SPDX-License-Identifier: MIT */
#include <pmu/core/stuck_status.h>

#include <stddef.h>

#include <pmu/core/pmu.h>

static uint64_t stuck, judged;
static const char *since;

static uint64_t counters(void)
{
	const struct pmu *p = pmu_get();

	return UINT64_MAX >> (64 - p->gp_count) | (uint64_t)p->fixed_map << 32;
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
	uint64_t now = stuck & ~pmu_get()->class->status_of_others, more = now & ~judged;

	judged = now;
	if (more & counters())
		since = test_that_runs(t)->id;
	if (more)
		expect_bits(t, pmu_get()->class->status_name, now, now, 0,
		            "between two tests what clears the status was written with these "
		            "bits; later tests leave them out of the status");
}

const char *stuck_status_since(void)
{
	return stuck & counters() ? since : NULL;
}
