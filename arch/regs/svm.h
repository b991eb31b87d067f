/* SPDX-License-Identifier: MIT */
/*
 * Defines the MSRs, the VMCB, its intercepts and exit codes of AMD's secure virtual machines that
 * this kernel uses. Source: APM 2, "Secure Virtual Machine", appendices "VMCB Layout" and "SVM
 * Intercept Exit Codes"; APM 3, CPUID function 8000_000AH.
 */
#ifndef ARCH_REGS_SVM_H
#define ARCH_REGS_SVM_H

#include <stddef.h>
#include <stdint.h>

#include <arch/regs/bits.h>

#define VM_HSAVE_PA                       0xc0010117u

/* struct vmcb's intercepts[0]. */
#define SVM_INTERCEPT_INTR                BIT32(0)
#define SVM_INTERCEPT_NMI                 BIT32(1)
#define SVM_INTERCEPT_RDTSC               BIT32(14)
#define SVM_INTERCEPT_RDPMC               BIT32(15)
#define SVM_INTERCEPT_CPUID               BIT32(18)
#define SVM_INTERCEPT_HLT                 BIT32(24)
#define SVM_INTERCEPT_MSR_PROT            BIT32(28)      /* by the permission map */
#define SVM_INTERCEPT_SHUTDOWN            BIT32(31)
/* intercepts[1] */
#define SVM_INTERCEPT_VMRUN               BIT32(0)       /* must be 1 */
#define SVM_INTERCEPT_VMMCALL             BIT32(1)

#define SVM_EXIT_EXCEPTION(vector)        (0x40u + (vector))
#define SVM_EXIT_INTR                     0x60u
#define SVM_EXIT_NMI                      0x61u
#define SVM_EXIT_RDTSC                    0x6eu
#define SVM_EXIT_RDPMC                    0x6fu
#define SVM_EXIT_CPUID                    0x72u
#define SVM_EXIT_HLT                      0x78u
#define SVM_EXIT_MSR                      0x7cu          /* EXITINFO1: 0 RDMSR, 1 WRMSR */
#define SVM_EXIT_VMMCALL                  0x81u
#define SVM_EXIT_INVALID                  UINT64_MAX     /* the entry failed */

/* EVENTINJ. */
#define SVM_EVENT_VECTOR                  FIELD(7, 0)
#define SVM_EVENT_TYPE                    FIELD(10, 8)
#define   SVM_EVENT_INTR                    0
#define   SVM_EVENT_NMI                     2
#define   SVM_EVENT_EXCEPTION               3
#define SVM_EVENT_VALID                   BIT(31)

/* struct vmcb's virtual_interrupt: the host's RFLAGS.IF, not the guest's, masks interrupts. */
#define SVM_V_INTR_MASKING                BIT(24)

#define SVM_LBR_VIRTUALIZATION            BIT(0)         /* struct vmcb's virtualization */

/* attributes are bits 55:52 and 47:40 of a descriptor, without a gap. */
struct vmcb_segment { uint16_t selector, attributes; uint32_t limit; uint64_t base; };

struct vmcb {
	uint16_t cr_intercepts[2], dr_intercepts[2];           /* reads, writes */
	uint32_t exception_intercepts;
	uint32_t intercepts[2];
	uint8_t reserved_014[0x40 - 0x14];
	uint64_t iopm, msrpm;                                  /* physical addresses */
	uint64_t tsc_offset;
	uint32_t asid, tlb_control;
	uint64_t virtual_interrupt;
	uint64_t interrupt_shadow;
	uint64_t exit_code, exit_info_1, exit_info_2, exit_event;
	uint64_t nested_paging;
	uint8_t reserved_098[0xa8 - 0x98];
	uint64_t event;                                        /* EVENTINJ; high half: error code */
	uint64_t nested_cr3;
	uint64_t virtualization;
	uint64_t clean_bits;
	uint64_t next_rip;
	uint8_t reserved_0d0[0x400 - 0xd0];
	struct vmcb_segment es, cs, ss, ds, fs, gs, gdtr, ldtr, idtr, tr;
	uint8_t reserved_4a0[0x4cb - 0x4a0];
	uint8_t cpl;
	uint32_t reserved_4cc;
	uint64_t efer;
	uint8_t reserved_4d8[0x548 - 0x4d8];
	uint64_t cr4, cr3, cr0, dr7, dr6, rflags, rip;
	uint8_t reserved_580[0x5d8 - 0x580];
	uint64_t rsp;
	uint8_t reserved_5e0[0x5f8 - 0x5e0];
	uint64_t rax;
	uint64_t star, lstar, cstar, sfmask, kernel_gs_base;
	uint64_t sysenter_cs, sysenter_esp, sysenter_eip;
	uint64_t cr2;
	uint8_t reserved_648[0x668 - 0x648];
	uint64_t g_pat, dbgctl;
	uint8_t reserved_678[0x1000 - 0x678];
};

#define AT(field, offset) _Static_assert(offsetof(struct vmcb, field) == (offset), "APM 2: " #field)
AT(intercepts, 0x0c);
AT(msrpm, 0x48);
AT(asid, 0x58);
AT(exit_code, 0x70);
AT(event, 0xa8);
AT(virtualization, 0xb8);
AT(next_rip, 0xc8);
AT(es, 0x400);
AT(tr, 0x490);
AT(cpl, 0x4cb);
AT(efer, 0x4d0);
AT(rip, 0x578);
AT(rax, 0x5f8);
AT(cr2, 0x640);
AT(dbgctl, 0x670);
#undef AT

#endif
