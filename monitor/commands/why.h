/* SPDX-License-Identifier: MIT */
/* What `why` looks at: one counter, the registers behind it, and the checks. */
#ifndef MONITOR_COMMANDS_WHY_H
#define MONITOR_COMMANDS_WHY_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/core/program.h>
#include <pmu/events/netburst_pmu.h>

/* A counter, and as it was programmed what decides on its counting. */
struct why_counter {
	unsigned counter, number;      /* as program.h has it; of its kind */
	char name[PMU_NAME_SIZE];
	uint64_t value;
	uint64_t select;               /* its event select; P5: its half of CESR; NetBurst: ESCR */
	uint64_t control;              /* IA32_PERF_GLOBAL_CTRL, PerfEvtSel0, CCCR */
	uint64_t fixed;                /* a fixed counter's fields, at the first one's place */
	uint64_t status, debugctl;
	const struct netburst_escr *escr;      /* NetBurst: what its CCCR selects; NULL: nothing */
};

void why_look(struct why_counter *c, unsigned counter);

enum why_kind { WHY_GENERAL = 1, WHY_FIXED = 2, WHY_ALL = 3 };

struct why_check {
	uint32_t generations;          /* bit n: enum pmu_generation */
	uint8_t since, until;          /* versions of architectural PMUs; until 0: to the last */
	uint8_t kinds;                 /* enum why_kind */
	bool (*is_so)(const struct why_counter *c);
	/* In both: '#' is the counter's number, '@' its ESCR, '$' its CCCR, '!' its event select.
	 * No full stop. mend: what to type; NULL: nothing helps. */
	const char *sentence, *mend;
	bool is_note;                  /* it may be as it is meant: it counts all the same */
	bool is_last;                  /* what follows follows from it */
};
extern const struct why_check why_checks[];
extern const unsigned why_check_count;

/* A text with its signs replaced. */
enum { WHY_TEXT_SIZE = 192 };
const char *why_text(const struct why_counter *c, const char *text, char *buffer);

/* The nth check from *at on that finds something; NULL: no more. */
const struct why_check *why_next(const struct why_counter *c, unsigned *at);

#endif
