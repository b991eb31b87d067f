/* SPDX-License-Identifier: MIT */
/*
 * Handles the tab key: adds what all matching words have in common or, the second time in a row,
 * lists them.
 */
#include <monitor/prompt/line.h>

#include <stddef.h>

#include <kernel/lib/string.h>

/* Describes what was typed, and the words that match its last one. */
struct matches {
	char text[MONITOR_LINE_SIZE];  /* the line up to the cursor */
	struct words typed;            /* its words */
	const char *begin;             /* the last one, which is empty after a blank */
	unsigned count, longest;       /* how many match, and the length of the longest */
	char common[MONITOR_LINE_SIZE];/* their common beginning */
};

/* Returns false if there are too many words. */
static bool has_split(const struct line *l, struct matches *m)
{
	memcpy(m->text, l->text, l->cursor);
	m->text[l->cursor] = '\0';
	if (!words_split(&m->typed, m->text))
		return false;
	if (l->cursor == 0 || l->text[l->cursor - 1] == ' ') {
		if (m->typed.count == MONITOR_WORDS_MAX)
			return false;
		m->typed.word[m->typed.count++] = m->text + l->cursor;
	}
	m->begin = m->typed.word[m->typed.count - 1];
	return true;
}

static char small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Returns the length of the common beginning, ignoring case. */
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
	for (unsigned n = 0; (word = l->complete(l->ctx, &m->typed, n)) != NULL; n++)
		if (is_match(m, word))
			add(m, word);
}

/* Lists the words in columns below the line, then shows the line again below them. */
static void list_all(struct line *l, const struct matches *m)
{
	const unsigned width = l->longest + 2, columns = l->columns ? l->columns : LINE_COLUMNS;
	unsigned column = 0;
	const char *word;

	l->write(l->ctx, "\n");
	for (unsigned n = 0; (word = l->complete(l->ctx, &m->typed, n)) != NULL; n++) {
		if (!is_match(m, word))
			continue;
		if (column && (column + width - 1) / width * width + l->longest >= columns) {
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

/* Never removes anything that was typed. */
static void take_common(struct line *l, const struct matches *m)
{
	const unsigned from = (unsigned)(m->begin - m->text);

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

	if (!l->complete || !has_split(l, &m))
		return;
	if (l->longest) {
		list_all(l, &m);
		return;
	}
	find_all(l, &m);
	if (m.count > 1 && strlen(m.common) == strlen(m.begin))
		l->longest = m.longest;
	else if (m.count)
		take_common(l, &m);
}
