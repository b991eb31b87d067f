/* SPDX-License-Identifier: MIT */
/*
 * Defines AMD's performance-monitoring registers, from K7 to Zen 5. Sources: APM 2, "Performance
 * Monitoring Counters", "Performance Counter MSRs" and the table "Performance-Monitoring MSR
 * Cross-Reference"; APM 3, "RDPMC", "CPUID"; for K7, AMD Athlon Processor x86 Code Optimization
 * Guide, "Performance-Monitoring Counters". A comment such as "10h" names the family that a field
 * came with.
 */
#ifndef ARCH_REGS_AMD_H
#define ARCH_REGS_AMD_H

#include <arch/regs/amd_branches.h>
#include <arch/regs/bits.h>

/* ---------------------------------------------------------------------------- core counters */

/* Counters 0 to 3 have these addresses on every AMD processor since K7. */
#define PERF_LEGACY_CTL(x)                (0xc0010000u + (x))      /* PerfEvtSel0 to 3 */
#define PERF_LEGACY_CTR(x)                (0xc0010004u + (x))      /* PerfCtr0 to 3 */
#define PERF_LEGACY_COUNTERS              4

/*
 * With CPUID.80000001H:ECX[23] counters 0 to 5 have these addresses; those of counters 0 to 3 and
 * the legacy ones are the same registers.
 */
#define PERF_CTL(x)                       (0xc0010200u + 2 * (x))
#define PERF_CTR(x)                       (0xc0010201u + 2 * (x))

#define PERF_CTR_WIDTH                    48                       /* CPUID does not tell it */

#define   PERF_CTL_EVENT_SELECT             FIELD(7, 0)
#define   PERF_CTL_UNIT_MASK                FIELD(15, 8)
#define   PERF_CTL_USR                      BIT(16)    /* count at CPL 1, 2, 3 */
#define   PERF_CTL_OS                       BIT(17)    /* count at CPL 0 */
#define   PERF_CTL_EDGE                     BIT(18)
#define   PERF_CTL_PC                       BIT(19)    /* pin control; reserved after K8 */
#define   PERF_CTL_INT                      BIT(20)    /* interrupt on overflow */
#define   PERF_CTL_RESERVED_21              BIT(21)
#define   PERF_CTL_EN                       BIT(22)
#define   PERF_CTL_INV                      BIT(23)
#define   PERF_CTL_CNT_MASK                 FIELD(31, 24)
#define   PERF_CTL_EVENT_SELECT_HIGH        FIELD(35, 32)          /* 10h: bits 11:8 */
#define   PERF_CTL_RESERVED_39_36           FIELD(39, 36)
#define   PERF_CTL_GUEST_ONLY               BIT(40)    /* 10h, with EFER.SVME */
#define   PERF_CTL_HOST_ONLY                BIT(41)    /* 10h, with EFER.SVME */
#define   PERF_CTL_RESERVED_42              BIT(42)
#define   PERF_CTL_PREC_RET                 BIT(43)    /* PERF_CTL2: CPUID.80000021H:EAX[12] */
#define   PERF_CTL_RESERVED_63_44           FIELD(63, 44)
#define PERF_CTL_FIELDS(op) ( \
	PERF_CTL_EVENT_SELECT op PERF_CTL_UNIT_MASK op PERF_CTL_USR op PERF_CTL_OS op \
	PERF_CTL_EDGE op PERF_CTL_PC op PERF_CTL_INT op PERF_CTL_RESERVED_21 op \
	PERF_CTL_EN op PERF_CTL_INV op PERF_CTL_CNT_MASK op PERF_CTL_EVENT_SELECT_HIGH op \
	PERF_CTL_RESERVED_39_36 op PERF_CTL_GUEST_ONLY op PERF_CTL_HOST_ONLY op \
	PERF_CTL_RESERVED_42 op PERF_CTL_PREC_RET op PERF_CTL_RESERVED_63_44)
_Static_assert(COVERS_ALL_ONCE(PERF_CTL_FIELDS), "PERF_CTLx: gap or overlap");

/*
 * An event code is EventSelect[11:0]; the unit mask is a value of its own. PERF_CTL_EVENT puts a
 * code into both fields.
 */
#define PERF_CTL_EVENT(code) \
	(FIELD_PUT(PERF_CTL_EVENT_SELECT, (code) & 0xff) | \
	 FIELD_PUT(PERF_CTL_EVENT_SELECT_HIGH, (code) >> 8))
#define PERF_CTL_EVENT_OF(ctl) \
	(FIELD_GET(PERF_CTL_EVENT_SELECT_HIGH, ctl) << 8 | FIELD_GET(PERF_CTL_EVENT_SELECT, ctl))

/* Events with the same code on every family of AMD's since K7. */
#define AMD_EVENT_CYCLES                  0x076        /* CPU clocks not halted */
#define AMD_EVENT_INST_RETIRED            0x0c0
#define AMD_EVENT_OPS_RETIRED             0x0c1
#define AMD_EVENT_BRANCHES                0x0c2        /* with exceptions and interrupts */
#define AMD_EVENT_MISPREDICTED            0x0c3
#define AMD_EVENT_TAKEN                   0x0c4
#define AMD_EVENT_FAR                     0x0c6
#define AMD_EVENT_LOCKS                   0x025        /* 17H */
#define   AMD_LOCKS_SPEC_LOCK_MAP           0x08       /* its unit mask */
#define AMD_EVENT_MERGE                   0xfff        /* 17h: extends the even counter below */

/* ------------------------------------------------------------------- counters beyond the core's */

/* CPUID.80000001H:ECX[28]: L2I of family 16H (four), L3 of family 17H and later (six). */
#define L2I_PERF_CTL(x)                   (0xc0010230u + 2 * (x))
#define L2I_PERF_CTR(x)                   (0xc0010231u + 2 * (x))
#define L3_PERF_CTL(x)                    L2I_PERF_CTL(x)
#define L3_PERF_CTR(x)                    L2I_PERF_CTR(x)
#define   L3_PERF_CTL_SLICE_MASK            FIELD(51, 48)          /* 17H */
#define   L3_PERF_CTL_THREAD_MASK           FIELD(63, 56)          /* 17H */
#define   L3_PERF_CTL_CORE                  FIELD(44, 42)          /* 19H */
#define   L3_PERF_CTL_ALL_SLICES            BIT(46)                /* 19H */
#define   L3_PERF_CTL_ALL_CORES             BIT(47)                /* 19H */
#define   L3_PERF_CTL_SLICE                 FIELD(50, 48)          /* 19H */
#define   L3_PERF_CTL_THREADS               FIELD(57, 56)          /* 19H */

/* CPUID.80000001H:ECX[24]: the northbridge of families 15H and 16H, the data fabric later. */
#define NB_PERF_CTL(x)                    (0xc0010240u + 2 * (x))
#define NB_PERF_CTR(x)                    (0xc0010241u + 2 * (x))
#define DF_PERF_CTL(x)                    NB_PERF_CTL(x)
#define DF_PERF_CTR(x)                    NB_PERF_CTR(x)

/* CPUID.80000022H:EBX[21:16]: memory controllers. */
#define UMC_PERF_CTL(x)                   (0xc0010800u + 2 * (x))
#define UMC_PERF_CTR(x)                   (0xc0010801u + 2 * (x))
#define   UMC_PERF_CTL_EN                   BIT(31)

/* These are values of ECX for RDPMC. Source: APM 3, "RDPMC". Core counters have their number. */
#define AMD_RDPMC_NB(x)                   ((x) < 4 ? 6 + (x) : 12 + (x))   /* x: 0 to 15 */
#define AMD_RDPMC_L3(x)                   (10 + (x))
#define AMD_RDPMC_HIGHEST                 27

/* -------------------------------------------------------------------------- PerfMonV2 */

/* CPUID.80000022H:EAX[0]. One bit for each core counter. */
#define PerfCntrGlobalStatus              0xc0000300u              /* read-only */
#define   PerfCntrGlobalStatus_CNT_OF(x)    BIT(x)
#define   PerfCntrGlobalStatus_LBRSF        BIT(58)    /* the branch records are frozen */
#define   PerfCntrGlobalStatus_PMCF         BIT(59)    /* the counters are frozen */
#define PerfCntrGlobalCtl                 0xc0000301u
#define   PerfCntrGlobalCtl_EN(x)           BIT(x)
#define PerfCntrGlobalStatusClr           0xc0000302u              /* write-only, 1 clears */
#define PerfCntrGlobalStatusSet           0xc0000303u              /* write-only, 1 sets */

/* --------------------------------------------------------------------------- other registers */

#define DebugCtl                          0x1d9
#define   DebugCtl_LBR                      BIT(0)
#define   DebugCtl_BTF                      BIT(1)
#define   DebugCtl_MBZ                      FIELD(6, 3)
#define   DebugCtl_FLBRI                    BIT(11)    /* freeze LBR on interrupt: Zen 4 */
#define   DebugCtl_FPMCI                    BIT(12)    /* freeze counters on interrupt: Zen 4 */
#define AMD_LastBranchFromIP              0x1db
#define AMD_LastBranchToIP                0x1dc
#define AMD_LastIntFromIP                 0x1dd
#define AMD_LastIntToIP                   0x1de


#define HWCR                              0xc0010015u
#define   HWCR_IRPERF_EN                    BIT(30)
#define IRPerfCount                       0xc00000e9u  /* CPUID.80000008H:EBX[1] */
#define MPERF                             0xe7u        /* CPUID.6:ECX[0] */
#define APERF                             0xe8u
#define MPerfReadOnly                     0xc00000e7u  /* CPUID.80000007H:EDX[10] */
#define APerfReadOnly                     0xc00000e8u

/* 17H: a bit that rr's authors found; AMD's guides do not name it. */
#define LS_CFG                            0xc0011020u
#define   LS_CFG_NO_SPEC_LOCK_MAP           BIT(54)

#define AMD_EFER_SVME                     BIT(12)      /* of IA32_EFER */
#define VM_CR                             0xc0010114u  /* from the first processors with SVM on */
#define   VM_CR_SVMDIS                      BIT(4)     /* EFER.SVME cannot be set */

/* ------------------------------------------------------------------------------------- CPUID */

#define CPUID_AMD_FREQUENCY               UINT32_C(0x00000006)
#define   CPUID_AMD_FREQUENCY_ECX_MPERF     BIT32(0)   /* EffFreq: MPERF and APERF */
#define CPUID_AMD_HIGHEST                 UINT32_C(0x80000000)
#define CPUID_AMD_FEATURES                UINT32_C(0x80000001)
#define   CPUID_AMD_FEATURES_ECX_EXTAPIC    BIT32(3)   /* the extended LVT */
#define   CPUID_AMD_FEATURES_ECX_IBS        BIT32(10)
#define   CPUID_AMD_FEATURES_ECX_CORE       BIT32(23)  /* PerfCtrExtCore */
#define   CPUID_AMD_FEATURES_ECX_NB         BIT32(24)  /* PerfCtrExtNB */
#define   CPUID_AMD_FEATURES_ECX_LLC        BIT32(28)  /* PerfCtrExtL2I, or of L3 */
#define CPUID_AMD_L1                      UINT32_C(0x80000005)
#define   CPUID_AMD_L1_ECX_DATA_LINE        FIELD(7, 0)    /* bytes */
#define   CPUID_AMD_L1_ECX_DATA_WAYS        FIELD(23, 16)  /* FFH: fully associative */
#define   CPUID_AMD_L1_ECX_DATA_SIZE        FIELD(31, 24)  /* KB */
#define CPUID_AMD_L2                      UINT32_C(0x80000006)
#define CPUID_AMD_POWER                   UINT32_C(0x80000007)
#define   CPUID_AMD_POWER_EDX_READ_ONLY     BIT32(10)  /* EffFreqRO: MPerfReadOnly */
#define CPUID_AMD_SIZES                   UINT32_C(0x80000008)
#define   CPUID_AMD_SIZES_EBX_IRPERF        BIT32(1)
#define   CPUID_AMD_SIZES_EBX_BRS           BIT32(31)
#define CPUID_AMD_FEATURES_2              UINT32_C(0x80000021)
#define   CPUID_AMD_FEATURES_2_EAX_PREC_RET BIT32(12)  /* PERF_CTL_PREC_RET */
#define CPUID_AMD_PERFMON                 UINT32_C(0x80000022)
#define   CPUID_AMD_PERFMON_EAX_V2          BIT32(0)
#define   CPUID_AMD_PERFMON_EAX_LBR         BIT32(1)
#define   CPUID_AMD_PERFMON_EAX_FREEZE      BIT32(2)
#define   CPUID_AMD_PERFMON_EBX_CORE        FIELD(3, 0)
#define   CPUID_AMD_PERFMON_EBX_LBR         FIELD(9, 4)
#define   CPUID_AMD_PERFMON_EBX_NB          FIELD(15, 10)
#define   CPUID_AMD_PERFMON_EBX_UMC         FIELD(21, 16)

#endif
