/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Halted: nothing counts, unless a rule says that it does. SDM 3B, table "Architectural Performance
 * Events": cycles are unhalted ones. */
#include <tests/unit/model/core/model_cpus.h>

UNIT_TEST(nothing_counts_while_halted)
{
	static const uint16_t events[] = { INSTRUCTIONS, CYCLES, REFERENCE_CYCLES, BRANCHES,
	                                   LLC_REFERENCES, LLC_MISSES, BRANCH_MISSES, SLOTS };

	FOR_EACH_CPU(cpu)
		for (unsigned e = 0; e < 8; e++) {
			struct machine *machine = start(cpu);
			uint64_t before;

			count_with(cpu, machine, 0, events[e] | OS | USR);
			machine_nops(machine, 100);
			before = get(machine, PMC0);
			check_eq_u64(named(cpu, "event %XH: never", events[e]),
			             model_halt(&machine->model), UINT64_MAX);
			check_eq_u64(named(cpu, "event %XH: never", events[e]),
			             model_halted(&machine->model, 1000000), UINT64_MAX);
			check_eq_u64(named(cpu, "event %XH", events[e]), get(machine, PMC0),
			             before);
		}
}

UNIT_TEST(nothing_counts_while_halted_not_even_the_inverse)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t before;

		count_with(cpu, machine, 0, INSTRUCTIONS | OS | INV | CMASK(1));
		machine_nops(machine, 3);
		before = get(machine, PMC0);
		model_halt(&machine->model);
		model_halted(&machine->model, 5000);
		check_eq_u64(named(cpu, "cycles without instruction"), get(machine, PMC0), before);
	}
}

UNIT_TEST(fixed_counters_stand_still_while_halted)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = start(cpu);

		put(machine, FIXED_CTRL, cpu->fixed == 1 ? 0x3 : cpu->fixed == 7 ? 0x333 : 0x3333);
		enable_all(cpu, machine);
		for (unsigned i = 0; cpu->fixed & ONE(i); i++)
			put(machine, FIXED0 + i, 0);
		check_eq_u64(named(cpu, "never"), model_halt(&machine->model), UINT64_MAX);
		model_halted(&machine->model, 777);
		for (unsigned i = 0; cpu->fixed & ONE(i); i++)
			check_eq_u64(named(cpu, "FIXED_CTR%u", i), get(machine, FIXED0 + i), 0);
	}
}

UNIT_TEST(time_goes_on_while_halted)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t before;

		count_with(cpu, machine, 0, CYCLES | OS);
		model_halt(&machine->model);
		before = machine->model.cycles;
		model_halted(&machine->model, 1234);
		check_eq_u64(named(cpu, "the TSC's clock"), machine->model.cycles, before + 1234);
	}
}

UNIT_TEST(hlt_itself_retires)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		count_with(cpu, machine, 0, INSTRUCTIONS | OS);
		machine_retire(machine, (struct model_insn) {
			.ip = 0x1000, .next_ip = 0x1001, .length = 1, .traits = MODEL_TRAIT_HLT,
		});
		model_halt(&machine->model);
		model_halted(&machine->model, 10);
		model_interrupt(&machine->model, 0x40);
		machine_nops(machine, 2);
		check_eq_u64(named(cpu, "instructions"), get(machine, PMC0), 3);
	}
}

UNIT_TEST(an_idle_model_can_halt)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		check_eq_u64(named(cpu, "never"), model_halt(&machine->model), UINT64_MAX);
		check_eq_u64(named(cpu, "never"), model_halted(&machine->model, 99), UINT64_MAX);
		check_true(named(cpu, "idle"), !machine->model.is_active);
	}
}

/* ------------------------------------------------------------------------------ with a rule */

static struct machine *start_counting_halted(const struct cpu *cpu, uint64_t evtsel)
{
	struct machine *machine = start(cpu);

	WITH_RULE(machine, halted_signals, 1u << SIGNAL_CYCLES | 1u << SIGNAL_TSC_CYCLES |
	                                   1u << SIGNAL_BUS_CYCLES);
	count_with(cpu, machine, 0, evtsel);
	return machine;
}

static uint64_t halt(struct machine *machine, uint64_t cycles)
{
	uint64_t again;

	machine->may_raise = true;
	again = model_halted(&machine->model, cycles);
	machine->may_raise = false;
	return again;
}

UNIT_TEST(what_counts_while_halted_says_when_it_overflows)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start_counting_halted(cpu, CYCLES | OS | INT);
		uint64_t left;

		put(machine, PMC0, (uint32_t)-1000);
		left = model_halt(&machine->model);
		check_eq_u64(named(cpu, "cycles to go"), left, 1000);
		check_eq_u64(named(cpu, "cycles to go, later"), halt(machine, 400), 600);
		check_eq_u64(named(cpu, "PMIs"), machine->pmis, 0);
		halt(machine, 600);
		check_eq_u64(named(cpu, "PMC0"), get(machine, PMC0), 0);
		check_eq_u64(named(cpu, "PMIs"), machine->pmis, 1);
		check_true(named(cpu, "a PMI when it may be"), !machine->has_raised_wrongly);
	}
}

UNIT_TEST(what_counts_while_halted_without_int_overflows_too)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = start_counting_halted(cpu, CYCLES | OS);

		put(machine, PMC0, (uint32_t)-1000);
		model_halt(&machine->model);
		halt(machine, 5000);
		check_eq_u64(named(cpu, "PMC0"), get(machine, PMC0), 4000);
		check_eq_u64(named(cpu, "status"), get(machine, STATUS), 1);
		check_eq_u64(named(cpu, "PMIs"), machine->pmis, 0);
	}
}

UNIT_TEST(halted_cycles_belong_to_the_ring_that_halted)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start_counting_halted(cpu, CYCLES | USR);

		machine_nops(machine, 1);
		check_eq_u64(named(cpu, "never"), model_halt(&machine->model), UINT64_MAX);
		halt(machine, 5000);
		check_eq_u64(named(cpu, "PMC0"), get(machine, PMC0), 0);
	}
}

UNIT_TEST(bus_cycles_while_halted_have_their_ratio)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine;
		uint64_t ratio, left;

		if (cpu->leaf_0a[1] & 4)
			continue;
		machine = start_counting_halted(cpu, REFERENCE_CYCLES | OS);
		ratio = machine->core.rules.bus_ratio;
		put(machine, PMC0, (uint32_t)-10);
		left = model_halt(&machine->model);
		check_true(named(cpu, "at least"), left > 9 * ratio);
		check_true(named(cpu, "at most"), left <= 10 * ratio);
		halt(machine, left - 1);
		check_true(named(cpu, "not yet"), get(machine, PMC0) != 0);
		halt(machine, 1);
		check_eq_u64(named(cpu, "PMC0"), get(machine, PMC0), 0);
	}
}

UNIT_TEST(slots_while_halted_have_their_width)
{
	FOR_EACH_CPU_FROM(cpu, 5) {
		struct machine *machine = start(cpu);
		uint64_t width = machine->core.rules.cycle_width, left;

		WITH_RULE(machine, halted_signals, 1u << SIGNAL_SLOTS);
		count_with(cpu, machine, 0, SLOTS | OS | INT);
		put(machine, PMC0, (uint32_t)-100);
		left = model_halt(&machine->model);
		check_eq_u64(named(cpu, "cycles"), left, (100 + width - 1) / width);
		halt(machine, left - 1);
		check_eq_u64(named(cpu, "PMIs before"), machine->pmis, 0);
		halt(machine, 1);
		check_eq_u64(named(cpu, "PMIs"), machine->pmis, 1);
	}
}

UNIT_TEST(rings_and_events_that_stand_still_are_skipped)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start_counting_halted(cpu, CYCLES | OS);

		count_with(cpu, machine, 1, LLC_REFERENCES | OS);
		put(machine, PMC0 + 1, 0xffffffff);
		check_true(named(cpu, "cycles alone"), model_halt(&machine->model) > 1000);
		halt(machine, 500);
		check_eq_u64(named(cpu, "references"), get(machine, PMC0 + 1), ONES(cpu->width));
	}
}

UNIT_MAIN()
