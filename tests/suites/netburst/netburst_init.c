/* SPDX-License-Identifier: MIT */
/* INIT of one thread, which shares its PMU with the other one. */
#include <arch/regs/perfmon.h>
#include <tests/suites/common/netburst_suite.h>
#include <tests/suites/common/smp_init.h>
#include <tests/suites/common/smp_tests.h>

#define ESCR_VALUE(i)  (FIELD_PUT(ESCR_EVENT_SELECT, 1 + (i)) | FIELD_PUT(ESCR_EVENT_MASK, 1))
#define CCCR_VALUE(i)  (CCCR_ACTIVE_THREAD | CCCR_COMPARE | FIELD_PUT(CCCR_THRESHOLD, (i) & 15))

/* INIT ends BTS and PEBS. PEBS of no counter, and BTS without TR, write nothing. */
static void keep_sampling(struct kept_register *r, unsigned *count)
{
	struct kept_register *one;

	one = keep_register(r, count, "MSR_DEBUGCTLA", MSR_DEBUGCTLA,
	                    MSR_DEBUGCTLA_BTF | MSR_DEBUGCTLA_BTS | MSR_DEBUGCTLA_BTINT);
	one->cleared = MSR_DEBUGCTLA_BTS | MSR_DEBUGCTLA_BTINT;
	one->is_open = true;
	one = keep_register(r, count, "MSR_PEBS_ENABLE", MSR_PEBS_ENABLE,
	                    PEBS_ENABLE_UOP_TAG | PEBS_ENABLE_MY_THR);
	one->cleared = PEBS_ENABLE_MY_THR;
	one->is_open = true;
	keep_register(r, count, "MSR_PEBS_MATRIX_VERT", MSR_PEBS_MATRIX_VERT,
	              PEBS_MATRIX_VERT_STORES)->is_open = true;
	keep_register(r, count, "IA32_DS_AREA", IA32_DS_AREA, 0x12345000)->is_open = true;
}

/* Lists registers in which nothing is enabled, and no ESCR names a CPL. */
static unsigned kept(struct kept_register *r)
{
	unsigned count = 0;

	for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
		const struct netburst_counter *c = &netburst_counters[i];

		keep_register(r, &count, c->name, c->msr, UINT64_C(0x1234567800) + i);
		keep_register(r, &count, c->cccr_name, c->cccr, CCCR_VALUE(i));
	}
	for (unsigned i = 0; i < NETBURST_ESCRS; i++)
		if (netburst_has_escr(&netburst_escrs[i]))
			keep_register(r, &count, netburst_escrs[i].name, netburst_escrs[i].msr,
			              ESCR_VALUE(i));
	keep_sampling(r, &count);
	return count;
}

_Static_assert((int)KEPT_MAX >= 2 * NETBURST_COUNTERS + NETBURST_ESCRS, "a row per register");

static NEED_BOTH(need_netburst_secondaries, need_netburst, need_secondaries)

TEST(init, .id = "netburst.thread.init", .is_static = true,
     .runs = TEST_ON_BOOT, .needs = need_netburst_secondaries,
     .claim = "an INIT IPI leaves counters, CCCRs, ESCRs and what else PEBS and BTS need as they "
              "were, and ends BTS and PEBS",
     .source = "SDM 3A, table \"IA-32 Processor States Following Power-up, Reset, or INIT\": "
               "performance counters and control: unchanged by INIT; SDM 3B, \"DS Save Area\"")
{
	judge_init(t, kept);
}
