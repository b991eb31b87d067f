/* SPDX-License-Identifier: MIT */
/* Runs workloads at CPL 3. */
#include <pmu/workload/workload.h>

#include <arch/modes/modes.h>

static void (*user_code)(uint32_t rounds, uint32_t argument);
static fault_t user_fault;

/*
 * Calls the code as C does in this kernel: with arguments on the stack, or already in EDI and ESI.
 */
static const uint8_t call_code[] = {
#ifndef __x86_64__
	0x52, 0x51,                     /* PUSH EDX; PUSH ECX */
#endif
	0xff, 0xd0,                     /* CALL EAX or RAX */
};

void pmu_workload_at_cpl3_begin(void (*code)(uint32_t rounds, uint32_t argument))
{
	user_code = code;
	user_fault = FAULT_NONE;
}

void pmu_workload_at_cpl3(uint32_t rounds, uint32_t argument)
{
	const struct mode_regs regs = {
		.ax = (uintptr_t)user_code, .cx = rounds, .dx = argument, .di = rounds,
		.si = argument,
	};

	user_fault = mode_run(MODE_CPL3, call_code, sizeof(call_code), &regs).fault;
}

fault_t pmu_workload_at_cpl3_fault(void)
{
	return user_fault;
}
