/* SPDX-License-Identifier: MIT */
/* cascade: programs NetBurst's counters that start another one when they overflow. */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <monitor/tools/sampler.h>
#include <pmu/events/netburst_pmu.h>

static void need_netburst(void)
{
	if (!pmu_has(PMU_HAS_CCCRS))
		monitor_fail("only NetBurst, the Pentium 4, has cascading: this PMU is %s",
		             pmu_get()->class->name);
	sampler_need_counters();
}

/* ---------------------------------------------------------------------------- pairs */

struct pair { unsigned first, second; uint32_t bit; const char *name; };

static bool is_pair(unsigned x, unsigned y, struct pair *pair)
{
	const struct netburst_counter *c = &netburst_counters[y];

	if (c->cascades_from >> x & 1)
		*pair = (struct pair){ x, y, CCCR_CASCADE, "CASCADE" };
	else if (netburst_has_extended_cascading() && c->extended_from >> x & 1)
		*pair = (struct pair){ x, y, CCCR_CASCNT_INTO, c->extended_name };
	else
		return false;
	return true;
}

static void list(void)
{
	struct pair pair;

	for (unsigned x = 0; x < NETBURST_COUNTERS; x++)
		for (unsigned y = 0; y < NETBURST_COUNTERS; y++)
			if (is_pair(x, y, &pair))
				print("%-19s starts %-19s by %s of %s\n", netburst_counters[x].name,
				      netburst_counters[y].name, pair.name,
				      netburst_counters[y].cccr_name);
	if (!netburst_has_extended_cascading())
		print("Extended cascading (bit 11 of CCCRs) begins with model 2.\n");
}

/* ---------------------------------------------------------------------------- programming */

static bool find_pair(const struct netburst_event *e, struct pair *pair)
{
	for (unsigned x = 0; x < NETBURST_COUNTERS; x++)
		for (unsigned y = 0; y < NETBURST_COUNTERS; y++)
			if (netburst_event_escr(e, x) && netburst_event_escr(e, y)
			    && is_pair(x, y, pair))
				return true;
	return false;
}

/* Returns the use of the same event on another counter, with the ESCR that reaches that counter. */
static struct netburst_use move_use(struct netburst_use use, const struct netburst_event *e,
                                    unsigned counter)
{
	use.escr = netburst_event_escr(e, counter);
	use.cccr_value = (use.cccr_value & ~(uint32_t)CCCR_ESCR_SELECT) | netburst_cccr(use.escr);
	return use;
}

static struct pair choose(const char *event, struct netburst_use uses[2])
{
	const struct netburst_event *e;
	struct pair pair;

	sampler_choose(event);
	e = netburst_event_of(sampler_setup()->netburst->escr,
	                      sampler_setup()->netburst->escr_value);
	if (!e)
		monitor_fail("%s is no event of the manual's table: the counters that can count it "
		             "are not known", event);
	if (!find_pair(e, &pair))
		monitor_fail("%s: none of the counters that can count it, %XH (bit n: counter n), "
		             "starts another", event, netburst_event_counters(e));
	uses[0] = move_use(*sampler_setup()->netburst, e, pair.first);
	uses[1] = move_use(*sampler_setup()->netburst, e, pair.second);
	uses[1].cccr_value = (uses[1].cccr_value & ~(uint32_t)CCCR_ENABLE) | pair.bit;
	return pair;
}

/* ---------------------------------------------------------------------------- running */

static void report(const struct pair *p, const struct sampler_order *r,
                   const struct pmu_reading *got)
{
	const uint64_t counted = got->count[0];
	const bool has_overflowed = counted >= r->number;

	print("%s counted %" PRIu64 " of %s, from -%u on: it %s.\n",
	      netburst_counters[p->first].name, counted, r->event, r->number,
	      has_overflowed ? "overflowed, and continued from 0" : "did not overflow");
	print("%s, which that overflow starts by %s, counted %" PRIu64 "; expected: %" PRIu64
	      ", %s.\n", netburst_counters[p->second].name, p->name, got->count[1],
	      has_overflowed ? counted - r->number : 0,
	      has_overflowed ? "the rest" : "as nothing started it");
}

static void run(const struct sampler_order *r)
{
	struct netburst_use uses[2];
	const struct pair pair = choose(r->event, uses);
	const struct pmu_setup setups[] = {
		{ .counter = pair.first, .netburst = &uses[0], .start = 0 - (uint64_t)r->number },
		{ .counter = pair.second, .netburst = &uses[1] },
	};
	const struct pmu_reading got = pmu_measure_code(setups, 2, work_get_code(&r->work),
	                                                r->work.rounds, r->work.argument);

	report(&pair, r, &got);
	sampler_end();
}

COMMAND(cascade, .syntax = "[EVENT after N on WORK]",
        .summary = "NetBurst: lets a counter's overflow start another counter",
        .text =
	"Alone it lists which counter can start which. With EVENT the first counter\n"
	"counts from -N; when it overflows, the second one, which has CASCADE but\n"
	"not ENABLE, begins to count the same event: it counts WORK without its\n"
	"first N events. On real processors it may start some events late.\n",
        .example = "cascade PAPI_TOT_INS after 1000 on loop:1000",
        .completion = COMPLETE_EVENTS)
{
	need_netburst();
	if (w->count == 1) {
		list();
	} else {
		const struct sampler_order r = sampler_parse(w, "after");

		run(&r);
	}
}
