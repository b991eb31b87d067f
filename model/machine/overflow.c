/* SPDX-License-Identifier: MIT */
/*
 * From a wrap to a PMI. Sources: SDM 3B, "Architectural Performance Monitoring Version 2",
 * "Freezing LBR and Performance Counters on PMI", "Streamlined Freeze_LBR_On_PMI", "Streamlined
 * Freeze_PerfMon_On_PMI"; SDM 3A, "Local Vector Table".
 */
#include <model/netburst/netburst_shared.h>
#include <model/sampling/branch_records.h>

#include <arch/regs/apic.h>
#include <arch/regs/cpu.h>

/* SDM 3A, "Valid Interrupt Vectors": the local APIC takes 16 and up. */
enum { FIRST_VECTOR = 16 };

/*
 * On a PMI DEBUGCTL[12] stops the counters, DEBUGCTL[11] the branch records. It is the request
 * that does so: whether LVTPC lets it through is not the counters' business.
 */
static void freeze(struct model *m, uint64_t overflowed_bits)
{
	const struct model_rules *r = rules_of(m);
	bool has_counters = m->debugctl & IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI;

	if (has_counters && r->freeze == FREEZE_GLOBAL_CTRL)
		m->global_ctrl = 0;
	if (has_counters && r->freeze == FREEZE_OVERFLOWED)
		m->global_ctrl &= ~overflowed_bits;
	if (has_counters && r->freeze == FREEZE_CTR_FRZ)
		m->global_status |= IA32_PERF_GLOBAL_STATUS_CTR_FRZ;
	if (m->debugctl & IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI)
		model_branches_freeze(m);
	if (m->debugctl & IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI)
		model_make_plan(m);
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
	if (!m->is_netburst)
		freeze(m, 0);
}

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

/* Something is to be looked at after each instruction. */
static void start_polling(struct model *m)
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
	start_polling(m);
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

	if (m->is_netburst && netburst_is_line(m)) {
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
	start_polling(m);
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
		start_polling(m);
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
