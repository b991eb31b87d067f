/* SPDX-License-Identifier: MIT */
/*
 * Which code a command is to run: WORKLOAD[:ROUNDS[:ARGUMENT]] [user].
 *
 * Nothing that can be written here harms the machine: rounds are bounded, addresses are offsets
 * into one piece of memory, the boot processor's arena, which all processors share (that one loads
 * what another one stored is what some lessons are about).
 */
#ifndef MONITOR_TOOLS_WORK_H
#define MONITOR_TOOLS_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include <monitor/tools/command.h>
#include <pmu/workload/workload.h>

struct work {
	const struct workload *workload;
	uint32_t rounds, argument;     /* as its code takes them */
	bool is_user;                  /* at CPL 3 */
};

/* Words first and what follows to the line's end; fails with a sentence. */
void work_parse(const struct words *w, unsigned first, struct work *work);

/* The word "on" from word `first` on; what follows it is the work. Fails where there is none. */
unsigned work_find_on(const struct words *w, unsigned first);

/*
 * The code for a window, as pmu_measure_code() and pmu_awake_run() take it: the workload's own, or
 * one that goes to CPL 3 for it and comes back. work must live until it has run.
 */
typedef void (*work_code)(uint32_t rounds, uint32_t argument);
work_code work_get_code(const struct work *work);

/* Before the first command: takes the boot processor's arena. After each: what its work needed of
 * the processor is as before. */
void work_init(void);
void work_end(void);

/* NULL: it ran to its end. Else a sentence: by which fault it ended at CPL 3. */
const char *work_problem(const struct work *work);

/* Code that lies at this address: "loop+5H", else "kernel"; buffer: WORK_PLACE_SIZE bytes. */
enum { WORK_PLACE_SIZE = 48 };
const char *work_place(uintptr_t address, char *buffer);

#endif
