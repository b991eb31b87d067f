/* SPDX-License-Identifier: MIT */
#include <pmu/events/event_text.h>

#include <arch/regs/table.h>
#include <kernel/lib/digit.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <pmu/core/program.h>

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

/* Returns true if the first `length` characters of a begin b, ignoring case. */
static bool is_prefix(const char *a, const char *b, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!b[i] || upper(a[i]) != upper(b[i]))
			return false;
	return true;
}

static bool is_word(const char *a, size_t length, const char *b)
{
	return strlen(b) == length && is_prefix(a, b, length);
}

bool event_text_is_same(const char *a, const char *b)
{
	return is_word(a, strlen(a), b);
}

bool event_text_begins(const char *text, const char *start)
{
	return is_prefix(start, text, strlen(start));
}

bool event_text_has(const char *text, const char *word)
{
	for (; *text; text++)
		if (is_prefix(word, text, strlen(word)))
			return true;
	return *word == '\0';
}

bool event_text_is_raw(const char *text, uint16_t *event)
{
	size_t length = strlen(text);
	unsigned value = 0;

	if (upper(text[0]) != 'R' || length < 2 || length > 5)
		return false;
	for (size_t i = 1; i < length; i++) {
		if (digit(text[i]) > 15)
			return false;
		value = value << 4 | digit(text[i]);
	}
	*event = (uint16_t)value;
	return true;
}

/* ---------------------------------------------------------------------------- pieces */

/* Appends `length` characters in capitals after a '+'. Returns false if there is no room. */
static bool add_mask(struct event_text *t, const char *text, size_t length)
{
	size_t at = strlen(t->masks);

	if (at + 1 + length >= sizeof(t->masks))
		return false;
	if (at)
		t->masks[at++] = '+';
	for (size_t i = 0; i < length; i++)
		t->masks[at++] = upper(text[i]);
	t->masks[at] = '\0';
	return true;
}

static bool take_mask(struct event_text *t, const char *text, size_t length, char *problem,
                      size_t size)
{
	if (length == 0) {
		format_buf(problem, size, "%s: a mask's name, u or k is missing after a colon",
		           t->event);
		return false;
	}
	if (is_word(text, length, "u")) {
		t->flags |= PMU_USR;
		return true;
	}
	if (is_word(text, length, "k")) {
		t->flags |= PMU_OS;
		return true;
	}
	if (add_mask(t, text, length))
		return true;
	format_buf(problem, size, "%s: the names of its masks are longer than %d characters",
	           t->event, EVENT_TEXT_TEXT_SIZE - 1);
	return false;
}

/* Parses a decimal number from 0 to 255. */
static bool take_number(const char *text, size_t length, uint8_t *number)
{
	unsigned value = 0;

	for (size_t i = 0; i < length; i++) {
		if (digit(text[i]) > 9 || value > 255)
			return false;
		value = value * 10 + digit(text[i]);
	}
	*number = (uint8_t)value;
	return length > 0 && value <= 255;
}

static const struct { const char *name; unsigned flag; } options[] = {
	{ "inv", PMU_INV }, { "edge", PMU_EDGE }, { "any", PMU_ANY },
};
enum { OPTIONS = COUNT_OF(options), CMASK_LENGTH = 6 };

static bool take_option(struct event_text *t, const char *text, size_t length, char *problem,
                        size_t size)
{
	for (unsigned i = 0; i < OPTIONS; i++) {
		if (!is_word(text, length, options[i].name))
			continue;
		t->flags |= options[i].flag;
		return true;
	}
	if (length < CMASK_LENGTH || !is_prefix("cmask=", text, CMASK_LENGTH)) {
		format_buf(problem, size, "%s: there is no option %.*s; there are cmask=N, inv, "
		           "edge, any", t->event, (int)length, text);
		return false;
	}
	if (take_number(text + CMASK_LENGTH, length - CMASK_LENGTH, &t->cmask))
		return true;
	format_buf(problem, size, "%s: %.*s is not a number from 0 to 255", t->event, (int)length,
	           text);
	return false;
}

/* ---------------------------------------------------------------------------- the whole text */

static size_t length_until(const char *text, const char *ends)
{
	size_t length = 0;

	while (text[length] && !strchr(ends, text[length]))
		length++;
	return length;
}

bool event_text_is_option(const char *text)
{
	const size_t length = length_until(text, ",");

	for (unsigned i = 0; i < OPTIONS; i++)
		if (is_word(text, length, options[i].name))
			return true;
	return length_until(text, "=") < length;
}

static bool take_event(struct event_text *t, const char *text, size_t length, char *problem,
                       size_t size)
{
	if (length == 0) {
		format_buf(problem, size, "\"%s\" does not begin with the name of an event", text);
		return false;
	}
	if (length >= sizeof(t->event)) {
		format_buf(problem, size, "\"%.32s...\" is longer than every event's name", text);
		return false;
	}
	memcpy(t->event, text, length);
	t->event[length] = '\0';
	return true;
}

bool event_text_parse(struct event_text *t, const char *text, char *problem, size_t size)
{
	size_t length = length_until(text, ":,");

	*t = (struct event_text){ .flags = 0 };
	if (!take_event(t, text, length, problem, size))
		return false;
	for (text += length; *text; text += length) {
		const bool is_option = *text++ == ',';

		length = length_until(text, is_option ? "," : ":,");
		if (is_option ? !take_option(t, text, length, problem, size)
		              : !take_mask(t, text, length, problem, size))
			return false;
	}
	if (!(t->flags & (unsigned)PMU_BOTH))
		t->flags |= PMU_BOTH;
	return true;
}

void event_text_write(const struct event_text *t, const char *event, char *buffer)
{
	char cmask[12] = "";
	unsigned rings = t->flags & (unsigned)PMU_BOTH;

	if (t->cmask)
		format_buf(cmask, sizeof(cmask), ",cmask=%u", t->cmask);
	format_buf(buffer, EVENT_TEXT_TEXT_SIZE, "%s%s%s%s%s%s%s%s", event, t->masks[0] ? ":" : "",
	           t->masks, rings == PMU_USR ? ":u" : rings == PMU_OS ? ":k" : "", cmask,
	           t->flags & PMU_INV ? ",inv" : "", t->flags & PMU_EDGE ? ",edge" : "",
	           t->flags & PMU_ANY ? ",any" : "");
}
