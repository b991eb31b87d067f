/* SPDX-License-Identifier: MIT */
/*
 * Defines the MSRs, controls and fields of virtual-machine extensions that this kernel uses.
 * Source: SDM 3C, "Virtual Machine Control Structures", "Basic VM-Exit Information"; SDM 3D,
 * appendices "VMX Capability Reporting Facility", "Field Encoding in VMCS", "VMX Basic Exit
 * Reasons".
 */
#ifndef ARCH_REGS_VMX_H
#define ARCH_REGS_VMX_H

#include <arch/regs/bits.h>

#define IA32_FEATURE_CONTROL              0x3a
#define   IA32_FEATURE_CONTROL_LOCK         BIT(0)
#define   IA32_FEATURE_CONTROL_VMX          BIT(2)       /* outside of SMX operation */

#define IA32_VMX_BASIC                    0x480
#define   IA32_VMX_BASIC_REVISION           FIELD(30, 0)
#define   IA32_VMX_BASIC_TRUE               BIT(55)      /* the TRUE registers exist */
#define IA32_VMX_PINBASED_CTLS            0x481          /* high half: what may be 1, */
#define IA32_VMX_PROCBASED_CTLS           0x482          /* low half: what must be 1 */
#define IA32_VMX_EXIT_CTLS                0x483
#define IA32_VMX_ENTRY_CTLS               0x484
#define IA32_VMX_MISC                     0x485
#define   IA32_VMX_MISC_TIMER_RATE          FIELD(4, 0)  /* a tick is 2^n of the TSC */
#define   IA32_VMX_MISC_MSR_LIST            FIELD(27, 25)  /* (n + 1) * 512 MSRs at least */
#define IA32_VMX_CR0_FIXED0               0x486
#define IA32_VMX_CR0_FIXED1               0x487
#define IA32_VMX_CR4_FIXED0               0x488
#define IA32_VMX_CR4_FIXED1               0x489
#define IA32_VMX_PROCBASED_CTLS2          0x48b
#define IA32_VMX_TRUE_PINBASED_CTLS       0x48d          /* the others follow */

#define VMX_PIN_EXTERNAL_INTERRUPT        BIT32(0)
#define VMX_PIN_NMI                       BIT32(3)
#define VMX_PIN_VIRTUAL_NMIS              BIT32(5)
#define VMX_PIN_PREEMPTION_TIMER          BIT32(6)

#define VMX_PROC_TSC_OFFSETTING           BIT32(3)
#define VMX_PROC_HLT                      BIT32(7)
#define VMX_PROC_RDPMC                    BIT32(11)
#define VMX_PROC_RDTSC                    BIT32(12)
#define VMX_PROC_NMI_WINDOW               BIT32(22)
#define VMX_PROC_MSR_BITMAPS              BIT32(28)
#define VMX_PROC_SECONDARY                BIT32(31)
#define VMX_PROC2_TSC_SCALING             BIT32(25)      /* among the secondary controls */

#define VMX_EXIT_SAVE_DEBUG               BIT32(2)
#define VMX_EXIT_HOST_64                  BIT32(9)       /* host address-space size */
#define VMX_EXIT_LOAD_PERF                BIT32(12)      /* IA32_PERF_GLOBAL_CTRL */
#define VMX_EXIT_CLEAR_LBR_CTL            BIT32(26)      /* IA32_LBR_CTL */
#define VMX_EXIT_SAVE_PERF                BIT32(30)
#define VMX_ENTRY_LOAD_DEBUG              BIT32(2)
#define VMX_ENTRY_GUEST_64                BIT32(9)       /* IA-32e mode guest */
#define VMX_ENTRY_LOAD_PERF               BIT32(13)
#define VMX_ENTRY_LOAD_LBR_CTL            BIT32(21)

/* Fields. Bits 14:13 give the width, bit 0 selects the high half of a field of 64 bits. */
#define VMCS_WIDTH                        FIELD(14, 13)
#define   VMCS_WIDTH_64                     1
#define VMCS_GUEST_SELECTOR(segment)      (0x800 + 2 * (segment))
#define VMCS_HOST_SELECTOR(segment)       (0xc00 + 2 * (segment))     /* TR: 6 */
#define VMCS_MSR_BITMAPS                  0x2004
#define VMCS_EXIT_STORE_ADDRESS           0x2006
#define VMCS_EXIT_LOAD_ADDRESS            0x2008
#define VMCS_ENTRY_LOAD_ADDRESS           0x200a
#define VMCS_TSC_OFFSET                   0x2010
#define VMCS_TSC_MULTIPLIER               0x2032         /* with 48 bits of fraction */
#define VMCS_LINK_POINTER                 0x2800
#define VMCS_GUEST_DEBUGCTL               0x2802
#define VMCS_GUEST_PERF_GLOBAL_CTRL       0x2808
#define VMCS_HOST_PERF_GLOBAL_CTRL        0x2c04
#define VMCS_PIN_CONTROLS                 0x4000
#define VMCS_PROC_CONTROLS                0x4002
#define VMCS_EXCEPTION_BITMAP             0x4004
#define VMCS_CR3_TARGETS                  0x400a
#define VMCS_EXIT_CONTROLS                0x400c
#define VMCS_EXIT_STORE_COUNT             0x400e
#define VMCS_EXIT_LOAD_COUNT              0x4010
#define VMCS_ENTRY_CONTROLS               0x4012
#define VMCS_ENTRY_LOAD_COUNT             0x4014
#define VMCS_ENTRY_INFO                   0x4016         /* the event to inject */
#define   VMCS_INFO_VECTOR                  FIELD(7, 0)
#define   VMCS_INFO_TYPE                    FIELD(10, 8)
#define     VMCS_INFO_TYPE_EXTERNAL           0
#define     VMCS_INFO_TYPE_NMI                2
#define     VMCS_INFO_TYPE_EXCEPTION          3
#define   VMCS_INFO_HAS_ERROR               BIT32(11)
#define   VMCS_INFO_VALID                   BIT32(31)
#define VMCS_ENTRY_ERROR_CODE             0x4018
#define VMCS_PROC2_CONTROLS               0x401e
#define VMCS_INSTRUCTION_ERROR            0x4400
#define VMCS_EXIT_REASON                  0x4402
#define   VMCS_EXIT_REASON_BASIC            FIELD(15, 0)
#define   VMCS_EXIT_REASON_ENTRY_FAILED     BIT32(31)
#define VMCS_EXIT_INFO                    0x4404
#define VMCS_INSTRUCTION_LENGTH           0x440c
#define VMCS_GUEST_LIMIT(segment)         (0x4800 + 2 * (segment))
#define VMCS_GUEST_GDTR_LIMIT             0x4810
#define VMCS_GUEST_IDTR_LIMIT             0x4812
#define VMCS_GUEST_RIGHTS(segment)        (0x4814 + 2 * (segment))
#define   VMCS_RIGHTS_OF_DESCRIPTOR         UINT32_C(0xf0ff)     /* of its bits 55:40 */
#define   VMCS_RIGHTS_UNUSABLE              BIT32(16)
#define VMCS_GUEST_INTERRUPTIBILITY       0x4824
#define   VMCS_BLOCKING_BY_NMI              BIT32(3)
#define VMCS_GUEST_ACTIVITY               0x4826
#define VMCS_GUEST_SYSENTER_CS            0x482a
#define VMCS_PREEMPTION_TIMER             0x482e
#define VMCS_HOST_SYSENTER_CS             0x4c00
#define VMCS_EXIT_QUALIFICATION           0x6400
#define VMCS_GUEST_CR0                    0x6800
#define VMCS_GUEST_CR3                    0x6802
#define VMCS_GUEST_CR4                    0x6804
#define VMCS_GUEST_BASE(segment)          (0x6806 + 2 * (segment))
#define VMCS_GUEST_GDTR_BASE              0x6816
#define VMCS_GUEST_IDTR_BASE              0x6818
#define VMCS_GUEST_DR7                    0x681a
#define VMCS_GUEST_RSP                    0x681c
#define VMCS_GUEST_RIP                    0x681e
#define VMCS_GUEST_RFLAGS                 0x6820
#define VMCS_GUEST_PENDING_DEBUG          0x6822
#define VMCS_GUEST_SYSENTER_ESP           0x6824
#define VMCS_GUEST_SYSENTER_EIP           0x6826
#define VMCS_HOST_CR0                     0x6c00
#define VMCS_HOST_CR3                     0x6c02
#define VMCS_HOST_CR4                     0x6c04
#define VMCS_HOST_FS_BASE                 0x6c06
#define VMCS_HOST_GS_BASE                 0x6c08
#define VMCS_HOST_TR_BASE                 0x6c0a
#define VMCS_HOST_GDTR_BASE               0x6c0c
#define VMCS_HOST_IDTR_BASE               0x6c0e
#define VMCS_HOST_SYSENTER_ESP            0x6c10
#define VMCS_HOST_SYSENTER_EIP            0x6c12
#define VMCS_HOST_RSP                     0x6c14
#define VMCS_HOST_RIP                     0x6c16

/* Segments, in the order of their fields. */
enum vmcs_segment {
	VMCS_ES, VMCS_CS, VMCS_SS, VMCS_DS, VMCS_FS, VMCS_GS, VMCS_LDTR, VMCS_TR, VMCS_SEGMENTS
};
#define VMCS_HOST_TR                      6              /* there is no LDTR among the host's */

/* Basic exit reasons. */
#define VMX_REASON_EXCEPTION_OR_NMI       0
#define VMX_REASON_EXTERNAL_INTERRUPT     1
#define VMX_REASON_NMI_WINDOW             8
#define VMX_REASON_CPUID                  10
#define VMX_REASON_HLT                    12
#define VMX_REASON_RDPMC                  15
#define VMX_REASON_RDTSC                  16
#define VMX_REASON_VMCALL                 18
#define VMX_REASON_RDMSR                  31
#define VMX_REASON_WRMSR                  32
#define VMX_REASON_INVALID_GUEST          33
#define VMX_REASON_MSR_LOADING            34
#define VMX_REASON_PREEMPTION_TIMER       52

/* Values of VMCS_INSTRUCTION_ERROR. */
#define VMX_ERROR_CONTROLS                7
#define VMX_ERROR_HOST_STATE              8

#endif
