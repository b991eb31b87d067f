/* SPDX-License-Identifier: MIT */
/*
 * Branch records: LBR in all its forms, and BTS. Source: SDM 3B, "Debug, Branch Profile, TSC, and
 * Intel Resource Director Technology Features".
 */
#ifndef MODEL_SAMPLING_BRANCH_RECORDS_H
#define MODEL_SAMPLING_BRANCH_RECORDS_H

#include <arch/regs/lbr.h>
#include <model/core/msrs.h>

/* After a change of a register that may turn recording on or off: sets m->records_branches, and
 * who is watched follows. */
void model_branches_update(struct refpmu_cpu *m);

/* As after power-up, or what INIT does to them. */
void model_branches_reset(struct refpmu_cpu *m, enum refpmu_reset kind);

/* An instruction retired while m->records_branches. is_mispredicted: by the model's predictor. */
void model_branches_retire(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                           bool is_mispredicted);

/* Right after refpmu_enter(), if it was an exception. */
void model_branches_exception(struct refpmu_cpu *m, unsigned vector);

/* A PMI is requested, and DEBUGCTL says that it stops LBR. */
void model_branches_freeze(struct refpmu_cpu *m);

/* For a record of PEBS: the entry so many branches ago, 0 the newest; all 0 if there is none. */
struct model_lbr_entry model_branches_get(const struct refpmu_cpu *m, unsigned age);

/*
 * Their registers: IA32_DEBUGCTL (msr_debugctl.c); last branch records (msr_lbr.c), which are the
 * stacks since Core, architectural ones among them; P6's pair and the stack with both addresses in
 * one register; and the stacks of linear addresses (LIP).
 */
extern const struct model_msr_row model_msrs_debugctl[];
extern const struct model_msr_row model_msrs_lbr[], model_msrs_lbr_pair[], model_msrs_lbr_lip[];

/* ----------------------------- branch_records.c, last_branch_records.c */

/* m->branches.inserted more of LBR_INSERTS. */
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

/* What the last exception record is taken from is the branch before this exception. */
void model_ler_record(struct refpmu_cpu *m);

/* So many entries there are now. */
static inline unsigned model_lbr_size(const struct refpmu_cpu *m)
{
	const struct model_rules *r = rules_of(m);

	return r->lbr.is_architectural ? (unsigned)m->branches.depth : r->lbr.depth;
}

#endif
