/* SPDX-License-Identifier: MIT */
/*
 * Defines the registers and fields of architectural performance monitoring. Source: SDM 3B,
 * "Architectural Performance Monitoring", versions 1 to 6; SDM 4, "Architectural MSRs". A comment
 * such as "v3" names the version that a field came with.
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
#define   IA32_PERFEVTSEL_E                 BIT(18)         /* edge detect */
#define   IA32_PERFEVTSEL_PC                BIT(19)         /* pin control */
#define   IA32_PERFEVTSEL_INT               BIT(20)         /* PMI on overflow */
#define   IA32_PERFEVTSEL_ANY               BIT(21)         /* v3, v4: AnyThread */
#define   IA32_PERFEVTSEL_EN                BIT(22)
#define   IA32_PERFEVTSEL_INV               BIT(23)
#define   IA32_PERFEVTSEL_CMASK             FIELD(31, 24)
#define   IA32_PERFEVTSEL_IN_TX             BIT(32)         /* with RTM */
#define   IA32_PERFEVTSEL_IN_TXCP           BIT(33)         /* with RTM; IA32_PERFEVTSEL2 only */
#define   IA32_PERFEVTSEL_ADAPTIVE          BIT(34)         /* with PEBS baseline */
#define   IA32_PERFEVTSEL_BR_CNTR           BIT(35)         /* with LBR event logging */
#define   IA32_PERFEVTSEL_EQ                BIT(36)         /* v6: leaf 23H.0 EBX[1] */
#define   IA32_PERFEVTSEL_RESERVED_39_37    FIELD(39, 37)
#define   IA32_PERFEVTSEL_UMASK2            FIELD(47, 40)   /* v6: leaf 23H.0 EBX[0] */
#define   IA32_PERFEVTSEL_RESERVED_63_48    FIELD(63, 48)
#define IA32_PERFEVTSEL_FIELDS(op) ( \
	IA32_PERFEVTSEL_EVENT_SELECT op IA32_PERFEVTSEL_UMASK op IA32_PERFEVTSEL_USR op \
	IA32_PERFEVTSEL_OS op IA32_PERFEVTSEL_E op IA32_PERFEVTSEL_PC op IA32_PERFEVTSEL_INT op \
	IA32_PERFEVTSEL_ANY op IA32_PERFEVTSEL_EN op IA32_PERFEVTSEL_INV op \
	IA32_PERFEVTSEL_CMASK op IA32_PERFEVTSEL_IN_TX op IA32_PERFEVTSEL_IN_TXCP op \
	IA32_PERFEVTSEL_ADAPTIVE op IA32_PERFEVTSEL_BR_CNTR op IA32_PERFEVTSEL_EQ op \
	IA32_PERFEVTSEL_RESERVED_39_37 op IA32_PERFEVTSEL_UMASK2 op \
	IA32_PERFEVTSEL_RESERVED_63_48)
_Static_assert(COVERS_ALL_ONCE(IA32_PERFEVTSEL_FIELDS), "IA32_PERFEVTSELx: gap or overlap");

#define IA32_FIXED_CTR(x)                 (0x309 + (x))
#define IA32_PERF_METRICS                 0x329             /* v5; shares of the slots, of 255 */
#define   IA32_PERF_METRICS_RETIRING        FIELD(7, 0)
#define   IA32_PERF_METRICS_BAD_SPECULATION FIELD(15, 8)
#define   IA32_PERF_METRICS_FRONTEND_BOUND  FIELD(23, 16)
#define   IA32_PERF_METRICS_BACKEND_BOUND   FIELD(31, 24)
#define   IA32_PERF_METRICS_HEAVY_OPS       FIELD(39, 32)   /* this field and the higher ones: */
#define   IA32_PERF_METRICS_BR_MISPREDICT   FIELD(47, 40)   /* Sapphire Rapids and later */
#define   IA32_PERF_METRICS_FETCH_LATENCY   FIELD(55, 48)
#define   IA32_PERF_METRICS_MEMORY_BOUND    FIELD(63, 56)

#define IA32_PERF_CAPABILITIES            0x345
#define   IA32_PERF_CAPABILITIES_LBR_FMT         FIELD(5, 0)
#define   IA32_PERF_CAPABILITIES_PEBS_TRAP       BIT(6)
#define   IA32_PERF_CAPABILITIES_PEBS_ARCH_REG   BIT(7)
#define   IA32_PERF_CAPABILITIES_PEBS_FMT        FIELD(11, 8)
#define   IA32_PERF_CAPABILITIES_FREEZE_WHILE_SMM BIT(12)
#define   IA32_PERF_CAPABILITIES_FW_WRITE        BIT(13)
#define   IA32_PERF_CAPABILITIES_PEBS_BASELINE   BIT(14)
#define   IA32_PERF_CAPABILITIES_PERF_METRICS    BIT(15)
#define   IA32_PERF_CAPABILITIES_PEBS_OUTPUT_PT  BIT(16)

/*
 * This register has four bits for each counter x, [4x+3:4x]; EN_OS to PMI name bits 0 to 3 of the
 * four.
 */
#define IA32_FIXED_CTR_CTRL               0x38d
#define   IA32_FIXED_CTR_CTRL_NIBBLE(x)     FIELD(4 * (x) + 3, 4 * (x))
#define   IA32_FIXED_CTR_CTRL_EN_OS(x)      BIT(4 * (x))
#define   IA32_FIXED_CTR_CTRL_EN_USR(x)     BIT(4 * (x) + 1)
#define   IA32_FIXED_CTR_CTRL_ANY(x)        BIT(4 * (x) + 2)    /* v3, v4: AnyThread */
#define   IA32_FIXED_CTR_CTRL_PMI(x)        BIT(4 * (x) + 3)
#define   IA32_FIXED_CTR_CTRL_ADAPTIVE(x)   BIT(32 + 4 * (x))   /* with PEBS baseline */

#define IA32_PERF_GLOBAL_STATUS           0x38e
#define   IA32_PERF_GLOBAL_STATUS_OVF_PMC(x)   BIT(x)
#define   IA32_PERF_GLOBAL_STATUS_OVF_FIXED(x) BIT(32 + (x))
#define   IA32_PERF_GLOBAL_STATUS_OVF_METRICS  BIT(48)          /* v5, with PERF_METRICS */
#define   IA32_PERF_GLOBAL_STATUS_TRACE_TOPA   BIT(55)
#define   IA32_PERF_GLOBAL_STATUS_LBR_FRZ      BIT(58)          /* v4 */
#define   IA32_PERF_GLOBAL_STATUS_CTR_FRZ      BIT(59)          /* v4 */
#define   IA32_PERF_GLOBAL_STATUS_ASCI         BIT(60)          /* v4 */
#define   IA32_PERF_GLOBAL_STATUS_OVF_UNCORE   BIT(61)          /* v3 */
#define   IA32_PERF_GLOBAL_STATUS_OVF_BUFFER   BIT(62)          /* DS save area */
#define   IA32_PERF_GLOBAL_STATUS_COND_CHGD    BIT(63)

#define IA32_PERF_GLOBAL_CTRL             0x38f
#define   IA32_PERF_GLOBAL_CTRL_EN_PMC(x)      BIT(x)
#define   IA32_PERF_GLOBAL_CTRL_EN_FIXED(x)    BIT(32 + (x))
#define   IA32_PERF_GLOBAL_CTRL_EN_METRICS     BIT(48)          /* v5, with PERF_METRICS */

#define IA32_PERF_GLOBAL_OVF_CTRL         0x390             /* v4: IA32_PERF_GLOBAL_STATUS_RESET */
#define IA32_PERF_GLOBAL_STATUS_SET       0x391             /* v4 */
#define IA32_PERF_GLOBAL_INUSE            0x392             /* v4 */
#define   IA32_PERF_GLOBAL_INUSE_PERFEVTSEL(x) BIT(x)
#define   IA32_PERF_GLOBAL_INUSE_FIXED_CTR(x)  BIT(32 + (x))
#define   IA32_PERF_GLOBAL_INUSE_PMI           BIT(63)

/* From v6 on the same registers have further addresses, four per counter. */
#define IA32_PMC_GP_CTR(x)                (0x1900 + 4 * (x))
#define IA32_PMC_GP_CFG_A(x)              (0x1901 + 4 * (x))
#define IA32_PMC_FX_CTR(x)                (0x1980 + 4 * (x))

#define IA32_DEBUGCTL                     0x1d9
#define   IA32_DEBUGCTL_LBR                 BIT(0)
#define   IA32_DEBUGCTL_BTF                 BIT(1)
#define   IA32_DEBUGCTL_TR                  BIT(6)
#define   IA32_DEBUGCTL_BTS                 BIT(7)
#define   IA32_DEBUGCTL_BTINT               BIT(8)
#define   IA32_DEBUGCTL_BTS_OFF_OS          BIT(9)
#define   IA32_DEBUGCTL_BTS_OFF_USR         BIT(10)
#define   IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI  BIT(11)         /* v2 */
#define   IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI BIT(12)       /* v2 */
#define   IA32_DEBUGCTL_ENABLE_UNCORE_PMI   BIT(13)         /* Nehalem */
#define   IA32_DEBUGCTL_FREEZE_WHILE_SMM    BIT(14)         /* v3, PERF_CAPABILITIES[12] */
#define   IA32_DEBUGCTL_RTM                 BIT(15)         /* with RTM */

#define IA32_PEBS_ENABLE                  0x3f1
#define   IA32_PEBS_ENABLE_PMC(x)           BIT(x)
#define   IA32_PEBS_ENABLE_FIXED(x)         BIT(32 + (x))   /* with PEBS baseline */
#define   IA32_PEBS_ENABLE_LL(x)            BIT(32 + (x))   /* Nehalem to Skylake: load latency */
#define MSR_PEBS_DATA_CFG                 0x3f2           /* with PEBS baseline */
#define   MSR_PEBS_DATA_CFG_MEMORY          BIT(0)
#define   MSR_PEBS_DATA_CFG_GPRS            BIT(1)
#define   MSR_PEBS_DATA_CFG_XMMS            BIT(2)
#define   MSR_PEBS_DATA_CFG_LBRS            BIT(3)
#define   MSR_PEBS_DATA_CFG_COUNTERS        BIT(4)          /* format 6 */
#define   MSR_PEBS_DATA_CFG_METRICS         BIT(5)          /* format 6 */
#define   MSR_PEBS_DATA_CFG_LBR_ENTRIES     FIELD(31, 24)   /* number of entries - 1 */
#define   MSR_PEBS_DATA_CFG_PMCS            FIELD(47, 32)   /* format 6: which counters */
#define   MSR_PEBS_DATA_CFG_FIXED           FIELD(55, 48)   /* format 6 */
#define MSR_PEBS_LD_LAT                   0x3f6
#define   MSR_PEBS_LD_LAT_THRESHOLD         FIELD(15, 0)
#define MSR_PEBS_FRONTEND                 0x3f7           /* Skylake and later */
#define IA32_DS_AREA                      0x600

#define IA32_MISC_ENABLE                  0x1a0
#define   IA32_MISC_ENABLE_PERFMON          BIT(7)          /* performance monitoring available */
#define   IA32_MISC_ENABLE_BTS_UNAVAILABLE  BIT(11)
#define   IA32_MISC_ENABLE_PEBS_UNAVAILABLE BIT(12)

#define MSR_SMI_COUNT                     0x34              /* Nehalem and later */
#define   MSR_SMI_COUNT_COUNT               FIELD(31, 0)

/*
 * An architectural event is unit mask << 8 | event select; a bit of CPUID.0AH:EBX marks it as
 * missing. Source: SDM 3B, table "Architectural Performance Events".
 */
#define EVENT(select, umask)              ((umask) << 8 | (select))
#define EVENT_UNHALTED_CORE_CYCLES        EVENT(0x3c, 0x00)
#define EVENT_INSTRUCTIONS_RETIRED        EVENT(0xc0, 0x00)
#define EVENT_UNHALTED_REFERENCE_CYCLES   EVENT(0x3c, 0x01)
#define EVENT_LLC_REFERENCE               EVENT(0x2e, 0x4f)
#define EVENT_LLC_MISSES                  EVENT(0x2e, 0x41)
#define EVENT_BRANCH_INSTR_RETIRED        EVENT(0xc4, 0x00)
#define EVENT_BRANCH_MISSES_RETIRED       EVENT(0xc5, 0x00)
#define EVENT_TOPDOWN_SLOTS               EVENT(0xa4, 0x01)   /* v5 */
#define EVENT_TOPDOWN_BACKEND_BOUND       EVENT(0xa4, 0x02)   /* this event and the following: v6 */
#define EVENT_TOPDOWN_BAD_SPECULATION     EVENT(0x73, 0x00)
#define EVENT_TOPDOWN_FRONTEND_BOUND      EVENT(0x9c, 0x01)
#define EVENT_TOPDOWN_RETIRING            EVENT(0xc2, 0x02)
#define EVENT_LBR_INSERTS                 EVENT(0xe4, 0x01)

/* These are values of ECX for RDPMC. Source: SDM 2B, "RDPMC", table "PMC Counter Types". */
#define RDPMC_FIXED                       UINT32_C(0x40000000)
#define RDPMC_PERF_METRICS                UINT32_C(0x20000000)
#define RDPMC_FAST                        UINT32_C(0x80000000)

#endif
