/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests EDGE where a counter starts. Source: SDM 3B, "Architectural Performance Monitoring Version
 * 1". Chosen, where it is silent: a condition that holds when the counter starts is a rising edge,
 * a write that leaves it running is none, and EDGE without CMASK compares with 1.
 */
#include <tests/unit/model/core/model_cpus.h>

static void check_edges(const struct cpu *cpu, uint64_t cmask)
{
	struct machine *machine = start(cpu);
	const uint64_t select = CYCLES | OS | USR | EDGE | cmask;

	count_with(cpu, machine, 0, select);
	machine_nops(machine, 50);
	check_eq_u64(cpu->name, get(machine, PMC0), 1);
	put(machine, EVTSEL0, select | EN);
	machine_nops(machine, 50);
	check_eq_u64(cpu->name, get(machine, PMC0), 1);
	put(machine, EVTSEL0, 0);
	put(machine, EVTSEL0, select | EN);
	machine_nops(machine, 50);
	check_eq_u64(cpu->name, get(machine, PMC0), 2);
}

UNIT_TEST(a_condition_that_holds_at_the_start_is_one_edge)
{
	FOR_EACH_CPU(cpu) {
		check_edges(cpu, CMASK(1));
		check_edges(cpu, 0);
	}
}

/* Without an event, no cycle has fewer than 1. */
UNIT_TEST(a_select_without_an_event_compares_nothing)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		count_with(cpu, machine, 0, OS | USR | INV | CMASK(1));
		machine_nops(machine, 50);
		check_eq_u64(cpu->name, get(machine, PMC0), 0);
	}
}

UNIT_MAIN()
