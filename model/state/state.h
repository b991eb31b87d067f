/* SPDX-License-Identifier: MIT */
/*
 * Describes the state that emulators do not see: the structs of the handles in refpmu.h. Tags
 * of caches and the like, whose size the geometry decides, follow their struct in its memory.
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

enum { MODEL_LBR_MAX = 32 };

/* from and to are addresses, without flags; info has the format of MSR_LBR_INFO_x. */
struct model_lbr_entry { uint64_t from, to, info; };

/* The entries of LBR, and the entry under way. */
struct model_branches {
	bool is_lbr_on, is_bts_on;
	struct model_lbr_entry entry[MODEL_LBR_MAX];
	struct model_lbr_entry last;           /* the last branch, even if filtered away */
	struct model_lbr_entry exception;      /* the last exception record */
	uint32_t top;                  /* index of the newest entry */
	uint64_t select;               /* MSR_LBR_SELECT, or IA32_LBR_CTL */
	uint64_t depth;                /* IA32_LBR_DEPTH */
	uint64_t idle_insns;           /* retired while nothing counts: LBR takes each as a cycle */
	uint64_t since;                /* time of the newest entry, in cycles */
	uint32_t inserted;             /* entries made by the instruction under way */
	uint64_t entered_from, entered_base;   /* from refpmu_enter() */
	uint8_t entered_cpl;
	/* AMD. entry has flags, too; last and exception are the two pairs. */
	uint64_t control;              /* DbgExtnCfg */
	bool is_filling, is_filled;    /* BRS: after an overflow; there is a branch */
	bool is_holding;               /* the overflow's PMI, until the buffer is full */
};

/* The counters that write records, and the records that are due. */
struct model_pebs {
	uint64_t enable;               /* IA32_PEBS_ENABLE; NetBurst's is in struct netburst */
	uint64_t data_cfg;             /* MSR_PEBS_DATA_CFG */
	uint64_t due;                  /* bit per counter: this instruction is to be recorded */
	uint64_t ld_lat, frontend;     /* kept, without effect: no such event is modelled */
	/* About the instruction under way, while a counter needs it (arch.h). */
	uint32_t loads, stores;
	uint32_t split_loads, split_stores;    /* those of them that span two lines */
	bool has_both;                 /* one access reads and writes */
	uint64_t address;              /* of the last data access, linear */
};

/* AMD's instruction-based sampling: its registers, counters, and the instruction under way. */
enum { MODEL_IBS_ACCESSES = 4 };
struct model_ibs_access {
	uint64_t linear, physical;
	uint32_t size;
	uint8_t kind;                  /* enum refpmu_access */
	bool is_cacheable;
};
struct model_ibs {
	bool is_on;                    /* one of the two is enabled */
	uint64_t fetch_ctl, fetch_linear, fetch_physical;      /* IbsFetchCtl without Cnt */
	uint64_t op_ctl, op_rip, op_data, op_data2, op_data3;  /* IbsOpCtl without CurCnt */
	uint64_t dc_linear, dc_physical, branch_target;
	uint32_t fetch_count, op_count;
	uint32_t noise;                /* the next random bits */
	uint64_t seen;                 /* the running clocks up to which op_count has advanced */
	bool is_due;                   /* an interrupt is */
	uint8_t accesses;              /* of the instruction under way; more are not noted */
	struct model_ibs_access access[MODEL_IBS_ACCESSES];
};

/* Holds the values that an SMI may have changed, until RSM. */
struct model_smm {
	bool is_active;                /* in system-management mode */
	uint64_t debugctl, global_ctrl, lbr_enable;
};

/* Holds the state that all processors of a machine share. */
struct refpmu_machine {
	struct refpmu_machine_view view;
	uint32_t active;               /* number of processors that something counts */
	uint32_t recording;            /* number of processors that record branches */
	struct refpmu_cpu *first, *last; /* the processors, in the order of their creation */
	struct cache_machine caches;
	uint64_t variation;            /* of refpmu_machine_perturb(), for the next start, or 0 */
	bool keeps_caches;             /* refpmu_machine_keep() */
};

enum { MODEL_SHARED_MAX = 16 };

/* AMD: counters that all cores of a package share. */
struct model_shared_counters {
	uint64_t ctl[MODEL_SHARED_MAX], ctr[MODEL_SHARED_MAX];
};

/* Holds the state that the logical processors of a package share. */
struct refpmu_package {
	struct refpmu_machine *machine;
	uint32_t signature;            /* cpuid_1_eax of its processors' rules */
	uint32_t active;
	struct model_shared_counters nb, l3;   /* AMD */
	bool counts;                   /* one of these runs */
	struct cache_package caches;
};

/* Holds the state that the logical processors of a core share. */
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
	uint64_t limit;                /* mask, or value while armed; more to do beyond it */
	uint64_t mask;
	uint8_t signal;
	uint8_t umask;
	const struct model_event *event;       /* P5, P6, AMD; NULL: none */
	uint8_t cmask;
	uint8_t rings;                 /* bit per ring; 0 while it does not run */
	uint8_t status_bit;            /* in IA32_PERF_GLOBAL_STATUS */
	bool is_inverted, is_edge, is_equal;
	bool was_asserted;             /* the previous level, to detect an edge */
	bool is_pmi;
	bool is_any;                   /* AnyThread */
	bool is_pebs;                  /* it records: an overflow only arms it */
	bool is_adaptive;              /* its records have more groups than the first one */
	bool is_armed;                 /* its next event is recorded */
	uint8_t most;                  /* AMD: events that it takes of a cycle; 0: all */
};

/* Running counters, sorted by the events that move them, per ring: a bit per counter. */
struct model_lists {
	uint32_t on_retire[RINGS][SIGNAL_FIRST_OF_CYCLE];      /* plain, by instructions */
	uint32_t on_cycle[RINGS];              /* plain, by cycles */
	uint32_t on_compare[RINGS];            /* CMASK or EDGE: by cycles */
};

struct model_plan {
	struct model_lists own;                /* counters of this processor for its own events */
	struct model_lists any;                /* counters of it for the other thread's events */
	bool has_own, has_any;                 /* the lists are not empty */
	bool has_metrics[RINGS];
	bool has_accesses;                     /* loads or stores are counted, hits included */
	bool has_durations;          /* P5, P6: cycles with a condition are counted */
	uint32_t rows;               /* arch: running counters that count by rows of events */
	bool has_memory;             /* loads and stores are counted, or where they hit or missed */
};

enum { MODEL_METRICS = 8 };

struct refpmu_cpu {
	union {
		struct refpmu_view view;
		struct {                       /* the same, writable, for the model itself */
			uint64_t cycles;
			bool is_watched, is_active, records_branches, is_entering;
		};
	};
	struct refpmu_run run;         /* what was gathered */
	uint64_t run_end;              /* the linear address where its bytes end */
	uint8_t run_cpl;
	bool is_gathering;             /* until the next call other than refpmu_retire() */
	bool was_fast;                 /* the last one besides branches retired as plain */
	bool gets_runs;                /* the emulator gathers */
	bool is_single;                /* the machine has no other processor */
	const struct model_generation *generation;     /* that of its rules */

	struct refpmu_core *core;
	struct refpmu_package *package;
	struct refpmu_cpu *next;       /* in the list of the machine */
	struct refpmu_cpu *other;      /* the core's other thread, which may count this */
	struct refpmu_cpu *sibling;    /* the same, while it counts them */
	struct refpmu_host host;

	/* Registers, by the names of SDM 4. */
	uint64_t perfevtsel[MODEL_GP_MAX];
	uint64_t fixed_ctr_ctrl, global_ctrl, global_status;
	uint64_t debugctl, misc_enable, ds_area;
	uint64_t perf_metrics;                 /* as written */
	uint64_t metric_slots[MODEL_METRICS];  /* by field, in parts of 255 of a slot */
	uint64_t metric_total;                 /* slots */

	struct model_counter counter[MODEL_COUNTERS];  /* general ones, then fixed ones */
	struct model_plan plan;

	/* The current cycle. */
	uint32_t now[SIGNALS];                 /* its events so far */
	uint8_t ring;
	bool is_open;                          /* something retired in it */
	uint32_t bus_phase;

	/* AMD. */
	uint64_t hwcr, ls_cfg;
	uint64_t clocks_of_0[2];               /* the running clocks at which MPERF, APERF were 0 */
	uint64_t halted_cycles;                /* those of cycles in which it was halted */
	bool is_svme;                          /* as refpmu_svme() said */
	struct model_ibs ibs;

	/* P5, P6, AMD. */
	uint32_t busy[MODEL_UNITS];            /* remaining cycles */
	uint32_t conditions;                   /* CYCLE_ bits of all cycles, by EFLAGS.IF */
	uint32_t stall;                        /* CYCLE_ bits of the stall under way */
	uint64_t last_unit;                    /* TRAIT_X87 or _MMX, of the last such one */
	uint64_t store_begin, store_end;       /* linear addresses of the last store's bytes */
	uint32_t blocked_loads;                /* of the instruction under way */
	struct netburst_thread netburst;

	struct model_branches branches;        /* LBR, BTS */
	struct model_pebs pebs;
	struct model_smm smm;
	bool is_guest;                         /* between a VM entry and a VM exit */
	uint64_t host_debugctl;                /* AMD: the host's, while a guest has its own */

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
