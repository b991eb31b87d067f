/* SPDX-License-Identifier: MIT */
/* Passages through levels of privilege, by event: passages.h. The entry of a handler counts in no
 * event but HW_INT_RX. */
#include <tests/suites/p6/p6_suite.h>

#include <pmu/events/events.h>
#include <tests/suites/common/counts/passages.h>
#include <tests/suites/common/needs.h>

static uint16_t code_of(const char *name)
{
	return pmu_event_find(name)->select;
}

static struct passage_facts facts(void)
{
	return (struct passage_facts){
		.events = { { PASSAGE_INSNS, "INST_RETIRED", P6_INSTRUCTIONS },
		            { PASSAGE_BRANCHES, "BR_INST_RETIRED", P6_BRANCHES },
		            { PASSAGE_TAKEN, "BR_TAKEN_RETIRED", code_of("BR_TAKEN_RETIRED") },
		            { PASSAGE_INTERRUPTS, "HW_INT_RX", code_of("HW_INT_RX") } },
		.count = 4,
		.interrupt = { .low = { [PASSAGE_INTERRUPTS] = 1 },
		               .high = { [PASSAGE_INTERRUPTS] = 1 } },
	};
}

PASSAGE_TESTS("p6", need_p6, facts, TEST_EVERYWHERE, P6_EVENTS "; " P6_SDM ", USR and OS flags");
