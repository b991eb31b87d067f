/* SPDX-License-Identifier: MIT */
/* Finds words that can follow what was typed, in the tables that the commands themselves use. */
#ifndef MONITOR_PROMPT_COMPLETE_H
#define MONITOR_PROMPT_COMPLETE_H

/* Returns the nth word that can follow text, or replace its last word; for struct line. */
const char *complete_word(void *ctx, const char *text, unsigned n);

#endif
