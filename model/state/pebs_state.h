/* SPDX-License-Identifier: MIT */
/* The state of PEBS: which counters write records, and which record is due. See debug_store.h. */
#ifndef MODEL_STATE_PEBS_STATE_H
#define MODEL_STATE_PEBS_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct model_pebs {
	uint64_t enable;               /* IA32_PEBS_ENABLE; NetBurst's stands in struct netburst */
	uint64_t data_cfg;             /* MSR_PEBS_DATA_CFG */
	uint64_t due;                  /* bit per counter: this instruction is to be recorded */
	uint64_t ld_lat, frontend;     /* kept, without effect: no such event is modelled */
	/* Of the instruction under way, while something counts it (events_arch.h). */
	uint32_t loads, stores;
	bool has_both;                 /* one of them reads and writes */
	uint64_t address;              /* of the last data access, linear */
};

#endif
