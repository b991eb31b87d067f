/* SPDX-License-Identifier: MIT */
/* Runs what belongs to no test: what asks whether one can run, and resets between two of them. */
#ifndef KERNEL_RUN_GUARD_H
#define KERNEL_RUN_GUARD_H

#include <stdarg.h>
#include <stdbool.h>

/*
 * Calls work(), which name describes, with a time limit. Returns false if a fault, the watchdog or
 * guard_end() ended it; guard_take_text() then says so.
 */
bool guard_work(const char *name, void (*work)(void));

/* Returns true while guard_work() runs. */
bool guard_is_on(void);

/* Ends the work with this text. */
void guard_end(const char *fmt, va_list args) __attribute__((noreturn));

/* Keeps a text on what happened between two tests, unless there is one already. */
void guard_note(const char *text);

/* Returns the text of what happened since the last call, or NULL. */
const char *guard_take_text(void);

#endif
