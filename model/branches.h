/* SPDX-License-Identifier: MIT */
/*
 * Branch records: LBR in all its forms, and BTS. Source: SDM 3B, "Debug, Branch Profile, TSC, and
 * Intel Resource Director Technology Features".
 */
#ifndef MODEL_BRANCHES_H
#define MODEL_BRANCHES_H

#include <model/internal.h>

/* After a change of a register that may turn recording on or off: sets m->records_branches, and
 * who is watched follows. */
void model_branches_update(struct model *m);

/* A taken branch retired while m->records_branches. is_mispredicted: by the model's predictor. */
void model_record_branch(struct model *m, const struct model_insn *insn, bool is_mispredicted);

/* For a record of PEBS: the entry so many branches ago, 0 the newest; false: there is none. */
bool model_branches_get(const struct model *m, unsigned age, struct model_lbr_entry *entry);

#endif
