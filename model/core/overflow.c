/* SPDX-License-Identifier: MIT */
/* From a wrap to a PMI that is due. Source: SDM 3B, "Architectural Performance Monitoring Version
 * 2". */
#include <model/core/internal.h>

static void freeze(struct model *m, uint64_t overflowed_bits)
{
	if (m->generation->freeze)
		m->generation->freeze(m, overflowed_bits);
}

void model_settle(struct model *m)
{
	const struct model_rules *r = rules_of(m);
	uint64_t overflowed_bits = 0;
	bool is_pmi = false;

	for (unsigned i = 0; m->overflowed; i++) {
		struct model_counter *c = &m->counter[i];

		if (!(m->overflowed & BIT32(i)))
			continue;
		m->overflowed &= ~BIT32(i);
		c->has_overflowed = true;
		overflowed_bits |= BIT(c->status_bit);
		if (c->is_pmi || !r->status_needs_int)
			m->global_status |= BIT(c->status_bit) | r->status_with_overflow;
		is_pmi |= c->is_pmi || !r->pmi_needs_int;
	}
	if (!is_pmi)
		return;
	m->is_pmi_due = true;
	m->is_polling |= r->pmi_is_level || r->pmi_repeats_at_zero;
	freeze(m, overflowed_bits);
}

void model_request_pmi(struct model *m, uint64_t status)
{
	if (rules_of(m)->has_global_control)
		m->global_status |= status;
	m->is_pmi_due = true;
	freeze(m, 0);
}
