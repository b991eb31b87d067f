/* SPDX-License-Identifier: MIT */
/* Pentium and Pentium MMX. Source: SDM 3B, "Performance Monitoring (Pentium Processors)". */
#ifndef ARCH_REGS_P5_H
#define ARCH_REGS_P5_H

#include <arch/regs/bits.h>

#define CESR                              0x11
#define   CESR_ES0                          FIELD(5, 0)
#define   CESR_CC0                          FIELD(8, 6)
#define     CESR_CC_ANY_CPL                   3             /* the event, at every CPL */
#define CTR0                              0x12
#define CTR1                              0x13

#define P5_EVENT_INSTRUCTIONS             0x16              /* "Instructions executed" */

#endif
