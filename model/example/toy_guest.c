/* SPDX-License-Identifier: MIT */
/*
 * An example of VM entries and VM exits: a toy processor, which executes NOPs alone, runs a guest
 * of VMX whose instructions are counted, but not those of its host.
 *
 *	cc toy_guest.c $(pkg-config --cflags --libs refpmu) -o toy_guest && ./toy_guest
 */
#include "haswell.h"

#include <inttypes.h>
#include <stdio.h>

/* SDM 4, "Architectural MSRs"; SDM 3C, "VM-Entry Controls", "VM-Exit Controls". */
enum { IA32_FIXED_CTR0 = 0x309, IA32_FIXED_CTR_CTRL = 0x38d };
enum { ENTRY_LOADS_GLOBAL_CTRL = 1 << 13, EXIT_LOADS_GLOBAL_CTRL = 1 << 12,
       EXIT_SAVES_GLOBAL_CTRL = 1 << 30 };

enum { HOST_INSNS = 1000, GUEST_INSNS = 300, RESERVED_BIT = 63 };

static void raise_pmi(void *context)
{
	(void)context;                  /* no counter of this example overflows */
}

/* Executes NOPs, in a loop of 16; a real emulator does the same in host and guest. */
static void execute(struct refpmu_cpu *pmu, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct refpmu_insn nop = { .ip = 0x1000 + i % 16, .length = 1 };

		nop.next_ip = nop.ip + 1;
		if (refpmu_view(pmu)->is_watched)
			refpmu_retire(pmu, &nop);
	}
}

/* VMLAUNCH: returns false if the entry fails. The emulator's own checks would stand before. */
static bool enter(struct refpmu_cpu *pmu, const struct refpmu_vm *vmcs)
{
	switch (refpmu_vm_check(pmu, vmcs)) {
	case REFPMU_VM_HOST_FIELD:
		printf("VMfailValid, instruction error 8\n");
		return false;
	case REFPMU_VM_GUEST_FIELD:
		printf("a VM exit with reason 80000021H\n");
		return false;
	case REFPMU_VM_PASSES:
		break;
	}
	refpmu_vm_entered(pmu, vmcs);   /* REFPMU_BRANCHES: VMLAUNCH does not retire */
	return true;
}

int main(void)
{
	struct refpmu_cpu *pmu = haswell_create(NULL, raise_pmi);
	struct refpmu_vm vmcs = {
		.entry_controls = ENTRY_LOADS_GLOBAL_CTRL,
		.exit_controls = EXIT_LOADS_GLOBAL_CTRL | EXIT_SAVES_GLOBAL_CTRL,
		.guest.global_ctrl = UINT64_C(1) << RESERVED_BIT,
	};
	uint64_t count = 0;

	refpmu_wrmsr(pmu, IA32_FIXED_CTR_CTRL, 3);      /* instructions, in all rings */
	if (enter(pmu, &vmcs))
		return 1;
	vmcs.guest.global_ctrl = UINT64_C(1) << 32;     /* fixed counter 0 */
	execute(pmu, HOST_INSNS);
	if (!enter(pmu, &vmcs))
		return 1;
	execute(pmu, GUEST_INSNS);
	refpmu_vm_exited(pmu, &vmcs);
	execute(pmu, HOST_INSNS);
	refpmu_rdmsr(pmu, IA32_FIXED_CTR0, &count);
	printf("counted %" PRIu64 " instructions, the guest executed %d; saved field %" PRIX64
	       "H\n", count, GUEST_INSNS, vmcs.guest.global_ctrl);
	return count == GUEST_INSNS ? 0 : 1;
}
