/* SPDX-License-Identifier: MIT */
/*
 * Defines the PMU registers of the Pentium 4 and its Xeons. Source: SDM 3B, "Performance Monitoring
 * (Processors Based on Intel NetBurst Microarchitecture)"; SDM 4, "MSRs in the Pentium 4 and Intel
 * Xeon Processors".
 */
#ifndef ARCH_REGS_NETBURST_H
#define ARCH_REGS_NETBURST_H

#include <arch/regs/bits.h>

#define NETBURST_COUNTERS                 18
#define NETBURST_ESCRS                    45

#define MSR_COUNTER(x)                    (0x300 + (x))    /* MSR_BPU_COUNTER0 to MSR_IQ_COUNTER5 */
#define   NETBURST_COUNTER_VALUE            FIELD(39, 0)
#define MSR_BPU_COUNTER0                  0x300
#define MSR_MS_COUNTER0                   0x304
#define MSR_FLAME_COUNTER0                0x308
#define MSR_IQ_COUNTER0                   0x30c

#define MSR_CCCR(x)                       (0x360 + (x))    /* MSR_BPU_CCCR0 to MSR_IQ_CCCR5 */
#define   CCCR_CASCNT_INTO                  BIT(11)        /* CASCNTxINTOy: CCCR 12, 15, 16, 17 */
#define   CCCR_ENABLE                       BIT(12)
#define   CCCR_ESCR_SELECT                  FIELD(15, 13)
#define   CCCR_ACTIVE_THREAD                FIELD(17, 16)  /* reserved without Hyper-Threading: 3 */
#define     ACTIVE_THREAD_NONE                0
#define     ACTIVE_THREAD_SINGLE              1
#define     ACTIVE_THREAD_BOTH                2
#define     ACTIVE_THREAD_ANY                 3
#define   CCCR_COMPARE                      BIT(18)
#define   CCCR_COMPLEMENT                   BIT(19)
#define   CCCR_THRESHOLD                    FIELD(23, 20)
#define   CCCR_EDGE                         BIT(24)
#define   CCCR_FORCE_OVF                    BIT(25)
#define   CCCR_OVF_PMI_T0                   BIT(26)        /* OVF_PMI without Hyper-Threading */
#define   CCCR_OVF_PMI_T1                   BIT(27)
#define   CCCR_CASCADE                      BIT(30)
#define   CCCR_OVF                          BIT(31)
#define MSR_BPU_CCCR0                     0x360
#define MSR_MS_CCCR0                      0x364
#define MSR_FLAME_CCCR0                   0x368
#define MSR_IQ_CCCR0                      0x36c

/*
 * These are the fields of an event selection control register. Without Hyper-Threading bits 1:0 are
 * reserved.
 */
#define   ESCR_T1_USR                       BIT(0)
#define   ESCR_T1_OS                        BIT(1)
#define   ESCR_T0_USR                       BIT(2)         /* CPL 1, 2, 3 */
#define   ESCR_T0_OS                        BIT(3)         /* CPL 0 */
#define   ESCR_TAG_ENABLE                   BIT(4)
#define   ESCR_TAG_VALUE                    FIELD(8, 5)
#define   ESCR_EVENT_MASK                   FIELD(24, 9)
#define   ESCR_EVENT_SELECT                 FIELD(30, 25)

#define MSR_BSU_ESCR0                     0x3a0
#define MSR_BSU_ESCR1                     0x3a1
#define MSR_FSB_ESCR0                     0x3a2
#define MSR_FSB_ESCR1                     0x3a3
#define MSR_FIRM_ESCR0                    0x3a4
#define MSR_FIRM_ESCR1                    0x3a5
#define MSR_FLAME_ESCR0                   0x3a6
#define MSR_FLAME_ESCR1                   0x3a7
#define MSR_DAC_ESCR0                     0x3a8
#define MSR_DAC_ESCR1                     0x3a9
#define MSR_MOB_ESCR0                     0x3aa
#define MSR_MOB_ESCR1                     0x3ab
#define MSR_PMH_ESCR0                     0x3ac
#define MSR_PMH_ESCR1                     0x3ad
#define MSR_SAAT_ESCR0                    0x3ae
#define MSR_SAAT_ESCR1                    0x3af
#define MSR_U2L_ESCR0                     0x3b0
#define MSR_U2L_ESCR1                     0x3b1
#define MSR_BPU_ESCR0                     0x3b2
#define MSR_BPU_ESCR1                     0x3b3
#define MSR_IS_ESCR0                      0x3b4
#define MSR_IS_ESCR1                      0x3b5
#define MSR_ITLB_ESCR0                    0x3b6
#define MSR_ITLB_ESCR1                    0x3b7
#define MSR_CRU_ESCR0                     0x3b8
#define MSR_CRU_ESCR1                     0x3b9
#define MSR_IQ_ESCR0                      0x3ba            /* models 1 and 2 */
#define MSR_IQ_ESCR1                      0x3bb
#define MSR_RAT_ESCR0                     0x3bc
#define MSR_RAT_ESCR1                     0x3bd
#define MSR_SSU_ESCR0                     0x3be
#define MSR_MS_ESCR0                      0x3c0
#define MSR_MS_ESCR1                      0x3c1
#define MSR_TBPU_ESCR0                    0x3c2
#define MSR_TBPU_ESCR1                    0x3c3
#define MSR_TC_ESCR0                      0x3c4
#define MSR_TC_ESCR1                      0x3c5
#define MSR_IX_ESCR0                      0x3c8
#define MSR_IX_ESCR1                      0x3c9
#define MSR_ALF_ESCR0                     0x3ca
#define MSR_ALF_ESCR1                     0x3cb
#define MSR_CRU_ESCR2                     0x3cc
#define MSR_CRU_ESCR3                     0x3cd
#define MSR_CRU_ESCR4                     0x3e0
#define MSR_CRU_ESCR5                     0x3e1

/* These are the four blocks of ESCRs; the MSR numbers between them are not ESCRs. */
#define MSR_ESCR_BLOCK0                   MSR_BSU_ESCR0    /* 31 registers, to 3BEH */
#define MSR_ESCR_BLOCK1                   MSR_MS_ESCR0     /* 6 registers, to 3C5H */
#define MSR_ESCR_BLOCK2                   MSR_IX_ESCR0     /* 6 registers, to 3CDH */
#define MSR_ESCR_BLOCK3                   MSR_CRU_ESCR4    /* 2 registers, to 3E1H */

#define MSR_TC_PRECISE_EVENT              0x3f0
/*
 * These are last branch records. Source: SDM 3B, "Last Branch, Call Stack, Interrupt, and Exception
 * Recording (Processors Based on Intel NetBurst Microarchitecture)". Models 0 to 2 have one
 * register per entry, "from" in bits 31:0 and "to" in bits 63:32; models 3, 4 and 6 have a pair of
 * registers per entry.
 */
#define MSR_LER_FROM_LIP                  0x1d7
#define MSR_LER_TO_LIP                    0x1d8
#define MSR_DEBUGCTLA                     0x1d9
#define   MSR_DEBUGCTLA_LBR                 BIT(0)
#define   MSR_DEBUGCTLA_BTF                 BIT(1)
#define   MSR_DEBUGCTLA_TR                  BIT(2)
#define   MSR_DEBUGCTLA_BTS                 BIT(3)
#define   MSR_DEBUGCTLA_BTINT               BIT(4)
#define   MSR_DEBUGCTLA_BTS_OFF_OS          BIT(5)         /* with DS-CPL */
#define   MSR_DEBUGCTLA_BTS_OFF_USR         BIT(6)         /* with DS-CPL */
#define MSR_LASTBRANCH_TOS                0x1da
#define MSR_LASTBRANCH(x)                 (0x1db + (x))    /* 0 to 3; models 0 to 2 */
#define MSR_LASTBRANCH_FROM_LIP(x)        (0x680 + (x))    /* 0 to 15; models 3, 4, 6 */
#define MSR_LASTBRANCH_TO_LIP(x)          (0x6c0 + (x))
#define   NETBURST_LASTBRANCHES_SHORT       4
#define   NETBURST_LASTBRANCHES             16

#define MSR_PEBS_ENABLE                   0x3f1            /* NetBurst's form of IA32_PEBS_ENABLE */
#define   PEBS_ENABLE_METRICS               FIELD(12, 0)
#define   PEBS_ENABLE_UOP_TAG               BIT(24)
#define   PEBS_ENABLE_MY_THR                BIT(25)        /* ENABLE_PEBS without Hyper-Threading */
#define   PEBS_ENABLE_OTH_THR               BIT(26)
#define MSR_PEBS_MATRIX_VERT              0x3f2
#define   PEBS_MATRIX_VERT_LOADS            BIT(0)
#define   PEBS_MATRIX_VERT_STORES           BIT(1)
#define   PEBS_MATRIX_VERT_BRANCHES         BIT(4)

/*
 * These are the event selects and event masks that code uses by name; pmu/events/tables/ has all
 * events.
 */
#define NETBURST_EVENT_INSTR_RETIRED      0x02             /* CRU_ESCR0, CRU_ESCR1: select 4 */
#define   CRU_ESCR0_SELECT                  4              /* in CCCR_ESCR_SELECT */
#define   INSTR_RETIRED_NBOGUSNTAG          BIT(0)
#define   INSTR_RETIRED_NBOGUSTAG           BIT(1)

#endif
