/* SPDX-License-Identifier: MIT */
/* What LVTPC makes of a PMI. Source: SDM 3A, "Local Vector Table". */
#include <model/core/internal.h>

#include <arch/regs/apic.h>
#include <arch/regs/cpu.h>

/* SDM 3A, "Valid Interrupt Vectors": the local APIC takes 16 and up. */
enum { FIRST_VECTOR = 16 };

/* SDM 3A, "Local Vector Table": LVTPC takes fixed, SMI and NMI. */
static bool is_deliverable(unsigned delivery)
{
	return delivery == APIC_DELIVERY_FIXED || delivery == APIC_DELIVERY_SMI ||
	       delivery == APIC_DELIVERY_NMI;
}

static void overcount(struct model *m)
{
	unsigned n = rules_of(m)->pmi_overcount;

	for (unsigned i = 0; n && i < MODEL_COUNTERS; i++)
		if (m->counter[i].rings == 1u << RING_USR)
			model_count(m, i, n);
	model_settle(m);
}

/* A fixed one meets IF = 0. */
static bool is_lost(struct model *m, unsigned delivery)
{
	struct model_registers registers;

	if (!rules_of(m)->pmi_needs_if || delivery != APIC_DELIVERY_FIXED)
		return false;
	m->host.read_registers(m->host.context, false, &registers);
	return !(registers.flags & EFLAGS_IF);
}

/* Is one still pending that came at another vector, and LVTPC masked by software since then? */
static bool is_at_new_vector(struct model *m, const struct model_lvtpc *pmi)
{
	bool is_new = m->is_pmi_followed && pmi->lvtpc & APIC_LVT_MASK &&
	              pmi->vector >= FIRST_VECTOR && pmi->vector != m->pmi_vector;

	m->is_pmi_followed &= !is_new;
	return is_new;
}

/* From now on LVTPC is looked at. */
static void follow(struct model *m, const struct model_lvtpc *pmi)
{
	if (!rules_of(m)->pmi_follows_vector || pmi->delivery != APIC_DELIVERY_FIXED)
		return;
	m->is_pmi_followed = true;
	m->pmi_vector = pmi->vector;
	model_start_polling(m);
}

struct model_lvtpc model_lvtpc(struct model *m, uint32_t lvtpc)
{
	const struct model_rules *r = rules_of(m);
	unsigned delivery = (unsigned)FIELD_GET(APIC_LVT_DELIVERY, lvtpc);
	bool is_masked = lvtpc & APIC_LVT_MASK && r->pmi_heeds_mask;
	struct model_lvtpc answer = {
		.is_delivered = !is_masked && is_deliverable(delivery),
		.delivery = (uint8_t)delivery,
		.vector = (uint8_t)FIELD_GET(APIC_LVT_VECTOR, lvtpc),
		.lvtpc = lvtpc,
	};

	if (delivery == APIC_DELIVERY_NMI && r->nmi_has_vector)
		answer.delivery = APIC_DELIVERY_FIXED;
	m->is_pmi_kept = is_masked && r->pmi_is_kept_masked;
	if (m->is_pmi_kept)
		model_start_polling(m);
	answer.is_delivered &= !is_lost(m, delivery);
	if (is_at_new_vector(m, &answer)) {
		answer.is_delivered = true;
		return answer;
	}
	if (!is_masked && r->pmi_masks_lvtpc && (answer.is_delivered || r->pmi_masks_undelivered))
		answer.lvtpc |= APIC_LVT_MASK;
	if (answer.is_delivered) {
		follow(m, &answer);
		overcount(m);
	}
	return answer;
}
