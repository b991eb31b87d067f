/* SPDX-License-Identifier: MIT */
/* Which PMU this processor has, and what a first look at it found. */
#ifndef PMU_CORE_PMU_H
#define PMU_CORE_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>

enum pmu_generation {
	PMU_BEFORE,        /* older than any PMU: no registers, no RDPMC */
	PMU_P5,            /* Pentium without MMX: registers, no RDPMC */
	PMU_P5_MMX,
	PMU_P6,
	PMU_NETBURST,
	PMU_ARCH,          /* CPUID leaf 0AH, version 1 to 6 */
	PMU_HIDDEN,        /* an Intel processor of that time, but leaf 0AH says version 0 */
	PMU_AMD_K7,        /* four counters */
	PMU_AMD_CORE,      /* six: CPUID.80000001H:ECX[23] */
	PMU_UNKNOWN        /* another vendor, without leaf 0AH */
};

/* How many registers a row of the register table stands for. */
enum pmu_count { COUNT_GP, COUNT_FIXED, COUNT_ROW };

struct pmu_register {
	const char *name;              /* of the first one */
	uint32_t msr;
	enum pmu_count kind;
	uint8_t count;                 /* with COUNT_ROW */
	uint8_t since_version;         /* of architectural performance monitoring */
	uint64_t capability;           /* bits of IA32_PERF_CAPABILITIES that it needs */
	bool is_read_only;
};

/* How to make one counter count instructions: writes in this order, then the counter moves. */
struct pmu_write {
	uint32_t msr;
	uint64_t value;
	uint64_t second;               /* on a core's second thread, as the driver's thread()
	                                  says, where it differs; else 0 */
};
enum { PMU_PROBE_WRITES = 3 };
struct pmu_probe {
	struct pmu_write on[PMU_PROBE_WRITES];   /* msr 0 ends the list */
	uint32_t counter;
};

struct pmu_driver;                     /* driver.h */

struct pmu_class {
	enum pmu_generation generation;
	const char *name;
	const char *word;              /* after uarch=; NULL: there is nothing to force */
	const char *because;           /* what decides that a processor has it */
	bool (*matches)(const struct cpu_identity *cpu);
	const struct pmu_register *registers;
	unsigned register_count;
	struct pmu_probe probe;
	const struct pmu_driver *driver;   /* NULL: none was written, pmu_program() refuses */
	const char *source;
};

enum pmu_state {
	PMU_IS_ABSENT,         /* the generation has none, or none is enumerated */
	PMU_FAULTS,            /* its registers raise #GP */
	PMU_SWALLOWS,          /* its registers take writes and read 0 */
	PMU_IS_DEAD,           /* its registers hold values, and nothing counts */
	PMU_COUNTS
};

struct pmu {
	const struct pmu_class *class;
	unsigned version;              /* of architectural performance monitoring; else 0 */
	unsigned gp_count, gp_width, fixed_width;
	uint32_t fixed_map;            /* bit i: IA32_FIXED_CTRi is there */
	uint64_t capabilities;         /* IA32_PERF_CAPABILITIES; 0 where it does not exist */
	bool is_forced;                /* by the word uarch=: whatever CPUID says, and faults */
	const char *because;           /* what decided on the class */
	enum pmu_state state;
	char verdict[160];             /* the state as a sentence, with the value that decided */
};

/* What pmu_detect() found: classes.h. */
const struct pmu *pmu_get(void);

/* How many counters a bitmap spans: one more than the number of its highest bit. */
static inline unsigned pmu_map_span(uint32_t map)
{
	unsigned n = 0;

	for (; map; map >>= 1)
		n++;
	return n;
}

/* How many registers a row stands for on this processor; 0: it has none of them. */
unsigned pmu_register_count(const struct pmu *p, const struct pmu_register *r);

/* Counts instructions with the class's probe while workload_loop(rounds) runs. A fault stops it. */
fault_t pmu_count_loop(const struct pmu *p, uint32_t rounds, uint64_t *count);

#endif
