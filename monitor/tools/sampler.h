/* SPDX-License-Identifier: MIT */
/*
 * Implements what the sampling commands share: "EVENT every N on WORK", one event with its counter,
 * and PMIs that reload it.
 *
 * The handler subtracts N from its counter, so that what WORK did between the overflow and the
 * handler stays counted. If the event counts CPL 0, the handler counts itself: that amount is
 * measured once and subtracted as well. So N is what WORK itself does between two samples.
 */
#ifndef MONITOR_TOOLS_SAMPLER_H
#define MONITOR_TOOLS_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include <monitor/tools/command.h>
#include <monitor/tools/work.h>
#include <pmu/core/pmi.h>
#include <pmu/events/event_spec.h>

/* Limits the period to one more than a window may count, because a start value has 31 bits. */
#define SAMPLER_NEVER  UINT32_C(0x80000000)

struct sampler_order { const char *event; uint32_t number; struct work work; };

/*
 * Parses the words after the command: EVENT, the word `every` or `after`, N, on, WORK. Fails with a
 * sentence.
 */
struct sampler_order sampler_parse(const struct words *w, const char *keyword);

/* Fail unless the PMU counts, and unless it raises PMIs. */
void sampler_need_counters(void);
void sampler_need_pmi(void);

/*
 * Gives one event a counter. Returns NULL, or why that is impossible; sampler_choose() fails
 * instead. The setup stays until the next call.
 */
const char *sampler_try(const char *event);
void sampler_choose(const char *event);
struct pmu_setup *sampler_setup(void);

/* Returns the largest value of the event's counter. */
uint64_t sampler_mask(void);

/* Makes an overflow of the counter raise a PMI. */
void sampler_want_pmi(void);

/*
 * Programs the counter with a start value and runs the code. handler may be NULL if PMIs are not
 * handled.
 */
struct sampler_code {
	void (*code)(uint32_t rounds, uint32_t argument);
	uint32_t rounds, argument;
};
void sampler_window(const struct sampler_code *c, uint64_t start,
                    void (*handler)(struct frame *f));

/* Stop everything and forget what the user had programmed; sampler_end() also reports that. */
void sampler_end(void);
void sampler_stop(void);

struct sampler_result {
	uint64_t counted;              /* counts in the window, while no PMI is due */
	uint32_t due;                  /* expected number of PMIs: counted / every */
	uint32_t own;                  /* what a handler counts between its PMI and its end */
	uint32_t lost, unsure, ticks;
	uint32_t seen;
	bool is_storm;                 /* more PMIs than possible: they were stopped */
	uint64_t since[PMI_LOG_SIZE]; /* counts from the overflow to the handler's entry */
	char counter[PMU_NAME_SIZE];
};

/*
 * Runs WORK with samples; histogram.h has the addresses, pmi_get_log() the first PMIs. Fails if
 * that is impossible.
 */
const struct sampler_result *sampler_run(const struct sampler_order *r);

/* Prints how many samples there were, and remarks on them. */
void sampler_print(const struct sampler_result *s, const struct sampler_order *r);

/* Returns true if the event counts only CPL 3, so that a handler counts nothing. */
bool sampler_is_user_only(void);

#endif
