/* SPDX-License-Identifier: MIT */
/* Typing a line: each key, and what a dumb terminal shows after it. */
/* LINK: monitor/prompt/line.c monitor/prompt/line_text.c */
/* LINK: monitor/prompt/line_view.c monitor/prompt/line_tab.c */
/* LINK: monitor/tools/words.c monitor/tools/expression.c */
#include <monitor/prompt/line.h>

#include <kernel/input/keys.h>

#include <tests/unit/monitor/line_terminal.h>
#include <tests/unit/monitor/words_monitor.h>
#include <tests/unit/unit.h>

static struct terminal terminal;
static struct line line;

static const char *const words[] = {
	"help", "rdmsr", "rdpmc", "repeat", "IA32_PMC0", "IA32_PMC1", "arch.", "on=", NULL
};

static unsigned passes;                /* how often the words were asked for from the first on */

static const char *complete(void *ctx, const struct words *typed, unsigned n)
{
	static char word[16];

	(void)ctx;
	passes += n == 0;
	if (n == 0 && typed->count == 2 && strcmp(typed->word[0], "again") == 0)
		return NULL;
	snprintf(word, sizeof(word), "%s", words[n] ? words[n] : "");
	return words[n] ? word : NULL;
}

static void start(unsigned columns)
{
	terminal_clear(&terminal, columns);
	memset(&line, 0, sizeof(line));
	line = (struct line){ .write = terminal_write, .complete = complete, .ctx = &terminal,
	                      .prompt = "> ", .columns = columns };
	line_begin(&line);
}

static void type(const char *text)
{
	while (*text)
		line_key(&line, *text++);
}

static void press(int key, unsigned times)
{
	while (times--)
		line_key(&line, key);
}

/* Checks what is shown, the text it stands for, and the cursor, which '^' marks in `want`. `want`
 * has the prompt. */
static void check_line(const char *what, const char *want)
{
	char shown[TERMINAL_COLUMNS_MAX + 2];
	const char *row = terminal_row(&terminal, terminal.row);
	unsigned at = terminal.column;

	snprintf(shown, sizeof(shown), "%-*s", (int)at, row);
	memmove(shown + at + 1, shown + at, strlen(shown + at) + 1);
	shown[at] = '^';
	check_str(what, shown, want);
	check_eq_u64("what a dumb terminal cannot show", terminal.problems, 0);
}

/* Types a line to its end, so that the history keeps it. */
static void enter(const char *text)
{
	type(text);
	check_true(text, line_key(&line, KEY_ENTER));
	line_begin(&line);
}

UNIT_TEST(what_is_typed_is_shown)
{
	start(80);
	check_line("nothing", "> ^");
	type("rdmsr 186H");
	check_line("a word and a number", "> rdmsr 186H^");
	check_str("text", line.text, "rdmsr 186H");
	check_eq_u64("characters written: prompt and keys, one each", terminal.written, 2 + 10);
	check_true("Enter ends it", line_key(&line, KEY_ENTER));
	check_str("text after Enter", line.text, "rdmsr 186H");
	check_line("the next row", "^");
}

UNIT_TEST(a_line_feed_ends_it_too)
{
	start(80);
	type("x");
	check_true("line feed", line_key(&line, '\n'));
}

UNIT_TEST(keys_without_a_meaning_do_nothing)
{
	start(80);
	type("ab");
	press(KEY_NONE, 1);
	press(KEY_PAGE_UP, 1);
	press(KEY_ESCAPE, 1);
	press(KEY_CTRL('G'), 1);
	press(0, 1);
	press(0x80, 1);
	check_line("as before", "> ab^");
}

UNIT_TEST(the_middle_is_edited)
{
	start(80);
	type("rdsr 1");
	press(KEY_LEFT, 4);
	type("m");
	check_line("inserted", "> rdm^sr 1");
	press(KEY_DELETE, 1);
	check_line("deleted at the cursor", "> rdm^r 1");
	press(KEY_BACKSPACE, 1);
	check_line("deleted in front of it", "> rd^r 1");
	press(0x7f, 1);
	check_line("by 7FH", "> r^r 1");
	press(KEY_CTRL('D'), 1);
	check_line("by CTRL-D", "> r^ 1");
	press(KEY_RIGHT, 9);
	check_line("no further than the end", "> r 1^");
	press(KEY_LEFT, 9);
	check_line("no further than the begin", "> ^r 1");
	press(KEY_BACKSPACE, 1);
	check_line("nothing in front of the begin", "> ^r 1");
	check_str("text", line.text, "r 1");
}

UNIT_TEST(an_end_of_line_in_the_middle_takes_all)
{
	start(80);
	type("help me");
	press(KEY_HOME, 1);
	check_true("Enter", line_key(&line, KEY_ENTER));
	check_str("text", line.text, "help me");
	check_str("the row above", terminal_row(&terminal, 0), "> help me");
}

UNIT_TEST(control_keys)
{
	start(80);
	type("one two  three");
	press(KEY_CTRL('A'), 1);
	check_line("A", "> ^one two  three");
	press(KEY_CTRL('F'), 4);
	check_line("F", "> one ^two  three");
	press(KEY_CTRL('B'), 1);
	check_line("B", "> one^ two  three");
	press(KEY_CTRL('E'), 1);
	check_line("E", "> one two  three^");
	press(KEY_CTRL('W'), 1);
	check_line("W", "> one two  ^");
	press(KEY_CTRL('W'), 1);
	check_line("W with blanks", "> one ^");
	press(KEY_HOME, 1);
	press(KEY_CTRL('K'), 1);
	check_line("K", "> ^");
	type("one two");
	press(KEY_LEFT, 3);
	press(KEY_CTRL('U'), 1);
	check_line("U", "> ^two");
	press(KEY_END, 1);
	check_line("End", "> two^");
	press(KEY_CTRL('D'), 1);
	check_line("D at the end", "> two^");
	press(KEY_CTRL('U'), 1);
	check_true("D on an empty line ends it", line_key(&line, KEY_CTRL('D')));
	check_str("as", line.text, "quit");
}

UNIT_TEST(control_c_empties_the_line)
{
	start(80);
	type("rdmsr 1");
	press(KEY_HOME, 1);
	press(KEY_CTRL('C'), 1);
	check_str("the row above", terminal_row(&terminal, 0), "> rdmsr 1^C");
	check_line("a new line", "> ^");
	check_str("text", line.text, "");
	press(KEY_UP, 1);
	check_line("it is not in the history", "> ^");
}

UNIT_TEST(control_l_shows_it_again)
{
	start(40);
	type("rdmsr 186H");
	press(KEY_LEFT, 2);
	terminal_write(&terminal, "\r# cpu 1: an unexpected message");
	press(KEY_CTRL('L'), 1);
	check_line("over something else", "> rdmsr 18^6H");
}

UNIT_TEST(history)
{
	start(80);
	enter("one");
	enter("two");
	enter("two");
	enter("   ");
	enter("");
	type("dra");
	press(KEY_UP, 1);
	check_line("the last one, once; blank lines are none", "> two^");
	press(KEY_CTRL('P'), 1);
	check_line("the one before", "> one^");
	press(KEY_UP, 1);
	check_line("there is no other", "> one^");
	type("s");
	press(KEY_CTRL('N'), 1);
	check_line("forward", "> two^");
	press(KEY_DOWN, 1);
	check_line("to what was typed", "> dra^");
	press(KEY_DOWN, 1);
	check_line("and no further", "> dra^");
	press(KEY_UP, 2);
	check_line("a line that was changed is kept as it was", "> one^");
	enter("!");
	press(KEY_UP, 1);
	check_line("as it was entered", "> one!^");
}

UNIT_TEST(history_is_bounded)
{
	char text[8];

	start(80);
	for (unsigned i = 0; i < 3 * LINE_HISTORY; i++) {
		snprintf(text, sizeof(text), "n%u", i);
		enter(text);
	}
	press(KEY_UP, 3 * LINE_HISTORY);
	snprintf(text, sizeof(text), "n%u", 2 * LINE_HISTORY);
	check_str("the oldest that is kept", line.text, text);
	press(KEY_DOWN, 3 * LINE_HISTORY);
	check_str("what was typed", line.text, "");
}

UNIT_TEST(tab_completes)
{
	start(80);
	type("h\t");
	check_line("the only one, and a blank", "> help ^");
	press(KEY_CTRL('U'), 1);
	type("rd\t");
	check_line("nothing to add", "> rd^");
	type("p\t");
	check_line("one is left", "> rdpmc ^");
	type("ia32_pm\t");
	check_line("what is common, capitals as they are", "> rdpmc IA32_PMC^");
	type("1\t");
	check_line("the second word", "> rdpmc IA32_PMC1 ^");
	type("ar\t");
	check_line("a word that continues gets no blank", "> rdpmc IA32_PMC1 arch.^");
	type(" o\t3");
	check_line("nor does one that needs a value", "> rdpmc IA32_PMC1 arch. on=3^");
	type("\t\t");
	check_line("nothing fits", "> rdpmc IA32_PMC1 arch. on=3^");
	check_eq_u64("row: nothing was listed", terminal.row, 0);
}

UNIT_TEST(tab_completes_in_the_middle)
{
	start(80);
	type("rdp 3");
	press(KEY_LEFT, 2);
	press(KEY_TAB, 1);
	check_line("in front of a blank", "> rdpmc ^3");
	press(KEY_HOME, 1);
	type("he");
	press(KEY_TAB, 1);
	check_line("in front of a word", "> help ^rdpmc 3");
}

UNIT_TEST(second_tab_lists)
{
	start(30);
	type("r\t");
	check_eq_u64("row: nothing is listed at first", terminal.row, 0);
	passes = 0;
	type("\t");
	check_str("words, in columns of the longest and 2", terminal_row(&terminal, 1),
	          "rdmsr   rdpmc   repeat");
	check_eq_u64("passes through the words", passes, 1);
	check_line("the line again", "> r^");
	type("d");
	type("\t");
	check_eq_u64("row: another key in between", terminal.row, 2);
	type("\t");
	check_str("fewer words", terminal_row(&terminal, 3), "rdmsr  rdpmc");
	check_line("the line again", "> rd^");
	press(KEY_CTRL('U'), 1);
	type("\t\t");
	check_str("as many as a row holds", terminal_row(&terminal, 5), "help       rdmsr");
	check_str("the last row", terminal_row(&terminal, 8), "arch.      on=");
}

UNIT_TEST(without_words_tab_does_nothing)
{
	start(80);
	line.complete = NULL;
	type("r\t\t");
	check_line("no completion", "> r^");
	start(80);
	type("again \t\t");
	check_line("no words here", "> again ^");
	start(80);
	for (unsigned i = 0; i < MONITOR_WORDS_MAX; i++)
		type("a ");
	type("h\t");
	check_eq_u64("a word too many for a line", line.length, 2 * MONITOR_WORDS_MAX + 1);
}

UNIT_TEST(long_lines_scroll_sideways)
{
	start(26);             /* 21 columns after the prompt, two for ^C, and one free */
	type("abcdefghijklmnopqrstu");
	check_line("it just fits", "> abcdefghijklmnopqrstu^");
	type("v");
	check_line("half a window on", "> <nopqrstuv^");
	press(KEY_LEFT, 8);
	check_line("in the window", "> <n^opqrstuv");
	press(KEY_LEFT, 1);
	check_line("at the mark", "> <^nopqrstuv");
	press(KEY_LEFT, 1);
	check_line("back to the begin", "> <defghijkl^mnopqrstuv");
	press(KEY_HOME, 1);
	check_line("Home", "> ^abcdefghijklmnopqrst>");
	press(KEY_RIGHT, 19);
	check_line("in front of the mark", "> abcdefghijklmnopqrs^t>");
	press(KEY_RIGHT, 1);
	check_line("not on it", "> <lmnopqrst^uv");
	press(KEY_HOME, 1);
	press(KEY_DELETE, 1);
	check_line("it fits again", "> ^bcdefghijklmnopqrstuv");
	press(KEY_END, 1);
	check_line("End", "> bcdefghijklmnopqrstuv^");
	press(KEY_CTRL('C'), 1);
	check_str("the row above", terminal_row(&terminal, 0), "> bcdefghijklmnopqrstuv^C");
}

UNIT_TEST(a_line_is_never_too_long)
{
	start(80);
	for (unsigned i = 0; i < 2 * MONITOR_LINE_SIZE; i++)
		line_key(&line, 'a' + (int)(i % 26));
	check_eq_u64("length", line.length, MONITOR_LINE_SIZE - 1);
	check_eq_u64("terminator", strlen(line.text), MONITOR_LINE_SIZE - 1);
	press(KEY_HOME, 1);
	type("x");
	check_eq_u64("first character", line.text[0], 'a');
	press(KEY_ENTER, 1);
	line_begin(&line);
	press(KEY_UP, 1);
	check_eq_u64("length from the history", strlen(line.text), MONITOR_LINE_SIZE - 1);
	check_eq_u64("what a dumb terminal cannot show", terminal.problems, 0);
}

UNIT_TEST(the_owner_changes_the_prompt)
{
	start(80);
	line.prompt = "cpu 12> ";
	line_begin(&line);
	type("x");
	check_str("the new prompt", terminal_row(&terminal, 0) + 2, "cpu 12> x");
}

UNIT_MAIN()
