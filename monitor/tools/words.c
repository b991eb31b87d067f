/* SPDX-License-Identifier: MIT */
/* Parses a line's words and numbers; links without the kernel, except monitor_fail(). */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <kernel/lib/digit.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool words_split(struct words *w, char *text)
{
	w->command = NULL;
	w->count = 0;
	while (*text) {
		if (is_blank(*text)) {
			*text++ = '\0';
			continue;
		}
		if (w->count == MONITOR_WORDS_MAX)
			return false;
		w->word[w->count++] = text;
		while (*text && !is_blank(*text))
			text++;
	}
	return true;
}

void words_fail(const struct words *w)
{
	const struct monitor_command *c = w->command;

	monitor_fail("it is %s%s%s (\"help %s\" has an example)", c->name, *c->syntax ? " " : "",
	             c->syntax, c->name);
}

void words_expect(const struct words *w, unsigned least, unsigned most)
{
	if (w->count - 1 < least || w->count - 1 > most)
		words_fail(w);
}

/* Parses the digits from text to end. */
static bool is_in_base(const char *text, const char *end, unsigned base, uint64_t *number)
{
	const uint64_t most = base == 16 ? UINT64_MAX / 16 : UINT64_MAX / 10;
	uint64_t value = 0;

	if (text == end)
		return false;
	for (; text < end; text++) {
		if (digit(*text) >= base || value > most
		    || value * base > UINT64_MAX - digit(*text))
			return false;
		value = value * base + digit(*text);
	}
	*number = value;
	return true;
}

bool words_is_number(const char *text, uint64_t *number)
{
	const char *end = text + strlen(text);

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return is_in_base(text + 2, end, 16, number);
	if (end > text && (end[-1] == 'h' || end[-1] == 'H'))
		return is_in_base(text, end - 1, 16, number);
	return is_in_base(text, end, 10, number);
}

uint64_t words_number(const struct words *w, unsigned i, const char *what, uint64_t first,
                      uint64_t last)
{
	uint64_t number;

	if (i >= w->count)
		monitor_fail("%s is missing", what);
	if (!words_is_number(w->word[i], &number))
		monitor_fail("%s: %s is not a number; numbers are 31, 0x1F or 1FH", what,
		             w->word[i]);
	if (number < first || number > last)
		monitor_fail("%s: %s is not from %" PRIu64 " to %" PRIu64, what, w->word[i], first,
		             last);
	return number;
}
