/* SPDX-License-Identifier: MIT */
/* Each of several processors of the P6 family has its own PMU, and INIT does not change it. */
#include <tests/suites/p6/p6_suite.h>

#include <arch/cpu/fault.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/smp_init.h>
#include <tests/suites/common/smp_tests.h>

/* Returns another value for each counter of each processor; a write keeps it as it is. */
static uint64_t own_value(unsigned x)
{
	return 0x10000 * (smp_self() + 1) + 0x100 + x;
}

/* ------------------------------------------------------------------------ INIT */

/* Lists controls under which nothing counts: EN is set, but no ring. */
static unsigned kept(struct kept_register *r)
{
	char name[PMU_NAME_SIZE];
	unsigned count = 0;

	for (unsigned x = 0; x < P6_COUNTERS; x++) {
		format_buf(name, sizeof(name), "PerfCtr%u", x);
		keep_register(r, &count, name, PerfCtr(x), own_value(x));
	}
	for (unsigned x = 0; x < P6_COUNTERS; x++) {
		format_buf(name, sizeof(name), "PerfEvtSel%u", x);
		keep_register(r, &count, name, PerfEvtSel(x),
		              PerfEvtSel_E | PerfEvtSel_INV | (0x100 + x)
		              | (x ? 0 : PerfEvtSel_EN));
	}
	keep_register(r, &count, "DebugCtlMSR", DebugCtlMSR, DebugCtlMSR_BTF)->is_open = true;
	return count;
}

TEST(init, .id = "p6.smp.init", .is_static = true,
     .runs = TEST_ON_BOOT, .needs = need_p6_secondaries,
     .claim = "an INIT IPI leaves PerfCtr, PerfEvtSel and DebugCtlMSR as they were",
     .source = "SDM 3A, table \"IA-32 Processor States Following Power-up, Reset, or INIT\": "
               "performance counters and control, other MSRs: unchanged by INIT")
{
	judge_init(t, kept);
}

/* ------------------------------------------------------------------------ values */

static void count_part(struct test_ctx *t, uintptr_t argument)
{
	const struct pmu_setup both[] = { p6_setup(0, P6_INSTRUCTIONS, 0),
	                                  p6_setup(1, P6_BRANCHES, 0) };
	struct pmu_reading empty = pmu_measure(both, 2, &workload_empty, 1000, 0);
	struct pmu_reading r = pmu_measure(both, 2, &workload_loop, 1000, 0);

	(void)argument;
	expect_exact(t, "PerfCtr0", r.count[0] - empty.count[0],
	             workload_insns(&workload_loop, 1000) - workload_insns(&workload_empty, 0),
	             "it counts its own instructions, whatever others do");
	expect_exact(t, "PerfCtr1", r.count[1] - empty.count[1],
	             workload_branches(&workload_loop, 1000)
	             - workload_branches(&workload_empty, 0),
	             "it counts its own branches, whatever others do");
	pmu_reset();
}

TEST(independent, .id = "p6.smp.independent", .runs = TEST_ON_BOOT, .needs = need_p6_secondaries,
     .claim = "each processor counts by itself and changes no counter of another one",
     .source = P6_SDM)
{
	pmu_reset();
	for (unsigned x = 0; x < P6_COUNTERS; x++)
		msr_write(PerfCtr(x), own_value(x));
	smp_do_on_all(t, count_part, 0);
	for (unsigned x = 0; x < P6_COUNTERS; x++)
		expect_exact(t, x ? "PerfCtr1" : "PerfCtr0", msr_read(PerfCtr(x)), own_value(x),
		             "it is stopped and was written here; only other processors have "
		             "counted since");
}
