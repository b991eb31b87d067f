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

static bool is_failed(const struct summary_ids *ids, unsigned number)
{
	return ids->bit[number / 8] >> number % 8 & 1;
}

void summary_add_id(struct summary_ids *ids, unsigned number)
{
	if (number && number < SUMMARY_IDS)
		ids->bit[number / 8] |= (uint8_t)(1 << number % 8);
}

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
static void add_distances(struct writer *w, const struct summary_ids *ids)
{
	unsigned last = 0;

	w->to[w->length++] = 'D';
	for (unsigned number = 1; number < SUMMARY_IDS; number++) {
		if (!is_failed(ids, number))
			continue;
		if (!add_distance(w, number - last))
			return;
		last = number;
	}
}

static unsigned last_of(const struct summary_ids *ids)
{
	unsigned last = SUMMARY_IDS - 1;

	while (last && !is_failed(ids, last))
		last--;
	return last;
}

/* Writes "B" and a digit for each five numbers: short if many tests have failed. */
static void add_groups(struct writer *w, const struct summary_ids *ids)
{
	const unsigned last = last_of(ids);

	w->to[w->length++] = 'B';
	for (unsigned first = 1; first <= last && w->length < w->most; first += GROUP) {
		unsigned value = 0;

		for (unsigned i = 0; i < GROUP && first + i <= last; i++) {
			value |= (unsigned)is_failed(ids, first + i) << i;
			w->ids += is_failed(ids, first + i);
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
static void add_ids(struct writer *w, const struct summary_ids *ids)
{
	struct writer few = *w, many = *w;

	add_distances(&few, ids);
	add_groups(&many, ids);
	if (many.ids > few.ids || (many.ids == few.ids && many.length < few.length)) {
		*w = many;
		return;
	}
	add_distances(w, ids);                          /* again, as the groups are over it */
}

void summary_write(char text[SUMMARY_SIZE], unsigned most, const char *head,
                   const struct summary_ids *ids)
{
	const unsigned all = most < SUMMARY_SIZE ? most : SUMMARY_SIZE - 1;
	struct writer w = { text, 0, all - DIGEST_LENGTH - MORE_LENGTH, 0 };
	struct check sum = { 0, 0 };

	add_text(&w, head);
	if (ids->count && w.length + MARK_LENGTH < w.most) {
		add_text(&w, " IDS ");
		add_ids(&w, ids);
	}
	if (w.ids < ids->count)
		w.length += (unsigned)format_buf(text + w.length, MORE_LENGTH + 1, " +%u",
		                                 ids->count - w.ids);
	for (unsigned i = 0; i < w.length; i++)
		check_add(&sum, text[i]);
	format_buf(text + w.length, DIGEST_LENGTH + 1, " %08" PRIX32, sum.crc);
}
