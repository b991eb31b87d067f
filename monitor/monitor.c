/* SPDX-License-Identifier: MIT */
/* Reads lines and runs them, until `quit`. */
#include <monitor/command.h>

#include <stdarg.h>
#include <stddef.h>

#include <kernel/console.h>
#include <kernel/engine_hooks.h>
#include <kernel/execute.h>
#include <kernel/format.h>
#include <kernel/keys.h>
#include <kernel/result.h>
#include <kernel/string.h>
#include <monitor/line.h>

extern const struct monitor_command *const commands_start[], *const commands_end[]; /* linker.ld */

enum { COMMANDS_MAX = 64 };

static const struct monitor_command *sorted[COMMANDS_MAX];
static unsigned sorted_count;

static bool has_failed;                /* by monitor_fail() */
static bool is_leaving;

static const struct test the_monitor = { .id = "monitor", .claim = "a command's work" };

/* By name: the linker has them in any order. */
static void sort_commands(void)
{
	sorted_count = 0;
	for (const struct monitor_command *const *c = commands_start; c < commands_end; c++) {
		unsigned i = sorted_count++;

		for (; i > 0 && strcmp(sorted[i - 1]->name, (*c)->name) > 0; i--)
			sorted[i] = sorted[i - 1];
		sorted[i] = *c;
	}
}

const struct monitor_command *monitor_command_at(unsigned i)
{
	return i < sorted_count ? sorted[i] : NULL;
}

const struct monitor_command *monitor_command_find(const char *name)
{
	for (unsigned i = 0; i < sorted_count; i++)
		if (strcmp(sorted[i]->name, name) == 0)
			return sorted[i];
	return NULL;
}

void monitor_fail(const char *fmt, ...)
{
	va_list args;
	char text[MONITOR_LINE_SIZE * 2];

	va_start(args, fmt);
	format_vbuf(text, sizeof(text), fmt, args);
	va_end(args);
	print("%s.\n", text);
	has_failed = true;
	test_abort("%s", "");
}

/* ---------------------------------------------------------------------------- one line */

static void run_words(const struct words *w)
{
	const struct monitor_command *c = monitor_command_find(w->word[0]);

	if (!c)
		monitor_fail("there is no command %s; \"help\" lists those there are", w->word[0]);
	c->run(w);
}

void monitor_run_line(const char *line)
{
	char text[MONITOR_LINE_SIZE];
	struct words w;

	format_buf(text, sizeof(text), "%s", line);
	if (!words_split(&w, text, line))
		monitor_fail("a line has at most %d words", MONITOR_WORDS_MAX);
	if (w.count)
		run_words(&w);
}

static void run_part(struct test_ctx *t, uintptr_t line)
{
	(void)t;
	monitor_run_line((const char *)line);
}

/* What ended it by itself, a fault or a hang, leaves nothing of itself. */
static void run_line(const char *line)
{
	const struct test_ctx *t;

	has_failed = false;
	t = execute_work(&the_monitor, run_part, (uintptr_t)line, MONITOR_SECONDS);
	if (t->status != TEST_ERROR || has_failed)
		return;
	for (unsigned i = 0; i < t->findings && i < RESULT_MAX_FINDINGS; i++)
		print("%s.\n", t->finding[i].got);
	execute_clean_up();
	print("The command was ended, and the PMU reset.\n");
}

/* ---------------------------------------------------------------------------- lines */

static void write_line(void *ctx, const char *text)
{
	(void)ctx;
	console_write(text);
}

static struct line line = { .write = write_line, .prompt = "> " };

static void interact(const struct cmdline *words)
{
	(void)words;
	sort_commands();
	print("Barecount's monitor: \"help\" lists the commands, the tab key completes words.\n");
	while (!is_leaving) {
		line_begin(&line);
		while (!line_key(&line, keys_wait()))
			;
		run_line(line.text);
	}
}

COMMAND(quit, .syntax = "", .summary = "ends the monitor and the machine", .example = "quit",
        .is_mine = true)
{
	words_expect(w, 0, 0);
	is_leaving = true;
}

static const struct engine_hooks monitor_hooks = { .name = "monitor", .interact = interact };
ENGINE_HOOKS(monitor_hooks);
