/* SPDX-License-Identifier: MIT */
/*
 * Lists the events of processors with architectural performance monitoring under the manual's
 * names: the architectural ones, and for each microarchitecture those for which a table has a
 * source.
 *
 * The table is only data and links without the kernel; the functions that depend on this processor
 * do not.
 */
#ifndef PMU_EVENTS_ARCH_EVENTS_H
#define PMU_EVENTS_ARCH_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/events/events.h>

enum { ARCH_EVENT_ALIASES = 3, ARCH_NOT_FIXED = 255, ARCH_FIXED_ALONE = 0xffff };

struct arch_event {
	const char *name;              /* the manual's: "INSTRUCTIONS_RETIRED" */
	const char *aliases[ARCH_EVENT_ALIASES];   /* mnemonics; NULL ends them */
	uint32_t on;                   /* enum pmu_microarchitecture */
	bool is_architectural;         /* CPUID reports whether it exists */
	bool lacks_umask2;             /* is another event on a processor with UMASK2 */
	uint8_t umask2;                /* IA32_PERFEVTSELx.UMASK2; not 0: needs it */
	uint16_t event;                /* EVENT(); ARCH_FIXED_ALONE: only a fixed counter has it */
	uint8_t fixed;                 /* the fixed counter that counts it, or ARCH_NOT_FIXED */
	uint32_t counters;             /* general counters that can count it: bit n */
	enum pmu_event_kind kind;
	const char *description;       /* PMU_WORDS() */
};

extern const struct arch_event arch_events[];
extern const unsigned arch_event_count;

/* Returns true if this processor has the event. */
bool arch_event_exists(const struct arch_event *e);

/*
 * Finds an event by name or mnemonic, preferring those that exist, and ignoring case. Returns NULL
 * if the name is unknown.
 */
const struct arch_event *arch_event_find(const char *name);

/* Finds an event by the bits of an event select, preferring those that exist. Returns NULL if no
 * row has it. */
const struct arch_event *arch_event_of(uint64_t select);

/*
 * Returns the counters that can count the event here, or 0 if it does not exist. Bit n is counter
 * n, and bit 32 + i counter PMU_FIXED + i.
 */
uint64_t arch_event_counters(const struct arch_event *e);

#endif
