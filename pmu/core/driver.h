/* SPDX-License-Identifier: MIT */
/*
 * Defines the operations that the driver of each generation implements for program.h. A driver is
 * one file, and one row of the table of classes points to it.
 */
#ifndef PMU_CORE_DRIVER_H
#define PMU_CORE_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/core/pmu.h>
#include <pmu/core/program.h>

/*
 * Describes a WRMSR of the window. window.asm knows the layout of this struct and of the next one.
 */
struct pmu_switch_write { uint32_t msr, low, high; };

enum { PMU_SWITCH_MAX = 24 };

/*
 * Holds the writes that start the programmed counters and those that stop them, in this order; at
 * least one each.
 */
struct pmu_switch {
	uint32_t on_count, off_count;
	struct pmu_switch_write on[PMU_SWITCH_MAX], off[PMU_SWITCH_MAX];
};

static inline void pmu_switch_add_on(struct pmu_switch *s, uint32_t msr, uint64_t value)
{
	s->on[s->on_count++] = (struct pmu_switch_write){
		msr, (uint32_t)value, (uint32_t)(value >> 32)
	};
}

static inline void pmu_switch_add_off(struct pmu_switch *s, uint32_t msr, uint64_t value)
{
	s->off[s->off_count++] = (struct pmu_switch_write){
		msr, (uint32_t)value, (uint32_t)(value >> 32)
	};
}

/*
 * Describes registers with bits that let counters count, or branches be recorded; suspend.h clears
 * and restores them. A driver's rows are switched on in their order and off in reverse. Counter 0
 * comes after the other counters, and branch records come last: there are few of them, so that
 * those of the code itself remain.
 */
struct pmu_pausable {
	uint8_t since, until;          /* versions of struct pmu; until 0: no upper limit */
	uint8_t count;                 /* registers of this kind; 0: one per general counter */
	uint8_t stride;
	uint32_t msr;                  /* the first one */
	uint32_t (*msr_of)(unsigned i);        /* instead of msr; returns 0 if it does not exist */
	uint64_t bits;
};

/* Describes a counter, with the programmed values that determine whether it counts. */
struct pmu_examined {
	unsigned counter, number;      /* the number of program.h, and the number within its kind */
	char name[PMU_NAME_SIZE];
	uint64_t value;
	uint64_t select;               /* the event select; P5: its half of CESR; NetBurst: ESCR */
	const char *select_name;       /* without its number; NULL on P5 and NetBurst */
	uint64_t control;              /* IA32_PERF_GLOBAL_CTRL, PerfEvtSel0, CCCR, ... */
	uint64_t fixed;                /* a fixed counter's fields, moved to those of counter 0 */
	uint64_t status, debugctl;
	uint64_t efer;                 /* AMD: IA32_EFER */
	const struct netburst_escr *escr;      /* NetBurst: that of its CCCR, or NULL */
};

/*
 * Holds the operations of a driver. counter is always one that exists. Operations that may be NULL
 * are has_counter and width (all counters are general), status and clear_status (the generation has
 * no overflow status), has_event (no architectural events), counters_for (every general counter can
 * count every event), and thread (each thread has a PMU of its own).
 */
struct pmu_driver {
	/*
	 * Stops everything, writes controls and start values, and fills s, which is empty at first.
	 */
	void (*program)(const struct pmu *p, const struct pmu_setup *setups, unsigned count,
	                struct pmu_switch *s);
	bool (*has_counter)(const struct pmu *p, unsigned counter);
	unsigned (*width)(const struct pmu *p, unsigned counter);
	uint32_t (*msr)(const struct pmu *p, unsigned counter);
	/* buffer has PMU_NAME_SIZE bytes */
	void (*name)(const struct pmu *p, unsigned counter, char *buffer);
	uint64_t (*status)(const struct pmu *p);
	void (*clear_status)(const struct pmu *p, uint64_t bits);
	uint8_t status_since;          /* version from which there is an overflow status */
	bool (*has_event)(const struct pmu *p, uint16_t event);
	uint32_t (*counters_for)(uint16_t event);        /* bit n: counter n can count the event */
	const char *(*running)(const struct pmu *p);     /* as pmu_running() */
	/* Reads the registers of e->counter, as they were programmed. */
	void (*examine)(const struct pmu *p, struct pmu_examined *e);
	/*
	 * Adds the writes to s->on that make the counter count something sure, and returns what
	 * that is: "instructions".
	 */
	const char *(*sure)(const struct pmu *p, unsigned counter, struct pmu_switch *s);
	const struct pmu_pausable *pausables;
	unsigned pausable_count;
	unsigned (*thread)(void);      /* this thread's number among those that share the PMU */
	const struct selects *selects; /* the data of pmu/drivers/selects.h, for those who use it */
};

/*
 * Runs code between the writes of s. Returns true if a tick of the watchdog or an SMI fell into it,
 * which is counted, too. Delays the next tick first, so that only a window that is longer than a
 * tick gets one, or one that the machine holds up.
 */
bool pmu_window_take(const struct pmu_switch *s, void (*code)(uint32_t rounds, uint32_t argument),
                     uint32_t rounds, uint32_t argument);

/* Does the same without looking; implemented in window.asm. Only pmu_window_take() calls it. */
void pmu_window_run(const struct pmu_switch *s, void (*code)(uint32_t rounds, uint32_t argument),
                    uint32_t rounds, uint32_t argument);

/*
 * Examines a PMU of this class, for pmu_detect(): finds its numbers, saves its registers' values,
 * tries the probe, and writes the verdict. A later call does not overwrite the saved values.
 */
void pmu_examine(const struct pmu_class *class, bool is_forced);

/*
 * Saves the registers of p, for pmu_examine(), before anything writes one. Later calls do nothing.
 */
void pmu_save_initial(const struct pmu *p);

/* Notes whether the word `exact` was given. Must be called once, at the start. */
void pmu_program_init(bool is_exact);

#endif
