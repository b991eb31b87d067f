/* SPDX-License-Identifier: MIT */
/* Prints TAP 13 with YAML blocks. Source: the TAP 13 specification, "YAML blocks", "Directives". */
#ifndef KERNEL_RUN_TAP_H
#define KERNEL_RUN_TAP_H

#include <stdint.h>

#include <kernel/log/id_set.h>
#include <kernel/run/result.h>

/* Limits the ids of failed tests to as many as fit on a text screen together with the verdict. */
enum { TAP_BAD_IDS = 24 };

/* Names a result by the test's id, and its processors: bit n is processor n. */
struct tap_id {
	const char *id;
	uint64_t cpus;
};

/* A line of the log: what a test gave, equally on these processors. */
struct tap_result {
	const struct test_ctx *t;
	uint64_t cpus;
	const struct id_set *family;   /* the tests that are skipped in this line, or NULL */
	const char *kind;              /* of these processors alone, or NULL */
};

struct tap_totals {
	unsigned lines;                /* with results, so far */
	/* Each test on each processor is one. */
	unsigned passed, failed, errata, errors, skipped;
	unsigned firsts;               /* lines of failures and errors of tests with is_first */
	unsigned bads;                 /* lines of all failures and errors */
	struct tap_id bad[TAP_BAD_IDS];         /* of these, then of the first of all others */
};

void tap_print_plan(unsigned count);

/*
 * Prints a result line, with a block unless it is a plain pass or a skip of one test, and adds it
 * to the totals. Without a suffix the id is that on the boot processor alone, otherwise with @cpu2,
 * @cpu0-15, @cpu1,3-5; on a hybrid " (Atom)" follows what one kind of processors gave alone.
 */
void tap_print_result(const struct tap_result *result, struct tap_totals *totals);

/* Prints the totals: the ids of failed tests, the numbers of each kind, the verdict. */
void tap_print_totals(const struct tap_totals *totals);

#endif
