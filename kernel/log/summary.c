/* SPDX-License-Identifier: MIT */
#include <kernel/log/summary.h>

#include <stdbool.h>
#include <stddef.h>

#include <kernel/lib/check.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>

enum { DIGEST_LENGTH = 9, MORE_LENGTH = 6, DIGITS = 36, GROUP = 5,
       MARK_LENGTH = 6 };

static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char prefixes[] = " $%*-./:";      /* by value; the first one is no prefix */

struct writer { char *to; unsigned length, most, ids; };

/* Writes the distance to the id before: prefixes, which add multiples of 36, and a digit from 1. */
static bool add_distance(struct writer *w, unsigned distance)
{
	unsigned high = (distance - 1) / DIGITS;

	if (w->length + (high + 6) / 7 + 1 > w->most)
		return false;
	for (; high; high -= high > 7 ? 7 : high)
		w->to[w->length++] = prefixes[high > 7 ? 7 : high];
	w->to[w->length++] = digits[(distance - 1) % DIGITS];
	w->ids++;
	return true;
}

/* Writes "D" and distances: short if few tests have failed. */
static void add_distances(struct writer *w, const struct id_set *failed)
{
	unsigned last = 0;

	w->to[w->length++] = 'D';
	for (unsigned number = 1; number < ID_SET_SIZE; number++) {
		if (!id_set_has(failed, number))
			continue;
		if (!add_distance(w, number - last))
			return;
		last = number;
	}
}

static unsigned last_of(const struct id_set *failed)
{
	unsigned last = ID_SET_SIZE - 1;

	while (last && !id_set_has(failed, last))
		last--;
	return last;
}

/* Writes "B" and a digit for each five numbers: short if many tests have failed. */
static void add_groups(struct writer *w, const struct id_set *failed)
{
	const unsigned last = last_of(failed);

	w->to[w->length++] = 'B';
	for (unsigned first = 1; first <= last && w->length < w->most; first += GROUP) {
		unsigned value = 0;

		for (unsigned i = 0; i < GROUP && first + i <= last; i++) {
			value |= (unsigned)id_set_has(failed, first + i) << i;
			w->ids += id_set_has(failed, first + i);
		}
		w->to[w->length++] = digits[value];
	}
}

/* Adds the text in capitals; characters that QR's alphanumeric mode lacks become a full stop. */
static void add_text(struct writer *w, const char *text)
{
	for (; *text && w->length < w->most; text++) {
		const char c = *text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text;

		w->to[w->length++] = strchr(digits, c) || strchr(prefixes, c) || c == '+' ? c : '.';
	}
}

/* Adds the shorter of both ways, or, if neither has room for all ids, the one with more of them. */
static void add_ids(struct writer *w, const struct id_set *failed)
{
	struct writer few = *w, many = *w;

	add_distances(&few, failed);
	add_groups(&many, failed);
	if (many.ids > few.ids || (many.ids == few.ids && many.length < few.length)) {
		*w = many;
		return;
	}
	add_distances(w, failed);                       /* again, as the groups are over it */
}

void summary_write(char text[SUMMARY_SIZE], unsigned most, const char *head,
                   const struct id_set *failed)
{
	const unsigned all = most < SUMMARY_SIZE ? most : SUMMARY_SIZE - 1;
	struct writer w = { text, 0, all - DIGEST_LENGTH - MORE_LENGTH, 0 };
	struct check sum = { 0, 0 };

	add_text(&w, head);
	if (failed->count && w.length + MARK_LENGTH < w.most) {
		add_text(&w, " IDS ");
		add_ids(&w, failed);
	}
	if (w.ids < failed->count)
		w.length += (unsigned)format_buf(text + w.length, MORE_LENGTH + 1, " +%u",
		                                 failed->count - w.ids);
	for (unsigned i = 0; i < w.length; i++)
		check_add(&sum, text[i]);
	format_buf(text + w.length, DIGEST_LENGTH + 1, " %08" PRIX32, sum.crc);
}
