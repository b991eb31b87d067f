/* SPDX-License-Identifier: MIT */
/*
 * Defines the PMU of the Pentium Pro to Pentium M. Source: SDM 3B, "Performance Monitoring (P6
 * Family Processor)".
 */
#ifndef ARCH_REGS_P6_H
#define ARCH_REGS_P6_H

#include <arch/regs/bits.h>

/* A counter is 40 bits wide; a write takes bits 31:0 and copies bit 31 to bits 39:32. */
#define PerfCtr(x)                        (0xc1 + (x))

#define PerfEvtSel(x)                     (0x186 + (x))
#define   PerfEvtSel_EVENT_SELECT           FIELD(7, 0)
#define   PerfEvtSel_UMASK                  FIELD(15, 8)
#define   PerfEvtSel_USR                    BIT(16)     /* count at CPL 1, 2, 3 */
#define   PerfEvtSel_OS                     BIT(17)     /* count at CPL 0 */
#define   PerfEvtSel_E                      BIT(18)     /* edge detect */
#define   PerfEvtSel_PC                     BIT(19)     /* pin: 0 overflows, 1 increments */
#define   PerfEvtSel_INT                    BIT(20)     /* PMI on overflow */
#define   PerfEvtSel_RESERVED_21            BIT(21)
#define   PerfEvtSel_EN                     BIT(22)     /* in PerfEvtSel0 only, for both counters */
#define   PerfEvtSel_INV                    BIT(23)
#define   PerfEvtSel_CMASK                  FIELD(31, 24)
#define   PerfEvtSel_RESERVED_63_32         FIELD(63, 32)
#define PerfEvtSel_FIELDS(op) ( \
	PerfEvtSel_EVENT_SELECT op PerfEvtSel_UMASK op PerfEvtSel_USR op PerfEvtSel_OS op \
	PerfEvtSel_E op PerfEvtSel_PC op PerfEvtSel_INT op PerfEvtSel_RESERVED_21 op \
	PerfEvtSel_EN op PerfEvtSel_INV op PerfEvtSel_CMASK op PerfEvtSel_RESERVED_63_32)
_Static_assert(COVERS_ALL_ONCE(PerfEvtSel_FIELDS), "PerfEvtSelx: gap or overlap");

/*
 * These registers record the last branch, interrupt and exception, as offsets in the code segment.
 * Source: SDM 3B, "Last Branch, Interrupt, and Exception Recording (P6 Family Processors)".
 */
#define DebugCtlMSR                       0x1d9
#define   DebugCtlMSR_LBR                   BIT(0)
#define   DebugCtlMSR_BTF                   BIT(1)
#define   DebugCtlMSR_PB(x)                 BIT(2 + (x))   /* 0 to 3: pins */
#define   DebugCtlMSR_TR                    BIT(6)
#define LastBranchFromIP                  0x1db
#define LastBranchToIP                    0x1dc
#define LastExceptionFromIP               0x1dd
#define LastExceptionToIP                 0x1de

#define P6_EVENT_CPU_CLK_UNHALTED         0x79
#define P6_EVENT_INST_RETIRED             0xc0
#define P6_EVENT_L2_RQSTS                 0x2e          /* counts nothing with an empty unit mask */

#endif
