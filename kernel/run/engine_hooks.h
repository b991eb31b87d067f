/* SPDX-License-Identifier: MIT */
/* How a layer above the kernel takes part in each run and each test. */
#ifndef KERNEL_RUN_ENGINE_HOOKS_H
#define KERNEL_RUN_ENGINE_HOOKS_H

#include <kernel/run/cmdline.h>

/*
 * What the engine does for a layer above the kernel, which registers itself with ENGINE_HOOKS().
 * Each may be NULL.
 */
struct engine_hooks {
	const char *name;
	/* Once, before init: NULL, or which word cannot be used and why, a sentence. */
	const char *(*problem)(const struct cmdline *words);
	void (*init)(const struct cmdline *words);  /* once on each processor, before any test */
	void (*describe)(void);             /* prints its lines in the head, each beginning "# " */
	void (*reset)(void);                /* before and after every test */
	bool (*runs_alone)(void);           /* true: processors share what this layer is about,
	                                       and run every test one after the other */
	const char *(*left_running)(void);  /* after a test: NULL, or what it forgot, a sentence */
	/* With the word `monitor`, in place of all tests; returns when the user leaves. */
	void (*interact)(const struct cmdline *words);
	const char *(*verdict)(void);       /* a sentence for the end of the output */
};

extern const struct engine_hooks *const hooks_start[], *const hooks_end[];    /* linker.ld */

#define FOR_EACH_ENGINE_HOOK(h) \
	for (const struct engine_hooks *const *h = hooks_start; h < hooks_end; h++)

#define ENGINE_HOOKS(hooks) \
	static const struct engine_hooks *const hooks##_pointer \
		__attribute__((section(".hooks"), used)) = &hooks

#endif
