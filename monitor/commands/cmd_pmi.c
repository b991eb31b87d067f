/* SPDX-License-Identifier: MIT */
/* pmi: shows one interrupt after the other. */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <monitor/tools/histogram.h>
#include <monitor/tools/sampler.h>

enum { SHOWN = 16 };

/*
 * Returns the number of events at CPL 3 between the overflow and the handler, which runs at CPL 0.
 */
static const char *since_text(const struct sampler_result *s, unsigned i, char *buffer,
                               size_t size)
{
	format_buf(buffer, size, "%" PRIu64, s->since[i] - pmi_lag());
	return sampler_is_user_only() ? buffer : "-";
}

static void print_pmi(const struct sampler_result *s, const struct pmi_log *log, unsigned i)
{
	char text[HISTOGRAM_TEXT_SIZE], since[24], status[24] = "none";

	if (pmu_has_status())
		format_buf(status, sizeof(status), "%" PRIX64 "H", log->status[i]);
	print("%4u  %u  %6s  %17s  %6XH  %s\n", i + 1, log->cpl[i],
	      since_text(s, i, since, sizeof(since)), status, log->lvtpc[i],
	      histogram_text(log->ip[i], text));
}

COMMAND(pmi, .syntax = "EVENT every N on WORK",
        .summary = "shows the interrupt of each overflow: its place, and what it found",
        .text =
	"As \"sample\", but one line for each of the first 16 PMIs. late: events\n"
	"between the one that overflowed the counter and the interrupt, known if\n"
	"the event counts only CPL 3; of PAPI_TOT_INS:u these are instructions, the\n"
	"skid. status: IA32_PERF_GLOBAL_STATUS, on NetBurst OVF of CCCR n as bit n,\n"
	"on AMD's PerfCntrGlobalStatus. LVTPC: bit 16 (10000H) is its mask, which\n"
	"the APIC sets with the PMI, but not on AMD's processors.\n",
        .example = "pmi PAPI_TOT_INS every 4999 on loop:100000",
        .completion = COMPLETE_EVENTS)
{
	const struct sampler_order r = sampler_parse(w, "every");
	const struct sampler_result *s = sampler_run(&r);
	const struct pmi_log *log = pmi_get_log();

	sampler_print(s, &r);
	if (s->seen)
		print(" PMI CPL    late             status    LVTPC  address    place\n");
	for (unsigned i = 0; i < log->count && i < SHOWN; i++)
		print_pmi(s, log, i);
	if (log->count > SHOWN)
		print("%u more\n", log->count - SHOWN);
	sampler_end();
}
