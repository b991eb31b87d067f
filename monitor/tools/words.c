/* SPDX-License-Identifier: MIT */
/* Parses a line's words and numbers; links without the kernel, except monitor_fail(). */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <kernel/lib/format.h>
#include <monitor/tools/expression.h>

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

bool words_is_number(const char *text, uint64_t *number)
{
	struct expression e;

	if (expression_parse(text, &e))
		return false;
	*number = expression_bits(&e);
	return true;
}

uint64_t words_number(const struct words *w, unsigned i, const char *what, uint64_t first,
                      uint64_t last)
{
	const char *problem;
	struct expression e;

	if (i >= w->count)
		monitor_fail("%s is missing", what);
	problem = expression_parse(w->word[i], &e);
	if (problem)
		monitor_fail("%s: %s %s", what, w->word[i], problem);
	if (e.is_negative || e.magnitude < first || e.magnitude > last)
		monitor_fail("%s: %s is not from %" PRIu64 " to %" PRIu64, what, w->word[i], first,
		             last);
	return e.magnitude;
}
