/* SPDX-License-Identifier: MIT */
/* What is known of the test that runs: its expectations so far. Filled by expect.c. */
#ifndef KERNEL_RUN_RESULT_H
#define KERNEL_RUN_RESULT_H

#include <stdarg.h>
#include <stdbool.h>

#include <kernel/run/test.h>

#define RESULT_MAX_FINDINGS  48     /* more are counted, not kept */
#define RESULT_MAX_REPORTS   16
#define RESULT_TEXT_SIZE     112

enum test_status { TEST_PASS, TEST_SKIP, TEST_FAIL, TEST_ERROR };    /* the worst one wins */

struct finding {
	char what[RESULT_TEXT_SIZE], got[RESULT_TEXT_SIZE], want[RESULT_TEXT_SIZE];
	const char *why;
	struct test_place at;          /* file NULL: not known */
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

/* The test or the kernel is broken; the sentence says how. */
void result_add_error(struct test_ctx *t, const char *fmt, va_list args);
void result_add_error_text(struct test_ctx *t, const char *text);

/* Adds what `part` found, each finding and report with `name` in front. */
void result_merge(struct test_ctx *t, const struct test_ctx *part, const char *name);

/* After the test: one without an expectation becomes an error. */
void result_finish(struct test_ctx *t);

#endif
