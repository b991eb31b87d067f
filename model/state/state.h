/* SPDX-License-Identifier: MIT */
/*
 * The state of the model, which emulators do not see: what stands behind the handles of model.h.
 * The tags of caches and the like, whose size is the geometry's, follow their struct in its memory.
 */
#ifndef MODEL_STATE_STATE_H
#define MODEL_STATE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <model/model.h>
#include <model/state/branch_records_state.h>
#include <model/state/caches.h>
#include <model/state/event_rows.h>
#include <model/state/netburst_state.h>
#include <model/state/pebs_state.h>
#include <model/state/rules.h>

/* What all processors share that share memory. */
struct model_machine {
	struct model_machine_view view;
	uint32_t active;               /* processors that something counts */
	uint32_t recording;            /* ... that record branches */
	struct model *first, *last;    /* the processors, in the order of their creation */
	uint64_t storm_insn;           /* for pmi_storm_insns: when the last PMI was, and whose */
	const struct model *storm;
	struct cache_machine caches;
	uint64_t variation;            /* model_machine_vary(): of the next start; 0: none */
	bool keeps_caches;             /* model_machine_keep() */
};

/* What the logical processors of a package share. */
struct model_package {
	struct model_machine *machine;
	uint32_t active;
	struct cache_package caches;
};

/* What the logical processors of a core share. */
struct model_core {
	struct model_rules rules;
	struct model_package *package;
	struct model *thread[CACHE_THREADS];
	uint32_t threads;
	uint32_t active;
	struct cache_core caches;
	struct netburst netburst;
};

enum { RING_OS, RING_USR, RINGS };

struct model_counter {
	uint64_t value;                /* cut to mask */
	uint64_t limit;                /* beyond it something happens: usually mask */
	uint64_t mask;
	uint64_t preset;               /* what was written last */
	uint64_t upper;                /* bits above mask, for EXTEND_RAW */
	uint64_t before;               /* what gp_write_needs_run brings back */
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
	bool is_fixed;
	bool is_deaf, is_deferred, is_storming, is_due, has_overflowed;
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
	bool has_odd_counts, has_odd_rings;    /* by rules that no processor has */
	bool is_odd;                           /* one of these, or access_signal */
	bool has_accesses;                     /* loads or stores are counted, be they hits */
	bool has_durations;          /* P5, P6: such cycles are counted */
	bool has_memory;             /* loads, stores, and what became of them */
};

enum { MODEL_METRICS = 8 };

struct model {
	union {
		struct model_view view;
		struct {                       /* the same, for the model itself */
			uint64_t cycles;
			bool is_watched, is_active, records_branches, is_entering;
		};
	};
	const struct model_generation *generation;     /* its rules' */

	struct model_core *core;
	struct model_package *package;
	struct model *next;            /* of the machine's */
	struct model *other;           /* the core's other thread: may count what this does */
	struct model *listener;        /* that one, while it does */
	struct model_host host;

	/* Registers, by the names of SDM 4. */
	uint64_t perfevtsel[MODEL_GP_MAX];
	uint64_t last_select[MODEL_GP_MAX];    /* but for 0; for select_zero_goes_on */
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
	uint32_t accesses;                     /* of the instruction under way, for access_signal */
	uint32_t bus_phase;

	/* P5, P6. */
	uint32_t busy[MODEL_UNITS];            /* for so many cycles more */
	uint32_t conditions;                   /* CYCLE_: of all cycles, by EFLAGS.IF */
	uint32_t stall;                        /* CYCLE_: of the stall under way */
	uint64_t last_unit;                    /* MODEL_TRAIT_X87 or MMX, of the last such one */
	uint64_t store_begin, store_end;       /* linear addresses of the last store's bytes */
	uint32_t blocked_loads;                /* of the instruction under way */
	struct netburst_thread netburst;

	struct model_branches branches;        /* LBR, BTS */
	struct model_pebs pebs;

	/* Overflow and PMI. */
	uint32_t overflowed;                   /* counters, during one step */
	bool is_pmi_due, is_pmi_kept;
	bool is_halted;                        /* for pmi_needs_awake */
	bool is_pmi_late, is_pmi_followed;     /* for pmi_late_insns, pmi_follows_vector */
	uint64_t pmi_late_until;
	uint8_t pmi_vector;
	bool is_polling;                       /* a PMI may come without a new overflow */
	bool is_toggled, was_all_on;           /* needs_global_toggle */
	bool is_odd_rdpmc;
	uint64_t retired, pmi_deaf_until;      /* instructions, for pmi_min_insns */
	uint8_t late_cpl;                      /* for syscall_keeps_ring: plus 1, 0 for none */

	struct caches caches;
};

#define IN_VIEW(field) (offsetof(struct model_view, field) == offsetof(struct model, field))
_Static_assert(IN_VIEW(cycles) && IN_VIEW(is_watched) && IN_VIEW(is_active) &&
               IN_VIEW(records_branches) && IN_VIEW(is_entering), "the view has them by name");
#undef IN_VIEW

#endif
