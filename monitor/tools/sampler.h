/* SPDX-License-Identifier: MIT */
/*
 * What the commands share that take samples: "EVENT every N on WORK", one event with its counter,
 * and PMIs that reload it.
 *
 * The handler takes N off its counter, so that what WORK did between the overflow and the handler
 * stays counted. Where the event counts CPL 0, the handler counts itself: how much that is, is
 * measured once, and taken off as well. So N is what WORK itself does between two samples.
 */
#ifndef MONITOR_TOOLS_SAMPLER_H
#define MONITOR_TOOLS_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include <monitor/tools/command.h>
#include <monitor/tools/work.h>
#include <pmu/core/pmi.h>
#include <pmu/events/choice.h>

/* The longest period, and one more than a window may count: a start value of 31 bits. */
#define SAMPLER_NEVER  UINT32_C(0x80000000)

struct sampler_request { const char *event; uint32_t number; struct work work; };

/* Words behind the command: EVENT, the word `every` or `after`, N, on, WORK. Fails. */
struct sampler_request sampler_parse(const struct words *w, const char *keyword);

/* Fails unless the PMU counts; and unless it raises PMIs. */
void sampler_need_counters(void);
void sampler_need_pmi(void);

/* One event, one counter of its own: NULL, or why it cannot be; fails. Its setup until the next. */
const char *sampler_try(const char *event);
void sampler_choose(const char *event);
struct pmu_setup *sampler_setup(void);

/* The largest value of its counter. */
uint64_t sampler_mask(void);

/* Its overflow is to raise a PMI. */
void sampler_want_pmi(void);

/* Programs it from start on and runs the code; handler NULL: nobody listens to PMIs. */
struct sampler_code {
	void (*code)(uint32_t rounds, uint32_t argument);
	uint32_t rounds, argument;
};
void sampler_window(const struct sampler_code *c, uint64_t start,
                    void (*handler)(struct frame *f));

/* Everything is off, what the user had programmed is gone; the first one tells so. */
void sampler_end(void);
void sampler_stop(void);

struct sampler_result {
	uint64_t counted;              /* by the window, when no PMI is due */
	uint32_t due;                  /* PMIs of it: counted / every */
	uint32_t own;                  /* what a handler counts from its PMI to its end */
	uint32_t lost, unsure, ticks;
	uint32_t seen;
	bool is_storm;                 /* more than could be: they were stopped */
	uint64_t behind[PMI_LOG_SIZE]; /* counts from the overflow to the handler's entry */
	char counter[PMU_NAME_SIZE];
};

/* Runs it; places.h has the addresses, pmi_get_log() the first PMIs. Fails where it cannot be. */
const struct sampler_result *sampler_run(const struct sampler_request *r);

/* How many there were, and what is to be said of them. */
void sampler_print(const struct sampler_result *s, const struct sampler_request *r);

/* Does the event count CPL 3 alone? Then a handler counts nothing. */
bool sampler_is_user_only(void);

#endif
