/* SPDX-License-Identifier: MIT */
/* When two counters overflow in one window, no status bit and no PMI is lost. */
#include <stddef.h>

#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/pmi/pmi_claims.h>
#include <tests/suites/common/pmi/pmi_windows.h>

/* The overflows are far apart: the first handler is over long before the second,
 * however slow the NMI is. */
#define FIRST   100u
#define SECOND  1500u

static uint64_t status_seen(const struct pmi_log *log)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < log->count && i < PMI_LOG_SIZE; i++)
		all |= log->status[i];
	return all;
}

#define NOT_STOPPED \
	"an overflow does not stop a counter, and the IRET of a handler may count at CPL 3"

/* Returns what a counter counts in a window of NOPs, without the returns of handlers. */
static uint64_t counted_by(unsigned counter)
{
	return user_base(counter) + USER_NOPS_MAX + pmi_lag();
}

static void judge_apart(struct test_ctx *t, unsigned a, unsigned b)
{
	const struct pmu_setup both[] = { user_instructions(a, FIRST),
	                                  user_instructions(b, SECOND) };
	const uint64_t bits = counter_bit(a) | counter_bit(b);
	const uint64_t first = counted_by(a) - FIRST, second = counted_by(b) - SECOND;
	const unsigned each_a = pmi_return_counts(a), each_b = pmi_return_counts(b);
	const struct pmi_log *log;
	char name[2][PMU_NAME_SIZE];
	uint64_t slack;

	test_sub(t, "%s, then %s", pmu_counter_name(a, name[0]), pmu_counter_name(b, name[1]));
	log = pmi_run(&(const struct pmi_window){
		.setups = both, .count = 2, .code = user_nops, .rounds = USER_NOPS_MAX });
	slack = pmi_return_slack() * log->user_returns;
	expect_exact(t, "PMIs", log->count, 2, "two counters overflow, 1,400 NOPs apart");
	expect_same(t, "the first counter at the end", pmu_read(a),
	            first + each_a * log->user_returns, slack, NOT_STOPPED);
	expect_same(t, "the second counter at the end", pmu_read(b),
	            second + each_b * log->user_returns, slack, NOT_STOPPED);
	if (!has_status())
		return;
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS at the first PMI", log->status[0], bits,
	            counter_bit(a), "only the first counter has overflowed");
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS at the second PMI", log->status[1], bits,
	            counter_bit(b), "the handler cleared the bit of the first counter");
}

static unsigned wrapped;               /* bit n: counter n's sign was 0 in a handler */

static void see_signs(struct frame *f)
{
	(void)f;
	for (unsigned i = 0; i < 2; i++)
		if (!(pmu_read(i) & ((counter_mask(i) >> 1) + 1)))
			wrapped |= 1u << i;
	pmi_go_on();
}

static void forget(void) { wrapped = 0; }

/* The same instruction overflows both counters: LVTPC masks itself at the first PMI,
 * so only one may come. */
static void judge_together(struct test_ctx *t, unsigned a, unsigned b)
{
	const struct pmu_setup both[] = { user_instructions(a, FIRST),
	                                  user_instructions(b, FIRST) };
	const uint64_t bits = counter_bit(a) | counter_bit(b);
	const struct pmi_log *log;
	char name[2][PMU_NAME_SIZE];

	test_sub(t, "%s and %s", pmu_counter_name(a, name[0]), pmu_counter_name(b, name[1]));
	log = pmi_run(&(const struct pmi_window){
		.setups = both, .count = 2, .code = user_nops, .rounds = USER_NOPS_MAX,
		.on_pmi = has_status() ? NULL : see_signs, .before = forget });
	expect_between(t, "PMIs", log->count, 1, 2,
	               "low: one handler finds both; high: one for each");
	if (!has_status()) {
		expect_exact(t, "counters that a handler saw overflowed", wrapped, 3,
		             "both counters wrapped before the first PMI was taken");
		return;
	}
	expect_bits(t, "status bits that the handler saw", status_seen(log), bits, bits,
	            "both counters overflowed");
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS at the end", pmu_status(), bits, 0,
	            "no bit is left: the handler saw each");
}

void pmi_claim_two_apart(struct test_ctx *t)
{
	judge_apart(t, pmi_counter(0), pmi_counter(1));
	judge_apart(t, pmi_counter(1), pmi_counter(0));
	if (pmu_has_counter(PMU_FIXED_CTR(0))) {
		judge_apart(t, 0, PMU_FIXED_CTR(0));
		judge_apart(t, PMU_FIXED_CTR(0), 1);
	}
}

void pmi_claim_two_together(struct test_ctx *t)
{
	judge_together(t, 0, 1);
	if (pmu_has_counter(PMU_FIXED_CTR(0)))
		judge_together(t, 0, PMU_FIXED_CTR(0));
}

/* Overflows all counters that count instructions, each 100 NOPs after the one before. */
void pmi_claim_many(struct test_ctx *t)
{
	struct pmu_setup all[PMU_SETUPS_MAX];
	const struct pmi_log *log;
	unsigned count = 0;
	uint64_t bits = 0;

	for (unsigned i = 0; i <= PMU_FIXED_CTR(0) && count < PMU_SETUPS_MAX; i++) {
		if (!pmu_has_counter(i))
			continue;
		bits |= counter_bit(i);
		all[count] = user_instructions(i, FIRST + 100 * count);
		count++;
	}
	log = pmi_run(&(const struct pmi_window){
		.setups = all, .count = count, .code = user_nops, .rounds = USER_NOPS_MAX });
	expect_bits(t, "status bits that the handler saw", status_seen(log), bits, bits,
	            "each counter overflowed");
	expect_bounds(t, "PMIs", log->count,
	              if_exact(count, "100 NOPs apart, one PMI for each counter"),
	              else_in(1, count, "low: one PMI may report all overflows; high: one for "
	                      "each"));
}

/* -------------------------------------------------------------------- inside the NMI's handler */

#define INSIDE  50u

static unsigned count_inside;

/* The first PMI is from CPL 3's counter; its handler makes the other one overflow at CPL 0. */
static void overflow_inside(struct frame *f)
{
	(void)f;
	pmi_go_on();
	if (pmi_get_log()->count > 1)
		return;
	pmu_write(pmi_counter(1), (0 - (uint64_t)INSIDE) & counter_mask(pmi_counter(1)));
	pmi_settle();
	count_inside = pmi_get_log()->count;
}

void pmi_claim_nested(struct test_ctx *t)
{
	const struct pmu_setup both[] = { user_instructions(pmi_counter(0), FIRST),
	                                  pmi_instructions(pmi_counter(1), PMU_OS | PMU_INT, 0) };
	const struct pmi_log *log;

	log = pmi_run(&(const struct pmi_window){ .setups = both, .count = 2, .code = user_nops,
	              .rounds = USER_NOPS_MAX, .on_pmi = overflow_inside });
	expect_exact(t, "PMIs before the handler's IRET", count_inside, 1,
	             "NMIs are blocked until the next IRET");
	if (!expect_exact(t, "PMIs in all", log->count, 2, "the blocked NMI is held, not lost"))
		return;
	if (has_status())
		expect_bits(t, "IA32_PERF_GLOBAL_STATUS at the second PMI", log->status[1],
		            counter_bit(0) | counter_bit(1), counter_bit(1),
		            "the counter of CPL 0 overflowed in the first handler");
	expect_bounds(t, "second interrupted address", log->ip[1],
	              if_exact(log->ip[0], "it is taken after the IRET, before anything else"),
	              ELSE_NOTHING);
}
