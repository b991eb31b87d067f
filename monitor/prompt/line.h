/* SPDX-License-Identifier: MIT */
/*
 * Edits a line while it is typed, with history and completion. Links without the kernel.
 *
 * The terminal only needs to understand '\r', '\n' and '\b' (one column to the left, nothing is
 * erased). A line that is wider than the terminal is shown through a window that moves sideways;
 * '<' and '>' at its edges mean that the line continues there.
 */
#ifndef MONITOR_PROMPT_LINE_H
#define MONITOR_PROMPT_LINE_H

#include <stdbool.h>

#include <monitor/tools/command.h>

#define LINE_QUIT  "quit"

enum { LINE_HISTORY = 32, LINE_COLUMNS = 80, LINE_COLUMNS_MIN = 24 };

struct line {
	/* Set by the owner, who may also change the prompt before line_begin(). */
	void (*write)(void *ctx, const char *text);
	/*
	 * Returns the nth word that can replace the last word of typed, the line up to the cursor,
	 * or NULL after the last one; the last word of typed is empty after a blank. It is called
	 * with 0, 1, 2, ..., and a word must last only until the next call. Words that do not begin
	 * with what was typed, ignoring case, are skipped. A word that ends in '.', ':' or '=' is
	 * not complete yet. complete may be NULL.
	 */
	const char *(*complete)(void *ctx, const struct words *typed, unsigned n);
	void *ctx;
	const char *prompt;
	unsigned columns;              /* width of the terminal; 0: LINE_COLUMNS */

	/* This is what was typed, with its terminator. */
	char text[MONITOR_LINE_SIZE];
	unsigned length, cursor;

	/*
	 * These are the last lines, as a ring. history_at says how far back the text was taken
	 * from.
	 */
	char history[LINE_HISTORY][MONITOR_LINE_SIZE];
	unsigned history_count, history_at;
	char draft[MONITOR_LINE_SIZE]; /* the unfinished line, while the history is shown */

	/*
	 * This is what the terminal shows after the prompt, and the column there at which its
	 * cursor is.
	 */
	char shown[MONITOR_LINE_SIZE];
	unsigned shown_length, at;
	unsigned first;                /* index in text of the window's first column */
	/*
	 * The length of the longest matching word, if the last key was a tab that could add
	 * nothing, because several words match; else 0.
	 */
	unsigned longest;
};

/* Shows the prompt and begins an empty line. */
void line_begin(struct line *l);

/*
 * Handles a key. Returns true if the line in text is complete. CTRL-C empties it; CTRL-D in an
 * empty line completes it as LINE_QUIT.
 */
bool line_key(struct line *l, int key);

/* ---------------------------------------------------------------------------- for line_*.c */

/* Replaces the text from `from` to `to`; does nothing if there is no room. */
void line_replace(struct line *l, unsigned from, unsigned to, const char *text);

/*
 * Show the text and the cursor on the terminal: line_show() if it shows part of them already,
 * line_show_all() with the prompt on an empty line, line_show_again() over unknown content.
 */
void line_show(struct line *l);
void line_show_all(struct line *l);
void line_show_again(struct line *l);

/* Handles the tab key. */
void line_complete(struct line *l);

#endif
