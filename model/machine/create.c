/* SPDX-License-Identifier: MIT */
/* Creation and reset. Source: SDM 3A, table "IA-32 Processor States Following Power-up, Reset, or
 * INIT"; SDM 4, "Architectural MSRs". */
#include <model/defects/quirks.h>
#include <model/core/internal.h>
#include <model/sampling/branch_records.h>

#define LEAF_0A_EAX_GP_COUNT FIELD(15, 8)

/* Not by assignment of an empty struct: the caches are too large for a copy on the stack. */
#define CLEAR(object) __builtin_memset((object), 0, sizeof(*(object)))

void model_machine_create(struct model_machine *machine)
{
	CLEAR(machine);
}

void model_machine_vary(struct model_machine *machine, uint32_t seed)
{
	machine->variation = seed;
}

void model_machine_keep(struct model_machine *machine)
{
	machine->keeps_caches = true;
}

/* The rules of this processor and the geometry of its caches; false if one of them is not there. */
static bool find_processor(struct model_identity identity, const struct model_rules **rules,
                           const struct cache_geometry **geometry)
{
	*rules = model_rules_find(identity.cpuid_1_eax, identity.cpuid_1_edx);
	*geometry = *rules ? cache_geometry_find((*rules)->cpuid_1_eax) : NULL;
	return *geometry;
}

enum model_created model_package_create(struct model_package *p, struct model_machine *machine,
                                        struct model_identity identity)
{
	const struct model_rules *rules;
	const struct cache_geometry *geometry;

	if (!find_processor(identity, &rules, &geometry))
		return MODEL_NO_SUCH_CPU;
	CLEAR(p);
	p->machine = machine;
	cache_package_create(&p->caches, &machine->caches, geometry);
	return MODEL_CREATED;
}

/* What a row says, and what follows from it and from how many threads the core has. */
static void fill_in_rules(struct model_core *c, const struct model_rules *row,
                          const struct cache_geometry *geometry, unsigned threads)
{
	c->rules = *row;
	c->rules.caches = *geometry;
	c->rules.has_threads = threads > 1;
	c->rules.capabilities |= FIELD_PUT(IA32_PERF_CAPABILITIES_LBR_FMT, row->lbr_format);
	if (threads > 1)
		c->rules.gp_count = c->rules.gp_count_shared;
	if (c->rules.version)
		c->rules.leaf_0a[0] |= (uint32_t)FIELD_PUT(LEAF_0A_EAX_GP_COUNT,
		                                           c->rules.leaf_0a_gp_count ?
		                                           c->rules.leaf_0a_gp_count :
		                                           c->rules.gp_count);
}

enum model_created model_core_create(struct model_core *c, struct model_package *p,
                                     struct model_identity identity, unsigned threads,
                                     const char *quirk)
{
	const struct model_quirk *q = NULL;
	const struct model_rules *rules;
	const struct cache_geometry *geometry;

	if (!find_processor(identity, &rules, &geometry))
		return MODEL_NO_SUCH_CPU;
	if (quirk && *quirk) {
		q = model_quirk_find(quirk);
		if (!q)
			return MODEL_NO_SUCH_QUIRK;
	}
	CLEAR(c);
	c->package = p;
	fill_in_rules(c, rules, geometry, threads);
	if (q)
		model_quirk_apply(q, &c->rules);
	cache_core_create(&c->caches, &p->caches, &c->rules.caches);
	return MODEL_CREATED;
}

static void reset_registers(struct model *m)
{
	const struct model_rules *r = rules_of(m);

	m->fixed_ctr_ctrl = m->global_status = m->debugctl = m->ds_area = 0;
	m->misc_enable = r->misc_enable;
	m->pebs = (struct model_pebs) { 0 };
	for (unsigned i = 0; i < MODEL_GP_MAX; i++)
		m->perfevtsel[i] = i < r->gp_count ? r->reset_perfevtsel : 0;
	for (unsigned i = 0; i < MODEL_COUNTERS; i++)
		model_counter_set(m, &m->counter[i], i < r->gp_count ? r->reset_pmc : 0);
}

/* Who may count what whom does: the threads of a core each other. */
static void join_core(struct model *m)
{
	struct model_core *c = m->core;

	cache_create(&m->caches, &c->caches, c->threads);
	c->thread[c->threads++] = m;
	if (c->threads == CACHE_THREADS) {
		m->other = c->thread[0];
		m->other->other = m;
	}
}

static void join_machine(struct model *m)
{
	struct model_machine *machine = m->package->machine;

	m->is_watched = machine->active || machine->recording;
	m->caches.fills_core = !m->core->active;
	m->caches.fills_last = !m->package->active;
	if (machine->last)
		machine->last->next = m;
	else
		machine->first = m;
	if (rules_of(m)->counts_are_echoed && machine->last) {
		machine->last->other = m;
		m->other = machine->first;
	}
	machine->last = m;
}

void model_create(struct model *m, struct model_core *c, const struct model_host *host)
{
	CLEAR(m);
	m->core = c;
	m->package = c->package;
	m->host = *host;
	m->generation = rules_of(m)->generation;
	join_core(m);
	join_machine(m);
	model_counters_create(m);
	model_reset(m, MODEL_RESET_POWER_UP);
}

/* What a processor does at INIT that keeps the SDM's word, and what one with a quirk does. */
static void init_registers(struct model *m)
{
	const struct model_rules *r = rules_of(m);

	for (unsigned i = 0; r->init_clears_counters && i < MODEL_COUNTERS; i++)
		model_counter_set(m, &m->counter[i], 0);
	if (!r->init_clears_controls)
		return;
	m->fixed_ctr_ctrl = 0;
	for (unsigned i = 0; i < MODEL_GP_MAX; i++)
		m->perfevtsel[i] = 0;
}

/* INIT leaves the PMU's MSRs and the caches alone. */
void model_reset(struct model *m, enum model_reset kind)
{
	model_close(m, SIGNAL_FRONTEND);
	if (kind == MODEL_RESET_INIT) {
		init_registers(m);
	} else {
		reset_registers(m);
		cache_empty_core(&m->core->caches);
	}
	if (m->generation->reset)
		m->generation->reset(m, kind);
	m->is_pmi_due = m->is_pmi_kept = m->is_polling = false;
	m->is_pmi_late = m->is_pmi_followed = m->is_halted = false;
	m->overflowed = 0;
	m->late_cpl = 0;
	m->ring = RING_OS;
	model_branches_reset(m, kind);
	cache_drop(&m->caches);
	cache_tlb_flush(&m->caches);
	model_make_plan(m);
	model_flush_pmi(m);            /* the other one's: its overflow was here */
}
