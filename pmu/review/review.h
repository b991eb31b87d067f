/* SPDX-License-Identifier: MIT */
/*
 * Says on one page what the PMU of this machine is good for: which parts work, what they cost, and
 * what the tools that people use can do with them. Everything is measured when it is asked for.
 */
#ifndef PMU_REVIEW_REVIEW_H
#define PMU_REVIEW_REVIEW_H

#include <stdbool.h>
#include <stdint.h>

enum { REVIEW_TEXT_SIZE = 200 };

/* What one row found. */
struct review_part {
	char text[REVIEW_TEXT_SIZE];  /* a sentence without a full stop */
	const char *what;              /* what got and want are, or NULL if nothing is judged */
	uint64_t got, want;            /* unequal: the part is announced, and does not work */
};

struct review_row {
	const char *name;              /* "counters", "perf record", ... */
	void (*tell)(struct review_part *part);
};

/* The rows, in the order of the page. Each leaves the PMU reset and LVTPC masked. */
extern const struct review_row review_rows[];
extern const unsigned review_row_count;

/* Measures one row. It must be called by a test or a command: a fault ends those. */
void review_tell(const struct review_row *row, struct review_part *part);

#endif
