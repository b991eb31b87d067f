/* SPDX-License-Identifier: MIT */
/* Holds the result of the running test: its expectations so far, which expect.c records. */
#ifndef KERNEL_RUN_RESULT_H
#define KERNEL_RUN_RESULT_H

#include <stdarg.h>
#include <stdbool.h>

#include <kernel/run/test.h>

#define RESULT_MAX_FINDINGS  48     /* further ones are counted only */
#define RESULT_MAX_REPORTS   16
#define RESULT_TEXT_SIZE     112

/* The worst one wins. TEST_ERRATUM: failed, as a published erratum makes it; `reason` names it. */
enum test_status { TEST_PASS, TEST_SKIP, TEST_ERRATUM, TEST_FAIL, TEST_ERROR };

struct finding {
	char what[RESULT_TEXT_SIZE], got[RESULT_TEXT_SIZE], want[RESULT_TEXT_SIZE];
	const char *why;
	struct test_place at;          /* file is NULL if unknown */
};

struct test_ctx {
	const struct test *test;
	enum test_status status;
	unsigned expectations;         /* made so far */
	unsigned findings;             /* failed ones, kept or not */
	struct finding finding[RESULT_MAX_FINDINGS];
	unsigned reports;
	char report[RESULT_MAX_REPORTS][2 * RESULT_TEXT_SIZE];
	char reason[2 * RESULT_TEXT_SIZE];
	char sub[RESULT_TEXT_SIZE];
};

void result_init(struct test_ctx *t, const struct test *test);
void result_set_skip(struct test_ctx *t, const char *reason);

/* Record that the test or the kernel is broken; the sentence says how. */
#define RESULT_STATE  "the state after the test"
void result_add_error(struct test_ctx *t, const char *fmt, va_list args);
void result_add_error_text(struct test_ctx *t, const char *what, const char *text);

/* Adds the findings and reports of `part`, each with the prefix `name`. */
void result_merge(struct test_ctx *t, const struct test_ctx *part, const char *name);

/* Completes the result after the test: one without an expectation becomes an error. */
void result_finish(struct test_ctx *t);

/* Which checks have failed in each run of a test so far, and what the first run found at first. */
struct doubt {
	unsigned runs, checks;         /* the names in `what` */
	char what[RESULT_MAX_FINDINGS][RESULT_TEXT_SIZE];
	struct finding first;
};

/* Begins with the failed checks of the first run. */
void doubt_begin(struct doubt *d, const struct test_ctx *t);

/*
 * Drops the checks that held in a further run. Returns whether one is left; a run with more
 * findings than were kept drops none.
 */
bool doubt_keep(struct doubt *d, const struct test_ctx *t);

#endif
