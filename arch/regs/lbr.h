/* SPDX-License-Identifier: MIT */
/*
 * Defines the last branch records of family 6: the stacks of Pentium M to Tiger Lake, and
 * architectural LBR. Source: SDM 3B, "Last Branch, Interrupt, and Exception Recording" and its
 * sections by microarchitecture, "Architectural Last Branch Records"; SDM 4. P6 and NetBurst are in
 * regs/p6.h and regs/netburst.h.
 */
#ifndef ARCH_REGS_LBR_H
#define ARCH_REGS_LBR_H

#include <arch/regs/bits.h>

#define MSR_LBR_SELECT                    0x1c8            /* Nehalem and later; 1: not recorded */
#define   MSR_LBR_SELECT_CPL_EQ_0           BIT(0)
#define   MSR_LBR_SELECT_CPL_NEQ_0          BIT(1)
#define   MSR_LBR_SELECT_JCC                BIT(2)
#define   MSR_LBR_SELECT_NEAR_REL_CALL      BIT(3)
#define   MSR_LBR_SELECT_NEAR_IND_CALL      BIT(4)
#define   MSR_LBR_SELECT_NEAR_RET           BIT(5)
#define   MSR_LBR_SELECT_NEAR_IND_JMP       BIT(6)
#define   MSR_LBR_SELECT_NEAR_REL_JMP       BIT(7)
#define   MSR_LBR_SELECT_FAR_BRANCH         BIT(8)         /* also exceptions and interrupts */
#define   MSR_LBR_SELECT_EN_CALLSTACK       BIT(9)         /* Haswell and later */
#define MSR_LASTBRANCH_TOS_CORE           0x1c9            /* MSR_LASTBRANCH_TOS of family 6 */

/*
 * Pentium M and Core Duo have one register per entry, with "from" in bits 31:0 and "to" in bits
 * 63:32.
 */
#define MSR_LASTBRANCH_PACKED(x)          (0x40 + (x))
/* Core 2, and Atom before Goldmont, have these registers. */
#define MSR_LASTBRANCH_FROM_IP_40(x)      (0x40 + (x))
#define MSR_LASTBRANCH_TO_IP_60(x)        (0x60 + (x))
/*
 * Nehalem to Tiger Lake have these registers; Skylake and later also have an LBR_INFO register for
 * each entry.
 */
#define MSR_LASTBRANCH_FROM_IP(x)         (0x680 + (x))
#define MSR_LASTBRANCH_TO_IP(x)           (0x6c0 + (x))
#define MSR_LBR_INFO(x)                   (0xdc0 + (x))

/* These are values of IA32_PERF_CAPABILITIES[5:0]. */
enum lbr_format {
	LBR_FORMAT_32      = 0,        /* 32-bit packed or 64-bit offsets, by the model */
	LBR_FORMAT_LIP     = 1,
	LBR_FORMAT_EIP     = 2,
	LBR_FORMAT_FLAGS   = 3,        /* bit 63 of FROM: mispredicted */
	LBR_FORMAT_FLAGS2  = 4,        /* also 62: in a transaction, 61: transaction aborted */
	LBR_FORMAT_INFO    = 5,        /* these flags are in MSR_LBR_INFO_x */
	LBR_FORMAT_TIME    = 6,
	LBR_FORMAT_INFO2   = 7,
	LBR_FORMAT_ARCH    = 0x3f
};
#define LBR_FROM_MISPRED                  BIT(63)
#define LBR_FROM_IN_TX                    BIT(62)
#define LBR_FROM_TSX_ABORT                BIT(61)
#define LBR_INFO_MISPRED                  BIT(63)
#define LBR_INFO_IN_TX                    BIT(62)
#define LBR_INFO_TSX_ABORT                BIT(61)
#define LBR_INFO_CYC_CNT_VALID            BIT(60)          /* architectural */
#define LBR_INFO_BR_TYPE                  FIELD(59, 56)    /* architectural */
#define LBR_INFO_CYC_CNT                  FIELD(15, 0)

/* Architectural LBR (CPUID.7.0:EDX[19], leaf 1CH) has these registers. Entry 0 is the newest. */
#define IA32_LBR_CTL                      0x14ce
#define   IA32_LBR_CTL_LBREN                BIT(0)
#define   IA32_LBR_CTL_OS                   BIT(1)
#define   IA32_LBR_CTL_USR                  BIT(2)
#define   IA32_LBR_CTL_CALL_STACK           BIT(3)
#define   IA32_LBR_CTL_JCC                  BIT(16)        /* 1: conditional jumps are recorded */
#define   IA32_LBR_CTL_NEAR_REL_JMP         BIT(17)
#define   IA32_LBR_CTL_NEAR_IND_JMP         BIT(18)
#define   IA32_LBR_CTL_NEAR_REL_CALL        BIT(19)
#define   IA32_LBR_CTL_NEAR_IND_CALL        BIT(20)
#define   IA32_LBR_CTL_NEAR_RET             BIT(21)
#define   IA32_LBR_CTL_OTHER_BRANCH         BIT(22)
#define IA32_LBR_DEPTH                    0x14cf
#define IA32_LBR_FROM_IP(x)               (0x1500 + (x))
#define IA32_LBR_TO_IP(x)                 (0x1600 + (x))
#define IA32_LBR_INFO(x)                  (0x1200 + (x))
/* These are values of LBR_INFO_BR_TYPE. */
enum lbr_branch_type { LBR_TYPE_COND, LBR_TYPE_JMP_INDIRECT, LBR_TYPE_JMP_DIRECT,
                       LBR_TYPE_CALL_INDIRECT, LBR_TYPE_CALL_DIRECT, LBR_TYPE_RET,
                       LBR_TYPE_OTHER = 8 };

/* Family 6 after P6 has the last exception record here. */
#define MSR_LER_FROM_IP                   0x1dd
#define MSR_LER_TO_IP                     0x1de

#endif
