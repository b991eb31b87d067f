/* SPDX-License-Identifier: MIT */
/* Finds the place of a logical processor: its package, its core there, its thread in that core. */
#ifndef ARCH_SMP_TOPOLOGY_H
#define ARCH_SMP_TOPOLOGY_H

#include <stdint.h>

#include <arch/cpu/insn.h>

struct topology {
	uint32_t apic_id;               /* the x2APIC ID, or else the initial APIC ID */
	uint32_t package, core, thread; /* fields of the APIC ID: equal numbers mean the same one */
	unsigned thread_bits, core_bits; /* widths of the lower fields; the package has the rest */
	const char *source;             /* "CPUID.0BH", ... */
	const char *problem;            /* NULL, or how CPUID contradicts itself: a sentence */
};

/* Returns a subleaf of CPUID, or zeros for a leaf that does not exist. */
typedef struct cpuid_result (*topology_cpuid)(uint32_t leaf, uint32_t subleaf);

/*
 * Finds the topology by leaf 1FH, else 0BH, else AMD's 80000008H, else 4 and 1. A processor without
 * any of them is alone in its package. Levels that leaf 1FH has between thread and package
 * (modules, tiles, dies) become part of the core's number. local_apic_id is used if CPUID reports
 * no APIC ID, as before SSE2.
 *
 * Sources: SDM 3A, "Identifying Topological Relationships in a MP System"; APM 3, "Multiple
 * Processor Calculation" and "Function 8000_001Eh"; APM 2 for APIC IDs.
 */
struct topology topology_find(topology_cpuid cpuid, uint32_t local_apic_id);

/* Finds the topology of the processor that executes the call. Must be called after apic_init(). */
struct topology topology_of_this(void);

struct topology_count { unsigned packages, cores, threads; };

/* Counts the different packages, cores and threads among these. */
struct topology_count topology_count(const struct topology *const *t, unsigned count);

#endif
