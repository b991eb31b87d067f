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
#include <kernel/lib/format.h>
#include <pmu/drivers/selects.h>

#define FLAGS (PMU_BOTH | PMU_EDGE | PMU_INV | PMU_INT)

static const struct selects legacy = {
	.select = PERF_LEGACY_CTL(0), .select_name = "PerfEvtSel",
	.counter = PERF_LEGACY_CTR(0), .counter_name = "PerfCtr", .stride = 1, .flags = FLAGS,
};

static const struct selects core = {
	.select = PERF_CTL(0), .select_name = "PERF_CTL",
	.counter = PERF_CTR(0), .counter_name = "PERF_CTR", .stride = 2, .flags = FLAGS,
	.global_ctrl = PerfCntrGlobalCtl, .global_name = "PerfCntrGlobalCtl",
	.status = PerfCntrGlobalStatus, .clear = PerfCntrGlobalStatusClr,
};

/* Counters take 48-bit writes. */
static void program(const struct selects *c, const struct pmu *p, const struct pmu_setup *setups,
                    unsigned count, struct pmu_switch *s)
{
	uint64_t mask = UINT64_MAX >> (64 - p->gp_width);

	selects_stop(c, p);
	selects_clear_status(c, p, selects_status(c, p));
	for (unsigned i = 0; i < count; i++)
		msr_write(c->counter + setups[i].counter * c->stride, setups[i].start & mask);
	selects_program(c, p, setups, count, s);
}

static void name(const struct selects *c, unsigned counter, char *buffer)
{
	format_buf(buffer, PMU_NAME_SIZE, "%s%u", c->counter_name, counter);
}

static void program_k7(const struct pmu *p, const struct pmu_setup *setups, unsigned count,
                       struct pmu_switch *s)
{
	program(&legacy, p, setups, count, s);
}

static uint32_t msr_k7(unsigned counter)                  { return PERF_LEGACY_CTR(counter); }
static void name_k7(unsigned counter, char *buffer)       { name(&legacy, counter, buffer); }
static const char *running_k7(const struct pmu *p)        { return selects_running(&legacy, p); }

const struct pmu_driver pmu_driver_amd_k7 = {
	.program = program_k7, .has_counter = selects_has_counter, .width = selects_width,
	.msr = msr_k7, .name = name_k7, .running = running_k7,
};

static void program_core(const struct pmu *p, const struct pmu_setup *setups, unsigned count,
                         struct pmu_switch *s)
{
	program(&core, p, setups, count, s);
}

static uint32_t msr_core(unsigned counter)                { return PERF_CTR(counter); }
static void name_core(unsigned counter, char *buffer)     { name(&core, counter, buffer); }
static const char *running_core(const struct pmu *p)      { return selects_running(&core, p); }

/* Zen 4 and 5 set other bits, too, which belong to functions of their own: Linux 599522d9d2e1. */
static uint64_t status(const struct pmu *p)
{
	return selects_status(&core, p) & (UINT64_MAX >> (64 - p->gp_count)
	       | PerfCntrGlobalStatus_LBRSF | PerfCntrGlobalStatus_PMCF);
}

static void clear_status(const struct pmu *p, uint64_t bits)
{
	selects_clear_status(&core, p, bits);
}

const struct pmu_driver pmu_driver_amd_core = {
	.program = program_core, .has_counter = selects_has_counter, .width = selects_width,
	.msr = msr_core, .name = name_core, .running = running_core,
	.status = status, .clear_status = clear_status, .status_since = 2,
};
