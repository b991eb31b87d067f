/* SPDX-License-Identifier: MIT */
/* The processors of the machine, and their CPUID: the property refpmu=on, or =NAME of one. */
#include "tcg_glue.h"
#include "qapi/error.h"
#include "qemu/timer.h"
#include "hw/boards.h"
#include "exec/exec-all.h"
#include "system/tcg.h"

struct Pmu *pmus[PMU_CPUS];
struct refpmu_machine *pmu_machine;
const struct refpmu_machine_view *machine_view;
uint32_t noted_changes;

static struct refpmu_package *packages[PMU_CPUS];
static struct refpmu_core *cores[PMU_CPUS];
static bool is_init;

static const uint32_t STEPPING = 0xf;
static const uint32_t LEAF_HIGHEST = 0x80000000, LEAF_AMD_FEATURES = 0x80000001;

void pmu_set_init(bool is_by_init)
{
	is_init = is_by_init;
}

/* ---------------------------------------------------------------------------- activity */

void follow_activity(void)
{
	noted_changes = machine_view->changes;
	for (unsigned n = 0; n < PMU_CPUS && pmus[n]; n++) {
		struct Pmu *g = pmus[n];

		g->cpu->env.pmu_flag = g->view->is_watched ? HF_PMU_MASK : 0;
		g->is_pending &= g->view->is_watched;
		if (g->is_active != g->view->is_active)
			clock_changes(g);
	}
}

void note_activity(void)
{
	if (has_changed())
		follow_activity();
}

/* ---------------------------------------------------------------------------- CPUID */

/* Returns the name without blanks and punctuation, in small letters. */
static char *plain_name(const char *name)
{
	GString *plain = g_string_new(NULL);

	for (; *name; name++)
		if (g_ascii_isalnum(*name))
			g_string_append_c(plain, g_ascii_tolower(*name));
	return g_string_free(plain, false);
}

/* Finds the processor of this name, or returns false and sets an error with all names. */
static bool find_named(const char *name, struct refpmu_identity *identity, Error **errp)
{
	g_autoptr(GString) known = g_string_new(NULL);
	const char *of_library;

	for (unsigned n = 0; (of_library = refpmu_processor(n, identity)) != NULL; n++) {
		g_autofree char *plain = plain_name(of_library);

		if (strcmp(plain, name) == 0)
			return true;
		g_string_append_printf(known, " %s", plain);
	}
	error_setg(errp, "refpmu=%s: there is no such processor; there are on%s", name, known->str);
	return false;
}

/* Makes QEMU's processor pose as this one. */
static void pose(CPUX86State *env, const struct refpmu_identity *identity)
{
	bool is_amd = identity->vendor == REFPMU_AMD;

	env->cpuid_version = identity->cpuid_1_eax | (env->cpuid_version & STEPPING);
	env->cpuid_vendor1 = is_amd ? CPUID_VENDOR_AMD_1 : CPUID_VENDOR_INTEL_1;
	env->cpuid_vendor2 = is_amd ? CPUID_VENDOR_AMD_2 : CPUID_VENDOR_INTEL_2;
	env->cpuid_vendor3 = is_amd ? CPUID_VENDOR_AMD_3 : CPUID_VENDOR_INTEL_3;
}

/* The model's highest leaf may be beyond QEMU's, which answers leaves beyond its own as another
 * one: those between the two are empty. */
static void empty_between(CPUX86State *env, uint32_t leaf, uint32_t regs[4])
{
	bool is_extended = leaf >= LEAF_HIGHEST;
	uint32_t own = is_extended ? env->cpuid_xlevel : env->cpuid_level;
	uint32_t highest[4] = { own };

	refpmu_cpuid(env->pmu->model, is_extended ? LEAF_HIGHEST : 0, 0, highest);
	if (leaf > own && leaf <= highest[0])
		memset(regs, 0, 4 * sizeof(*regs));
}

static void answer(CPUX86State *env, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	const struct Pmu *g = env->pmu;

	empty_between(env, leaf, regs);
	refpmu_cpuid(g->model, leaf, subleaf, regs);
	refpmu_cpuid_caches(g->model, leaf, regs);
	if (!g->is_amd && leaf == 1)
		refpmu_debug_store(g->model, regs);
}

void pmu_cpuid(CPUX86State *env, uint32_t leaf, uint32_t subleaf, uint32_t *eax, uint32_t *ebx,
               uint32_t *ecx, uint32_t *edx)
{
	uint32_t regs[4] = { *eax, *ebx, *ecx, *edx };

	if (env->pmu)
		answer(env, leaf, subleaf, regs);
	*eax = regs[0];
	*ebx = regs[1];
	*ecx = regs[2];
	*edx = regs[3];
}

/* ---------------------------------------------------------------------------- creation */

static bool identify(X86CPU *cpu, struct refpmu_identity *identity, Error **errp)
{
	CPUX86State *env = &cpu->env;
	bool is_amd = env->cpuid_vendor1 == CPUID_VENDOR_AMD_1;

	if (strcmp(cpu->refpmu, "on") != 0) {
		if (!find_named(cpu->refpmu, identity, errp))
			return false;
		pose(env, identity);
		is_amd = identity->vendor == REFPMU_AMD;
	} else if (!is_amd && env->cpuid_vendor1 != CPUID_VENDOR_INTEL_1) {
		error_setg(errp, "refpmu=on: only processors of Intel and AMD have a PMU here");
		return false;
	}
	identity->cpuid_1_eax = env->cpuid_version;
	identity->cpuid_1_edx = env->features[FEAT_1_EDX];
	identity->vendor = is_amd ? REFPMU_AMD : REFPMU_INTEL;
	if (refpmu_package_size(*identity))
		return true;
	error_setg(errp, "refpmu=on: no PMU is modelled for CPUID.1:EAX = %XH; refpmu=NAME poses "
	           "as another processor", env->cpuid_version);
	return false;
}

static unsigned threads_of(X86CPU *cpu)
{
	return cpu->env.topo_info.threads_per_core;
}

static struct refpmu_core *core_of(X86CPU *cpu, unsigned n, struct refpmu_identity identity)
{
	const CpuTopology *smp = &current_machine->smp;
	unsigned threads = smp->threads;
	unsigned in_package = threads * smp->cores * smp->dies * smp->modules;

	if (n % threads)
		return cores[n / threads];
	if (n % in_package == 0) {
		void *memory = g_malloc0(refpmu_package_size(identity));
		packages[n / in_package] = refpmu_package_create(memory, pmu_machine, identity);
	}
	cores[n / threads] = refpmu_core_create(g_malloc0(refpmu_core_size(identity)),
	                                        packages[n / in_package], identity, threads);
	return cores[n / threads];
}

/* PMU_SEED and PMU_CACHES in the environment vary what the caches hold. */
static void create_machine(void)
{
	const char *seed = getenv("PMU_SEED"), *caches = getenv("PMU_CACHES");

	pmu_machine = refpmu_machine_create(g_malloc0(refpmu_machine_size()));
	machine_view = refpmu_machine_view(pmu_machine);
	if (seed && *seed)
		refpmu_machine_perturb(pmu_machine, strtoul(seed, NULL, 10));
	if (caches && strcmp(caches, "warm") == 0)
		refpmu_machine_keep(pmu_machine);
	register_snapshots();
}

static void note_kind(struct Pmu *g, struct refpmu_identity identity)
{
	uint32_t features[4] = { 0 };

	refpmu_cpuid(g->model, LEAF_AMD_FEATURES, 0, features);
	g->is_amd = identity.vendor == REFPMU_AMD;
	g->has_ibs = g->is_amd && (features[2] & CPUID_EXT3_IBS);
	g->needs = refpmu_needs(g->model);
}

static bool is_possible(X86CPU *cpu, Error **errp)
{
	if (!tcg_enabled() || (qemu_tcg_mttcg_enabled() && current_machine->smp.cpus > 1))
		error_setg(errp, "refpmu= needs -accel tcg,thread=single");
	else if (CPU(cpu)->cpu_index >= PMU_CPUS || threads_of(cpu) > REFPMU_THREADS)
		error_setg(errp, "refpmu= has %d processors at most, with %d threads a core",
		           PMU_CPUS, REFPMU_THREADS);
	else
		return true;
	return false;
}

bool pmu_create(X86CPU *cpu, Error **errp)
{
	unsigned n = CPU(cpu)->cpu_index;
	struct refpmu_identity identity = { 0 };

	if (!cpu->refpmu || strcmp(cpu->refpmu, "off") == 0)
		return true;
	if (!is_possible(cpu, errp) || !identify(cpu, &identity, errp))
		return false;
	if (n == 0)
		create_machine();
	struct Pmu *g = g_new0(struct Pmu, 1);
	struct refpmu_host host = {
		g, raise_pmi, read_memory, write_memory, read_registers, shut_down, raise_ibs,
		find_page
	};
	struct refpmu_core *core = core_of(cpu, n, identity);
	g->cpu = cpu;
	g->model = refpmu_cpu_create(g_malloc0(refpmu_cpu_size(core)), core, &host);
	g->view = refpmu_view(g->model);
	g->run = refpmu_run(g->model);
	g->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, overflow_is_due, g);
	note_kind(g, identity);
	pmus[n] = g;
	cpu->env.pmu = g;
	return true;
}

/* A processor that then waits for a SIPI is asleep. */
void pmu_reset(X86CPU *cpu)
{
	struct Pmu *g = cpu->env.pmu;

	if (!g)
		return;
	if (g->is_asleep)
		wake(g);
	g->is_pending = g->has_pmi = g->is_in_guest = false;
	refpmu_end_run(g->model);
	refpmu_reset(g->model, is_init ? REFPMU_RESET_INIT : REFPMU_RESET_HARDWARE);
	note_activity();
	if (!is_init) {
		set_tsc(g, 0);
		for (unsigned i = 0; i < ARRAY_SIZE(g->extended_lvt); i++)
			g->extended_lvt[i] = 1 << 16;
	} else if (g->is_active && CPU(cpu)->cpu_index) {
		fall_asleep(g);
	}
}
