/* SPDX-License-Identifier: MIT */
/*
 * Runs code at CPL 3 under a counter that counts CPL 1 to 3 only: the handler of a PMI and the
 * kernel around the code, at CPL 0, add nothing to its count, so that counts and periods are exact.
 */
#ifndef TESTS_SUITES_COMMON_PMI_PMI_WINDOWS_H
#define TESTS_SUITES_COMMON_PMI_PMI_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/run/test.h>
#include <pmu/core/pmi.h>
#include <pmu/core/program.h>

#define LVT  "SDM 3A, \"Local Vector Table\""

/* Limits the run of NOPs, because mode_run() has no room for more. */
enum { USER_NOPS_MAX = 2000 };

/* Executes, for pmu_window(), rounds NOPs at CPL 3, then the INT 81H that ends them; interrupts are
 * off. */
void user_nops(uint32_t rounds, uint32_t argument);

/* Executes, for pmu_window(), rounds times DEC ECX, JNZ at CPL 3, then the INT 81H; rounds is at
 * least 1. */
void user_loop(uint32_t rounds, uint32_t argument);

/* Returns the address of the NOP that follows so many of them. */
uintptr_t user_nop_address(uint64_t nops);

/* Returns the first or second counter for tests that need at most two: 0 or 1, or on NetBurst 12 or
 * 14, which can count instructions and have an ESCR each. */
unsigned pmi_counter(unsigned i);

/* Returns a setup that counts instructions; flags are PMU_OS, PMU_USR, PMU_INT. The event is C0H on
 * architectural PMUs and on P6. On NetBurst counters of one CPL share one ESCR, and the window's
 * end leaves OVF as it is. */
struct pmu_setup pmi_instructions(unsigned counter, unsigned flags, uint64_t missing);

/* Returns a setup that counts instructions at CPL 3, with INT. */
struct pmu_setup user_instructions(unsigned counter, uint64_t missing);

/*
 * Measures and returns what user_nops() retires at CPL 3 besides its NOPs: the INT 81H and, if the
 * processor counts it as CPL 3's, the IRET that leads there. The counter's interrupt stays off.
 */
uint64_t user_base(unsigned counter);

/* Describes a window with its PMIs; it runs once more if one of them may have been the watchdog's
 * tick. */
struct pmi_window {
	const struct pmu_setup *setups;
	unsigned count;
	void (*code)(uint32_t rounds, uint32_t argument);
	uint32_t rounds;
	void (*on_pmi)(struct frame *f);       /* NULL: pmi_go_on() */
	void (*before)(void);          /* NULL, or is run before each try */
	unsigned most;                 /* PMIs after which pmi_go_on() stops them; 0: 16 */
};
const struct pmi_log *pmi_run(const struct pmi_window *w);

/*
 * Ends a handler: clears the status and unmasks LVTPC. After too many PMIs masks LVTPC, so that a
 * PMU that raises PMIs without end fails the test and does not hang it.
 */
void pmi_go_on(void);
bool pmi_has_storm(void);

/* Runs a window with one counter and no handler of the test's own. */
const struct pmi_log *pmi_run_one(const struct pmu_setup *s,
                                  void (*code)(uint32_t rounds, uint32_t argument),
                                  uint32_t rounds);

/*
 * Ends a HLT by one interrupt of the APIC's timer after so many milliseconds, 1 to 50. Interrupts
 * must be on. wake_count() says whether the interrupt came; wake_stop() cancels it.
 */
void wake_after(unsigned milliseconds);
unsigned wake_count(void);
void wake_stop(void);

/*
 * Returns how many instructions the delivery of an interrupt may add to a counter at the level that
 * it leaves: AMD's count it, 1 or, on families 15H and 16H, 2 (V. Weaver, "deterministic events").
 * Whether an interrupt that follows the entry of an exception at once is still of the level that
 * was left, no manual says.
 */
uint64_t pmi_entry_counts(void);

/*
 * Returns how many instructions a PMI that interrupts CPL 3 adds to a counter with USR alone: as a
 * fault does, measured, and on AMD at least as many as an interrupt counts there, which on families
 * 15H and 16H are two where a fault is one.
 */
unsigned pmi_return_counts(unsigned counter);

/*
 * Returns by how many counts each of these may be off: by one on families 15H and 16H where the
 * machine is not exact, because an interrupt counted 2.03 and 1.8 there, on average.
 */
uint64_t pmi_return_slack(void);

/* Returns the counter's bit in IA32_PERF_GLOBAL_STATUS and in IA32_PERF_GLOBAL_CTRL, if
 * has_status(). */
uint64_t counter_bit(unsigned counter);

/* Returns the largest value of a counter. */
uint64_t counter_mask(unsigned counter);

/* Returns whether IA32_PERF_GLOBAL_STATUS exists, which architectural version 2 introduced. */
bool has_status(void);

#endif
