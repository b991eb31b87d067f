/* SPDX-License-Identifier: MIT */
/* The tab key: what all words that fit have in common; the second time in a row, all of them. */
#include <monitor/prompt/line.h>

#include <stddef.h>

#include <kernel/lib/string.h>

/* The words that fit what was typed. */
struct matches {
	char typed[MONITOR_LINE_SIZE]; /* the line up to the cursor */
	const char *begin;             /* of its last word */
	unsigned count, longest;       /* how many fit, and the length of the longest */
	char common[MONITOR_LINE_SIZE];/* how all of them begin */
};

static char small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* How far they are the same, whatever the case. */
static unsigned common_length(const char *a, const char *b)
{
	unsigned i = 0;

	while (a[i] && small(a[i]) == small(b[i]))
		i++;
	return i;
}

static bool is_match(const struct matches *m, const char *word)
{
	return m->begin[common_length(m->begin, word)] == '\0' && strlen(word) < MONITOR_LINE_SIZE;
}

static void add(struct matches *m, const char *word)
{
	unsigned length = (unsigned)strlen(word);

	if (m->count++ == 0)
		memcpy(m->common, word, length + 1);
	m->common[common_length(m->common, word)] = '\0';
	if (length > m->longest)
		m->longest = length;
}

static void find_all(const struct line *l, struct matches *m)
{
	const char *word;

	m->count = m->longest = 0;
	m->common[0] = '\0';
	memcpy(m->typed, l->text, l->cursor);
	m->typed[l->cursor] = '\0';
	m->begin = m->typed + l->cursor;
	while (m->begin > m->typed && m->begin[-1] != ' ')
		m->begin--;
	for (unsigned n = 0; (word = l->complete(l->ctx, m->typed, n)) != NULL; n++)
		if (is_match(m, word))
			add(m, word);
}

/* In columns, below the line, which is then shown again below them. */
static void list_all(struct line *l, const struct matches *m)
{
	const unsigned width = m->longest + 2, columns = l->columns ? l->columns : LINE_COLUMNS;
	unsigned column = 0;
	const char *word;

	l->write(l->ctx, "\n");
	for (unsigned n = 0; (word = l->complete(l->ctx, m->typed, n)) != NULL; n++) {
		if (!is_match(m, word))
			continue;
		if (column && (column + width - 1) / width * width + m->longest >= columns) {
			l->write(l->ctx, "\n");
			column = 0;
		}
		for (; column % width; column++)
			l->write(l->ctx, " ");
		l->write(l->ctx, word);
		column += (unsigned)strlen(word);
	}
	l->write(l->ctx, "\n");
	line_show_all(l);
}

static bool is_open(const char *word)
{
	char last = word[0] ? word[strlen(word) - 1] : '.';

	return last == '.' || last == ':' || last == '=';
}

/* Nothing of what was typed is taken away. */
static void take_common(struct line *l, const struct matches *m)
{
	const unsigned from = (unsigned)(m->begin - m->typed);

	line_replace(l, from, l->cursor, m->common);
	if (m->count != 1 || is_open(m->common))
		return;
	if (l->text[l->cursor] == ' ')
		l->cursor++;
	else
		line_replace(l, l->cursor, l->cursor, " ");
}

void line_complete(struct line *l)
{
	struct matches m;

	if (!l->complete)
		return;
	find_all(l, &m);
	if (m.count > 1 && strlen(m.common) == strlen(m.begin)) {
		if (l->is_tabbed)
			list_all(l, &m);
		l->is_tabbed = true;
	} else if (m.count) {
		take_common(l, &m);
		l->is_tabbed = false;
	}
}
