/* SPDX-License-Identifier: MIT */
/* Defines the checks of `why`, and the texts of their findings. */
#ifndef MONITOR_COMMANDS_WHY_H
#define MONITOR_COMMANDS_WHY_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/core/driver.h>
#include <pmu/events/netburst_pmu.h>

enum why_kind { WHY_GENERAL = 1, WHY_FIXED = 2, WHY_ALL = 3 };

struct why_check {
	uint32_t has;                  /* enum pmu_facility: PMUs with one of these */
	uint8_t since, until;          /* versions, of Intel or of AMD; until 0: no upper limit */
	uint8_t kinds;                 /* enum why_kind */
	bool (*is_so)(const struct pmu_examined *c);
	/*
	 * In both texts '#' stands for the counter's number, '@' for its ESCR, '$' for its CCCR,
	 * '!' for its event select. They have no full stop. mend is what to type, or NULL if
	 * nothing helps.
	 */
	const char *sentence, *mend;
	bool is_note;                  /* may be intended; the counter counts all the same */
	bool is_told;                  /* `rdpmc` tells it, too, as it is often forgotten */
	bool is_last;                  /* later findings would only follow from this one */
};
extern const struct why_check why_checks[];
extern const unsigned why_check_count;

/* Limits a text in which the signs are replaced. */
enum { WHY_TEXT_SIZE = 192 };
const char *why_text(const struct pmu_examined *c, const char *text, char *buffer);

/* Returns the next check, from *at on, that finds something, or NULL. */
const struct why_check *why_next(const struct pmu_examined *c, unsigned *at);

/* Writes "the indices are 0H to 3H and 40000000H to 40000002H"; returns buffer. */
const char *why_indices(char *buffer);

/*
 * Prints a line if the first thing that stops the counter is one that people forget: it is
 * programmed and enabled, but the register that enables all counters has its bit 0.
 */
void why_tell_forgotten(unsigned counter);

#endif
