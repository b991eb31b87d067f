/* SPDX-License-Identifier: MIT */
/*
 * Counters: their values, their widths, and their wraps; the way from a wrap to a PMI that is due,
 * and on to the emulator; PMIs without a new overflow. Running counters are listed by the events
 * that move them, so that an instruction visits no other counter. Source: SDM 3B, "Architectural
 * Performance Monitoring Version 2".
 */
#include <model/core/msrs.h>

void model_counters_create(struct refpmu_cpu *m)
{
	const struct model_rules *r = rules_of(m);

	for (unsigned i = 0; i < MODEL_COUNTERS; i++) {
		struct model_counter *c = &m->counter[i];
		bool is_fixed = i >= MODEL_GP_MAX;

		c->mask = ones(is_fixed ? r->counters.fixed_width : r->counters.gp_width);
		c->status_bit = (uint8_t)(is_fixed ? 32 + i - MODEL_GP_MAX : i);
	}
}

/* The wrap arms the counter; the next event, even of the same instruction, is recorded. */
static void count_for_pebs(struct refpmu_cpu *m, unsigned index)
{
	struct model_counter *c = &m->counter[index];

	if (c->is_armed || c->value)
		m->pebs.due |= BIT(index);
	c->is_armed = true;
	c->limit = c->value;
}

void model_count_beyond(struct refpmu_cpu *m, unsigned index, uint64_t n)
{
	struct model_counter *c = &m->counter[index];

	c->value = (c->value + n) & c->mask;
	if (c->is_pebs)
		count_for_pebs(m, index);
	else
		m->overflowed |= BIT32(index);
}

void model_counter_disarm(struct model_counter *c)
{
	c->is_armed = false;
	c->limit = c->mask;
}

void model_counter_set(struct model_counter *c, uint64_t value)
{
	c->value = value & c->mask;
	model_counter_disarm(c);
}

/* ---------------------------------------------------------------------------- running counters */

/* SDM 3B, "Architectural Performance Monitoring Version 2", and APM 2, "Performance Counter Global
 * Control": both enables must be set. */
bool model_is_enabled(const struct refpmu_cpu *m, bool is_own, unsigned global_bit)
{
	bool is_global = !rules_of(m)->registers.has_global_control ||
	                 m->global_ctrl >> global_bit & 1;

	return is_own && is_global && !(m->global_status & IA32_PERF_GLOBAL_STATUS_CTR_FRZ);
}

uint64_t model_global_bits(const struct model_rules *r)
{
	return ones(r->counters.gp_count) | (uint64_t)r->counters.fixed_map << 32 |
	       (r->counters.has_perf_metrics ? IA32_PERF_GLOBAL_STATUS_OVF_METRICS : 0);
}

void model_start_or_stop(struct model_counter *c, bool is_on, bool is_os, bool is_usr)
{
	unsigned os = is_os ? 1u << RING_OS : 0, usr = is_usr ? 1u << RING_USR : 0;
	unsigned rings = is_on ? os | usr : 0;

	if (rings && !c->rings)
		c->was_asserted = false;
	c->rings = (uint8_t)rings;
}

void model_set_up_compare(struct refpmu_cpu *m, unsigned i, uint64_t sel)
{
	struct model_counter *c = &m->counter[i];

	c->cmask = (uint8_t)FIELD_GET(IA32_PERFEVTSEL_CMASK, sel);
	c->is_edge = sel & IA32_PERFEVTSEL_E;
	c->is_inverted = c->cmask && (sel & IA32_PERFEVTSEL_INV);
	c->is_pmi = sel & IA32_PERFEVTSEL_INT;
	if (c->is_edge && !c->cmask)               /* the SDM leaves it open; here: as CMASK = 1 */
		c->cmask = 1;
}

static void list_in(struct model_lists *lists, const struct model_counter *c, unsigned index)
{
	if (c->signal == SIGNAL_NONE)
		return;
	FOR_EACH_BIT(ring, c->rings) {
		if (c->cmask)
			lists->on_compare[ring] |= BIT32(index);
		else if (c->signal < SIGNAL_FIRST_OF_CYCLE)
			lists->on_retire[ring][c->signal] |= BIT32(index);
		else
			lists->on_cycle[ring] |= BIT32(index);
	}
}

/*
 * SDM 3B, "Architectural Performance Monitoring Version 3": with AnyThread a counter takes the
 * events of all threads of the core, each in the ring that this thread is in.
 */
static void list_counter(struct refpmu_cpu *m, unsigned index)
{
	const struct model_counter *c = &m->counter[index];

	if (!c->rings)
		return;
	list_in(&m->plan.own, c, index);
	m->plan.has_own = true;
	if (c->is_any) {
		list_in(&m->plan.any, c, index);
		m->plan.has_any = true;
	}
}

void model_list_counters(struct refpmu_cpu *m)
{
	for (unsigned i = 0; i < MODEL_COUNTERS; i++)
		list_counter(m, i);
}

/* ---------------------------------------------------------------------------- PMIs */

void model_settle(struct refpmu_cpu *m)
{
	bool is_pmi = false;

	FOR_EACH_BIT(i, m->overflowed) {
		const struct model_counter *c = &m->counter[i];

		if (m->generation->carries && m->generation->carries(m, i))
			continue;
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

/* ------------------------------------------------------------------ registers, alike from P6 on */

MSR_IS_THERE(model_has_gp, n < r->counters.gp_count)
MSR_IS_THERE(model_is_v2, r->registers.has_global_control)

enum refpmu_status model_store(struct refpmu_cpu *m, uint64_t *target, uint64_t value,
                               uint64_t bits)
{
	if (value & ~bits)
		return REFPMU_GP;
	*target = value;
	model_make_plan(m);
	return REFPMU_OK;
}

MSR_SHOWS(perfevtsel, m->perfevtsel[n])
MSR_SHOWS(pmc, m->counter[n].value)

enum refpmu_status perfevtsel_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	return model_store(m, &m->perfevtsel[n], value, rules_of(m)->registers.perfevtsel_bits);
}

/* SDM 3B, "Full-Width Writes to Performance Counter Registers": bit 31 is extended to the top. */
enum refpmu_status pmc_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	model_counter_set(&m->counter[n], (uint64_t)(int32_t)value);
	return REFPMU_OK;
}

static const struct model_counter *find(const struct refpmu_cpu *m, uint32_t ecx)
{
	const struct model_rules *r = rules_of(m);
	uint32_t fixed = ecx - RDPMC_FIXED;

	if (ecx < r->counters.gp_count)
		return &m->counter[ecx];
	if (fixed < MODEL_FIXED_MAX && (r->counters.fixed_map >> fixed & 1))
		return &m->counter[MODEL_GP_MAX + fixed];
	return NULL;
}

bool model_read_counter(struct refpmu_cpu *m, uint32_t ecx, uint64_t *value)
{
	const struct model_counter *c = find(m, ecx);

	if (!c)
		return false;
	*value = c->value;
	return true;
}
