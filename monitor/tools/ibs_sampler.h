/* SPDX-License-Identifier: MIT */
/* Samples by AMD's IBS for the monitor's commands: "EVENT every N by ibs on WORK". */
#ifndef MONITOR_TOOLS_IBS_SAMPLER_H
#define MONITOR_TOOLS_IBS_SAMPLER_H

#include <stdint.h>

#include <monitor/tools/command.h>
#include <monitor/tools/work.h>

/*
 * Says what is sampled, and which of the samples are shown: IBS tags by numbers of ops, clocks or
 * fetches, and says of each op whether it was a load, a miss, a branch.
 */
struct ibs_event {
	const char *name, *meaning;
	bool is_fetch, by_clocks;
	uint64_t data, data3;          /* bits of IbsOpData and of IbsOpData3; 0: all samples */
};

/* Returns the nth of them, or NULL; finds one by its name, or fails with a sentence. */
const struct ibs_event *ibs_event_at(unsigned n);
const struct ibs_event *ibs_event_find(const char *name);

/* Fails unless there is IBS, and an interrupt of it. */
void ibs_sampler_need(void);

/*
 * Samples one in N of what the event is a kind of, N from word n of the line, on the work from
 * word `work` on, and prints the places. Fails with a sentence.
 */
void ibs_sampler_run(const struct words *w, const struct ibs_event *e, unsigned n, unsigned work);

#endif
