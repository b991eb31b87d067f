/* SPDX-License-Identifier: MIT */
/*
 * Breaks lines at blanks, so that no word is cut at the edge of a screen or terminal, and stops
 * after each page for a reader. Links without the kernel.
 */
#ifndef KERNEL_CONSOLE_FLOW_H
#define KERNEL_CONSOLE_FLOW_H

#include <stdbool.h>

enum { FLOW_WORD_SIZE = 128 };

struct flow {
	/* The owner sets these. */
	void (*put)(void *ctx, char c);
	void *ctx;
	unsigned columns;              /* 0: text is passed on as it is */
	/*
	 * Called before the first row that does not fit, with the cursor in column 0. Returns how
	 * many more rows may be shown; 0 drops the text up to the next flow_begin(). NULL: the text
	 * never stops.
	 */
	unsigned (*hold)(struct flow *f);
	unsigned rows;                 /* of a page, 1 or more */

	/* The rest is the flow's own. */
	char word[FLOW_WORD_SIZE];     /* not shown yet, because it may belong to the next row */
	unsigned length, blanks;       /* blanks are those in front of the word */
	unsigned column, left;         /* rows that still fit */
	bool is_dropping;
};

/* Begins at the left edge, with a whole page. */
void flow_begin(struct flow *f);

void flow_put(struct flow *f, char c);

/* Shows the word that waits for its end. */
void flow_end(struct flow *f);

#endif
