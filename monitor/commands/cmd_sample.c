/* SPDX-License-Identifier: MIT */
/* sample: shows where an event happens, by interrupts. */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <kernel/lib/string.h>
#include <monitor/tools/histogram.h>
#include <monitor/tools/ibs_sampler.h>
#include <monitor/tools/sampler.h>

/* "sample EVENT every N by ibs on WORK" */
static bool is_by_ibs(const struct words *w)
{
	if (w->count < 5 || strcmp(w->word[4], "by") != 0)
		return false;
	words_expect(w, 7, MONITOR_WORDS_MAX);
	if (strcmp(w->word[2], "every") != 0 || strcmp(w->word[6], "on") != 0)
		monitor_fail("it is \"sample %s every N by ibs on WORK\"", w->word[1]);
	if (strcmp(w->word[5], "ibs") != 0)
		monitor_fail("only ibs can follow \"by\", not %s", w->word[5]);
	ibs_sampler_need();
	return true;
}

COMMAND(sample, .syntax = "EVENT every N [by ibs] on WORK",
        .summary = "shows where an event happens: the addresses of interrupts",
        .text =
	"The counter starts at -N; each time it overflows, its interrupt (PMI, here\n"
	"an NMI) notes the address at which it came, and loads -N again. An event at\n"
	"CPL 0 is counted in the handler, too: that amount is measured and subtracted,\n"
	"and N must be larger. EVENT:u counts only CPL 3, where N can be small: with\n"
	"`user` after the work. On real processors the PMI comes some instructions\n"
	"late (skid): \"pebs\" is exact, and on AMD's processors `by ibs`, which tags\n"
	"every Nth op and shows those of EVENT: ops, loads, misses, branches and\n"
	"others that \"ibs\" lists.\n",
        .example = "sample PAPI_TOT_INS every 4999 on loop:100000",
        .completion = COMPLETE_SAMPLED)
{
	struct sampler_order r;
	const struct sampler_result *s;

	if (is_by_ibs(w)) {
		ibs_sampler_run(w, ibs_event_find(w->word[1]), 3, 7);
		return;
	}
	r = sampler_parse(w, "every");
	s = sampler_run(&r);
	sampler_print(s, &r);
	histogram_print();
	sampler_end();
}
