/* SPDX-License-Identifier: MIT */
#include <monitor/line.h>

#include <kernel/keys.h>

void line_begin(struct line *l)
{
	l->length = l->cursor = 0;
	l->text[0] = '\0';
	l->write(l->ctx, l->prompt);
}

static void append(struct line *l, char c)
{
	const char echo[] = { c, '\0' };

	if (l->length == MONITOR_LINE_SIZE - 1)
		return;
	l->text[l->length++] = c;
	l->text[l->length] = '\0';
	l->write(l->ctx, echo);
}

bool line_key(struct line *l, int key)
{
	if (key == KEY_ENTER || key == '\n') {
		l->write(l->ctx, "\n");
		return true;
	}
	if (key == KEY_CTRL('C')) {
		l->write(l->ctx, "^C\n");
		line_begin(l);
	} else if (key >= ' ' && key <= '~') {
		append(l, (char)key);
	}
	return false;
}
