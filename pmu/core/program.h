/* SPDX-License-Identifier: MIT */
/*
 * Programs counters, runs code in a window, and reads the counts.
 *
 *	struct pmu_setup s = { .counter = 0, .event = EVENT_INSTRUCTIONS_RETIRED, .flags = PMU_OS };
 *	struct pmu_reading r = pmu_measure(&s, 1, &workload_loop, 1000, 0);
 *	// r.count[0]: instructions
 *
 * All functions work on the generation that pmu_get() found. A request for something that the
 * generation lacks ends the test by test_abort(): ask pmu_get() first. On NetBurst they count the
 * architectural events of instructions, branches and cycles, on counters that pmu_counter_for()
 * returns; netburst_pmu.h has everything else. P5 and P6 have counters 0 and 1, and neither an
 * overflow status nor AnyThread nor PMU_EQ. P5 has PMU_OS (CPL 0, 1, 2), PMU_USR (CPL 3), PMU_PIN
 * and PMU_CLOCKS, but no PMI and no CMASK. events.h has the events of P5 and P6 by name.
 */
#ifndef PMU_CORE_PROGRAM_H
#define PMU_CORE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <pmu/core/pmu.h>
#include <pmu/workload/workload.h>

/*
 * Marks a function whose own instructions are counted, too. Compilers make no second copy of it,
 * for another caller or a constant argument; the copies would differ, and the counts with them.
 */
#define PMU_ONE_COPY __attribute__((noinline, noclone))

/* General counters have the numbers 0 to gp_count - 1; the fixed ones begin here. */
#define PMU_FIXED       32u
#define PMU_FIXED_CTR(i) (PMU_FIXED + (i))

enum pmu_flags {
	PMU_OS   = 1 << 0,         /* count at CPL 0 */
	PMU_USR  = 1 << 1,         /* count at CPL 1, 2, 3 */
	PMU_BOTH = PMU_OS | PMU_USR,
	PMU_EDGE = 1 << 2,
	PMU_INV  = 1 << 3,
	PMU_INT  = 1 << 4,         /* PMI on overflow */
	PMU_ANY  = 1 << 5,         /* AnyThread */
	PMU_PIN  = 1 << 6,         /* PC: pin control */
	PMU_EQ   = 1 << 7,         /* v6: CMASK compares for equality, instead of for at least */
	PMU_CLOCKS = 1 << 8,       /* P5: counts the clocks of an event, not its occurrences */
	PMU_ADAPTIVE = 1 << 9,     /* PEBS baseline: records have the groups of MSR_PEBS_DATA_CFG */
	PMU_IN_TX = 1 << 10,       /* RTM: counts in transactions only */
	PMU_IN_TXCP = 1 << 11,     /* RTM: forgets what aborted transactions counted */
};

/*
 * Describes what one counter does. Fixed counters take PMU_OS, PMU_USR, PMU_INT, PMU_ANY and
 * PMU_ADAPTIVE.
 */
struct pmu_setup {
	unsigned counter;
	uint16_t event;            /* EVENT(select, umask); unused for fixed counters */
	uint8_t cmask;
	uint8_t event_high;        /* AMD: bits 11:8 of the event select; version 6: UMASK2 */
	unsigned flags;            /* enum pmu_flags */
	uint64_t start;            /* value before the window, cut to the counter's width */
	const struct netburst_use *netburst;   /* NetBurst: replaces event, cmask and flags */
};

enum { PMU_SETUPS_MAX = 24 };

/* The description of an event in a table is for docs/events.md; the kernel omits it. */
#if __STDC_HOSTED__
#define PMU_WORDS(text)  .description = text
#else
#define PMU_WORDS(text)  .description = NULL
#endif

struct pmu_reading {
	uint64_t count[PMU_SETUPS_MAX];  /* counter - start, per setup: pmu_difference() */
	uint64_t value[PMU_SETUPS_MAX];  /* the counter itself */
	uint64_t status;           /* overflow status after the window; 0 if there is none */
	unsigned repeats;          /* number of windows discarded because an SMI or a tick of
	                            * the watchdog interrupted them */
	bool is_spoiled;           /* the last one was, too: it takes longer than a tick, 55 ms */
};

/*
 * Writes controls and start values and clears the overflow status; nothing counts until
 * pmu_window(). Replaces whatever was programmed before; IA32_DEBUGCTL and LVTPC stay.
 *
 * A start value that a legacy write cannot produce (bits 31 and up differ) needs full-width writes
 * (IA32_A_PMCx). If there are none, the value ends the test, as does a counter that does not exist.
 * P6 has no full-width writes; P5 takes all 40 bits.
 */
void pmu_program(const struct pmu_setup *setups, unsigned count);

/*
 * Runs code(rounds, argument) with all programmed counters on. Between the write that starts them
 * and the one that stops them the window itself has PMU_WINDOW_INSNS instructions
 * (PMU_WINDOW_BRANCHES of them branches) in addition to the code's. It is not specified whether
 * those two WRMSRs count. The interrupt flag stays as it was. Calls watchdog_pet() first.
 *
 * Without a global control (architectural version 1) two counters start and stop one after the
 * other: counter 0 is exact, because it starts last and stops first. On P5 and P6 one write starts
 * and stops both. On NetBurst setup 0 is exact, or all counters of one ESCR (struct netburst_use).
 * A second window continues the counts of the first one.
 */
void pmu_window(void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds,
                uint32_t argument);
/*
 * Returns true if an SMI or a tick fell into a window since the last call, and nothing repeated the
 * window: the counts may be wrong. The engine then repeats a test that has failed.
 */
bool pmu_was_disturbed(void);

/* Returns true if an SMI may fall into a test unseen: without MSR_SMI_COUNT and `exact`. */
bool pmu_is_blind(void);

#define PMU_WINDOW_INSNS      4    /* CALL, then three MOVs for the write that stops */
#define PMU_WINDOW_BRANCHES   1    /* the CALL, an indirect one; the RET is the code's */

/*
 * Returns how far a counter is beyond an earlier value of it, modulo its width. If it stands below,
 * the difference is below zero, as a 64-bit number: 2 below is 0 - 2, whatever the width. No run
 * counts 2^(width - 1) events, so the sign is certain.
 */
uint64_t pmu_difference(unsigned counter, uint64_t value, uint64_t before);

/* Reads a counter by RDMSR. */
uint64_t pmu_read(unsigned counter);

/* Writes a counter: a general one by a legacy write, a fixed one by its register. */
void pmu_write(unsigned counter, uint64_t value);

/*
 * Return and clear IA32_PERF_GLOBAL_STATUS; on NetBurst bit n is OVF of CCCR n. Without an overflow
 * status (pmu_has_status()) they return 0 and do nothing. Bits that the reset could not clear are
 * left out (stuck_status.h).
 */
uint64_t pmu_status(void);
void pmu_clear_status(uint64_t bits);

/*
 * Returns which counters overflowed, for PMUs without an overflow status: a bit for each general
 * counter that pmu_program() or pmu_write() made negative (its highest bit is 1) and that is no
 * longer negative. Reports each overflow once. A counter that was not negative needs 2^(width - 1)
 * counts to overflow; no run is that long. Values written without these two functions are not seen.
 */
uint32_t pmu_take_overflows(void);

/*
 * Stops everything and clears controls, counters and status. The engine calls it around each test,
 * and also clears the freeze bits of IA32_DEBUGCTL and stops PMIs. Calls watchdog_pet(), so that no
 * watchdog tick falls into a count that the test makes afterwards.
 */
void pmu_reset(void);

/*
 * Sets a function that pmu_program() and pmu_reset() call before they write a register. suspend.c
 * sets it, to forget the bits that it has saved of the previous programming.
 */
void pmu_set_forget_hook(void (*hook)(void));

/*
 * Returns a sentence on the first counter that would count now, with its registers' values, or NULL
 * if no counter would. The engine calls it after each test: a test that leaves a counter running is
 * an error.
 */
const char *pmu_running(void);

/*
 * Calls pmu_program() and pmu_window() and reads everything. If an SMI or a tick of the watchdog
 * interrupted the window, repeats that, at most PMU_REPEATS_MAX times, after a tick PMU_TICKS_MAX
 * times, because the watchdog is petted first; then the last reading stands. Without
 * MSR_SMI_COUNT, or AMD's event of SMIs in a counter that the window leaves free, an SMI is not
 * noticed.
 */
enum { PMU_REPEATS_MAX = 8, PMU_TICKS_MAX = 3 };
struct pmu_reading pmu_measure(const struct pmu_setup *setups, unsigned count,
                               const struct workload *w, uint32_t rounds, uint32_t argument);

/* Does the same with code that is not a workload of known counts. */
struct pmu_reading pmu_measure_code(const struct pmu_setup *setups, unsigned count,
                                    void (*code)(uint32_t rounds, uint32_t argument),
                                    uint32_t rounds, uint32_t argument);

/*
 * Returns the counts of w minus the counts of workload_empty on one counter, so that the window
 * cancels out. That subtracts the RET of workload_empty, too: for instructions the
 * result is workload_insns(w, rounds) - 1, for branches workload_branches(w, rounds) - 1.
 */
uint64_t pmu_count_net(const struct pmu_setup *setup, const struct workload *w, uint32_t rounds,
                       uint32_t argument);

/*
 * Returns true if a register shows which counters overflowed. Architectural version 1, P6 and P5
 * have no such register.
 */
bool pmu_has_status(void);

/*
 * Returns the nth general counter, from 0, that can count this event (EVENT(select, umask)), or
 * PMU_FIXED if no such counter exists. On NetBurst the ESCRs of an event reach only some counters;
 * elsewhere the result is n.
 */
unsigned pmu_counter_for(uint16_t event, unsigned n);

/*
 * Returns true if the counter exists, and false on a machine that cannot be programmed. needs() may
 * call it.
 */
bool pmu_has_counter(unsigned counter);
unsigned pmu_counter_width(unsigned counter);
uint32_t pmu_counter_msr(unsigned counter);

/*
 * Writes the counter's name, such as "IA32_PMC3", "IA32_FIXED_CTR1", "PerfCtr0" or "CTR1", to
 * buffer, of PMU_NAME_SIZE bytes.
 */
enum { PMU_NAME_SIZE = 24 };
const char *pmu_counter_name(unsigned counter, char *buffer);

/* Returns the counter's index for RDPMC. */
uint32_t pmu_rdpmc_index(unsigned counter);

/*
 * Returns true if this architectural event exists, by the length and bit in CPUID.0AH:EBX, or with
 * version 6 by CPUID.23H.3:EAX. Returns false for other events, and without such a PMU.
 */
bool pmu_has_event(uint16_t event);

/*
 * Returns true if this machine repeats itself to the last count and starts in its reset state. The
 * word `exact` on the command line says so; tests/boot gives it on the model. Tests then demand
 * what silicon need not promise: skid 0, equal repeats, reset values.
 */
bool pmu_is_exact(void);

/*
 * Describes a register of the PMU as this kernel found it, before it wrote the first one: those in
 * the class's table, and others of interest (IA32_DEBUGCTL, IA32_MISC_ENABLE).
 */
struct pmu_initial {
	char name[28];             /* "IA32_PERFEVTSEL3" */
	uint32_t msr;
	bool is_there;             /* RDMSR did not fault */
	uint64_t value;            /* 0 if RDMSR faulted */
};
const struct pmu_initial *pmu_get_initial(unsigned *count);

#endif
