/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* The rules that no processor has by itself: PMIs that are late, lost or twice, and registers that
 * are not there. */
#include <tests/unit/model/core/model_cpus.h>

static const struct cpu *haswell(void)
{
	return cpu_of(0x306c3);
}

/* A machine of this processor with one rule changed. */
#define MACHINE_WITH(machine, field, to) \
	struct machine *machine = start(haswell()); \
	WITH_RULE(machine, field, to)

/* PMC0 with INT is so many instructions before its wrap. */
static void preset(struct machine *machine, unsigned insns)
{
	count_with(haswell(), machine, 0, INSTRUCTIONS | OS | INT);
	put(machine, PMC0, (uint32_t)-insns);
}

UNIT_TEST(a_pmi_may_be_late)
{
	MACHINE_WITH(machine, pmi_late_insns, 5);
	preset(machine, 1);
	machine_nops(machine, 5);
	check_eq_u64("four instructions after the overflow", machine->pmis, 0);
	put(machine, EVTSEL0, 0);
	machine_nops(machine, 1);
	check_eq_u64("five, and the counter stopped", machine->pmis, 1);
	machine_nops(machine, 10);
	check_eq_u64("once", machine->pmis, 1);
}

UNIT_TEST(a_fixed_pmi_may_need_if)
{
	MACHINE_WITH(machine, pmi_needs_if, true);
	machine->lvtpc = 0x93;
	preset(machine, 1);
	machine_nops(machine, 1);
	check_eq_u64("IF = 0", machine->delivered, 0);
	machine->lvtpc = LVTPC_NMI;
	preset(machine, 1);
	machine_nops(machine, 1);
	check_eq_u64("as NMI", machine->delivered, 1);
}

UNIT_TEST(a_pmi_may_wait_for_the_processor_to_go_on)
{
	MACHINE_WITH(machine, pmi_needs_awake, true);
	put(machine, EVTSEL0, 0);
	model_halt(&machine->model);
	machine->model.is_pmi_due = true;
	machine->may_raise = true;
	model_halted(&machine->model, 10);
	check_eq_u64("halted", machine->pmis, 0);
	machine->may_raise = true;
	model_interrupt(&machine->model, 0x40);
	check_eq_u64("awake", machine->pmis, 1);
}

UNIT_TEST(a_pending_pmi_may_come_at_another_vector_again)
{
	MACHINE_WITH(machine, pmi_follows_vector, true);
	machine->lvtpc = 0x93;
	preset(machine, 1);
	machine_nops(machine, 3);
	check_eq_u64("accepted", machine->delivered, 1);
	machine->lvtpc = LVTPC_MASK | 0xa5;
	machine_nops(machine, 3);
	check_eq_u64("again, once", machine->delivered, 2);
	preset(machine, 1);
	machine->lvtpc = 0x93;
	machine_nops(machine, 1);
	machine_enter(machine, true, 0x93, 0x200000, 0);
	machine->lvtpc = LVTPC_MASK | 0xa5;
	machine_nops(machine, 3);
	check_eq_u64("no more when it has been let in", machine->delivered, 3);
}

UNIT_TEST(a_counter_may_go_on_with_zero_in_its_control)
{
	MACHINE_WITH(machine, select_zero_goes_on, true);
	count_with(haswell(), machine, 0, INSTRUCTIONS | OS);
	machine_nops(machine, 2);
	put(machine, EVTSEL0, 0);
	machine_nops(machine, 2);
	check_eq_u64("PMC0", get(machine, PMC0), 4);
	check_eq_u64("the control", get(machine, EVTSEL0), 0);
}

UNIT_TEST(registers_may_be_missing_or_stuck)
{
	uint64_t value;

	MACHINE_WITH(machine, absent_msr, GLOBAL);
	check_eq_u64("RDMSR", model_rdmsr(&machine->model, GLOBAL, &value), MODEL_GP);
	check_eq_u64("WRMSR", model_wrmsr(&machine->model, GLOBAL, 0), MODEL_GP);
	check_eq_u64("another", model_wrmsr(&machine->model, EVTSEL0, 0), MODEL_OK);
	machine->core.rules.absent_msr = 0;
	machine->core.rules.unreadable_msr = EVTSEL0;
	check_eq_u64("RDMSR alone", model_rdmsr(&machine->model, EVTSEL0, &value), MODEL_GP);
	check_eq_u64("not WRMSR", model_wrmsr(&machine->model, EVTSEL0, 0), MODEL_OK);
	machine->core.rules.has_no_msrs = true;
	check_eq_u64("all", model_wrmsr(&machine->model, EVTSEL0, 0), MODEL_GP);
	machine->core.rules.has_no_msrs = false;
	machine->core.rules.stuck_msr = GLOBAL;
	machine->core.rules.stuck_bits = ONE(5);
	put(machine, GLOBAL, 1);
	check_eq_u64("stuck", get(machine, GLOBAL), 1 | ONE(5));
}

UNIT_TEST(rdpmc_may_leave_edx)
{
	uint64_t rax = 1, rdx = 2;

	MACHINE_WITH(machine, rdpmc_keeps_edx, true);
	model_rdpmc_registers(&machine->model, ONE(40) | 7, &rax, &rdx);
	check_eq_u64("RAX", rax, 7);
	check_eq_u64("RDX", rdx, 2);
}

UNIT_TEST(the_first_processor_may_lack_its_enables)
{
	MACHINE_WITH(machine, boot_lacks_enables, true);
	check_eq_u64("GLOBAL_CTRL", get(machine, GLOBAL), 0);
}

UNIT_MAIN()
