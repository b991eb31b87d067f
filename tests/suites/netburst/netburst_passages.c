/* SPDX-License-Identifier: MIT */
/*
 * Passages through levels of privilege, by event: passages.h. V. Weaver's Pentium D counts no
 * interrupt but those that restart an instruction.
 */
#include <tests/suites/common/netburst_suite.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <tests/suites/common/counts/passages.h>

/* Counters of CRU_ESCR0 and CRU_ESCR2, and of CRU_ESCR1 and CRU_ESCR3. */
static const uint8_t counters[] = { 12, 14 };
static const struct { const char *event, *masks; } events[] = {
	[PASSAGE_INSNS] = { "instr_retired", "NBOGUSNTAG+NBOGUSTAG" },
	[PASSAGE_BRANCHES] = { "branch_retired", NULL },
	[PASSAGE_TAKEN] = { "branch_retired", "MMTP+MMTM" },
};

static bool set_up(struct pmu_setup *s, const struct passage_event *e, unsigned n, unsigned flags)
{
	static struct netburst_use uses[COUNT_OF(counters)];

	if (n >= COUNT_OF(counters))
		return false;
	*s = netburst_setup(&uses[n], netburst_event_find(events[e->kind].event),
	                    events[e->kind].masks, counters[n], flags);
	s->flags = flags;
	return true;
}

static struct passage_facts facts(void)
{
	return (struct passage_facts){
		.events = { { PASSAGE_INSNS, "instr_retired", 0 },
		            { PASSAGE_BRANCHES, "branch_retired", 0 },
		            { PASSAGE_TAKEN, "branch_retired, MMTP+MMTM", 0 } },
		.count = 3, .counts_again = true, .setup = set_up,
	};
}

PASSAGE_TESTS("netburst", need_netburst, facts, TEST_ON_BOOT,
              "SDM 3B, \"At-Retirement Counting\"; \"Performance-Monitoring Events\", "
              "instr_retired, branch_retired");
