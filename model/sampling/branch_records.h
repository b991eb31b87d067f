/* SPDX-License-Identifier: MIT */
/*
 * Branch records: LBR in all its forms, and BTS. Source: SDM 3B, "Debug, Branch Profile, TSC, and
 * Intel Resource Director Technology Features".
 */
#ifndef MODEL_SAMPLING_BRANCH_RECORDS_H
#define MODEL_SAMPLING_BRANCH_RECORDS_H

#include <arch/regs/lbr.h>
#include <model/core/msrs.h>

/* Sets m->records_branches, and updates is_watched; called after a change of a register that may
 * turn recording on or off. */
void model_branches_update(struct refpmu_cpu *m);

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

/* ----------------------------- branch_records.c, last_branch_records.c */

/* Counts m->branches.inserted more of LBR_INSERTS. */
void model_count_inserts(struct refpmu_cpu *m);

/* A taken branch, or an exception or interrupt. */
struct model_taken {
	struct refpmu_place from, to;
	uint8_t branch;                /* enum refpmu_branch; REFPMU_NO_BRANCH: another cause */
	bool is_mispredicted;
};

bool model_lbr_is_on(const struct refpmu_cpu *m);
void model_lbr_start(struct refpmu_cpu *m);
void model_lbr_record(struct refpmu_cpu *m, const struct model_taken *taken);
void model_lbr_reset(struct refpmu_cpu *m);

/* Sets the last exception record to the branch before this exception. */
void model_ler_record(struct refpmu_cpu *m);

/* Returns the current number of entries. */
static inline unsigned model_lbr_size(const struct refpmu_cpu *m)
{
	const struct model_rules *r = rules_of(m);

	return r->lbr.is_architectural ? (unsigned)m->branches.depth : r->lbr.depth;
}

#endif
