/* SPDX-License-Identifier: MIT */
/*
 * Defines the model-specific registers other than those of the PMU. Source: SDM 4, "Architectural
 * MSRs"; APM 2 for AMD.
 */
#ifndef ARCH_REGS_MSR_H
#define ARCH_REGS_MSR_H

#include <arch/regs/bits.h>

#define IA32_TIME_STAMP_COUNTER           0x10

#define IA32_APIC_BASE                    0x1b
#define   IA32_APIC_BASE_BSP                BIT(8)
#define   IA32_APIC_BASE_EXTD               BIT(10)        /* x2APIC mode */
#define   IA32_APIC_BASE_EN                 BIT(11)        /* global enable */
#define   IA32_APIC_BASE_ADDRESS            FIELD(35, 12)

#define IA32_BIOS_SIGN_ID                 0x8b
#define   IA32_BIOS_SIGN_ID_REVISION        FIELD(63, 32)

/*
 * Source: SDM 3A, "Performing Fast Calls to System Procedures with the SYSENTER and SYSEXIT
 * Instructions".
 */
#define IA32_SYSENTER_CS                  0x174
#define IA32_SYSENTER_ESP                 0x175
#define IA32_SYSENTER_EIP                 0x176

/* Source: SDM 4, "IA32 Architectural MSRs". IA32_A_PMC15 would be at the second's address. */
#define IA32_MCG_CAP                      0x179
#define   IA32_MCG_CAP_LMCE_P               BIT(27)        /* IA32_MCG_EXT_CTL exists */
#define IA32_MCG_EXT_CTL                  0x4d0

/* Source: SDM 3A, "Fast System Calls in 64-Bit Mode". */
#define IA32_STAR                         0xc0000081
#define   IA32_STAR_SYSCALL                 FIELD(47, 32)  /* CS; SS is the next selector */
#define   IA32_STAR_SYSRET                  FIELD(63, 48)  /* SS is the next, then 64-bit CS */
#define IA32_LSTAR                        0xc0000082
#define IA32_FMASK                        0xc0000084

#define IA32_EFER                         0xc0000080
#define   IA32_EFER_SCE                     BIT(0)         /* SYSCALL and SYSRET exist */
#define   IA32_EFER_LME                     BIT(8)
#define   IA32_EFER_LMA                     BIT(10)

/*
 * Gives the address of a local APIC register in x2APIC mode. Source: SDM 3A, "x2APIC Register
 * Address Space".
 */
#define IA32_X2APIC(offset)               (0x800 + ((offset) >> 4))

#endif
