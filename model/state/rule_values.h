/* SPDX-License-Identifier: MIT */
/* What the fields of a processor's rules can be: signals, ways to do things. */
#ifndef MODEL_STATE_RULE_VALUES_H
#define MODEL_STATE_RULE_VALUES_H

/* What a counter can count. Up to L2_MISSES a signal moves with instructions, then by cycles. */
enum model_signal {
	SIGNAL_NONE,
	SIGNAL_INSTRUCTIONS, SIGNAL_BRANCHES, SIGNAL_BRANCH_MISSES,
	SIGNAL_CONDITIONAL, SIGNAL_TAKEN, SIGNAL_NOT_TAKEN,    /* of the branches */
	SIGNAL_LLC_REFERENCES, SIGNAL_LLC_MISSES, SIGNAL_LBR_INSERTS,
	/* Retired: loads, stores; loads that L1D did not have, lines; where L2 has them, or not. */
	SIGNAL_LOADS, SIGNAL_STORES, SIGNAL_L1D_MISSES, SIGNAL_L1D_LINES,
	SIGNAL_L2_HITS, SIGNAL_L2_MISSES,
	SIGNAL_CYCLES, SIGNAL_TSC_CYCLES, SIGNAL_BUS_CYCLES, SIGNAL_SLOTS,
	SIGNAL_RETIRING, SIGNAL_FRONTEND, SIGNAL_BAD_SPECULATION, SIGNAL_BACKEND,
	SIGNALS,                       /* how many there are */
	/* P5 and P6: whatever the event of counter 0 or 1 is (event_rows.h), in place of signals
	 * that they do not have. */
	SIGNAL_EVENT_0 = SIGNAL_LLC_REFERENCES, SIGNAL_EVENT_1 = SIGNAL_LLC_MISSES,
	SIGNAL_DURATION_0 = SIGNAL_BAD_SPECULATION, SIGNAL_DURATION_1 = SIGNAL_BACKEND
};
#define SIGNAL_FIRST_OF_CYCLE SIGNAL_CYCLES

enum { MODEL_GP_MAX = 16, MODEL_FIXED_MAX = 8, MODEL_COUNTERS = MODEL_GP_MAX + MODEL_FIXED_MAX };


#endif
