/* SPDX-License-Identifier: MIT */
/* From a PMI that is due to the emulator, and PMIs that come without a new overflow. */
#include <model/core/internal.h>

/* Each processor has its own local APIC, and asks that for the PMI. */
static void raise_pmi(struct refpmu_cpu *m)
{
	m->is_pmi_due = false;
	m->host.raise_pmi(m->host.context);
}

void model_flush_pmi(struct refpmu_cpu *m)
{
	if (m->is_pmi_due)
		raise_pmi(m);
	if (m->other && m->other->is_pmi_due)
		raise_pmi(m->other);
}

void model_poll(struct refpmu_cpu *m)
{
	if (m->generation->has_line && m->generation->has_line(m)) {
		raise_pmi(m);          /* in place of one that is due, too */
	} else {
		m->is_polling = false;
		model_make_plan(m);
	}
}
