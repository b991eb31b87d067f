/* SPDX-License-Identifier: MIT */
/*
 * Finds the events of Intel's processors since Core 2 under Intel's names.
 *
 *	const struct intel_row *e = intel_event_find("BR_INST_RETIRED.NEAR_CALL");
 *	if (e && intel_event_exists(e)) ...
 */
#ifndef PMU_EVENTS_INTEL_EVENTS_H
#define PMU_EVENTS_INTEL_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/core/program.h>
#include <pmu/events/intel_rows.h>

enum intel_processor {
	INTEL_IS_CORE2 = 1 << 0, INTEL_IS_BONNELL = 1 << 1, INTEL_IS_SILVERMONT = 1 << 2,
	INTEL_IS_GOLDMONT = 1 << 3, INTEL_IS_TREMONT = 1 << 4, INTEL_IS_GRACEMONT = 1 << 5,
	INTEL_IS_SKYMONT = 1 << 6, INTEL_IS_NEHALEM = 1 << 7, INTEL_IS_WESTMERE = 1 << 8,
	INTEL_IS_SANDY_BRIDGE = 1 << 9, INTEL_IS_IVY_BRIDGE = 1 << 10, INTEL_IS_HASWELL = 1 << 11,
	INTEL_IS_BROADWELL = 1 << 12, INTEL_IS_SKYLAKE = 1 << 13, INTEL_IS_SKYLAKE_X = 1 << 14,
	INTEL_IS_ICE_LAKE = 1 << 15, INTEL_IS_TIGER_LAKE = 1 << 16,
	INTEL_IS_SAPPHIRE_RAPIDS = 1 << 17, INTEL_IS_GOLDEN_COVE = 1 << 18,
	INTEL_IS_LION_COVE = 1 << 19
};

/* Returns the bit of this processor, or 0 if it is none of them. */
uint32_t intel_processor(void);

/* Returns the name of this processor in tables/intel_events.csv: "SkylakeX"; "" for none. */
const char *intel_processor_name(void);

/* Returns the nth event of this processor, or NULL if there are no more. */
const struct intel_row *intel_event_at(unsigned n);

/*
 * Finds an event by name, ignoring case: one of this processor, otherwise of another one
 * (intel_event_exists()). Returns NULL if no processor has the name.
 */
const struct intel_row *intel_event_find(const char *name);
bool intel_event_exists(const struct intel_row *e);

/* Returns the first event of this processor that IA32_PERFEVTSELx selects so, or NULL. */
const struct intel_row *intel_event_of(uint64_t select);

/* Writes the name to buffer, of INTEL_NAME_SIZE bytes, and returns it. */
enum { INTEL_NAME_SIZE = 64 };
const char *intel_event_name(const struct intel_row *e, char *buffer);

/* Returns the published errata about the event, or "". */
const char *intel_event_errata(const struct intel_row *e);

/* Returns the register that the event needs besides IA32_PERFEVTSELx, or NULL. */
const struct intel_msr *intel_event_msr(const struct intel_row *e);

/* Returns the general counters that exist here and can count the event, by Intel's list: a bit
 * each. */
uint32_t intel_event_counters(const struct intel_row *e);

/* Returns a setup for this event on this counter; flags are added to the event's own. */
struct pmu_setup intel_event_setup(const struct intel_row *e, unsigned counter, unsigned flags);

#endif
