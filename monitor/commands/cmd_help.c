/* SPDX-License-Identifier: MIT */
/* help: shows what can be typed. */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <kernel/console/console.h>
#include <kernel/lib/string.h>

static void list_all(void)
{
	const struct monitor_command *c;

	for (unsigned i = 0; (c = monitor_command_at(i)) != NULL; i++)
		print("%-8s %s\n", c->name, c->summary);
	print("\"help COMMAND\" shows how it is written, and an example.\n");
}

COMMAND(help, .syntax = "[COMMAND]", .summary = "lists the commands, or explains one",
        .text = "? does the same.\n",
        .example = "help rdmsr", .completion = COMPLETE_COMMANDS, .is_mine = true)
{
	const struct monitor_command *c;

	words_expect(w, 0, 1);
	if (w->count == 1) {
		list_all();
		return;
	}
	c = monitor_command_or_tell(w->word[1]);
	if (!c)
		return;
	print("%s%s%s: %s\n%sExample: %s\n", c->name, *c->syntax ? " " : "", c->syntax, c->summary,
	      c->text ? c->text : "", c->example);
}
