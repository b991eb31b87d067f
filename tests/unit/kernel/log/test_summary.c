/* SPDX-License-Identifier: MIT */
/* The summary of a run in few characters. */
/* LINK: kernel/log/summary.c kernel/log/warm_log.c kernel/lib/check.c kernel/lib/format.c */
#include <kernel/log/summary.h>

#include <tests/unit/unit.h>

static char text[SUMMARY_SIZE];

static const char *summary(const char *log, unsigned most)
{
	const struct warm_log_text in = { log, (uint32_t)strlen(log), 0, true };

	memset(text, 'x', sizeof(text));
	return summary_write(text, most, "head", &in) ? text : "(none)";
}

UNIT_TEST(a_log_in_short)
{
	check_str("passed", summary("ok 1 - a\n# passed 1, failed 0, errors 0, skipped 0\n"
	                            "# verdict: PASS, all 1 tests that ran\n# end\n", 100),
	          "head\nPASS: passed 1");
	check_str("failed", summary("# failed: a.b c.d@cpu1\n"
	                            "# passed 10, failed 1, errors 1, skipped 10\n"
	                            "# verdict: FAIL, 2 of the 12 tests that ran\n", 100),
	          "head\nFAIL: passed 10, failed 1, errors 1, skipped 10\na.b\nc.d@cpu1");
	check_str("many", summary("# failed: a b and 17 more\n"
	                          "# passed 0, failed 19, errors 0, skipped 0\n"
	                          "# verdict: FAIL, 19 of the 19 tests that ran\n", 100),
	          "head\nFAIL: failed 19\na\nb\n+17 more");
	check_str("broken", summary("Bail out! no memory\n# end of run: status 2\n", 100),
	          "head\nBail out! no memory");
	check_str("nothing", summary("ok 1 - a\n", 100), "(none)");
	check_str("no log", summary("", 100), "(none)");
}

/* The summary fits into whatever room it gets; an id is printed as a whole or counted. */
UNIT_TEST(ids_that_do_not_fit_are_counted)
{
	static const char log[] = "# failed: aaaa bbbb cccc dddd and 3 more\n# passed 0, failed 7\n"
	                          "# verdict: FAIL, 7 of the 7 tests that ran\n";
	static const char all[] = "head\nFAIL: failed 7\naaaa\nbbbb\ncccc\ndddd\n+3 more";
	const unsigned least = 19, line = 5;

	check_str("all", summary(log, SUMMARY_SIZE - 1), all);
	for (unsigned most = 0; most < sizeof(all) + 20; most++) {
		unsigned ids = 0, more = 0;

		summary(log, most);
		check_true("not more than there is room for", strlen(text) <= most);
		check_true("nothing is written after it", text[strlen(text) + 1] == 'x' || !most);
		if (most < least + 8 + line)
			continue;
		for (const char *at = text + least; strchr("abcd", at[1]); at += line)
			ids++;
		sscanf(text + least + ids * line, "\n+%u more", &more);
		check_eq_u64("ids and the others", ids + more, 7);
	}
}

UNIT_MAIN()
