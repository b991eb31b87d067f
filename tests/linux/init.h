/* SPDX-License-Identifier: MIT */
/* What the parts of Linux' only program share; see init.c. */
#ifndef TESTS_LINUX_INIT_H
#define TESTS_LINUX_INIT_H

#include <linux/perf_event.h>
#include <kernel/lib/format.h>
#include <stdint.h>

enum {
	PAGE = 4096, PROT_READ_WRITE = 3,
	TURNS = 1000, TIMES = 16,                       /* shorter than a tick of Linux' clock */
	TURN_INSTRUCTIONS = 4, TURN_BRANCHES = 1,       /* as in loops.asm */
	ALONE = -1,                                     /* the leader of an event without a group */
};

/* Runs this loop; see loops.asm. */
void loop_turns(unsigned long turns);

/* Prints a line to the first UART. */
__attribute__((format(printf, 1, 2)))
void say(const char *format, ...);

/* Returns the attributes of an event of perf's own that counts at CPL 3, once it is enabled. */
struct perf_event_attr event(uint64_t config);

/* Makes an event of this program; returns its file, or -errno. */
int event_open(const struct perf_event_attr *attributes, int leader);

/* Returns an event's count so far, or UINT64_MAX if it cannot be read. */
uint64_t count_now(int file);

/* Print lines `fault EVENT FRESH AGAIN`, and `interrupt EVENT INSTRUCTIONS BRANCHES INTERRUPTS`. */
void say_all_faults(void);
void say_all_interrupts(void);

#endif
