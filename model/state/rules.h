/* SPDX-License-Identifier: MIT */
/* The behaviour of one processor's PMU as data: the rest of the model interprets these fields and
 * knows no processor. */
#ifndef MODEL_STATE_RULES_H
#define MODEL_STATE_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include <model/refpmu.h>
#include <model/state/caches.h>

/* Signals to count. Those up to EVENT_9 move with instructions, the others with cycles. */
enum model_signal {
	SIGNAL_NONE,
	SIGNAL_INSTRUCTIONS, SIGNAL_BRANCHES, SIGNAL_BRANCH_MISSES,
	SIGNAL_CONDITIONAL, SIGNAL_TAKEN, SIGNAL_CALLS, SIGNAL_RETURNS, SIGNAL_NEAR_TAKEN,
	SIGNAL_FAR, SIGNAL_NOT_TAKEN,  /* kinds of branches */
	SIGNAL_LLC_REFERENCES, SIGNAL_LLC_MISSES, SIGNAL_LBR_INSERTS,
	/* Retired loads and stores; loads that missed L1D, by line, too; hit or missed L2. */
	SIGNAL_LOADS, SIGNAL_STORES, SIGNAL_L1D_MISSES, SIGNAL_L1D_LINES,
	SIGNAL_L2_HITS, SIGNAL_L2_MISSES,
	/* The event of counter 0 by its row (event_rows.h), then those of the other counters. */
	SIGNAL_EVENT_0, SIGNAL_EVENT_9 = SIGNAL_EVENT_0 + 9,
	SIGNAL_CYCLES, SIGNAL_TSC_CYCLES, SIGNAL_BUS_CYCLES, SIGNAL_SLOTS,
	SIGNAL_RETIRING, SIGNAL_FRONTEND, SIGNAL_BAD_SPECULATION, SIGNAL_BACKEND,
	SIGNAL_DURATION_2, SIGNAL_DURATION_3, SIGNAL_DURATION_4, SIGNAL_DURATION_5,
	SIGNALS,                       /* the number of signals */
	/* P5, P6 and AMD: the cycles of counter 0 by its row, then those of the other counters, in
	 * place of signals that these processors do not have. */
	SIGNAL_DURATION_0 = SIGNAL_BAD_SPECULATION
};
/* Those from here on are counted at each cycle; comparisons with it stay right if one is added. */
#define SIGNAL_FIRST_OF_CYCLE SIGNAL_CYCLES

/* Counters that count by rows of events (event_rows.h), and those of them that count cycles so. */
enum { MODEL_ROWS_MAX = 10, MODEL_DURATIONS_MAX = 6 };
enum { MODEL_GP_MAX = 16, MODEL_FIXED_MAX = 8, MODEL_COUNTERS = MODEL_GP_MAX + MODEL_FIXED_MAX };

struct model_generation;               /* core/generation.h */

/* Describes the counters, the levels that they count, and their clocks. */
struct model_counter_rules {
	uint8_t gp_count, gp_count_shared;     /* with one thread per core, with two */
	uint8_t gp_width, fixed_width;
	uint8_t fixed_map;
	bool has_perf_metrics;
	bool has_sub_metrics;          /* IA32_PERF_METRICS[63:32] */
	uint8_t usr_cpls;              /* bit per CPL that belongs to USR */
	bool iret_counts_after;        /* at the CPL that it returns to */
	uint8_t cycle_width;           /* slots: instructions that can retire in a cycle */
	uint8_t bus_ratio;             /* core cycles per count of Unhalted Reference Cycles */
};

/* Describes the registers and instructions that exist, and CPUID's report of them. */
struct model_register_rules {
	uint8_t version;
	bool has_global_control;
	bool has_full_width_writes;    /* the registers 4C1H + n exist */
	bool has_rdpmc;                /* else #UD */
	bool rdpmc_has_fast_read;      /* by ECX[31] */

	/* CPUID and the capability registers. */
	uint8_t linear_bits;           /* of an address: 32, or CPUID.80000008H:EAX[15:8] */
	uint32_t leaf_0a[4];           /* creation of the core fills EAX[15:8] in: */
	uint8_t leaf_0a_gp_count;      /* 0: gp_count */
	uint32_t leaf_1a;              /* EAX: the core's type and native model; 0: not a hybrid */
	bool has_leaf_23;
	uint32_t leaf_23[4][4];        /* sub-leaf; EAX, EBX, ECX, EDX */
	uint64_t capabilities;         /* IA32_PERF_CAPABILITIES; creation fills LBR_FMT in */
	uint64_t misc_enable;          /* IA32_MISC_ENABLE after RESET */
	uint64_t misc_enable_read_only;

	/* Bits that exist; a write of another bit is #GP. */
	uint64_t perfevtsel_bits;
	uint64_t fixed_nibble_bits;    /* of each implemented nibble of IA32_FIXED_CTR_CTRL */
	uint64_t status_bits;          /* of _GLOBAL_OVF_CTRL and _SET besides the counters' */
	uint64_t debugctl_bits;
	bool debugctl_drops;           /* drops bits outside debugctl_bits instead of raising #GP */
};

/* Describes the events that can be counted. */
struct model_event_rules {
	uint16_t model;                /* a bit of the generation, NetBurst: 1 << it */
	uint32_t architectural;        /* architectural events that count, by their CPUID bit */
	uint8_t entry_signal;          /* enum model_signal of each exception and interrupt */
};

/* Describes the effects of an overflow, and its PMI. */
struct model_overflow_rules {
	bool pmi_masks_lvtpc;
	/* DEBUGCTL[12] sets CTR_FRZ, DEBUGCTL[11] LBR_FRZ; without it these bits clear
	 * IA32_PERF_GLOBAL_CTRL and DEBUGCTL.LBR. */
	bool freezes_by_status;
};

/* Describes the debug store area: BTS and PEBS. */
struct model_ds_rules {
	bool has_dtes64;               /* CPUID.1:ECX[2]: the area's 64-bit layout in every mode */
	uint8_t bts_bit;               /* TR in DEBUGCTL; BTS, BTINT, OFF_OS, OFF_USR follow it */
	bool bts_has_predicted;        /* the record has a flag for it */
	bool init_clears_bts;
	uint8_t pebs_format;
	bool pebs_is_adaptive;         /* the baseline: MSR_PEBS_DATA_CFG, and groups in records */
	uint64_t pebs_counters;        /* that record, as in IA32_PERF_GLOBAL_CTRL; 0: no PEBS */
	uint64_t pebs_enable_bits;     /* besides the counters' */
	uint64_t pebs_data_cfg_bits;
	uint64_t pebs_ld_lat_bits, pebs_frontend_bits; /* 0: there is no such register */
};

/* Describes branch records, and the last exception record (LER). */
struct model_lbr_rules {
	uint8_t depth;                 /* 0: no LBR; architectural LBR: the largest depth */
	uint8_t format;                /* enum lbr_format, in IA32_PERF_CAPABILITIES */
	bool is_architectural;
	bool has_offsets;              /* addresses are offsets in the code segment, not linear */
	uint16_t from, to, info;       /* MSRs of entry 0; no `to`: `from` holds both */
	uint16_t tos, ler_from;
	uint64_t select_bits;          /* of MSR_LBR_SELECT; 0: it is not there */
	uint32_t leaf_1c[4];
	bool ler_takes_int;            /* INT n updates the last exception record */
};

/* Holds the rules of NetBurst. */
struct model_netburst_rules {
	bool has_threads;              /* Hyper-Threading; set when the core is created */
	bool has_extended_cascading;   /* bit 11 of CCCRs */
	bool cascade_has_no_pmi;       /* a counter that a cascade started raises no PMI */
};

/* Describes AMD's instruction-based sampling: what CPUID says, and the bits that take a write. */
struct model_ibs_rules {
	uint32_t caps;                 /* CPUID.8000001BH:EAX; without FFV there is no such leaf */
	uint32_t control;              /* IbsControl */
	uint64_t fetch_ctl, fetch_linear, fetch_physical;
	uint64_t op_ctl, op_data, op_data2, op_data3, dc_linear, dc_physical;
	uint64_t op_data3_fields;      /* those that a sample fills in */
	bool loads_on_rise;            /* the fetch counter, only when En goes from 0 to 1 */
};

/* Holds the rules of AMD's processors. */
struct model_amd_rules {
	const struct model_ibs_rules *ibs;     /* NULL: there is none */
	enum { AMD_PAIR, AMD_BRS, AMD_STACK } branch_stack;    /* besides the pair of DebugCtl */
	uint64_t ctl2_bits;            /* of PERF_CTL2, besides those of every PERF_CTL */
	bool merges;                   /* event FFFH of an odd counter extends the even one */
	uint8_t nb_count, l3_count;    /* counters of northbridge or data fabric; of L2I or L3 */
	uint64_t nb_bits, l3_bits;     /* of their PERF_CTL */
	uint8_t l3_width;
	bool has_irperf;
	bool has_mperf;                /* and APERF, and a copy of both */
	bool has_spec_lock_map;        /* LS_CFG stops the event of its commits */
	bool has_prec_ret;             /* CPUID.80000021H:EAX[12] */
};

/* Marks cpuid_1_eax of AMD's rows, in a bit that CPUID reserves. */
#define MODEL_AMD UINT32_C(0x80000000)

enum { MODEL_ALSO = 8 };

struct model_rules {
	const char *name;
	uint32_t cpuid_1_eax;          /* the chip's family and model, without type and stepping */
	uint32_t also[MODEL_ALSO];     /* others with the same cores, by Linux; then 0 */
	const struct model_generation *generation;

	struct model_counter_rules counters;
	struct model_register_rules registers;
	struct model_event_rules events;
	struct model_overflow_rules overflow;
	struct model_ds_rules ds;
	struct model_lbr_rules lbr;
	struct model_netburst_rules netburst;
	struct model_amd_rules amd;

	struct cache_geometry caches;
};

/*
 * Returns the rules of this processor, or NULL if there are none. Their cpuid_1_eax is the chip's
 * own: a Pentium MMX that lacks the MMX bit is one without MMX.
 */
const struct model_rules *model_rules_find(struct refpmu_identity identity);

/* Returns row number i, or NULL after the last one. */
const struct model_rules *model_rules_at(unsigned i);

#endif
