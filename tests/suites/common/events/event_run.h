/* SPDX-License-Identifier: MIT */
/*
 * Runs the rows of event_exercise.h: what all generations share. Counts are differences of
 * two lengths, so that the window's own cost and what a length does not change cancel out.
 */
#ifndef TESTS_SUITES_COMMON_EVENTS_EVENT_RUN_H
#define TESTS_SUITES_COMMON_EVENTS_EVENT_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/run/test.h>
#include <pmu/events/choice.h>
#include <pmu/events/events.h>
#include <tests/suites/common/events/event_exercise.h>

/* The rows of a test that one of the macros made. */
const struct event_exercise *event_rows_of(const struct test_ctx *t, unsigned *count);

/* The event of a row: that of its unit, where it names one. None ends the test. */
const struct pmu_event *event_row_find(const struct event_exercise *row);

/* Can the row run here: is the event there, and what its code needs? NULL, or the reason. */
const char *event_row_need(struct test_ctx *t, const struct event_exercise *row);

/* NULL if one of the rows can run here, or says itself why it does not; else the first's reason. */
const char *event_rows_need(struct test_ctx *t, const struct event_exercise *rows, unsigned count);

/*
 * Every row that can run here: on each counter that can count the event, what moves it is judged,
 * and what must not move it (of a relation where the machine is exact: cycles are never quite
 * equal on silicon); on one that cannot, nothing may count (judged where the machine is exact). A
 * row without code is reported.
 */
void event_rows_run(struct test_ctx *t, const struct event_exercise *rows, unsigned count);

/* What the row's code needs; NULL: it can run here, or the row has none. */
const char *event_row_code_need(struct test_ctx *t, const struct event_exercise *row);

/*
 * What moves the row, and what must not, counted by the first of these setups; the others are what
 * it cannot do without. name: the counter's.
 */
void event_row_judge(struct test_ctx *t, const struct event_exercise *row,
                     const struct pmu_setup *setups, unsigned count, const char *name);

/* The same by choice 0 of c, which has no other: what it names may be a sum of events. */
void event_row_judge_choice(struct test_ctx *t, const struct event_exercise *row,
                            const struct pmu_chosen *c);

/* How much more of the first setup many rounds of what moves the row count than few. */
uint64_t event_row_difference(const struct event_exercise *row, const struct pmu_setup *setups,
                              unsigned count);

/* So many counts of the row's in all its rounds more, where row->per rounds count `each`. */
uint64_t event_row_times(const struct event_exercise *row, uint32_t each);

/* A row without code, reported. */
void event_row_report(struct test_ctx *t, const struct event_exercise *row);

/* One window of a row's code with these setups. */
struct pmu_reading event_row_measure(const struct event_exercise *row,
                                     const struct pmu_setup *setups, unsigned count,
                                     uint32_t rounds);

#endif
