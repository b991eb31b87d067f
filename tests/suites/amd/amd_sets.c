/* SPDX-License-Identifier: MIT */
/* Events that not every counter counts: family 15H. */
#include <tests/suites/common/amd/amd_suite.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

#define SETS  "Linux, arch/x86/events/amd/core.c, counters of family 15H"

static const char *need_15h(struct test_ctx *t)
{
	const char *reason = need_amd(t);

	return reason || amd_family() == AMD_15H ? reason
	       : test_reason(t, "family %XH: its counters are alike", amd_family());
}

static const struct { const char *name; uint16_t event; uint8_t umask, counters; } sets[] = {
	{ "0C0H, instructions", 0x0c0, 0, 0x3f },
	{ "0C2H, branches",     0x0c2, 0, 0x3f },
	{ "076H, clocks",       0x076, 0, 0x07 },
	{ "080H, fetches",      0x080, 0, 0x07 },
};

TEST(counter_sets, .id = "amd.f15.counter_sets", .needs = need_15h, .source = SETS,
     .claim = "an event counts on the counters of its set; elsewhere nothing counts, on the model")
{
	for (unsigned n = 0; n < COUNT_OF(sets); n++)
		for (unsigned i = 0; i < amd_counters(); i++) {
			uint64_t got = amd_count(i, amd_select(sets[n].event, sets[n].umask),
			                         workload_loop.code, 1000, 0);

			test_sub(t, "event %s, counter %u", sets[n].name, i);
			if (sets[n].counters >> i & 1)
				expect_between(t, "counts", got, 1, UINT64_MAX,
				               "low: the counter is of the event's set; high: no "
				               "bound");
			else
				expect_bounds(t, "counts", got, if_exact(0, "it is not of the set"),
				              ELSE_SHOWN);
		}
}
