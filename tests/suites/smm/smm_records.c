/* SPDX-License-Identifier: MIT */
/* What branch records and PEBS record of an SMI. */
#include <tests/suites/smm/smi.h>

#include <stddef.h>

#include <kernel/lib/format.h>
#include <pmu/sampling/lbr_stack.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/sampling/pebs_window.h>

#define FILTER  "SDM 3B, \"Filtering of SMM Handler Overhead\""

/* ---------------------------------------------------------------------------- branch records */

/* The RET of the code and its CALL are the newest two of a window without an SMI. */
enum { NEWEST = 2 };

static const char *need_stack(struct test_ctx *t)
{
	const char *reason = need_lbr(t);

	if (reason || lbr_kind(NULL)->depth >= NEWEST)
		return reason;
	return test_reason(t, "%s has %u record", lbr_kind(NULL)->name, lbr_kind(NULL)->depth);
}

static NEED_BOTH(need_lbr_freeze, need_stack, need_smi_freeze)
static NEED_BOTH(need_lbr_smi, need_stack, need_smi)

struct stack { struct lbr_record newest[NEWEST]; unsigned tos; };

static struct stack record(uint32_t port)
{
	struct stack s = { .tos = 0 };

	lbr_window(0, smi_code, 0, port);
	for (unsigned age = 0; age < NEWEST; age++)
		s.newest[age] = lbr_get(age);
	s.tos = lbr_tos();
	return s;
}

static void expect_same_stacks(struct test_ctx *t, const char *why)
{
	struct stack without = record(SMI_NO_PORT), with = record(SMI_PORT);

	for (unsigned age = 0; age < NEWEST; age++) {
		test_sub(t, "%u before the newest", age);
		expect_exact(t, "FROM", with.newest[age].from, without.newest[age].from, why);
		expect_exact(t, "TO", with.newest[age].to, without.newest[age].to, why);
	}
	test_sub(t, "%s", "");
	expect_exact(t, "TOS", with.tos, without.tos, why);
}

TEST(frozen_lbr, .id = "smm.freeze.lbr", .needs = need_lbr_freeze, .runs = TEST_ON_BOOT,
     .source = FILTER,
     .claim = "with FREEZE_WHILE_SMM the stack of last branch records and TOS have no branch of "
              "an SMI's handler, and recording goes on after RSM")
{
	if (!smi_is_counted(t))
		return;
	smi_freeze(true);
	expect_same_stacks(t, "the SMI clears IA32_DEBUGCTL.LBR and RSM restores it: the newest "
	                   "are the code's RET and CALL");
}

/* The manual is silent on DEBUGCTL.LBR without the freeze. */
TEST(lbr, .id = "smm.lbr", .needs = need_lbr_smi, .runs = TEST_ON_BOOT,
     .source = "SDM 3B, \"Architectural Last Branch Records\": an SMI saves and clears LBREN",
     .claim = "architectural last branch records have no branch of an SMI's handler")
{
	struct stack with;

	if (!smi_is_counted(t))
		return;
	if (lbr_kind(NULL)->is_architectural) {
		expect_same_stacks(t, "the SMI clears IA32_LBR_CTL.LBREN and RSM restores it: the "
		                   "newest are the code's RET and CALL");
		return;
	}
	with = record(SMI_PORT);
	test_report(t, "FROM of the record before the RET", "%" PRIX64 "H", with.newest[1].from);
	test_report(t, "TOS", "%u, without an SMI %u", with.tos, record(SMI_NO_PORT).tos);
}

/* ---------------------------------------------------------------------------- PEBS */

extern const uint8_t image_start[], private_end[];

static NEED_BOTH(need_pebs_freeze, need_pebs_any, need_smi_freeze)

/* The counter overflows at each of the window's first instructions, up to those after the SMI. */
enum { PHASES = 10 };

/* Runs the window with so many instructions before the first record; returns the records. */
static unsigned sample(uint32_t missing, uint32_t port)
{
	struct pebs_use use;
	struct pmu_setup s = pebs_any(&use, PMU_BOTH, missing);

	return pebs_window_run(&(const struct pebs_window){
		.setups = &s, .count = 1, .code = smi_code, .argument = port });
}

TEST(pebs, .id = "smm.freeze.pebs", .needs = need_pebs_freeze, .runs = TEST_ON_BOOT,
     .source = FILTER "; erratum BD41 of the Xeon 5600 and its likes",
     .claim = "with FREEZE_WHILE_SMM an armed PEBS counter records nothing of an SMI's handler")
{
	if (!smi_is_counted(t))
		return;
	smi_freeze(true);
	for (uint32_t missing = 0; missing < PHASES; missing++) {
		unsigned records = sample(missing, SMI_PORT), wrong = 0;

		for (unsigned i = 0; i < records; i++)
			wrong += !pebs_is_within(i, (uintptr_t)image_start, (uintptr_t)private_end);
		test_sub(t, "an overflow at every %uth instruction", (unsigned)missing + 1);
		expect_exact(t, "records outside of this kernel", wrong, 0,
		             "the counter stands still in SMM, so its next event is after RSM");
		expect_exact(t, "records", records, sample(missing, SMI_NO_PORT),
		             "an SMI adds none");
	}
	test_sub(t, "%s", "");
	expect_no_damage(t);
}
