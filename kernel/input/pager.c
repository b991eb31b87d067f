/* SPDX-License-Identifier: MIT */
#include <kernel/input/pager.h>

#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/cpu/self.h>
#include <kernel/console/console.h>
#include <kernel/console/screen.h>
#include <kernel/input/keys.h>
#include <kernel/lib/string.h>

static SHARED volatile bool is_waiting;
static SHARED void (*waiting_hook)(void);

bool pager_is_waiting(void)
{
	return is_waiting;
}

static int wait_for_key(void)
{
	int key;

	while ((key = keys_get()) == KEY_NONE) {
		if (waiting_hook)
			waiting_hook();
		cpu_pause();
	}
	return key;
}

/*
 * Waits for a key that the prompt names; returns how many rows it asks for. A character that it
 * does not name is the first one of the next command: who knows enough types on.
 */
static unsigned wanted_rows(unsigned page)
{
	for (;;) {
		const int key = wait_for_key();

		switch (key) {
		case ' ':
		case KEY_PAGE_DOWN:
			return page;
		case KEY_ENTER:
		case '\n':
		case KEY_DOWN:
			return 1;
		case 'q':
		case 'Q':
		case KEY_CTRL('C'):
			return 0;
		}
		if (key > ' ' && key <= '~') {
			keys_give_back(key);
			return 0;
		}
	}
}

static const char question[] = "-- more -- blank: a page, Enter: a line, q: enough ";

/* The row that the prompt covers does not count as seen. */
static bool hold(struct screen *s)
{
	screen_cover(s, question);
	is_waiting = true;
	s->seen = wanted_rows(s->rows > 1 ? s->rows - 1 : 1);
	is_waiting = false;
	screen_uncover(s);
	return s->seen > 0;
}

/* ---------------------------------------------------------------------------- a line's terminal */

static SHARED struct console_page page;

static void write_row(struct flow *f, const char *text)
{
	for (unsigned column = 1; *text && column < f->columns; column++)
		f->put(f->ctx, *text++);
}

/* The question is written over by blanks, as not every terminal can erase. */
static unsigned hold_line(struct flow *f)
{
	char blanks[sizeof(question)];
	unsigned rows;

	memset(blanks, ' ', sizeof(blanks) - 1);
	blanks[sizeof(blanks) - 1] = '\0';
	write_row(f, question);
	is_waiting = true;
	rows = wanted_rows(f->rows);
	is_waiting = false;
	f->put(f->ctx, '\r');
	write_row(f, blanks);
	f->put(f->ctx, '\r');
	return rows;
}

void pager_set_page(unsigned columns, unsigned rows)
{
	page = (struct console_page){ columns, rows - 1, columns ? hold_line : NULL };
}

unsigned pager_columns(void)
{
	return page.columns;
}

void pager_flow_begin(void)
{
	console_flow_begin(&page);
}

/* ---------------------------------------------------------------------------- both */

void pager_begin(void (*while_waiting)(void))
{
	bool is_alone;
	struct screen *s = console_screen(&is_alone);

	is_waiting = false;             /* the command may have been aborted while it waited */
	waiting_hook = while_waiting;
	if (!s || !is_alone)
		return;
	screen_go_on(s);
	if (!s->hold)
		screen_mark_seen(s);
	s->hold = hold;
}

void pager_end(void)
{
	bool is_alone;
	struct screen *s = console_screen(&is_alone);

	console_flow_end();
	if (!s)
		return;
	screen_go_on(s);
	s->hold = NULL;
}
