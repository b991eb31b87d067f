/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests system-management mode. SDM 3B, "Filtering of SMM Handler Overhead": with FREEZE_WHILE_SMM
 * an SMI stops counters and branch records, and RSM lets them go on.
 */
#include <tests/unit/model/sampling/model_branches.h>

enum { BTF = 2, LBR_AND_BTF = 3, FREEZE_WHILE_SMM = 1 << 14, HANDLER = 20 };

static bool can_freeze(struct machine *machine)
{
	uint64_t capabilities;

	return machine_read(machine, CAPABILITIES, &capabilities) == REFPMU_OK
	       && (capabilities >> 12 & 1);
}

static void smi(struct machine *machine)
{
	machine->may_raise = true;
	refpmu_smi(&machine->model);
	machine->may_raise = false;
}

static void rsm(struct machine *machine)
{
	machine->may_raise = true;
	refpmu_rsm(&machine->model);
	machine->may_raise = false;
}

/* Executes 3 instructions, a handler in SMM, and 4 more. */
static void run(struct machine *machine)
{
	machine_nops(machine, 3);
	smi(machine);
	machine_nops(machine, HANDLER);
	rsm(machine);
	machine_nops(machine, 4);
}

UNIT_TEST(a_handler_in_smm_counts_as_other_code_does)
{
	FOR_EACH_CPU_FROM(cpu, 1) {
		struct machine *machine = start(cpu);

		count_with(cpu, machine, 0, INSTRUCTIONS | OS);
		run(machine);
		check_eq_u64(named(cpu, "PMC0"), get(machine, PMC0), 3 + HANDLER + 4);
	}
}

UNIT_TEST(frozen_counters_stand_still_in_smm)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = start(cpu);

		if (!can_freeze(machine))
			continue;
		put(machine, DEBUGCTL, FREEZE_WHILE_SMM);
		count_with(cpu, machine, 0, INSTRUCTIONS | OS);
		run(machine);
		check_eq_u64(named(cpu, "PMC0"), get(machine, PMC0), 3 + 4);
		check_eq_u64(named(cpu, "global"), get(machine, GLOBAL), cpu_counters(cpu));
	}
}

UNIT_TEST(the_freeze_clears_registers_and_rsm_restores_them)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = start(cpu);
		uint64_t bits = cpu->version < 5 ? LBR_AND_BTF : BTF;
		uint64_t debugctl = FREEZE_WHILE_SMM | bits;

		if (!can_freeze(machine))
			continue;
		put(machine, DEBUGCTL, debugctl);
		put(machine, GLOBAL, 1);
		smi(machine);
		check_eq_u64(named(cpu, "global in SMM"), get(machine, GLOBAL), 0);
		check_eq_u64(named(cpu, "DEBUGCTL in SMM"), get(machine, DEBUGCTL) & bits, 0);
		rsm(machine);
		check_eq_u64(named(cpu, "global"), get(machine, GLOBAL), 1);
		check_eq_u64(named(cpu, "DEBUGCTL"), get(machine, DEBUGCTL), debugctl);
	}
}

UNIT_TEST(rsm_without_a_reported_smi_changes_nothing)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = start(cpu);

		put(machine, GLOBAL, 1);
		rsm(machine);
		check_eq_u64(named(cpu, "global"), get(machine, GLOBAL), 1);
	}
}

/* SDM 3B, "Architectural Last Branch Records": an SMI clears IA32_LBR_CTL.LBREN even without. */
UNIT_TEST(frozen_stacks_of_branches_have_none_of_smm)
{
	FOR_EACH_LBR(l) {
		struct machine *machine = start(&l->cpu);
		bool is_frozen = can_freeze(machine);

		turn_on(l, machine);
		if (is_frozen)
			put(machine, DEBUGCTL, FREEZE_WHILE_SMM | (is_arch(l) ? 0 : 1));
		jump(machine, 0x1000, 0x2000);
		smi(machine);
		jump(machine, 0xa8000, 0xa8100);
		rsm(machine);
		jump(machine, 0x3000, 0x4000);
		turn_off(l, machine);
		check_record(l, machine, 0, 0x3000, 0x4000);
		if (l->depth > 1)
			check_record(l, machine, 1, is_frozen ? 0x1000 : 0xa8000,
			             is_frozen ? 0x2000 : 0xa8100);
	}
}

UNIT_MAIN()
