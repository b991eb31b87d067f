/* SPDX-License-Identifier: MIT */
/* Runs the tests: selects and orders them, cleans up around each, prints the verdict. */
#ifndef KERNEL_RUN_ENGINE_H
#define KERNEL_RUN_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include <kernel/run/cmdline.h>
#include <kernel/run/engine_hooks.h>
#include <kernel/run/panic.h>

/* Returns NULL, or a sentence on a word that a layer cannot use. */
const char *engine_problem(const struct cmdline *words);

/* Call init() and describe() of every layer. */
void engine_init(const struct cmdline *words);
void engine_describe(void);

/*
 * Runs the tests that the words select and prints TAP. The caller ends the machine with the
 * returned status.
 */
enum run_status engine_run(const struct cmdline *words);

/*
 * Serve callers that choose tests in another way. engine_has_test() returns true if the pattern
 * selects one of the tests that the words select. The other function runs tests as engine_run()
 * does, but ends before the next test when is_interrupted() returns true.
 */
bool engine_has_test(const struct cmdline *words, const char *glob);
enum run_status engine_run_until(const struct cmdline *words, bool (*is_interrupted)(void));

/*
 * Runs the monitor in place of the tests, if the word `monitor` was given. The caller ends the
 * machine with the returned status.
 */
enum run_status engine_interact(const struct cmdline *words);

#endif
