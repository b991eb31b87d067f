/* SPDX-License-Identifier: MIT */
/* Defines AMD's core counters. Source: APM 2, "Performance Monitoring Counters". */
#ifndef ARCH_REGS_AMD_H
#define ARCH_REGS_AMD_H

#include <arch/regs/bits.h>

#define PerfEvtSel_K7(x)                  (0xc0010000u + (x))
#define   PerfEvtSel_K7_USR                 BIT(16)
#define   PerfEvtSel_K7_OS                  BIT(17)
#define   PerfEvtSel_K7_EN                  BIT(22)
#define PerfCtr_K7(x)                     (0xc0010004u + (x))

/*
 * Family 15H and later have these registers if CPUID.80000001H:ECX[23] = 1: even numbers are event
 * selects, odd ones counters.
 */
#define PERF_CTL0                         0xc0010200u
#define PERF_CTR0                         0xc0010201u

#define AMD_EVENT_INST_RETIRED            0xc0

#endif
