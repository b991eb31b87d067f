/* SPDX-License-Identifier: MIT */
/* ibs: shows what AMD's instruction-based sampling samples. */
#include <monitor/tools/command.h>

#include <arch/interrupts/local_apic.h>
#include <arch/regs/table.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <monitor/tools/ibs_sampler.h>
#include <pmu/sampling/ibs.h>

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
	print("\"sample EVENT every N by ibs on WORK\" shows of all samples those of EVENT:\n");
	for (unsigned i = 0; ibs_event_at(i); i++)
		print("  %-13s %s\n", ibs_event_at(i)->name, ibs_event_at(i)->meaning);
}

static const struct ibs_event *event_of(const struct words *w)
{
	const bool is_op = strcmp(w->word[1], "op") == 0;

	if (!is_op && strcmp(w->word[1], "fetch") != 0)
		monitor_fail("\"op\" or \"fetch\" must follow, not %s", w->word[1]);
	if (strcmp(w->word[2], "every") != 0 || strcmp(w->word[4], "on") != 0)
		monitor_fail("it is \"ibs %s every N on WORK\"", w->word[1]);
	return ibs_event_find(is_op ? "ops" : "fetches");
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
	if (ibs_unavailable())
		monitor_fail("%s", ibs_unavailable());
	if (w->count == 1) {
		describe();
		return;
	}
	words_expect(w, 5, MONITOR_WORDS_MAX);
	ibs_sampler_run(w, event_of(w), 3, 5);
}
