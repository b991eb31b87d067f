/* SPDX-License-Identifier: MIT */
#include <monitor/tools/ibs_sampler.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/nearest.h>
#include <kernel/lib/string.h>
#include <monitor/tools/histogram.h>
#include <pmu/sampling/ibs.h>

enum { UNIT = 16, LARGEST = 0xffff * UNIT };

static const struct ibs_event events[] = {
	{ "ops", "all ops", .data = 0 },
	{ "clocks", "an op each N clocks", .by_clocks = true },
	{ "fetches", "fetches of code", .is_fetch = true },
	{ "loads", "ops that load", .data3 = IbsOpData3_LdOp },
	{ "stores", "ops that store", .data3 = IbsOpData3_StOp },
	{ "misses", "ops that missed the data cache", .data3 = IbsOpData3_DcMiss },
	{ "tlb-misses", "ops that missed the first TLB", .data3 = IbsOpData3_DcL1TlbMiss },
	{ "branches", "branches", .data = IbsOpData_OpBrnRet },
	{ "taken", "branches that were taken", .data = IbsOpData_OpBrnTaken },
	{ "mispredicted", "branches that were mispredicted", .data = IbsOpData_OpBrnMisp },
};

const struct ibs_event *ibs_event_at(unsigned n)
{
	return n < COUNT_OF(events) ? &events[n] : NULL;
}

const struct ibs_event *ibs_event_find(const char *name)
{
	struct nearest near;
	char text[NEAREST_TEXT_SIZE];

	nearest_begin(&near, name);
	for (unsigned i = 0; i < COUNT_OF(events); i++) {
		if (strcmp(events[i].name, name) == 0)
			return &events[i];
		nearest_try(&near, events[i].name);
	}
	monitor_fail("IBS samples no %s%s: \"ibs\" lists what it does", name,
	             nearest_text(&near, text));
}

void ibs_sampler_need(void)
{
	if (ibs_unavailable())
		monitor_fail("%s", ibs_unavailable());
	if (ibs_interrupt_unavailable())
		monitor_fail("it cannot interrupt: %s", ibs_interrupt_unavailable());
}

/* ---------------------------------------------------------------------------- the run */

static const struct ibs_event *now;
static struct ibs_sample first;        /* of those that are shown */

static void take(const struct ibs_sample *s)
{
	if ((s->data & now->data) != now->data || (s->data3 & now->data3) != now->data3)
		return;
	if (!histogram_count())
		first = *s;
	histogram_add((uintptr_t)(s->is_fetch ? s->linear : s->rip));
}

static struct ibs_plan plan_of(const struct ibs_event *e, uint64_t n)
{
	const bool by_ops = !e->by_clocks && ibs_has(CPUID_AMD_IBS_EAX_OpCnt);
	const uint64_t maximum = n / UNIT;

	return (struct ibs_plan){
		.op = e->is_fetch ? 0 : ibs_op(maximum, by_ops ? IbsOpCtl_CntCtl : 0),
		.fetch = e->is_fetch ? ibs_fetch(maximum, IbsFetchCtl_RandEn) : 0,
		.is_varied = !e->is_fetch, .each = take };
}

static void print_first(void)
{
	print("The first sample: IbsOpRip %" PRIX64 "H, IbsOpData %" PRIX64 "H, IbsOpData3 %"
	      PRIX64 "H", first.rip, first.data, first.data3);
	if (first.data3 & IbsOpData3_DcLinAddrValid)
		print(", IbsDcLinAd %" PRIX64 "H", first.linear);
	if (first.data & IbsOpData_OpBrnRet)
		print(", IbsBrTarget %" PRIX64 "H", first.target);
	print("\n");
}

static void print_samples(void)
{
	const struct ibs_log *log = ibs_get_log();

	print("%u samples, %u interrupts without one", log->count, log->empty);
	if (histogram_count() < log->count)
		print("; of %s %u", now->name, histogram_count());
	print(histogram_count() ? ":\n" : ".\n");
	histogram_print();
	if (histogram_count() && !now->is_fetch)
		print_first();
}

void ibs_sampler_run(const struct words *w, const struct ibs_event *e, unsigned n, unsigned work)
{
	struct ibs_plan plan;
	struct work code;

	plan = plan_of(e, words_number(w, n, "N", e->is_fetch ? UNIT : IBS_OP_LEAST * UNIT,
	                               LARGEST));
	work_parse(w, work, &code);
	ibs_sampler_need();
	now = e;
	histogram_clear();
	ibs_start(&plan);
	work_get_code(&code)(code.rounds, code.argument);
	ibs_stop();
	if (work_problem(&code))
		print("%s.\n", work_problem(&code));
	print_samples();
}
