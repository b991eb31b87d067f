/* SPDX-License-Identifier: MIT */
/* Describes the PMU of this processor, and the result of a first look at it. */
#ifndef PMU_CORE_PMU_H
#define PMU_CORE_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>

/* Says how many registers a row of the register table stands for. */
enum pmu_count { COUNT_GP, COUNT_FIXED, COUNT_ROW };

struct pmu_register {
	const char *name;              /* of the first register */
	uint32_t msr;
	enum pmu_count kind;
	uint8_t count;                 /* used with COUNT_ROW */
	uint8_t since_version;         /* of architectural performance monitoring */
	uint64_t capability;           /* bits of IA32_PERF_CAPABILITIES that the register needs */
	bool is_read_only;
};

/*
 * Describes a way to make one counter count instructions: after these writes, in this order, the
 * counter moves.
 */
struct pmu_write {
	uint32_t msr;
	uint64_t value;
	uint64_t second;               /* other value on a core's second thread (the driver's
	                                * thread()); 0: the same */
};
enum { PMU_PROBE_WRITES = 3 };
struct pmu_probe {
	struct pmu_write on[PMU_PROBE_WRITES];   /* msr 0 ends the list */
	uint32_t counter;
	const char *name;              /* of the counter */
	uint64_t global;               /* its bit in IA32_PERF_GLOBAL_CTRL */
};

/* Names what some PMUs have, and others do not. */
enum pmu_facility {
	PMU_HAS_RDPMC       = 1 << 0,
	PMU_HAS_CESR        = 1 << 1,  /* one register controls both counters */
	PMU_HAS_ONE_ENABLE  = 1 << 2,  /* EN of PerfEvtSel0 enables both counters; one record of
	                                * a branch, by DebugCtlMSR */
	PMU_HAS_CCCRS       = 1 << 3,  /* a CCCR per counter selects one of several ESCRs */
	PMU_HAS_LEAF_0AH    = 1 << 4,  /* CPUID leaf 0AH reports the counters and the events */
	PMU_HAS_LEGACY_CTLS = 1 << 5,  /* AMD's four selects from C0010000H on */
	PMU_HAS_CORE_CTLS   = 1 << 6,  /* AMD's six selects from C0010200H on, too */
	PMU_HAS_SIGNED_WRITES = 1 << 7,   /* a write takes bits 31:0 and sign-extends them */
	PMU_HAS_PERFMON_BIT = 1 << 8,  /* IA32_MISC_ENABLE[7] says whether there is a PMU */
	PMU_IS_HIDDEN       = 1 << 9,  /* the processor has a PMU, and CPUID reports none */
	PMU_IS_TOO_EARLY    = 1 << 10  /* the processor is older than any PMU, and than RDPMC */
};

struct pmu;
struct pmu_driver;                     /* driver.h */
struct event_source;                   /* pmu/events/event_request.h */

struct pmu_class {
	const char *name;
	const char *word;              /* the value of uarch=; NULL: cannot be forced */
	const char *because;           /* why a processor is taken to have this PMU */
	bool (*matches)(const struct cpu_identity *cpu);
	uint32_t has;                  /* enum pmu_facility */
	const struct pmu_register *registers;
	unsigned register_count;
	const struct pmu_register *noted;      /* not the PMU's, but of interest as found */
	unsigned noted_count;
	uint8_t count, width;          /* of general counters, unless CPUID reports them */
	uint8_t together_since;        /* version from which one write starts all counters */
	uint8_t pmi_lag;               /* events from the overflow to the one that raises a PMI */
	const char *no_pmi;            /* why an overflow raises no PMI; NULL: it does */
	uint16_t instructions, cycles, branches;       /* the events; P5 has none for cycles */
	uint64_t debugctl;             /* bits of IA32_DEBUGCTL that tests may set; 0: none */
	uint64_t debugctl_2;           /* and those from version 2 on */
	uint64_t bts;                  /* those that write branch records to memory; may be 0 */
	const char *status_name;       /* what shows overflows */
	uint64_t status_of_others;     /* bits of it that are set by others than counters */
	void (*enumerate)(struct pmu *p);      /* asks CPUID for the numbers; may be NULL */
	/* Returns enum pmu_microarchitecture; may be NULL. */
	uint32_t (*microarchitecture)(const struct pmu *p);
	struct pmu_probe probe;
	const struct pmu_probe *others;    /* other counters, tried where that one is dead */
	unsigned other_count;
	uint32_t global_ctrl;              /* enables all counters: version 2 and later */
	const struct event_source *events; /* NULL: none is known */
	const struct pmu_driver *driver;   /* NULL: there is no driver, and pmu_program() fails */
	const char *source;
};

enum pmu_state {
	PMU_IS_ABSENT,         /* the generation has none, or CPUID reports none */
	PMU_FAULTS,            /* its registers raise #GP */
	PMU_SWALLOWS,          /* its registers take writes and read 0 */
	PMU_IS_DEAD,           /* its registers keep values, but the first counter does not count */
	PMU_COUNTS
};

struct pmu {
	const struct pmu_class *class;
	unsigned version;              /* of architectural performance monitoring or, as 2, of
	                                * AMD's PerfMonV2; or 0 */
	unsigned gp_count, gp_width, fixed_width;
	uint32_t fixed_map;            /* bit i: IA32_FIXED_CTRi exists */
	uint64_t capabilities;         /* IA32_PERF_CAPABILITIES; 0 if it does not exist */
	bool is_common;                /* leaf 0AH has only what another type of core has, too */
	bool is_forced;                /* uarch= chose the class, whatever CPUID says, and faults */
	const char *because;           /* the reason for the class */
	enum pmu_state state;
	char verdict[216];             /* a sentence on the state, with the value that decided */
};

/*
 * Returns what pmu_detect() (classes.h) found on the processor that executes the call. Each one
 * detects its own PMU, and the struct is private to it: cores of two types may differ.
 */
const struct pmu *pmu_get(void);
/* Returns what it found on another running processor. */
const struct pmu *pmu_of(unsigned cpu);

/* Returns true if this PMU has one of these, or more. */
static inline bool pmu_has(uint32_t facilities)
{
	return (pmu_get()->class->has & facilities) != 0;
}

/* Returns the bits of IA32_DEBUGCTL that a test may set on this PMU. */
static inline uint64_t pmu_debugctl(void)
{
	const struct pmu *p = pmu_get();

	return p->class->debugctl | (p->version >= 2 ? p->class->debugctl_2 : 0);
}

/* Returns how many counters a bitmap spans: the number of its highest bit plus 1. */
static inline unsigned pmu_map_span(uint32_t map)
{
	unsigned n = 0;

	for (; map; map >>= 1)
		n++;
	return n;
}

/* Returns a value modulo 2^width with its sign: that of bit width - 1 in all bits above it. */
static inline uint64_t pmu_sign_extend(uint64_t value, unsigned width)
{
	return (uint64_t)((int64_t)(value << (64 - width)) >> (64 - width));
}

/*
 * Return true if IA32_PMCi, IA32_FIXED_CTRi or the metrics may exist although CPUID does not report
 * them. Such a counter is never judged. Early Core 2 and the Atom N270 report fewer than the three
 * fixed counters that they have, and only the chip can tell. The P-cores of hybrid processors
 * without leaf 23H have 8 + 4 counters and metrics, and report what the E-cores have, too (Linux,
 * arch/x86/events/intel/core.c, intel_pmu_init() and intel_pmu_broken_perf_cap()).
 */
static inline bool pmu_may_hide_gp(const struct pmu *p, unsigned i)
{
	return p->is_common && i >= p->gp_count && i < 8;
}

static inline bool pmu_may_hide_fixed(const struct pmu *p, unsigned i)
{
	const unsigned most = p->is_common ? 4 : p->version >= 2 && p->version <= 4 ? 3 : 0;

	return i < most && !(p->fixed_map >> i & 1);
}

static inline bool pmu_may_hide_metrics(const struct pmu *p)
{
	return p->is_common && !(p->capabilities & IA32_PERF_CAPABILITIES_PERF_METRICS);
}

/* Returns how many registers a row stands for on this processor, or 0 if it has none of them. */
unsigned pmu_register_count(const struct pmu *p, const struct pmu_register *r);

/*
 * Counts instructions with the class's probe while workload_loop(rounds) runs. Stops at the first
 * fault and returns it.
 */
fault_t pmu_count_loop(const struct pmu *p, uint32_t rounds, uint64_t *count);

#endif
