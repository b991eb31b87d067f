/* SPDX-License-Identifier: MIT */
/* Runs the tests: selection, order, clean-up around each, the verdict. */
#ifndef KERNEL_ENGINE_H
#define KERNEL_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include <kernel/cmdline.h>
#include <kernel/panic.h>

/*
 * What the engine does for a layer above the kernel, which registers itself with ENGINE_HOOKS().
 * Each may be NULL.
 */
struct engine_hooks {
	const char *name;
	void (*init)(const struct cmdline *words);  /* once on each processor, before any test */
	void (*describe)(void);             /* prints its lines in the head, each beginning "# " */
	void (*reset)(void);                /* before and after every test */
	const char *(*left_running)(void);  /* after a test: NULL, or what it forgot, a sentence */
	const char *(*verdict)(void);       /* a sentence for the end of the output */
};

extern const struct engine_hooks *const hooks_start[], *const hooks_end[];    /* linker.ld */

#define FOR_EACH_ENGINE_HOOK(h) \
	for (const struct engine_hooks *const *h = hooks_start; h < hooks_end; h++)

#define ENGINE_HOOKS(hooks) \
	static const struct engine_hooks *const hooks##_pointer \
		__attribute__((section(".hooks"), used)) = &hooks

/* Calls every layer's init and describe. */
void engine_init(const struct cmdline *words);
void engine_describe(void);

/* Runs what the words select, printing TAP; the caller ends the machine with the status. */
enum run_status engine_run(const struct cmdline *words);

#endif
