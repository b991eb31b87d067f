/* SPDX-License-Identifier: MIT */
/* Source: APM 2, "Secure Virtual Machine": "Enabling SVM", "VMRUN Instruction", "#VMEXIT", "MSR
 * Intercepts". */
#include <arch/svm/svm_hypervisor.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/guests/guest_frame.h>
#include <arch/modes/paging.h>
#include <arch/regs/amd.h>
#include <arch/regs/cpu.h>
#include <arch/regs/msr.h>
#include <arch/regs/table.h>
#include <arch/svm/svm_insns.h>

#define DR6_RESET UINT64_C(0xffff0ff0)
#define DR7_RESET UINT64_C(0x400)

/* Two bits for each MSR of three ranges, RDMSR and WRMSR; the rest of the map is reserved. */
enum { RANGE_MSRS = 0x2000, RANGE_BYTES = RANGE_MSRS / 4, MAP_BYTES = 2 * PAGE_SIZE };

static struct vmcb vmcb __attribute__((aligned(4096)));
static struct vmcb host __attribute__((aligned(4096)));
static uint8_t host_save[PAGE_SIZE] __attribute__((aligned(4096)));
static uint8_t permissions[MAP_BYTES] __attribute__((aligned(4096)));
static bool is_on;

enum svm_state svm_get_state(void)
{
	uint64_t control = 0;

	if (!cpuid_get(CPUID_SVM))
		return SVM_IS_ABSENT;
	return !is_fault(msr_try_read(VM_CR, &control)) && (control & VM_CR_SVMDIS) ? SVM_IS_LOCKED
	                                                                            : SVM_IS_READY;
}

struct vmcb *svm_vmcb(void)
{
	return &vmcb;
}

/* ---------------------------------------------------------------------------- the VMCB */

static struct vmcb_segment segment_of(uint16_t selector, struct guest_segment s)
{
	return (struct vmcb_segment){
		.selector = selector, .limit = s.limit, .base = s.base,
		.attributes = (uint16_t)((s.rights & 0xff) | (s.rights >> 4 & 0xf00)),
	};
}

void svm_guest_at(const void *code, unsigned cpl)
{
	const uint16_t data = cpl ? SELECTOR(GDT_CPL3_DATA, 3) : SELECTOR_KERNEL_DATA;
	const uint16_t text = cpl ? SELECTOR(GDT_CPL3_CODE, 3) : SELECTOR_KERNEL_CODE;

	vmcb.cs = segment_of(text, guest_segment(text));
	vmcb.ss = segment_of(data, guest_segment(data));
	vmcb.ds = vmcb.es = vmcb.fs = vmcb.gs = vmcb.ss;
	vmcb.cpl = (uint8_t)cpl;
	vmcb.rip = (uintptr_t)code;
	vmcb.rsp = guest_stack_top(cpl);
	vmcb.rflags = EFLAGS_FIXED;
	vmcb.interrupt_shadow = 0;
}

static struct vmcb_segment table_of(struct table_descriptor d)
{
	return (struct vmcb_segment){ .limit = d.limit, .base = d.base };
}

static void fill_controls(void)
{
	vmcb.intercepts[0] = SVM_INTERCEPT_INTR | SVM_INTERCEPT_NMI | SVM_INTERCEPT_HLT |
	                     SVM_INTERCEPT_MSR_PROT | SVM_INTERCEPT_SHUTDOWN;
	vmcb.intercepts[1] = SVM_INTERCEPT_VMRUN | SVM_INTERCEPT_VMMCALL;
	vmcb.msrpm = paging_physical(permissions);
	vmcb.asid = 1;
}

/* Host and guest have the same control registers; SVME must be 1 in the guest. */
static void fill_registers(void)
{
	vmcb.cr0 = cr0_read();
	vmcb.cr3 = cr3_read();
	vmcb.cr4 = cr4_read();
	vmcb.efer = msr_read(IA32_EFER);
	vmcb.dr6 = DR6_RESET;
	vmcb.dr7 = DR7_RESET;
	vmcb.gdtr = table_of(segments_gdt());
	vmcb.idtr = table_of(guest_idt(svm_guest_vectors));
	vmcb.tr = segment_of(SELECTOR_TSS, guest_tss());
}

/* ---------------------------------------------------------------------------- on and off */

void svm_off(void)
{
	if (!is_on)
		return;
	is_on = false;
	msr_write(IA32_EFER, msr_read(IA32_EFER) & ~AMD_EFER_SVME);
}

void svm_on(void)
{
	svm_off();
	msr_write(IA32_EFER, msr_read(IA32_EFER) | AMD_EFER_SVME);
	is_on = true;
	msr_write(VM_HSAVE_PA, paging_physical(host_save));
	__builtin_memset(&vmcb, 0, sizeof(vmcb));
	__builtin_memset(permissions, 0, sizeof(permissions));
	fill_controls();
	fill_registers();
	svm_guest_at(svm_guest_vectors, 0);
}

void svm_enter(struct guest_regs *regs)
{
	const struct svm_pages pages = { paging_physical(&vmcb), paging_physical(&host) };

	vmcb.rax = regs->ax;
	insn_vmrun(regs, &pages);
	regs->ax = (uintptr_t)vmcb.rax;
}

bool svm_intercept(uint32_t msr, bool reads, bool writes)
{
	static const uint32_t ranges[] = { 0, 0xc0000000, 0xc0010000 };

	for (unsigned i = 0; i < COUNT_OF(ranges); i++) {
		const uint32_t n = msr - ranges[i];
		uint8_t *byte = &permissions[i * RANGE_BYTES + (n % RANGE_MSRS) / 4];

		if (n >= RANGE_MSRS)
			continue;
		*byte = (uint8_t)((*byte & ~(3u << n % 4 * 2)) |
		                  ((unsigned)reads | (unsigned)writes << 1) << n % 4 * 2);
		return true;
	}
	return false;
}

/* ---------------------------------------------------------------------------- interruptions */

int svm_guest_vector(void)
{
	if (vmcb.exit_code != SVM_EXIT_VMMCALL)
		return -1;
	return guest_vector_at(svm_guest_vectors, (uintptr_t)vmcb.rip);
}

uint32_t svm_guest_error(void)
{
	return guest_frame_error(svm_guest_vector(), (uintptr_t)vmcb.rsp);
}

uintptr_t svm_guest_interrupted(void)
{
	return guest_frame_ip(svm_guest_vector(), (uintptr_t)vmcb.rsp);
}

void svm_guest_skip(unsigned bytes)
{
	vmcb.rip += bytes;
}
