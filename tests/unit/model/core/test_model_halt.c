/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests that a halted processor counts nothing. Source: SDM 3B, table "Architectural Performance
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
			check_eq_u64(named(cpu, "event %XH: time to the next overflow", events[e]),
			             refpmu_halt(&machine->model), UINT64_MAX);
			check_eq_u64(named(cpu, "event %XH: time to overflow, later", events[e]),
			             refpmu_halted(&machine->model, 1000000), UINT64_MAX);
			check_eq_u64(named(cpu, "event %XH", events[e]), get(machine, PMC0),
			             before);
		}
}

UNIT_TEST(no_cycle_is_counted_while_halted_even_with_inv)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t before;

		count_with(cpu, machine, 0, INSTRUCTIONS | OS | INV | CMASK(1));
		machine_nops(machine, 3);
		before = get(machine, PMC0);
		refpmu_halt(&machine->model);
		refpmu_halted(&machine->model, 5000);
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
		check_eq_u64(named(cpu, "time to the next overflow"),
		             refpmu_halt(&machine->model), UINT64_MAX);
		refpmu_halted(&machine->model, 777);
		for (unsigned i = 0; cpu->fixed & ONE(i); i++)
			check_eq_u64(named(cpu, "FIXED_CTR%u", i), get(machine, FIXED0 + i), 0);
	}
}

UNIT_TEST(the_tsc_continues_while_halted)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t before;

		count_with(cpu, machine, 0, CYCLES | OS);
		refpmu_halt(&machine->model);
		before = machine->model.cycles;
		refpmu_halted(&machine->model, 1234);
		check_eq_u64(named(cpu, "the TSC's clock"), machine->model.cycles, before + 1234);
	}
}

UNIT_TEST(hlt_itself_retires)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		count_with(cpu, machine, 0, INSTRUCTIONS | OS);
		machine_retire(machine, (struct refpmu_insn) {
			.ip = 0x1000, .next_ip = 0x1001, .length = 1, .traits = REFPMU_TRAIT_HLT,
		});
		refpmu_halt(&machine->model);
		refpmu_halted(&machine->model, 10);
		refpmu_interrupt(&machine->model, 0x40);
		machine_nops(machine, 2);
		check_eq_u64(named(cpu, "instructions"), get(machine, PMC0), 3);
	}
}

UNIT_TEST(an_idle_model_can_halt)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		check_eq_u64(named(cpu, "time to the next overflow"),
		             refpmu_halt(&machine->model), UINT64_MAX);
		check_eq_u64(named(cpu, "time to the next overflow, later"),
		             refpmu_halted(&machine->model, 99), UINT64_MAX);
		check_true(named(cpu, "the processor is not active"), !machine->model.is_active);
	}
}

UNIT_MAIN()
