/* SPDX-License-Identifier: MIT */
#include <kernel/lib/ranges.h>

#include <stddef.h>

#include <kernel/lib/format.h>

const char *ranges_text(uint64_t set, char text[RANGES_SIZE])
{
	size_t used = 0;

	text[0] = '\0';
	for (unsigned first = 0; first < 64 && used < RANGES_SIZE; first++) {
		unsigned last = first;

		if (!(set >> first & 1))
			continue;
		while (last < 63 && set >> (last + 1) & 1)
			last++;
		used += (size_t)format_buf(text + used, RANGES_SIZE - used,
		                           first < last ? "%s%u-%u" : "%s%u", used ? "," : "",
		                           first, last);
		first = last;
	}
	return text;
}
