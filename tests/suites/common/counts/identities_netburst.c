/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/counts/identities.h>

#include <pmu/events/netburst_pmu.h>

const char *identities_netburst_event(uint16_t event)
{
	return event == EVENT_INSTRUCTIONS_RETIRED ? "uops_retired"
	       : event == EVENT_BRANCH_INSTR_RETIRED ? "branch_retired" : "global_power_events";
}

struct pmu_setup identities_netburst(unsigned number, uint16_t event, unsigned cmask,
                                     unsigned flags)
{
	static const unsigned counters[IDENTITIES_SAME_ESCR] = { 12, 13, 16 };
	static struct netburst_use uses[IDENTITIES_SAME_ESCR];
	struct netburst_use *use = &uses[number];
	bool is_clock = event == EVENT_UNHALTED_CORE_CYCLES;
	struct pmu_setup s;

	if (is_clock && number != 0) {
		*use = uses[0];
		use->cccr_value = netburst_cccr(use->escr);
		cmask = IDENTITIES_CMASK_NETBURST;
		flags |= PMU_INV;
		s = (struct pmu_setup){ .counter = counters[number], .netburst = use };
	} else {
		s = netburst_setup(use, netburst_event_find(identities_netburst_event(event)),
		                   NULL, is_clock ? number : counters[number], PMU_BOTH);
	}
	if (cmask)
		use->cccr_value |= netburst_compare(cmask, flags & PMU_INV);
	use->cccr_value |= flags & PMU_EDGE ? CCCR_EDGE : 0;
	use->is_by_escr = true;
	return s;
}
