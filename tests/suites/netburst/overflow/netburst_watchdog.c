/* SPDX-License-Identifier: MIT */
/*
 * The NMI watchdog as Linux sets it up on NetBurst: MSR_CRU_ESCR0 has an event select that is no
 * event, and a CCCR has a comparison that is always true, so that the counter counts clocks from -N
 * on.
 */
#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/pmi/pmi_snippets.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/netburst/overflow/netburst_overflow.h>

#define RECIPE NETBURST_SHORT "\"Non-Sleep Clockticks\"; Linux nmi.c, setup_p4_watchdog()"

/* These are as for the architectural watchdog: a period is much longer than a handler, the loop
 * takes at least five periods, the halt at least two. */
#define PERIOD   50000u
#define ROUNDS   500000u
#define HALT_MS  10u

enum { COUNTER = 12, WITNESS = 13 };

/* Select 3FH, and the rest of the CCCR: 04FF9000H with OVF_PMI of thread 0. */
#define ESCR  FIELD_PUT(ESCR_EVENT_SELECT, 0x3f)
#define CCCR  (CCCR_ENABLE | FIELD_PUT(CCCR_ESCR_SELECT, CRU_ESCR0_SELECT) \
               | FIELD_PUT(CCCR_ACTIVE_THREAD, ACTIVE_THREAD_ANY) | CCCR_COMPARE \
               | CCCR_COMPLEMENT | FIELD_PUT(CCCR_THRESHOLD, 15))

/* Sets up the counter that ticks, and one beside it that counts the same from 0 without OVF_PMI. */
static void set_up(struct netburst_use uses[2], struct pmu_setup setups[2])
{
	for (unsigned i = 0; i < 2; i++) {
		uses[i] = (struct netburst_use){
			.escr = netburst_escr_find("MSR_CRU_ESCR0"), .escr_value = ESCR,
			.cccr_value = CCCR, .is_by_escr = true,
		};
		setups[i] = (struct pmu_setup){ .counter = COUNTER + i, .netburst = &uses[i] };
	}
	uses[0].cccr_value |= netburst_ovf_pmi(netburst_thread());
	setups[0].start = 0 - (uint64_t)PERIOD;
}

static struct {
	unsigned ticks;
	uint64_t first, last;          /* clocks of the window at the first tick, at the last one */
	unsigned stop_at;              /* ticks after which the handler stops the counter */
} seen;

static void forget(void) { seen.ticks = 0; }

static void tick(struct frame *f)
{
	(void)f;
	seen.last = pmu_read(WITNESS);
	if (seen.ticks++ == 0)
		seen.first = seen.last;
	pmu_write(COUNTER, (pmu_read(COUNTER) - PERIOD) & NETBURST_COUNTER_VALUE);
	if (seen.ticks == seen.stop_at)
		msr_write(MSR_CCCR(COUNTER), CCCR & ~CCCR_ENABLE);
	pmi_go_on();
}

static void run(void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds,
                unsigned stop_at)
{
	struct netburst_use uses[2];
	struct pmu_setup setups[2];

	set_up(uses, setups);
	seen.stop_at = stop_at;
	pmi_run(&(const struct pmi_window){
		.setups = setups, .count = 2, .code = code, .rounds = rounds, .on_pmi = tick,
		.before = forget, .most = 100 * ROUNDS / PERIOD });
}

TEST(spin, .id = "netburst.watchdog.spin", .needs = need_netburst_pmi, .source = RECIPE,
     .claim = "the recipe interrupts a loop with IF = 0 every N clocks")
{
	uintptr_t flags = flags_read();
	uint32_t clocks;

	interrupts_disable();
	run(workload_loop.code, ROUNDS, 0);
	flags_write(flags);
	clocks = (uint32_t)pmu_read(WITNESS);
	expect_between(t, "clocks of the loop and its handlers", clocks, 2 * ROUNDS / 8,
	               100 * ROUNDS, "low: no processor retires more than 8 instructions a "
	               "clock; high: 100 clocks a round");
	expect_between(t, "ticks", seen.ticks, clocks / (PERIOD + PERIOD / 10), clocks / PERIOD,
	               "low: each handler drops at most a tenth of a period, between its read and "
	               "its write of the counter; high: full periods in all");
	expect_between(t, "clocks to the first tick", seen.first, PERIOD, 2 * PERIOD,
	               "low: the counter overflows after a period; high: a handler that begins "
	               "after the next overflow loses it");
	expect_between(t, "clocks from the first tick to the last", seen.last - seen.first,
	               (uint64_t)PERIOD * seen.ticks - seen.first,
	               (uint64_t)(PERIOD + PERIOD / 10) * (seen.ticks - 1),
	               "low: full periods, minus how late the first tick was seen; high: a tenth "
	               "more for what the handlers drop");
	expect_between(t, "clocks to the next overflow",
	               pmu_difference(COUNTER, 0, pmu_read(COUNTER)), 0, PERIOD,
	               "low: no overflow passed without its tick; high: a period");
}

/* Checks an exact machine's clocks one by one: a short loop's counts in both counters. */
TEST(clocks, .id = "netburst.watchdog.clocks", .needs = need_netburst_pmi, .source = RECIPE,
     .claim = "before the first tick the counter is N clocks below the counter beside it")
{
	run(workload_loop.code, 1000, 0);
	expect_exact(t, "ticks", seen.ticks, 0, "1,000 rounds take less than 50,000 clocks");
	expect_exact(t, "clocks, and clocks missing before the overflow",
	             pmu_difference(WITNESS, pmu_read(WITNESS), pmu_read(COUNTER)), PERIOD,
	             "one ESCR starts and stops both counters");
}

TEST(any_cpl, .id = "netburst.watchdog.any_cpl", .needs = need_netburst_pmi, .source = RECIPE
     ": the comparison overrides the qualification by CPL",
     .claim = "the recipe ticks in code at CPL 3 and at CPL 0, although its ESCR names no CPL")
{
	run(user_loop, ROUNDS, 0);
	expect_between(t, "ticks at CPL 3", seen.ticks, 2, 100 * ROUNDS / PERIOD,
	               "low: more than two periods; high: 100 clocks a round");
	expect_bounds(t, "CPL of the first tick", pmi_get_log()->cpl[0],
	              if_exact(3, "nearly all of the loop is at CPL 3"), ELSE_NOTHING);
	run(workload_loop.code, ROUNDS, 0);
	expect_exact(t, "CPL of the first tick of a loop at CPL 0", pmi_get_log()->cpl[0], 0,
	             "all of the loop is at CPL 0");
}

TEST(disabled, .id = "netburst.watchdog.disabled", .needs = need_netburst_pmi, .source = RECIPE,
     .claim = "the watchdog's counter stops for good when its handler clears ENABLE")
{
	uint64_t left;

	run(workload_loop.code, ROUNDS, 3);
	left = (0 - pmu_read(COUNTER)) & NETBURST_COUNTER_VALUE;
	expect_exact(t, "ticks", seen.ticks, 3, "ENABLE is 0 since the third tick");
	expect_between(t, "clocks to the next overflow", left, PERIOD - PERIOD / 10, PERIOD,
	               "low: the counter ran until its handler stopped it; high: a period");
}

/* ---------------------------------------------------------------------------------------- HLT */

static uint64_t clocks_halted, ticks_halted;

static void halt(uint32_t rounds, uint32_t argument)
{
	uint64_t before = tsc_read();

	pmi_hlt(rounds, argument);
	ticks_halted = tsc_read() - before;
	clocks_halted = pmu_read(WITNESS);
}

/* The power goes off when all threads of the core are halted; no manual says how soon. */
TEST(halted, .id = "netburst.watchdog.halt", .needs = need_netburst_pmi,
     .source = NETBURST_SHORT "\"Counting Clocks\": the counters are powered down in HLT",
     .claim = "the watchdog does not tick while the processor is halted")
{
	uintptr_t flags = flags_read();

	interrupts_disable();
	wake_after(HALT_MS);
	interrupts_enable();
	run(halt, 0, 0);
	interrupts_disable();
	flags_write(flags);
	wake_stop();
	expect_between(t, "ticks of the time-stamp counter in HLT", ticks_halted, 2 * PERIOD,
	               UINT64_MAX, "low: two periods, or the test would show "
	                           "nothing; high: no bound");
	expect_bounds(t, "ticks", seen.ticks, if_exact(0, "nothing counts in HLT"), ELSE_SHOWN);
	expect_bounds(t, "clocks counted", clocks_halted,
	              if_exact_in(1, PERIOD - 1, "low: some code runs around the HLT; high: no "
	                          "overflow"), ELSE_SHOWN);
	expect_bounds(t, "timer interrupts", wake_count(), if_exact(1, "the timer ends the HLT"),
	              ELSE_NOTHING);
}
