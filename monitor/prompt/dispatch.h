/* SPDX-License-Identifier: MIT */
/* Runs command lines, for the prompt and for commands that run other commands. */
#ifndef MONITOR_PROMPT_DISPATCH_H
#define MONITOR_PROMPT_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/run/cmdline.h>
#include <monitor/tools/command.h>

/*
 * Runs a line as if it had been typed; for `repeat` and other commands without a time limit.
 * Returns false if the command failed, after printing the reason.
 */
bool monitor_run_line(const char *line);

/* Returns the words of the kernel's command line. */
const struct cmdline *monitor_words(void);

/*
 * Returns the processor that runs commands, except those that always run on the boot processor; 0
 * is the boot processor.
 */
unsigned monitor_cpu(void);
void monitor_choose_cpu(unsigned cpu);

/* Removes all that is programmed, or paused, on the processor that executes this. */
void monitor_clean_up(void);

/*
 * Saves the state around tests. In between, interrupts without a listener are faults again, and
 * CR4.PCE is 0.
 */
struct monitor_aside { uintptr_t cr4; };
struct monitor_aside monitor_step_aside(void);
void monitor_step_back(const struct monitor_aside *aside);

#endif
