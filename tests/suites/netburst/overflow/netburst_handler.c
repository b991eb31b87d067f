/* SPDX-License-Identifier: MIT */
/*
 * The steps that a PMI's handler must take, in the manual's order, and the effect of leaving one
 * out: it reads OVF, stops the counter and clears OVF by one write, reloads the counter, starts it,
 * and unmasks LVTPC at the very end.
 */
#include <stddef.h>

#include <arch/cpu/fault.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/netburst/overflow/netburst_overflow.h>

#define DUTY  NETBURST_GENERATING ": the handler's operations; \"Halting Event Counting\""

enum {
	COUNTER = NETBURST_IQ_FIRST,
	PERIOD = 500,                  /* longer than any skid */
	PERIODS = 100,
	ROUNDS = PERIOD * PERIODS / 2  /* two instructions a round */
};

enum step { STOP = 1, CLEAR = 2, LOAD = 4, START = 8, UNMASK = 16, ALL = 31 };

static struct {
	unsigned steps;
	uint64_t total;                /* events of the loop */
	unsigned without_ovf;
	uint64_t lost;                 /* counts after the start of a period that LOAD dropped */
} handler;

/* A step that is left out leaves its part of the CCCR as it is. */
static void on_pmi(struct frame *f)
{
	uint64_t cccr = msr_read(MSR_CCCR(COUNTER));

	(void)f;
	if (!(cccr & CCCR_OVF))
		handler.without_ovf++;
	if (handler.steps & STOP)
		cccr &= ~CCCR_ENABLE;
	if (handler.steps & CLEAR)
		cccr &= ~CCCR_OVF;
	if (pmi_has_storm())
		cccr = 0;
	msr_write(MSR_CCCR(COUNTER), cccr);
	if (handler.steps & LOAD) {
		handler.lost += pmu_read(COUNTER) - 1;
		pmu_write(COUNTER, pmi_start(PERIOD) & NETBURST_COUNTER_VALUE);
	}
	if ((handler.steps & START) && !pmi_has_storm())
		msr_write(MSR_CCCR(COUNTER), cccr | CCCR_ENABLE);
	if (pmi_has_storm())
		pmi_set_mask(true);
	else if (handler.steps & UNMASK)
		pmi_set_mask(false);
}

static void forget(void)
{
	handler.without_ovf = 0;
	handler.lost = 0;
}

/* Returns the number of PMIs; the loop has PERIODS periods, and a little more. */
static unsigned run(unsigned steps)
{
	const struct pmu_setup s = user_instructions(COUNTER, PERIOD);

	handler.steps = steps;
	handler.total = user_base(COUNTER) + 2 * ROUNDS;
	return pmi_run(&(const struct pmi_window){
		.setups = &s, .count = 1, .code = user_loop, .rounds = ROUNDS, .on_pmi = on_pmi,
		.before = forget, .most = 2 * PERIODS })->count;
}

/* Returns how many periods the loop has if each begins at the last one's PMI. */
static unsigned periods(void)
{
	return (uint32_t)(handler.total - handler.lost) / PERIOD;
}

TEST(order, .id = "netburst.handler.order", .needs = need_netburst_pmi, .source = DUTY,
     .claim = "with all steps in the manual's order each of 100 periods raises one PMI")
{
	unsigned pmis = run(ALL);

	expect_bounds(t, "counts dropped by loading the counter", handler.lost,
	              if_exact(0, "without skid the PMI is taken one count after the overflow"),
	              ELSE_NOTHING);
	expect_exact(t, "PMIs", pmis, periods(), "each full period raises one");
	expect_exact(t, "PMIs that found OVF = 0", handler.without_ovf, 0,
	             "each PMI is an overflow's");
	expect_exact(t, "the counter",
	             pmu_read(COUNTER) + (uint64_t)PERIOD * (periods() + 1) - pmi_lag(),
	             NETBURST_COUNTER_VALUE + 1 + handler.total - handler.lost,
	             "the rest is of the period that has begun");
}

TEST(without_stop, .id = "netburst.handler.without_stop", .needs = need_netburst_pmi,
     .source = DUTY, .claim = "a counter that does not count in the handler need not be stopped")
{
	unsigned pmis = run(ALL & ~STOP);

	expect_exact(t, "PMIs", pmis, periods(), "it counts CPL 3, and the handler is at CPL 0");
}

TEST(without_unmask, .id = "netburst.handler.without_unmask", .needs = need_netburst_pmi,
     .source = DUTY, .claim = "a handler that does not unmask LVTPC gets no further PMI")
{
	expect_exact(t, "PMIs", run(ALL & ~UNMASK), 1, "LVTPC masked itself at the first PMI");
	expect_exact(t, "OVF", overflow_is_set(COUNTER), 1, "the counter overflowed nevertheless");
}

TEST(without_clear, .id = "netburst.handler.without_clear", .needs = need_netburst_pmi,
     .source = DUTY "; Linux p4.c, p4_pmu_handle_irq()",
     .claim = "a handler that does not clear OVF gets the next PMI at its return, again and again")
{
	expect_exact(t, "PMIs", run(ALL & ~CLEAR), 2 * PERIODS + 1,
	             "the line stays active; after 200 PMIs the handler gives up");
	expect_bounds(t, "last address logged", pmi_get_log()->ip[PMI_LOG_SIZE - 1],
	              if_exact(pmi_get_log()->ip[0], "each is at the IRET of the one before"),
	              ELSE_NOTHING);
}

TEST(without_load, .id = "netburst.handler.without_load", .needs = need_netburst_pmi,
     .source = DUTY,
     .claim = "a counter that is not reloaded goes on from 0, without a PMI for 2^40 events")
{
	expect_exact(t, "PMIs", run(ALL & ~LOAD), 1, "the next overflow is 2^40 events away");
	expect_exact(t, "the counter", pmu_read(COUNTER),
	             handler.total - PERIOD + pmi_lag(),
	             "it lost nothing while it was stopped, as the handler is at CPL 0");
}

TEST(without_start, .id = "netburst.handler.without_start", .needs = need_netburst_pmi,
     .source = DUTY, .claim = "a counter that is not started again does not count")
{
	expect_exact(t, "PMIs", run(ALL & ~START), 1, "ENABLE is 0 since the first PMI");
	expect_exact(t, "the counter", pmu_read(COUNTER),
	             pmi_start(PERIOD) & NETBURST_COUNTER_VALUE, "it holds what was loaded");
}
