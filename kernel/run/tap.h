/* SPDX-License-Identifier: MIT */
/* TAP 13 with YAML blocks. Source: the TAP 13 specification, "YAML blocks", "Directives". */
#ifndef KERNEL_RUN_TAP_H
#define KERNEL_RUN_TAP_H

#include <kernel/run/result.h>

/* So many ids of bad results fit the summary of a text screen with the verdict below them. */
enum { TAP_BAD_IDS = 24 };

/* A result's name: the test's id, and @cpuN where it is not the boot processor's. */
struct tap_id {
	const char *id;
	unsigned cpu;
};

struct tap_totals {
	unsigned results;              /* printed so far */
	unsigned passed, failed, errors, skipped;
	struct tap_id bad[TAP_BAD_IDS];         /* of the first failures and errors */
};

void tap_print_plan(unsigned count);

/* One result line, with a block unless it is a plain pass or a skip; adds it to the totals. */
void tap_print_result(const struct test_ctx *t, unsigned cpu, struct tap_totals *totals);

/* The summary: which failed, how many did what, the verdict. */
void tap_print_totals(const struct tap_totals *totals);

#endif
