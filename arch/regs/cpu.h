/* SPDX-License-Identifier: MIT */
/*
 * Defines control registers, flags, exceptions and selector error codes. Source: SDM 3A, "Control
 * Registers", "EFLAGS Register", "Exception and Interrupt Reference".
 */
#ifndef ARCH_REGS_CPU_H
#define ARCH_REGS_CPU_H

#include <arch/regs/bits.h>

#define CR0_PE            BIT32(0)
#define CR0_MP            BIT32(1)
#define CR0_EM            BIT32(2)
#define CR0_TS            BIT32(3)
#define CR0_NE            BIT32(5)
#define CR0_WP            BIT32(16)
#define CR0_AM            BIT32(18)
#define CR0_PG            BIT32(31)

#define CR4_VME           BIT32(0)
#define CR4_TSD           BIT32(2)       /* RDTSC at CPL 0 only */
#define CR4_PSE           BIT32(4)
#define CR4_PAE           BIT32(5)
#define CR4_PCE           BIT32(8)       /* RDPMC at every CPL */
#define CR4_OSFXSR        BIT32(9)
#define CR4_OSXMMEXCPT    BIT32(10)
#define CR4_VMXE          BIT32(13)      /* VMXON is allowed, and while it lasts, demanded */

#define EFLAGS_FIXED      BIT32(1)       /* always 1 */
#define EFLAGS_CF         BIT32(0)
#define EFLAGS_ZF         BIT32(6)
#define EFLAGS_TF         BIT32(8)
#define EFLAGS_IF         BIT32(9)
#define EFLAGS_DF         BIT32(10)
#define EFLAGS_OF         BIT32(11)
#define EFLAGS_IOPL       (3u << 12)
#define EFLAGS_NT         BIT32(14)
#define EFLAGS_RF         BIT32(16)
#define EFLAGS_VM         BIT32(17)
#define EFLAGS_AC         BIT32(18)
#define EFLAGS_ID         BIT32(21)      /* can be changed if CPUID exists */

/* These are the arithmetic flags: CF, PF, AF, ZF, SF, OF. */
#define EFLAGS_STATUS     UINT32_C(0x8d5)

#define X86_DE  0
#define X86_DB  1
#define X86_NMI 2
#define X86_BP  3
#define X86_OF  4
#define X86_BR  5
#define X86_UD  6
#define X86_NM  7
#define X86_DF  8
#define X86_CSO 9                        /* coprocessor segment overrun: reserved since the 486 */
#define X86_TS  10
#define X86_NP  11
#define X86_SS  12
#define X86_GP  13
#define X86_PF  14
#define X86_MF  16
#define X86_AC  17
#define X86_MC  18
#define X86_XM  19
#define X86_VE  20
#define X86_CP  21
#define X86_HV  28
#define X86_VC  29
#define X86_SX  30
#define X86_EXCEPTIONS 32

/*
 * Has the bits of the vectors that push an error code. Source: SDM 3A, table "Exceptions and
 * Interrupts"; VC, SX: APM 2.
 */
#define X86_PUSHES_ERROR_CODE \
	(BIT32(X86_DF) | BIT32(X86_TS) | BIT32(X86_NP) | BIT32(X86_SS) | BIT32(X86_GP) | \
	 BIT32(X86_PF) | BIT32(X86_AC) | BIT32(X86_CP) | BIT32(X86_VC) | BIT32(X86_SX))

/* These bits are in error codes with a selector. Source: SDM 3A, "Error Code". */
#define ERROR_EXT         BIT32(0)
#define ERROR_IDT         BIT32(1)
#define ERROR_TI          BIT32(2)

/* These bits are in error codes of #PF. Source: SDM 3A, "Interrupt 14: Page-Fault Exception". */
#define PF_P              BIT32(0)
#define PF_WR             BIT32(1)
#define PF_US             BIT32(2)

#define PAGE_P            BIT32(0)
#define PAGE_RW           BIT32(1)
#define PAGE_US           BIT32(2)
#define PAGE_PCD          BIT32(4)
#define PAGE_PS           BIT32(7)

#endif
