/* SPDX-License-Identifier: MIT */
/* Model-specific registers but the PMU's. Source: SDM 4, "Architectural MSRs"; APM 2 for AMD. */
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

/* Local APIC registers in x2APIC mode: SDM 3A, "x2APIC Register Address Space". */
#define IA32_X2APIC(offset)               (0x800 + ((offset) >> 4))

#endif
