/* SPDX-License-Identifier: MIT */
#include <arch/clock/clock_counters.h>

#include <stddef.h>

#include <arch/clock/hpet.h>
#include <arch/clock/pit.h>
#include <arch/cpu/insn.h>
#include <arch/regs/apic.h>
#include <arch/regs/timers.h>

/*
 * A counter that does not move in so many reads stands still: a read takes 0.5 us or more on
 * hardware, and some thirty instructions in an emulator, while the slowest counter moves every
 * 0.8 us.
 */
#define STILL_READS         2000u
#define PAUSES_BETWEEN      8           /* reads, which are an emulator's slowest instructions */
#define MEASUREMENTS        10
#define PARTS_OF_A_SECOND   500         /* a measurement takes 2 ms */
#define PM_TIMER_BITS_24    0xffffffu   /* the bits that every PM timer has */

/* No TSC is slower than 1 MHz, and none is faster than 20 GHz. */
#define LEAST_KHZ           1000u
#define MOST_KHZ            20000000u

/* ------------------------------------------------------------------------------ the counters */

static uint16_t pm_timer;

static uint32_t read_pm_timer(void)     { return port_in32(pm_timer); }

bool counter_find_pm_timer(struct counter *c, uint16_t port)
{
	pm_timer = port;
	*c = (struct counter){ PM_TIMER_HZ, PM_TIMER_BITS_24, read_pm_timer, NULL };
	return port != 0;
}

bool counter_find_hpet(struct counter *c, uintptr_t base)
{
	*c = (struct counter){ hpet_enable(base), UINT32_MAX, hpet_read, NULL };
	return c->hz != 0;
}

bool counter_find_8254(struct counter *c)
{
	*c = (struct counter){ PIT_HZ, UINT16_MAX, pit_stopwatch_read, pit_stopwatch_begin };
	return true;
}

/* --------------------------------------------------------------------------- measurements */

/*
 * Counts from one read to another one, at least 2 ms later. The TSC is read outside of both, so
 * whatever comes in between makes the result too large. Returns 0 if the counter stands still, and
 * UINT32_MAX if it jumped: chip sets return a wrong value of the PM timer now and then.
 */
static uint32_t measure_once(const struct counter *c)
{
	const uint32_t want = c->hz / PARTS_OF_A_SECOND;
	uint64_t before, ticks;
	uint32_t start, passed, again, still = 0;

	if (c->begin)
		c->begin();
	before = tsc_read();
	start = c->read();
	do {
		for (unsigned i = 0; i < PAUSES_BETWEEN; i++)
			cpu_pause();
		passed = (c->read() - start) & c->mask;
		if (!passed && ++still == STILL_READS)
			return 0;
	} while (passed < want);
	ticks = tsc_read() - before;
	again = (c->read() - start) & c->mask;
	if (again < passed || again > 8 * want || ticks >> 32)
		return UINT32_MAX;
	ticks = (uint64_t)(uint32_t)ticks * (c->hz / 1000);
	return ticks >> 32 >= passed ? UINT32_MAX : divide_u64(ticks, passed);
}

static uint32_t check(uint32_t khz, const char **problem)
{
	if (khz >= LEAST_KHZ && khz <= MOST_KHZ)
		return khz;
	*problem = khz == UINT32_MAX ? "it jumps" : khz < LEAST_KHZ ? "the TSC stands still by it"
	           : "the TSC has over 20 GHz by it";
	return 0;
}

/*
 * Takes the smallest of several measurements, as SMM or an emulator's host can make one longer,
 * never shorter: one of 10 ms gave up to four times the rate on a busy host. Two that agree within
 * a thousandth suffice.
 */
uint32_t counter_measure(const struct counter *c, const char **problem)
{
	uint32_t least = UINT32_MAX;

	for (unsigned i = 0; i < MEASUREMENTS; i++) {
		uint32_t khz = measure_once(c), before = least;

		if (!khz) {
			*problem = "it stands still";
			return 0;
		}
		if (khz < least)
			least = khz;
		if (before != UINT32_MAX && (khz > before ? khz - before : before - khz)
		                            < before / 1000)
			break;
	}
	return check(least, problem);
}

/* ---------------------------------------------------------------------------------- the RTC */

/*
 * Ends the wait for a second: 2 seconds of the fastest TSC, or so many reads, of which hardware
 * makes a million a second and Bochs, at 200 million instructions, 20 million.
 */
#define SECOND_TICKS        UINT64_C(12000000000)
#define SECOND_READS        40000000u
#define SECONDS_MAX         4
#define CERTAIN             500         /* a part of the whole */

/*
 * A change of the seconds: it was at most `width` ticks of the TSC before `tsc`. The read before
 * the change came after the last TSC but one.
 */
struct edge {
	uint64_t tsc, width;
};

static bool wait_for_next_second(struct edge *edge)
{
	const uint8_t second = port_in8(RTC_DATA);
	const uint64_t start = tsc_read();
	uint64_t now = start, last = start, before_last = start;

	for (unsigned i = 0; i < SECOND_READS && now - start < SECOND_TICKS; i++) {
		const bool is_next = port_in8(RTC_DATA) != second;

		before_last = last;
		last = now;
		now = tsc_read();
		*edge = (struct edge){ now, now - before_last };
		if (is_next)
			return true;
	}
	return false;
}

/*
 * Returns the rate in kHz. A host that suspends the machine while the second changes makes the
 * result uncertain, as one with busy cores did by 4 ms; then further seconds are taken.
 */
static uint32_t measure_seconds(const struct edge *start)
{
	struct edge edge = *start;
	uint64_t ticks = 0;
	uint32_t seconds = 0;

	do {
		if (!wait_for_next_second(&edge))
			break;
		ticks = edge.tsc - start->tsc;
		seconds++;
	} while (seconds < SECONDS_MAX && (start->width + edge.width) * CERTAIN > ticks);
	if (!seconds || ticks >> 32 >= 1000 * seconds)
		return UINT32_MAX;
	return divide_u64(ticks, 1000 * seconds);
}

uint32_t rtc_measure(const char **problem)
{
	struct edge start;

	port_out8(RTC_INDEX, RTC_SECONDS);
	if (port_in8(RTC_DATA) == UINT8_MAX) {
		*problem = "it reads all ones";
		return 0;
	}
	if (!wait_for_next_second(&start)) {
		*problem = "it stands still";
		return 0;
	}
	return check(measure_seconds(&start), problem);
}
