/* SPDX-License-Identifier: MIT */
/* Says what RDPMC must do on each generation: the indices that exist, and whether the instruction
 * exists. */
#ifndef TESTS_SUITES_RDPMC_RDPMC_RULES_H
#define TESTS_SUITES_RDPMC_RDPMC_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/core/pmu.h>

enum index_class {
	INDEX_INVALID,     /* #GP(0) */
	INDEX_VALID,       /* reads a counter */
	INDEX_FAST,        /* reads its low 32 bits, EDX = 0 */
	INDEX_OPEN         /* the sources differ or say nothing: reported, not judged */
};

/* Describes the indices first to first + count - 1. The first region that holds an index
 * decides. */
struct rdpmc_region {
	uint32_t first;
	uint32_t (*count)(const struct pmu *p);
	enum index_class class;
	const char *source;
};

enum { RDPMC_REGIONS = 9 };

struct rdpmc_rules {
	uint32_t has, lacks;    /* enum pmu_facility: a PMU with one of these, and none of those */
	bool exists;            /* the instruction and CR4.PCE; else #UD, and CR4.PCE is reserved */
	bool is_open;           /* no source describes this processor: nothing is judged */
	const char *source;
	struct rdpmc_region region[RDPMC_REGIONS];    /* count NULL ends the list */
};

/* Returns the rules for this processor. */
const struct rdpmc_rules *rdpmc_rules(void);

/* Returns the class of an index by these rules; *source gets the manual that defines it. */
enum index_class rdpmc_index_class(const struct rdpmc_rules *rules, uint32_t index,
                                   const char **source);

/* Sets *index to the i-th index that the tests try; returns false after the last. */
bool rdpmc_index(unsigned i, uint32_t *index);

/* Returns the width of the result of an index in bits; 64 if no source gives it. */
unsigned rdpmc_width(uint32_t index);

/* Finds an index that reads a counter; returns false if none exists. */
bool rdpmc_find_valid(const struct rdpmc_rules *rules, uint32_t *index);

#endif
