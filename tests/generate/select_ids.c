/* SPDX-License-Identifier: MIT */
/*
 * select ID...: prints for each line of standard input, the words of a command line, the ids that
 * the kernel chooses, with blanks between.
 */
#include <stdio.h>
#include <string.h>

#include <kernel/run/cmdline.h>

int main(int count, char **ids)
{
	static struct cmdline words;
	char line[CMDLINE_SIZE];

	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		cmdline_parse(&words, line, false);
		if (words.problem[0]) {
			fprintf(stderr, "%s: %s\n", line, words.problem);
			return 1;
		}
		for (int i = 1; i < count; i++)
			if (cmdline_is_selected(&words, ids[i]))
				printf("%s ", ids[i]);
		printf("\n");
	}
	return 0;
}
