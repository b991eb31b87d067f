/* SPDX-License-Identifier: MIT */
/* The rows of the page about what the processor records by itself: LBR, PEBS, BTS. */
#include <pmu/review/review_parts.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/regs/lbr.h>
#include <arch/regs/netburst.h>
#include <pmu/core/pmu.h>
#include <pmu/sampling/ds.h>
#include <pmu/sampling/lbr_stack.h>
#include <pmu/sampling/pebs.h>
#include <pmu/workload/workload.h>

enum { ROUNDS = 100, RECORDS = 4 };

void tell_lbr(struct review_part *part)
{
	const char *why = NULL;
	const struct lbr_kind *kind = lbr_kind(&why);
	uint64_t seen;

	if (tell_amd_branches(part))
		return;
	if (!kind) {
		part_say(part, "no: %s", why);
		return;
	}
	lbr_clear();
	lbr_window(0, workload_loop.code, ROUNDS, 0);
	seen = lbr_get(0).from ? 1 : 0;
	part_say(part, "%s, %u deep%s", kind->name, kind->depth,
	         seen ? "" : ": a branch leaves no record");
	part_expect(part, "branches that are recorded", seen, 1);
}

/* ---------------------------------------------------------------------------- PEBS */

static const char *no_pebs(void)
{
	return ds_unavailable() ? ds_unavailable() : pebs_unavailable();
}

/* Returns how many records a walk leaves, whose rounds have a load, a branch and others. */
static unsigned record(const struct pebs_event *e)
{
	static struct pebs_use use;
	const struct pmu_setup s = pebs_setup(&use, e, pebs_counter(e, 0), PMU_BOTH, 10);
	const struct ds_plan plan = {
		.buffer[DS_PEBS] = { .records = RECORDS, .threshold = RECORDS + 1 },
		.resets = pebs_resets(&s, 1), .reset_count = PEBS_RESETS,
	};

	ds_set_up(&plan);
	pmu_program(&s, 1);
	pebs_enable(&s, 1);
	pmu_window(workload_walk.code, ROUNDS, argument_of(&workload_walk));
	pebs_disable();
	return ds_index(DS_PEBS);
}

void tell_pebs(struct review_part *part)
{
	const struct pebs_event *e;
	unsigned records;

	if (!part_counts(part))
		return;
	if (tell_ibs(part))
		return;
	if (no_pebs()) {
		part_say(part, "no: %s", no_pebs());
		return;
	}
	e = pebs_find("instructions") ? pebs_find("instructions") : pebs_event_at(0);
	if (!e || pebs_counter(e, 0) == PMU_NO_COUNTER) {
		part_say(part, "no event is known that it records here");
		return;
	}
	records = record(e);
	ds_tear_down();
	part_say(part, "records of %u bytes; %s leaves %s", ds_record_size(DS_PEBS), e->manual,
	         records ? "some" : "none");
	part_expect(part, "whether an event leaves records", records ? 1 : 0, 1);
}

/* ---------------------------------------------------------------------------- BTS */

static const char *no_bts(void)
{
	uint64_t value;

	if (ds_unavailable())
		return ds_unavailable();
	if (is_fault(msr_try_read(IA32_MISC_ENABLE, &value)))
		return "IA32_MISC_ENABLE cannot be read";
	return value & IA32_MISC_ENABLE_BTS_UNAVAILABLE ? "IA32_MISC_ENABLE[11] = 1" : NULL;
}

void tell_bts(struct review_part *part)
{
	const struct ds_plan plan = {
		.buffer[DS_BTS] = { .records = RECORDS, .threshold = RECORDS + 1 },
	};
	uint64_t before = 0;

	if (no_bts()) {
		part_say(part, "no: %s", no_bts());
		return;
	}
	ds_set_up(&plan);
	msr_try_read(IA32_DEBUGCTL, &before);
	msr_try_write(IA32_DEBUGCTL, before | pmu_get()->class->bts);
	workload_loop.code(RECORDS / 2, 0);
	msr_try_write(IA32_DEBUGCTL, before);
	part_say(part, "a branch leaves %s", ds_index(DS_BTS) ? "a record" : "no record");
	part_expect(part, "whether branches leave records", ds_index(DS_BTS) ? 1 : 0, 1);
	ds_tear_down();
}
