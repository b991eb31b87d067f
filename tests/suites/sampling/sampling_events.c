/* SPDX-License-Identifier: MIT */
#include <tests/suites/sampling/sampling_events.h>

#include <arch/regs/table.h>
#include <kernel/lib/string.h>
#include <pmu/events/event_spec.h>
#include <tests/suites/common/pmi/pmi_windows.h>

#define EVENT_NAME  "l1_misses"

/* A counter of CRU_ESCR3: PEBS has counter 16 or 17 and CRU_ESCR2. */
enum { NETBURST_INTERRUPTS = 14 };

/* netburst_setup() and pebs_setup() need these for as long as the run lasts. */
static struct pebs_use pebs_use;
static struct netburst_use interrupts_use;

bool sampling_counts_l2_hits(void)
{
	static const char ending[] = "L2_HIT";
	const struct pebs_event *e = pebs_find(EVENT_NAME);
	const size_t size = e ? strlen(e->manual) : 0;

	return size >= sizeof(ending) - 1
	       && strcmp(e->manual + size - (sizeof(ending) - 1), ending) == 0;
}

/* Starts half a period ahead, so that a record and an interrupt never meet. */
static struct pmu_setup interrupting(unsigned counter, uint16_t event, uint32_t period)
{
	return (struct pmu_setup){ .counter = counter, .event = event,
	                           .flags = PMU_USR | PMU_INT, .start = pmi_start(period / 2) };
}

static void find_second(struct sampling_events *e, const struct pebs_event *event, uint32_t period)
{
	const unsigned second = pebs_counter(event, 1);

	e->has_interrupts = true;
	if (event->metric) {
		e->interrupts = netburst_setup(&interrupts_use,
		                               netburst_event_find(event->metric->event),
		                               event->metric->masks, NETBURST_INTERRUPTS,
		                               PMU_USR | PMU_INT);
		interrupts_use.is_by_escr = true;      /* the end of a window leaves OVF as it is */
		e->interrupts.start = pmi_start(period / 2);
	} else if (second != PMU_NO_COUNTER) {
		e->interrupts = interrupting(second, event->event, period);
	} else {
		e->has_interrupts = false;
	}
}

void sampling_events_find(struct sampling_events *e, uint32_t period, bool has_interrupts)
{
	const struct pebs_event *event = pebs_find(EVENT_NAME);

	memset(e, 0, sizeof(*e));
	if (pebs_layout()->is_adaptive)
		pebs_set_data_cfg(MSR_PEBS_DATA_CFG_MEMORY | MSR_PEBS_DATA_CFG_GPRS);
	e->pebs = pebs_setup(&pebs_use, event, pebs_counter(event, 0), PMU_USR, period - 1);
	if (has_interrupts)
		find_second(e, event, period);
}

void sampling_events_alone(struct sampling_events *e, uint32_t period)
{
	const struct pebs_event *event = pebs_find(EVENT_NAME);

	e->has_interrupts = true;
	e->interrupts = interrupting(pebs_counter(event, 0), event->event, period);
}

/* What AMD's processors count as a miss: of the data cache, or since Zen of its miss buffers. */
static const char *const amd_misses[] = {
	"DATA_CACHE_MISSES:DC_MISS_STREAMING_STORE:u", "DATA_CACHE_MISSES:u",
	"MAB_ALLOCATION_BY_PIPE:DATA_PIPE:u", "MAB_ALLOCATION_BY_TYPE:LS:u",
};

bool sampling_events_amd(struct sampling_events *e, uint32_t period)
{
	static struct pmu_chosen chosen;
	char problem[128];

	memset(e, 0, sizeof(*e));
	for (unsigned i = 0; i < COUNT_OF(amd_misses) && !e->has_interrupts; i++)
		e->has_interrupts = pmu_choose(&chosen, &amd_misses[i], 1, problem,
		                               sizeof(problem));
	e->interrupts = chosen.setup[0];
	e->interrupts.flags |= PMU_INT;
	e->interrupts.start = pmi_start(period / 2);
	return e->has_interrupts;
}
