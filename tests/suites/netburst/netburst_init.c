/* SPDX-License-Identifier: MIT */
/* INIT of one thread, which shares its PMU with the other one. */
#include <kernel/lib/format.h>
#include <tests/suites/common/netburst_suite.h>
#include <tests/suites/common/smp_init.h>
#include <tests/suites/common/smp_tests.h>

#define ESCR_VALUE(i)  (FIELD_PUT(ESCR_EVENT_SELECT, 1 + (i)) | FIELD_PUT(ESCR_EVENT_MASK, 1))
#define CCCR_VALUE(i)  (CCCR_ACTIVE_THREAD | CCCR_COMPARE | FIELD_PUT(CCCR_THRESHOLD, (i) & 15))

static struct kept_register named(const char *name, uint32_t msr, uint64_t value)
{
	struct kept_register r = { .msr = msr, .value = value };

	format_buf(r.name, sizeof(r.name), "%s", name);
	return r;
}

/* Lists registers in which nothing is enabled, and no ESCR names a CPL. */
static unsigned kept(struct kept_register *r)
{
	unsigned count = 0;

	for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
		const struct netburst_counter *c = &netburst_counters[i];

		r[count++] = named(c->name, c->msr, UINT64_C(0x1234567800) + i);
		r[count++] = named(c->cccr_name, c->cccr, CCCR_VALUE(i));
	}
	for (unsigned i = 0; i < NETBURST_ESCRS; i++)
		if (netburst_has_escr(&netburst_escrs[i]))
			r[count++] = named(netburst_escrs[i].name, netburst_escrs[i].msr,
			                   ESCR_VALUE(i));
	return count;
}

_Static_assert((int)KEPT_MAX >= 2 * NETBURST_COUNTERS + NETBURST_ESCRS, "a row per register");

static NEED_BOTH(need_netburst_secondaries, need_netburst, need_secondaries)

TEST(init, .id = "netburst.thread.init", .runs = TEST_ON_BOOT, .needs = need_netburst_secondaries,
     .claim = "an INIT IPI leaves counters, CCCRs and ESCRs as they were",
     .source = "SDM 3A, table \"IA-32 Processor States Following Power-up, Reset, or INIT\": "
               "performance counters and control: unchanged by INIT")
{
	judge_init(t, kept);
}
