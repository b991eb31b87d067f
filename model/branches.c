/* SPDX-License-Identifier: MIT */
/* Branch records: who records, and what. */
#include <model/branches.h>

void model_branches_update(struct model *m)
{
	(void)m;
}

void model_record_branch(struct model *m, const struct model_insn *insn, bool is_mispredicted)
{
	(void)m, (void)insn, (void)is_mispredicted;
}

bool model_branches_get(const struct model *m, unsigned age, struct model_lbr_entry *entry)
{
	(void)m, (void)age, (void)entry;
	return false;
}

void model_enter(struct model *m, uint64_t from_ip, unsigned cpl)
{
	m->branches.entered_from = from_ip;
	m->branches.entered_cpl = (uint8_t)cpl;
	m->is_entering = true;
}

void model_entered(struct model *m, uint64_t to_ip, unsigned cpl)
{
	(void)to_ip, (void)cpl;
	m->is_entering = false;
}
