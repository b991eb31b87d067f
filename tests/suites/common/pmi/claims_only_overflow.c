/* SPDX-License-Identifier: MIT */
/*
 * Only an overflow raises a PMI: while counters with INT run far from one, nothing that the
 * processor or software does raises any; and a handler finds the overflow that raised its PMI.
 */
#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/pmi/pmi_claims.h>
#include <tests/suites/common/pmi/pmi_windows.h>

/* Not 0: some processors repeat the PMI of a counter that is 0 when its handler ends. */
enum { START = 1000, ROUNDS = 500 };

static void run_loop(uint32_t rounds, uint32_t argument)
{
	workload_loop.code(rounds, argument);
}

static void halt(uint32_t rounds, uint32_t argument)
{
	(void)rounds, (void)argument;
	wake_after(2);
	interrupts_enable_and_halt();
	interrupts_disable();
	wake_stop();
}

static void write_counters(uint32_t rounds, uint32_t argument)
{
	for (unsigned i = 0; i < 2; i++)
		pmu_write(pmi_counter(i), START);
	run_loop(rounds, argument);
}

static void read_counters(uint32_t rounds, uint32_t argument)
{
	for (unsigned i = 0; i < 2; i++)
		pmu_read(pmi_counter(i));
	run_loop(rounds, argument);
}

static void mask_and_unmask(uint32_t rounds, uint32_t argument)
{
	pmi_set_mask(true);
	run_loop(rounds, argument);
	pmi_set_mask(false);
}

static void clear_status(uint32_t rounds, uint32_t argument)
{
	if (pmu_has_status())
		pmu_clear_status(counter_bit(pmi_counter(0)) | counter_bit(pmi_counter(1)));
	run_loop(rounds, argument);
}

static const struct {
	const char *what;
	void (*code)(uint32_t rounds, uint32_t argument);
} acts[] = {
	{ "a loop at CPL 0",                    run_loop },
	{ "a loop at CPL 3",                    user_loop },
	{ "HLT",                                halt },
	{ "running counters are written",       write_counters },
	{ "running counters are read",          read_counters },
	{ "LVTPC is masked and unmasked",       mask_and_unmask },
	{ "status bits that are 0 are cleared", clear_status },
};

static void judge_none(struct test_ctx *t, const char *what,
                       void (*code)(uint32_t rounds, uint32_t argument))
{
	struct pmu_setup setups[] = { pmi_instructions(pmi_counter(0), PMU_BOTH | PMU_INT, 0),
	                              pmi_instructions(pmi_counter(1), PMU_BOTH | PMU_INT, 0) };
	uintptr_t flags = flags_read();
	const struct pmi_log *log;

	setups[0].start = setups[1].start = START;
	interrupts_disable();
	log = pmi_run(&(const struct pmi_window){
		.setups = setups, .count = pmu_has_counter(pmi_counter(1)) ? 2 : 1, .code = code,
		.rounds = ROUNDS });
	flags_write(flags);
	test_sub(t, "%s", what);
	expect_exact(t, "PMIs", log->count, 0,
	             "no counter overflows: each starts at 1000 and counts some thousands");
	if (log->count && pmu_has_status())
		test_report(t, "overflow status at the first one", "%" PRIX64 "H", log->status[0]);
}

/* ------------------------------------------------------------------------ writes */

static void (*stop_first)(unsigned counter);

/* Writes a negative and a positive value, by each of the counter's addresses. */
static void write_both_signs(uint32_t counter, uint32_t argument)
{
	const uint64_t values[] = { (0 - (UINT64_C(1) << 30)) & counter_mask(counter), START };

	(void)argument;
	if (stop_first)
		stop_first(counter);
	for (unsigned i = 0; i < COUNT_OF(values); i++) {
		pmu_write(counter, values[i]);
		run_loop(ROUNDS / 10, 0);
		if (!counting_has_full_width(counter))
			continue;
		msr_write(IA32_A_PMC(counter), values[i]);
		run_loop(ROUNDS / 10, 0);
	}
}

void pmi_expect_silent_writes(struct test_ctx *t, const struct pmu_setup *s, const char *enables,
                              void (*stop)(unsigned counter))
{
	char name[PMU_NAME_SIZE];

	stop_first = stop;
	test_sub(t, "%s with %s, written with -2^30 and with 1000",
	         pmu_counter_name(s->counter, name), enables);
	expect_exact(t, "PMIs", pmi_run_one(s, write_both_signs, s->counter)->count, 0,
	             "writing a counter is no overflow, whatever sign it had and gets");
}

void pmi_claim_written(struct test_ctx *t, void (*stop)(unsigned counter))
{
	for (unsigned c = 0; c < PMU_FIXED_CTR(PMU_SETUPS_MAX); c++) {
		struct pmu_setup s = pmi_instructions(c, PMU_BOTH, 0);

		if (!pmu_has_counter(c))
			continue;
		pmi_expect_silent_writes(t, &s, "EN = 1, INT = 0", NULL);
		pmi_expect_silent_writes(t, &s, "EN = 0, INT = 0", stop);
		s.flags |= PMU_INT;
		pmi_expect_silent_writes(t, &s, "EN = 1, INT = 1", NULL);
		pmi_expect_silent_writes(t, &s, "EN = 0, INT = 1", stop);
	}
}

/* ------------------------------------------------------------------------ each overflow */

enum { PERIOD = 200, PERIODS = 16 };

static unsigned counter, without;

static void reload(struct frame *f)
{
	uint64_t value = pmu_read(counter);
	bool is_far = value > counter_mask(counter) / 2;

	(void)f;
	if (pmu_has_status() && !(pmu_status() & counter_bit(counter)))
		without++;
	else if (!pmu_has_status() && is_far)    /* it has not come round to 0 */
		without++;
	pmu_write(counter, (value - PERIOD) & counter_mask(counter));
	pmi_go_on();
}

static void forget(void) { without = 0; }

static void judge_each(struct test_ctx *t, unsigned c)
{
	struct pmu_setup s = user_instructions(c, PERIOD);
	const struct pmi_log *log;
	char name[PMU_NAME_SIZE];

	counter = c;
	log = pmi_run(&(const struct pmi_window){
		.setups = &s, .count = 1, .code = user_loop, .rounds = PERIODS * PERIOD / 2 + 10,
		.on_pmi = reload, .before = forget, .most = 2 * PERIODS });
	test_sub(t, "%s", pmu_counter_name(c, name));
	expect_between(t, "PMIs", log->count, 1, PERIODS, "low: the counter overflows; high: once "
	               "in a period");
	expect_exact(t, "PMIs that found no overflow of the counter", without, 0,
	             "an overflow sets its status bit before it raises the PMI, or shows in the "
	             "counter's value");
}

void pmi_claim_only_overflow(struct test_ctx *t)
{
	for (size_t i = 0; i < COUNT_OF(acts); i++)
		judge_none(t, acts[i].what, acts[i].code);
	judge_each(t, pmi_counter(0));
	if (pmu_has_counter(pmi_counter(1)))
		judge_each(t, pmi_counter(1));
	if (pmu_has_counter(PMU_FIXED_CTR(0)))
		judge_each(t, PMU_FIXED_CTR(0));
}
