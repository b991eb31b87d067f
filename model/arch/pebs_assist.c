/* SPDX-License-Identifier: MIT */
/*
 * PEBS of architectural processors: when a record is written, and its effects. plan_arch.c decides
 * which counters record, pebs_fields.c builds records; NetBurst: netburst_pebs.c. Sources: SDM 3B,
 * "Precise Event Based Sampling (PEBS)" by microarchitecture, "Extended PEBS", "Applicable
 * Counters".
 *
 * Chosen, where these are silent:
 *  - The overflow of a counter of PEBS arms it. Its next event is recorded when that instruction
 *    has retired, and the counter gets its reset value then. Neither sets the counter's bit in
 *    IA32_PERF_GLOBAL_STATUS, and IA32_PERFEVTSELx.INT does nothing.
 *  - Counters that are due at one instruction have one record, with the bits of all.
 *  - Each record that leaves the index at or above the threshold sets STATUS[62] and makes a PMI
 *    due, even if that bit was set before.
 *  - A full buffer drops the record, and a fault in the area loses it; the counter is reloaded, as
 *    far as its reset value can be read.
 *  - A write of the counter disarms it, and so does the end of its recording. GLOBAL_CTRL does not.
 *  - A counter whose event or conditions PEBS does not know counts and overflows as without PEBS.
 */
#include <model/arch/arch.h>
#include <model/sampling/records.h>

/* The reset values of fixed counters follow those of this many general ones. */
enum { GP_SLOTS = 8, GP_SLOTS_FORMAT_5 = 32 };

/* Collects the record's contents from the counters that are due. */
static void take_sample(struct refpmu_cpu *m, const struct refpmu_insn *insn, uint32_t due,
                        struct model_pebs_sample *s)
{
	*s = (struct model_pebs_sample) {
		.ip = insn->next_ip,
		.eventing_ip = insn->ip,
	};
	FOR_EACH_BIT(i, due) {
		const struct model_counter *c = &m->counter[i];

		s->applicable |= BIT(c->status_bit);
		if (model_is_memory_signal(c->signal)) /* its record has the data's address */
			s->address = m->pebs.address;
		if (c->is_adaptive)
			s->groups = m->pebs.data_cfg;
	}
	s->status = m->global_status | s->applicable;
	m->host.read_registers(m->host.context, s->groups & MSR_PEBS_DATA_CFG_XMMS, &s->registers);
}

static unsigned slot_of(const struct refpmu_cpu *m, unsigned i)
{
	unsigned before_fixed = rules_of(m)->ds.pebs_format >= 5 ? GP_SLOTS_FORMAT_5 : GP_SLOTS;

	return i < MODEL_GP_MAX ? i : before_fixed + i - MODEL_GP_MAX;
}

static void reload(struct refpmu_cpu *m, uint32_t due)
{
	FOR_EACH_BIT(i, due) {
		struct model_counter *c = &m->counter[i];
		uint64_t value;

		model_counter_disarm(c);
		if (model_ds_reset_value(m, slot_of(m, i), &value))
			model_counter_set(c, value & c->mask);
	}
}

void model_pebs_write_arch(struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	struct model_pebs_sample sample;
	uint32_t due = (uint32_t)m->pebs.due;
	uint64_t record[MODEL_PEBS_WORDS_MAX];
	unsigned size;

	m->pebs.due = 0;
	take_sample(m, insn, due, &sample);
	size = model_pebs_record(m, &sample, record);
	if (model_ds_append(m, MODEL_DS_PEBS, record, size, false) == MODEL_DS_THRESHOLD)
		model_request_pmi(m, IA32_PERF_GLOBAL_STATUS_OVF_BUFFER);
	reload(m, due);
}
