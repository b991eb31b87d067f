/* SPDX-License-Identifier: MIT */
/* The state of branch records: LBR, and the entry under way. See branch_records.h. */
#ifndef MODEL_STATE_BRANCH_RECORDS_STATE_H
#define MODEL_STATE_BRANCH_RECORDS_STATE_H

#include <stdbool.h>
#include <stdint.h>

enum { MODEL_LBR_MAX = 32 };

/* from and to: addresses, without flags; info: as MSR_LBR_INFO_x. */
struct model_lbr_entry { uint64_t from, to, info; };

struct model_branches {
	bool is_lbr_on, is_bts_on;
	struct model_lbr_entry entry[MODEL_LBR_MAX];
	struct model_lbr_entry last;           /* recorded or filtered away, since LBR is on */
	struct model_lbr_entry exception;      /* the last exception record */
	uint32_t top;                  /* of the entries: where the newest one is */
	uint64_t select;               /* MSR_LBR_SELECT, or IA32_LBR_CTL */
	uint64_t depth;                /* IA32_LBR_DEPTH */
	uint64_t idle_insns;           /* retired while nothing counts: cycles, to LBR */
	uint64_t since;                /* when the newest entry was made, in cycles */
	uint32_t inserted;             /* entries, by the instruction under way */
	uint64_t entered_from, entered_base;   /* refpmu_enter() */
	uint8_t entered_cpl;
	bool entered_by_interrupt;
};

#endif
