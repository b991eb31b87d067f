/* SPDX-License-Identifier: MIT */
/* Runs lines, for the prompt, and commands, for `repeat`. */
#ifndef MONITOR_PROMPT_DISPATCH_H
#define MONITOR_PROMPT_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/run/cmdline.h>
#include <monitor/tools/command.h>

/* Runs a line that was typed: splits it into words and finds its command. */
void monitor_run_line(const char *line);

/*
 * Runs a command; only a command without a time limit may run another. Returns false if it failed,
 * after printing the reason.
 */
bool monitor_run(const struct words *w);

/* Returns the words of the kernel's command line; in monitor.c, which gets them. */
const struct cmdline *monitor_cmdline(void);

/*
 * Returns the processor that runs commands, except those that always run on the boot processor; 0
 * is the boot processor.
 */
unsigned monitor_cpu(void);
void monitor_choose_cpu(unsigned cpu);

/* Removes all that is programmed, or paused, on the executing processor. */
void monitor_clean_up(void);

/*
 * Saves the state around tests. In between, interrupts without a listener are faults again, and
 * CR4.PCE is 0.
 */
struct monitor_aside { uintptr_t cr4; };
struct monitor_aside monitor_step_aside(void);
void monitor_step_back(const struct monitor_aside *aside);

#endif
