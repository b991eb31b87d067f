/* SPDX-License-Identifier: MIT */
/* Changes what was typed. */
#include <monitor/prompt/line.h>

#include <kernel/lib/string.h>

void line_replace(struct line *l, unsigned from, unsigned to, const char *text)
{
	unsigned added = (unsigned)strlen(text);

	if (l->length - (to - from) + added >= MONITOR_LINE_SIZE)
		return;
	memmove(l->text + from + added, l->text + to, l->length - to + 1);
	memcpy(l->text + from, text, added);
	l->length += added - (to - from);
	l->cursor = from + added;
}
