/* SPDX-License-Identifier: MIT */
/*
 * Architectural performance monitoring: registers and fields.
 * Source: SDM 3B, "Architectural Performance Monitoring", versions 1 to 6; SDM 4, "Architectural
 * MSRs".
 */
#ifndef ARCH_REGS_PERFMON_H
#define ARCH_REGS_PERFMON_H

#include <arch/regs/bits.h>

#define IA32_PMC(x)                       (0xc1 + (x))
#define IA32_A_PMC(x)                     (0x4c1 + (x))     /* full-width writes */

#define IA32_PERFEVTSEL(x)                (0x186 + (x))
#define   IA32_PERFEVTSEL_EVENT_SELECT      FIELD(7, 0)
#define   IA32_PERFEVTSEL_UMASK             FIELD(15, 8)
#define   IA32_PERFEVTSEL_USR               BIT(16)         /* count at CPL 1, 2, 3 */
#define   IA32_PERFEVTSEL_OS                BIT(17)         /* count at CPL 0 */
#define   IA32_PERFEVTSEL_EN                BIT(22)

#define IA32_FIXED_CTR(x)                 (0x309 + (x))
#define IA32_PERF_METRICS                 0x329
#define IA32_PERF_CAPABILITIES            0x345
#define   IA32_PERF_CAPABILITIES_FW_WRITE        BIT(13)
#define   IA32_PERF_CAPABILITIES_PERF_METRICS    BIT(15)
#define IA32_FIXED_CTR_CTRL               0x38d
#define IA32_PERF_GLOBAL_STATUS           0x38e
#define IA32_PERF_GLOBAL_CTRL             0x38f
#define IA32_PERF_GLOBAL_OVF_CTRL         0x390             /* v4: IA32_PERF_GLOBAL_STATUS_RESET */
#define IA32_PERF_GLOBAL_STATUS_SET       0x391
#define IA32_PERF_GLOBAL_INUSE            0x392

/* Event select and unit mask of "Instructions Retired". SDM 3B, table of architectural events. */
#define EVENT_INST_RETIRED                0xc0

/* RDPMC's ECX: SDM 2B, "RDPMC", table "PMC Counter Types". */
#define RDPMC_FIXED                       UINT32_C(0x40000000)
#define RDPMC_PERF_METRICS                UINT32_C(0x20000000)
#define RDPMC_FAST                        UINT32_C(0x80000000)

#endif
