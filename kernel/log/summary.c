/* SPDX-License-Identifier: MIT */
#include <kernel/log/summary.h>

#include <stddef.h>

#include <kernel/lib/digit.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>

#define MORE_SIZE  12U                  /* of "\n+NNNN more" and its terminator */

struct writer {
	char *to;
	unsigned length, most;
};

/* Adds the whole text, or nothing. */
static bool add(struct writer *w, const char *text, size_t length)
{
	if (w->length + length > w->most)
		return false;
	memcpy(w->to + w->length, text, length);
	w->length += (unsigned)length;
	w->to[w->length] = '\0';
	return true;
}

/* Adds as much of the text as fits. */
static void add_cut(struct writer *w, const char *text, size_t length)
{
	const size_t room = w->most - w->length;

	add(w, text, length < room ? length : room);
}

/* Finds the last line of the log that begins with `start`, and returns what follows `start`. */
static bool find(const struct warm_log_text *log, const char *start, struct warm_log_text *rest)
{
	const uint32_t length = (uint32_t)strlen(start);

	if (!warm_log_find_last(log, start, rest))
		return false;
	rest->text += length;
	rest->length -= length;
	return true;
}

/* Removes and returns the part of the text before the next separator. */
static struct warm_log_text next(struct warm_log_text *text, char separator)
{
	struct warm_log_text part = *text;

	for (part.length = 0; part.length < text->length; part.length++)
		if (part.text[part.length] == separator)
			break;
	text->text += part.length;
	text->length -= part.length;
	while (text->length && (*text->text == separator || *text->text == ' ')) {
		text->text++;
		text->length--;
	}
	return part;
}

/* Adds the totals that are not 0 of "passed 23, failed 2, errors 0, skipped 0". */
static void add_totals(struct writer *w, const struct warm_log_text *log)
{
	struct warm_log_text totals, part;
	const char *lead = ": ";

	if (!find(log, "# passed ", &totals))
		return;
	totals.text -= strlen("passed ");
	totals.length += (uint32_t)strlen("passed ");
	while ((part = next(&totals, ',')).length) {
		if (part.length > 2 && memcmp(part.text + part.length - 2, " 0", 2) == 0)
			continue;
		add(w, lead, strlen(lead));
		add(w, part.text, part.length);
		lead = ", ";
	}
}

static bool is_word(const struct warm_log_text *part, const char *word)
{
	return part->length == strlen(word) && memcmp(part->text, word, part->length) == 0;
}

static unsigned number_in(const struct warm_log_text *part)
{
	unsigned number = 0;

	for (uint32_t i = 0; i < part->length && digit(part->text[i]) < 10; i++)
		number = number * 10 + digit(part->text[i]);
	return number;
}

/* Adds the ids that fit of "id id id and 12 more", and the number of the others. */
static void add_failed(struct writer *w, const struct warm_log_text *log)
{
	char more[MORE_SIZE];
	struct warm_log_text failed, part;
	unsigned left = 0;
	bool is_full = false;

	if (!find(log, "# failed: ", &failed))
		return;
	while ((part = next(&failed, ' ')).length) {
		if (is_word(&part, "and")) {
			part = next(&failed, ' ');
			left += number_in(&part);
			break;
		}
		is_full = is_full || w->length + part.length + 1 +
		                     (failed.length ? MORE_SIZE - 1 : 0) > w->most;
		if (is_full || !add(w, "\n", 1) || !add(w, part.text, part.length))
			left++;
	}
	if (left)
		add(w, more, (size_t)format_buf(more, sizeof(more), "\n+%u more", left));
}

/* Takes "FAIL" of "FAIL, 2 of the 25 tests that ran": the totals have the numbers. */
static bool find_verdict(const struct warm_log_text *log, struct warm_log_text *verdict)
{
	struct warm_log_text line;

	if (!find(log, "# verdict: ", &line))
		return warm_log_find_last(log, "Bail out! ", verdict);
	*verdict = next(&line, ',');
	return true;
}

bool summary_write(char text[SUMMARY_SIZE], unsigned most, const char *head,
                   const struct warm_log_text *log)
{
	struct writer w = { text, 0, most < SUMMARY_SIZE ? most : SUMMARY_SIZE - 1 };
	struct warm_log_text verdict;

	if (!find_verdict(log, &verdict))
		return false;
	add_cut(&w, head, strlen(head));
	add_cut(&w, "\n", 1);
	add_cut(&w, verdict.text, verdict.length);
	add_totals(&w, log);
	add_failed(&w, log);
	return true;
}
