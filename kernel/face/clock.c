/* SPDX-License-Identifier: MIT */
#include <kernel/face/clock.h>

#include <arch/cpu/insn.h>
#include <arch/clock/clocks.h>
#include <arch/cpu/self.h>

/* A unit is 1024 ticks of the TSC, so that 32 bits suffice; a step of more than 2^31 is a write. */
enum { UNIT_SHIFT = 10, CALLS_WITHOUT_TSC = 64 };

static SHARED uint32_t units_per_eighth, last, rest, eighths, drawn, calls;

static uint32_t now(void)
{
	return (uint32_t)(tsc_read() >> UNIT_SHIFT);
}

void clock_start(void)
{
	units_per_eighth = tsc_khz() * 125 / 1024;
	rest = eighths = drawn = calls = 0;
	last = units_per_eighth ? now() : 0;
}

bool clock_is_there(void)
{
	return units_per_eighth != 0;
}

static void count(void)
{
	const uint32_t is = now(), step = is - last;

	last = is;
	if (step >> 31)
		return;
	rest += step;
	while (rest >= units_per_eighth) {
		rest -= units_per_eighth;
		eighths++;
	}
}

bool clock_has_moved(void)
{
	if (!units_per_eighth)
		return calls++ % CALLS_WITHOUT_TSC == 0;
	count();
	if (eighths - drawn < 2 && calls++)
		return false;
	drawn = eighths;
	return true;
}

uint32_t clock_eighths(void)
{
	return eighths;
}
