/* SPDX-License-Identifier: MIT */
/*
 * What a command of the monitor is made of: one function, one COMMAND().
 *
 *	COMMAND(rdpmc, .syntax = "[INDEX]", .summary = "reads a counter by RDPMC", ...)
 *	{
 *		uint64_t index = words_number(w, 1, 0, UINT32_MAX);
 *		...
 *	}
 *
 * A command prints lines, or ends by monitor_fail() with one sentence. It runs as a test does: a
 * fault nobody expected, a test_abort() from the layers below, a hang end it with a sentence, and
 * clean up. What it programs stays for the next command, but counts only while code of interest
 * runs: see pause.h.
 */
#ifndef MONITOR_TOOLS_COMMAND_H
#define MONITOR_TOOLS_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

enum { MONITOR_WORDS_MAX = 32, MONITOR_LINE_SIZE = 256, MONITOR_SECONDS = 10 };

/* A line, cut at blanks; word 0 is the command. */
struct words {
	unsigned count;
	const char *word[MONITOR_WORDS_MAX];
	const char *rest[MONITOR_WORDS_MAX];   /* of the line as it was typed, from this word on */
};

/*
 * What the words behind a command are, for the tab key. In any case also those that its syntax has
 * in small letters, and workloads behind `on`.
 */
enum monitor_completion {
	COMPLETE_NOTHING, COMPLETE_COMMANDS, COMPLETE_REGISTERS, COMPLETE_EVENTS, COMPLETE_TESTS,
	COMPLETE_WORKLOADS
};

struct monitor_command {
	const char *name;
	const char *syntax;            /* what stands behind the name: "REGISTER [VALUE]" */
	const char *summary;           /* half a line, small letter, no full stop */
	const char *text;              /* more, lines of at most 72 columns; or NULL */
	const char *example;           /* a line that can be typed on every machine it exists on */
	enum monitor_completion completion;
	bool is_unbounded;             /* runs what has watchdogs of its own, as `run`: no limit of
	                                  time; the boot processor's whatever `cpu` says */
	bool is_broken;                /* breaks on purpose; there with the word `broken` only */
	bool is_mine;                  /* the boot processor's whatever `cpu` says: `help`, `cpu` */
	void (*run)(const struct words *w);
};

#define COMMAND(id, ...) \
	static void run_##id(const struct words *w); \
	static const struct monitor_command command_##id = { \
		.name = #id, .run = run_##id, __VA_ARGS__ }; \
	static const struct monitor_command *const command_pointer_##id \
		__attribute__((section(".commands"), used)) = &command_##id; \
	static void run_##id(const struct words *w)

/* Prints the sentence and ends the command; what is programmed stays. No full stop at its end. */
void monitor_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Did the last line fail? monitor_fail() says so; dispatch.c says so of what it ended. */
extern bool monitor_has_failed;

/* Sorts the commands, which the linker has in any order, by name. It is called once, before one is
 * looked for. words: the kernel's command line. */
struct cmdline;
void monitor_sort_commands(const struct cmdline *words);

/* By name; NULL: none. By number in alphabetical order; NULL: no more. */
const struct monitor_command *monitor_command_find(const char *name);
const struct monitor_command *monitor_command_at(unsigned i);

/* ---------------------------------------------------------------------------- words */

/* Cuts text, which is changed. False: too many words. */
bool words_split(struct words *w, char *text, const char *original);

/* Word i, or NULL where there is none. */
const char *words_get(const struct words *w, unsigned i);

/* Fails with the command's syntax unless there are so many words behind the name. */
void words_expect(const struct words *w, unsigned least, unsigned most);

/* Is text a number: decimal, 0x1F, 1FH or 1Fh? As the SDM writes them. */
bool words_is_number(const char *text, uint64_t *number);

/* Word i as a number from first to last; what it is not is told. `what`: "the value". */
uint64_t words_number(const struct words *w, unsigned i, const char *what, uint64_t first,
                      uint64_t last);

#endif
