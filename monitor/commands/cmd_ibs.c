/* SPDX-License-Identifier: MIT */
/* ibs: shows what AMD's instruction-based sampling samples. */
#include <monitor/tools/command.h>

#include <arch/interrupts/local_apic.h>
#include <arch/regs/table.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <monitor/tools/histogram.h>
#include <monitor/tools/work.h>
#include <pmu/sampling/ibs.h>

enum { UNIT = 16, LARGEST = 0xffff * UNIT };

static const struct { uint32_t bit; const char *meaning; } caps[] = {
	{ CPUID_AMD_IBS_EAX_FetchSam, "samples fetches" },
	{ CPUID_AMD_IBS_EAX_OpSam, "samples ops" },
	{ CPUID_AMD_IBS_EAX_RdWrOpCnt, "the count of ops can be written" },
	{ CPUID_AMD_IBS_EAX_OpCnt, "counts ops as well as clocks" },
	{ CPUID_AMD_IBS_EAX_BrnTrgt, "samples have the target of a branch" },
	{ CPUID_AMD_IBS_EAX_OpCntExt, "the count of ops has 27 bits, not 20" },
	{ CPUID_AMD_IBS_EAX_L3MissFilter, "can leave out what hits a cache" },
	{ CPUID_AMD_IBS_EAX_LoadLatFilter, "can leave out loads that are fast" },
};

static void describe(void)
{
	print("IBS: CPUID.8000001BH:EAX = %" PRIX32 "H:\n", ibs_caps());
	for (unsigned i = 0; i < COUNT_OF(caps); i++)
		if (ibs_has(caps[i].bit))
			print("  %s\n", caps[i].meaning);
	if (ibs_interrupt_unavailable())
		print("It cannot interrupt: %s.\n", ibs_interrupt_unavailable());
	else
		print("It interrupts by the local APIC's register %XH, which holds %" PRIX32
		      "H.\n", (unsigned)ibs_lvt(), apic_read(ibs_lvt()));
}

static void print_op(const struct ibs_sample *s)
{
	print("The first sample: IbsOpRip %" PRIX64 "H, IbsOpData %" PRIX64 "H, IbsOpData3 %"
	      PRIX64 "H", s->rip, s->data, s->data3);
	if (s->data3 & IbsOpData3_DcLinAddrValid)
		print(", IbsDcLinAd %" PRIX64 "H", s->linear);
	if (s->data & IbsOpData_OpBrnRet)
		print(", IbsBrTarget %" PRIX64 "H", s->target);
	print("\n");
}

static void print_samples(const struct ibs_log *log)
{
	unsigned kept = log->count < IBS_SAMPLES ? log->count : IBS_SAMPLES;

	print("%u samples, %u interrupts without one", log->count, log->empty);
	print(kept < log->count ? "; the first %u of them:\n" : ":\n", kept);
	histogram_clear();
	for (unsigned i = 0; i < kept; i++)
		histogram_add((uintptr_t)(log->sample[i].is_fetch ? log->sample[i].linear
		                                                  : log->sample[i].rip));
	histogram_print();
	if (kept && !log->sample[0].is_fetch)
		print_op(&log->sample[0]);
}

static struct ibs_plan plan_of(const struct words *w)
{
	const bool is_op = strcmp(w->word[1], "op") == 0;
	uint64_t n, maximum;

	if (!is_op && strcmp(w->word[1], "fetch") != 0)
		monitor_fail("\"op\" or \"fetch\" must follow, not %s", w->word[1]);
	if (strcmp(w->word[2], "every") != 0 || strcmp(w->word[4], "on") != 0)
		monitor_fail("it is \"ibs %s every N on WORK\"", w->word[1]);
	n = words_number(w, 3, "N", is_op ? IBS_OP_LEAST * UNIT : UNIT, LARGEST);
	maximum = n / UNIT;
	return (struct ibs_plan){
		.op = is_op ? ibs_op(maximum, ibs_has(CPUID_AMD_IBS_EAX_OpCnt) ? IbsOpCtl_CntCtl
		                                                               : 0) : 0,
		.fetch = is_op ? 0 : ibs_fetch(maximum, IbsFetchCtl_RandEn), .is_varied = is_op };
}

COMMAND(ibs, .syntax = "[op|fetch every N on WORK]",
        .summary = "samples instructions or fetches by AMD's IBS, without skid",
        .text =
	"Alone it tells what this processor's IBS can do. With `op` every Nth\n"
	"micro-operation is tagged (every Nth clock where ops cannot be counted), and\n"
	"the sample has the address of its very instruction; with `fetch` every Nth\n"
	"fetch of code. N is a multiple of 16, 144 at least for ops: smaller periods\n"
	"give samples of no use. Periods of ops vary a little, so that a loop is\n"
	"sampled everywhere. The kernel's own code is sampled, too.\n",
        .example = "ibs")
{
	struct ibs_plan plan;
	struct work work;

	if (ibs_unavailable())
		monitor_fail("%s", ibs_unavailable());
	if (w->count == 1) {
		describe();
		return;
	}
	words_expect(w, 5, MONITOR_WORDS_MAX);
	plan = plan_of(w);
	work_parse(w, 5, &work);
	if (ibs_interrupt_unavailable())
		monitor_fail("it cannot interrupt: %s", ibs_interrupt_unavailable());
	ibs_start(&plan);
	work_get_code(&work)(work.rounds, work.argument);
	ibs_stop();
	if (work_problem(&work))
		print("%s.\n", work_problem(&work));
	print_samples(ibs_get_log());
}
