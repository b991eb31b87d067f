/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests guests of SVM. APM 2, "LBR Virtualization": with it VMRUN loads DebugCtl from the VMCB, and
 * #VMEXIT saves it there and restores the host's; APM 2, table "Host/Guest Only Bits".
 */
#include <tests/unit/model/amd/model_amd.h>

enum { DEBUGCTL_MSR = 0x1d9, HOST_NOPS = 10, GUEST_NOPS = 25 };

/* Enters a guest by VMRUN, which retires if the model says so. */
static void vmrun(struct machine *machine, const struct refpmu_vm *vm)
{
	enum refpmu_branch retires;

	machine->may_raise = true;
	retires = refpmu_vm_entered(&machine->model, vm);
	machine->may_raise = false;
	check_eq_u64("VMRUN retires as", retires, REFPMU_FAR_JMP);
	machine_retire(machine, (struct refpmu_insn) {
		.ip = machine->ip, .next_ip = machine->ip + 0x100, .length = 3,
		.branch = (uint8_t)retires, .is_taken = true });
}

static void vmexit(struct machine *machine, struct refpmu_vm *vm)
{
	machine->may_raise = true;
	refpmu_vm_exited(&machine->model, vm);
	machine->may_raise = false;
}

/* Counts an event in a host and in a guest. */
static uint64_t count_both(const struct amd *a, uint64_t select)
{
	struct machine *machine = begin(a->signature);
	struct refpmu_vm vm = { .has_lbr_virtualization = false };

	refpmu_svme(&machine->model, true);
	count(machine, a, 0, OS | select);
	machine_nops(machine, HOST_NOPS);
	vmrun(machine, &vm);
	machine_nops(machine, GUEST_NOPS);
	vmexit(machine, &vm);
	machine_nops(machine, HOST_NOPS);
	return get(machine, ctr_of(a, 0));
}

/* VMRUN belongs to the guest. */
UNIT_TEST(host_and_guest_bits_follow_vmrun_and_vmexit)
{
	FOR_EACH_AMD(a) {
		if (!(a->ctl >> 40 & 1))
			continue;
		check_eq_u64(a->name, count_both(a, RETIRED), 2 * HOST_NOPS + GUEST_NOPS + 1);
		check_eq_u64(a->name, count_both(a, RETIRED | HOST_ONLY), 2 * HOST_NOPS);
		check_eq_u64(a->name, count_both(a, RETIRED | GUEST_ONLY), GUEST_NOPS + 1);
		check_eq_u64(a->name, count_both(a, RETIRED | HOST_ONLY | GUEST_ONLY),
		             2 * HOST_NOPS + GUEST_NOPS + 1);
	}
}

UNIT_TEST(vmrun_is_a_taken_branch_of_the_guest)
{
	FOR_EACH_AMD(a) {
		if (!(a->ctl >> 40 & 1))
			continue;
		check_eq_u64(a->name, count_both(a, ANY_BRANCH | GUEST_ONLY), 1);
		check_eq_u64(a->name, count_both(a, TAKEN | GUEST_ONLY), 1);
		check_eq_u64(a->name, count_both(a, TAKEN | HOST_ONLY), 0);
	}
}

UNIT_TEST(lbr_virtualization_exchanges_debugctl)
{
	FOR_EACH_AMD(a) {
		struct machine *machine = begin(a->signature);
		struct refpmu_vm vm = { .has_lbr_virtualization = true, .guest.debugctl = 2 };

		put(machine, DEBUGCTL_MSR, 4);
		vmrun(machine, &vm);
		check_eq_u64(a->name, get(machine, DEBUGCTL_MSR), 2);
		put(machine, DEBUGCTL_MSR, 8);
		vmexit(machine, &vm);
		check_eq_u64(a->name, vm.guest.debugctl, 8);
		check_eq_u64(a->name, get(machine, DEBUGCTL_MSR), 4);
	}
}

UNIT_TEST(without_lbr_virtualization_debugctl_stays)
{
	FOR_EACH_AMD(a) {
		struct machine *machine = begin(a->signature);
		struct refpmu_vm vm = { .guest.debugctl = 2 };

		put(machine, DEBUGCTL_MSR, 4);
		vmrun(machine, &vm);
		check_eq_u64(a->name, get(machine, DEBUGCTL_MSR), 4);
		put(machine, DEBUGCTL_MSR, 8);
		vmexit(machine, &vm);
		check_eq_u64(a->name, get(machine, DEBUGCTL_MSR), 8);
		check_eq_u64(a->name, vm.guest.debugctl, 2);
	}
}

UNIT_TEST(nothing_of_a_vmcb_is_refused)
{
	FOR_EACH_AMD(a) {
		struct machine *machine = begin(a->signature);
		struct refpmu_vm vm = { .has_lbr_virtualization = true };

		vm.guest.debugctl = UINT64_MAX;
		check_eq_u64(a->name, refpmu_vm_check(&machine->model, &vm), REFPMU_VM_PASSES);
	}
}

UNIT_MAIN()
