/* SPDX-License-Identifier: MIT */
/* Reads lines and runs them, until `quit`. */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <arch/cpu/self.h>
#include <kernel/console/console.h>
#include <kernel/input/keys.h>
#include <kernel/input/pager.h>
#include <kernel/lib/format.h>
#include <kernel/run/engine_hooks.h>
#include <kernel/run/watchdog.h>
#include <monitor/prompt/complete.h>
#include <monitor/prompt/dispatch.h>
#include <monitor/prompt/line.h>
#include <monitor/tools/work.h>

static SHARED bool is_leaving;

static char prompt[16];
static const struct cmdline *kernel_words;

static void write_line(void *ctx, const char *text)
{
	(void)ctx;
	for (; *text; text++) {
		console_put(*text);
		keys_collect();
	}
}

static struct line line = { .write = write_line, .complete = complete_word, .prompt = prompt };

/* Most terminals have 80 columns, which is LINE_COLUMNS, if nobody said how many. */
static unsigned columns(void)
{
	bool is_alone;
	const struct screen *screen = console_screen(&is_alone);

	if (pager_columns())
		return pager_columns();
	if (!screen || (!is_alone && screen->columns > LINE_COLUMNS))
		return LINE_COLUMNS;
	return screen->columns;
}

static void read_line(void)
{
	if (monitor_cpu())
		format_buf(prompt, sizeof(prompt), "cpu %u> ", monitor_cpu());
	else
		format_buf(prompt, sizeof(prompt), "> ");
	line.columns = columns();
	line_begin(&line);
	while (!line_key(&line, keys_wait()))
		;
}

const struct cmdline *monitor_cmdline(void)
{
	return kernel_words;
}

static void interact(const struct cmdline *words)
{
	kernel_words = words;
	monitor_sort_commands(words);
	keys_use_keyboard();
	work_init();
	print("Barecount's monitor: \"help\" lists the commands, the tab key completes words.\n");
	while (!is_leaving) {
		pager_begin(watchdog_renew);    /* waiting for a key is not a hang */
		read_line();
		pager_flow_begin();
		monitor_run_line(line.text);
		console_flow_end();
		console_capture(NULL);  /* an aborted command may have left it on */
	}
	pager_end();
}

COMMAND(quit, .syntax = "", .summary = "ends the monitor and the machine",
        .text = "exit, q, and CTRL-D on an empty line do the same.\n", .example = "quit",
        .is_mine = true)
{
	words_expect(w, 0, 0);
	is_leaving = true;
}

static const struct engine_hooks monitor_hooks = { .name = "monitor", .interact = interact };
ENGINE_HOOKS(monitor_hooks);
