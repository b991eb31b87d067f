/* SPDX-License-Identifier: MIT */
/* Where a logical processor is: which package, which core of it, which thread of that. */
#ifndef ARCH_SMP_TOPOLOGY_H
#define ARCH_SMP_TOPOLOGY_H

#include <stdint.h>

#include <arch/cpu/insn.h>

struct topology {
	uint32_t apic_id;               /* the x2APIC ID, or the initial APIC ID */
	uint32_t package, core, thread; /* fields of the APIC ID: equal numbers mean the same one */
	unsigned thread_bits, core_bits; /* how wide those fields are; the package's are the rest */
	const char *source;             /* "CPUID.0BH", ... */
	const char *problem;            /* NULL, or how CPUID contradicts itself: a sentence */
};

/* How CPUID is asked: leaf and subleaf; zeros for a leaf that is not there. */
typedef struct cpuid_result (*topology_cpuid)(uint32_t leaf, uint32_t subleaf);

/*
 * From leaf 1FH, else 0BH, else AMD's 80000008H, else 4 and 1. A processor without any of them is
 * alone in its package. What leaf 1FH knows between thread and package (modules, tiles, dies) is
 * part of the core's number. local_apic_id counts where CPUID tells no APIC ID, before SSE2.
 *
 * Sources: SDM 3A, "Identifying Topological Relationships in a MP System"; APM 3, "Multiple
 * Processor Calculation" and "Function 8000_001Eh"; APM 2 for APIC IDs.
 */
struct topology topology_find(topology_cpuid cpuid, uint32_t local_apic_id);

/* Of the processor that executes this, after apic_init(). */
struct topology topology_of_this(void);

struct topology_count { unsigned packages, cores, threads; };

/* How many different ones there are among these. */
struct topology_count topology_count(const struct topology *const *t, unsigned count);

#endif
