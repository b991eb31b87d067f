/* SPDX-License-Identifier: MIT */
/* Creation and reset. Source: SDM 3A, table "IA-32 Processor States Following Power-up, Reset, or
 * INIT"; SDM 4, "Architectural MSRs". */
#include <model/internal.h>
#include <model/quirks.h>

#define LEAF_0A_EAX_GP_COUNT FIELD(15, 8)

/* Not by assignment of an empty struct: the caches are too large for a copy on the stack. */
#define CLEAR(object) __builtin_memset((object), 0, sizeof(*(object)))

enum model_created model_package_create(struct model_package *p, uint32_t cpuid_1_eax,
                                        unsigned threads_per_core, const char *quirk)
{
	const struct model_rules *rules = model_rules_find(cpuid_1_eax);
	const struct uarch_geometry *geometry = uarch_geometry_find(cpuid_1_eax);
	const struct model_quirk *q = NULL;

	if (!rules || !geometry)
		return MODEL_NO_SUCH_CPU;
	if (quirk && *quirk) {
		q = model_quirk_find(quirk);
		if (!q)
			return MODEL_NO_SUCH_QUIRK;
	}
	CLEAR(&p->shared);
	p->rules = *rules;
	p->rules.uarch = *geometry;
	if (threads_per_core > 1)
		p->rules.gp_count = p->rules.gp_count_shared;
	p->rules.leaf_0a[0] |= (uint32_t)FIELD_PUT(LEAF_0A_EAX_GP_COUNT,
	                                           p->rules.leaf_0a_gp_count ?
	                                           p->rules.leaf_0a_gp_count : p->rules.gp_count);
	if (q)
		model_quirk_apply(q, &p->rules);
	return MODEL_CREATED;
}

static void reset_registers(struct model *m)
{
	const struct model_rules *r = rules_of(m);

	m->fixed_ctr_ctrl = m->global_status = m->debugctl = 0;
	m->misc_enable = r->misc_enable;
	m->global_ctrl = 0;
	if (r->has_global_control && r->resets_gp_enables)
		m->global_ctrl |= ones(r->gp_count);
	if (r->has_global_control && r->resets_fixed_enables)
		m->global_ctrl |= (uint64_t)r->fixed_map << 32;
	for (unsigned i = 0; i < MODEL_GP_MAX; i++)
		m->perfevtsel[i] = i < r->gp_count ? r->reset_perfevtsel : 0;
	for (unsigned i = 0; i < MODEL_COUNTERS; i++)
		model_counter_set(m, &m->counter[i], i < r->gp_count ? r->reset_pmc : 0);
	model_metrics_set(m, 0);
}

void model_create(struct model *m, struct model_package *p, const struct model_host *host)
{
	CLEAR(m);
	m->package = p;
	m->host = *host;
	model_counters_create(m);
	model_reset(m, MODEL_RESET_POWER_UP);
}

void model_reset(struct model *m, enum model_reset kind)
{
	model_close(m, SIGNAL_FRONTEND);
	if (kind != MODEL_RESET_INIT)          /* INIT leaves the PMU's MSRs alone */
		reset_registers(m);
	m->is_pmi_due = m->is_pmi_kept = m->is_polling = false;
	m->overflowed = 0;
	if (kind != MODEL_RESET_INIT)
		m->is_toggled = m->was_all_on = false;
	m->ring = RING_OS;
	model_make_plan(m);
}
