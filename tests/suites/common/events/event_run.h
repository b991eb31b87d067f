/* SPDX-License-Identifier: MIT */
/*
 * Runs the rows of event_exercise.h for all generations. Counts are differences between two
 * lengths, so that the window's own cost and everything else that does not depend on the length
 * cancel out.
 */
#ifndef TESTS_SUITES_COMMON_EVENTS_EVENT_RUN_H
#define TESTS_SUITES_COMMON_EVENTS_EVENT_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kernel/run/test.h>
#include <pmu/events/event_spec.h>
#include <pmu/events/events.h>
#include <tests/suites/common/events/event_exercise.h>

/* Returns the rows of a test that one of the macros made. */
const struct event_exercise *event_rows_of(const struct test_ctx *t, unsigned *count);

/*
 * Returns the event of a row, with the row's unit if it names one. Ends the test if no such event
 * exists.
 */
const struct pmu_event *event_row_find(const struct event_exercise *row);

/* Returns NULL if the row can run here, or the reason why it cannot: the event or a need of its
 * code is missing. */
const char *event_row_need(struct test_ctx *t, const struct event_exercise *row);

/* Returns NULL if one of the rows can run here or has a reason of its own not to run, else the
 * first row's reason. */
const char *event_rows_need(struct test_ctx *t, const struct event_exercise *rows, unsigned count);

/*
 * Runs every row that can run here. On each counter that can count the event, judges code that
 * moves it and code that must not move it (the latter for a relation only where the machine is
 * exact: cycles are never quite equal on silicon). A counter that cannot count the event must count
 * nothing (judged where the machine is exact). A row without code is reported.
 */
void event_rows_run(struct test_ctx *t, const struct event_exercise *rows, unsigned count);

/*
 * Copies the next of the names that '|' separates to name, of size bytes. Returns what follows it,
 * or NULL at the end.
 */
const char *event_row_next_name(const char *names, char *name, size_t size);

/* Returns NULL if the row can run here or has no code, else what its code lacks. */
const char *event_row_code_need(struct test_ctx *t, const struct event_exercise *row);

/*
 * Judges code that moves the row's event and code that must not, counted by the first of these
 * setups, which needs the others. name is the counter's.
 */
void event_row_judge(struct test_ctx *t, const struct event_exercise *row,
                     const struct pmu_setup *setups, unsigned count, const char *name);

/*
 * Judges several setups of one event, a counter each, in the same windows: counters whose bit is
 * set must count what the row says, the others nothing (the latter where the machine is exact).
 * event is its name and its mask's. doubt is NULL, or a reason to judge nothing elsewhere.
 */
struct event_counters { uint32_t bits; const char *event, *doubt; };
void event_row_judge_together(struct test_ctx *t, const struct event_exercise *row,
                              const struct pmu_setup *setups, unsigned count,
                              const struct event_counters *can);

/* Judges the same by choice 0 of c, its only choice, which may name a sum of events. */
void event_row_judge_spec(struct test_ctx *t, const struct event_exercise *row,
                          const struct pmu_chosen *c);

/* Returns how much more the first setup counts in many rounds of the row's code than in few. */
uint64_t event_row_difference(const struct event_exercise *row, const struct pmu_setup *setups,
                              unsigned count);

/* Returns the counts of all the row's additional rounds, if row->per rounds count `each`. */
uint64_t event_row_times(const struct event_exercise *row, uint32_t each);

/*
 * Checks that the counts of all masks, measured one after the other, add up to the whole event's
 * count.
 */
void event_row_judge_masks(struct test_ctx *t, const struct event_exercise *row, uint64_t sum,
                           uint64_t all);

/* Reports a row without code. */
void event_row_report(struct test_ctx *t, const struct event_exercise *row);

/* Measures one window of a row's code with these setups. */
struct pmu_reading event_row_measure(const struct event_exercise *row,
                                     const struct pmu_setup *setups, unsigned count,
                                     uint32_t rounds);

#endif
