/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Rules of P5 and P6 that no processor has: what quirks change, changes. */
#include <tests/unit/model/p5_p6/model_legacy.h>

/* The machine with one rule changed, from power-up. */
static struct machine *machine;
#define BEGIN_WITH(cpu, field, to) (machine = begin(cpu), WITH_RULE(machine, field, to))

static uint64_t p6_total(unsigned counter)
{
	return get(machine, PMC0 + counter);
}

static void segments(uint8_t loaded)
{
	machine_retire(machine, (struct model_insn) {
		.ip = machine->ip, .next_ip = machine->ip, .length = 1, .segments = loaded,
	});
}

UNIT_TEST(enables)
{
	BEGIN_WITH(PENTIUM_II, enable_0_gates, 1);
	put(machine, EVTSEL0 + 1, P6_INST_RETIRED | OS);
	machine_nops(machine, 5);
	check_eq_u64("counter 1 without EN", p6_total(1), 5);
	BEGIN_WITH(PENTIUM_II, enable_1_is_needed, true);
	put(machine, EVTSEL0 + 1, P6_INST_RETIRED | OS);
	put(machine, EVTSEL0, P6_INST_RETIRED | OS | EN);
	machine_nops(machine, 5);
	check_eq_u64("with that of counter 0", p6_total(1), 0);
	put(machine, EVTSEL0 + 1, P6_INST_RETIRED | OS | EN);
	machine_nops(machine, 5);
	check_eq_u64("with both", p6_total(1), 5);
}

UNIT_TEST(reads_and_events_in_the_wrong_place)
{
	BEGIN_WITH(PENTIUM_II, read_clears, ~UINT64_C(0xffffffff));
	put(machine, PMC0, 0x80000000);
	check_eq_u64("RDMSR", p6_total(0), 0x80000000);
	BEGIN_WITH(PENTIUM_II, counts_anywhere, true);
	p6_count(machine, 0, 0x12);
	do_kind(machine, MODEL_TRAIT_MUL);
	check_eq_u64("MUL on counter 0", p6_total(0), 1);
	BEGIN_WITH(PENTIUM_II, select_from, 0x12);
	WITH_RULE(machine, select_to, 0x13);
	p6_count(machine, 1, 0x12);
	do_kind(machine, MODEL_TRAIT_MUL);
	check_eq_u64("MUL for DIV", p6_total(1), 0);
	do_kind(machine, MODEL_TRAIT_DIV);
	check_eq_u64("DIV for MUL", p6_total(1), 1);
	BEGIN_WITH(PENTIUM_II, select_doubled, 0x06);
	p6_count(machine, 0, 0x06);
	segments(1 << 3);
	check_eq_u64("twice", p6_total(0), 2);
}

UNIT_TEST(states_of_l2)
{
	BEGIN_WITH(PENTIUM_II, mesi_none_is_all, true);
	p6_count(machine, 0, 0x29);
	do_access(machine, MODEL_READ, 0x5000, 4, 0);
	check_eq_u64("no state", p6_total(0), 1);
	for (unsigned states = 1; states < 16; states++) {
		BEGIN_WITH(PENTIUM_II, mesi_exclusive_is_shared, true);
		p6_count(machine, 0, 0x29 | states << 8);
		/* A line that is in L2 but no more in L1D. */
		for (unsigned i = 0; i < 9; i++)
			do_access(machine, MODEL_READ, 0x8000 + i % 8 * 0x1000, 4, 0);
		check_eq_u64(of_cpu(PENTIUM_II, "states %u", states), p6_total(0),
		             (states & 1 ? 8 : 0) + (states & 2 ? 1 : 0));
	}
}

UNIT_TEST(agents_and_entries)
{
	BEGIN_WITH(PENTIUM_II, agent_is_ignored, true);
	p6_count(machine, 0, 0x206c);
	do_io(machine, true, 3);
	check_eq_u64("transactions", p6_total(0), 3);
	BEGIN_WITH(PENTIUM_II, exceptions_are_interrupts, true);
	p6_count(machine, 0, 0xc8);
	model_exception(&machine->model, 14);
	check_eq_u64("HW_INT_RX", p6_total(0), 1);
}

UNIT_TEST(cesr)
{
	BEGIN_WITH(PENTIUM, cesr_stops_nothing, true);
	put(machine, CESR, CC(0, 0x16, 0));
	machine_nops(machine, 4);
	check_eq_u64("CC = 0", get(machine, CTR0), 4);
	BEGIN_WITH(PENTIUM, cesr_halves_are_one, true);
	put(machine, CESR, CC(0, 0x16, CC_ALL) | CC(1, 0x16, 0));
	machine_nops(machine, 4);
	check_eq_u64("CC0 for both", get(machine, CTR0 + 1), 4);
	BEGIN_WITH(PENTIUM, cesr_clocks_are_events, true);
	put(machine, CESR, CC(0, 0x16, CC_ALL | CC_CLOCKS));
	do_kind(machine, MODEL_TRAIT_PAIRABLE_U | MODEL_TRAIT_PAIRABLE_V);
	do_kind(machine, MODEL_TRAIT_PAIRABLE_U | MODEL_TRAIT_PAIRABLE_V);
	do_kind(machine, MODEL_TRAIT_PAIRABLE_U | MODEL_TRAIT_PAIRABLE_V);
	check_eq_u64("events", get(machine, CTR0), 3);
}

/* What is under way is done before a processor halts, and a PMI may come of it. */
UNIT_TEST(durations_may_overflow_at_the_end)
{
	machine = begin(PENTIUM_III);
	machine->lvtpc = LVTPC_NMI;
	p6_count(machine, 0, 0x60 | INT);
	do_access(machine, MODEL_WRITE, 0x5000, 4, 0);
	put(machine, PMC0, 0xffffffff);
	do_access(machine, MODEL_WRITE, 0x6000, 4, 0);
	machine->may_raise = true;
	model_halt(&machine->model);
	check_true("PMI", machine->pmis == 1);
}

/* With the same unit mask a processor sees what others do on the bus: unit mask 20H. */
UNIT_TEST(any_agent)
{
	static struct machine machines[2];
	static struct model_machine all;
	const struct model_identity identity = machine_identity(PENTIUM_II);
	enum model_created created;
	struct model *cpus[2];
	const struct model_host host = { .context = NULL };
	const struct model_insn insn = { .ip = 0x1000, .next_ip = 0x1001, .length = 1 };
	uint64_t counts[2];

	model_machine_create(&all);
	for (unsigned i = 0; i < 2; i++) {
		model_package_create(&machines[i].package, &all, identity);
		model_core_create(&machines[i].core, &machines[i].package, identity, 1, NULL,
		                  &created);
		cpus[i] = model_create(&machines[i].model, &machines[i].core, &host);
	}
	model_wrmsr(cpus[0], EVTSEL0 + 1, OS | 0x206c);
	model_wrmsr(cpus[0], EVTSEL0, OS | EN | 0x006c);
	model_retire(cpus[0], &insn);
	for (unsigned i = 0; i < 3; i++) {
		model_io(cpus[1], true, 0x80, 1);
		model_retire(cpus[1], &insn);
	}
	model_io(cpus[0], true, 0x80, 1);
	model_retire(cpus[0], &insn);
	model_rdmsr(cpus[0], PMC0, &counts[0]);
	model_rdmsr(cpus[0], PMC0 + 1, &counts[1]);
	check_eq_u64("own", counts[0], 1);
	check_eq_u64("any", counts[1], 4);
}

UNIT_MAIN()
