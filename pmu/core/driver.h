/* SPDX-License-Identifier: MIT */
/* What a generation's driver does for program.h; one file and one row's pointer each. */
#ifndef PMU_CORE_DRIVER_H
#define PMU_CORE_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/core/pmu.h>
#include <pmu/core/program.h>

/* A WRMSR of the window. window.asm knows the layout of this struct and the next. */
struct pmu_switch_write { uint32_t msr, low, high; };

enum { PMU_SWITCH_MAX = 24 };

/* What starts and what stops the programmed counters, in this order; at least one write each. */
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
 * counter is always one that exists. Operations that may be NULL: status and clear_status (there is
 * no overflow status), has_event (there are no architectural events), counters_for (every
 * general counter can count every event), thread (a thread's PMU is its own).
 */
struct pmu_driver {
	/* Everything off; controls and start values written; s, empty at first, filled. */
	void (*program)(const struct pmu *p, const struct pmu_setup *setups, unsigned count,
	                struct pmu_switch *s);
	bool (*has_counter)(const struct pmu *p, unsigned counter);
	unsigned (*width)(const struct pmu *p, unsigned counter);
	uint32_t (*msr)(unsigned counter);
	void (*name)(unsigned counter, char *buffer);    /* PMU_NAME_SIZE bytes */
	uint64_t (*status)(const struct pmu *p);
	void (*clear_status)(const struct pmu *p, uint64_t bits);
	uint8_t status_since;          /* version from which there is a status */
	bool (*has_event)(const struct pmu *p, uint16_t event);
	uint32_t (*counters_for)(uint16_t event);        /* bit n: counter n can count it */
	const char *(*running)(const struct pmu *p);     /* as pmu_running() */
	unsigned (*thread)(void);      /* the number of this thread of those that share the PMU */
};

/* Runs code between the writes of s: window.asm. */
void pmu_window_run(const struct pmu_switch *s, void (*code)(uint32_t rounds, uint32_t argument),
                    uint32_t rounds, uint32_t argument);

/*
 * For pmu_detect(): finds the numbers of a PMU of this class, keeps its registers' values, tries
 * the probe, and writes the verdict. When it is called again, the first values stay.
 */
void pmu_examine(const struct pmu_class *class, bool is_forced);

/* For pmu_examine(): reads and keeps the registers of p, before anything writes one; once. */
void pmu_save_found(const struct pmu *p);

/* Once, at the start. is_exact: the word `exact` was given. */
void pmu_program_init(bool is_exact);

#endif
