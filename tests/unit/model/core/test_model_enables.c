/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests which counters count: rings and enables. Source: SDM 3B, "Architectural Performance
 * Monitoring Version 1", "... Version 2".
 */
#include <tests/unit/model/core/model_cpus.h>

static void retire_kind(struct machine *machine, enum refpmu_branch kind, bool is_taken,
                        unsigned cpl_after)
{
	machine_retire(machine, (struct refpmu_insn) {
		.ip = machine->ip, .next_ip = machine->ip + 2, .length = 2,
		.cpl = machine->cpl, .cpl_after = (uint8_t)cpl_after,
		.branch = (uint8_t)kind, .is_taken = is_taken,
	});
}

/* ------------------------------------------------------------------------------ rings */

UNIT_TEST(usr_and_os_choose_rings)
{
	static const unsigned flags[] = { 0, OS, USR, OS | USR };

	FOR_EACH_CPU(cpu)
		for (unsigned f = 0; f < 4; f++)
			for (uint8_t cpl = 0; cpl < 4; cpl++) {
				struct machine *machine = start(cpu);
				unsigned ring = cpl == 0 ? OS : USR;

				count_with(cpu, machine, 0, INSTRUCTIONS | flags[f]);
				machine->cpl = cpl;
				machine_nops(machine, 20);
				check_eq_u64(named(cpu, "CPL %u, flags %XH", cpl, flags[f]),
				             get(machine, PMC0), flags[f] & ring ? 20 : 0);
			}
}

UNIT_TEST(fixed_counters_choose_rings)
{
	FOR_EACH_CPU_FROM(cpu, 2)
		for (unsigned flags = 0; flags < 4; flags++)
			for (uint8_t cpl = 0; cpl < 4; cpl++) {
				struct machine *machine = start(cpu);

				put(machine, GLOBAL, ONE(32));
				put(machine, FIXED_CTRL, flags);
				machine->cpl = cpl;
				machine_nops(machine, 20);
				check_eq_u64(named(cpu, "CPL %u, flags %u", cpl, flags),
				             get(machine, FIXED0),
				             flags & (cpl == 0 ? 1 : 2) ? 20 : 0);
			}
}

/* Except IRET, on all but the first processor with architectural performance monitoring. */
UNIT_TEST(an_instruction_belongs_to_the_ring_before_it)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		unsigned iret = cpu->version > 1;

		count_with(cpu, machine, 0, INSTRUCTIONS | OS);
		count_with(cpu, machine, 1, INSTRUCTIONS | USR);
		machine_nops(machine, 4);
		retire_kind(machine, REFPMU_IRET, true, 3);
		check_eq_u64(named(cpu, "OS"), get(machine, PMC0), 5 - iret);
		check_eq_u64(named(cpu, "USR"), get(machine, PMC0 + 1), iret);
		machine_nops(machine, 7);
		retire_kind(machine, REFPMU_INT, true, 0);
		machine_nops(machine, 1);
		check_eq_u64(named(cpu, "OS"), get(machine, PMC0), 6 - iret);
		check_eq_u64(named(cpu, "USR"), get(machine, PMC0 + 1), 8 + iret);
	}
}

UNIT_TEST(the_cycles_of_both_rings_are_all_cycles)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t before;

		count_with(cpu, machine, 0, CYCLES | OS);
		count_with(cpu, machine, 1, CYCLES | USR);
		before = machine->model.cycles;
		put(machine, PMC0, 0);
		put(machine, PMC0 + 1, 0);
		for (unsigned i = 0; i < 20; i++) {
			machine_nops(machine, 13);
			retire_kind(machine, REFPMU_IRET, true, i % 2 ? 0 : 3);
		}
		check_eq_u64(named(cpu, "sum of both rings"),
		             get(machine, PMC0) + get(machine, PMC0 + 1),
		             machine->model.cycles - before);
		check_true(named(cpu, "there are cycles of OS"), get(machine, PMC0) > 0);
		check_true(named(cpu, "there are cycles of USR"), get(machine, PMC0 + 1) > 0);
	}
}

/* ------------------------------------------------------------------------------ enables */

UNIT_TEST(a_counter_needs_both_enables)
{
	FOR_EACH_CPU_FROM(cpu, 2)
		for (unsigned i = 0; i < cpu->gp; i++)
			for (unsigned on = 0; on < 4; on++) {
				struct machine *machine = start(cpu);

				put(machine, GLOBAL, on & 1 ? ONE(i) : 0);
				put(machine, EVTSEL0 + i, INSTRUCTIONS | OS | (on & 2 ? EN : 0));
				check_eq_u64(named(cpu, "active, enables %u", on),
				             machine->model.is_active,
				             on == 3);
				machine_nops(machine, 9);
				check_eq_u64(named(cpu, "PMC%u, enables %u", i, on),
				             get(machine, PMC0 + i), on == 3 ? 9 : 0);
			}
}

UNIT_TEST(global_control_of_another_counter_has_no_effect)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = start(cpu);

		put(machine, EVTSEL0, INSTRUCTIONS | OS | EN);
		put(machine, FIXED_CTRL, 1);
		put(machine, GLOBAL, cpu_counters(cpu) & ~(ONE(0) | ONE(32)));
		machine_nops(machine, 9);
		check_eq_u64(named(cpu, "PMC0"), get(machine, PMC0), 0);
		check_eq_u64(named(cpu, "FIXED_CTR0"), get(machine, FIXED0), 0);
		check_true(named(cpu, "idle"), !machine->model.is_active);
	}
}

UNIT_TEST(version_1_needs_its_own_enable_only)
{
	const struct cpu *yonah = cpu_of(0x6ec);
	struct machine *machine = start(yonah);

	put(machine, EVTSEL0 + 1, INSTRUCTIONS | OS | EN);
	machine_nops(machine, 9);
	check_eq_u64("PMC1 without PERFEVTSEL0's EN", get(machine, PMC0 + 1), 9);
	check_eq_u64("PMC0", get(machine, PMC0), 0);
}

UNIT_TEST(a_stopped_counter_keeps_its_value)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		count_with(cpu, machine, 0, INSTRUCTIONS | OS);
		machine_nops(machine, 5);
		put(machine, EVTSEL0, INSTRUCTIONS | OS);
		check_true(named(cpu, "idle"), !machine->model.is_active);
		machine_nops(machine, 5);
		check_eq_u64(named(cpu, "value after the counter was stopped"),
		             get(machine, PMC0), 5);
		put(machine, EVTSEL0, INSTRUCTIONS | OS | EN);
		machine_nops(machine, 5);
		check_eq_u64(named(cpu, "value after the counter was started again"),
		             get(machine, PMC0), 10);
	}
}

UNIT_TEST(all_counters_count_at_once)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		for (unsigned i = 0; i < cpu->gp; i++)
			put(machine, EVTSEL0 + i, (i % 2 ? BRANCHES : INSTRUCTIONS) | OS | EN);
		if (cpu->version >= 2)
			put(machine, FIXED_CTRL, 1);
		enable_all(cpu, machine);
		for (unsigned i = 0; i < cpu->gp; i++)
			put(machine, PMC0 + i, 0);
		for (unsigned i = 0; i < 30; i++)
			machine_branch(machine, REFPMU_JCC, i % 2, 0x3000);
		machine_nops(machine, 12);
		for (unsigned i = 0; i < cpu->gp; i++)
			check_eq_u64(named(cpu, "PMC%u", i), get(machine, PMC0 + i),
			             i % 2 ? 30 : 42);
		if (cpu->version >= 2)
			check_eq_u64(named(cpu, "FIXED_CTR0"), get(machine, FIXED0), 42);
	}
}

UNIT_MAIN()
