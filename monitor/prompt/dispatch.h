/* SPDX-License-Identifier: MIT */
/* Lines are run here: for the prompt, and for commands about commands. */
#ifndef MONITOR_PROMPT_DISPATCH_H
#define MONITOR_PROMPT_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/run/cmdline.h>
#include <monitor/tools/command.h>

/*
 * Runs one line, as if it had been typed; for `repeat`, and others that are unbounded. False: it
 * did not do what it says, and the reason is printed.
 */
bool monitor_run_line(const char *line);

/* The command line's. */
const struct cmdline *monitor_words(void);

/* The processor that runs the commands that are not the boot processor's; 0 is that one. */
unsigned monitor_cpu(void);
void monitor_choose_cpu(unsigned cpu);

/* Nothing is programmed any more on the processor that executes this; not even paused. */
void monitor_clean_up(void);

/* Around tests: interrupts that nobody waits for are faults again, and CR4.PCE is 0. */
struct monitor_aside { uintptr_t cr4; };
struct monitor_aside monitor_step_aside(void);
void monitor_step_back(const struct monitor_aside *aside);

#endif
