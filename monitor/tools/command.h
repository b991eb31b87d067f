/* SPDX-License-Identifier: MIT */
/*
 * Declares what a command of the monitor consists of: one function, one COMMAND().
 *
 *	COMMAND(rdpmc, .syntax = "[INDEX]", .summary = "reads a counter by RDPMC", ...)
 *	{
 *		uint64_t index = words_number(w, 1, "the index", 0, UINT32_MAX);
 *		...
 *	}
 *
 * A command prints lines, or ends by monitor_fail() with one sentence. It runs as a test does: an
 * unexpected fault, a test_abort() from the layers below, or a hang ends it with a sentence and
 * cleans up. What it programs stays for the next command, but counts only while code of interest
 * runs (suspend.h).
 */
#ifndef MONITOR_TOOLS_COMMAND_H
#define MONITOR_TOOLS_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

enum { MONITOR_WORDS_MAX = 32, MONITOR_LINE_SIZE = 256, MONITOR_SECONDS = 10 };

/*
 * Is a line, split at blanks. Word 0 is the command's name, by which the command was looked up. A
 * command may run on another processor, so what it gets is SHARED, as is the text of the words.
 */
struct words {
	const struct monitor_command *command;
	unsigned count;
	const char *word[MONITOR_WORDS_MAX];
};

/*
 * Says how the tab key completes the words after a command. Words that the command's syntax has in
 * small letters are always completed, and so are workloads after `on`.
 */
enum monitor_completion {
	COMPLETE_NOTHING, COMPLETE_COMMANDS, COMPLETE_REGISTERS, COMPLETE_EVENTS, COMPLETE_TESTS,
	COMPLETE_WORKLOADS, COMPLETE_SAMPLED
};

struct monitor_command {
	const char *name;
	const char *syntax;            /* the words after the name: "REGISTER [VALUE]" */
	const char *summary;           /* half a line, small letter, no full stop */
	const char *text;              /* more, lines of at most 72 columns; or NULL */
	const char *example;           /* a line that works on every machine that has the command */
	enum monitor_completion completion;
	bool is_unbounded;             /* has watchdogs of its own, as `run`: no time limit,
	                                * always on the boot processor */
	bool is_broken;                /* fails on purpose; exists with the word `broken` only */
	bool is_mine;                  /* always runs on the boot processor: `help`, `cpu` */
	void (*run)(const struct words *w);
};

#define COMMAND(id, ...) \
	static void run_##id(const struct words *w); \
	static const struct monitor_command command_##id = { \
		.name = #id, .run = run_##id, __VA_ARGS__ }; \
	static const struct monitor_command *const command_pointer_##id \
		__attribute__((section(".commands"), used)) = &command_##id; \
	static void run_##id(const struct words *w)

/* Prints the sentence, which has no full stop, and ends the command; what is programmed stays. */
void monitor_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/*
 * Is true if the last command failed. monitor_fail() sets this flag, and so does dispatch.c for a
 * command that it ended.
 */
extern bool monitor_has_failed;

/*
 * Sorts the commands by name, because the linker places them in any order. Must be called once,
 * before a command is looked up. words is the kernel's command line.
 */
struct cmdline;
void monitor_sort_commands(const struct cmdline *words);

/*
 * Return a command by name, or by number in alphabetical order; NULL if there is no such
 * command. monitor_command_or_tell() then also prints, as a failure, that there is none.
 */
const struct monitor_command *monitor_command_find(const char *name);
const struct monitor_command *monitor_command_or_tell(const char *name);
const struct monitor_command *monitor_command_at(unsigned i);

/* ---------------------------------------------------------------------------- words */

/*
 * Splits text: blanks become terminators, and the words lie in text. The command is not looked up.
 * Returns false if there are too many words.
 */
bool words_split(struct words *w, char *text);

/* Fails with the command's syntax. */
void words_fail(const struct words *w) __attribute__((noreturn));

/* Fails with the command's syntax unless there are least to most words after the name. */
void words_expect(const struct words *w, unsigned least, unsigned most);

/*
 * Returns true if text is a number or an expression, as expression.h has them; a negative one
 * becomes its two's complement.
 */
bool words_is_number(const char *text, uint64_t *number);

/*
 * Returns word i as a number from first to last, or fails with a sentence about `what`, such as
 * "the value".
 */
uint64_t words_number(const struct words *w, unsigned i, const char *what, uint64_t first,
                      uint64_t last);

#endif
