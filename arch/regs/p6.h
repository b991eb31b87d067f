/* SPDX-License-Identifier: MIT */
/* Pentium Pro to Pentium M. Source: SDM 3B, "Performance Monitoring (P6 Family Processor)". */
#ifndef ARCH_REGS_P6_H
#define ARCH_REGS_P6_H

#include <arch/regs/bits.h>

#define PerfCtr(x)                        (0xc1 + (x))
#define PerfEvtSel(x)                     (0x186 + (x))
#define   PerfEvtSel_EVENT_SELECT           FIELD(7, 0)
#define   PerfEvtSel_USR                    BIT(16)
#define   PerfEvtSel_OS                     BIT(17)
#define   PerfEvtSel_EN                     BIT(22)     /* in PerfEvtSel0 only, for both counters */

#define P6_EVENT_INST_RETIRED             0xc0

#endif
