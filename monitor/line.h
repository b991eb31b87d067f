/* SPDX-License-Identifier: MIT */
/* A line being typed: editing, history, completion. Links without the kernel. */
#ifndef MONITOR_LINE_H
#define MONITOR_LINE_H

#include <stdbool.h>

#include <monitor/command.h>

enum { LINE_HISTORY = 32 };

struct line {
	/* Set by the owner. */
	void (*write)(void *ctx, const char *text);
	/* The nth word, from 0, that can follow text[0 .. at); NULL: no more. It is the whole word. */
	const char *(*complete)(void *ctx, const char *text, unsigned n);
	void *ctx;
	const char *prompt;

	char text[MONITOR_LINE_SIZE];
	unsigned length, cursor;
	char history[LINE_HISTORY][MONITOR_LINE_SIZE];
	unsigned history_count, history_at;
};

/* Shows the prompt: an empty line begins. */
void line_begin(struct line *l);

/* Takes a key; true: the line is complete, in text. CTRL-C empties it. */
bool line_key(struct line *l, int key);

#endif
