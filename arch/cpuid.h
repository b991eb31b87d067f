/* SPDX-License-Identifier: MIT */
/* CPUID fields by leaf, subleaf, register and bits, and who this processor is. */
#ifndef ARCH_CPUID_H
#define ARCH_CPUID_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/insn.h>

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
#define CPUID_INITIAL_APIC_ID     CPUID_FIELD(0x01, 0, EBX, 31, 24)   /* since SSE2's processors */
#define CPUID_PDCM                CPUID_FIELD(0x01, 0, ECX, 15, 15)
#define CPUID_X2APIC              CPUID_FIELD(0x01, 0, ECX, 21, 21)
#define CPUID_HYPERVISOR          CPUID_FIELD(0x01, 0, ECX, 31, 31)
#define CPUID_FPU                 CPUID_FIELD(0x01, 0, EDX,  0,  0)
#define CPUID_PSE                 CPUID_FIELD(0x01, 0, EDX,  3,  3)
#define CPUID_TSC                 CPUID_FIELD(0x01, 0, EDX,  4,  4)
#define CPUID_MSR                 CPUID_FIELD(0x01, 0, EDX,  5,  5)
#define CPUID_APIC                CPUID_FIELD(0x01, 0, EDX,  9,  9)
#define CPUID_MMX                 CPUID_FIELD(0x01, 0, EDX, 23, 23)
#define CPUID_SSE                 CPUID_FIELD(0x01, 0, EDX, 25, 25)
#define CPUID_SSE2                CPUID_FIELD(0x01, 0, EDX, 26, 26)
#define CPUID_HYBRID              CPUID_FIELD(0x07, 0, EDX, 15, 15)
#define CPUID_PERFMON_VERSION     CPUID_FIELD(0x0a, 0, EAX,  7,  0)
#define CPUID_PERFMON_GP_COUNT    CPUID_FIELD(0x0a, 0, EAX, 15,  8)
#define CPUID_PERFMON_GP_WIDTH    CPUID_FIELD(0x0a, 0, EAX, 23, 16)
#define CPUID_PERFMON_EVENT_COUNT   CPUID_FIELD(0x0a, 0, EAX, 31, 24)
#define CPUID_PERFMON_EVENT_MISSING CPUID_FIELD(0x0a, 0, EBX, 31,  0)
#define CPUID_PERFMON_FIXED_MAP   CPUID_FIELD(0x0a, 0, ECX, 31,  0)   /* v5+ */
#define CPUID_PERFMON_FIXED_COUNT CPUID_FIELD(0x0a, 0, EDX,  4,  0)   /* v2+ */
#define CPUID_PERFMON_FIXED_WIDTH CPUID_FIELD(0x0a, 0, EDX, 12,  5)   /* v2+ */
#define CPUID_X2APIC_ID           CPUID_FIELD(0x0b, 0, EDX, 31,  0)
#define CPUID_CORE_TYPE           CPUID_FIELD(0x1a, 0, EAX, 31, 24)
#define CPUID_PERFMON_SUBLEAVES   CPUID_FIELD(0x23, 0, EAX, 31,  0)   /* v6, as below */
#define CPUID_PERFMON_EQ          CPUID_FIELD(0x23, 0, EBX,  1,  1)
#define CPUID_PERFMON_GP_MAP      CPUID_FIELD(0x23, 1, EAX, 31,  0)   /* v6 */
#define CPUID_PERFMON_FIXED_MAP_6 CPUID_FIELD(0x23, 1, EBX, 31,  0)   /* v6 */
#define CPUID_PERFMON_EVENT_MAP_6 CPUID_FIELD(0x23, 3, EAX, 31,  0)   /* v6 */
#define CPUID_PERFCTR_CORE        CPUID_FIELD(0x80000001, 0, ECX, 23, 23)   /* AMD, as below */
#define CPUID_PERFCTR_NB          CPUID_FIELD(0x80000001, 0, ECX, 24, 24)
#define CPUID_PERFCTR_LLC         CPUID_FIELD(0x80000001, 0, ECX, 28, 28)

/* Can EFLAGS.ID be changed? If not there is no CPUID, and every field reads 0. */
bool has_cpuid(void);

/* A field; 0 where the leaf is above the highest one that the processor has. */
uint32_t cpuid_get(struct cpuid_field field);

/* All four registers of a leaf; zeros where the processor does not have it. */
struct cpuid_result cpuid_read(uint32_t leaf, uint32_t subleaf);

enum cpu_vendor { VENDOR_INTEL, VENDOR_AMD, VENDOR_OTHER };

struct cpu_identity {
	enum cpu_vendor vendor;
	char vendor_name[13];
	char brand[49];                /* empty where there is none */
	char hypervisor[13];           /* the signature of leaf 40000000H; empty on bare hardware */
	unsigned family, model, stepping;  /* DisplayFamily, DisplayModel */
	uint32_t microcode;            /* revision; 0 where it cannot be told */
	unsigned core_type;            /* leaf 1AH: 20H Atom, 40H Core; 0 where not hybrid */
};

/* Reads who this processor is. The microcode revision needs a working #GP handler. */
void cpu_identify(struct cpu_identity *id);

#endif
