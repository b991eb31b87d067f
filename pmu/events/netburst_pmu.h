/* SPDX-License-Identifier: MIT */
/*
 * Describes NetBurst's PMU. It has 18 counters, each with a CCCR that selects one of up to eight
 * ESCRs. Each of the 45 ESCRs determines what its unit counts for the counters of its block. The
 * threads of a core share this PMU. Source: SDM 3B, "Performance Monitoring (Processors Based on
 * Intel NetBurst Microarchitecture)".
 *
 *	struct netburst_use use;
 *	struct pmu_setup s = netburst_setup(&use, netburst_event_find("branch_retired"),
 *	                                    "MMTP+MMTM", 12, PMU_OS);
 *	struct pmu_reading r = pmu_measure(&s, 1, &workload_loop, 1000, 0);
 *
 * The tables are only data and link without the kernel.
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

/* The mask has bit n for model n of family 0FH. */
#define NETBURST_ALL_MODELS 0x5fu

struct netburst_counter {
	const char *name;              /* "MSR_IQ_COUNTER4" */
	const char *cccr_name;         /* "MSR_IQ_CCCR4" */
	uint32_t msr, cccr;
	enum netburst_block block;
	unsigned pair;                 /* 0 to 8: counters 2n and 2n + 1 */
	unsigned parity;               /* 0: even ESCRs reach it, 1: odd ones */
	uint32_t cascades_from;        /* bit n: with CASCADE the overflow of counter n starts it */
	uint32_t extended_from;        /* the same for bit 11 */
	const char *extended_name;     /* name of bit 11: "CASCNT4INTO0"; NULL: reserved */
};

/* Numbers the rows of netburst_escrs[]. */
enum netburst_escr_row {
	NETBURST_BSU_ESCR0, NETBURST_BSU_ESCR1, NETBURST_FSB_ESCR0, NETBURST_FSB_ESCR1,
	NETBURST_FIRM_ESCR0, NETBURST_FIRM_ESCR1, NETBURST_FLAME_ESCR0, NETBURST_FLAME_ESCR1,
	NETBURST_DAC_ESCR0, NETBURST_DAC_ESCR1, NETBURST_MOB_ESCR0, NETBURST_MOB_ESCR1,
	NETBURST_PMH_ESCR0, NETBURST_PMH_ESCR1, NETBURST_SAAT_ESCR0, NETBURST_SAAT_ESCR1,
	NETBURST_U2L_ESCR0, NETBURST_U2L_ESCR1, NETBURST_BPU_ESCR0, NETBURST_BPU_ESCR1,
	NETBURST_IS_ESCR0, NETBURST_IS_ESCR1, NETBURST_ITLB_ESCR0, NETBURST_ITLB_ESCR1,
	NETBURST_CRU_ESCR0, NETBURST_CRU_ESCR1, NETBURST_IQ_ESCR0, NETBURST_IQ_ESCR1,
	NETBURST_RAT_ESCR0, NETBURST_RAT_ESCR1, NETBURST_SSU_ESCR0, NETBURST_MS_ESCR0,
	NETBURST_MS_ESCR1, NETBURST_TBPU_ESCR0, NETBURST_TBPU_ESCR1, NETBURST_TC_ESCR0,
	NETBURST_TC_ESCR1, NETBURST_IX_ESCR0, NETBURST_IX_ESCR1, NETBURST_ALF_ESCR0,
	NETBURST_ALF_ESCR1, NETBURST_CRU_ESCR2, NETBURST_CRU_ESCR3, NETBURST_CRU_ESCR4,
	NETBURST_CRU_ESCR5
};

struct netburst_escr {
	const char *name;              /* "MSR_CRU_ESCR0" */
	uint32_t msr;
	unsigned select;               /* its number in CCCR_ESCR_SELECT */
	enum netburst_block block;
	uint32_t counters;             /* bit n: it reaches counter n */
	uint32_t models;               /* bit n: model n of family 0FH certainly has it */
	uint32_t unsure_models;        /* models on which the sources contradict each other */
	const char *without_event;     /* why none of the manual's events uses it; NULL: one does */
};

/* List the counters by RDPMC's index, and the ESCRs by address. */
extern const struct netburst_counter netburst_counters[NETBURST_COUNTERS];
extern const struct netburst_escr netburst_escrs[NETBURST_ESCRS];

const struct netburst_escr *netburst_escr_find(const char *name);      /* returns NULL if unknown */

/*
 * Returns the ESCR that a counter's CCCR selects by this number, 0 to 7, or NULL if there is none.
 */
const struct netburst_escr *netburst_escr_of(unsigned counter, unsigned select);

/* Returns true if this processor certainly has the ESCR. */
bool netburst_has_escr(const struct netburst_escr *e);

/*
 * Return, for this processor: whether CCCRs have bit 11; the thread of this logical processor;
 * whether there is a second thread.
 */
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
	NETBURST_COUNTS_FRONT_END,     /* counts micro-operations that were tagged so */
	NETBURST_COUNTS_EXECUTION,
	NETBURST_COUNTS_REPLAY,
	NETBURST_COUNTS_TAGGED         /* instr_retired, whose mask chooses tagged or not */
};

enum netburst_specificity { NETBURST_TS, NETBURST_TI, NETBURST_TS_OR_TI };

struct netburst_event {
	const char *name;              /* the manual's name: "branch_retired" */
	uint8_t select;                /* ESCR_EVENT_SELECT */
	const struct netburst_escr *escrs[NETBURST_ESCRS_PER_EVENT];   /* [1] is NULL if only one */
	uint8_t cccr_select;           /* as the manual prints it */
	const struct netburst_mask *masks;             /* name NULL ends them */
	uint16_t all;                  /* all bits that the manual's table names */
	enum netburst_tagging tagging;
	bool is_at_retirement;
	enum netburst_specificity specificity;
	uint32_t models;
	const char *unsure;            /* what the sources contradict each other about; else NULL */
	const char *description;       /* PMU_WORDS() */
};

extern const struct netburst_event netburst_events[NETBURST_EVENTS];

/* Finds an event by name, ignoring case. Returns NULL if the name is unknown. */
const struct netburst_event *netburst_event_find(const char *name);

/*
 * Returns the bits of masks by name, joined by '+', or all if masks is NULL. Returns false if the
 * event has no such mask.
 */
bool netburst_event_mask(const struct netburst_event *e, const char *masks, uint16_t *bits);

/* Returns true if this processor has the event. */
bool netburst_event_exists(const struct netburst_event *e);

/*
 * Returns the counters that can count the event on this processor, by the ESCRs' map: bit n is
 * counter n.
 */
uint32_t netburst_event_counters(const struct netburst_event *e);

/* Returns the event's ESCR that reaches this counter, or NULL. */
const struct netburst_escr *netburst_event_escr(const struct netburst_event *e, unsigned counter);

/* Returns the event that this value of the ESCR selects on this processor, or NULL. */
const struct netburst_event *netburst_event_of(const struct netburst_escr *escr, uint64_t value);

/* ---------------------------------------------------------------------------- at retirement */

/* Describes a row of the manual's tables of at-retirement metrics. */
struct netburst_metric {
	const char *name;              /* "1stL_cache_load_miss_retired" */
	const char *event, *masks;     /* the event that counts */
	const char *upstream, *upstream_masks;         /* what tags; NULL: MSRs alone do */
	const struct netburst_escr *upstream_escr;     /* the manual demands it; NULL: either */
	unsigned tag_value;            /* execution: in the upstream ESCR, with ESCR_TAG_ENABLE */
	uint32_t pebs_enable;          /* value that counts without PEBS */
	uint32_t pebs_matrix_vert;
	const char *unsure;            /* what the sources contradict each other about; else NULL */
};
extern const struct netburst_metric netburst_metrics[];
extern const unsigned netburst_metric_count;

/* Finds a metric by name, ignoring case. Returns NULL if the name is unknown. */
const struct netburst_metric *netburst_metric_find(const char *name);

/* ---------------------------------------------------------------------------- programming */

/*
 * Describes what one counter of a struct pmu_setup does (its field netburst): all bits of ESCR and
 * CCCR. The driver writes the ESCR, then the counter, then the CCCR without ENABLE, in the manual's
 * order. The window's writes set and clear ENABLE; they also clear OVF, as every write with bit 31
 * = 0 does.
 */
struct netburst_use {
	const struct netburst_escr *escr;      /* NULL: no ESCR is written */
	uint32_t escr_value;
	uint32_t cccr_value;           /* without ENABLE if the counter is cascaded */
	/*
	 * The window writes the ESCR instead; the CCCR is enabled before the window and stays so.
	 * Counters of one ESCR then start and stop with one write, exactly together, and OVF stays.
	 */
	bool is_by_escr;
};

/*
 * Returns a setup and fills its use. PMU_OS and PMU_USR count this logical processor, with PMU_ANY
 * the other one of its core, too; PMU_INT sets OVF_PMI of its thread. The caller sets other bits in
 * use afterwards. An impossible combination ends the test.
 */
struct pmu_setup netburst_setup(struct netburst_use *use, const struct netburst_event *e,
                                const char *masks, unsigned counter, unsigned flags);

/* Returns, for a thread, the bits of PMU_OS and PMU_USR in an ESCR and of PMU_INT in a CCCR. */
uint32_t netburst_qualifiers(unsigned thread, unsigned flags);
uint32_t netburst_ovf_pmi(unsigned thread);

/* Returns what a CCCR needs to count this ESCR: ENABLE, select, and ACTIVE_THREAD = any. */
uint32_t netburst_cccr(const struct netburst_escr *escr);

/*
 * Returns the bits of a CCCR that make a counter count cycles with `least` (1 to 16) events or
 * more, or with fewer if is_fewer is true.
 */
uint32_t netburst_compare(unsigned least, bool is_fewer);

/* Returns a setup that counts the core's clock on any counter, by threshold 15 with COMPLEMENT. */
struct pmu_setup netburst_clock_setup(struct netburst_use *use, unsigned counter);

/*
 * Writes MSR_PEBS_ENABLE and MSR_PEBS_MATRIX_VERT; must be called before pmu_program(). pmu_reset()
 * clears them.
 */
void netburst_set_replay(uint32_t pebs_enable, uint32_t matrix_vert);

/* ---------------------------------------------------------------------------- allocation */

struct netburst_request {
	const struct netburst_event *event;
	uint16_t mask;                 /* bits of the event's masks */
	const struct netburst_escr *escr;      /* the required ESCR; NULL: any of the event's */
	uint32_t counters;             /* the allowed counters; 0: any */
	unsigned flags;                /* PMU_OS, PMU_USR, PMU_INT */
	unsigned tag_value;            /* if not 0, sets ESCR_TAG_ENABLE and this value */
};

/*
 * Makes a request for an event and its masks by name, as netburst_event_mask() takes them. Returns
 * false if the event or a mask does not exist; problem, of size bytes, then says so.
 */
bool netburst_request(struct netburst_request *r, const char *event, const char *masks,
                      unsigned flags, char *problem, size_t size);

/*
 * Gives each request a counter and an ESCR, so that none is used twice; one ESCR serves several
 * counters if its whole value is the same. Returns false if that fails; problem, of size bytes,
 * then names the missing resource and its event.
 */
bool netburst_allocate(const struct netburst_request *requests, unsigned count,
                       struct pmu_setup *setups, struct netburst_use *uses,
                       char *problem, size_t size);

/*
 * Writes the requests of a metric, the counting one first, then the one that tags, and returns
 * their number, 1 or 2.
 */
unsigned netburst_metric_requests(const struct netburst_metric *m, unsigned flags,
                                  struct netburst_request requests[2]);

/* Makes the setup of a request on a counter that one of its event's ESCRs reaches. */
struct pmu_setup netburst_setup_request(struct netburst_use *use, const struct netburst_request *r,
                                        unsigned counter);

#endif
