/* SPDX-License-Identifier: MIT */
/* Measures windows with a HLT of a known length, which the APIC's timer ends. */
#ifndef TESTS_SUITES_COMMON_COUNTS_HALTING_H
#define TESTS_SUITES_COMMON_COUNTS_HALTING_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/run/test.h>
#include <pmu/core/program.h>

/* The APIC's timer ends the HLT after so many us, which are below the watchdog's 55 ms. */
enum { HALT_SHORT = 1000, HALT_LONG = 20000 };

/* workload_loop runs so many rounds after the HLT. */
enum { LOOP_SHORT = 1000, LOOP_LONG = 51000 };

struct halted { struct pmu_reading reading; uint64_t tsc; };

/*
 * Halts for `length` us, then loops; the result's tsc has the clocks of the HLT. Needs a
 * local APIC.
 */
struct halted measure_halt(const struct pmu_setup *setups, unsigned count, uint32_t length,
                           uint32_t loop);

/*
 * Judges a setup that counts cycles, none of which pass in HLT. ticks limits the difference of two
 * counts of the same code where the counted clock is slower than the core's, so that its ticks fall
 * by chance: one in each of the two stretches that run.
 */
void judge_halted(struct test_ctx *t, const char *what, const struct pmu_setup *setup,
                  unsigned ticks);

/*
 * Judges a setup that counts what a processor causes when it executes: nothing more in a longer
 * HLT. Where the machine is not exact, an event that counts clocks is only shown; one that counts
 * occurrences may count what others cause, such as snoops, but not all the time.
 */
void judge_halted_event(struct test_ctx *t, const char *what, const struct pmu_setup *setup,
                        bool is_clocks);

/* Judges each event of the table of P5 or P6 so, on its first counter. */
void judge_halted_table(struct test_ctx *t);

#endif
