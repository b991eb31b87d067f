/* SPDX-License-Identifier: MIT */
/* Runs the tests: selection, order, clean-up around each, the verdict. */
#ifndef KERNEL_RUN_ENGINE_H
#define KERNEL_RUN_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include <kernel/run/cmdline.h>
#include <kernel/run/engine_hooks.h>
#include <kernel/run/panic.h>

/* Calls every layer's init and describe. */
/* A word that a layer cannot use, as a sentence; NULL: none. */
const char *engine_problem(const struct cmdline *words);

void engine_init(const struct cmdline *words);
void engine_describe(void);

/* Runs what the words select, printing TAP; the caller ends the machine with the status. */
enum run_status engine_run(const struct cmdline *words);

/*
 * For who has chosen tests in another way: does the pattern select one of those that words do? And
 * the same run, but it ends before the next test when is_interrupted() says so.
 */
bool engine_has_test(const struct cmdline *words, const char *glob);
enum run_status engine_run_until(const struct cmdline *words, bool (*is_interrupted)(void));

/* In place of engine_run(), with the word `monitor`; the caller ends the machine. */
enum run_status engine_interact(const struct cmdline *words);

#endif
