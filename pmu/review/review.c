/* SPDX-License-Identifier: MIT */
#include <pmu/review/review_parts.h>

#include <stdarg.h>
#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <pmu/core/pmi.h>
#include <pmu/core/pmu.h>

const struct review_row review_rows[] = {
	{ "PMU", tell_pmu },
	{ "counters", tell_counters },
	{ "events", tell_events },
	{ "rings", tell_rings },
	{ "overflow", tell_overflow },
	{ "PMI", tell_pmi },
	{ "LBR", tell_lbr },
	{ "PEBS", tell_pebs },
	{ "BTS", tell_bts },
	{ "hidden", tell_hidden },
	{ "cycles", tell_costs },
	{ "perf stat", tell_perf_stat },
	{ "perf record", tell_perf_record },
	{ "rr", tell_rr },
	{ "PAPI", tell_papi },
};
const unsigned review_row_count = COUNT_OF(review_rows);

void part_say(struct review_part *part, const char *fmt, ...)
{
	const size_t used = strlen(part->text);
	va_list args;

	va_start(args, fmt);
	format_vbuf(part->text + used, sizeof(part->text) - used, fmt, args);
	va_end(args);
}

bool part_expect(struct review_part *part, const char *what, uint64_t got, uint64_t want)
{
	part->what = what;
	part->got = got;
	part->want = want;
	return got == want;
}

bool part_counts(struct review_part *part)
{
	const struct pmu *p = pmu_get();

	if (p->state == PMU_COUNTS && p->class->driver)
		return true;
	part_say(part, "no, see PMU");
	return false;
}

void review_tell(const struct review_row *row, struct review_part *part)
{
	part->text[0] = '\0';
	part->what = NULL;
	part->got = part->want = 0;
	row->tell(part);
	pmi_stop();
	pmu_reset();
}
