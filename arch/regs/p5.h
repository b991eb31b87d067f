/* SPDX-License-Identifier: MIT */
/*
 * Defines the PMU of the Pentium and Pentium MMX. Source: SDM 3B, "Performance Monitoring (Pentium
 * Processors)".
 */
#ifndef ARCH_REGS_P5_H
#define ARCH_REGS_P5_H

#include <arch/regs/bits.h>

/* CESR controls both counters: one write starts and stops both. */
#define CESR                              0x11
#define   CESR_ES0                          FIELD(5, 0)     /* event select */
#define   CESR_CC0                          FIELD(8, 6)     /* counter control, see below */
#define   CESR_PC0                          BIT(9)          /* pin: 0 increments, 1 overflows */
#define   CESR_RESERVED_15_10               FIELD(15, 10)
#define   CESR_ES1                          FIELD(21, 16)
#define   CESR_CC1                          FIELD(24, 22)
#define   CESR_PC1                          BIT(25)
#define   CESR_RESERVED_63_26               FIELD(63, 26)
#define CESR_FIELDS(op) ( \
	CESR_ES0 op CESR_CC0 op CESR_PC0 op CESR_RESERVED_15_10 op \
	CESR_ES1 op CESR_CC1 op CESR_PC1 op CESR_RESERVED_63_26)
_Static_assert(COVERS_ALL_ONCE(CESR_FIELDS), "CESR: gap or overlap");

/* These are the bits of the values of CC0 and CC1. */
#define     CESR_CC_OS                        BIT(0)        /* count at CPL 0, 1, 2 */
#define     CESR_CC_USR                       BIT(1)        /* count at CPL 3 */
#define     CESR_CC_CLOCKS                    BIT(2)        /* count clocks, not occurrences */
#define     CESR_CC_ANY_CPL                   (CESR_CC_OS | CESR_CC_USR)

/* Shifts to the fields of counter x: counter 1's are those of counter 0, 16 bits higher. */
#define   CESR_SHIFT(x)                       (16 * (x))
_Static_assert(CESR_ES0 << CESR_SHIFT(1) == CESR_ES1 && CESR_CC0 << CESR_SHIFT(1) == CESR_CC1
               && CESR_PC0 << CESR_SHIFT(1) == CESR_PC1, "CESR: the second half is the first");

#define CTR0                              0x12              /* 40 bits, all of them writable */
#define CTR1                              0x13

#define P5_EVENT_BRANCHES                 0x12
#define P5_EVENT_INSTRUCTIONS             0x16              /* "Instructions executed" */

#endif
