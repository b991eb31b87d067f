/* SPDX-License-Identifier: MIT */
/*
 * Knows what time is: which clocks this machine has, which of them run and agree, and the TSC's
 * rate. All waits of the kernel go through this header, and each has a bound in time.
 */
#ifndef ARCH_CLOCK_CLOCKS_H
#define ARCH_CLOCK_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* In the order of trust: of two clocks that differ and that no third one confirms, the first. */
enum clock_id {
	CLOCK_PM_TIMER, CLOCK_HPET, CLOCK_8254,
	CLOCK_CPUID_15H, CLOCK_CPUID_40000010H, CLOCK_PVCLOCK, CLOCK_HYPER_V, CLOCK_CPUID_16H,
	CLOCK_RTC, CLOCK_COUNT
};

/* Says where firmware's tables have the clocks that no fixed address has; 0: they have none. */
struct clock_places {
	uint16_t pm_timer;              /* an I/O port */
	uintptr_t hpet;                 /* a physical address below 4 GB */
};

/* What a clock says. */
struct clock_answer {
	const char *name;
	uint32_t khz;                   /* the TSC's rate by this clock; 0: see problem */
	const char *problem;            /* why the clock cannot be used, or NULL */
	bool is_absent;                 /* the machine does not claim to have it */
};

/*
 * Asks every clock, once. The RTC is asked only if it is needed, because it takes up to 5 seconds;
 * tell() then says so. Must be called on the boot processor before watchdog_init(), as it may use
 * channel 0 of the 8254. A clock that is found dead is never read again.
 */
void clock_init(const struct clock_places *places, void (*tell)(const char *line));

const struct clock_answer *clock_get(enum clock_id id);

/*
 * Asks a clock that runs once more, on the boot processor, and leaves the answers as they are. The
 * 8254's must not be asked for where it has no port 61H, nor the RTC's.
 */
struct clock_answer clock_ask_again(enum clock_id id);

/* Returns true if the clock runs and says nothing else than the chosen one. */
bool clock_is_right(enum clock_id id);

/* Returns the clock that gives the TSC's rate, or CLOCK_COUNT if there is none. */
enum clock_id clock_chosen(void);

/* Returns true if two rates differ by less than 1 %, the most that two sound clocks differ by. */
bool clock_agree(uint32_t khz, uint32_t other);

/* Returns the TSC's rate in kHz, or 0 without a TSC or without another clock. */
uint32_t tsc_khz(void);

/*
 * Waits at most one second, with interrupts on or off, by the TSC. Without a rate it waits longer:
 * as long as a TSC of 5 GHz would need.
 */
void clock_wait_us(uint32_t us);

/*
 * A limit to a wait. It counts the time in which this processor ran: of a longer gap between two
 * calls of clock_is_over() only a millisecond counts. So on a busy host, which lets the processors
 * of an emulator run in turn, a limit is as long as it is for the processor that is waited for.
 */
struct clock_limit {
	uint64_t last, left;            /* in ticks of the TSC, or in calls without its rate */
};

struct clock_limit clock_limit_ms(uint32_t ms);
bool clock_is_over(struct clock_limit *limit);

#endif
