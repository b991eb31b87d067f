/* SPDX-License-Identifier: MIT */
/*
 * The overflow's PMI comes after exactly N events, once per overflow, and at the right address. N -
 * 1 events give neither PMI nor status bit. The N events occur at CPL 3, where nothing but the code
 * under test runs, and at CPL 0, where the window's own cost is measured first.
 */
#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/pmi/pmi_claims.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/silicon/silicon.h>

/* These follow 1 to 64, all of which are tried: values around powers of two up to the
 * longest sled. */
static const uint16_t spread[] = { 65, 100, 127, 128, 129, 255, 256, 257, 500, 511, 512, 513, 1000,
                                   1023, 1024, 1025, 1999, 2000 };
#define EVERY    64u
#define PERIODS  (EVERY + COUNT_OF(spread))

static uint32_t period(unsigned i)
{
	return i < EVERY ? i + 1 : spread[i - EVERY];
}

/* ---------------------------------------------------------------- one overflow, after N events */

static void expect_none(struct test_ctx *t, const struct pmi_log *log, unsigned counter,
                        const char *why)
{
	expect_exact(t, "PMIs", log->count, 0, why);
	expect_exact(t, "the counter", pmu_read(counter),
	             (pmi_lag() - UINT64_C(1)) & counter_mask(counter),
	             "one event is missing for the PMI");
	if (has_status())
		expect_bits(t, "IA32_PERF_GLOBAL_STATUS", pmu_status(), counter_bit(counter), 0,
		            "no overflow, no status bit");
}

/* Returns the bounds of the PMIs of one overflow. */
static struct bounds one_pmi(unsigned counter, const char *why)
{
	struct bounds usual = else_exact(1, why);

	if (counter == PMU_FIXED_CTR(2))
		usual = silicon_in(SILICON_FIXED2_COMES_AGAIN, usual, 1, 2);
	return silicon_in(SILICON_PMI_AT_ZERO, usual, 1, UINT32_MAX);
}

static void expect_one(struct test_ctx *t, const struct pmi_log *log, unsigned counter,
                       const char *why)
{
	if (!expect_bounds(t, "PMIs", log->count, if_exact(1, why), one_pmi(counter, why))
	    || !has_status())
		return;
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS in the handler", log->status[0],
	            counter_bit(counter), counter_bit(counter), "the counter overflowed");
	if (counter == PMU_FIXED_CTR(2)
	    && silicon_leaves_out(t, SILICON_FIXED2_COMES_AGAIN, "the status after the handler"))
		return;
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS after the handler", pmu_status(),
	            counter_bit(counter), 0, "the handler cleared it, and it stays cleared");
}

/* Checks a period; total is what a counter counts of code(rounds) in a window without overflow. */
static void judge_period(struct test_ctx *t, struct pmu_setup s, uint64_t total,
                         void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds)
{
	char name[PMU_NAME_SIZE];

	pmu_counter_name(s.counter, name);
	test_sub(t, "%s, %" PRIu64 " events, preset -%" PRIu64, name, total,
	         total + 1 - pmi_lag());
	s.start = pmi_start(total + 1);
	expect_none(t, pmi_run_one(&s, code, rounds), s.counter, "no overflow, so no PMI");
	test_sub(t, "%s, %" PRIu64 " events, preset -%" PRIu64, name, total,
	         total - pmi_lag());
	s.start = pmi_start(total);
	expect_one(t, pmi_run_one(&s, code, rounds), s.counter, "one overflow, so one PMI");
	if (!(s.flags & PMU_OS))
		expect_between(t, "the counter", pmu_read(s.counter), pmi_lag(),
		               pmi_lag() + pmi_entry_counts() + pmi_return_slack(),
		               "low: the last event raised the PMI, and the handler is not "
		               "counted; "
		               "high: on AMD the PMI's own entry may be");
	test_sub(t, "%s", "");
}

void pmi_claim_period_user(struct test_ctx *t)
{
	uint64_t base = user_base(pmi_counter(0));

	for (unsigned i = 0; i < PERIODS; i++)
		judge_period(t, user_instructions(pmi_counter(0), 0), base + period(i), user_nops,
		             period(i));
}

static struct pmu_setup kernel_instructions(unsigned counter)
{
	return pmi_instructions(counter, PMU_OS | PMU_INT, 0);
}

/* Returns a window's whole count at CPL 0, without INT. */
static uint64_t kernel_total(unsigned counter, uint32_t rounds)
{
	struct pmu_setup s = pmi_instructions(counter, PMU_OS, 0);

	return pmu_measure(&s, 1, &workload_nops, rounds, 0).count[0];
}

void pmi_claim_period_kernel(struct test_ctx *t)
{
	for (unsigned i = 0; i < PERIODS; i++)
		judge_period(t, kernel_instructions(pmi_counter(0)),
		             kernel_total(pmi_counter(0), period(i)), workload_nops.code,
		             period(i));
}

/* These are longer than the room that mode_run() has: a loop of two instructions a round. */
static const uint32_t loops[] = { 1025, 2047, 2048, 2500, 4096, 5000, 10000, 32768, 65536 };

void pmi_claim_period_long(struct test_ctx *t)
{
	uint64_t base = user_base(pmi_counter(0));

	for (size_t i = 0; i < COUNT_OF(loops); i++)
		judge_period(t, user_instructions(pmi_counter(0), 0), base + 2u * loops[i],
		             user_loop, loops[i]);
}

static void for_each_counter(struct test_ctx *t, void (*judge)(struct test_ctx *, unsigned))
{
	char name[PMU_NAME_SIZE];

	for (unsigned i = 0; i < 2 * PMU_FIXED; i++) {
		if (!pmu_has_counter(i))
			continue;
		test_sub(t, "%s", pmu_counter_name(i, name));
		judge(t, i);
	}
	test_sub(t, "%s", "");
}

static void judge_all_periods(struct test_ctx *t, unsigned counter)
{
	static const uint32_t some[] = { 1, 2, 3, 64, 1000 };
	uint64_t base = user_base(counter);

	for (size_t i = 0; i < COUNT_OF(some); i++)
		judge_period(t, user_instructions(counter, 0), base + some[i], user_nops, some[i]);
}

/* Fixed counters except the first count cycles or slots, whose number in a run is not fixed. */
static void judge_counter(struct test_ctx *t, unsigned counter)
{
	struct pmu_setup s = user_instructions(counter, 1);

	if (counter <= PMU_FIXED_CTR(0))
		judge_all_periods(t, counter);
	else if (!counting_leaves_out(t, counter))
		expect_one(t, pmi_run_one(&s, user_loop, 20000), counter,
		           "one event is missing for the overflow, and 2^40 for the second one");
}

void pmi_claim_every_counter(struct test_ctx *t)
{
	for_each_counter(t, judge_counter);
}

/* --------------------------------------------------------------------------------------- skid */

/* The distances from the overflow to the interrupted address; judged where the machine has
 * no skid. */
struct skid { int least, most; };

static void take_skid(struct test_ctx *t, struct skid *all, uintptr_t ip, uintptr_t next)
{
	int skid = (int)(ip - next);

	all->least = skid < all->least ? skid : all->least;
	all->most = skid > all->most ? skid : all->most;
	expect_bounds(t, "interrupted address", ip,
	              if_exact(next, "this machine has no skid: the address is that of the "
	                       "instruction after the overflow"), ELSE_NOTHING);
}

void pmi_claim_skid_user(struct test_ctx *t)
{
	uint64_t before = user_base(pmi_counter(0)) - 1;     /* the INT 81H follows the NOPs */
	struct skid all = { 0, 0 };

	for (unsigned i = before < pmi_lag(); i < PERIODS; i++) {
		struct pmu_setup s = user_instructions(pmi_counter(0), before + period(i));
		const struct pmi_log *log = pmi_run_one(&s, user_nops, USER_NOPS_MAX);

		test_sub(t, "PMI by NOP %u at CPL 3", period(i));
		if (!expect_exact(t, "PMIs", log->count, 1, "one counter overflowed once"))
			continue;
		expect_bounds(t, "CPL of the interrupted code", log->cpl[0],
		              if_exact(3, "the NOPs run at CPL 3"), ELSE_NOTHING);
		if (log->cpl[0] == 3)
			take_skid(t, &all, log->ip[0], user_nop_address(period(i)));
	}
	test_sub(t, "%s", "");
	expect_exact(t, "bytes back to the overflow", (uint64_t)-all.least, 0,
	             "an interrupt cannot be taken before the instruction that causes it");
	test_report(t, "largest skid in bytes of NOPs", "%d", all.most);
}

/* The place in the sled of a window's n-th instruction depends on the window; the step does not. */
void pmi_claim_skid_kernel(struct test_ctx *t)
{
	uint64_t before = kernel_total(pmi_counter(0), EVERY) - EVERY;
	struct pmu_setup s = kernel_instructions(pmi_counter(0));
	struct skid all = { 0, 0 };
	uintptr_t first = 0;

	for (unsigned i = 0; i < EVERY / 2; i++) {
		const struct pmi_log *log;

		s.start = pmi_start(before + 1 + i);
		log = pmi_run_one(&s, workload_nops.code, EVERY);
		test_sub(t, "preset -%" PRIu64, before + 1 + i - pmi_lag());
		if (!expect_exact(t, "PMIs", log->count, 1, "one counter overflowed once"))
			return;
		expect_exact(t, "CPL of the interrupted code", log->cpl[0], 0,
		             "the kernel was interrupted");
		if (i == 0)
			first = log->ip[0];
		take_skid(t, &all, log->ip[0], first + i);
	}
	test_sub(t, "%s", "");
	test_report(t, "skid against the first, in bytes", "%d to %d", all.least, all.most);
	expect_bounds(t, "first interrupted address", first,
	              if_exact_in((uintptr_t)workload_nops_sled + 4096 - EVERY,
	                          (uintptr_t)workload_nops_sled + 4096,
	                          "low: the first NOP executed; high: the RET after the last NOP"),
	              ELSE_NOTHING);
}
