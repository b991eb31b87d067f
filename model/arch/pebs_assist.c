/* SPDX-License-Identifier: MIT */
/*
 * PEBS of architectural processors: who records, when a record is written and what follows from it.
 * Records themselves: pebs_fields.c. NetBurst: netburst_pebs.c. Sources: SDM 3B, "Precise Event
 * Based Sampling (PEBS)" by microarchitecture, "Extended PEBS", "Applicable Counters".
 *
 * Chosen, where these are silent:
 *  - The overflow of a counter of PEBS arms it; its next event is recorded, when that instruction
 *    has retired, and the counter gets its reset value then. Neither sets the counter's bit in
 *    IA32_PERF_GLOBAL_STATUS, and IA32_PERFEVTSELx.INT does nothing.
 *  - Counters that are due at one instruction have one record, with the bits of all.
 *  - Each record that leaves the index at the threshold or above sets STATUS[62] and makes a PMI
 *    due, if that bit was set before, too.
 *  - A full buffer drops the record, and a fault in the area loses it; the counter is reloaded, as
 *    far as its reset value can be read.
 *  - A write of the counter disarms it, and so does the end of its recording. GLOBAL_CTRL does not.
 *  - A counter whose event or conditions PEBS does not know counts and overflows as without it.
 */
#include <model/arch/arch.h>
#include <model/arch/events_arch.h>
#include <model/sampling/debug_store.h>

#define EVENT_BITS (IA32_PERFEVTSEL_EVENT_SELECT | IA32_PERFEVTSEL_UMASK)

/* SDM 3B, "PEBS Performance Events", notes: "only valid when ... are all zero". */
#define CONDITIONS (IA32_PERFEVTSEL_ANY | IA32_PERFEVTSEL_E | IA32_PERFEVTSEL_INV | \
                    IA32_PERFEVTSEL_CMASK)

/* Reset values of fixed counters stand behind those of so many general ones. */
enum { GP_SLOTS = 8, GP_SLOTS_FORMAT_5 = 32 };

/* ---------------------------------------------------------------------------- who records */

static uint64_t enabled(const struct model *m)
{
	const struct model_rules *r = rules_of(m);
	bool is_all = r->pebs_needs_no_enable || (r->pebs_enables_all && m->pebs.enable);

	return r->has_pebs && is_all ? r->pebs_counters : m->pebs.enable & r->pebs_counters;
}

static bool is_precise(const struct model_rules *r, unsigned i, uint64_t sel)
{
	const struct model_event_arch *e = model_event_arch_find(r, (uint32_t)(sel & EVENT_BITS));

	return r->pebs_takes_any_event || (e && e->precise >> i & 1);
}

bool model_pebs_is_on(const struct model *m, unsigned i, uint64_t sel)
{
	return enabled(m) >> i & 1 && sel & IA32_PERFEVTSEL_EN && !(sel & CONDITIONS) &&
	       is_precise(rules_of(m), i, sel);
}

bool model_pebs_is_fixed_on(const struct model *m, unsigned i)
{
	return enabled(m) >> (32 + i) & 1;
}

uint64_t model_pebs_capabilities(const struct model_rules *r)
{
	if (!r->has_pebs)
		return 0;
	return IA32_PERF_CAPABILITIES_PEBS_TRAP | IA32_PERF_CAPABILITIES_PEBS_ARCH_REG |
	       FIELD_PUT(IA32_PERF_CAPABILITIES_PEBS_FMT, r->pebs_format) |
	       (r->pebs_is_adaptive ? IA32_PERF_CAPABILITIES_PEBS_BASELINE : 0);
}

/* ---------------------------------------------------------------------------- writing */

static uint64_t status_bits(const struct model *m, uint64_t due)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < MODEL_COUNTERS; i++)
		if (due >> i & 1)
			bits |= BIT(m->counter[i].status_bit);
	return bits;
}

/* The events that tell where they read or wrote. */
static bool has_address(const struct model *m, uint64_t due)
{
	for (unsigned i = 0; i < MODEL_COUNTERS; i++)
		if (due >> i & 1 && model_is_memory_signal(m->counter[i].signal))
			return true;
	return false;
}

static bool is_adaptive(const struct model *m, uint64_t due)
{
	for (unsigned i = 0; i < MODEL_COUNTERS; i++)
		if (due >> i & 1 && m->counter[i].is_adaptive)
			return true;
	return false;
}

static void take_sample(struct model *m, const struct model_insn *insn, uint64_t due,
                        struct model_pebs_sample *s)
{
	const struct model_rules *r = rules_of(m);
	bool is_racing = m->retired - m->pebs.cleared < r->pebs_status_races;

	*s = (struct model_pebs_sample) {
		.ip = insn->next_ip + r->pebs_ip_extra,
		.eventing_ip = r->pebs_eventing_ip_is_next ? insn->next_ip : insn->ip,
		.applicable = is_racing ? 0 : status_bits(m, due & ~r->pebs_due_unseen),
		.address = has_address(m, due) && !r->pebs_has_no_address ? m->pebs.address : 0,
	};
	if (r->pebs_ip_is_eventing)
		s->ip = insn->ip;
	s->status = is_racing ? 0 : m->global_status | s->applicable;
	if (is_adaptive(m, due))
		s->groups = m->pebs.data_cfg;
	m->host.read_registers(m->host.context, s->groups & MSR_PEBS_DATA_CFG_XMMS, &s->registers);
}

static unsigned slot_of(const struct model *m, unsigned i)
{
	const struct model_rules *r = rules_of(m);
	unsigned before_fixed = r->pebs_format >= 5 ? GP_SLOTS_FORMAT_5 : GP_SLOTS;

	if (i >= MODEL_GP_MAX)
		return before_fixed + i - MODEL_GP_MAX;
	return i & ~(unsigned)r->pebs_slot_ignored;
}

static void reload(struct model *m, uint64_t due)
{
	const struct model_rules *r = rules_of(m);

	for (unsigned i = 0; i < MODEL_COUNTERS; i++) {
		struct model_counter *c = &m->counter[i];
		uint64_t value;

		if (!(due >> i & 1))
			continue;
		model_counter_disarm(m, c);
		if (!r->pebs_reloads_nothing && model_ds_reset_value(m, slot_of(m, i), &value))
			model_counter_set(m, c, value & c->mask);
		if (r->pebs_overflows_too)
			m->overflowed |= BIT32(i);
	}
}

static void interrupt(struct model *m, enum model_ds_result result)
{
	const struct model_rules *r = rules_of(m);
	bool is_due = result == MODEL_DS_THRESHOLD;
	uint64_t status = is_due && r->pebs_status_bit ? BIT(r->pebs_status_bit) : 0;

	if (r->pebs_interrupts_each && result == MODEL_DS_STORED)
		is_due = true;
	if (is_due && !r->pebs_never_interrupts && !r->pebs_never_freezes) {
		model_request_pmi(m, status);
		return;
	}
	m->global_status |= status;
	m->is_pmi_due |= is_due && !r->pebs_never_interrupts;
}

void model_pebs_write_arch(struct model *m, const struct model_insn *insn)
{
	struct model_pebs_sample sample;
	uint64_t due = m->pebs.due, record[MODEL_PEBS_WORDS_MAX];
	unsigned size;

	m->pebs.due = 0;
	take_sample(m, insn, due, &sample);
	size = model_pebs_record(m, &sample, record);
	interrupt(m, model_ds_append(m, MODEL_DS_PEBS, record, size, false));
	reload(m, due);
	if (m->overflowed)
		model_settle(m);
}
