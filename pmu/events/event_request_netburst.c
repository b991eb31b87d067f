/* SPDX-License-Identifier: MIT */
/*
 * Takes NetBurst's events, masks and metrics, and assigns the tags that they need in addition to
 * counters.
 */
#include <pmu/events/event_request.h>

#include <kernel/lib/format.h>
#include <kernel/lib/string.h>

static void list_masks(const struct netburst_event *e, char *buffer, size_t size)
{
	int at = 0;

	for (unsigned i = 0; i < NETBURST_MASKS_MAX && e->masks[i].name; i++)
		if ((size_t)at < size)
			at += format_buf(buffer + at, size - (size_t)at, " %s", e->masks[i].name);
}

static bool take_event(struct event_request *w, const struct event_problem *p)
{
	const struct netburst_event *e = w->netburst;
	char list[128];

	w->name = e->name;
	if (!netburst_event_exists(e))
		return event_refuse(p, "this processor does not have the event %s: other models "
		                    "of its family do", e->name);
	if (netburst_event_mask(e, w->text.masks[0] ? w->text.masks : NULL,
	                        &w->netburst_mask))
		return true;
	list_masks(e, list, sizeof(list));
	return event_refuse(p, "%s has no mask %s; it has%s", e->name, w->text.masks, list);
}

static bool take_metric(struct event_request *w, const struct event_problem *p)
{
	w->name = w->metric->name;
	if (w->text.masks[0])
		return event_refuse(p, "%s is a metric: its events have their masks already",
		                    w->name);
	return true;
}

bool event_find_netburst(struct event_request *w, const struct event_problem *p)
{
	uint16_t raw;

	w->netburst = netburst_event_find(w->text.event);
	w->metric = w->netburst ? NULL : netburst_metric_find(w->text.event);
	if (w->netburst)
		return take_event(w, p);
	if (w->metric)
		return take_metric(w, p);
	if (event_text_is_raw(w->text.event, &raw))
		return event_refuse(p, "%s: NetBurst's events have no numbers, because an ESCR's "
		                    "select depends on its unit; write the name", w->text.event);
	return event_refuse_unknown(w, p);
}

/* ---------------------------------------------------------------------------- tags */

enum { TAGS = 4 };
static const char *const tagged[TAGS] = { "NBOGUS0", "NBOGUS1", "NBOGUS2", "NBOGUS3" };

/* Holds the requests: the counting one of each request, in their order, then those that tag. */
struct requests {
	struct netburst_request r[PMU_SETUPS_MAX];
	const struct netburst_metric *tags[TAGS];      /* bit n is the execution tag of metric n */
	const struct netburst_metric *front_end, *replay;      /* the metrics that use these tags */
	unsigned count;
};

/* There are four execution tags: each metric gets one. */
static bool take_tag(struct requests *s, const struct netburst_metric *m, unsigned *tag,
                     bool *is_new, const struct event_problem *p)
{
	for (*tag = 0; *tag < TAGS; ++*tag) {
		*is_new = !s->tags[*tag];
		s->tags[*tag] = *is_new ? m : s->tags[*tag];
		if (s->tags[*tag] == m)
			return true;
	}
	return event_refuse(p, "%s: a fifth metric that is tagged in execution; there are four "
	                    "tags", m->name);
}

/* The other two kinds have one tag each, which all counters of the kind see. */
static bool take_kind(const struct netburst_metric **is, const struct netburst_metric *m,
                      bool *is_new, const struct event_problem *p)
{
	*is_new = !*is;
	if (*is && *is != m)
		return event_refuse(p, "%s and %s use the same tag: count one after the other",
		                    m->name, (*is)->name);
	*is = m;
	return true;
}

static bool add_upstream(struct requests *s, const struct netburst_request *r, const char *name,
                         const struct event_problem *p)
{
	if (s->count == PMU_SETUPS_MAX)
		return event_refuse(p, "%s: it needs more counters than there are", name);
	s->r[s->count++] = *r;
	return true;
}

/* Request i counts; the request that tags for it is added, once. */
static bool add_metric(struct requests *s, unsigned i, const struct netburst_metric *m,
                       unsigned flags, const struct event_problem *p)
{
	struct netburst_request parts[2] = { { 0 } };
	unsigned count = netburst_metric_requests(m, flags, parts), tag = 0;
	bool is_new;

	if (m->tag_value ? !take_tag(s, m, &tag, &is_new, p)
	                 : !take_kind(m->pebs_enable ? &s->replay : &s->front_end, m, &is_new, p))
		return false;
	parts[1].flags |= PMU_BOTH;            /* the counting event selects the rings */
	if (m->tag_value) {
		netburst_event_mask(parts[0].event, tagged[tag], &parts[0].mask);
		parts[1].tag_value = 1u << tag;
	}
	s->r[i] = parts[0];
	return count < 2 || !is_new || add_upstream(s, &parts[1], m->name, p);
}

static bool request_all(struct requests *s, const struct event_request *requests, unsigned count,
                        const struct event_problem *p)
{
	s->count = count;
	for (unsigned i = 0; i < count; i++) {
		const struct event_request *w = &requests[i];

		s->r[i] = (struct netburst_request){
			.event = w->netburst, .mask = w->netburst_mask,
			.flags = w->flags & (unsigned)(PMU_BOTH | PMU_ANY),
		};
		if (w->metric && !add_metric(s, i, w->metric, s->r[i].flags, p))
			return false;
	}
	return true;
}

/* ---------------------------------------------------------------------------- counters */

/* EDGE works only on a comparison: without cmask, on that with one or more. */
static void compare(struct netburst_use *use, const struct event_request *w)
{
	if (w->text.cmask || w->flags & PMU_EDGE)
		use->cccr_value |= netburst_compare(w->text.cmask ? w->text.cmask : 1,
		                                    w->flags & PMU_INV);
	use->cccr_value |= w->flags & PMU_EDGE ? CCCR_EDGE : 0;
}

bool event_place_netburst(struct pmu_chosen *c, const struct event_request *requests,
                          unsigned count,
                          const struct event_problem *p)
{
	struct requests s = { .count = 0 };
	size_t length;

	if (count > PMU_SETUPS_MAX)
		return event_refuse(p, "%u counters are needed: there are %d", count,
		                    NETBURST_COUNTERS);
	if (!request_all(&s, requests, count, p))
		return false;
	if (!netburst_allocate(s.r, s.count, c->setup, c->use, p->text, p->size)) {
		length = strlen(p->text);
		format_buf(p->text + length, p->size - length, "; count one after the other");
		return false;
	}
	for (unsigned i = 0; i < count; i++)
		compare(&c->use[i], &requests[i]);
	c->pebs_enable = s.replay ? s.replay->pebs_enable : 0;
	c->matrix_vert = s.replay ? s.replay->pebs_matrix_vert : 0;
	c->setup_count = s.count;
	return true;
}
