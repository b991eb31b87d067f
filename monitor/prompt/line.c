/* SPDX-License-Identifier: MIT */
/* Edits the line: what each key does. */
#include <monitor/prompt/line.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/input/keys.h>
#include <kernel/lib/string.h>

static void clear(struct line *l)
{
	l->length = l->cursor = 0;
	l->text[0] = '\0';
	l->history_at = 0;
}

void line_begin(struct line *l)
{
	clear(l);
	l->longest = 0;
	line_show_all(l);
}

/* ---------------------------------------------------------------------------- history */

static char *history_entry(struct line *l, unsigned back)
{
	return l->history[(l->history_count - back) % LINE_HISTORY];
}

static void keep_in_history(struct line *l)
{
	unsigned blanks = 0;

	while (l->text[blanks] == ' ')
		blanks++;
	if (l->text[blanks] == '\0')
		return;
	if (l->history_count && strcmp(history_entry(l, 1), l->text) == 0)
		return;
	memcpy(l->history[l->history_count++ % LINE_HISTORY], l->text, l->length + 1);
}

static void go_back_to(struct line *l, unsigned back)
{
	if (l->history_at == 0)
		memcpy(l->draft, l->text, l->length + 1);
	l->history_at = back;
	line_replace(l, 0, l->length, back ? history_entry(l, back) : l->draft);
}

static void go_up(struct line *l)
{
	if (l->history_at < l->history_count && l->history_at < LINE_HISTORY)
		go_back_to(l, l->history_at + 1);
}

static void go_down(struct line *l)
{
	if (l->history_at)
		go_back_to(l, l->history_at - 1);
}

/* ---------------------------------------------------------------------------- editing */

static void go_left(struct line *l)        { l->cursor -= l->cursor > 0; }
static void go_right(struct line *l)       { l->cursor += l->cursor < l->length; }
static void go_home(struct line *l)        { l->cursor = 0; }
static void go_end(struct line *l)         { l->cursor = l->length; }
static void erase_to_end(struct line *l)   { line_replace(l, l->cursor, l->length, ""); }
static void erase_to_begin(struct line *l) { line_replace(l, 0, l->cursor, ""); }

static void erase_here(struct line *l)
{
	line_replace(l, l->cursor, l->cursor + (l->cursor < l->length), "");
}

static void erase_left(struct line *l)
{
	line_replace(l, l->cursor - (l->cursor > 0), l->cursor, "");
}

static void erase_word(struct line *l)
{
	unsigned from = l->cursor;

	while (from > 0 && l->text[from - 1] == ' ')
		from--;
	while (from > 0 && l->text[from - 1] != ' ')
		from--;
	line_replace(l, from, l->cursor, "");
}

static void start_again(struct line *l)
{
	go_end(l);
	line_show(l);
	l->write(l->ctx, "^C\n");
	line_begin(l);
}

static const struct { int key; void (*act)(struct line *l); } bindings[] = {
	{ KEY_LEFT,      go_left },        { KEY_CTRL('B'), go_left },
	{ KEY_RIGHT,     go_right },       { KEY_CTRL('F'), go_right },
	{ KEY_HOME,      go_home },        { KEY_CTRL('A'), go_home },
	{ KEY_END,       go_end },         { KEY_CTRL('E'), go_end },
	{ KEY_UP,        go_up },          { KEY_CTRL('P'), go_up },
	{ KEY_DOWN,      go_down },        { KEY_CTRL('N'), go_down },
	{ KEY_DELETE,    erase_here },     { KEY_CTRL('D'), erase_here },
	{ KEY_BACKSPACE, erase_left },     { 0x7f,          erase_left },
	{ KEY_CTRL('K'), erase_to_end },   { KEY_CTRL('U'), erase_to_begin },
	{ KEY_CTRL('W'), erase_word },     { KEY_CTRL('C'), start_again },
	{ KEY_CTRL('L'), line_show_again },       { KEY_TAB,       line_complete },
};

static void act(struct line *l, int key)
{
	const char typed[] = { (char)key, '\0' };

	if (key >= ' ' && key <= '~') {
		line_replace(l, l->cursor, l->cursor, typed);
		return;
	}
	for (size_t i = 0; i < COUNT_OF(bindings); i++)
		if (bindings[i].key == key)
			bindings[i].act(l);
}

bool line_key(struct line *l, int key)
{
	const bool is_quit = key == KEY_CTRL('D') && l->length == 0;
	const bool is_end = is_quit || key == KEY_ENTER || key == '\n';

	if (is_quit)
		line_replace(l, 0, 0, LINE_QUIT);
	if (is_end)
		go_end(l);
	else
		act(l, key);
	if (key != KEY_TAB)
		l->longest = 0;
	line_show(l);
	if (is_end) {
		keep_in_history(l);
		l->write(l->ctx, "\n");
	}
	return is_end;
}
