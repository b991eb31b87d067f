/* SPDX-License-Identifier: MIT */
/*
 * This host program prints the words of the kernel's command line: first the keys, then a line for
 * each word, with tabs between the cells. The exit status is 1 if the kernel does not take an
 * example of its own.
 */
#include <inttypes.h>
#include <stdio.h>

#include <kernel/run/cmdline.h>

static const char *text(const char *may_be_null)
{
	return may_be_null ? may_be_null : "";
}

static void print_word(const struct cmdline_word *word)
{
	printf("%s\t%s\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%s\t%s\t%s\n", word->name,
	       text(word->value), word->least, word->most, word->multiple, word->help,
	       text(word->about), text(word->example));
}

static int is_wrong(const struct cmdline_word *word)
{
	static struct cmdline c;

	cmdline_parse(&c, text(word->example), false);
	if (c.problem[0])
		fprintf(stderr, "the example of %s: %s\n", word->name, c.problem);
	return c.problem[0] != '\0';
}

int main(void)
{
	int wrong = 0;

	printf("name\tvalue\tleast\tmost\tmultiple\thelp\tabout\texample\n");
	for (unsigned i = 0; i < cmdline_word_count; i++) {
		if (!cmdline_words[i].help)
			continue;
		print_word(&cmdline_words[i]);
		wrong |= is_wrong(&cmdline_words[i]);
	}
	return wrong;
}
