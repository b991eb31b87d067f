/* SPDX-License-Identifier: MIT */
/*
 * How one processor's PMU behaves, as data: the rest of the model interprets these fields and
 * knows no processor. A quirk (quirks.h) changes some of them.
 */
#ifndef MODEL_STATE_RULES_H
#define MODEL_STATE_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include <model/state/caches.h>
#include <model/state/rule_values.h>

#ifdef __cplusplus
extern "C" {
#endif

struct model_event;                    /* event_rows.h */
struct model_generation;               /* core/generation.h */

struct model_rules {
	const char *name;
	uint32_t cpuid_1_eax;          /* the chip's family and model, without type and stepping */

	/* What there is. */
	const struct model_generation *generation;
	uint8_t model;                 /* bit of event_rows.h or events_arch.h, NetBurst: 1 << it */
	const struct model_event *event_table;
	uint8_t version;
	uint8_t gp_count, gp_count_shared;     /* one thread per core, two of them */
	uint8_t gp_width, fixed_width;
	uint8_t fixed_map;
	bool has_global_control;
	bool has_full_width_writes;    /* the registers 4C1H + n themselves */
	bool has_perf_metrics;
	bool has_sub_metrics;          /* IA32_PERF_METRICS[63:32] */
	bool has_version_6_aliases;    /* 1900H and on */
	uint8_t alias_index_flip;      /* there, these bits of a general counter's number invert */
	uint32_t events;               /* architectural events that count, by their CPUID bit */
	uint8_t fixed_signal[MODEL_FIXED_MAX]; /* enum model_signal */

	/* What CPUID and the capability registers say. */
	bool has_pdcm;
	bool has_ds;                   /* CPUID.1:EDX[21]: IA32_DS_AREA */
	uint8_t linear_bits;           /* of an address: 32, or CPUID.80000008H:EAX[15:8] */
	uint32_t leaf_0a[4];           /* EAX[15:8] is put in when the core is created: */
	uint8_t leaf_0a_gp_count;      /* 0: gp_count */
	bool has_leaf_23;
	uint32_t leaf_23[4][4];        /* sub-leaf; EAX, EBX, ECX, EDX */
	uint64_t capabilities;         /* IA32_PERF_CAPABILITIES */
	uint64_t misc_enable;          /* IA32_MISC_ENABLE after RESET */
	uint64_t misc_enable_read_only;
	uint64_t misc_enable_flip;     /* these bits read inverted while a counter runs */

	/* Which bits exist; a write of another one is #GP. */
	uint64_t perfevtsel_bits;
	uint64_t fixed_nibble_bits;    /* of each implemented nibble of IA32_FIXED_CTR_CTRL */
	uint64_t global_ctrl_bits;     /* of IA32_PERF_GLOBAL_CTRL, beside the counters' */
	uint64_t status_clear_bits;    /* of IA32_PERF_GLOBAL_OVF_CTRL, beside the counters' */
	uint64_t status_set_bits;      /* of IA32_PERF_GLOBAL_STATUS_SET, beside the counters' */
	uint64_t debugctl_bits;
	uint64_t debugctl_permit_bits; /* with one of these set, no other bit is checked */
	uint32_t deaf_msr;             /* writes of this one are dropped, never #GP */

	uint32_t absent_msr, unreadable_msr;   /* this one is #GP; RDMSR of this one is */
	bool has_no_msrs;              /* all are #GP */
	uint32_t stuck_msr;            /* RDMSR of this one ... */
	uint64_t stuck_bits;           /* ... has these set */

	/* Reset. */
	bool init_clears_counters;
	bool init_clears_controls;     /* IA32_PERFEVTSELx, IA32_FIXED_CTR_CTRL, GLOBAL_CTRL */
	bool resets_gp_enables;        /* IA32_PERF_GLOBAL_CTRL: GP bits set */
	bool resets_fixed_enables;
	bool boot_lacks_enables;       /* GLOBAL_CTRL = 0 in the first processor */
	uint64_t reset_perfevtsel, reset_pmc;  /* of each one */

	/* Writing. */
	uint8_t legacy_sign_bit;       /* of a write to IA32_PMCx; 63: none, zero extended */
	bool legacy_keeps_upper;
	bool legacy_is_untruncated;    /* a negative preset overflows with every event */
	bool full_width_is_legacy;     /* 4C1H + n behaves as 0C1H + n */
	bool fixed_write_is_legacy;
	bool fixed_write_needs_stop;   /* dropped while the counter runs */
	bool gp_write_needs_run;       /* lost when the counter starts */
	bool running_write_is_deaf;    /* the overflow of the value written is not seen */
	bool zero_overflows;           /* a value of 0 written overflows with the next event */
	bool fault_stores;             /* the register changes although the write raised #GP */
	uint8_t preset_ignored_bits;   /* lowest bits of a negative preset that are taken as 0 */
	uint8_t perfevtsel_ignored_index;      /* bits of x, in IA32_PERFEVTSELx */
	bool select_clears_pmc;        /* a select with an event and EN = 0 clears IA32_PMCx */
	uint8_t pmc_ignored_index;     /* bits of x, in a write of IA32_PMCx */
	bool writes_reach_all;         /* a counter's of all processors is written */
	bool ds_area_takes_all;
	uint64_t status_set_drops;     /* bits that a write of IA32_PERF_GLOBAL_STATUS_SET clears */

	/* Reading. */
	uint8_t rdmsr_extension, rdpmc_extension;      /* enum model_extension */
	uint64_t read_clears;          /* bits of a counter that are read as 0 */
	bool has_rdpmc;                /* else #UD */
	uint64_t rdpmc_flip;           /* every second RDPMC returns these bits inverted */
	uint32_t rdpmc_index_mask;     /* what of ECX is looked at */
	uint8_t rdpmc_gp_limit;        /* indices below it read 0 where there is no counter */
	bool rdpmc_has_fast_read;      /* ECX[31] */
	bool rdpmc_needs_pce;          /* above CPL 0 */
	bool rdpmc_needs_cpl_0;
	bool rdpmc_needs_pce_at_cpl_0;
	bool rdpmc_user_swaps;         /* above CPL 0: counter n ^ 1 */
	bool rdpmc_uses_upper_rcx;
	bool rdpmc_keeps_upper_rax;
	bool rdmsr_keeps_upper_rdx;
	bool rdpmc_keeps_edx;

	/* Who counts. */
	bool needs_global_enable;
	bool adds_global_enable;       /* either enable is enough */
	bool needs_global_toggle;      /* dead until IA32_PERF_GLOBAL_CTRL was all ones, then 0 */
	uint8_t gp_running_max;
	bool select_zero_goes_on;      /* 0 in IA32_PERFEVTSELx stops no counter that runs */
	uint8_t global_ignored_index;  /* bits of x, in IA32_PERF_GLOBAL_CTRL[x] */
	uint64_t perfevtsel_forced, perfevtsel_ignored;        /* taken as 1, then as 0 */
	uint64_t perfevtsel_stops;     /* a counter stands still with one of these set */
	uint64_t fixed_nibble_stops;
	uint64_t status_freezes;       /* all counters do while one of these is set */
	uint64_t status_set_disables;  /* written to STATUS_SET, these clear GLOBAL_CTRL */
	uint64_t halt_disables;        /* bits of IA32_PERF_GLOBAL_CTRL that HLT clears */
	uint8_t usr_cpls;              /* bit per CPL that belongs to USR */
	uint8_t enable_0_gates;        /* P6: bit per counter that PerfEvtSel0.EN lets run */
	bool enable_1_is_needed;       /* counter 1 needs its own, too */
	bool no_ring_is_both;
	bool fixed_rings_are_swapped;
	bool ring_is_after;            /* an instruction belongs to the ring it leads to */
	bool syscall_keeps_ring;       /* the one after SYSCALL belongs to the ring before it */
	bool any_is_ignored;           /* AnyThread */
	bool any_is_always;
	bool any_skips_own;
	bool counts_are_echoed;        /* what one processor counts, the next one does too */

	/* What counts. */
	uint8_t signal_from, signal_to;        /* enum model_signal: what counts as what */
	uint8_t select_from, select_to;        /* P5, P6: this event counts that one, 0: none */
	uint8_t select_doubled;        /* counts twice */
	bool counts_anywhere;          /* events have no counters of their own */
	bool mesi_none_is_all;
	bool mesi_exclusive_is_shared; /* in the unit mask of L2 events */
	bool agent_is_ignored;         /* unit mask 20H of bus events */
	bool exceptions_are_interrupts;
	bool cesr_clocks_are_events;   /* CC[2] is not looked at */
	bool cesr_halves_are_one;      /* CC0 is counter 1's, too */
	bool cesr_stops_nothing;       /* CC = 0 counts everywhere */
	uint8_t access_signal;         /* each memory access counts as one of it, too */
	uint8_t entry_signal;          /* each exception and interrupt does */
	uint8_t ip_bits;               /* an instruction above has no count; 0: no limit */
	uint64_t insns_lost;           /* one in so many plus 1, a power of two, is not counted */
	uint32_t branches;             /* by enum model_branch */
	bool taken_branches_only;
	bool cpuid_is_branch;
	bool int_retires_twice;
	bool interrupt_retires;        /* a user instruction per interrupt */
	uint32_t halted_signals;       /* by enum model_signal: these move in HLT */
	bool cmask_is_above;           /* > where it is >= */
	bool has_cmask;

	/* Time. */
	uint8_t cycle_width;           /* instructions that can retire in a cycle: slots */
	uint8_t bus_ratio;             /* core cycles per count of Unhalted Reference Cycles */
	uint8_t metrics_whole;         /* what the fields of IA32_PERF_METRICS add up to */

	/* Overflow. */
	bool overflow_is_early;        /* on reaching the last value, not on the wrap */
	bool overflow_needs_zero;      /* seen only where the counter stands at 0 right then */
	bool overflow_is_twice;        /* once more with the next event */
	uint8_t overflow_overcount;    /* of fixed counters */
	uint16_t overflow_min_period;  /* a wrap so soon after a preset is not seen */
	bool status_needs_int;
	bool pmi_needs_int;
	uint64_t status_with_overflow; /* further bits set */
	uint64_t status_stuck;         /* bits always read as 1 */
	uint8_t status_fixed_shift;    /* 32 */
	uint8_t status_bit_flip;       /* these bits of a counter's status bit are inverted */
	uint8_t status_clear;          /* enum model_clear */
	bool status_clears_on_read;
	bool status_clear_zeroes_counter;
	bool status_clear_unfreezes;
	uint8_t freeze;                /* enum model_freeze: what DEBUGCTL[12] does */
	bool freezes_lbr_by_status;    /* DEBUGCTL[11] sets LBR_FRZ; else it clears DEBUGCTL.LBR */

	/* What puts a counter in use: IA32_PERF_GLOBAL_INUSE. */
	uint64_t inuse_perfevtsel_bits, inuse_nibble_bits;
	uint64_t inuse_global_bits;    /* of IA32_PERF_GLOBAL_CTRL: shown as they are */

	/* PMI. */
	bool pmi_is_raised;
	bool pmi_masks_lvtpc;
	bool pmi_masks_undelivered;    /* reserved delivery modes too */
	bool pmi_heeds_mask;
	bool pmi_is_kept_masked;       /* delivered once LVTPC is unmasked */
	bool pmi_is_level;             /* again while STATUS has bits set */
	bool pmi_repeats_at_zero;      /* again while an overflowed counter stands at 0 */
	bool nmi_has_vector;           /* delivers the vector field as a fixed interrupt */
	uint8_t pmi_min_insns;         /* a PMI so soon after the last one is lost */
	uint16_t pmi_storm_insns;      /* a PMI so soon after another processor's is lost */
	bool pmi_goes_to_first;        /* to the processor that was created first */
	uint8_t pmi_overcount;         /* added to user-only counters at a PMI */
	uint8_t pmi_late_insns;        /* instructions from the overflow to the PMI */
	bool pmi_needs_if;             /* a fixed one that meets IF = 0 is lost */
	bool pmi_needs_awake;          /* one of a halted processor waits until that goes on */
	bool pmi_follows_vector;       /* pending, again at the vector that LVTPC is masked with */

	/* NetBurst. Bits taken as 1, then as 0: what is kept and read back is not changed. */
	bool has_threads;              /* Hyper-Threading; put in when the core is created */
	bool has_extended_cascading;   /* bit 11 of CCCRs */
	uint32_t cccr_forced, cccr_ignored;
	uint32_t escr_forced, escr_ignored;
	uint32_t reset_cccr;           /* of each one */
	bool write_extends_sign;       /* of a counter: from bit 31 */
	bool write_carries;            /* ... next to a carry to its high half: that is 1 more */
	bool stop_loses_carry;         /* to bit 32, where that was not long ago */
	bool escr_writes_reach_even;   /* the ESCR1 of a unit writes its ESCR0, too */
	bool escrs_are_private;        /* a thread reads its own */
	uint8_t rdpmc_swap[2];         /* these two counters' indices are swapped */
	uint8_t select_swap[2];        /* these two values of CCCR_ESCR_SELECT are swapped */
	uint8_t reach_swap[2];         /* these two counters are each other to ESCRs */
	uint32_t reach_lost;           /* bit per counter: no ESCR reaches it */
	bool escr_feeds_odd;           /* ESCR0 counts where ESCR1 is to, as long as that is 0 */
	bool threads_are_swapped;      /* T0's bits of an ESCR are T1's */
	bool escr_rings_are_swapped;   /* OS and USR of an ESCR */
	bool threads_are_one;          /* bits of T0 and T1 are for both threads */
	uint8_t active_threads[4];     /* ACTIVE_THREAD: bit n: counts while n are active */
	bool halted_is_active;
	bool threshold_is_at_least;    /* >= where it is > */
	uint8_t threshold_bits;        /* of CCCR_THRESHOLD that are looked at */
	bool complement_is_inverted;
	bool compare_adds_input;       /* where it adds 1 */
	bool compare_needs_qualified;  /* a cycle of another thread or level is not compared */
	bool compare_is_implied;       /* by COMPLEMENT or THRESHOLD */
	bool edge_needs_no_compare;
	bool edge_is_both;             /* falling ones, too */
	uint8_t cascade_flip, extended_flip;   /* of the number of who starts: bits inverted */
	uint8_t cascade_more_to;       /* this counter is started by those, too */
	uint32_t cascade_more_from;
	bool cascade_is_early;         /* CASCADE counts without waiting */
	bool cascade_is_never;
	bool cascade_takes_same;       /* what overflowed who started it counts, too */
	bool cascade_needs_no_flag;
	bool cascade_stops_enabled;    /* with CASCADE ENABLE waits, too */
	bool cascade_keeps_going;      /* when OVF of who started it is cleared */
	bool cascade_has_no_pmi;
	bool cascade_pmi_is_source;    /* the PMI comes with the start */
	bool ovf_is_never, ovf_stays;  /* set; cleared by writing 0 */
	bool ovf_is_not_sticky;        /* the next count clears it */
	bool ovf_clears_on_read, ovf_clears_on_counter_read, ovf_clears_on_counter_write;
	bool ovf_clears_on_escr_write; /* of that which is selected */
	bool ovf_clears_with_pair;     /* when that of its pair's other counter is */
	uint8_t ovf_width;             /* bits of a counter of which a carry sets it */
	bool ovf_stops_counter;
	bool force_ovf_once;
	bool force_ovf_loads;          /* 0 into the counter */
	bool force_ovf_is_pmi;         /* without OVF_PMI, too */
	bool ovf_pmi_is_on_wrap;       /* not on the count after */
	bool ovf_pmi_is_pulse;         /* no second PMI while OVF stays 1 */
	uint8_t pmi_thread_flip;       /* bits of the thread's number that are inverted */
	bool pmi_is_for_thread_0;      /* OVF_PMI_T1 is OVF_PMI_T0 */
	bool pmi_is_for_all;
	bool pmi_is_for_counted;       /* the thread whose event it was */
	bool pmi_needs_active;         /* none for one that is halted */
	bool pmi_lines_drop_together;
	bool ds_area_is_shared;
	/* NetBurst's events and tags. */
	uint16_t odd_escr;             /* the event of this unit's first ESCR (its MSR) and ... */
	uint8_t odd_select;            /* ... this event select: the next three are about it */
	uint8_t mask_flip;             /* mask bit n is that of n with these bits inverted */
	uint8_t mask_also_shift;       /* mask bit n is bit n plus so many, too */
	uint64_t odd_traits;           /* these count, too */
	bool mask_is_late;             /* of all events: bit n + 1 is taken for bit n */
	bool insns_are_uops;           /* instr_retired adds micro-operations */
	uint32_t typed_branches_lost;  /* bit per enum model_branch: without a type */
	bool any_is_one_thread;        /* TI is TS */
	bool tags_count;               /* uop_type counts what it tags */
	bool front_end_tags_all;
	bool tagged_insns_are_untagged;
	bool escr_has_power;           /* upstream, with no counter of its own enabled */
	bool tag_enable_is_ignored, tag_value_is_ignored, tag_value_is_late;
	bool uop_tag_is_ignored, matrix_is_ignored, matrix_is_swapped;
	uint32_t replay_forced;        /* bits of MSR_PEBS_ENABLE taken as 1 */

	/* The debug store area and PEBS. */
	bool has_dtes64;               /* CPUID.1:ECX[2]: the area's 64-bit layout in every mode */
	bool bts_yields_to_pebs;       /* no BTS while a bit of IA32_PEBS_ENABLE is set */
	bool ds_reset_is_positive;     /* the reset value's sign is lost: +N, not -N */
	bool ds_passes_maximum;        /* of either buffer: the absolute maximum is not looked at */
	bool ds_partial_is_stored;     /* the absolute maximum is compared with the index alone */
	bool ds_threshold_is_passed;   /* > where it is >= */
	bool ds_threshold_is_late, ds_threshold_is_early, ds_index_stays;
	bool ds_ring_skips_base;       /* starts again a record above it */
	uint8_t ds_index_extra;        /* the index moves by so much more than a record's size */
	bool has_pebs;                 /* architectural processors: IA32_PEBS_ENABLE is there */
	uint8_t pebs_format;
	bool pebs_is_adaptive;         /* the baseline: MSR_PEBS_DATA_CFG, and groups in records */
	uint64_t pebs_counters;        /* that can record, as in IA32_PERF_GLOBAL_CTRL */
	uint64_t pebs_enable_bits;     /* beside the counters' */
	uint64_t pebs_data_cfg_bits;
	uint64_t pebs_ld_lat_bits, pebs_frontend_bits; /* 0: there is no such register */
	/* Rules that no processor has, but for pebs_takes_any_event below. */
	bool pebs_enables_all;         /* any bit of IA32_PEBS_ENABLE is all of them */
	bool pebs_ignores_cpl, pebs_is_early;  /* early: the overflow's own event is recorded */
	bool pebs_ip_is_eventing, pebs_eventing_ip_is_next;
	uint8_t pebs_ip_extra;
	uint16_t pebs_status_races;    /* empty so few instructions after a clear of status bits */
	uint64_t pebs_due_unseen;      /* bit per counter: not in the record's status */
	bool pebs_has_no_address, pebs_has_no_tsc;
	uint8_t pebs_field_swap[2];    /* one register is in the other's place: pebs_fields.c */
	uint8_t pebs_slot_ignored;     /* bits of x: counter x is reloaded from another slot */
	bool pebs_overflows_too;       /* a record is an overflow, as without PEBS */
	uint8_t pebs_status_bit;       /* 62; 0: the threshold sets none */
	bool pebs_interrupts_each, pebs_never_interrupts, pebs_never_freezes;
	bool pebs_is_basic, pebs_lbrs_are_reversed;    /* basic: the first group alone */
	uint8_t pebs_group_flip;       /* these bits of a group's place are inverted */
	uint8_t pebs_size_extra;       /* in the record's own size */

	/* NetBurst's PEBS. */
	uint8_t skid_from;             /* 0: PMIs of replay_event come at once, as all others do */
	uint8_t skid_weight[MODEL_SKIDS];      /* of so many instructions more; together 200 */
	/* What no processor should do. Others of the rules above are looked at here, too. */
	bool pebs_takes_any_event, pebs_needs_no_enable, pebs_needs_no_cccr, pebs_reloads_nothing;
	bool pebs_threads_are_swapped, pebs_is_late;   /* bits 25 and 26; by an instruction */
	uint8_t pebs_counter_flip;     /* 1: threads 0 and 1 record with each other's counter */
	bool pebs_area_is_first, pebs_pmi_is_first;    /* thread 0's, in place of thread 1's */
	bool pebs_swaps_matrix;        /* while PEBS is on, loads are tagged as stores */
	bool pebs_slot_is_next;        /* reset values are read behind where they are */
	uint64_t pebs_reset_lost;      /* bits of the reset value */
	uint8_t pebs_reset_extra;

	/* Branch records: LBR and BTS. */
	uint8_t lbr_depth;             /* 0: no LBR; architectural: the largest */
	uint8_t lbr_format;            /* enum lbr_format, in IA32_PERF_CAPABILITIES */
	bool lbr_is_architectural;
	bool lbr_has_offsets;          /* in the code segment, where others have linear addresses */
	uint16_t lbr_from, lbr_to, lbr_info;   /* the MSRs of entry 0; no lbr_to: both in one */
	uint16_t lbr_tos, ler_from;
	uint64_t lbr_select_bits;      /* of MSR_LBR_SELECT; 0: it is not there */
	uint32_t leaf_1c[4];
	bool ler_takes_int;            /* INT n is an interrupt to the last exception record */
	bool debugctl_drops;           /* other bits than debugctl_bits, where others are #GP */
	uint8_t bts_bit;               /* TR in DEBUGCTL; BTS, BTINT, OFF_OS, OFF_USR follow it */
	bool init_clears_bts;
	bool bts_has_predicted;        /* a flag in the record */
	/* What no processor should do. */
	uint64_t lbr_select_ignored;   /* bits of MSR_LBR_SELECT, IA32_LBR_CTL: not looked at */
	bool lbr_levels_are_swapped, lbr_is_swapped, lbr_is_always;
	uint64_t lbr_junk;             /* in every entry after RESET, and in TOS */
	uint64_t lbr_from_reserved;    /* bits of FROM that are #GP */
	bool lbr_freeze_is_ignored, lbr_freeze_moves_top;
	bool lbr_top_stays, lbr_top_is_behind, lbr_skips_first;
	uint8_t lbr_lost;              /* so many entries less */
	bool lbr_lacks_interrupts, lbr_lacks_exceptions, lbr_entry_is_handler;
	bool lbr_depth_keeps;          /* writing IA32_LBR_DEPTH clears nothing */
	bool lbr_entries_are_late;     /* entry 1 is the newest */
	bool lbr_returns_are_calls;    /* in call-stack mode */
	bool lbr_entries_are_reversed; /* entry 0 is the oldest */
	bool branches_need_not_be_taken, branch_from_is_next;
	uint32_t branches_lost;        /* bit per enum model_branch */
	bool bts_is_swapped, bts_has_no_pmi, bts_pmi_needs_no_int;
	bool bts_needs_no_tr, bts_needs_no_bts, bts_is_no_ring;
	bool bts_off_is_swapped, bts_off_is_ignored;

	struct cache_geometry caches;   /* put in when the core is created */
};

/*
 * The rules of the processor of which CPUID.1 says this, NULL if there are none. Their cpuid_1_eax
 * is the chip's own: a Pentium that claims to be one with MMX, but for the MMX bit, is none.
 */
const struct model_rules *model_rules_find(uint32_t cpuid_1_eax, uint32_t cpuid_1_edx);

/* The row number i, NULL after the last one. */
const struct model_rules *model_rules_at(unsigned i);

#ifdef __cplusplus
}
#endif
#endif
