/* SPDX-License-Identifier: MIT */
/* The state of branch records: LBR, and the branch under way for BTS. See model/branches.h. */
#ifndef MODEL_BRANCHES_STATE_H
#define MODEL_BRANCHES_STATE_H

#include <stdbool.h>
#include <stdint.h>

enum { MODEL_LBR_MAX = 32 };

struct model_lbr_entry { uint64_t from, to, info; };

struct model_branches {
	struct model_lbr_entry entry[MODEL_LBR_MAX];
	uint32_t top;                  /* TOS */
	uint64_t select;               /* MSR_LBR_SELECT, or IA32_LBR_CTL */
	uint64_t depth;                /* IA32_LBR_DEPTH */
	uint64_t entered_from;         /* model_enter() */
	uint8_t entered_cpl;
};

#endif
