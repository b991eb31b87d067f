/* SPDX-License-Identifier: MIT */
/* Assigns a counter and an ESCR to each event, so that none is used for two things. */
#include <pmu/events/netburst_pmu.h>

#include <kernel/lib/format.h>

bool netburst_request(struct netburst_request *r, const char *event, const char *masks,
                      unsigned flags, char *problem, size_t size)
{
	*r = (struct netburst_request){ .event = netburst_event_find(event), .flags = flags };
	if (!r->event)
		format_buf(problem, size, "%s: the table has no such event", event);
	else if (!netburst_event_mask(r->event, masks, &r->mask))
		format_buf(problem, size, "%s: it has no mask %s", event, masks);
	else
		return true;
	return false;
}

/* A unit test holds that the rows of metrics name events and masks that exist. */
unsigned netburst_metric_requests(const struct netburst_metric *m, unsigned flags,
                                  struct netburst_request requests[2])
{
	netburst_request(&requests[0], m->event, m->masks, flags, NULL, 0);
	if (!m->upstream)
		return 1;
	netburst_request(&requests[1], m->upstream, m->upstream_masks, flags & (unsigned)PMU_BOTH,
	                 NULL, 0);
	requests[1].escr = m->upstream_escr;
	requests[1].tag_value = m->tag_value;
	return 2;
}

/* A search. The requests before the present one have their setups. */
struct search {
	const struct netburst_request *requests;
	unsigned count;
	struct pmu_setup *setups;
	struct netburst_use *uses;
	uint32_t candidates[PMU_SETUPS_MAX];   /* the counters that each request may have */
	unsigned furthest;             /* the first request that never found a place, and why: */
	uint32_t taken;                /* the counters that other requests have */
	const struct netburst_escr *escr;      /* the ESCR that another request needs */
	unsigned rival;                /* that other request */
};

/* Returns the counters that a request may have. If it returns 0, problem says why. */
static uint32_t candidates(const struct netburst_request *r, char *problem, size_t size)
{
	const struct netburst_event *e = r->event;
	uint32_t of_event = netburst_event_counters(e), found = of_event;

	if (!netburst_event_exists(e)) {
		format_buf(problem, size, "%s: this processor's model does not have it", e->name);
		return 0;
	}
	if (r->counters)
		found &= r->counters;
	if (r->escr)
		found &= r->escr == e->escrs[0] || r->escr == e->escrs[1] ? r->escr->counters : 0;
	if (!found && r->counters)
		format_buf(problem, size, "%s: no counter of the bitmap %XH: its ESCRs reach %XH",
		           e->name, r->counters, of_event);
	else if (!found)
		format_buf(problem, size, "%s: %s is not there, or does not select it", e->name,
		           r->escr ? r->escr->name : e->escrs[0]->name);
	return found;
}

/* Returns true unless an earlier setup needs the ESCR of setup i with another value. */
static bool fits(struct search *s, unsigned i)
{
	for (unsigned j = 0; j < i; j++) {
		if (s->uses[j].escr != s->uses[i].escr
		    || s->uses[j].escr_value == s->uses[i].escr_value)
			continue;
		if (i == s->furthest) {
			s->escr = s->uses[i].escr;
			s->rival = j;
		}
		return false;
	}
	return true;
}

/* Tries every free counter for request i, and for each of them all later requests. */
static bool place(struct search *s, unsigned i, uint32_t used)
{
	uint32_t counters;

	if (i == s->count)
		return true;
	if (i > s->furthest) {
		s->furthest = i;
		s->taken = 0;
		s->escr = NULL;
	}
	if (i == s->furthest)
		s->taken |= s->candidates[i] & used;
	counters = s->candidates[i] & ~used;
	for (unsigned c = 0; counters >> c; c++) {
		if (!(counters >> c & 1))
			continue;
		s->setups[i] = netburst_setup_request(&s->uses[i], &s->requests[i], c);
		if (fits(s, i) && place(s, i + 1, used | UINT32_C(1) << c))
			return true;
	}
	return false;
}

static void explain(const struct search *s, char *problem, size_t size)
{
	const char *event = s->requests[s->furthest].event->name;

	if (s->escr)
		format_buf(problem, size, "%s: %s is taken by %s, with another value", event,
		           s->escr->name, s->requests[s->rival].event->name);
	else
		format_buf(problem, size, "%s: its counters, bitmap %XH, are taken", event,
		           s->taken);
}

bool netburst_allocate(const struct netburst_request *requests, unsigned count,
                       struct pmu_setup *setups, struct netburst_use *uses,
                       char *problem, size_t size)
{
	struct search s = { .requests = requests, .count = count, .setups = setups,
	                    .uses = uses };

	if (count > PMU_SETUPS_MAX) {
		format_buf(problem, size, "%u requests: at most %u", count, PMU_SETUPS_MAX);
		return false;
	}
	for (unsigned i = 0; i < count; i++) {
		s.candidates[i] = candidates(&requests[i], problem, size);
		if (!s.candidates[i])
			return false;
	}
	if (place(&s, 0, 0))
		return true;
	explain(&s, problem, size);
	return false;
}
