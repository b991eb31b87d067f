/* SPDX-License-Identifier: MIT */
/*
 * Branch records, LBR in all its forms and BTS; the debug store area; and PEBS. Sources: SDM 3B,
 * "Debug, Branch Profile, TSC, and Intel Resource Director Technology Features"; "BTS and DS Save
 * Area", "Processor Event Based Sampling (PEBS)" by microarchitecture. Layouts: pebs_fields.c.
 */
#ifndef MODEL_SAMPLING_RECORDS_H
#define MODEL_SAMPLING_RECORDS_H

#include <arch/regs/lbr.h>
#include <model/core/msrs.h>

/* Sets m->records_branches, and updates is_watched; called after a change of a register that may
 * turn recording on or off. */
void model_branches_update(struct refpmu_cpu *m);

/*
 * Called before and after a switch to or from system-management mode or a guest. The first ends the
 * open cycle, so that what retired before belongs to the mode that it ran in; the second follows
 * the registers that the switch has changed.
 */
void model_before_switch(struct refpmu_cpu *m);
void model_after_switch(struct refpmu_cpu *m);

/* Resets the branch records, to the state after power-up or by what INIT does to them. */
void model_branches_reset(struct refpmu_cpu *m, enum refpmu_reset kind);

/* Records an instruction that retired while m->records_branches. is_mispredicted is the model's. */
void model_branches_retire(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                           bool is_mispredicted);

/* Records an exception, right after refpmu_enter(). */
void model_branches_exception(struct refpmu_cpu *m, unsigned vector);

/* Stops LBR if DEBUGCTL says so; called when a PMI is requested. */
void model_branches_freeze(struct refpmu_cpu *m);

/* Returns the entry made this many branches ago (0: the newest) for a PEBS record; 0 if absent. */
struct model_lbr_entry model_branches_get(const struct refpmu_cpu *m, unsigned age);

/*
 * The registers of branch records: IA32_DEBUGCTL (msr_debugctl.c); and last branch records
 * (msr_lbr.c), in tables for the stacks since Core, architectural ones among them; for P6's pair
 * and the stack with both addresses in one register; and for the stacks of linear addresses (LIP).
 */
extern const struct model_msr_row model_msrs_debugctl[];
extern const struct model_msr_row model_msrs_lbr[], model_msrs_lbr_pair[], model_msrs_lbr_lip[];

/* Counts m->branches.inserted more of LBR_INSERTS. */
void model_count_inserts(struct refpmu_cpu *m);

/* Returns the current number of entries. */
static inline unsigned model_lbr_size(const struct refpmu_cpu *m)
{
	const struct model_rules *r = rules_of(m);

	return r->lbr.is_architectural ? (unsigned)m->branches.depth : r->lbr.depth;
}

/* A taken branch, or an exception or interrupt. */
struct model_taken {
	struct refpmu_place from, to;
	uint8_t branch;                /* enum refpmu_branch; REFPMU_NO_BRANCH: another cause */
	bool is_mispredicted;
};

/* Returns whether the filter of last branches lets it pass. */
bool model_branch_passes(const struct refpmu_cpu *m, const struct model_taken *taken);

/* ----------------------------- debug_store.c, pebs_fields.c */

/* Registers (msr_debugctl.c): IA32_DS_AREA; IA32_MISC_ENABLE and architectural PEBS' own ones. */
extern const struct model_msr_row model_msrs_debug_store[], model_msrs_pebs[];
MSR_READ(misc_enable);      MSR_WRITE(misc_enable);

enum model_ds_buffer { MODEL_DS_BTS, MODEL_DS_PEBS };

/* Lists the results of storing a record. */
enum model_ds_result {
	MODEL_DS_STORED,
	MODEL_DS_THRESHOLD,            /* stored, and the index is at the threshold, or above */
	MODEL_DS_FULL,                 /* not stored: it would pass the absolute maximum */
	MODEL_DS_FAULT                 /* not stored, or only in part: memory faulted */
};

/* Appends a record of size bytes to a buffer. With is_ring a full buffer starts again at its base
 * instead of dropping the record. */
enum model_ds_result model_ds_append(struct refpmu_cpu *m, enum model_ds_buffer buffer,
                                     const void *record, unsigned size, bool is_ring);

/* Returns the size of an address in the area in bytes, 4 or 8, by DTES64 and the mode. */
unsigned model_ds_width(const struct refpmu_cpu *m);

/* Cuts a record's fields to that size, in place; returns the record's size in bytes. */
unsigned model_ds_pack(const struct refpmu_cpu *m, uint64_t *fields, unsigned count);

/* Reads the reset value of a counter, number slot in the area; returns false if memory faulted. */
bool model_ds_reset_value(struct refpmu_cpu *m, unsigned slot, uint64_t *value);

/* Holds the contents of a PEBS record. */
struct model_pebs_sample {
	struct refpmu_registers registers;
	uint64_t ip, eventing_ip;
	uint64_t status, applicable;   /* IA32_PERF_GLOBAL_STATUS as recorded; its counters' bits */
	uint64_t address;              /* of the data */
	uint64_t groups;               /* adaptive: as MSR_PEBS_DATA_CFG; 0: only the first group */
};

/* Limits a record: the largest one has 256 entries of LBR, and all other groups. */
enum { MODEL_PEBS_WORDS_MAX = 4 + 4 + 18 + 32 + 3 * 256 + 2 + MODEL_COUNTERS + 2 };

/* Builds the record by the processor's format; returns its size in bytes (pebs_fields.c). */
unsigned model_pebs_record(struct refpmu_cpu *m, const struct model_pebs_sample *s,
                           uint64_t *record);

#endif
