/* SPDX-License-Identifier: MIT */
/* log: what the run before printed. */
#include <monitor/tools/command.h>

#include <kernel/console/console.h>
#include <kernel/log/lastlog.h>

COMMAND(log, .syntax = "", .summary = "prints the log of the run before, kept in memory",
        .text = "Everything that is printed is kept in memory that a reset leaves alone, unless\n"
                "the firmware clears it; switched off, it is gone.\n",
        .example = "log", .is_mine = true)
{
	const struct kept_text *log = lastlog_previous();

	words_expect(w, 0, 0);
	if (!log->text)
		monitor_fail("%s", lastlog_missing());
	for (uint32_t i = 0; i < log->length; i++)
		console_put(log->text[i]);
}
