/* SPDX-License-Identifier: MIT */
/* From a wrap to a PMI that is due, and on to the emulator; PMIs without a new overflow.
 * Source: SDM 3B, "Architectural Performance Monitoring Version 2". */
#include <model/core/internal.h>

void model_settle(struct refpmu_cpu *m)
{
	bool is_pmi = false;

	FOR_EACH_BIT(i, m->overflowed) {
		const struct model_counter *c = &m->counter[i];

		m->global_status |= BIT(c->status_bit);
		is_pmi |= c->is_pmi;
	}
	m->overflowed = 0;
	if (is_pmi)
		model_request_pmi(m, 0);
}

void model_request_pmi(struct refpmu_cpu *m, uint64_t status)
{
	if (rules_of(m)->registers.has_global_control)
		m->global_status |= status;
	m->is_pmi_due = true;
	if (m->generation->freeze)
		m->generation->freeze(m);
}

/* Raises the PMI at the processor's own local APIC. */
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
		raise_pmi(m);          /* replaces one that is due */
	} else {
		m->is_polling = false;
		model_make_plan(m);
	}
}
