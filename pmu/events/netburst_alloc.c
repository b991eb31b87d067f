/* SPDX-License-Identifier: MIT */
/* Assigns a counter and an ESCR to each event, so that none is used for two things. */
#include <pmu/events/netburst_pmu.h>

#include <kernel/lib/format.h>
#include <kernel/lib/string.h>

unsigned netburst_metric_requests(const struct netburst_metric *m, unsigned flags,
                                  struct netburst_request requests[2])
{
	requests[0] = (struct netburst_request){
		.event = m->event, .masks = m->masks, .flags = flags,
	};
	if (!m->upstream)
		return 1;
	requests[1] = (struct netburst_request){
		.event = m->upstream, .masks = m->upstream_masks, .escr = m->upstream_escr,
		.flags = flags & (unsigned)PMU_BOTH, .tag_value = m->tag_value,
	};
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

/* Returns the counters that a request may have, or 0 after reporting the problem. */
static uint32_t candidates(const struct netburst_request *r, char *problem, size_t size)
{
	const struct netburst_event *e = netburst_event_find(r->event);
	uint32_t of_event, found = 0;
	uint16_t bits;

	if (!e || !netburst_event_exists(e)) {
		format_buf(problem, size, e ? "%s: this processor's model does not have it"
		                            : "%s: the table has no such event", r->event);
		return 0;
	}
	if (!netburst_event_mask(e, r->masks, &bits)) {
		format_buf(problem, size, "%s: it has no mask %s", r->event, r->masks);
		return 0;
	}
	of_event = netburst_event_counters(e);
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		if ((of_event >> i & 1) && (!r->counters || (r->counters >> i & 1))
		    && (!r->escr || strcmp(netburst_event_escr(e, i)->name, r->escr) == 0))
			found |= UINT32_C(1) << i;
	if (!found && r->counters)
		format_buf(problem, size, "%s: no counter of the bitmap %XH: its ESCRs reach %XH",
		           r->event, r->counters, of_event);
	else if (!found)
		format_buf(problem, size, "%s: %s is not there, or does not select it", r->event,
		           r->escr ? r->escr : e->escrs[0]);
	return found;
}

static void make(struct search *s, unsigned i, unsigned counter)
{
	const struct netburst_request *r = &s->requests[i];

	s->setups[i] = netburst_setup(&s->uses[i], netburst_event_find(r->event), r->masks,
	                              counter, r->flags);
	if (r->tag_value)
		s->uses[i].escr_value |= (uint32_t)(ESCR_TAG_ENABLE
		                                    | FIELD_PUT(ESCR_TAG_VALUE, r->tag_value));
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
		make(s, i, c);
		if (fits(s, i) && place(s, i + 1, used | UINT32_C(1) << c))
			return true;
	}
	return false;
}

static void explain(const struct search *s, char *problem, size_t size)
{
	const char *event = s->requests[s->furthest].event;

	if (s->escr)
		format_buf(problem, size, "%s: %s is taken by %s, with another value", event,
		           s->escr->name, s->requests[s->rival].event);
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
