/* SPDX-License-Identifier: MIT */
/*
 * The events of processors with architectural performance monitoring by the manual's names:
 * architectural ones, and of each microarchitecture those that a table here has a source for.
 *
 * The table is data alone and links without the kernel, but for what asks for this processor.
 */
#ifndef PMU_EVENTS_ARCH_EVENTS_H
#define PMU_EVENTS_ARCH_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/events/events.h>

enum { ARCH_EVENT_ALIASES = 3, ARCH_NOT_FIXED = 255, ARCH_FIXED_ALONE = 0xffff };

struct arch_event {
	const char *name;              /* the manual's: "INSTRUCTIONS_RETIRED" */
	const char *aliases[ARCH_EVENT_ALIASES];   /* mnemonics; NULL: no more */
	uint32_t on;                   /* enum pmu_microarchitecture */
	bool is_architectural;         /* CPUID says whether it is there */
	uint16_t event;                /* EVENT(); ARCH_FIXED_ALONE: no general counter has it */
	uint8_t fixed;                 /* the fixed counter that counts it; ARCH_NOT_FIXED */
	uint32_t counters;             /* general counters that can count it: bit n */
	enum pmu_event_kind kind;
	const char *description;       /* PMU_WORDS() */
};

extern const struct arch_event arch_events[];
extern const unsigned arch_event_count;

/* Does this processor have it? */
bool arch_event_exists(const struct arch_event *e);

/* By name or mnemonic, first among those that exist; capitals do not matter; NULL: no such name. */
const struct arch_event *arch_event_find(const char *name);

/* The counters that can count it here: bit n, PMU_FIXED + i is bit 32 + i; 0: it is not there. */
uint64_t arch_event_counters(const struct arch_event *e);

#endif
