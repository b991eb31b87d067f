/* SPDX-License-Identifier: MIT */
/* lbr: shows the last branches that code took. */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <kernel/console/console.h>
#include <kernel/lib/string.h>
#include <monitor/tools/histogram.h>
#include <monitor/tools/work.h>
#include <pmu/sampling/amd_lbr.h>
#include <pmu/sampling/lbr_stack.h>

static const struct lbr_kind *kind_or_fail(void)
{
	const char *why;
	const struct lbr_kind *kind = lbr_kind(&why);

	if (!kind)
		monitor_fail("there are no last branch records: %s", why);
	return kind;
}

static void describe_register(const char *what, uint32_t msr, unsigned count)
{
	if (msr && count > 1)
		print("  %-12s %XH to %XH\n", what, msr, msr + count - 1);
	else if (msr)
		print("  %-12s %XH\n", what, msr);
}

static void describe(const struct lbr_kind *k)
{
	print("Last branch records: %s, %u deep.\n%s.\n", k->name, k->depth, k->source);
	describe_register(k->is_packed ? "FROM and TO" : "FROM", k->from_msr, k->depth);
	describe_register("TO", k->is_packed ? 0 : k->to_msr, k->depth);
	describe_register("INFO", k->info_msr, k->depth);
	describe_register("top (TOS)", k->tos_msr, 1);
	describe_register("filter", k->select_msr, 1);
	describe_register("switched by", lbr_control_msr(), 1);
	describe_register("exception", k->ler_msr, 2);
}

/* P6 and the formats without the flag do not record mispredictions. */
static void print_record(unsigned age, struct lbr_record r)
{
	char from[HISTOGRAM_TEXT_SIZE], to[HISTOGRAM_TEXT_SIZE];

	print("%4u  %-28s %-*s%s\n", age, histogram_text((uintptr_t)r.from, from),
	      r.is_mispredicted ? 29 : 0, histogram_text((uintptr_t)r.to, to),
	      r.is_mispredicted ? "mispredicted" : "");
}

static unsigned recorded(const struct lbr_kind *k)
{
	unsigned count = 0;

	for (; count < k->depth; count++) {
		const struct lbr_record r = lbr_get(count);

		if (!r.from && !r.to)
			break;
	}
	return count;
}

static void record(const struct lbr_kind *k, const struct work *work)
{
	const uint64_t select = work->is_user ? lbr_select_user() : 0;
	unsigned count;

	lbr_window(select, work_get_code(work), work->rounds, work->argument);
	if (work_problem(work))
		print("%s.\n", work_problem(work));
	count = recorded(k);
	print("%u of %u entries, the newest first", count, k->depth);
	if (work->is_user)
		print(select ? ": those of CPL 3" : "; no filter here omits those of CPL 0");
	print(".\n");
	if (count)
		print(" age  %-28s to\n", "from");
	for (unsigned i = 0; i < count; i++)
		print_record(i, lbr_get(i));
	print("Recording is off again, and its filter is restored; the counters were not "
	      "touched.\n");
}

/* ---------------------------------------------------------------------------- AMD */

static void describe_amd(const struct amd_branch_kind *k)
{
	print("Last branch records: %s, %u deep.\n", k->name, k->depth);
	describe_register(k->step ? "FROM and TO" : "FROM", k->from_msr,
	                  k->depth * (k->step ? k->step : 1));
	describe_register("TO", k->step ? 0 : k->to_msr, 1);
	describe_register("filter", k->select_msr, 1);
	describe_register("switched by", k->control_msr, 1);
}

static void record_amd(const struct amd_branch_kind *k, const struct work *work)
{
	unsigned count = 0;

	if (!amd_branch_window(work->is_user, work_get_code(work), work->rounds, work->argument))
		monitor_fail("MSR %XH cannot be written here", k->control_msr);
	if (work_problem(work))
		print("%s.\n", work_problem(work));
	while (count < k->depth && amd_branch_get(count).from)
		count++;
	print("%u of %u %s, the newest first%s.\n", count, k->depth,
	      k->depth == 1 ? "entry" : "entries",
	      !work->is_user ? "" : k->select_msr ? ": those of CPL 3"
	                                          : "; no filter here omits those of CPL 0");
	if (count)
		print(" age  %-28s to\n", "from");
	for (unsigned i = 0; i < count; i++) {
		const struct amd_branch b = amd_branch_get(i);

		print_record(i, (struct lbr_record){ b.from, b.to, 0, b.is_mispredicted });
	}
}

COMMAND(lbr, .syntax = "[on WORK]",
        .summary = "shows the last branches that code took (last branch records)",
        .text =
	"Alone it says which records this processor keeps, and in which MSRs. With\n"
	"\"on\" every branch that is taken is recorded while WORK runs, from and to;\n"
	"the newest is WORK's own RET. mispredicted is shown if records have it.\n"
	"With `user` the filter, if there is one, omits CPL 0; without a filter the\n"
	"newest records are those of the return to the kernel.\n",
        .example = "lbr on pattern:40")
{
	const struct amd_branch_kind *amd = amd_branch_kind();
	const struct lbr_kind *k = amd ? NULL : kind_or_fail();
	struct work work;

	if (w->count == 1) {
		if (amd)
			describe_amd(amd);
		else
			describe(k);
		return;
	}
	if (strcmp(w->word[1], "on") != 0)
		words_fail(w);
	work_parse(w, 2, &work);
	if (amd)
		record_amd(amd, &work);
	else
		record(k, &work);
}
