/* SPDX-License-Identifier: MIT */
/*
 * Identifies the microarchitecture, which selects a table of events. Each one is a bit, so that
 * similar ones share a row of a table.
 */
#ifndef PMU_CORE_MICROARCHITECTURE_H
#define PMU_CORE_MICROARCHITECTURE_H

#include <stdint.h>

#include <arch/cpu/cpuid.h>
#include <pmu/core/pmu.h>

/* P6 and P5 come first, because the tables of their events store them in eight bits. */
enum pmu_microarchitecture {
	PMU_MODEL_PPRO     = 1 << 0,     /* Pentium Pro */
	PMU_MODEL_PII      = 1 << 1,     /* Pentium II, its Celeron and Xeon */
	PMU_MODEL_PIII     = 1 << 2,
	PMU_MODEL_PM       = 1 << 3,     /* Pentium M */
	PMU_MODEL_P5       = 1 << 4,     /* 60 and 66 MHz */
	PMU_MODEL_P54C     = 1 << 5,     /* from 75 MHz */
	PMU_MODEL_P55C     = 1 << 6,     /* with MMX */
	PMU_ON_WILLAMETTE  = 1 << 7,     /* family 0FH, models 0 to 2 */
	PMU_ON_PRESCOTT    = 1 << 8,     /* models 3, 4, 6 */
	PMU_ON_CORE2       = 1 << 9,
	PMU_ON_BONNELL     = 1 << 10,
	PMU_ON_NEHALEM     = 1 << 11,    /* also Westmere */
	PMU_ON_SANDY_BRIDGE = 1 << 12,
	PMU_ON_IVY_BRIDGE  = 1 << 13,
	PMU_ON_HASWELL     = 1 << 14,    /* also Broadwell */
	PMU_ON_SKYLAKE     = 1 << 15,
	PMU_ON_ICE_LAKE    = 1 << 16,    /* also later ones, with PEBS baseline */
	PMU_ON_TREMONT     = 1 << 17,    /* also later Atoms and E-cores, with PEBS baseline */
	PMU_ON_ANY_ARCH    = 1 << 18,    /* only architectural events are known */
	PMU_ON_K7          = 1 << 19,
	PMU_ON_K8          = 1 << 20,    /* also family 11H, whose cores are K8's */
	PMU_ON_AMD_10H     = 1 << 21,
	PMU_ON_AMD_12H     = 1 << 22,
	PMU_ON_AMD_14H     = 1 << 23,
	PMU_ON_AMD_15H     = 1 << 24,    /* some events are of three of its six counters */
	PMU_ON_AMD_16H     = 1 << 25,
	PMU_ON_ZEN_1       = 1 << 26,
	PMU_ON_ZEN_2       = 1 << 27,
	PMU_ON_ZEN_3       = 1 << 28,
	PMU_ON_ZEN_4       = 1 << 29,
	PMU_ON_ZEN_5       = 1 << 30,
	PMU_ON_COUNT       = 31,
	PMU_ON_AMD_OLD = PMU_ON_K7 | PMU_ON_K8 | PMU_ON_AMD_10H | PMU_ON_AMD_12H | PMU_ON_AMD_14H
	                 | PMU_ON_AMD_16H,       /* but for 15H */
	PMU_ON_ZEN = PMU_ON_ZEN_1 | PMU_ON_ZEN_2 | PMU_ON_ZEN_3 | PMU_ON_ZEN_4 | PMU_ON_ZEN_5,
	PMU_ON_AMD = PMU_ON_AMD_OLD | PMU_ON_AMD_15H | PMU_ON_ZEN,

	PMU_ON_P5_MMX = PMU_MODEL_P55C,
	PMU_ON_P5 = PMU_MODEL_P5 | PMU_MODEL_P54C | PMU_MODEL_P55C,
	PMU_ON_P6 = PMU_MODEL_PPRO | PMU_MODEL_PII | PMU_MODEL_PIII | PMU_MODEL_PM,
	PMU_ON_NETBURST = PMU_ON_WILLAMETTE | PMU_ON_PRESCOTT,
	PMU_ON_SNB_TO_BDW = PMU_ON_SANDY_BRIDGE | PMU_ON_IVY_BRIDGE | PMU_ON_HASWELL,
	PMU_ON_SINCE_IVY = PMU_ON_IVY_BRIDGE | PMU_ON_HASWELL | PMU_ON_SKYLAKE | PMU_ON_ICE_LAKE,
	PMU_ON_SINCE_SNB = PMU_ON_SANDY_BRIDGE | PMU_ON_SINCE_IVY,
	PMU_ON_ARCH = PMU_ON_CORE2 | PMU_ON_BONNELL | PMU_ON_NEHALEM | PMU_ON_SINCE_SNB
	              | PMU_ON_TREMONT | PMU_ON_ANY_ARCH
};

/*
 * Returns the bit of this processor's microarchitecture, or 0 if there is no table of events for
 * it.
 */
uint32_t pmu_microarchitecture(void);

/* Returns the bit of a processor of AMD's or Hygon's, or 0 if its family is in no table. */
uint32_t microarchitecture_of_amd_cpu(const struct cpu_identity *cpu);

/* Return it for a row of the table of classes. */
uint32_t microarchitecture_of_p5(const struct pmu *p);
uint32_t microarchitecture_of_p5_mmx(const struct pmu *p);
uint32_t microarchitecture_of_p6(const struct pmu *p);
uint32_t microarchitecture_of_netburst(const struct pmu *p);
uint32_t microarchitecture_of_arch(const struct pmu *p);
uint32_t microarchitecture_of_amd(const struct pmu *p);

#endif
