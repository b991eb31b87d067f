/* SPDX-License-Identifier: MIT */
/* From a PMI that is due to the emulator, and PMIs that come without a new overflow. */
#include <model/core/internal.h>

/* A PMI of another processor has just been: instructions of all of them tell the time. */
static bool is_in_storm(const struct model *m)
{
	struct model_machine *machine = m->package->machine;
	uint64_t now = 0;
	bool is_soon;

	for (const struct model *each = machine->first; each; each = each->next)
		now += each->retired;
	is_soon = machine->storm && machine->storm != m &&
	          now - machine->storm_insn < rules_of(m)->pmi_storm_insns;
	machine->storm = m;
	machine->storm_insn = now;
	return is_soon;
}

void model_start_polling(struct model *m)
{
	if (m->is_polling)
		return;
	m->is_polling = true;
	model_make_plan(m);
}

static void delay_pmi(struct model *m)
{
	m->is_pmi_late = true;
	m->pmi_late_until = m->retired + rules_of(m)->pmi_late_insns;
	model_start_polling(m);
}

/* Each processor has its own local APIC, and asks that for the PMI. */
static void raise_pmi(struct model *m)
{
	const struct model_rules *r = rules_of(m);
	struct model *to = r->pmi_goes_to_first ? m->package->machine->first : m;

	if (r->pmi_needs_awake && to->is_halted)
		return;                        /* it stays due */
	m->is_pmi_due = false;
	if (!r->pmi_is_raised || m->retired < m->pmi_deaf_until)
		return;
	if (r->pmi_late_insns) {
		delay_pmi(m);
		return;
	}
	if (r->pmi_storm_insns && is_in_storm(m))
		return;
	m->pmi_deaf_until = m->retired + r->pmi_min_insns;
	to->host.raise_pmi(to->host.context);
}

void model_flush_pmi(struct model *m)
{
	if (m->is_pmi_due)
		raise_pmi(m);
	if (m->other && m->other->is_pmi_due)
		raise_pmi(m->other);
}

static bool stands_at_zero(const struct model *m)
{
	for (unsigned i = 0; i < MODEL_COUNTERS; i++)
		if (m->counter[i].has_overflowed && m->counter[i].is_pmi &&
		    m->counter[i].value == 0)
			return true;
	return false;
}

void model_poll(struct model *m)
{
	const struct model_rules *r = rules_of(m);

	if (m->generation->has_line && m->generation->has_line(m)) {
		raise_pmi(m);          /* in place of one that is due, too */
	} else if (m->is_pmi_late) {
		if (m->retired < m->pmi_late_until)
			return;
		m->is_pmi_late = false;
		m->host.raise_pmi(m->host.context);
	} else if (m->is_pmi_kept || m->is_pmi_followed || (r->pmi_is_level && m->global_status) ||
	    (r->pmi_repeats_at_zero && stands_at_zero(m))) {
		m->host.raise_pmi(m->host.context);
	} else {
		m->is_polling = false;
		model_make_plan(m);
	}
}
