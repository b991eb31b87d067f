/* SPDX-License-Identifier: MIT */
/*
 * Parses the code that a command is to run: WORKLOAD[:ROUNDS[:ARGUMENT]] [user].
 *
 * Nothing that can be written here harms the machine: rounds are bounded, and addresses are offsets
 * into one piece of memory, the boot processor's arena. All processors share it, because some
 * lessons have one processor load what another one stored.
 */
#ifndef MONITOR_TOOLS_WORK_H
#define MONITOR_TOOLS_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include <monitor/tools/command.h>
#include <pmu/workload/workload.h>

struct work {
	const struct workload *workload;
	uint32_t rounds, argument;     /* as the workload's code takes them */
	bool is_user;                  /* runs at CPL 3 */
};

/* Parses word `first` and those that follow, to the line's end; fails with a sentence. */
void work_parse(const struct words *w, unsigned first, struct work *work);

/*
 * Returns the index of the work's first word, from word `first` on: it follows the word "on", or is
 * the first one that names a workload. *end is the index after the words before it. Fails if there
 * is no such word.
 */
unsigned work_find(const struct words *w, unsigned first, unsigned *end);

/*
 * Returns the code for a window, for pmu_measure_code() and pmu_awake_run(): the workload's own, or
 * code that runs it at CPL 3 and returns. work must live until it has run.
 */
typedef void (*work_code)(uint32_t rounds, uint32_t argument);
work_code work_get_code(const struct work *work);

/*
 * work_init() takes the boot processor's arena, before the first command. work_end() restores,
 * after each command, what its work changed on the processor.
 */
void work_init(void);
void work_end(void);

/*
 * Returns NULL if the work ran to its end, else a sentence about the fault that ended it at CPL 3.
 */
const char *work_problem(const struct work *work);

/*
 * Writes which code lies at this address, such as "loop+5H", or else "kernel", to buffer, of
 * WORK_PLACE_SIZE bytes.
 */
enum { WORK_PLACE_SIZE = 48 };
const char *work_place(uintptr_t address, char *buffer);

#endif
