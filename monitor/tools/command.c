/* SPDX-License-Identifier: MIT */
/* Finds commands by name, and ends one that fails. */
#include <monitor/tools/command.h>

#include <stdarg.h>
#include <stddef.h>

#include <arch/cpu/self.h>
#include <arch/regs/table.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/nearest.h>
#include <kernel/lib/string.h>
#include <kernel/run/cmdline.h>
#include <kernel/run/test.h>

extern const struct monitor_command *const commands_start[], *const commands_end[]; /* linker.ld */

enum { COMMANDS_MAX = 64 };

static SHARED const struct monitor_command *sorted[COMMANDS_MAX];
static SHARED unsigned sorted_count;

SHARED bool monitor_has_failed;

void monitor_sort_commands(const struct cmdline *words)
{
	sorted_count = 0;
	for (const struct monitor_command *const *c = commands_start; c < commands_end; c++) {
		unsigned i = sorted_count;

		if ((*c)->is_broken && !words->is_broken)
			continue;
		sorted_count++;
		for (; i > 0 && strcmp(sorted[i - 1]->name, (*c)->name) > 0; i--)
			sorted[i] = sorted[i - 1];
		sorted[i] = *c;
	}
}

const struct monitor_command *monitor_command_at(unsigned i)
{
	return i < sorted_count ? sorted[i] : NULL;
}

/* Names that people try because other programs have them. */
static const struct { const char *typed, *name; } others[] = {
	{ "exit", "quit" }, { "q", "quit" }, { "?", "help" },
};

const struct monitor_command *monitor_command_find(const char *name)
{
	for (unsigned i = 0; i < COUNT_OF(others); i++)
		if (strcmp(others[i].typed, name) == 0)
			name = others[i].name;
	for (unsigned i = 0; i < sorted_count; i++)
		if (strcmp(sorted[i]->name, name) == 0)
			return sorted[i];
	return NULL;
}

/* The host's program answers these words in a lesson (tests/runner/people/tutor.py). */
static bool is_of_lessons(const char *name)
{
	static const char *const names[] = { "next", "check", "skip", "back", "goto", "hint" };

	for (unsigned i = 0; i < COUNT_OF(names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

const struct monitor_command *monitor_command_or_tell(const char *name)
{
	const struct monitor_command *c = monitor_command_find(name);
	char meant[NEAREST_TEXT_SIZE];
	struct nearest nearest;

	if (c)
		return c;
	monitor_has_failed = true;
	if (is_of_lessons(name)) {
		print("%s is a command of the lessons, which \"make learn\" starts.\n", name);
		return NULL;
	}
	nearest_begin(&nearest, name);
	for (unsigned i = 0; i < sorted_count; i++)
		nearest_try(&nearest, sorted[i]->name);
	print("there is no command %s%s; \"help\" lists all commands.\n", name,
	      nearest_text(&nearest, meant));
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
	monitor_has_failed = true;
	test_abort("%s", "");
}
