/* SPDX-License-Identifier: MIT */
/*
 * PEBS together with the freezes on a PMI: the PMI of the buffer's threshold freezes last branch
 * records and counters as any PMI does; a record below the threshold is no PMI and freezes nothing.
 */
#include <tests/suites/pebs/pebs_target.h>

#include <stddef.h>

#include <arch/modes/modes.h>
#include <arch/regs/lbr.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <pmu/sampling/lbr_stack.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/silicon/silicon.h>

#define FREEZE "SDM 3B, \"Freezing LBR and Performance Counters on PMI\", \"Streamlined Freeze\""

#define FREEZE_LBRS     IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI
#define FREEZE_COUNTERS IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI
#define LBR_FRZ         IA32_PERF_GLOBAL_STATUS_LBR_FRZ
#define CTR_FRZ         IA32_PERF_GLOBAL_STATUS_CTR_FRZ

/* So many rounds of pebs_rounds() come before the first record: more than a stack has entries. */
enum { ROUNDS = 400, ROUNDS_A_RECORD = 100, LBR_MOST = 64 };

static NEED_BOTH(need_v2, need_pebs_code, need_arch_v2)
static NEED_BOTH(need_frozen_lbr, need_v2, need_lbr)

static bool is_streamlined(void) { return pmu_get()->version >= 4; }

static NEED_BOTH(need_lbr_freeze, need_frozen_lbr, need_known_lbr_freeze)

/*
 * Branches, where PEBS records them: errata BJ092 and BK091 leave open what a freeze does to the
 * precise distribution of instructions on Sandy Bridge.
 */
static struct pmu_setup setup(struct pebs_use *use)
{
	const struct pebs_event *e = pebs_find("branches");
	const unsigned each = e ? 1 : pebs_any_each();
	struct pmu_setup any = pebs_any(use, PMU_USR, ROUNDS_A_RECORD * each - 1);

	return e ? pebs_setup(use, e, pebs_counter(e, 0), PMU_USR, ROUNDS_A_RECORD - 1) : any;
}

/* ------------------------------------------------------------------------ what was seen */

static struct {
	uint64_t debugctl;                     /* before the window */
	unsigned beside;                       /* a counter that runs at every level */
	uint64_t control, status, global;      /* in the handler, or after the code */
	uint64_t first, second;                /* of the counter beside, a while apart */
	unsigned depth;
	struct lbr_record records[LBR_MOST];
} seen;

static void read_state(void)
{
	seen.control = lbr_kind(NULL) ? msr_read(lbr_control_msr()) : 0;
	seen.status = pmu_status();
	seen.global = msr_read(IA32_PERF_GLOBAL_CTRL);
	seen.first = pmu_read(seen.beside);
	for (unsigned i = 0; lbr_kind(NULL) && i < lbr_kind(NULL)->depth && i < LBR_MOST; i++)
		seen.records[i] = lbr_get(i);
	seen.second = pmu_read(seen.beside);
}

static void look(struct frame *f)
{
	(void)f;
	if (pmi_get_log()->count == 1)
		read_state();
	pmi_set_mask(true);
	pmu_clear_status(pmu_status());
}

static void prepare(void)
{
	if (lbr_kind(NULL)) {
		lbr_enable(0);
		lbr_disable();
		lbr_clear();
	}
	msr_write(IA32_DEBUGCTL, seen.debugctl);
	if (lbr_kind(NULL))
		msr_write(lbr_control_msr(), lbr_kind(NULL)->is_architectural
		          ? lbr_control_on(0) : seen.debugctl | IA32_DEBUGCTL_LBR);
}

/* Runs the rounds, and looks at the state before the window ends. */
static void rounds_and_look(uint32_t rounds, uint32_t mode)
{
	prepare();
	pebs_rounds(rounds, mode);
	if (!pmi_get_log()->count)
		read_state();
	if (lbr_kind(NULL))
		lbr_disable();
}

/* Runs a window with these freezes; with a threshold of 0 no PMI comes. */
static struct pebs_seen run(uint64_t debugctl, unsigned threshold)
{
	struct pebs_use use;
	struct pmu_setup setups[2] = { setup(&use) };
	struct pebs_seen result;

	seen.beside = setups[0].counter == 0 ? 1 : 0;
	seen.debugctl = debugctl;
	setups[1] = (struct pmu_setup){ .counter = seen.beside, .flags = PMU_BOTH,
	                                .event = EVENT_INSTRUCTIONS_RETIRED };
	result = pebs_run(&(const struct pebs_window){
		.setups = setups, .count = 2, .sampled = 1, .threshold = threshold,
		.code = rounds_and_look, .rounds = ROUNDS, .argument = MODE_CPL3 }, look);
	msr_write(IA32_DEBUGCTL, 0);
	return result;
}

/* ------------------------------------------------------------------------ at the threshold */

static void expect_lbr_stopped(struct test_ctx *t)
{
	if (is_streamlined()) {
		expect_bits(t, "IA32_PERF_GLOBAL_STATUS in the handler", seen.status, LBR_FRZ,
		            LBR_FRZ, "the PMI of the threshold freezes the records");
		expect_bits(t, "the enable bit in the handler", seen.control, 1, 1,
		            "a streamlined freeze does not change it");
	} else {
		expect_bits(t, "IA32_DEBUGCTL in the handler", seen.control, IA32_DEBUGCTL_LBR, 0,
		            "the PMI of the threshold clears LBR");
	}
}

/*
 * On silicon the newest record may be there twice (CML121 and others), or be that of a branch
 * before the PMI's request (AJ106 of Core 2): here these are the same.
 */
static void expect_rounds(struct test_ctx *t)
{
	const uint64_t start = pebs_rounds_start(), jnz = start + PEBS_ROUND_SIZE - 2;

	for (unsigned i = 0; i < lbr_kind(NULL)->depth && i < LBR_MOST; i++) {
		test_sub(t, "%u before the newest", i);
		if (i > 0 || !silicon_leaves_out(t, SILICON_LBR_FREEZE_FROM, "FROM"))
			expect_exact(t, "FROM", seen.records[i].from, jnz,
			             "the records hold the loop that the PMI interrupted, and no "
			             "branch of its handler");
		expect_exact(t, "TO", seen.records[i].to, start, "it is the loop's");
	}
	test_sub(t, "%s", "");
}

TEST(lbr, .id = "pebs.freeze.lbr", .needs = need_lbr_freeze, .source = FREEZE,
     .claim = "with FREEZE_LBRS_ON_PMI the PMI of PEBS' threshold freezes the last branch records: "
              "they hold the code that was interrupted, and not the handler")
{
	run(FREEZE_LBRS, 1);
	if (!expect_between(t, "PMIs", pmi_get_log()->count, 1, UINT32_MAX,
	                    "low: the first record reaches the threshold; high: any number"))
		return;
	expect_lbr_stopped(t);
	expect_rounds(t);
}

TEST(counters, .id = "pebs.freeze.counters", .needs = need_v2, .source = FREEZE,
     .claim = "with FREEZE_PERFMON_ON_PMI the PMI of PEBS' threshold stops all counters")
{
	run(FREEZE_COUNTERS, 1);
	if (!expect_between(t, "PMIs", pmi_get_log()->count, 1, UINT32_MAX,
	                    "low: the first record reaches the threshold; high: any number"))
		return;
	if (is_streamlined())
		expect_bits(t, "IA32_PERF_GLOBAL_STATUS in the handler", seen.status, CTR_FRZ,
		            CTR_FRZ, "the PMI of the threshold freezes the counters");
	else
		expect_bits(t, "IA32_PERF_GLOBAL_CTRL in the handler", seen.global,
		            BIT(seen.beside), 0, "the PMI of the threshold clears its bits");
	expect_exact(t, "counter beside that of PEBS, later in the handler", seen.second,
	             seen.first, "it counts instructions at every level, and is frozen");
}

/* ------------------------------------------------------------------------ the newest record */

/* LOOPs to the next instruction: each is another branch, and one of them causes the record. */
enum { LOOPS = 64, LOOPS_A_RECORD = 40 };

static const char *need_branches(struct test_ctx *t)
{
	const char *reason = need_lbr_freeze(t);

	if (!reason && !pebs_find("branches"))
		return test_reason(t, "no event that PEBS records on %s is a branch",
		                   pebs_layout()->name);
	return reason;
}

static void run_loops(uint32_t rounds, uint32_t argument)
{
	(void)rounds;
	prepare();
	pebs_run_target(0, argument);
	if (lbr_kind(NULL))
		lbr_disable();
}

/* On silicon the freeze may come a branch early or late, and the record may slip. */
TEST(newest, .id = "pebs.freeze.newest", .needs = need_branches, .source = FREEZE,
     .claim = "the newest branch record after the freeze is that of the branch which caused the "
              "record of PEBS")
{
	const struct pebs_target c = pebs_target("branches", LOOPS);
	const unsigned counter = pebs_counter(c.event, 0);
	const unsigned prefix = (unsigned)pebs_prefix(&c, counter);
	struct pebs_use use;
	const struct pmu_setup s = pebs_setup(&use, c.event, counter, PMU_USR, LOOPS_A_RECORD - 1);
	const uintptr_t last = c.first + (LOOPS_A_RECORD - prefix - 1) * c.size;

	seen.beside = counter;
	seen.debugctl = FREEZE_LBRS;
	pebs_run(&(const struct pebs_window){ .setups = &s, .count = 1, .threshold = 1,
	         .code = run_loops }, look);
	msr_write(IA32_DEBUGCTL, 0);
	if (!expect_between(t, "PMIs", pmi_get_log()->count, unless_exact(1) ? 0 : 1, UINT32_MAX,
	                    "low: the record reaches the threshold; high: any number")
	    || !pmi_get_log()->count)
		return;
	expect_bounds(t, "FROM of the newest", seen.records[0].from,
	              if_exact(last, "it is the LOOP that caused the record, the last before the "
	                       "PMI"), ELSE_SHOWN);
}

/* ------------------------------------------------------------------------ below it */

/* A record that slips on silicon is still a record below the threshold. */
TEST(below, .id = "pebs.freeze.below", .needs = need_lbr_freeze, .source = FREEZE
     ": a freeze is the work of a PMI",
     .claim = "records below the threshold freeze neither branch records nor counters, although "
              "both freezes are enabled")
{
	run(FREEZE_LBRS | FREEZE_COUNTERS, 0);
	expect_exact(t, "PMIs", pmi_get_log()->count, 0, "the index cannot reach the threshold");
	expect_between(t, "records", ds_index(DS_PEBS), unless_exact(1) ? 1 : 2, ROUNDS,
	               "low: the counters went on after the first record; high: any number");
	expect_bits(t, "the enable bit of branch records after the records", seen.control, 1, 1,
	            "no PMI came to clear it");
	if (is_streamlined())
		expect_bits(t, "IA32_PERF_GLOBAL_STATUS after the records", seen.status,
		            LBR_FRZ | CTR_FRZ, 0, "no PMI came");
	expect_bits(t, "IA32_PERF_GLOBAL_CTRL after the records", seen.global, BIT(seen.beside),
	            BIT(seen.beside), "no PMI came to clear it");
	expect_between(t, "counter beside that of PEBS, a while later", seen.second,
	               seen.first + 1, UINT64_MAX, "low: it goes on; high: any count");
}
