/* SPDX-License-Identifier: MIT */
#include <kernel/lib/ranges.h>

#include <stddef.h>

#include <kernel/lib/format.h>

bool ranges_next(struct ranges *r)
{
	while (r->next < r->end && !r->has(r->set, r->next))
		r->next++;
	if (r->next >= r->end)
		return false;
	r->first = r->next;
	while (r->next < r->end && r->has(r->set, r->next))
		r->last = r->next++;
	return true;
}

bool ranges_has_bit(const void *set, unsigned number)
{
	return *(const uint64_t *)set >> number & 1;
}

const char *ranges_text(uint64_t set, char text[RANGES_SIZE])
{
	struct ranges r = { .has = ranges_has_bit, .set = &set, .end = 64 };
	size_t used = 0;

	text[0] = '\0';
	while (used < RANGES_SIZE && ranges_next(&r))
		used += (size_t)format_buf(text + used, RANGES_SIZE - used,
		                           r.first < r.last ? "%s%u-%u" : "%s%u",
		                           used ? "," : "", r.first, r.last);
	return text;
}
