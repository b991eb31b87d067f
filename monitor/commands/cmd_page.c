/* SPDX-License-Identifier: MIT */
/* page: says how large the terminal at a serial line is. */
#include <monitor/tools/command.h>

#include <kernel/console/console.h>
#include <kernel/input/pager.h>
#include <kernel/lib/string.h>

/* Below the least width, sentences of one word more than a name would have a word in each row. */
enum { COLUMNS_LEAST = 40, COLUMNS_USUAL = 80, ROWS_LEAST = 4, ROWS_USUAL = 24, SIZE_MOST = 1000 };

static void tell(void)
{
	if (pager_columns())
		print("Lines are broken at %u columns, and output stops after each page.\n",
		      pager_columns());
	else
		print("Lines are sent as they are, and output never stops.\n");
}

COMMAND(page, .syntax = "[on|off|COLUMNS ROWS]",
        .summary = "says how large the terminal at a serial line is",
        .text = "Lines are then broken between words, and long output stops after a page.\n"
                "\"on\" is 80 columns and 24 rows. It is off at first, for scripts. A screen\n"
                "knows its size, and stops if no serial line has the text, too. No program\n"
                "can read a log of \"run\" that was broken so: type \"page off\" before.\n",
        .example = "page off", .is_mine = true)
{
	unsigned columns, rows;

	if (w->count == 2 && strcmp(w->word[1], "on") == 0)
		pager_set_page(COLUMNS_USUAL, ROWS_USUAL);
	else if (w->count == 2 && strcmp(w->word[1], "off") == 0)
		pager_set_page(0, ROWS_USUAL);
	else if (w->count == 3) {
		columns = (unsigned)words_number(w, 1, "the columns", COLUMNS_LEAST, SIZE_MOST);
		rows = (unsigned)words_number(w, 2, "the rows", ROWS_LEAST, SIZE_MOST);
		pager_set_page(columns, rows);
	} else if (w->count > 1) {
		words_fail(w);
	}
	tell();
}
