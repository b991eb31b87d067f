/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests freezing on a PMI. SDM 3B, "Freezing LBR and Performance Counters on PMI": versions 2 and 3
 * clear the enables, versions 4 and later set bits of the status.
 */
#include <tests/unit/model/core/model_cpus.h>

enum { FREEZE_LBRS = 1 << 11, FREEZE_PERFMON = 1 << 12 };

/* Returns a machine one instruction after PMC0's wrap, with the PMI delivered. PMC1 counts, too. */
static struct machine *after_a_pmi(const struct cpu *cpu, uint64_t debugctl)
{
	struct machine *machine = start(cpu);

	machine->lvtpc = LVTPC_NMI;
	if (cpu->version >= 2)
		put(machine, DEBUGCTL, debugctl);
	count_with(cpu, machine, 0, INSTRUCTIONS | OS | INT);
	count_with(cpu, machine, 1, INSTRUCTIONS | OS);
	put(machine, PMC0, 0xffffffff);
	machine_nops(machine, 1);
	check_eq_u64(named(cpu, "delivered"), machine->delivered, 1);
	machine_nops(machine, 1);
	return machine;
}

UNIT_TEST(without_freezing_all_counters_continue)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = after_a_pmi(cpu, 0);

		check_eq_u64(named(cpu, "PMC0"), get(machine, PMC0), 1);
		check_eq_u64(named(cpu, "PMC1"), get(machine, PMC0 + 1), 2);
		check_eq_u64(named(cpu, "status"), get(machine, STATUS), 1);
		check_eq_u64(named(cpu, "global"), get(machine, GLOBAL), cpu_counters(cpu));
	}
}

UNIT_TEST(a_frozen_pmu_does_not_count)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = after_a_pmi(cpu, FREEZE_PERFMON);

		check_eq_u64(named(cpu, "PMC0"), get(machine, PMC0), 0);
		check_eq_u64(named(cpu, "PMC1"), get(machine, PMC0 + 1), 1);
		check_true(named(cpu, "idle"), !machine->model.is_active);
	}
}

UNIT_TEST(versions_2_and_3_freeze_by_clearing_the_enables)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine;

		if (cpu->version > 3)
			continue;
		machine = after_a_pmi(cpu, FREEZE_PERFMON);
		check_eq_u64(named(cpu, "global"), get(machine, GLOBAL), 0);
		check_eq_u64(named(cpu, "status"), get(machine, STATUS), 1);
		put(machine, GLOBAL, 3);
		machine_nops(machine, 4);
		check_eq_u64(named(cpu, "PMC0 after the enables were set again"),
		             get(machine, PMC0), 4);
	}
}

UNIT_TEST(version_4_freezes_by_a_status_bit)
{
	FOR_EACH_CPU_FROM(cpu, 4) {
		struct machine *machine = after_a_pmi(cpu, FREEZE_PERFMON);

		check_eq_u64(named(cpu, "global"), get(machine, GLOBAL), cpu_counters(cpu));
		check_eq_u64(named(cpu, "status"), get(machine, STATUS), ONE(59) | 1);
		put(machine, STATUS_RESET, 1);
		machine_nops(machine, 4);
		check_eq_u64(named(cpu, "PMC0 with the status bit"), get(machine, PMC0), 0);
		put(machine, STATUS_RESET, ONE(59));
		machine_nops(machine, 4);
		check_eq_u64(named(cpu, "PMC0 after the status bit was cleared"),
		             get(machine, PMC0), 4);
		check_eq_u64(named(cpu, "PMC1 after the status bit was cleared"),
		             get(machine, PMC0 + 1), 5);
	}
}

UNIT_TEST(software_can_freeze_by_setting_the_status)
{
	FOR_EACH_CPU_FROM(cpu, 4) {
		struct machine *machine = start(cpu);

		count_with(cpu, machine, 0, INSTRUCTIONS | OS);
		machine_nops(machine, 3);
		put(machine, STATUS_SET, ONE(59));
		machine_nops(machine, 5);
		check_eq_u64(named(cpu, "PMC0 while frozen"), get(machine, PMC0), 3);
		put(machine, STATUS_RESET, ONE(59));
		machine_nops(machine, 5);
		check_eq_u64(named(cpu, "PMC0"), get(machine, PMC0), 8);
	}
}

UNIT_TEST(the_lbr_freeze_does_not_stop_counters)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = after_a_pmi(cpu, FREEZE_LBRS | 1);

		check_eq_u64(named(cpu, "PMC0"), get(machine, PMC0), 1);
		check_eq_u64(named(cpu, "DEBUGCTL"), get(machine, DEBUGCTL),
		             FREEZE_LBRS | (cpu->version >= 4));
		check_eq_u64(named(cpu, "status"), get(machine, STATUS),
		             cpu->version >= 4 ? ONE(58) | 1 : 1);
	}
}

UNIT_TEST(a_status_bit_that_is_set_raises_no_pmi)
{
	FOR_EACH_CPU_FROM(cpu, 4) {
		struct machine *machine = start(cpu);

		count_with(cpu, machine, 0, INSTRUCTIONS | OS | INT);
		put(machine, STATUS_SET, 1);
		machine_nops(machine, 3);
		check_eq_u64(named(cpu, "PMIs"), machine->pmis, 0);
		check_eq_u64(named(cpu, "PMC0"), get(machine, PMC0), 3);
	}
}

/*
 * Each instruction waits for memory, for many cycles; the counters stop in the cycle of the wrap.
 */
UNIT_TEST(a_freeze_stops_counters_in_the_cycle_of_the_wrap)
{
	static const uint64_t events[] = {
		CYCLES, CYCLES | CMASK(1), REFERENCE_CYCLES, REFERENCE_CYCLES | CMASK(1),
		CYCLES | CMASK(2) | INV, INSTRUCTIONS | CMASK(1) | INV,
	};

	FOR_EACH_CPU_FROM(cpu, 2)
		for (unsigned e = 0; e < 6; e++) {
			struct machine *machine = start(cpu);

			if ((events[e] & 0xffff) == REFERENCE_CYCLES && cpu->leaf_0a[1] & 4)
				continue;
			machine->lvtpc = LVTPC_NMI;
			put(machine, DEBUGCTL, FREEZE_PERFMON);
			count_with(cpu, machine, 0, events[e] | OS | INT);
			put(machine, PMC0, 0xfffffff0);
			for (unsigned i = 0; i < 100; i++) {
				machine_access(machine, REFPMU_READ, 0xa00000 + 4096 * i, 4);
				machine_nops(machine, 1);
			}
			check_eq_u64(named(cpu, "event %" PRIX64 "H, PMC0", events[e]),
			             get(machine, PMC0), 0);
			check_eq_u64(named(cpu, "delivered"), machine->delivered, 1);
		}
}

/* The wait is of far more than 20 cycles, whose slots are missing. */
UNIT_TEST(a_freeze_stops_slots_in_the_cycle_of_the_wrap)
{
	FOR_EACH_CPU_FROM(cpu, 5) {
		struct machine *machine = start(cpu);
		uint64_t width = machine->core.rules.counters.cycle_width;

		put(machine, DEBUGCTL, FREEZE_PERFMON);
		count_with(cpu, machine, 0, SLOTS | OS | INT);
		put(machine, PMC0, -(20 * width));
		machine_access(machine, REFPMU_READ, 0xa00000, 4);
		machine_nops(machine, 1);
		check_eq_u64(named(cpu, "PMIs"), machine->pmis, 1);
		check_true(named(cpu, "slots of a cycle at most"), get(machine, PMC0) < width);
	}
}

UNIT_MAIN()
