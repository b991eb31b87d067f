/* SPDX-License-Identifier: MIT */
/*
 * The contents of a record. Sources: SDM 3B, tables "PEBS Record Format" by microarchitecture;
 * "Adaptive PEBS", "PEBS Record Format" and the groups' tables there; "Counters Snapshotting".
 *
 * Chosen: data source, latency, transaction fields, and the counters' group with
 * IA32_PERF_METRICS (fixed counter 3 and the metrics, after the other counters) are as here;
 * a record has the values of counters before they are reloaded; an absent entry of LBR is 0.
 */
#include <model/sampling/records.h>

#include <arch/regs/table.h>

/* Indices of struct refpmu_registers.general. */
enum { AX, CX, DX, BX, SP, BP, SI, DI };

/* The contents of a field; a number below GENERAL_END is a general register. */
enum { GENERAL_END = 16, FLAGS = GENERAL_END, IP, STATUS, ADDRESS, EVENTING_IP, TSC, NOTHING };

/* Formats 0 to 3 begin alike: each has more of these fields than the one before. */
static const uint8_t fields[] = {
	FLAGS, IP, AX, BX, CX, DX, SI, DI, BP, SP, 8, 9, 10, 11, 12, 13, 14, 15,
	STATUS, ADDRESS, NOTHING, NOTHING, EVENTING_IP, NOTHING, TSC
};
static const uint8_t fields_of_format[] = { 18, 22, 24, 25 };
enum { FIELDS_32 = 10, FORMAT_APPLICABLE = 3 };

/* Groups of adaptive records. */
static const uint8_t basic_fields[] = { NOTHING, EVENTING_IP, STATUS, TSC };
static const uint8_t memory_fields[] = { ADDRESS, NOTHING, NOTHING, NOTHING };
static const uint8_t gpr_fields[] = {
	FLAGS, IP, AX, CX, DX, BX, SP, BP, SI, DI, 8, 9, 10, 11, 12, 13, 14, 15
};

static uint64_t value_of(const struct refpmu_cpu *m, const struct model_pebs_sample *s,
                         unsigned field)
{
	bool has_applicable = rules_of(m)->ds.pebs_format >= FORMAT_APPLICABLE;

	switch (field) {
	case FLAGS:       return s->registers.flags;
	case IP:          return s->ip;
	case STATUS:      return has_applicable ? s->applicable : s->status;
	case ADDRESS:     return s->address;
	case EVENTING_IP: return s->eventing_ip;
	case TSC:         return s->registers.tsc;
	case NOTHING:     return 0;
	default:          return s->registers.general[field];
	}
}

static unsigned put_fields(const struct refpmu_cpu *m, const struct model_pebs_sample *s,
                           const uint8_t *list, unsigned count, uint64_t *record)
{
	for (unsigned i = 0; i < count; i++)
		record[i] = value_of(m, s, list[i]);
	return count;
}

static unsigned put_classic(const struct refpmu_cpu *m, const struct model_pebs_sample *s,
                            uint64_t *record)
{
	bool is_narrow = model_ds_width(m) == 4;
	unsigned count = is_narrow ? FIELDS_32 : fields_of_format[rules_of(m)->ds.pebs_format];

	return model_ds_pack(m, record, put_fields(m, s, fields, count, record));
}

/* ---------------------------------------------------------------------------- groups */

static unsigned put_xmms(struct refpmu_cpu *m, const struct model_pebs_sample *s, uint64_t *record)
{
	(void)m;
	__builtin_memcpy(record, s->registers.xmm, sizeof(s->registers.xmm));
	return 2 * COUNT_OF(s->registers.xmm);
}

/* The newest one first. */
static unsigned put_lbrs(struct refpmu_cpu *m, const struct model_pebs_sample *s, uint64_t *record)
{
	unsigned count = (unsigned)FIELD_GET(MSR_PEBS_DATA_CFG_LBR_ENTRIES, s->groups) + 1;

	for (unsigned i = 0; i < count; i++) {
		struct model_lbr_entry entry = model_branches_get(m, i);

		record[3 * i] = entry.from;
		record[3 * i + 1] = entry.to;
		record[3 * i + 2] = entry.info;
	}
	return 3 * count;
}

static unsigned put_counters(struct refpmu_cpu *m, const struct model_pebs_sample *s,
                             uint64_t *record)
{
	uint32_t pmcs = (uint32_t)FIELD_GET(MSR_PEBS_DATA_CFG_PMCS, s->groups);
	uint32_t fixed = (uint32_t)FIELD_GET(MSR_PEBS_DATA_CFG_FIXED, s->groups);
	bool has_metrics = s->groups & MSR_PEBS_DATA_CFG_METRICS;
	unsigned n = 0;

	record[n++] = pmcs | (uint64_t)fixed << 32;
	record[n++] = has_metrics ? 3 : 0;
	FOR_EACH_BIT(i, pmcs & (uint32_t)ones(MODEL_GP_MAX))
		record[n++] = m->counter[i].value;
	FOR_EACH_BIT(i, fixed & (uint32_t)ones(MODEL_FIXED_MAX))
		record[n++] = fixed_counter(m, i)->value;
	if (has_metrics) {
		record[n++] = fixed_counter(m, 3)->value;
		record[n++] = model_metrics_get(m);
	}
	return n;
}

/* The groups after the first one, in the order of a record. */
static const struct group {
	uint64_t bits;                 /* of MSR_PEBS_DATA_CFG, and of the first word */
	uint64_t bit;                  /* set if the record has the group */
	const uint8_t *fields;         /* of the group; NULL: put() fills it */
	unsigned count;
	unsigned (*put)(struct refpmu_cpu *m, const struct model_pebs_sample *s, uint64_t *record);
} groups[] = {
#define GROUP(name) MSR_PEBS_DATA_CFG_##name
	{ GROUP(MEMORY), GROUP(MEMORY), memory_fields, sizeof(memory_fields), NULL },
	{ GROUP(GPRS), GROUP(GPRS), gpr_fields, sizeof(gpr_fields), NULL },
	{ GROUP(XMMS), GROUP(XMMS), .put = put_xmms },
	{ GROUP(LBRS) | GROUP(LBR_ENTRIES), GROUP(LBRS), .put = put_lbrs },
	{ GROUP(COUNTERS) | GROUP(METRICS), GROUP(COUNTERS), .put = put_counters },
};
enum { GROUPS = COUNT_OF(groups) };

static unsigned put_adaptive(struct refpmu_cpu *m, const struct model_pebs_sample *s,
                             uint64_t *record)
{
	unsigned n = put_fields(m, s, basic_fields, sizeof(basic_fields), record);
	uint64_t said = 0;

	for (unsigned i = 0; i < GROUPS; i++) {
		const struct group *g = &groups[i];

		if (!(s->groups & g->bit))
			continue;
		said |= s->groups & g->bits;
		n += g->fields ? put_fields(m, s, g->fields, g->count, record + n)
		               : g->put(m, s, record + n);
	}
	record[0] = said | (uint64_t)(8 * n) << 48;
	return 8 * n;
}

unsigned model_pebs_record(struct refpmu_cpu *m, const struct model_pebs_sample *s,
                           uint64_t *record)
{
	if (rules_of(m)->ds.pebs_is_adaptive)
		return put_adaptive(m, s, record);
	return put_classic(m, s, record);
}
