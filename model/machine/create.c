/* SPDX-License-Identifier: MIT */
/* Creation and reset. Source: SDM 3A, table "IA-32 Processor States Following Power-up, Reset, or
 * INIT"; SDM 4, "Architectural MSRs". */
#include <model/core/internal.h>
#include <model/sampling/records.h>

#define LEAF_0A_EAX_GP_COUNT FIELD(15, 8)

/* Sizes are rounded up so that the next struct in memory is aligned. */
#define SIZE_OF(type) ((sizeof(type) + REFPMU_ALIGNMENT - 1) / REFPMU_ALIGNMENT * REFPMU_ALIGNMENT)
#define AFTER(type, memory) ((void *)((unsigned char *)(memory) + SIZE_OF(type)))

_Static_assert((int)REFPMU_THREADS == (int)CACHE_THREADS, "one number, twice");

uint32_t refpmu_version(void)
{
	return REFPMU_VERSION;
}

const struct refpmu_view *refpmu_view(const struct refpmu_cpu *m)
{
	return &m->view;
}

size_t refpmu_machine_size(void)
{
	return sizeof(struct refpmu_machine);
}

struct refpmu_machine *refpmu_machine_create(void *memory)
{
	return __builtin_memset(memory, 0, refpmu_machine_size());
}

const struct refpmu_machine_view *refpmu_machine_view(const struct refpmu_machine *machine)
{
	return &machine->view;
}

void refpmu_machine_perturb(struct refpmu_machine *machine, uint32_t seed)
{
	machine->variation = seed;
}

void refpmu_machine_keep(struct refpmu_machine *machine)
{
	machine->keeps_caches = true;
}

size_t refpmu_package_size(struct refpmu_identity identity)
{
	const struct model_rules *r = model_rules_find(identity);

	return r ? SIZE_OF(struct refpmu_package) + cache_package_bytes(&r->caches) : 0;
}

struct refpmu_package *refpmu_package_create(void *memory, struct refpmu_machine *machine,
                                             struct refpmu_identity identity)
{
	struct refpmu_package *p = memory;
	const struct model_rules *r = model_rules_find(identity);

	if (!r)
		return NULL;
	__builtin_memset(memory, 0, refpmu_package_size(identity));
	p->machine = machine;
	p->signature = r->cpuid_1_eax;
	cache_package_create(&p->caches, &machine->caches, &r->caches,
	                     AFTER(struct refpmu_package, memory));
	return p;
}

size_t refpmu_core_size(struct refpmu_identity identity)
{
	const struct model_rules *r = model_rules_find(identity);

	return r ? SIZE_OF(struct refpmu_core) + cache_core_bytes(&r->caches) : 0;
}

/* Fills in the rules that follow from a row, and from the number of threads of the core. */
static void fill_in_rules(struct model_rules *r, unsigned threads)
{
	struct model_register_rules *registers = &r->registers;
	uint8_t announced;

	r->netburst.has_threads = threads > 1;
	registers->capabilities |= FIELD_PUT(IA32_PERF_CAPABILITIES_LBR_FMT, r->lbr.format);
	if (threads > 1)
		r->counters.gp_count = r->counters.gp_count_shared;
	announced = registers->leaf_0a_gp_count ? registers->leaf_0a_gp_count :
	                                          r->counters.gp_count;
	if (registers->version)
		registers->leaf_0a[0] |= (uint32_t)FIELD_PUT(LEAF_0A_EAX_GP_COUNT, announced);
}

struct refpmu_core *refpmu_core_create(void *memory, struct refpmu_package *package,
                                       struct refpmu_identity identity, unsigned threads)
{
	struct refpmu_core *c = memory;
	const struct model_rules *r = model_rules_find(identity);

	if (!r)
		return NULL;
	__builtin_memset(memory, 0, refpmu_core_size(identity));
	c->package = package;
	c->rules = *r;
	fill_in_rules(&c->rules, threads);
	cache_core_create(&c->caches, &package->caches, &c->rules.caches,
	                  AFTER(struct refpmu_core, memory));
	return c;
}

static void reset_registers(struct refpmu_cpu *m)
{
	m->fixed_ctr_ctrl = m->global_status = m->debugctl = m->ds_area = 0;
	m->misc_enable = rules_of(m)->registers.misc_enable;
	m->hwcr = m->ls_cfg = 0;
	m->pebs = (struct model_pebs) { 0 };
	m->smm = (struct model_smm) { 0 };
	for (unsigned i = 0; i < MODEL_GP_MAX; i++)
		m->perfevtsel[i] = 0;
	for (unsigned i = 0; i < MODEL_COUNTERS; i++)
		model_counter_set(&m->counter[i], 0);
}

/* Links the threads of a core, which may count each other's events. */
static void join_core(struct refpmu_cpu *m, void *tags)
{
	struct refpmu_core *c = m->core;

	cache_create(&m->caches, &c->caches, c->threads, tags);
	c->thread[c->threads++] = m;
	if (c->threads == CACHE_THREADS) {
		m->other = c->thread[0];
		m->other->other = m;
	}
}

static void join_machine(struct refpmu_cpu *m)
{
	struct refpmu_machine *machine = m->package->machine;

	m->is_watched = machine->active || machine->recording;
	m->caches.fills_core = !m->core->active;
	m->caches.fills_last = !m->package->active;
	if (machine->last) {
		model_end_run(machine->first);
		machine->first->is_single = machine->first->was_fast = false;
		machine->last->next = m;
	} else {
		machine->first = m;
		m->is_single = true;
	}
	machine->last = m;
}

size_t refpmu_cpu_size(const struct refpmu_core *core)
{
	return SIZE_OF(struct refpmu_cpu) + cache_thread_bytes(&core->rules.caches);
}

struct refpmu_cpu *refpmu_cpu_create(void *memory, struct refpmu_core *core,
                                     const struct refpmu_host *host)
{
	struct refpmu_cpu *m = __builtin_memset(memory, 0, refpmu_cpu_size(core));

	m->core = core;
	m->package = core->package;
	m->host = *host;
	m->generation = rules_of(m)->generation;
	m->run.barred_traits = m->generation->barred_traits;
	join_core(m, AFTER(struct refpmu_cpu, memory));
	join_machine(m);
	model_counters_create(m);
	refpmu_reset(m, REFPMU_RESET_POWER_UP);
	return m;
}

/* INIT leaves the PMU's MSRs and the caches alone. */
void refpmu_reset(struct refpmu_cpu *m, enum refpmu_reset kind)
{
	model_end_run(m);
	model_close(m, SIGNAL_FRONTEND);
	if (kind != REFPMU_RESET_INIT) {
		reset_registers(m);
		cache_empty_core(&m->core->caches);
	}
	if (m->generation->reset)
		m->generation->reset(m, kind);
	m->is_pmi_due = m->is_polling = false;
	m->overflowed = 0;
	m->ring = RING_OS;
	model_branches_reset(m, kind);
	cache_drop(&m->caches);
	cache_tlb_flush(&m->caches);
	model_make_plan(m);
	model_flush_pmi(m);            /* of the other thread, whose counter overflowed here */
}
