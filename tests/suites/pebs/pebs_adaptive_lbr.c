/* SPDX-License-Identifier: MIT */
/*
 * pebs.adaptive: the LBR group while nothing records branches. It is a copy of the stack's
 * registers: Linux' commit 9e985cbf2942 tells how a guest that never used LBR read its host's
 * branches there.
 */
#include <stddef.h>

#include <arch/cpu/fault.h>
#include <kernel/lib/format.h>
#include <pmu/sampling/lbr_stack.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/pebs/pebs_adaptive.h>
#include <tests/suites/pebs/pebs_code.h>

#define SOURCE ADAPTIVE ": the LBR group has FROM, TO and INFO of each entry, the newest first"

/* A record of three words for each entry; the deepest stack has 64. */
enum { MISSING = 99, RECORDS = 5, WORDS = 3, DEPTH_MAX = 64, BEYOND = 8 };

static uint64_t stack[DEPTH_MAX][WORDS];

/* Reads the registers as they are, flags included, the newest entry first. */
static void read_stack(void)
{
	const struct lbr_kind *kind = lbr_kind(NULL);

	for (unsigned age = 0; age < kind->depth; age++) {
		unsigned i = kind->tos_msr ? (lbr_tos() + kind->depth - age) % kind->depth : age;

		stack[age][0] = msr_read(kind->from_msr + i);
		stack[age][1] = msr_read(kind->to_msr + i);
		stack[age][2] = kind->info_msr ? msr_read(kind->info_msr + i) : 0;
	}
}

static unsigned depth(void)
{
	return lbr_kind(NULL)->depth < DEPTH_MAX ? lbr_kind(NULL)->depth : DEPTH_MAX;
}

/* Runs code with branches while records are made and LBR is off. Returns their number. */
static unsigned run(struct test_ctx *t, unsigned entries)
{
	struct pebs_use use;
	const struct pmu_setup s = pebs_setup(&use, pebs_find("instructions"), 0, PMU_OS, MISSING);
	const struct pebs_window w = { .setups = &s, .count = 1, .code = pebs_nops };
	unsigned count;

	pebs_set_data_cfg(MSR_PEBS_DATA_CFG_LBRS
	                  | FIELD_PUT(MSR_PEBS_DATA_CFG_LBR_ENTRIES, entries - 1));
	count = pebs_window_run(&w);
	expect_records(t, "records", count, RECORDS * (MISSING + 1), MISSING);
	expect_no_damage(t);
	return count;
}

static const uint64_t *entry_of(unsigned record, unsigned age)
{
	const uint64_t *words = ds_record(DS_PEBS, record);

	return words + pebs_group_at(MSR_PEBS_DATA_CFG_LBRS) / 8 + WORDS * age;
}

/* Silicon that leaves the group 0 while LBR is off contradicts no manual. */
static bool is_empty(const uint64_t *entry)
{
	return !pmu_is_exact() && !(entry[0] | entry[1] | entry[2]);
}

static void judge_entry(struct test_ctx *t, const uint64_t *entry, unsigned age, const char *why)
{
	static const char *const names[WORDS] = { "LBR entry, from", "LBR entry, to",
	                                          "LBR entry, info" };

	if (is_empty(entry))
		return;
	test_sub(t, "%u before the newest", age);
	for (unsigned i = 0; i < WORDS; i++)
		expect_exact(t, names[i], entry[i], stack[age][i], why);
}

static void judge(struct test_ctx *t, const char *why)
{
	const unsigned count = run(t, depth());

	for (unsigned i = 0; i < count; i++)
		for (unsigned age = 0; age < depth(); age++)
			judge_entry(t, entry_of(i, age), age, why);
	test_sub(t, "%s", "");
}

TEST(off, .id = "pebs.adaptive.lbrs_off", .needs = need_pebs_adaptive, .source = SOURCE,
     .claim = "while nothing records branches, the LBR group of a record holds the stack as its "
              "registers hold it, with flags and INFO, and no branch of the code that is sampled")
{
	lbr_window(0, pebs_nops, 0, 0);
	read_stack();
	judge(t, "recording is off, so these are the registers as they were before");
}

TEST(cleared, .id = "pebs.adaptive.lbrs_cleared", .needs = need_pebs_adaptive, .source = SOURCE,
     .claim = "with the stack cleared and nothing recording branches, the LBR group of a record is "
              "0; what follows the entries of the stack is shown")
{
	lbr_window(0, pebs_nops, 0, 0);
	if (!lbr_clear())
		test_skip(t, "%s: its records cannot be cleared", lbr_kind(NULL)->name);
	read_stack();
	judge(t, "the stack was cleared, and nothing was recorded since");
	if (run(t, depth() + BEYOND) > 0)
		test_report(t, "an entry beyond the stack", "from %" PRIX64 "H to %" PRIX64 "H",
		            entry_of(0, depth())[0], entry_of(0, depth())[1]);
}
