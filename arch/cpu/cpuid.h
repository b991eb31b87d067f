/* SPDX-License-Identifier: MIT */
/* Names CPUID fields by leaf, subleaf, register and bits, and identifies this processor. */
#ifndef ARCH_CPU_CPUID_H
#define ARCH_CPU_CPUID_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/insn.h>

enum cpuid_register { CPUID_EAX, CPUID_EBX, CPUID_ECX, CPUID_EDX };

struct cpuid_field {
	uint32_t leaf, subleaf;
	enum cpuid_register reg;
	uint8_t hi, lo;
};

#define CPUID_FIELD(leaf, subleaf, reg, hi, lo) \
	((struct cpuid_field){ leaf, subleaf, CPUID_##reg, hi, lo })

/* Source: SDM 2A, "CPUID - CPU Identification"; AMD: APM 3, "Obtaining Processor Information". */
#define CPUID_STEPPING            CPUID_FIELD(0x01, 0, EAX,  3,  0)
#define CPUID_BASE_MODEL          CPUID_FIELD(0x01, 0, EAX,  7,  4)
#define CPUID_BASE_FAMILY         CPUID_FIELD(0x01, 0, EAX, 11,  8)
#define CPUID_EXTENDED_MODEL      CPUID_FIELD(0x01, 0, EAX, 19, 16)
#define CPUID_EXTENDED_FAMILY     CPUID_FIELD(0x01, 0, EAX, 27, 20)
#define CPUID_LOGICAL_COUNT       CPUID_FIELD(0x01, 0, EBX, 23, 16)   /* valid if HTT = 1 */
#define CPUID_INITIAL_APIC_ID     CPUID_FIELD(0x01, 0, EBX, 31, 24)   /* since SSE2 */
#define CPUID_DTES64              CPUID_FIELD(0x01, 0, ECX,  2,  2)
#define CPUID_DS_CPL              CPUID_FIELD(0x01, 0, ECX,  4,  4)
#define CPUID_VMX                 CPUID_FIELD(0x01, 0, ECX,  5,  5)
#define CPUID_MCA                 CPUID_FIELD(0x01, 0, EDX, 14, 14)
#define CPUID_PDCM                CPUID_FIELD(0x01, 0, ECX, 15, 15)
#define CPUID_X2APIC              CPUID_FIELD(0x01, 0, ECX, 21, 21)
#define CPUID_HYPERVISOR          CPUID_FIELD(0x01, 0, ECX, 31, 31)
#define CPUID_FPU                 CPUID_FIELD(0x01, 0, EDX,  0,  0)
#define CPUID_PSE                 CPUID_FIELD(0x01, 0, EDX,  3,  3)
#define CPUID_TSC                 CPUID_FIELD(0x01, 0, EDX,  4,  4)
#define CPUID_MSR                 CPUID_FIELD(0x01, 0, EDX,  5,  5)
#define CPUID_APIC                CPUID_FIELD(0x01, 0, EDX,  9,  9)
#define CPUID_CMOV                CPUID_FIELD(0x01, 0, EDX, 15, 15)
#define CPUID_DS                  CPUID_FIELD(0x01, 0, EDX, 21, 21)
#define CPUID_MMX                 CPUID_FIELD(0x01, 0, EDX, 23, 23)
#define CPUID_SSE                 CPUID_FIELD(0x01, 0, EDX, 25, 25)
#define CPUID_SSE2                CPUID_FIELD(0x01, 0, EDX, 26, 26)
#define CPUID_RTM                 CPUID_FIELD(0x07, 0, EBX, 11, 11)
#define CPUID_HTT                 CPUID_FIELD(0x01, 0, EDX, 28, 28)
#define CPUID_CACHE_TYPE          CPUID_FIELD(0x04, 0, EAX,  4,  0)   /* 0: none */
#define CPUID_CORE_ID_LAST        CPUID_FIELD(0x04, 0, EAX, 31, 26)   /* of a package */
#define CPUID_BUS_LOCK_DETECT     CPUID_FIELD(0x07, 0, ECX, 24, 24)
#define CPUID_ARCH_LBR            CPUID_FIELD(0x07, 0, EDX, 19, 19)
#define CPUID_HYBRID              CPUID_FIELD(0x07, 0, EDX, 15, 15)
#define CPUID_PERFMON_VERSION     CPUID_FIELD(0x0a, 0, EAX,  7,  0)
#define CPUID_PERFMON_GP_COUNT    CPUID_FIELD(0x0a, 0, EAX, 15,  8)
#define CPUID_PERFMON_GP_WIDTH    CPUID_FIELD(0x0a, 0, EAX, 23, 16)
#define CPUID_PERFMON_EVENT_COUNT   CPUID_FIELD(0x0a, 0, EAX, 31, 24)
#define CPUID_PERFMON_EVENT_MISSING CPUID_FIELD(0x0a, 0, EBX, 31,  0)
#define CPUID_PERFMON_FIXED_MAP   CPUID_FIELD(0x0a, 0, ECX, 31,  0)   /* v5+ */
#define CPUID_PERFMON_FIXED_COUNT CPUID_FIELD(0x0a, 0, EDX,  4,  0)   /* v2+ */
#define CPUID_PERFMON_FIXED_WIDTH CPUID_FIELD(0x0a, 0, EDX, 12,  5)   /* v2+ */
#define CPUID_PERFMON_ANYTHREAD_DEPRECATED CPUID_FIELD(0x0a, 0, EDX, 15, 15)
#define CPUID_X2APIC_ID           CPUID_FIELD(0x0b, 0, EDX, 31,  0)
#define CPUID_LEVEL_SHIFT         CPUID_FIELD(0x0b, 0, EAX,  4,  0)   /* as in leaf 1FH */
#define CPUID_LEVEL_COUNT         CPUID_FIELD(0x0b, 0, EBX, 15,  0)   /* of logical processors */
#define CPUID_LEVEL_TYPE          CPUID_FIELD(0x0b, 0, ECX, 15,  8)
#define   CPUID_LEVEL_TYPE_INVALID  0
#define   CPUID_LEVEL_TYPE_SMT      1
#define   CPUID_LEVEL_TYPE_CORE     2                                 /* leaf 1FH has more */
#define CPUID_TSC_DENOMINATOR     CPUID_FIELD(0x15, 0, EAX, 31,  0)   /* of TSC / crystal */
#define CPUID_TSC_NUMERATOR       CPUID_FIELD(0x15, 0, EBX, 31,  0)
#define CPUID_CRYSTAL_HZ          CPUID_FIELD(0x15, 0, ECX, 31,  0)   /* 0: not enumerated */
#define CPUID_BASE_MHZ            CPUID_FIELD(0x16, 0, EAX, 15,  0)
#define CPUID_CORE                CPUID_FIELD(0x1a, 0, EAX, 31,  0)   /* type and model */
#define CPUID_CORE_TYPE           CPUID_FIELD(0x1a, 0, EAX, 31, 24)
#define CPUID_CORE_MODEL          CPUID_FIELD(0x1a, 0, EAX, 23,  0)   /* native model ID */
#define CPUID_PERFMON_SUBLEAVES   CPUID_FIELD(0x23, 0, EAX, 31,  0)   /* v6, as below */
#define CPUID_PERFMON_UMASK2      CPUID_FIELD(0x23, 0, EBX,  0,  0)
#define CPUID_PERFMON_EQ          CPUID_FIELD(0x23, 0, EBX,  1,  1)
#define CPUID_PERFMON_SLOTS       CPUID_FIELD(0x23, 0, ECX,  7,  0)   /* a cycle; 0: not named */
#define CPUID_PERFMON_GP_MAP      CPUID_FIELD(0x23, 1, EAX, 31,  0)   /* v6 */
#define CPUID_PERFMON_FIXED_MAP_6 CPUID_FIELD(0x23, 1, EBX, 31,  0)   /* v6 */
#define CPUID_PERFMON_EVENT_MAP_6 CPUID_FIELD(0x23, 3, EAX, 31,  0)   /* v6 */
/* Hyper-V TLFS, "Feature and Interface Discovery"; Linux, Documentation/virt/kvm/x86/cpuid.rst. */
#define CPUID_HYPERVISOR_EBX      CPUID_FIELD(0x40000000, 0, EBX, 31, 0)
#define   CPUID_HYPERVISOR_KVM      0x4b4d564bu                       /* "KVMK" */
#define   CPUID_HYPERVISOR_HV       0x7263694du                       /* "Micr" */
#define CPUID_KVM_CLOCKSOURCE     CPUID_FIELD(0x40000001, 0, EAX, 0, 0)
#define CPUID_KVM_CLOCKSOURCE2    CPUID_FIELD(0x40000001, 0, EAX, 3, 3)
#define CPUID_HV_FREQUENCY_MSRS   CPUID_FIELD(0x40000003, 0, EAX, 11, 11)
#define CPUID_HYPERVISOR_TSC_KHZ  CPUID_FIELD(0x40000010, 0, EAX, 31, 0)
#define CPUID_PERFCTR_CORE        CPUID_FIELD(0x80000001, 0, ECX, 23, 23)   /* AMD, as below */
#define CPUID_PERFCTR_NB          CPUID_FIELD(0x80000001, 0, ECX, 24, 24)
#define CPUID_PERFCTR_LLC         CPUID_FIELD(0x80000001, 0, ECX, 28, 28)
#define CPUID_AMD_V2              CPUID_FIELD(0x80000022, 0, EAX,  0,  0)   /* PerfMonV2 */
#define CPUID_AMD_FREEZE          CPUID_FIELD(0x80000022, 0, EAX,  2,  2)   /* of counters */
#define CPUID_AMD_COUNTERS        CPUID_FIELD(0x80000022, 0, EBX,  3,  0)
#define CPUID_AMD_FABRIC_COUNTERS CPUID_FIELD(0x80000022, 0, EBX, 15, 10)
#define CPUID_AMD_PREC_RET        CPUID_FIELD(0x80000021, 0, EAX, 12, 12)   /* PERF_CTL2[43] */
#define CPUID_SVM                 CPUID_FIELD(0x80000001, 0, ECX,  2,  2)
#define CPUID_LBR_VIRTUALIZATION  CPUID_FIELD(0x8000000a, 0, EDX,  1,  1)   /* SVM */
#define CPUID_IRPERF              CPUID_FIELD(0x80000008, 0, EBX,  1,  1)   /* AMD: IRPerfCount */
#define CPUID_AMD_BRS             CPUID_FIELD(0x80000008, 0, EBX, 31, 31)   /* Zen 3 */
#define CPUID_AMD_LBR_STACK       CPUID_FIELD(0x80000022, 0, EAX,  1,  1)   /* Zen 4 */
#define CPUID_EFF_FREQ            CPUID_FIELD(6, 0, ECX,  0,  0)            /* MPERF, APERF */
#define CPUID_EFF_FREQ_RO         CPUID_FIELD(0x80000007, 0, EDX, 10, 10)   /* AMD: their copies */
#define CPUID_TOPOLOGY_EXTENSIONS CPUID_FIELD(0x80000001, 0, ECX, 22, 22)
#define CPUID_NC                  CPUID_FIELD(0x80000008, 0, ECX,  7,  0)   /* threads - 1 */
#define CPUID_APIC_ID_SIZE        CPUID_FIELD(0x80000008, 0, ECX, 15, 12)
#define CPUID_THREADS_PER_CORE    CPUID_FIELD(0x8000001e, 0, EBX, 15,  8)   /* - 1; family 17H */

/*
 * Returns a field out of the registers of its leaf. (FIELD_GET divides, so it suits constant fields
 * only.)
 */
static inline uint32_t cpuid_pick(struct cpuid_result r, struct cpuid_field field)
{
	const uint32_t value[] = { r.eax, r.ebx, r.ecx, r.edx };

	return value[field.reg] >> field.lo & UINT32_MAX >> (31 - field.hi + field.lo);
}

enum cpu_vendor { VENDOR_INTEL, VENDOR_AMD, VENDOR_OTHER };

static inline enum cpu_vendor cpuid_vendor(struct cpuid_result leaf_0)
{
	if (leaf_0.ebx == 0x756e6547 && leaf_0.edx == 0x49656e69 && leaf_0.ecx == 0x6c65746e)
		return VENDOR_INTEL;            /* GenuineIntel */
	if (leaf_0.ebx == 0x68747541 && leaf_0.edx == 0x69746e65 && leaf_0.ecx == 0x444d4163)
		return VENDOR_AMD;              /* AuthenticAMD */
	if (leaf_0.ebx == 0x6f677948 && leaf_0.edx == 0x6e65476e && leaf_0.ecx == 0x656e6975)
		return VENDOR_AMD;              /* HygonGenuine: a Zen, family 18H */
	return VENDOR_OTHER;
}

/*
 * Returns true if EFLAGS.ID can be changed. If it cannot, the processor has no CPUID, and every
 * field reads 0.
 */
bool has_cpuid(void);

/* Returns a field, or 0 if its leaf is above the highest one that the processor has. */
uint32_t cpuid_get(struct cpuid_field field);

/* Returns all four registers of a leaf, or zeros if the processor does not have the leaf. */
struct cpuid_result cpuid_read(uint32_t leaf, uint32_t subleaf);

/* Types of cores, in leaf 1AH of hybrid processors. */
enum { CORE_TYPE_ATOM = 0x20, CORE_TYPE_CORE = 0x40 };

/* Returns this core's leaf 1AH:EAX, or 0 if the processor is not hybrid; a type's name, or "other"
 * for an unknown one. */
uint32_t cpuid_core(void);
const char *cpuid_core_name(unsigned type);

struct cpu_identity {
	enum cpu_vendor vendor;
	char vendor_name[13];
	char brand[49];                /* empty if CPUID has none */
	char hypervisor[13];           /* the signature of leaf 40000000H; empty on bare hardware */
	unsigned family, model, stepping;  /* DisplayFamily, DisplayModel */
	uint32_t microcode;            /* revision; 0 if unknown */
	unsigned core_type;            /* leaf 1AH: 20H Atom, 40H Core; 0 if not hybrid */
};

/* Identifies this processor. Reading the microcode revision needs a working #GP handler. */
void cpu_identify(struct cpu_identity *id);

#endif
