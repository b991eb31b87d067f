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

static uint64_t enabled(const struct refpmu_cpu *m)
{
	return m->pebs.enable & rules_of(m)->ds.pebs_counters;
}

static bool is_precise(const struct model_rules *r, unsigned i, uint64_t sel)
{
	const struct model_event_arch *e = model_event_arch_find(r, (uint32_t)(sel & EVENT_BITS));

	return r->ds.pebs_is_adaptive || (e && e->precise >> i & 1);
}

bool model_pebs_is_on(const struct refpmu_cpu *m, unsigned i, uint64_t sel)
{
	return enabled(m) >> i & 1 && sel & IA32_PERFEVTSEL_EN && !(sel & CONDITIONS) &&
	       is_precise(rules_of(m), i, sel);
}

bool model_pebs_is_fixed_on(const struct refpmu_cpu *m, unsigned i)
{
	return enabled(m) >> (32 + i) & 1;
}

uint64_t model_pebs_capabilities(const struct model_rules *r)
{
	if (!r->ds.pebs_counters)
		return 0;
	return IA32_PERF_CAPABILITIES_PEBS_TRAP | IA32_PERF_CAPABILITIES_PEBS_ARCH_REG |
	       FIELD_PUT(IA32_PERF_CAPABILITIES_PEBS_FMT, r->ds.pebs_format) |
	       (r->ds.pebs_is_adaptive ? IA32_PERF_CAPABILITIES_PEBS_BASELINE : 0);
}

/* ---------------------------------------------------------------------------- writing */

static uint64_t status_bits(const struct refpmu_cpu *m, uint64_t due)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < MODEL_COUNTERS; i++)
		if (due >> i & 1)
			bits |= BIT(m->counter[i].status_bit);
	return bits;
}

/* The events that tell where they read or wrote. */
static bool has_address(const struct refpmu_cpu *m, uint64_t due)
{
	for (unsigned i = 0; i < MODEL_COUNTERS; i++)
		if (due >> i & 1 && model_is_memory_signal(m->counter[i].signal))
			return true;
	return false;
}

static bool is_adaptive(const struct refpmu_cpu *m, uint64_t due)
{
	for (unsigned i = 0; i < MODEL_COUNTERS; i++)
		if (due >> i & 1 && m->counter[i].is_adaptive)
			return true;
	return false;
}

static void take_sample(struct refpmu_cpu *m, const struct refpmu_insn *insn, uint64_t due,
                        struct model_pebs_sample *s)
{
	*s = (struct model_pebs_sample) {
		.ip = insn->next_ip,
		.eventing_ip = insn->ip,
		.applicable = status_bits(m, due),
		.address = has_address(m, due) ? m->pebs.address : 0,
	};
	s->status = m->global_status | s->applicable;
	if (is_adaptive(m, due))
		s->groups = m->pebs.data_cfg;
	m->host.read_registers(m->host.context, s->groups & MSR_PEBS_DATA_CFG_XMMS, &s->registers);
}

static unsigned slot_of(const struct refpmu_cpu *m, unsigned i)
{
	unsigned before_fixed = rules_of(m)->ds.pebs_format >= 5 ? GP_SLOTS_FORMAT_5 : GP_SLOTS;

	return i < MODEL_GP_MAX ? i : before_fixed + i - MODEL_GP_MAX;
}

static void reload(struct refpmu_cpu *m, uint64_t due)
{
	for (unsigned i = 0; i < MODEL_COUNTERS; i++) {
		struct model_counter *c = &m->counter[i];
		uint64_t value;

		if (!(due >> i & 1))
			continue;
		model_counter_disarm(c);
		if (model_ds_reset_value(m, slot_of(m, i), &value))
			model_counter_set(c, value & c->mask);
	}
}

void model_pebs_write_arch(struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	struct model_pebs_sample sample;
	uint64_t due = m->pebs.due, record[MODEL_PEBS_WORDS_MAX];
	unsigned size;

	m->pebs.due = 0;
	take_sample(m, insn, due, &sample);
	size = model_pebs_record(m, &sample, record);
	if (model_ds_append(m, MODEL_DS_PEBS, record, size, false) == MODEL_DS_THRESHOLD)
		model_request_pmi(m, IA32_PERF_GLOBAL_STATUS_OVF_BUFFER);
	reload(m, due);
}
