/* SPDX-License-Identifier: MIT */
/*
 * NetBurst's PMU: 18 counters, each with a CCCR that selects one of up to eight ESCRs; 45 ESCRs,
 * each of which says what its unit counts for the counters of its block. All of it is shared by the
 * threads of a core. Source: SDM 3B, "Performance Monitoring (Processors Based on Intel NetBurst
 * Microarchitecture)".
 *
 *	struct netburst_use use;
 *	struct pmu_setup s = netburst_setup(&use, netburst_event_find("branch_retired"),
 *	                                    "MMTP+MMTM", 12, PMU_OS);
 *	struct pmu_reading r = pmu_measure(&s, 1, &workload_loop, 1000, 0);
 *
 * The tables are data alone and link without the kernel.
 */
#ifndef PMU_EVENTS_NETBURST_PMU_H
#define PMU_EVENTS_NETBURST_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <arch/regs/netburst.h>
#include <pmu/core/program.h>

/* ---------------------------------------------------------------------------- registers */

enum netburst_block { NETBURST_BPU, NETBURST_MS, NETBURST_FLAME, NETBURST_IQ, NETBURST_BLOCKS };

/* Models of family 0FH: bit n. */
#define NETBURST_ALL_MODELS 0x5fu

struct netburst_counter {
	const char *name;              /* "MSR_IQ_COUNTER4" */
	const char *cccr_name;         /* "MSR_IQ_CCCR4" */
	uint32_t msr, cccr;
	enum netburst_block block;
	unsigned pair;                 /* 0 to 8: counters 2n and 2n + 1 */
	unsigned parity;               /* of the ESCRs that reach it: even or odd ones */
	uint32_t cascades_from;        /* bit n: with CASCADE the overflow of counter n starts it */
	uint32_t extended_from;        /* the same for bit 11 */
	const char *extended_name;     /* of bit 11: "CASCNT4INTO0"; NULL: reserved */
};

struct netburst_escr {
	const char *name;              /* "MSR_CRU_ESCR0" */
	uint32_t msr;
	unsigned select;               /* its number in CCCR_ESCR_SELECT */
	enum netburst_block block;
	uint32_t counters;             /* bit n: it reaches counter n */
	uint32_t models;               /* bit n: model n of family 0FH surely has it */
	uint32_t unsure_models;        /* the sources contradict each other */
	const char *without_event;     /* why no event of the manual's uses it; NULL: one does */
};

/* By RDPMC's index; by address. */
extern const struct netburst_counter netburst_counters[NETBURST_COUNTERS];
extern const struct netburst_escr netburst_escrs[NETBURST_ESCRS];

const struct netburst_escr *netburst_escr_find(const char *name);      /* "MSR_..."; NULL: none */

/* What a counter's CCCR selects by this number, 0 to 7; NULL: nothing. */
const struct netburst_escr *netburst_escr_of(unsigned counter, unsigned select);

/* Does this processor have the ESCR? Unsure ones: no. */
bool netburst_has_escr(const struct netburst_escr *e);

/* This processor: bit 11 of CCCRs, the thread of this logical processor, a second thread. */
bool netburst_has_extended_cascading(void);
unsigned netburst_thread(void);
bool netburst_has_threads(void);

/* ---------------------------------------------------------------------------- events */

struct netburst_mask { uint16_t bits; const char *name; };

enum { NETBURST_EVENTS = 47, NETBURST_MASKS_MAX = 16, NETBURST_ESCRS_PER_EVENT = 2 };

enum netburst_tagging {
	NETBURST_UNTAGGED,
	NETBURST_TAGS_FRONT_END,       /* its ESCR tags micro-operations for front_end_event */
	NETBURST_TAGS_EXECUTION,       /* ... with a tag value, for execution_event */
	NETBURST_TAGS_REPLAY,          /* ... for replay_event */
	NETBURST_COUNTS_FRONT_END,     /* counts those */
	NETBURST_COUNTS_EXECUTION,
	NETBURST_COUNTS_REPLAY,
	NETBURST_COUNTS_TAGGED         /* instr_retired: tagged or not, by its mask */
};

enum netburst_specificity { NETBURST_TS, NETBURST_TI, NETBURST_TS_OR_TI };

struct netburst_event {
	const char *name;              /* the manual's: "branch_retired" */
	uint8_t select;                /* ESCR_EVENT_SELECT */
	const char *escrs[NETBURST_ESCRS_PER_EVENT];   /* [1] NULL: there is only one */
	uint8_t cccr_select;           /* as the manual prints it */
	const struct netburst_mask *masks;             /* name NULL: no more */
	uint16_t all;                  /* every bit that the manual's table names */
	enum netburst_tagging tagging;
	bool is_at_retirement;
	enum netburst_specificity specificity;
	uint32_t models;
	const char *unsure;            /* what sources contradict each other about; else NULL */
	const char *description;       /* PMU_WORDS() */
};

extern const struct netburst_event netburst_events[NETBURST_EVENTS];

const struct netburst_event *netburst_event_find(const char *name);    /* NULL: none */

/* Bits of masks by name, joined by '+'; NULL: all. False: the event has no such mask. */
bool netburst_event_mask(const struct netburst_event *e, const char *masks, uint16_t *bits);

/* Does this processor have it? */
bool netburst_event_exists(const struct netburst_event *e);

/* The counters that can count it on this processor: bit n. By the ESCRs' map. */
uint32_t netburst_event_counters(const struct netburst_event *e);

/* The event's ESCR that reaches this counter; NULL: none does. */
const struct netburst_escr *netburst_event_escr(const struct netburst_event *e, unsigned counter);

/* ---------------------------------------------------------------------------- at retirement */

/* A row of the manual's tables of at-retirement metrics. */
struct netburst_metric {
	const char *name;              /* "1stL_cache_load_miss_retired" */
	const char *event, *masks;     /* what counts */
	const char *upstream, *upstream_masks;         /* what tags; NULL: MSRs alone do */
	const char *upstream_escr;     /* the one that the manual demands; NULL: either */
	unsigned tag_value;            /* execution: in the upstream ESCR, with ESCR_TAG_ENABLE */
	uint32_t pebs_enable;          /* to count without PEBS */
	uint32_t pebs_matrix_vert;
	const char *unsure;            /* else NULL */
};
extern const struct netburst_metric netburst_metrics[];
extern const unsigned netburst_metric_count;
const struct netburst_metric *netburst_metric_find(const char *name);

/* ---------------------------------------------------------------------------- programming */

/*
 * What one counter of a struct pmu_setup (its field netburst) is to do: all bits of ESCR and CCCR.
 * The driver writes the ESCR, then the counter, then the CCCR without ENABLE, in the manual's
 * order; the window's writes add and take ENABLE, and with it OVF: a write with bit 31 = 0 clears
 * it.
 */
struct netburst_use {
	const struct netburst_escr *escr;      /* NULL: none is written */
	uint32_t escr_value;
	uint32_t cccr_value;           /* with ENABLE, or without for a counter that is cascaded */
	/* The window's writes are those of the ESCR, the CCCR is enabled before it, and stays so:
	 * counters of one ESCR start and stop with one write, exactly together, and OVF stays. */
	bool is_by_escr;
};

/*
 * A setup and its use: flags PMU_OS, PMU_USR for this logical processor, with PMU_ANY for the other
 * one of its core, too; PMU_INT is OVF_PMI of its thread. Everything else is added to use
 * afterwards. What cannot be ends the test.
 */
struct pmu_setup netburst_setup(struct netburst_use *use, const struct netburst_event *e,
                                const char *masks, unsigned counter, unsigned flags);

/* The bits of PMU_OS and PMU_USR in an ESCR, of PMU_INT in a CCCR, for a thread. */
uint32_t netburst_qualifiers(unsigned thread, unsigned flags);
uint32_t netburst_ovf_pmi(unsigned thread);

/* ENABLE, select, ACTIVE_THREAD = any: what a CCCR needs to count this ESCR. */
uint32_t netburst_cccr(const struct netburst_escr *escr);

/* What of CCCR to set so that a counter counts cycles with `least` events or more; is_fewer: with
 * fewer. least: 1 to 16. */
uint32_t netburst_compare(unsigned least, bool is_fewer);

/* The clock of the core: any counter, threshold 15 with COMPLEMENT. */
struct pmu_setup netburst_clock_setup(struct netburst_use *use, unsigned counter);

/* MSR_PEBS_ENABLE and MSR_PEBS_MATRIX_VERT, before pmu_program(); pmu_reset() clears them. */
void netburst_set_replay(uint32_t pebs_enable, uint32_t matrix_vert);

/* ---------------------------------------------------------------------------- allocation */

struct netburst_request {
	const char *event, *masks;
	const char *escr;              /* must be this one; NULL: any that the event has */
	uint32_t counters;             /* must be one of these; 0: any */
	unsigned flags;                /* PMU_OS, PMU_USR, PMU_INT */
	unsigned tag_value;            /* not 0: ESCR_TAG_ENABLE and this value */
};

/*
 * A counter and an ESCR for each request, so that none is used twice (one ESCR serves several
 * counters where its whole value is the same). False: problem, of size bytes, says which resource
 * is missing for which event.
 */
bool netburst_allocate(const struct netburst_request *requests, unsigned count,
                       struct pmu_setup *setups, struct netburst_use *uses,
                       char *problem, size_t size);

/* The requests of a metric: the counting one first, then what tags; how many (1 or 2). */
unsigned netburst_metric_requests(const struct netburst_metric *m, unsigned flags,
                                  struct netburst_request requests[2]);

#endif
