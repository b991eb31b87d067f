/* SPDX-License-Identifier: MIT */
/* summary: one page on what this machine's PMU is good for. */
#include <monitor/tools/command.h>

#include <kernel/console/console.h>
#include <pmu/drivers/suspend.h>
#include <pmu/review/review.h>

COMMAND(summary, .syntax = "",
        .summary = "says what this machine's PMU is good for, on one page",
        .text = "Each row is measured now: which counters count, what interrupts and is\n"
                "recorded, what the instructions cost, and what perf, rr and PAPI can do.\n"
                "The PMU is reset. At the end of each run the test \"summary\" reports the same.\n",
        .example = "summary")
{
	struct review_part part;

	words_expect(w, 0, 0);
	for (unsigned i = 0; i < review_row_count; i++) {
		review_tell(&review_rows[i], &part);
		print("%-12s %s%s\n", review_rows[i].name,
		      part.got == part.want ? "" : "WRONG: ", part.text);
	}
	pmu_suspend_forget();
}
