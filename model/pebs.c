/* SPDX-License-Identifier: MIT */
/* PEBS: records of the instructions that caused an event. */
#include <model/netburst.h>
#include <model/pebs.h>

void model_pebs_write(struct model *m, const struct model_insn *insn)
{
	if (m->is_netburst) {
		netburst_pebs_write(m, insn);
		return;
	}
	m->pebs.due = 0;
}
