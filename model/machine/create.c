/* SPDX-License-Identifier: MIT */
/* Creation and reset. Source: SDM 3A, table "IA-32 Processor States Following Power-up, Reset, or
 * INIT"; SDM 4, "Architectural MSRs". */
#include <model/defects/quirks.h>
#include <model/core/internal.h>
#include <model/sampling/branch_records.h>

#define LEAF_0A_EAX_GP_COUNT FIELD(15, 8)

/* In memory, what is aligned follows. */
#define SIZE_OF(type) ((sizeof(type) + MODEL_ALIGNMENT - 1) / MODEL_ALIGNMENT * MODEL_ALIGNMENT)
#define BEHIND(type, memory) ((void *)((unsigned char *)(memory) + SIZE_OF(type)))

_Static_assert((int)MODEL_THREADS == (int)CACHE_THREADS, "one number, twice");

uint32_t model_version(void)
{
	return MODEL_VERSION;
}

const struct model_view *model_view(const struct model *m)
{
	return &m->view;
}

/* ------------------------------------------------------------------------------ a machine */

size_t model_machine_size(void)
{
	return sizeof(struct model_machine);
}

struct model_machine *model_machine_create(void *memory)
{
	return __builtin_memset(memory, 0, model_machine_size());
}

const struct model_machine_view *model_machine_view(const struct model_machine *machine)
{
	return &machine->view;
}

void model_machine_vary(struct model_machine *machine, uint32_t seed)
{
	machine->variation = seed;
}

void model_machine_keep(struct model_machine *machine)
{
	machine->keeps_caches = true;
}

/* ------------------------------------------------------------------------------ a package */

/* The rules of this processor and the geometry of its caches; false if one of them is not there. */
static bool find_processor(struct model_identity identity, const struct model_rules **rules,
                           const struct cache_geometry **geometry)
{
	*rules = model_rules_find(identity.cpuid_1_eax, identity.cpuid_1_edx);
	*geometry = *rules ? cache_geometry_find((*rules)->cpuid_1_eax) : NULL;
	return *geometry;
}

size_t model_package_size(struct model_identity identity)
{
	const struct model_rules *rules;
	const struct cache_geometry *geometry;

	if (!find_processor(identity, &rules, &geometry))
		return 0;
	return SIZE_OF(struct model_package) + cache_package_bytes(geometry);
}

struct model_package *model_package_create(void *memory, struct model_machine *machine,
                                           struct model_identity identity)
{
	struct model_package *p = memory;
	const struct model_rules *rules;
	const struct cache_geometry *geometry;

	if (!find_processor(identity, &rules, &geometry))
		return NULL;
	__builtin_memset(memory, 0, model_package_size(identity));
	p->machine = machine;
	cache_package_create(&p->caches, &machine->caches, geometry,
	                     BEHIND(struct model_package, memory));
	return p;
}

/* ------------------------------------------------------------------------------ a core */

size_t model_core_size(struct model_identity identity)
{
	const struct model_rules *rules;
	const struct cache_geometry *geometry;

	if (!find_processor(identity, &rules, &geometry))
		return 0;
	return SIZE_OF(struct model_core) + cache_core_bytes(geometry);
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

/* *q: NULL where none is asked for. */
static enum model_created find_quirk(const char *quirk, const struct model_quirk **q)
{
	*q = quirk && *quirk ? model_quirk_find(quirk) : NULL;
	return *q || !quirk || !*quirk ? MODEL_CREATED : MODEL_NO_SUCH_QUIRK;
}

struct model_core *model_core_create(void *memory, struct model_package *package,
                                     struct model_identity identity, unsigned threads,
                                     const char *quirk, enum model_created *why)
{
	struct model_core *c = memory;
	const struct model_quirk *q = NULL;
	const struct model_rules *rules;
	const struct cache_geometry *geometry;

	*why = MODEL_NO_SUCH_CPU;
	if (find_processor(identity, &rules, &geometry))
		*why = find_quirk(quirk, &q);
	if (*why != MODEL_CREATED)
		return NULL;
	__builtin_memset(memory, 0, model_core_size(identity));
	c->package = package;
	fill_in_rules(c, rules, geometry, threads);
	if (q)
		model_quirk_apply(q, &c->rules);
	cache_core_create(&c->caches, &package->caches, &c->rules.caches,
	                  BEHIND(struct model_core, memory));
	return c;
}

/* ------------------------------------------------------------------------------ a processor */

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
static void join_core(struct model *m, void *tags)
{
	struct model_core *c = m->core;

	cache_create(&m->caches, &c->caches, c->threads, tags);
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

size_t model_size(const struct model_core *core)
{
	return SIZE_OF(struct model) + cache_thread_bytes(&core->rules.caches);
}

struct model *model_create(void *memory, struct model_core *core, const struct model_host *host)
{
	struct model *m = __builtin_memset(memory, 0, model_size(core));

	m->core = core;
	m->package = core->package;
	m->host = *host;
	m->generation = rules_of(m)->generation;
	join_core(m, BEHIND(struct model, memory));
	join_machine(m);
	model_counters_create(m);
	model_reset(m, MODEL_RESET_POWER_UP);
	return m;
}

/* ------------------------------------------------------------------------------ reset */

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
