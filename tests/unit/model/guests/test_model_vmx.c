/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests guests of VMX. SDM 3C, "VM-Entry Controls", "VM-Exit Controls": bits 2, 13 and 21 of the
 * former load IA32_DEBUGCTL, IA32_PERF_GLOBAL_CTRL and IA32_LBR_CTL; bits 2 and 30 of the latter
 * save the first two, bit 12 loads the second, bit 26 clears the third.
 */
#include <tests/unit/model/sampling/model_branches.h>

enum { LOAD_DEBUG = 1 << 2, LOAD_GLOBAL = 1 << 13, LOAD_LBR = 1 << 21 };
enum { SAVE_DEBUG = 1 << 2, HOST_GLOBAL = 1 << 12, CLEAR_LBR = 1 << 26, SAVE_GLOBAL = 1 << 30 };
/* HAS_FIRST is the first version with IA32_PERF_GLOBAL_CTRL. */
enum { BTF = 2, HAS_FIRST = 2, GUEST_NOPS = 25 };

/* Enters a guest, as an emulator whose checks it passes; returns as what its entry retires. */
static enum refpmu_branch enter(struct machine *machine, const struct refpmu_vm *vm)
{
	enum refpmu_branch retires;

	machine->may_raise = true;
	retires = refpmu_vm_entered(&machine->model, vm);
	machine->may_raise = false;
	return retires;
}

static void leave(struct machine *machine, struct refpmu_vm *vm)
{
	machine->may_raise = true;
	refpmu_vm_exited(&machine->model, vm);
	machine->may_raise = false;
}

UNIT_TEST(an_entry_that_loads_the_global_enables_counts_the_guest_alone)
{
	FOR_EACH_CPU_FROM(cpu, HAS_FIRST) {
		struct machine *machine = start(cpu);
		struct refpmu_vm vm = { .entry_controls = LOAD_GLOBAL,
		                        .exit_controls = HOST_GLOBAL };

		count_with(cpu, machine, 0, INSTRUCTIONS | OS);
		put(machine, GLOBAL, 0);
		vm.guest.global_ctrl = 1;
		machine_nops(machine, 7);
		check_eq_u64(named(cpu, "retires as"), enter(machine, &vm), REFPMU_BRANCHES);
		machine_nops(machine, GUEST_NOPS);
		leave(machine, &vm);
		machine_nops(machine, 7);
		check_eq_u64(named(cpu, "PMC0"), get(machine, PMC0), GUEST_NOPS);
		check_eq_u64(named(cpu, "IA32_PERF_GLOBAL_CTRL"), get(machine, GLOBAL), 0);
	}
}

UNIT_TEST(without_controls_only_debugctl_changes_and_only_at_the_exit)
{
	FOR_EACH_CPU_FROM(cpu, HAS_FIRST) {
		struct machine *machine = start(cpu);
		struct refpmu_vm vm = { .guest = { 0, 1, 0 } };

		put(machine, GLOBAL, 3);
		put(machine, DEBUGCTL, BTF);
		enter(machine, &vm);
		check_eq_u64(named(cpu, "global, guest"), get(machine, GLOBAL), 3);
		check_eq_u64(named(cpu, "debugctl, guest"), get(machine, DEBUGCTL), BTF);
		leave(machine, &vm);
		check_eq_u64(named(cpu, "global, host"), get(machine, GLOBAL), 3);
		check_eq_u64(named(cpu, "debugctl, host"), get(machine, DEBUGCTL), 0);
		check_eq_u64(named(cpu, "field of the guest"), vm.guest.global_ctrl, 1);
		check_eq_u64(named(cpu, "the other field"), vm.guest.debugctl, 0);
	}
}

UNIT_TEST(an_exit_saves_what_its_controls_name)
{
	FOR_EACH_CPU_FROM(cpu, HAS_FIRST) {
		struct machine *machine = start(cpu);
		struct refpmu_vm vm = { .entry_controls = LOAD_DEBUG,
		                        .exit_controls = SAVE_DEBUG | SAVE_GLOBAL | HOST_GLOBAL };

		vm.guest.debugctl = BTF;
		vm.host.global_ctrl = 2;
		enter(machine, &vm);
		check_eq_u64(named(cpu, "debugctl, guest"), get(machine, DEBUGCTL), BTF);
		put(machine, DEBUGCTL, 0);
		put(machine, GLOBAL, 3);
		leave(machine, &vm);
		check_eq_u64(named(cpu, "saved debugctl"), vm.guest.debugctl, 0);
		check_eq_u64(named(cpu, "saved global"), vm.guest.global_ctrl, 3);
		check_eq_u64(named(cpu, "global, host"), get(machine, GLOBAL), 2);
	}
}

UNIT_TEST(an_entry_that_fails_saves_nothing_and_loads_the_host)
{
	FOR_EACH_CPU_FROM(cpu, HAS_FIRST) {
		struct machine *machine = start(cpu);
		struct refpmu_vm vm = { .exit_controls = SAVE_GLOBAL | HOST_GLOBAL,
		                        .is_failed = true };

		put(machine, GLOBAL, 3);
		put(machine, DEBUGCTL, BTF);
		vm.guest.global_ctrl = 1;
		leave(machine, &vm);
		check_eq_u64(named(cpu, "field of the guest"), vm.guest.global_ctrl, 1);
		check_eq_u64(named(cpu, "global"), get(machine, GLOBAL), 0);
		check_eq_u64(named(cpu, "debugctl"), get(machine, DEBUGCTL), 0);
	}
}

/* ---------------------------------------------------------------------------- checks */

static void check_is(const struct cpu *cpu, struct machine *machine, const struct refpmu_vm *vm,
                     enum refpmu_vm_check want)
{
	static _Alignas(REFPMU_ALIGNMENT) unsigned char before[MODEL_BYTES];

	memcpy(before, &machine->model, sizeof(machine->model));
	check_eq_u64(named(cpu, "the check"), refpmu_vm_check(&machine->model, vm), want);
	check_eq_u64(named(cpu, "the state is as before"),
	             (unsigned)memcmp(before, &machine->model, sizeof(machine->model)), 0);
}

UNIT_TEST(reserved_bits_are_refused_where_a_control_loads_them)
{
	FOR_EACH_CPU_FROM(cpu, HAS_FIRST) {
		struct machine *machine = start(cpu);
		struct refpmu_vm guest = { .entry_controls = LOAD_GLOBAL,
		                           .guest.global_ctrl = cpu_counters(cpu) };
		struct refpmu_vm host = { .exit_controls = HOST_GLOBAL };

		put(machine, GLOBAL, 1);
		check_is(cpu, machine, &guest, REFPMU_VM_PASSES);
		check_is(cpu, machine, &host, REFPMU_VM_PASSES);
		guest.guest.global_ctrl = host.host.global_ctrl = ONE(63);
		check_is(cpu, machine, &guest, REFPMU_VM_GUEST_FIELD);
		check_is(cpu, machine, &host, REFPMU_VM_HOST_FIELD);
		guest.entry_controls = host.exit_controls = 0;
		check_is(cpu, machine, &guest, REFPMU_VM_PASSES);
		check_is(cpu, machine, &host, REFPMU_VM_PASSES);
	}
}

UNIT_TEST(reserved_bits_of_debugctl_are_refused)
{
	FOR_EACH_CPU_FROM(cpu, HAS_FIRST) {
		struct machine *machine = start(cpu);
		struct refpmu_vm vm = { .entry_controls = LOAD_DEBUG, .guest.debugctl = BTF };

		check_is(cpu, machine, &vm, REFPMU_VM_PASSES);
		vm.guest.debugctl = ONE(63);
		check_is(cpu, machine, &vm, REFPMU_VM_GUEST_FIELD);
		vm.entry_controls = 0;
		check_is(cpu, machine, &vm, REFPMU_VM_PASSES);
	}
}

UNIT_TEST(the_host_is_checked_first)
{
	FOR_EACH_CPU_FROM(cpu, HAS_FIRST) {
		struct machine *machine = start(cpu);
		struct refpmu_vm vm = { .entry_controls = LOAD_GLOBAL,
		                        .exit_controls = HOST_GLOBAL };

		vm.guest.global_ctrl = vm.host.global_ctrl = ONE(63);
		check_is(cpu, machine, &vm, REFPMU_VM_HOST_FIELD);
	}
}

UNIT_TEST(lbr_ctl_is_loaded_saved_cleared_and_checked)
{
	FOR_EACH_LBR(l) {
		struct machine *machine = start(&l->cpu);
		struct refpmu_vm vm = { .entry_controls = LOAD_LBR, .exit_controls = CLEAR_LBR };

		if (!is_arch(l))
			continue;
		vm.guest.lbr_ctl = CTL_ALL;
		enter(machine, &vm);
		check_eq_u64(l->cpu.name, get(machine, LBR_CTL), CTL_ALL);
		put(machine, LBR_CTL, 7);
		leave(machine, &vm);
		check_eq_u64(l->cpu.name, vm.guest.lbr_ctl, 7);
		check_eq_u64(l->cpu.name, get(machine, LBR_CTL), 0);
		vm.guest.lbr_ctl = ONE(63);
		check_is(&l->cpu, machine, &vm, REFPMU_VM_GUEST_FIELD);
	}
}

/* ---------------------------------------------------------------------------- lists, events */

UNIT_TEST(rows_of_lists_are_answered_as_the_instructions_are)
{
	FOR_EACH_CPU_FROM(cpu, HAS_FIRST) {
		struct machine *machine = start(cpu);
		struct refpmu_cpu *m = &machine->model;
		uint64_t value = 5;

		check_eq_u64(named(cpu, "load"), refpmu_vm_load(m, GLOBAL, 3), REFPMU_OK);
		check_eq_u64(named(cpu, "load"), refpmu_vm_load(m, GLOBAL, ONE(63)), REFPMU_GP);
		check_eq_u64(named(cpu, "load"), refpmu_vm_load(m, 0x10, 0), REFPMU_NOT_MINE);
		check_eq_u64(named(cpu, "store"), refpmu_vm_store(m, 0x10, &value),
		             REFPMU_NOT_MINE);
		check_eq_u64(named(cpu, "untouched"), value, 5);
		check_eq_u64(named(cpu, "store"), refpmu_vm_store(m, GLOBAL, &value), REFPMU_OK);
		check_eq_u64(named(cpu, "value"), value, 3);
	}
}

/* Returns the branches that an injected event counts on Haswell: each exception and interrupt is
 * one of CPL 0 from Sandy Bridge on. */
static uint64_t branches_of(uint32_t event)
{
	const struct cpu *cpu = cpu_of(0x306c3);
	struct machine *machine = start(cpu);

	count_with(cpu, machine, 0, BRANCHES | OS);
	machine->may_raise = true;
	refpmu_vm_injected(&machine->model, event);
	machine->may_raise = false;
	return get(machine, PMC0);
}

UNIT_TEST(an_injected_event_counts_as_one_that_is_delivered)
{
	check_eq_u64("external interrupt 42H", branches_of(0x80000042), 1);
	check_eq_u64("NMI", branches_of(0x80000202), 1);
	check_eq_u64("#GP", branches_of(0x80000b0d), 1);
}

UNIT_TEST(processors_without_guests_enter_and_leave_without_effect)
{
	struct refpmu_vm vm = { .entry_controls = UINT32_MAX, .exit_controls = UINT32_MAX };
	static struct machine machine;

	check_true("created", machine_create(&machine, 0x673, 1));
	vm.guest.global_ctrl = vm.guest.debugctl = UINT64_MAX;
	check_eq_u64("the check", refpmu_vm_check(&machine.model, &vm), REFPMU_VM_PASSES);
	check_eq_u64("retires as", enter(&machine, &vm), REFPMU_BRANCHES);
	leave(&machine, &vm);
	check_eq_u64("debugctl", get(&machine, DEBUGCTL), 0);
}

UNIT_MAIN()
