/* SPDX-License-Identifier: MIT */
/* What many runs printed: which texts, and how often each came. Links without the kernel. */
#ifndef MONITOR_TOOLS_TALLY_H
#define MONITOR_TOOLS_TALLY_H

#include <kernel/lib/check.h>

/* More texts than that are counted, not kept; of a longer one the rest is in its sum alone. */
enum { TALLY_TEXTS = 8, TALLY_SIZE = 4096 };

struct tally_text {
	unsigned times;
	uint32_t length;               /* of all of it */
	struct check check;
	char text[TALLY_SIZE];         /* with a terminator */
};

struct tally {
	unsigned runs, count;          /* texts kept, in the order in which they came first */
	unsigned others;               /* runs whose text is none of them */
	struct tally_text kept[TALLY_TEXTS + 1];       /* behind the last one: being written */
};

/* Nothing has run. */
void tally_begin(struct tally *t);

/* A character of the run, and its end. */
void tally_put(struct tally *t, char c);
void tally_end_run(struct tally *t);

#endif
