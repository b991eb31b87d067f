/* SPDX-License-Identifier: MIT */
/*
 * Shows a run to people: what the screen has in place of the log, while tests run. Without a screen
 * nothing is drawn, but the figures are kept for the end.
 */
#ifndef KERNEL_FACE_FACE_H
#define KERNEL_FACE_FACE_H

#include <stdbool.h>

#include <kernel/face/pen.h>

enum face_kind { FACE_PASSED, FACE_FAILED, FACE_BROKEN, FACE_ERRATUM, FACE_SKIPPED, FACE_KINDS };
enum { FACE_FAILURES_MAX = 1500 };      /* different ids; further ones are only counted */

/* A failed or broken test, and on how many processors it is, and on which. */
struct face_failure { const char *id; unsigned processors; uint64_t cpus; };

struct face {
	bool is_begun;
	unsigned results, done, processors;
	unsigned tests_run, tests_skipped;      /* a test on several processors is one */
	unsigned count[FACE_KINDS];
	unsigned failures;              /* ids, kept or not */
	struct face_failure failure[FACE_FAILURES_MAX];
	const char *word;               /* "PASS", ...: NULL while the run is under way */
	const char *reason;             /* of the word, or NULL */
	bool is_text;                   /* no test was to run: the words asked for a text */
};

/* Takes the screen from the log. */
void face_begin(unsigned results, unsigned processors);

/* The id must be a constant; so must `reason` and `word` below. */
void face_test(const char *id);
void face_skip(unsigned count, unsigned cpu);   /* counts tests that are skipped at once */

/* what, got and want are of a failure; they are copied. */
void face_result(enum face_kind kind, const char *id, unsigned cpu, const char *what,
                 const char *got, const char *want);

/* Keeps the end screen's word, and why. */
void face_end(const char *word, const char *reason);

/* The same for a run whose result is its text. */
void face_end_text(const char *word, const char *reason);

const struct face *face_get(void);

/* Returns how many results of these processors were failures or broken. */
unsigned face_bad_on(uint64_t cpus);

/* Draws the heading: Barecount, the machine and its PMU, as the log's head has them. */
void face_draw_head(struct pen *pen);

#endif
