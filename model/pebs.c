/* SPDX-License-Identifier: MIT */
/* PEBS: records of the instructions that caused an event. */
#include <model/pebs.h>

void model_pebs_write(struct model *m, const struct model_insn *insn)
{
	(void)insn;
	m->pebs.due = 0;
}
