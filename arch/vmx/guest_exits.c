/* SPDX-License-Identifier: MIT */
#include <arch/vmx/guest_exits.h>

#include <arch/guests/guest_frame.h>
#include <arch/regs/vmx.h>
#include <arch/vmx/vmcs.h>

uintptr_t vmx_guest_gate(unsigned vector)
{
	return guest_gate(vmx_guest_vectors, vector);
}

int vmx_guest_vector(void)
{
	return guest_vector_at(vmx_guest_vectors, (uintptr_t)vmcs_read(VMCS_GUEST_RIP));
}

void vmx_guest_return(void)
{
	vmcs_write(VMCS_GUEST_RIP,
	           vmcs_read(VMCS_GUEST_RIP) + vmcs_read(VMCS_INSTRUCTION_LENGTH));
}

uint32_t vmx_guest_error(void)
{
	return guest_frame_error(vmx_guest_vector(), (uintptr_t)vmcs_read(VMCS_GUEST_RSP));
}

uintptr_t vmx_guest_interrupted(void)
{
	return guest_frame_ip(vmx_guest_vector(), (uintptr_t)vmcs_read(VMCS_GUEST_RSP));
}
