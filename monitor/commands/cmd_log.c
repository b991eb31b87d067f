/* SPDX-License-Identifier: MIT */
/* log: prints the log of the previous run. */
#include <monitor/tools/command.h>

#include <kernel/console/console.h>
#include <kernel/log/lastlog.h>

COMMAND(log, .syntax = "", .summary = "prints the log of the previous run, kept in memory",
        .text = "All output is kept in memory that a reset leaves alone, unless the firmware\n"
                "clears it. Switching the machine off loses it.\n",
        .example = "log", .is_mine = true)
{
	const struct warm_log_text *log = lastlog_previous();

	words_expect(w, 0, 0);
	if (!log->text)
		monitor_fail("%s", lastlog_missing());
	for (uint32_t i = 0; i < log->length; i++)
		console_put(log->text[i]);
}
