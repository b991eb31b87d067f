/* SPDX-License-Identifier: MIT */
/* sample: shows where an event happens, by interrupts. */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <monitor/tools/histogram.h>
#include <monitor/tools/sampler.h>

COMMAND(sample, .syntax = "EVENT every N on WORK",
        .summary = "shows where an event happens: the addresses of interrupts",
        .text =
	"The counter starts at -N; each time it overflows, its interrupt (PMI, here\n"
	"an NMI) notes the address at which it came, and loads -N again. An event at\n"
	"CPL 0 is counted in the handler, too: that amount is measured and subtracted,\n"
	"and N must be larger. EVENT:u counts only CPL 3, where N can be small: with\n"
	"`user` after the work. On real processors the PMI comes some instructions\n"
	"late (skid): \"pebs\" is exact.\n",
        .example = "sample PAPI_TOT_INS every 4999 on loop:100000",
        .completion = COMPLETE_EVENTS)
{
	const struct sampler_order r = sampler_parse(w, "every");
	const struct sampler_result *s = sampler_run(&r);

	sampler_print(s, &r);
	histogram_print();
	sampler_end();
}
