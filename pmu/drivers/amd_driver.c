/* SPDX-License-Identifier: MIT */
/*
 * Drives AMD's core counters, from K7 to Zen 5. Source: APM 2, "Performance Monitoring Counters".
 * Each counter has an enable of its own; PerfMonV2 adds one register for all, and an overflow
 * status. Before it the counters' signs show which of them overflowed.
 */
#include <pmu/drivers/classes.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/regs/amd.h>
#include <arch/regs/msr.h>
#include <pmu/drivers/selects.h>
#include <pmu/drivers/suspend.h>

#define FLAGS (PMU_BOTH | PMU_EDGE | PMU_INV | PMU_INT)

static const struct selects legacy = {
	.select = PERF_LEGACY_CTL(0), .select_name = "PerfEvtSel",
	.counter = PERF_LEGACY_CTR(0), .counter_name = "PerfCtr", .stride = 1, .flags = FLAGS,
	.event_high = PERF_CTL_EVENT_SELECT_HIGH,
};

static const struct selects core = {
	.select = PERF_CTL(0), .select_name = "PERF_CTL",
	.counter = PERF_CTR(0), .counter_name = "PERF_CTR", .stride = 2, .flags = FLAGS,
	.event_high = PERF_CTL_EVENT_SELECT_HIGH,
	.global_ctrl = PerfCntrGlobalCtl, .global_name = "PerfCntrGlobalCtl",
	.status = PerfCntrGlobalStatus, .clear = PerfCntrGlobalStatusClr,
};

/* Counters take 48-bit writes. */
static void program(const struct pmu *p, const struct pmu_setup *setups, unsigned count,
                    struct pmu_switch *s)
{
	uint64_t mask = UINT64_MAX >> (64 - p->gp_width);

	selects_stop(p);
	selects_clear_status(p, selects_status(p));
	for (unsigned i = 0; i < count; i++)
		msr_write(selects_msr(p, setups[i].counter), setups[i].start & mask);
	selects_program(p, setups, count, s);
}

/* Zen 4 and 5 set other bits, too, which belong to functions of their own: Linux 599522d9d2e1. */
static uint64_t status(const struct pmu *p)
{
	return selects_status(p) & (UINT64_MAX >> (64 - p->gp_count)
	       | PerfCntrGlobalStatus_LBRSF | PerfCntrGlobalStatus_PMCF);
}

static void examine(const struct pmu *p, struct pmu_examined *e)
{
	selects_examine(p, e);
	e->efer = pmu_awake_value(IA32_EFER);
}

static const struct pmu_pausable legacy_pausables[] = {
	{ .msr = PERF_LEGACY_CTL(0), .stride = 1, .bits = PERF_CTL_EN },
};

static const struct pmu_pausable core_pausables[] = {
	{ .until = 1, .msr = PERF_CTL(0), .stride = 2, .bits = PERF_CTL_EN },
	{ .since = 2, .count = 1, .msr = PerfCntrGlobalCtl, .bits = UINT64_MAX },
};

#define OPERATIONS \
	.program = program, .msr = selects_msr, .name = selects_name, .running = selects_running, \
	.examine = examine, .sure = selects_sure

const struct pmu_driver pmu_driver_amd_k7 = {
	OPERATIONS, .selects = &legacy, PAUSABLES(legacy_pausables),
};

const struct pmu_driver pmu_driver_amd_core = {
	OPERATIONS, .selects = &core, PAUSABLES(core_pausables),
	.status = status, .clear_status = selects_clear_status, .status_since = 2,
};
