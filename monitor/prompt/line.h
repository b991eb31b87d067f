/* SPDX-License-Identifier: MIT */
/*
 * A line being typed: editing, history, completion. Links without the kernel.
 *
 * What shows it needs to know '\r', '\n' and '\b' (one column to the left, nothing is erased), no
 * more. A line that is wider than the terminal is seen through a window that moves sideways: '<'
 * and '>' at its edges stand for what is beyond them.
 */
#ifndef MONITOR_PROMPT_LINE_H
#define MONITOR_PROMPT_LINE_H

#include <stdbool.h>

#include <monitor/tools/command.h>

enum { LINE_HISTORY = 32, LINE_COLUMNS = 80, LINE_COLUMNS_MIN = 24 };

struct line {
	/* Set by the owner, who may change the prompt before line_begin(). */
	void (*write)(void *ctx, const char *text);
	/*
	 * The nth word that can follow text, the line up to the cursor, in place of the word that
	 * it ends in; NULL: no more. It is asked for from 0 on, one after the other, and a word
	 * need not last longer than until the next one. Words that do not begin as what was typed,
	 * whatever the case of its letters, are passed over. One that ends in '.', ':' or '=' is
	 * to be gone on with. NULL: there is no completion.
	 */
	const char *(*complete)(void *ctx, const char *text, unsigned n);
	void *ctx;
	const char *prompt;
	unsigned columns;              /* of the terminal; 0: LINE_COLUMNS */

	/* What was typed, with its terminator. */
	char text[MONITOR_LINE_SIZE];
	unsigned length, cursor;

	/* The last ones, as a ring; history_at is how far back the text was taken from. */
	char history[LINE_HISTORY][MONITOR_LINE_SIZE];
	unsigned history_count, history_at;
	char draft[MONITOR_LINE_SIZE]; /* what was typed before one went back */

	/* What the terminal shows behind the prompt, and the column there that it stands in. */
	char shown[MONITOR_LINE_SIZE];
	unsigned shown_length, at;
	unsigned first;                /* of text, in the window's first column */
	bool is_tabbed;                /* the last key was a tab that could add nothing */
};

/* Shows the prompt: an empty line begins. */
void line_begin(struct line *l);

/* Takes a key; true: the line is complete, in text. CTRL-C empties it. */
bool line_key(struct line *l, int key);

/* ---------------------------------------------------------------------------- its parts */

/* Puts text in the place of what stands from `from` to `to`; nothing if there is no room. */
void line_replace(struct line *l, unsigned from, unsigned to, const char *text);

/*
 * Has the terminal show the text and the cursor: where it shows something of it already; on a line
 * that is empty yet, with the prompt; over whatever somebody else wrote there.
 */
void line_show(struct line *l);
void line_show_all(struct line *l);
void line_show_again(struct line *l);

/* The tab key. */
void line_complete(struct line *l);

#endif
