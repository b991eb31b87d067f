/* SPDX-License-Identifier: MIT */
/* Finds words that can follow what was typed, in the tables that the commands themselves use. */
#ifndef MONITOR_PROMPT_COMPLETE_H
#define MONITOR_PROMPT_COMPLETE_H

#include <monitor/tools/command.h>

/* Returns the nth word that can replace the last word of typed; for struct line. */
const char *complete_word(void *ctx, const struct words *typed, unsigned n);

#endif
