/* SPDX-License-Identifier: MIT */
/* Pentium 4 and its Xeons. Source: SDM 3B, "Performance Monitoring (Processors Based on Intel
 * NetBurst Microarchitecture)"; SDM 4, "MSRs in the Pentium 4 and Intel Xeon Processors". */
#ifndef ARCH_REGS_NETBURST_H
#define ARCH_REGS_NETBURST_H

#include <arch/regs/bits.h>

#define NETBURST_COUNTERS                 18
#define MSR_COUNTER(x)                    (0x300 + (x))    /* MSR_BPU_COUNTER0 to MSR_IQ_COUNTER5 */
#define MSR_CCCR(x)                       (0x360 + (x))    /* MSR_BPU_CCCR0 to MSR_IQ_CCCR5 */
#define   CCCR_ENABLE                       BIT(12)
#define   CCCR_ESCR_SELECT                  FIELD(15, 13)
#define   CCCR_ACTIVE_THREAD                FIELD(17, 16)  /* without Hyper-Threading reserved: 3 */
#define MSR_IQ_COUNTER0                   0x30c
#define MSR_IQ_CCCR0                      0x36c
#define MSR_CRU_ESCR0                     0x3b8
#define   CRU_ESCR0_SELECT                  4              /* in CCCR_ESCR_SELECT */
#define   ESCR_T0_USR                       BIT(2)
#define   ESCR_T0_OS                        BIT(3)
#define   ESCR_EVENT_MASK                   FIELD(24, 9)
#define   ESCR_EVENT_SELECT                 FIELD(30, 25)

/* instr_retired: not-bogus instructions, tagged or not. SDM 3B, NetBurst at-retirement events. */
#define NETBURST_EVENT_INSTR_RETIRED      0x02
#define   INSTR_RETIRED_NBOGUSNTAG          BIT(0)
#define   INSTR_RETIRED_NBOGUSTAG           BIT(1)

/* The four blocks of ESCRs; the numbers between them are nobody's. */
#define MSR_ESCR_BLOCK0                   0x3a0            /* 31: to 3BEH */
#define MSR_ESCR_BLOCK1                   0x3c0            /* 6: to 3C5H */
#define MSR_ESCR_BLOCK2                   0x3c8            /* 6: to 3CDH */
#define MSR_ESCR_BLOCK3                   0x3e0            /* 2: to 3E1H */

#endif
