/* SPDX-License-Identifier: MIT */
#include <kernel/input/pager.h>

#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/cpu/self.h>
#include <kernel/console/console.h>
#include <kernel/console/screen.h>
#include <kernel/input/keys.h>

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
 * Handles a key; the row that the prompt covers does not count as seen. Returns false if the user
 * wants no more text.
 */
static bool obey(struct screen *s, int key, bool *is_done)
{
	*is_done = true;
	switch (key) {
	case ' ':
	case KEY_PAGE_DOWN:
		s->seen = s->rows > 1 ? s->rows - 1 : 1;
		return true;
	case KEY_ENTER:
	case KEY_DOWN:
		s->seen = 1;
		return true;
	case 'q':
	case 'Q':
	case KEY_CTRL('C'):
		return false;
	default:
		*is_done = false;
		return true;
	}
}

static bool hold(struct screen *s)
{
	bool is_done = false, is_wanted = true;

	screen_cover(s, "-- more -- blank: a page, Enter: a line, q: enough ");
	is_waiting = true;
	while (!is_done)
		is_wanted = obey(s, wait_for_key(), &is_done);
	is_waiting = false;
	screen_uncover(s);
	return is_wanted;
}

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

	if (!s)
		return;
	screen_go_on(s);
	s->hold = NULL;
}
