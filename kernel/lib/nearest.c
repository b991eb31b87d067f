/* SPDX-License-Identifier: MIT */
#include <kernel/lib/nearest.h>

#include <stdbool.h>

#include <kernel/lib/format.h>
#include <kernel/lib/string.h>

void nearest_begin(struct nearest *n, const char *typed)
{
	n->typed = typed;
	n->count = 0;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 32) : c;
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Computes Levenshtein's distance row by row; both names are shorter than NEAREST_NAME_SIZE. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[NEAREST_NAME_SIZE];
	const unsigned width = (unsigned)strlen(b);

	for (unsigned j = 0; j <= width; j++)
		row[j] = j;
	for (unsigned i = 0; a[i]; i++) {
		unsigned diagonal = row[0]++;

		for (unsigned j = 0; j < width; j++) {
			const unsigned replaced = diagonal + (lower(a[i]) != lower(b[j]));

			diagonal = row[j + 1];
			row[j + 1] = least(replaced, 1 + least(diagonal, row[j]));
		}
	}
	return row[width];
}

static void insert(struct nearest *n, const char *known, unsigned far)
{
	unsigned at = n->count < NEAREST_MOST ? n->count++ : NEAREST_MOST - 1;

	for (; at > 0 && n->distance[at - 1] > far; at--) {
		n->distance[at] = n->distance[at - 1];
		memcpy(n->name[at], n->name[at - 1], NEAREST_NAME_SIZE);
	}
	n->distance[at] = far;
	format_buf(n->name[at], NEAREST_NAME_SIZE, "%s", known);
}

static bool is_kept(const struct nearest *n, const char *known)
{
	for (unsigned i = 0; i < n->count; i++)
		if (strcmp(n->name[i], known) == 0)
			return true;
	return false;
}

void nearest_try(struct nearest *n, const char *known)
{
	const size_t typed = strlen(n->typed), length = strlen(known);
	unsigned far;

	if (typed >= NEAREST_NAME_SIZE || length >= NEAREST_NAME_SIZE || is_kept(n, known))
		return;
	far = distance(n->typed, known);
	if (far > typed / 3 || (n->count == NEAREST_MOST && n->distance[NEAREST_MOST - 1] <= far))
		return;
	insert(n, known, far);
}

const char *nearest_text(const struct nearest *n, char *text)
{
	int used = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < n->count; i++)
		used += format_buf(text + used, NEAREST_TEXT_SIZE - (size_t)used, "%s%s",
		                   i == 0 ? " (did you mean " : i + 1 < n->count ? ", " : " or ",
		                   n->name[i]);
	if (n->count)
		format_buf(text + used, NEAREST_TEXT_SIZE - (size_t)used, "?)");
	return text;
}
