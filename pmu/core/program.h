/* SPDX-License-Identifier: MIT */
/*
 * Programming counters: say what each is to do, run code in a window, read the counts.
 *
 *	struct pmu_setup s = { .counter = 0, .event = EVENT_INSTRUCTIONS_RETIRED, .flags = PMU_OS };
 *	struct pmu_reading r = pmu_measure(&s, 1, &workload_loop, 1000, 0);
 *	// r.count[0]: instructions
 *
 * All of it works on the generation that pmu_get() found. What a generation does not have is
 * refused with test_abort(): ask pmu_get() first. NetBurst takes the architectural events of
 * instructions, branches and cycles, on counters that pmu_counter_for() tells; everything else
 * there: netburst_pmu.h. P5 and P6 have counters 0 and 1, neither an
 * overflow status nor AnyThread nor PMU_EQ; P5 has PMU_OS (CPL 0, 1, 2), PMU_USR (CPL 3), PMU_PIN
 * and PMU_CLOCKS, no PMI and no CMASK. Their events by name: events.h.
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

/* Counters are numbered 0 .. gp_count - 1, fixed ones from here on. */
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
	PMU_EQ   = 1 << 7,         /* v6: CMASK is met by so many events, not by more */
	PMU_CLOCKS = 1 << 8,       /* P5: the clocks of an event, not how often it began */
	PMU_ADAPTIVE = 1 << 9,     /* PEBS baseline: records have the groups of MSR_PEBS_DATA_CFG */
};

/* What one counter is to do. Fixed counters take PMU_OS, PMU_USR, PMU_INT, PMU_ANY and
 * PMU_ADAPTIVE. */
struct pmu_setup {
	unsigned counter;
	uint16_t event;            /* EVENT(select, umask); of fixed counters: not used */
	uint8_t cmask;
	unsigned flags;            /* enum pmu_flags */
	uint64_t start;            /* value before the window; cut to the counter's width */
	const struct netburst_use *netburst;   /* NetBurst: in place of event, cmask and flags */
};

enum { PMU_SETUPS_MAX = 24 };

/* A description in a table of events: for docs/events.md, not for the kernel. */
#if __STDC_HOSTED__
#define PMU_WORDS(text)  .description = text
#else
#define PMU_WORDS(text)  .description = NULL
#endif

struct pmu_reading {
	uint64_t count[PMU_SETUPS_MAX];  /* counter - start, modulo its width, per setup */
	uint64_t value[PMU_SETUPS_MAX];  /* the counter itself */
	uint64_t status;           /* overflow status after the window, 0 where there is none */
	unsigned repeats;          /* windows thrown away because an SMI fell into them */
};

/*
 * Writes controls and start values and clears the overflow status; nothing counts until
 * pmu_window(). Whatever was programmed before is gone; IA32_DEBUGCTL and LVTPC stay.
 *
 * A start value that a legacy write cannot make (bits 31 and up differ) needs full-width writes
 * (IA32_A_PMCx); where there are none it ends the test, as does a counter that is not there. P6 has
 * none; P5 takes all 40 bits.
 */
void pmu_program(const struct pmu_setup *setups, unsigned count);

/*
 * Runs code(rounds, argument) with all programmed counters on. From the write that starts them to
 * the one that stops them PMU_WINDOW_INSNS instructions (PMU_WINDOW_BRANCHES of them branches)
 * belong to the window, beside code's own; whether those two WRMSRs count is not specified.
 * Interrupts are as they were. The watchdog is petted first. Where two counters have no global
 * control (architectural version 1) they start and stop one after the other: exact is counter 0,
 * which starts last and stops first; on P5 and P6 one write starts and stops both. On NetBurst
 * exact is that of setup 0, or all counters of one ESCR (struct netburst_use). A second window goes
 * on counting where the first one ended.
 */
void pmu_window(void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds,
                uint32_t argument);
#define PMU_WINDOW_INSNS      4    /* CALL, then three MOVs for the write that stops */
#define PMU_WINDOW_BRANCHES   1    /* the CALL, an indirect one; the RET is the code's */

/* Counter by RDMSR. */
uint64_t pmu_read(unsigned counter);

/* Writes a counter (legacy write; fixed: its register). */
void pmu_write(unsigned counter, uint64_t value);

/* IA32_PERF_GLOBAL_STATUS; of NetBurst, bit n: OVF of CCCR n. And its clearing. 0 and nothing where
 * there is none: pmu_has_status(). */
uint64_t pmu_status(void);
void pmu_clear_status(uint64_t bits);

/*
 * Who overflowed, where no register says so: a bit for each general counter that pmu_program() or
 * pmu_write() made negative (its highest bit is 1) and that is not negative any more. Each is told
 * once. A counter that was not negative needs 2^(width - 1) counts to overflow: nobody waits that
 * long. What was written past these two functions is not seen.
 */
uint32_t pmu_take_overflows(void);

/*
 * Stops everything and clears controls, counters and status. The engine does so around each test
 * and clears the freeze bits of IA32_DEBUGCTL, too, and stops PMIs. The watchdog is petted: no tick
 * is in what a test counts by itself behind it.
 */
void pmu_reset(void);

/*
 * Sets what pmu_program() and pmu_reset() call before they write a register: whoever keeps bits of
 * what was programmed forgets them. pause.c sets it before it keeps the first one. While it is
 * not set, nobody keeps any, and nothing is called.
 */
void pmu_set_forget_hook(void (*hook)(void));

/*
 * The first counter that would count now, as a sentence with its registers' values; NULL if there
 * is none. The engine asks after each test: one that leaves a counter running is an error.
 */
const char *pmu_running(void);

/*
 * pmu_program, pmu_window, read everything; again where an SMI came in between: at most
 * PMU_REPEATS_MAX times, then the last one stands. Without MSR_SMI_COUNT nobody sees an SMI.
 */
enum { PMU_REPEATS_MAX = 8 };
struct pmu_reading pmu_measure(const struct pmu_setup *setups, unsigned count,
                               const struct workload *w, uint32_t rounds, uint32_t argument);

/* The same around code that is not a workload of known counts. */
struct pmu_reading pmu_measure_code(const struct pmu_setup *setups, unsigned count,
                                    void (*code)(uint32_t rounds, uint32_t argument),
                                    uint32_t rounds, uint32_t argument);

/*
 * One counter: counts of w minus counts of workload_empty, so that the window cancels out. The
 * RET of workload_empty is in what is taken away: of instructions this is workload_insns(w, rounds)
 * - 1, of branches workload_branches(w, rounds) - 1; modulo the counter's width.
 */
uint64_t pmu_count_net(const struct pmu_setup *setup, const struct workload *w, uint32_t rounds,
                       uint32_t argument);

/* Does a register say who overflowed? Not in architectural version 1, P6 and P5. */
bool pmu_has_status(void);

/*
 * The nth general counter, from 0, that can count this event (EVENT(select, umask)); PMU_FIXED:
 * there is none. On NetBurst the ESCR of an event reaches some counters; elsewhere this is n.
 */
unsigned pmu_counter_for(uint16_t event, unsigned n);

/* Is there this counter? On a machine that cannot be programmed: false. So may needs() ask. */
bool pmu_has_counter(unsigned counter);
unsigned pmu_counter_width(unsigned counter);

/* "IA32_PMC3", "IA32_FIXED_CTR1", "PerfCtr0", "CTR1". buffer: PMU_NAME_SIZE bytes. */
enum { PMU_NAME_SIZE = 24 };
const char *pmu_counter_name(unsigned counter, char *buffer);

/*
 * Is this architectural event there? CPUID.0AH:EBX, length and bit; with version 6 also where
 * CPUID.23H.3:EAX says so. Of an event that is not architectural, and where there is no such PMU:
 * false.
 */
bool pmu_has_event(uint16_t event);

/*
 * Does this machine repeat itself to the last count, and does it start in its reset state? True
 * with the word `exact` on the command line, which tests/boot gives on the model. Tests then demand
 * what silicon need not promise: skid 0, equal repeats, reset values.
 */
bool pmu_is_exact(void);

/*
 * The PMU's registers as this kernel found them, before it wrote the first one: of the class's
 * table, and what else there is to see (IA32_DEBUGCTL, IA32_MISC_ENABLE).
 */
struct pmu_found {
	char name[28];             /* "IA32_PERFEVTSEL3" */
	uint32_t msr;
	bool is_there;             /* RDMSR did not fault */
	uint64_t value;            /* 0 where it did */
};
const struct pmu_found *pmu_get_found(unsigned *count);

#endif
