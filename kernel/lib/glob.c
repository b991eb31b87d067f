/* SPDX-License-Identifier: MIT */
#include <kernel/lib/glob.h>

#include <stddef.h>

static bool matches_one(char pattern, char c)
{
	return c && (pattern == '?' || pattern == c);
}

/*
 * Only the last star is ever extended: whatever an earlier star could match in addition, the last
 * one can match as well. So no recursion is needed.
 */
bool glob_is_match(const char *pattern, const char *text)
{
	const char *after_star = NULL;  /* the pattern from here must match ... */
	const char *resume = NULL;      /* ... the text from here */

	while (*text || *pattern) {
		if (*pattern == '*') {
			after_star = ++pattern;
			resume = text;
		} else if (matches_one(*pattern, *text)) {
			pattern++;
			text++;
		} else if (after_star && *resume) {
			pattern = after_star;
			text = ++resume;
		} else {
			return false;
		}
	}
	return true;
}
