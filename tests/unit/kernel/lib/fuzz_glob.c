/* SPDX-License-Identifier: MIT */
/* LINK: kernel/lib/glob.c */
/* Compares glob_is_match() with the textbook's table; input: pattern, newline, text. */
#include <kernel/lib/glob.h>

#include <string.h>

#include <tests/unit/fuzz.h>

enum { SIZE_MAX_EACH = 128 };

/* matched[j] says that the pattern's characters so far match the first j of the text. */
static bool is_match_by_table(const char *pattern, const char *text)
{
	size_t length = strlen(text);
	bool matched[SIZE_MAX_EACH + 1] = { true };

	for (; *pattern; pattern++) {
		bool before = matched[0];       /* of the row above, left of j */

		matched[0] = matched[0] && *pattern == '*';
		for (size_t j = 1; j <= length; j++) {
			bool above = matched[j];

			if (*pattern == '*')
				matched[j] = above || matched[j - 1];
			else
				matched[j] = before && (*pattern == '?' || *pattern == text[j - 1]);
			before = above;
		}
	}
	return matched[length];
}

static char *copy_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *newline = size ? memchr(data, '\n', size) : NULL;
	size_t pattern_size = newline ? (size_t)(newline - data) : size;
	size_t text_size = newline ? size - pattern_size - 1 : 0;
	char *pattern, *text;

	if (pattern_size > SIZE_MAX_EACH || text_size > SIZE_MAX_EACH)
		return 0;
	pattern = copy_text(data, pattern_size);
	text = copy_text(newline ? newline + 1 : data, text_size);
	if (glob_is_match(pattern, text) != is_match_by_table(pattern, text))
		abort();
	free(pattern);
	free(text);
	return 0;
}
