/* SPDX-License-Identifier: MIT */
/*
 * Drives general counters that have an event select each, with the layout of IA32_PERFEVTSELx. This
 * is what the drivers of P6, of architectural performance monitoring and of AMD share; a table of
 * addresses says where the registers are.
 */
#ifndef PMU_DRIVERS_SELECTS_H
#define PMU_DRIVERS_SELECTS_H

#include <pmu/core/driver.h>

struct selects {
	uint32_t select, counter, stride;      /* of the first select and counter; to the next */
	const char *select_name, *counter_name;
	unsigned flags;                        /* enum pmu_flags that a select can express */
	uint64_t event_high;                   /* its bits for event_high of struct pmu_setup */
	/* The registers of all counters: version 2 and later. */
	uint32_t global_ctrl, status, clear;
	const char *global_name;
};

/* Are operations of the drivers. */
uint32_t selects_msr(const struct pmu *p, unsigned counter);
void selects_name(const struct pmu *p, unsigned counter, char *buffer);
uint64_t selects_status(const struct pmu *p);
void selects_clear_status(const struct pmu *p, uint64_t bits);
const char *selects_running(const struct pmu *p);
void selects_examine(const struct pmu *p, struct pmu_examined *e);
const char *selects_sure(const struct pmu *p, unsigned counter, struct pmu_switch *s);

/* Returns whether there are registers of all counters. */
bool selects_have_global(const struct pmu *p);

/* Returns the value of a select, without EN; flags that it cannot express end the test. */
uint64_t selects_value(const struct pmu *p, const struct pmu_setup *s);

/* Stops the general counters: by the global control, if there is one, then each. */
void selects_stop(const struct pmu *p);

/*
 * Fills the window. With a global control all enables but its bits are set now; bit n is that of
 * counter n, also of a fixed one. Without one the highest counter starts first and stops last, so
 * that counter 0 is exact.
 */
void selects_program(const struct pmu *p, const struct pmu_setup *setups, unsigned count,
                     struct pmu_switch *s);

/* Returns the value of the global control, or all ones without one. */
uint64_t selects_global(const struct pmu *p);

#endif
