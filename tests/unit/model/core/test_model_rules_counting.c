/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* The rules that no processor has by itself: what rules.h says of each in counts. */
#include <tests/unit/model/core/model_cpus.h>

static const struct cpu *haswell(void)
{
	return cpu_of(0x306c3);
}

/* A machine of this processor with one rule changed. */
#define MACHINE_WITH(machine, cpu, field, to) \
	struct machine *machine = start(cpu); \
	WITH_RULE(machine, field, to)

/* One taken branch of a kind, into another ring or not. */
static void branch(struct machine *machine, enum model_branch kind, uint8_t cpl_after)
{
	machine_retire(machine, (struct model_insn) {
		.ip = machine->ip, .next_ip = machine->ip + 2, .length = 2, .cpl = machine->cpl,
		.cpl_after = cpl_after, .branch = (uint8_t)kind, .is_taken = true,
	});
}

/* ------------------------------------------------------------------------------ who counts */

UNIT_TEST(global_control_may_not_matter)
{
	MACHINE_WITH(machine, haswell(), needs_global_enable, false);
	put(machine, GLOBAL, 0);
	put(machine, EVTSEL0, INSTRUCTIONS | OS | EN);
	machine_nops(machine, 5);
	check_eq_u64("PMC0", get(machine, PMC0), 5);
}

UNIT_TEST(either_enable_may_do)
{
	MACHINE_WITH(machine, haswell(), adds_global_enable, true);
	put(machine, EVTSEL0, INSTRUCTIONS | OS);
	put(machine, EVTSEL0 + 1, INSTRUCTIONS | OS | EN);
	put(machine, GLOBAL, 1);
	machine_nops(machine, 5);
	check_eq_u64("global's", get(machine, PMC0), 5);
	check_eq_u64("its own", get(machine, PMC0 + 1), 5);
}

UNIT_TEST(global_control_may_need_to_be_toggled)
{
	uint64_t all;

	MACHINE_WITH(machine, haswell(), needs_global_toggle, true);
	all = cpu_counters(haswell());
	put(machine, EVTSEL0, INSTRUCTIONS | OS | EN);
	put(machine, GLOBAL, 0);
	put(machine, GLOBAL, 1);
	machine_nops(machine, 5);
	put(machine, GLOBAL, 0);
	put(machine, GLOBAL, 1);
	machine_nops(machine, 5);
	check_eq_u64("dead", get(machine, PMC0), 0);
	put(machine, GLOBAL, all);
	put(machine, GLOBAL, 0);
	put(machine, GLOBAL, 1);
	machine_nops(machine, 5);
	check_eq_u64("alive", get(machine, PMC0), 5);
}

UNIT_TEST(only_so_many_counters_may_run)
{
	MACHINE_WITH(machine, haswell(), gp_running_max, 2);
	for (unsigned i = 0; i < 4; i++)
		put(machine, EVTSEL0 + i, INSTRUCTIONS | OS | EN);
	put(machine, GLOBAL, 0xf);
	machine_nops(machine, 5);
	check_eq_u64("the first two", get(machine, PMC0) + get(machine, PMC0 + 1), 10);
	check_eq_u64("the others", get(machine, PMC0 + 2) + get(machine, PMC0 + 3), 0);
}

UNIT_TEST(no_ring_may_be_both)
{
	MACHINE_WITH(machine, haswell(), no_ring_is_both, true);
	count_with(haswell(), machine, 0, INSTRUCTIONS);
	machine_nops(machine, 5);
	machine->cpl = 3;
	machine_nops(machine, 5);
	check_eq_u64("PMC0", get(machine, PMC0), 10);
}

UNIT_TEST(fixed_rings_may_be_swapped)
{
	MACHINE_WITH(machine, haswell(), fixed_rings_are_swapped, true);
	put(machine, FIXED_CTRL, 1);
	put(machine, GLOBAL, ONE(32));
	machine_nops(machine, 5);
	check_eq_u64("OS at CPL 0", get(machine, FIXED0), 0);
	put(machine, FIXED_CTRL, 2);
	machine_nops(machine, 5);
	check_eq_u64("USR at CPL 0", get(machine, FIXED0), 5);
}

UNIT_TEST(an_instruction_may_belong_to_the_ring_after_it)
{
	MACHINE_WITH(machine, haswell(), ring_is_after, true);
	count_with(haswell(), machine, 0, INSTRUCTIONS | USR);
	branch(machine, MODEL_IRET, 3);
	check_eq_u64("IRET to CPL 3", get(machine, PMC0), 1);
	branch(machine, MODEL_INT, 0);
	check_eq_u64("INT to CPL 0", get(machine, PMC0), 1);
}

/* ------------------------------------------------------------------------------ what counts */

UNIT_TEST(some_branches_may_not_count)
{
	MACHINE_WITH(machine, haswell(), branches, 1u << MODEL_JCC);
	count_with(haswell(), machine, 0, BRANCHES | OS);
	branch(machine, MODEL_JCC, 0);
	branch(machine, MODEL_CALL, 0);
	check_eq_u64("PMC0", get(machine, PMC0), 1);
}

UNIT_TEST(cpuid_may_be_a_branch)
{
	MACHINE_WITH(machine, haswell(), cpuid_is_branch, true);
	count_with(haswell(), machine, 0, BRANCHES | OS);
	machine_retire(machine, (struct model_insn) {
		.ip = 0x1000, .next_ip = 0x1002, .length = 2,
		.traits = MODEL_TRAIT_CPUID | MODEL_TRAIT_SERIALIZING,
	});
	check_eq_u64("PMC0", get(machine, PMC0), 1);
}

UNIT_TEST(int_may_retire_twice)
{
	MACHINE_WITH(machine, haswell(), int_retires_twice, true);
	count_with(haswell(), machine, 0, INSTRUCTIONS | OS);
	branch(machine, MODEL_INT, 0);
	branch(machine, MODEL_IRET, 0);
	check_eq_u64("PMC0", get(machine, PMC0), 3);
}

UNIT_TEST(an_interrupt_may_retire)
{
	MACHINE_WITH(machine, haswell(), interrupt_retires, true);
	count_with(haswell(), machine, 0, INSTRUCTIONS | USR);
	machine->cpl = 3;
	machine_nops(machine, 2);
	model_interrupt(&machine->model, 0x40);
	check_eq_u64("PMC0", get(machine, PMC0), 3);
}

UNIT_TEST(cmask_may_be_missing_or_off_by_one)
{
	uint64_t plain, above;

	MACHINE_WITH(machine, haswell(), has_cmask, false);
	count_with(haswell(), machine, 0, INSTRUCTIONS | OS | CMASK(1));
	machine_nops(machine, 1000);
	check_eq_u64("without", get(machine, PMC0), 1000);
	machine->core.rules.has_cmask = true;
	WITH_RULE(machine, cmask_is_above, true);
	count_with(haswell(), machine, 0, INSTRUCTIONS | OS | CMASK(1));
	count_with(haswell(), machine, 1, INSTRUCTIONS | OS | CMASK(255));
	machine_nops(machine, 1000);
	above = get(machine, PMC0);
	machine = start(haswell());
	count_with(haswell(), machine, 0, INSTRUCTIONS | OS | CMASK(2));
	machine_nops(machine, 1000);
	plain = get(machine, PMC0);
	check_eq_u64("more than 1 is at least 2", above, plain);
}

UNIT_MAIN()
