/* SPDX-License-Identifier: MIT */
/* LINK: monitor/prompt/line.c monitor/prompt/line_text.c */
/* LINK: monitor/prompt/line_view.c monitor/prompt/line_tab.c */
/* LINK: monitor/tools/words.c monitor/tools/expression.c */
/*
 * Fuzzes typing a line. Input: the terminal's columns, the words that complete it, then keys, a
 * byte each; from 80H on those that are not ASCII. After each key the text is whole, and a dumb
 * terminal shows the prompt and the part of the text around the cursor.
 */
#include <monitor/prompt/line.h>

#include <stdio.h>

#include <kernel/input/keys.h>

#include <tests/unit/fuzz.h>
#include <tests/unit/monitor/line_terminal.h>
#include <tests/unit/monitor/words_monitor.h>

enum { WORDS_MAX = 8, WORD_SIZE = 8 };
static const char PROMPT[] = "cpu 1> ";

static struct terminal terminal;
static struct line line;
static char words[WORDS_MAX][WORD_SIZE + 1];

static void must(bool is_so, const char *what)
{
	if (is_so)
		return;
	fprintf(stderr, "%s: length %u, cursor %u, first %u, terminal column %u\n", what,
	        line.length, line.cursor, line.first, terminal.column);
	fprintf(stderr, "  text: %s\n  row:  %s\n", line.text,
	        terminal_row(&terminal, terminal.row));
	abort();
}

/* The words of a line up to the cursor have its characters; the last one ends at the cursor. */
static const char *complete(void *ctx, const struct words *typed, unsigned n)
{
	const char *text = line.text, *last = typed->word[typed->count - 1];

	(void)ctx;
	for (unsigned i = 0; i < typed->count; i++) {
		text += strspn(text, " ");
		must(strncmp(text, typed->word[i], strlen(typed->word[i])) == 0,
		     "completion is asked about another word");
		text += strlen(typed->word[i]);
	}
	must(text == line.text + line.cursor || !*last,
	     "the last word does not end at the cursor");
	return n < WORDS_MAX && words[n][0] ? words[n] : NULL;
}

static void check_text(void)
{
	must(line.length < MONITOR_LINE_SIZE, "too long");
	must(strlen(line.text) == line.length, "the terminator is elsewhere");
	must(line.cursor <= line.length, "the cursor is beyond the end");
	for (unsigned i = 0; i < line.length; i++)
		must(line.text[i] >= ' ' && line.text[i] <= '~', "a character not to be printed");
}

/* The character at the cursor is the text's, whatever part of the text the window shows. */
static void check_row(const char *row)
{
	unsigned prompt = sizeof(PROMPT) - 1, window = terminal.columns - 3 - prompt;
	unsigned column = terminal.column - prompt, first = line.cursor - column;
	bool is_cut = line.length > first + window;

	must(terminal.column >= prompt && column <= line.cursor, "the cursor is in the prompt");
	must(strncmp(row, PROMPT, prompt - 1) == 0, "the prompt is not there");
	must(!is_cut || column < window - 1, "the cursor is at the mark of the right end");
	must(first == 0 || column > 0, "the cursor is at the mark of the left end");
	for (unsigned i = 0; i < window; i++) {
		char want = first + i < line.length ? line.text[first + i] : ' ';
		char shown = terminal.rows[terminal.row][prompt + i];

		if (i == 0 && first)
			want = '<';
		if (i == window - 1 && is_cut)
			want = '>';
		must(shown == want, "the terminal shows something else");
	}
}

static int key_of(uint8_t byte)
{
	return byte < 0x80 ? byte : KEY_UP + byte % (KEY_PAGE_DOWN - KEY_UP + 1);
}

static bool is_in_word(uint8_t byte)
{
	return byte > ' ' && byte <= '~';
}

/* Words are printable, and end at a byte that is not. */
static size_t take_words(const uint8_t *data, size_t size)
{
	size_t at = 0;

	memset(words, 0, sizeof(words));
	for (unsigned n = 0; n < WORDS_MAX && at < size; n++, at++)
		for (unsigned i = 0; i < WORD_SIZE && at < size && is_in_word(data[at]); i++)
			words[n][i] = (char)data[at++];
	return at;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t at;

	if (size < 2)
		return 0;
	memset(&line, 0, sizeof(line));
	line = (struct line){ .write = terminal_write, .complete = complete, .ctx = &terminal,
	                      .prompt = PROMPT, .columns = LINE_COLUMNS_MIN + data[0] % 64 };
	terminal_clear(&terminal, line.columns);
	at = 1 + take_words(data + 1, size - 1);
	line_begin(&line);
	for (; at < size; at++) {
		bool is_end = line_key(&line, key_of(data[at]));

		check_text();
		if (is_end)
			line_begin(&line);
		must(terminal.problems == 0, "the terminal cannot do that");
		check_row(terminal.rows[terminal.row]);
	}
	return 0;
}
