/* SPDX-License-Identifier: MIT */
/* Lets a layer above the kernel take part in each run and each test. */
#ifndef KERNEL_RUN_ENGINE_HOOKS_H
#define KERNEL_RUN_ENGINE_HOOKS_H

#include <kernel/run/cmdline.h>
#include <kernel/run/test.h>

/*
 * Holds the functions of a layer above the kernel, which registers them with ENGINE_HOOKS(). Each
 * function may be NULL.
 */
struct engine_hooks {
	const char *name;
	/*
	 * Called once, before init. Returns NULL, or a sentence that says which word cannot be used
	 * and why.
	 */
	const char *(*problem)(const struct cmdline *words);
	void (*init)(const struct cmdline *words);  /* once on each processor, before any test */
	void (*describe)(void);             /* prints its lines of the head, each with "# " */
	void (*reset)(void);                /* called before and after every test */
	/*
	 * Called after the reset that follows a test: makes an expectation if the reset did not do
	 * what it must, and none otherwise.
	 */
	void (*check_reset)(struct test_ctx *t);
	/*
	 * Returns NULL, or the reason why the test with this id must not even begin: it could take
	 * this machine down.
	 */
	const char *(*danger)(const char *id);
	/*
	 * Called with each complete result: returns NULL, or a sentence that begins with "erratum"
	 * and its name if this published erratum of the processor made the test fail.
	 */
	const char *(*erratum)(const struct test_ctx *t);
	/*
	 * Returns NULL, or a sentence for the block of each failure on this machine: nobody has
	 * confirmed the test here, and how to report it.
	 */
	const char *(*unconfirmed)(void);
	/*
	 * Called after a test that has failed: returns true if something other than the processor
	 * may have caused that, so that the test is worth repeating.
	 */
	bool (*was_disturbed)(void);
	/*
	 * Returns true if something other than the processor may make a test fail unseen by
	 * was_disturbed(), so that a test that has failed runs once more.
	 */
	bool (*is_blind)(void);
	bool (*runs_alone)(void);           /* true: processors share what this layer tests, so
	                                     * each test runs on one after the other */
	const char *(*left_running)(void);  /* after a test: NULL, or a sentence on what still
	                                     * runs */
	/*
	 * Called in place of all tests if the word `monitor` was given; returns when the user
	 * leaves.
	 */
	void (*interact)(const struct cmdline *words);
	const struct test *families;        /* NULL, or rows of FAMILY() and an empty one */
	/*
	 * Returns NULL, or a sentence why the machine does not have what this layer tests.
	 */
	const char *(*absent)(void);
	const char *(*verdict)(void);       /* returns a sentence for the end of the output */
};

extern const struct engine_hooks *const hooks_start[], *const hooks_end[];    /* linker.ld */

#define FOR_EACH_ENGINE_HOOK(h) \
	for (const struct engine_hooks *const *h = hooks_start; h < hooks_end; h++)

#define ENGINE_HOOKS(hooks) \
	static const struct engine_hooks *const hooks##_pointer \
		__attribute__((section(".hooks"), used)) = &hooks

#endif
