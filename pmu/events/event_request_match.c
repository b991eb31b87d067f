/* SPDX-License-Identifier: MIT */
/* Matches requests with counters along paths that move earlier requests (Kuhn's algorithm). */
#include <pmu/events/event_request.h>

enum { COUNTERS = 64, FREE = EVENT_REQUESTS_MAX };

struct matching {
	const uint64_t *counters;
	unsigned owner[COUNTERS];      /* the request that has this counter, or FREE */
	uint64_t seen;                 /* counters that this path has tried */
};

/*
 * Tries fixed counters first: each counts only one event, so the general ones stay free for others.
 */
static unsigned nth(unsigned n) { return (n + PMU_FIXED) % COUNTERS; }

/* Takes a free counter, if there is one, so that earlier requests keep theirs. */
static bool find_free(struct matching *m, unsigned request)
{
	for (unsigned n = 0; n < COUNTERS; n++) {
		if (!(m->counters[request] >> nth(n) & 1) || m->owner[nth(n)] != FREE)
			continue;
		m->owner[nth(n)] = request;
		return true;
	}
	return false;
}

static bool find(struct matching *m, unsigned request)
{
	if (find_free(m, request))
		return true;
	for (unsigned n = 0; n < COUNTERS; n++) {
		const unsigned c = nth(n);

		if (!(m->counters[request] >> c & 1) || (m->seen >> c & 1))
			continue;
		m->seen |= UINT64_C(1) << c;
		if (!find(m, m->owner[c]))
			continue;
		m->owner[c] = request;
		return true;
	}
	return false;
}

bool event_match(const uint64_t *counters, unsigned count, unsigned *counter, unsigned *failed)
{
	struct matching m = { .counters = counters };

	for (unsigned c = 0; c < COUNTERS; c++)
		m.owner[c] = FREE;
	for (*failed = 0; *failed < count; ++*failed) {
		m.seen = 0;
		if (!find(&m, *failed))
			return false;
	}
	for (unsigned c = 0; c < COUNTERS; c++)
		if (m.owner[c] != FREE)
			counter[m.owner[c]] = c;
	return true;
}
