/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/events/event_run.h>

const char *event_row_next_name(const char *names, char *name, size_t size)
{
	size_t n = 0;

	if (*names == '\0')
		return NULL;
	for (; names[n] && names[n] != '|' && n + 1 < size; n++)
		name[n] = names[n];
	name[n] = '\0';
	return names + n + (names[n] == '|');
}
