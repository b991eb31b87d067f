/* SPDX-License-Identifier: MIT */
/*
 * A counter that its handler reloads again and again, as a sampling profiler does: each overflow
 * gives one PMI, and no event is lost. The counter counts CPL 3 only, so that it stands still in
 * the handler; the handler subtracts a period instead of writing a new start value, so that what
 * was counted after the overflow stays counted.
 */
#include <stddef.h>

#include <arch/regs/table.h>
#include <arch/smp/smp.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/pmi/pmi_claims.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/silicon/silicon.h>
#include <tests/suites/common/smp_tests.h>

/* Returns the periods of claims that say 1,000: other processors do a tenth of it at the
 * same time. */
static unsigned periods_here(void)
{
	return smp_self() ? 100 : 1000;
}

/* The handler's parameters and findings. */
static struct {
	unsigned counter;
	uint32_t period;
	unsigned entries;
	unsigned user_entries;         /* those that interrupted CPL 3 */
	unsigned wrong_status;         /* entries without the counter's status bit */
	uint64_t most;                 /* largest value on entry */
	uint64_t sum;                  /* of the values on entry */
} now;

static void forget(void)
{
	now.entries = now.user_entries = now.wrong_status = 0;
	now.most = now.sum = 0;
}

static void take_period(struct frame *f)
{
	uint64_t value = pmu_read(now.counter);

	now.entries++;
	now.user_entries += (f->cs & 3) == 3;
	now.sum += value;
	if (value > now.most)
		now.most = value;
	if (has_status() && !(pmu_status() & counter_bit(now.counter)))
		now.wrong_status++;
	pmu_write(now.counter, (value - now.period) & counter_mask(now.counter));
	pmi_go_on();
}

/* A tick of the watchdog and the PMI that it holds up are two entries whose level may be open; each
 * return may be off, too. */
static uint64_t open_entries(void)
{
	return 2 * pmi_entry_counts() + pmi_return_slack() * pmi_get_log()->user_returns;
}

/* Judges a window of total counts, and `each` more for every return to CPL 3. Returns their sum. */
static uint64_t judge_entries(struct test_ctx *t, uint64_t total, unsigned each)
{
	const uint64_t returns = pmi_get_log()->user_returns, slack = pmi_return_slack() * returns;
	const uint64_t all = total + each * returns;

	expect_between(t, "PMIs counted by pmu/", pmi_get_log()->count,
	               (uint32_t)(all - slack) / now.period, (uint32_t)(all + slack) / now.period,
	               "low and high: one PMI for each full period in the whole count, in which "
	               "on AMD's 15H and 16H each interrupt may be one count more or less");
	expect_exact(t, "entries without the counter's status bit", now.wrong_status, 0,
	             "each PMI is this counter's");
	expect_bounds(t, "counts after the overflow, all entries", now.sum,
	              if_exact(pmi_lag() * now.entries + pmi_entry_counts() * now.user_entries,
	                       "this machine has no "
	                       "skid: the PMI is taken at the overflow; on AMD its entry counts"),
	              ELSE_SHOWN);
	if (now.most > pmi_lag() + pmi_entry_counts())
		test_report(t, "most events after an overflow", "%" PRId64, now.most);
	expect_between(t, "events accounted for",
	               (pmu_read(now.counter) + (uint64_t)now.period * (now.entries + 1)
	                - pmi_lag()) & counter_mask(now.counter), all - open_entries(),
	               all + open_entries(),
	               "low: the periods and what is in the counter add up to the count of an "
	               "uninterrupted run, and the handlers' IRETs where they count at CPL 3; "
	               "high: the same; on AMD an interrupt right behind a change of the level, "
	               "such as one that a tick held up, may count at either level, so low and "
	               "high are two entries apart from it");
	return all;
}

static void judge_reload(struct test_ctx *t, unsigned counter, uint32_t period, unsigned periods)
{
	const uint32_t rounds = period * periods / 2 + 13;      /* two instructions a round */
	const uint64_t total = user_base(counter) + 2 * rounds;
	const unsigned each = pmi_return_counts(counter);
	struct pmu_setup s = user_instructions(counter, period);
	const struct pmi_window w = { .setups = &s, .count = 1, .code = user_loop,
	                              .rounds = rounds, .on_pmi = take_period, .before = forget,
	                              .most = (unsigned)total / (period - each) + 100 };
	char name[PMU_NAME_SIZE];

	now.counter = counter;
	now.period = period;
	test_sub(t, "%s, period %u", pmu_counter_name(counter, name), period);
	pmi_run(&w);
	judge_entries(t, total, each);
}

/*
 * A period longer than any skid, so that a handler subtracts it before the next one is over.
 */
#define LONG_PERIOD  1500u

/* The first one is too short where a PMI arrives one event after the overflow, or where the
 * handler's own IRET counts. */
static const uint16_t short_periods[] = { 1, 2, 7, 97 };

const char *need_no_skid(struct test_ctx *t)
{
	return need_exact(t, "the skid may be longer than a period");
}

void pmi_claim_reload_short(struct test_ctx *t)
{
	const unsigned too_short = pmi_lag() + pmi_return_counts(pmi_counter(0));

	for (unsigned i = 0; i < COUNT_OF(short_periods); i++)
		if (short_periods[i] > too_short)
			judge_reload(t, pmi_counter(0), short_periods[i], periods_here() / 4);
}

void pmi_claim_reload_long(struct test_ctx *t)
{
	judge_reload(t, pmi_counter(0), LONG_PERIOD, periods_here());
}

void pmi_claim_reload_fixed(struct test_ctx *t)
{
	if (!smp_find(true)
	    || !silicon_leaves_out(t, SILICON_FIXED0_GAINS_32, "IA32_FIXED_CTR0"))
		judge_reload(t, PMU_FIXED_CTR(0), LONG_PERIOD, periods_here());
}

/* ------------------------------------------------------------------- a witness beside it */

void pmi_claim_reload_witness(struct test_ctx *t)
{
	const uint32_t rounds = LONG_PERIOD * periods_here() / 2;
	const unsigned witness = pmi_counter(1);
	const uint64_t total = user_base(witness) + 2 * rounds;
	const unsigned each = pmi_return_counts(witness);
	const struct pmu_setup both[] = { user_instructions(pmi_counter(0), LONG_PERIOD),
	                                  pmi_instructions(witness, PMU_USR, 0) };
	const struct pmi_window w = { .setups = both, .count = 2, .code = user_loop,
	                              .rounds = rounds, .on_pmi = take_period, .before = forget,
	                              .most = periods_here() + 100 };
	char name[PMU_NAME_SIZE];
	uint64_t all;

	if (!expect_alive(t, 2))
		return;
	now.counter = pmi_counter(0);
	now.period = LONG_PERIOD;
	pmi_run(&w);
	all = judge_entries(t, total, each);
	expect_between(t, pmu_counter_name(witness, name), pmu_read(witness), all - open_entries(),
	               all + open_entries(),
	               "low and high: it counts the same as in an uninterrupted run, and the "
	               "handlers' IRETs where they count at CPL 3; on AMD but for two entries");
}
