/* SPDX-License-Identifier: MIT */
/* The machine's clocks: each runs at its own rate, and no two of them differ. */
#include <stddef.h>

#include <arch/clock/clocks.h>
#include <arch/clock/pit.h>
#include <arch/cpu/cpuid.h>
#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/regs/apic.h>
#include <arch/regs/table.h>
#include <kernel/run/test.h>
#include <tests/suites/common/needs.h>

/* Of a clock that the kernel found dead the reason says how. */
static const char *need_clock(struct test_ctx *t, enum clock_id id)
{
	const struct clock_answer *a = clock_get(id);

	return a->khz ? NULL : test_reason(t, "%s: %s", a->name, a->problem);
}

static const char *need_rate(struct test_ctx *t)
{
	return tsc_khz() ? NULL : test_reason(t, "the TSC's rate is %u kHz: no clock runs",
	                                      tsc_khz());
}

static const char *need_pm_timer(struct test_ctx *t) { return need_clock(t, CLOCK_PM_TIMER); }
static const char *need_hpet(struct test_ctx *t)     { return need_clock(t, CLOCK_HPET); }

/*
 * Measures the TSC by the clock again: whatever stopped or was reprogrammed since the first time
 * gives another rate.
 */
static void judge_again(struct test_ctx *t, enum clock_id id)
{
	const struct clock_answer *first = clock_get(id), again = clock_ask_again(id);

	test_sub(t, "%s", first->name);
	expect_between(t, "the TSC's rate in kHz, measured again", again.khz,
	               first->khz - first->khz / 10, first->khz + first->khz / 10,
	               "low and high: a tenth less and more than the first measurement, for a host "
	               "that suspends the machine");
}

TEST(pm_timer, .id = "platform.clock.pm_timer", .needs = need_pm_timer, .runs = TEST_ON_BOOT,
     .claim = "the ACPI PM timer counts at a constant rate",
     .source = "ACPI Specification 6.4, \"Power Management Timer\"")
{
	judge_again(t, CLOCK_PM_TIMER);
}

TEST(hpet, .id = "platform.clock.hpet", .needs = need_hpet, .runs = TEST_ON_BOOT,
     .claim = "the HPET's main counter counts at a constant rate",
     .source = "IA-PC HPET Specification 1.0a, \"Main Counter Value Register\"")
{
	judge_again(t, CLOCK_HPET);
}

static const enum clock_id measured[] = { CLOCK_PM_TIMER, CLOCK_HPET, CLOCK_8254 };

static const char *need_two_clocks(struct test_ctx *t)
{
	unsigned count = 0;

	for (unsigned i = 0; i < COUNT_OF(measured); i++)
		count += clock_get(measured[i])->khz != 0;
	return count >= 2 ? NULL
	       : test_reason(t, "%u of ACPI PM timer, HPET and 8254 runs, the test needs 2", count);
}

/* Returns the rate by the measured clock that is nearest to another one's. */
static uint32_t nearest(uint32_t khz, enum clock_id own)
{
	uint32_t best = 0, least = UINT32_MAX;

	for (unsigned i = 0; i < COUNT_OF(measured); i++) {
		uint32_t other = clock_get(measured[i])->khz;
		uint32_t distance = other > khz ? other - khz : khz - other;

		if (measured[i] != own && other && distance < least) {
			least = distance;
			best = other;
		}
	}
	return best;
}

TEST(agree, .id = "platform.clock.agree", .needs = need_two_clocks, .runs = TEST_ON_BOOT,
     .claim = "the clock that gives the TSC's rate is confirmed by another one",
     .source = "ACPI Specification 6.4, \"Power Management Timer\"; IA-PC HPET Specification 1.0a; "
               "Intel 8254")
{
	const enum clock_id chosen = clock_chosen();
	const uint32_t khz = clock_get(chosen)->khz;

	expect_between(t, clock_get(chosen)->name, khz, nearest(khz, chosen) / 100 * 99,
	               nearest(khz, chosen) / 99 * 100 + 100,
	               "low and high: 1 % from the rate by another clock of this machine");
	for (unsigned id = 0; id < CLOCK_COUNT; id++)
		if (clock_get((enum clock_id)id)->khz)
			test_report(t, clock_get((enum clock_id)id)->name, "%u kHz",
			            clock_get((enum clock_id)id)->khz);
}

static NEED_BOTH(need_apic_and_rate, need_local_apic, need_rate)

TEST(apic_timer, .id = "platform.clock.apic_timer", .needs = need_apic_and_rate,
     .claim = "the local APIC's timer counts at a constant rate",
     .source = "SDM 3A, \"Advanced Programmable Interrupt Controller (APIC)\", \"APIC Timer\"; "
               "APM 2, \"APIC Timer Interrupt\"")
{
	const uint32_t khz = apic_timer_khz();

	apic_timer_measure();
	expect_between(t, "the timer's rate in kHz, measured again", apic_timer_khz(),
	               khz - khz / 10, khz + khz / 10,
	               "low and high: a tenth less and more than the first measurement, for a host "
	               "that suspends the machine");
}

static const char *need_8254(struct test_ctx *t)
{
	const char *reason = need_clock(t, CLOCK_8254);

	if (!reason && !pit_has_channel2())
		return test_reason(t, "port 61H does not keep what is written: it reads %XH",
		                   port_in8(PIT_GATE));
	return reason;
}

/* Returns false if the output has not risen after 110 ms, twice the longest count. */
static bool ends_after(uint16_t count)
{
	struct clock_limit limit = clock_limit_ms(110);

	pit_begin(count);
	while (!pit_has_ended())
		if (clock_is_over(&limit))
			return false;
	return true;
}

TEST(pit, .id = "platform.pit.tsc", .needs = need_8254, .runs = TEST_ALONE,
     .claim = "the 8254 counts to its end, and the time-stamp counter runs meanwhile",
     .source = "8254, \"Mode 0: Interrupt on Terminal Count\"; SDM 3B, \"Time-Stamp Counter\"; "
               "APM 2, \"Time-Stamp Counter\"")
{
	uint64_t before = tsc_read();
	bool has_ended = ends_after(PIT_HZ / 1000);

	expect_exact(t, "channel 2's output after its count", has_ended, 1,
	             "port 61H bit 5 rises at the end");
	expect_between(t, "TSC ticks in 1 ms", tsc_read() - before, tsc_khz() / 2, UINT64_MAX,
	               "low: half of the TSC's rate; high: the host may have paused this machine");
}
