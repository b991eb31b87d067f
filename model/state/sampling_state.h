/* SPDX-License-Identifier: MIT */
/* The state of branch records (branch_records.h), and of PEBS (debug_store.h). */
#ifndef MODEL_STATE_SAMPLING_STATE_H
#define MODEL_STATE_SAMPLING_STATE_H

#include <stdbool.h>
#include <stdint.h>

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
};

/* The counters that write records, and the records that are due. */
struct model_pebs {
	uint64_t enable;               /* IA32_PEBS_ENABLE; NetBurst's is in struct netburst */
	uint64_t data_cfg;             /* MSR_PEBS_DATA_CFG */
	uint64_t due;                  /* bit per counter: this instruction is to be recorded */
	uint64_t ld_lat, frontend;     /* kept, without effect: no such event is modelled */
	/* About the instruction under way, while a counter needs it (arch.h). */
	uint32_t loads, stores;
	bool has_both;                 /* one access reads and writes */
	uint64_t address;              /* of the last data access, linear */
};

#endif
