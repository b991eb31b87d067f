/* SPDX-License-Identifier: MIT */
/*
 * Drives the P6 family's two counters. Source: SDM 3B, "Performance Monitoring (P6 Family
 * Processor)". There is no overflow status: the counters' signs show which of them overflowed.
 */
#include <pmu/drivers/classes.h>

#include <arch/cpu/fault.h>
#include <arch/regs/p6.h>
#include <kernel/lib/format.h>
#include <kernel/run/test.h>
#include <pmu/drivers/selects.h>
#include <pmu/drivers/suspend.h>

static const struct selects selects = {
	.select = PerfEvtSel(0), .select_name = "PerfEvtSel",
	.counter = PerfCtr(0), .counter_name = "PerfCtr", .stride = 1,
	.flags = PMU_BOTH | PMU_EDGE | PMU_INV | PMU_INT | PMU_PIN,
};

/* A write takes bits 31:0 and sign-extends them; EDX is ignored. */
static void write_start(const struct pmu *p, const struct pmu_setup *s)
{
	uint64_t mask = UINT64_MAX >> (64 - p->gp_width), start = s->start & mask;

	if (((uint64_t)(int64_t)(int32_t)start & mask) != start)
		test_abort("PerfCtr%u cannot be set to %" PRIX64 "H: a write sign-extends bit 31",
		           s->counter, start);
	msr_write(PerfCtr(s->counter), start);
}

/*
 * EN in PerfEvtSel0 enables both counters: PerfEvtSel1 is written now, and the write that starts
 * and the one that stops are both to PerfEvtSel0, exact for both counters. If counter 0 is not
 * used, it gets an event that never happens, in no ring.
 */
static void program(const struct pmu *p, const struct pmu_setup *setups, unsigned count,
                    struct pmu_switch *s)
{
	uint64_t select[2] = { FIELD_PUT(PerfEvtSel_EVENT_SELECT, P6_EVENT_L2_RQSTS), 0 };

	for (unsigned i = 0; i < count; i++)
		select[setups[i].counter] = selects_value(p, &setups[i]);
	msr_write(PerfEvtSel(0), 0);
	msr_write(PerfEvtSel(1), 0);
	for (unsigned i = 0; i < count; i++)
		write_start(p, &setups[i]);
	msr_write(PerfEvtSel(1), select[1]);
	pmu_switch_add_on(s, PerfEvtSel(0), select[0] | PerfEvtSel_EN);
	pmu_switch_add_off(s, PerfEvtSel(0), 0);
}

static const char *running(const struct pmu *p)
{
	static char text[96];
	uint64_t select[2] = { 0 };

	for (unsigned i = 0; i < p->gp_count; i++)
		msr_try_read(PerfEvtSel(i), &select[i]);
	for (unsigned i = 0; i < p->gp_count && (select[0] & PerfEvtSel_EN); i++) {
		if (!(select[i] & (PerfEvtSel_OS | PerfEvtSel_USR)))
			continue;
		format_buf(text, sizeof(text), "PerfEvtSel0 = %" PRIX64 "H, PerfEvtSel1 = %" PRIX64
		           "H: counter %u was left running", select[0], select[1], i);
		return text;
	}
	return NULL;
}

static void examine(const struct pmu *p, struct pmu_examined *e)
{
	selects_examine(p, e);
	e->control = pmu_awake_value(PerfEvtSel(0));
}

static const char *sure(const struct pmu *p, unsigned counter, struct pmu_switch *s)
{
	const uint64_t instructions = p->class->instructions | PerfEvtSel_OS | PerfEvtSel_USR;

	if (counter)
		pmu_switch_add_on(s, PerfEvtSel(1), instructions);
	pmu_switch_add_on(s, PerfEvtSel(0),
	                  PerfEvtSel_EN | (counter ? P6_EVENT_L2_RQSTS : instructions));
	return "instructions";
}

static const struct pmu_pausable pausables[] = {
	{ .count = 1, .msr = PerfEvtSel(0), .bits = PerfEvtSel_EN },
	{ .count = 1, .msr = DebugCtlMSR, .bits = DebugCtlMSR_LBR },
};

const struct pmu_driver pmu_driver_p6 = {
	.program = program, .msr = selects_msr, .name = selects_name, .running = running,
	.examine = examine, .sure = sure, .selects = &selects, PAUSABLES(pausables),
};
