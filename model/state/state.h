/* SPDX-License-Identifier: MIT */
/*
 * The state of the model, which emulators do not see: what stands behind the handles of refpmu.h.
 * The tags of caches and the like, whose size is the geometry's, follow their struct in its memory.
 */
#ifndef MODEL_STATE_STATE_H
#define MODEL_STATE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <model/refpmu.h>
#include <model/state/caches.h>
#include <model/state/event_rows.h>
#include <model/state/netburst_state.h>
#include <model/state/rules.h>
#include <model/state/sampling_state.h>

/* What all processors share that share memory. */
struct refpmu_machine {
	struct refpmu_machine_view view;
	uint32_t active;               /* processors that something counts */
	uint32_t recording;            /* ... that record branches */
	struct refpmu_cpu *first, *last; /* the processors, in the order of their creation */
	struct cache_machine caches;
	uint64_t variation;            /* refpmu_machine_vary(): of the next start; 0: none */
	bool keeps_caches;             /* refpmu_machine_keep() */
};

/* What the logical processors of a package share. */
struct refpmu_package {
	struct refpmu_machine *machine;
	uint32_t active;
	struct cache_package caches;
};

/* What the logical processors of a core share. */
struct refpmu_core {
	struct model_rules rules;
	struct refpmu_package *package;
	struct refpmu_cpu *thread[CACHE_THREADS];
	uint32_t threads;
	uint32_t active;
	struct cache_core caches;
	struct netburst netburst;
};

enum { RING_OS, RING_USR, RINGS };

struct model_counter {
	uint64_t value;                /* cut to mask */
	uint64_t limit;                /* mask; value while armed: beyond it there is more to do */
	uint64_t mask;
	uint8_t signal;
	uint8_t umask;
	const struct model_event *event;       /* P5, P6; NULL: none */
	uint8_t cmask;
	uint8_t rings;                 /* bit per ring; 0 while it does not run */
	uint8_t status_bit;            /* in IA32_PERF_GLOBAL_STATUS */
	bool is_inverted, is_edge, is_equal;
	bool was_asserted;             /* the level before, for the edge */
	bool is_pmi;
	bool is_any;                   /* AnyThread */
	bool is_pebs;                  /* it records: an overflow arms it, and is nothing else */
	bool is_adaptive;              /* its records have more groups than the first one */
	bool is_armed;                 /* its next event is recorded */
};

/* Indices of counters that a kind of event moves. */
struct model_list {
	uint8_t count;
	uint8_t index[MODEL_COUNTERS];
};

/* Counters that run, sorted by what moves them, per ring. */
struct model_lists {
	struct model_list on_retire[RINGS][SIGNAL_FIRST_OF_CYCLE];     /* plain, by instructions */
	struct model_list on_cycle[RINGS];     /* plain, by cycles */
	struct model_list on_compare[RINGS];   /* CMASK or EDGE: by cycles */
};

struct model_plan {
	struct model_lists own;                /* what this processor does counts there */
	struct model_lists any;                /* what the core's other thread does */
	bool has_own, has_any;                 /* is something in them? */
	bool has_metrics[RINGS];
	bool has_accesses;                     /* loads or stores are counted, be they hits */
	bool has_durations;          /* P5, P6: such cycles are counted */
	bool has_memory;             /* loads, stores, and what became of them */
};

enum { MODEL_METRICS = 8 };

struct refpmu_cpu {
	union {
		struct refpmu_view view;
		struct {                       /* the same, for the model itself */
			uint64_t cycles;
			bool is_watched, is_active, records_branches, is_entering;
		};
	};
	struct refpmu_run run;         /* what was gathered */
	uint64_t run_end;              /* the linear address where its bytes end */
	uint8_t run_cpl;
	bool is_gathering;             /* until the next call that is not refpmu_retire() */
	bool was_plain;                /* so retired the last one, or all but branches since */
	bool is_told_runs;             /* the emulator gathers */
	bool is_single;                /* the machine has no other processor */
	const struct model_generation *generation;     /* its rules' */

	struct refpmu_core *core;
	struct refpmu_package *package;
	struct refpmu_cpu *next;       /* of the machine's */
	struct refpmu_cpu *other;      /* the core's other thread: may count what this does */
	struct refpmu_cpu *listener;   /* that one, while it does */
	struct refpmu_host host;

	/* Registers, by the names of SDM 4. */
	uint64_t perfevtsel[MODEL_GP_MAX];
	uint64_t fixed_ctr_ctrl, global_ctrl, global_status;
	uint64_t debugctl, misc_enable, ds_area;
	uint64_t perf_metrics;                 /* as written */
	uint64_t metric_slots[MODEL_METRICS];  /* since then, by field */
	uint64_t metric_total;

	struct model_counter counter[MODEL_COUNTERS];  /* general ones, then fixed ones */
	struct model_plan plan;

	/* The current cycle. */
	uint32_t now[SIGNALS];                 /* its events so far */
	uint8_t ring;
	bool is_open;                          /* something retired in it */
	uint32_t bus_phase;

	/* P5, P6. */
	uint32_t busy[MODEL_UNITS];            /* for so many cycles more */
	uint32_t conditions;                   /* CYCLE_: of all cycles, by EFLAGS.IF */
	uint32_t stall;                        /* CYCLE_: of the stall under way */
	uint64_t last_unit;                    /* REFPMU_TRAIT_X87 or MMX, of the last such one */
	uint64_t store_begin, store_end;       /* linear addresses of the last store's bytes */
	uint32_t blocked_loads;                /* of the instruction under way */
	struct netburst_thread netburst;

	struct model_branches branches;        /* LBR, BTS */
	struct model_pebs pebs;

	/* Overflow and PMI. */
	uint32_t overflowed;                   /* counters, during one step */
	bool is_pmi_due;
	bool is_polling;                       /* a PMI may come without a new overflow */

	struct caches caches;
};

#define IN_VIEW(field) (offsetof(struct refpmu_view, field) == offsetof(struct refpmu_cpu, field))
_Static_assert(IN_VIEW(cycles) && IN_VIEW(is_watched) && IN_VIEW(is_active) &&
               IN_VIEW(records_branches) && IN_VIEW(is_entering), "the view has them by name");
#undef IN_VIEW

#endif
