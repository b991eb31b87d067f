/* SPDX-License-Identifier: MIT */
/*
 * Compares the output of many runs: counts how often each text occurred. Links without the kernel.
 */
#ifndef MONITOR_TOOLS_TALLY_H
#define MONITOR_TOOLS_TALLY_H

#include <kernel/lib/check.h>

/* Further texts are counted, but not kept; a text that is too long is compared by its check sum. */
enum { TALLY_TEXTS = 8, TALLY_SIZE = 4096 };

struct tally_text {
	unsigned times;
	uint32_t length;               /* of the whole text */
	struct check check;
	char text[TALLY_SIZE];         /* with its terminator */
};

struct tally {
	unsigned runs, count;          /* texts kept, in the order of their first occurrence */
	unsigned others;               /* runs whose text is not kept */
	struct tally_text kept[TALLY_TEXTS + 1];       /* the last one is being written */
};

/* Starts a tally without runs. */
void tally_begin(struct tally *t);

/* Add a character of a run, and end the run. */
void tally_put(struct tally *t, char c);
void tally_end_run(struct tally *t);

#endif
