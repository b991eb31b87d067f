/* SPDX-License-Identifier: MIT */
#include <arch/vmx/guest_exits.h>

#include <arch/regs/cpu.h>
#include <arch/regs/vmx.h>
#include <arch/vmx/guest_vectors.h>
#include <arch/vmx/vmcs.h>

uintptr_t vmx_guest_gate(unsigned vector)
{
	return (uintptr_t)guest_vectors + GUEST_VECTOR_SIZE * vector;
}

int vmx_guest_vector(void)
{
	const uintptr_t offset = (uintptr_t)vmcs_read(VMCS_GUEST_RIP) - vmx_guest_gate(0);

	return offset < GUEST_VECTORS * GUEST_VECTOR_SIZE ? (int)(offset / GUEST_VECTOR_SIZE) : -1;
}

void vmx_guest_return(void)
{
	vmcs_write(VMCS_GUEST_RIP,
	           vmcs_read(VMCS_GUEST_RIP) + vmcs_read(VMCS_INSTRUCTION_LENGTH));
}

static bool has_error(void)
{
	const int vector = vmx_guest_vector();

	return vector >= 0 && vector < X86_EXCEPTIONS && (X86_PUSHES_ERROR_CODE >> vector & 1);
}

/* Host and guest have the same addresses. */
static const uintptr_t *frame(void)
{
	return (const uintptr_t *)(uintptr_t)vmcs_read(VMCS_GUEST_RSP);
}

uint32_t vmx_guest_error(void)
{
	return has_error() ? (uint32_t)frame()[0] : 0;
}

uintptr_t vmx_guest_interrupted(void)
{
	return frame()[has_error()];
}
