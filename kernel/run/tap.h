/* SPDX-License-Identifier: MIT */
/* Prints TAP 13 with YAML blocks. Source: the TAP 13 specification, "YAML blocks", "Directives". */
#ifndef KERNEL_RUN_TAP_H
#define KERNEL_RUN_TAP_H

#include <kernel/run/result.h>

/* Limits the ids of failed tests to as many as fit on a text screen together with the verdict. */
enum { TAP_BAD_IDS = 24 };

/* Names a result by the test's id, with @cpuN unless it is from the boot processor. */
struct tap_id {
	const char *id;
	unsigned cpu;
};

struct tap_totals {
	unsigned results;              /* printed so far */
	unsigned passed, failed, errors, skipped;
	unsigned firsts;               /* failures and errors of tests with is_first */
	struct tap_id bad[TAP_BAD_IDS];         /* of these, then of the first of all others */
};

void tap_print_plan(unsigned count);

/*
 * Prints a result line, with a block unless it is a plain pass or a skip, and adds it to the
 * totals.
 */
void tap_print_result(const struct test_ctx *t, unsigned cpu, struct tap_totals *totals);

/* Prints the summary: the ids of failed tests, the totals, the verdict. */
void tap_print_totals(const struct tap_totals *totals);

#endif
