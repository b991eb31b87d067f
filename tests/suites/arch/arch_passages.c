/* SPDX-License-Identifier: MIT */
/*
 * Passages through levels of privilege, by event: passages.h. No manual says at which level an
 * instruction counts that changes the level; IRET, and the entry of a handler, are as they were
 * measured (crossings.h), elsewhere at either level, and the entry a branch or none.
 */
#include <tests/suites/common/counts/passages.h>

#include <pmu/events/arch_events.h>
#include <tests/suites/common/counts/crossings.h>
#include <tests/suites/common/needs.h>

static void add(struct passage_facts *f, enum passage_kind kind, const char *name)
{
	const struct arch_event *e = arch_event_find(name);

	if (arch_event_exists(e))
		f->events[f->count++] = (struct passage_event){ kind, name, e->event };
}

static struct passage_facts facts(void)
{
	const uint8_t entries = crossing_was_measured(CROSSING_ENTRY);
	const struct passage_entry entry = {
		.low = { [PASSAGE_BRANCHES] = entries, [PASSAGE_FAR] = entries },
		.high = { [PASSAGE_BRANCHES] = 1, [PASSAGE_FAR] = 1 },
	};
	struct passage_facts f = {
		.iret = crossing_was_measured(CROSSING_IRET) ? AT_LEFT : AT_EITHER,
		.entry = entries ? AT_CPL0 : AT_EITHER, .exception = entry, .interrupt = entry,
		.events = { { PASSAGE_INSNS, "instructions", EVENT_INSTRUCTIONS_RETIRED } },
		.count = 1,
	};

	if (pmu_has_event(EVENT_BRANCH_INSTR_RETIRED))
		f.events[f.count++] = (struct passage_event){ PASSAGE_BRANCHES, "branches",
		                                              EVENT_BRANCH_INSTR_RETIRED };
	add(&f, PASSAGE_NEAR_TAKEN, "BR_INST_RETIRED.NEAR_TAKEN");
	add(&f, PASSAGE_FAR, "BR_INST_RETIRED.FAR_BRANCH");
	return f;
}

PASSAGE_TESTS("arch", need_arch, facts, TEST_EVERYWHERE,
              "SDM 3B, \"Architectural Performance Monitoring Version 1\", IA32_PERFEVTSELx, OS "
              "and USR; \"Performance-Monitoring Events\", BR_INST_RETIRED");
