/* SPDX-License-Identifier: MIT */
/* Finds masks by name. Nothing here depends on this processor. */
#include <pmu/events/events.h>

#include <stddef.h>

#include <kernel/lib/string.h>

/* Returns the mask whose name is the first length characters of text. */
static const struct pmu_event_mask *find(const struct pmu_event *e, const char *text, size_t length)
{
	for (unsigned i = 0; i < PMU_EVENT_MASKS_MAX && e->masks[i].name; i++)
		if (strlen(e->masks[i].name) == length
		    && memcmp(e->masks[i].name, text, length) == 0)
			return &e->masks[i];
	return NULL;
}

bool pmu_event_mask(const struct pmu_event *e, const char *mask, uint8_t *bits)
{
	const struct pmu_event_mask *m;
	size_t length;

	*bits = mask ? 0 : e->umask;
	for (bool is_more = mask != NULL; is_more; mask += length + 1) {
		for (length = 0; mask[length] && mask[length] != '+'; length++)
			;
		is_more = mask[length] == '+';
		m = find(e, mask, length);
		if (!m || (is_more && e->is_enumerated))
			return false;
		*bits = (uint8_t)(*bits | m->bits);
	}
	return true;
}
