/* SPDX-License-Identifier: MIT */
/* Which words can follow what was typed: of the tables that the commands themselves use. */
#ifndef MONITOR_PROMPT_COMPLETE_H
#define MONITOR_PROMPT_COMPLETE_H

/* For struct line: the nth word that can follow text, or stand for its last word. */
const char *complete_word(void *ctx, const char *text, unsigned n);

#endif
