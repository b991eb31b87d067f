/* SPDX-License-Identifier: MIT */
/*
 * Counts one event on every counter that can count it, as the difference between a workload and the
 * empty one, in which the window's own cost cancels out. The suites of counts of all generations
 * use it.
 */
#ifndef TESTS_SUITES_COMMON_COUNTS_COUNTING_H
#define TESTS_SUITES_COMMON_COUNTS_COUNTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <arch/regs/table.h>
#include <kernel/run/test.h>
#include <pmu/core/program.h>
#include <tests/suites/common/silicon/silicon.h>

/* Limits the cycles that only one of two counters of a window sees, where a machine is not exact:
 * one at each end, because the window's WRMSR starts and stops a pipeline, not an instruction. */
enum { WINDOW_EDGES = 2 };

/* Limits the instructions per cycle: no processor so far has more than 8 slots, each of which takes
 * at most two instructions, a compare and its branch (Intel 64 and IA-32 Architectures Optimization
 * Reference Manual, "Macro-fusion"). */
enum { INSNS_PER_CYCLE_MAX = 16 };

/* Fills in every general counter that can count event, and the fixed one that counts the same.
 * Returns their number. */
unsigned counting_setups(struct pmu_setup setups[PMU_SETUPS_MAX], uint16_t event, unsigned flags);

/* Finds the fixed counter that counts the same as event; returns false if this processor
 * has none. */
bool counting_find_fixed(uint16_t event, unsigned *counter);

/* Returns whether the PMU is AMD's. */
bool counting_is_amd(void);

/* Returns whether the processor is of family 5, with MMX or without. */
bool counting_is_p5(void);

/* Returns whether the counter has IA32_A_PMCx, too, which takes all bits of its width. */
bool counting_has_full_width(unsigned counter);

/* Returns whether this counter may stand still while code runs: fixed counters 4 and 5 count slots
 * of bad speculation and of a waiting front end, and warm caches and predictors leave none. */
bool counting_may_rest(unsigned counter);

/* Returns the same, and reports then that this counter is not judged. */
bool counting_leaves_out(struct test_ctx *t, unsigned counter);

/* Returns whether one write starts and stops all counters; it does not in architectural
 * version 1. */
bool counting_is_together(void);

/* Returns how many counters one window starts and stops at the same time. */
unsigned counting_window_size(void);

/*
 * Measures like pmu_measure_code(); where counters do not start together, each gets a window of its
 * own, in the order of setups.
 */
struct pmu_reading counting_measure(const struct pmu_setup *setups, unsigned count,
                                    void (*code)(uint32_t rounds, uint32_t argument),
                                    uint32_t rounds, uint32_t argument);

/* Counts with the first counter that can count event, alone, at every level of privilege. */
uint64_t counting_one(uint16_t event, void (*code)(uint32_t rounds, uint32_t argument),
                      uint32_t rounds, uint32_t argument);

/* What an erratum or a measurement may add to a count each round, on general counters alone or on
 * all: see silicon.h. */
struct counting_known { enum silicon row; uint64_t each; bool is_general; };

/*
 * Checks on every counter that code(rounds, argument) counts `want` more than a RET alone. subject
 * names what is counted, as in "REP MOVSB of 64 bytes".
 */
struct counting {
	const char *subject;
	uint16_t event;
	void (*code)(uint32_t rounds, uint32_t argument);
	uint32_t rounds, argument;
	uint64_t want;
	const char *why;
	const struct counting_known *known;    /* or NULL */
};
/* Returns false, and judges nothing, if the window is longer than a tick of the watchdog. */
#define expect_counts(t, c) expect_counts_at(t, TEST_PLACE, c)
bool expect_counts_at(struct test_ctx *t, struct test_place at, const struct counting *c);

/* Returns whether a tick fell into each repetition of the window, and reports that. In a guest
 * whose instructions exit to a hypervisor this happens; what is longer is then not worth trying. */
bool counting_is_too_long(struct test_ctx *t, const struct pmu_reading *r);

/* Returns the number of rounds, but few of CPUID: in a guest each exits to the hypervisor, which
 * may take as long as 100,000 instructions. */
uint32_t counting_rounds(const struct workload *w, uint32_t rounds);

/* Returns this generation's event for instructions retired, or for all branches. */
enum counting_of { COUNTING_INSNS, COUNTING_BRANCHES };
uint16_t counting_event(enum counting_of of);

/* Checks that a workload counts, for each of these rounds, the instructions or
 * branches that it retires, and what is known to come in addition. */
#define expect_workload(t, of, w, rounds, count, argument, why) \
	expect_workload_at(t, TEST_PLACE, of, w, rounds, count, argument, why, NULL)
#define expect_workload_known(t, of, w, rounds, count, argument, why, known) \
	expect_workload_at(t, TEST_PLACE, of, w, rounds, count, argument, why, known)
void expect_workload_at(struct test_ctx *t, struct test_place at, enum counting_of of,
                        const struct workload *w, const uint32_t *rounds, unsigned count,
                        uint32_t argument, const char *why, const struct counting_known *known);

/* Returns the usual bounds of a short window's count on this counter, or those that show it where
 * fixed counter 0 may gain up to 32 when it is enabled. */
struct bounds counting_unless_gain(unsigned counter, struct bounds usual);

/*
 * Checks that each of the first general counters counts a loop by itself. A test that takes one
 * counter as the measure of another calls it first, and ends if it returns false: otherwise a dead
 * counter would look like a fault of the other. On NetBurst it checks nothing.
 */
#define expect_alive(t, counters) expect_alive_at(t, TEST_PLACE, counters)
bool expect_alive_at(struct test_ctx *t, struct test_place at, unsigned counters);

/* Checks clocks of a window that retires so many instructions and that no other counter counted:
 * clocks of two windows differ with what caches and predictors hold. */
void counting_expect_clocks(struct test_ctx *t, const char *what, uint64_t got, uint64_t insns);

/*
 * Checks that got equals want; where the machine is not exact, they may differ by slack cycles, as
 * counters of one window do at its edges. why must justify the equality.
 */
#define expect_same(t, what, got, want, slack, why) \
	expect_same_at(t, TEST_PLACE, what, got, want, slack, why)
bool expect_same_at(struct test_ctx *t, struct test_place at, const char *what, uint64_t got,
                    uint64_t want, uint64_t slack, const char *why);

#endif
