/* SPDX-License-Identifier: MIT */
/* The processors of the machine as Bochs numbers them, and what CPUID says of them. */
#include "traits.h"
#include "cpu/apic.h"
#include "cpu/cpuid.h"
#include "gui/siminterface.h"
#include "param_names.h"
#include "pc_system.h"

/* A handle is its memory: given back when a machine is created once more. */
static struct model_machine *machine;
static struct model_package *packages[CPUS];
static struct model_core *cores[CPUS];

/* Bochs numbers processors, and their APIC IDs, thread by thread, then core by core. */
static unsigned threads_per_core(void)
{
	return SIM->get_param_num(BXPN_CPU_NTHREADS)->get();
}

static unsigned cores_per_package(void)
{
	return SIM->get_param_num(BXPN_CPU_NCORES)->get();
}

/* ---------------------------------------------------------------------------- CPUID */

/* CPUID as Bochs answers it, with what the model says of the PMU. */
class ModelCpuid : public bx_cpuid_t {
public:
	ModelCpuid(unsigned number, const struct model *m)
		: bx_cpuid_t(*BX_CPU(number)->cpuid), cpu_number(number),
		  own(BX_CPU(number)->cpuid), model(m) {}
	const char *get_name(void) const { return own->get_name(); }
	Bit32u get_vmx_extensions_bitmask(void) const { return own->get_vmx_extensions_bitmask(); }
	void dump_cpuid(void) const { own->dump_cpuid(); }
	int rdmsr(Bit32u msr, Bit64u *value) { return own->rdmsr(msr, value); }
	int wrmsr(Bit32u msr, Bit64u value) { return own->wrmsr(msr, value); }
	void get_cpuid_leaf(Bit32u leaf, Bit32u subleaf, cpuid_function_t *regs) const;
private:
	void place(Bit32u leaf, Bit32u subleaf, uint32_t regs[4]) const;
	void show_apic(Bit32u leaf, uint32_t regs[4]) const;
	unsigned cpu_number;
	bx_cpuid_t *own;
	const struct model *model;      /* NULL: no PMU is modelled for this processor */
};

static const Bit32u LEAF_FEATURES = 1, FEATURES_EDX_APIC = 1 << 9, FEATURES_EDX_MMX = 1 << 23;
static const Bit32u FAMILY_PENTIUM = 5, FAMILY_NETBURST = 0xf, LEAF_PERFMON = 0x0a;
static const Bit64u IA32_APIC_BASE_EN = 1 << 11;
static const Bit32u LEAF_CACHES = 4, LEAF_TOPOLOGY = 0x0b, LEAF_TOPOLOGY_2 = 0x1f;

/* So many bits of an APIC ID number count things. */
static Bit32u bits_for(unsigned count)
{
	Bit32u bits = 0;

	while (1u << bits < count)
		bits++;
	return bits;
}

/*
 * Where a processor is, by its APIC ID. Bochs' own answer knows no machine with one thread a core,
 * and leaves the threads' bits out of the cores'; processors without leaf 0BH have as many cores as
 * their dump. Right for powers of two: Bochs' IDs have no gaps.
 * Source: SDM 2A, "CPUID", leaves 04H, 0BH and 1FH.
 */
void ModelCpuid::place(Bit32u leaf, Bit32u subleaf, uint32_t regs[4]) const
{
	Bit32u bits = bits_for(threads_per_core());
	cpuid_function_t highest;

	own->get_cpuid_leaf(0, 0, &highest);
	if (leaf == LEAF_CACHES && highest.eax >= leaf && highest.eax < LEAF_TOPOLOGY
	    && (regs[0] & 0x1f))
		regs[0] = (regs[0] & 0x03ffffff) | (cores_per_package() - 1) << 26;
	if ((leaf != LEAF_TOPOLOGY && leaf != LEAF_TOPOLOGY_2) || highest.eax < leaf)
		return;
	if (subleaf == 1)
		bits += bits_for(cores_per_package());
	if (subleaf < 2) {
		regs[0] = bits;
	} else {                                /* packages are no level */
		regs[0] = regs[1] = 0;
		regs[2] = subleaf & 0xff;
	}
}

/*
 * Bochs' Pentium and P6 hide their APIC, which works: its BIOS then starts no second processor.
 * Source: SDM 3A, "Detecting Local APIC Status".
 */
void ModelCpuid::show_apic(Bit32u leaf, uint32_t regs[4]) const
{
	if (leaf == LEAF_FEATURES && (BX_CPU(cpu_number)->msr.apicbase & IA32_APIC_BASE_EN))
		regs[3] |= FEATURES_EDX_APIC;
}

void ModelCpuid::get_cpuid_leaf(Bit32u leaf, Bit32u subleaf, cpuid_function_t *regs) const
{
	own->get_cpuid_leaf(leaf, subleaf, regs);
	uint32_t changed[4] = { regs->eax, regs->ebx, regs->ecx, regs->edx };
	place(leaf, subleaf, changed);
	show_apic(leaf, changed);
	if (model)
		model_cpuid(model, leaf, subleaf, changed);
	get_leaf(regs, changed[0], changed[1], changed[2], changed[3]);
}

/* ---------------------------------------------------------------------------- creation */

/* Others' families have the same numbers, and other PMUs: an Athlon 64 is of family 0FH, too. */
static bool is_intel(unsigned cpu)
{
	cpuid_function_t leaf;

	BX_CPU(cpu)->cpuid->get_cpuid_leaf(0, 0, &leaf);
	return leaf.ebx == 0x756e6547;         /* "Genu" */
}

static struct model_identity identity_of(unsigned cpu)
{
	cpuid_function_t leaf;

	BX_CPU(cpu)->cpuid->get_cpuid_leaf(1, 0, &leaf);
	return is_intel(cpu) ? model_identity{ leaf.eax, leaf.edx } : model_identity{ 0, 0 };
}

/* The package of this processor, created with its first one; NULL: no PMU is known. */
static struct model_package *package_of(unsigned cpu)
{
	unsigned in_package = threads_per_core() * cores_per_package();
	struct model_package *&package = packages[cpu / in_package];

	if (cpu % in_package)
		return glues[cpu - 1].has_pmu ? package : NULL;
	size_t size = model_package_size(identity_of(cpu));
	if (!size) {
		fprintf(stderr, "model: no PMU is modelled for %s yet\n",
		        BX_CPU(cpu)->cpuid->get_name());
		return NULL;
	}
	package = model_package_create(realloc(package, size), machine, identity_of(cpu));
	return package;
}

/* The same for its core, created with its first thread. */
static struct model_core *core_of(unsigned cpu)
{
	struct model_core *&core = cores[cpu / threads_per_core()];
	struct model_package *package = package_of(cpu);
	const char *quirk = getenv("PMU_QUIRK");

	if (!package || cpu % threads_per_core())
		return package ? core : NULL;
	enum model_created created;
	void *memory = realloc(core, model_core_size(identity_of(cpu)));
	core = model_core_create(memory, package, identity_of(cpu), threads_per_core(), quirk,
	                         &created);
	if (created == MODEL_NO_SUCH_QUIRK) {
		fprintf(stderr, "model: there is no quirk named %s\n", quirk);
		exit(2);
	}
	return core;
}

/* By what CPUID says without the model. */
static void note_generation(unsigned cpu)
{
	struct Glue *g = &glues[cpu];
	cpuid_function_t highest, features;

	BX_CPU(cpu)->cpuid->get_cpuid_leaf(0, 0, &highest);
	BX_CPU(cpu)->cpuid->get_cpuid_leaf(LEAF_FEATURES, 0, &features);
	Bit32u family = features.eax >> 8 & 0xf;
	bool is_pentium = family == FAMILY_PENTIUM;
	g->wants_details = highest.eax < LEAF_PERFMON;
	g->wants_all_details = g->wants_details && family != FAMILY_NETBURST;
	g->compares_breakpoints = is_pentium;
	g->lacks_pce = is_pentium && !(features.edx & FEATURES_EDX_MMX);
}

/* As PMU_SEED in the environment says, a number from 1 on, and PMU_CACHES, which may say warm. */
static void vary(void)
{
	const char *seed = getenv("PMU_SEED"), *caches = getenv("PMU_CACHES");

	if (seed && *seed)
		model_machine_vary(machine, (uint32_t)strtoul(seed, NULL, 10));
	if (caches && strcmp(caches, "warm") == 0)
		model_machine_keep(machine);
}

void bx_model_initialize(unsigned cpu)
{
	struct Glue *g = &glues[cpu];
	const struct model_host host = {
		g, raise_pmi, read_memory, write_memory, read_registers, shut_down
	};

	if (cpu == 0) {
		if (threads_per_core() > MODEL_THREADS) {
			fprintf(stderr, "model: a core has at most %d threads\n", MODEL_THREADS);
			exit(2);
		}
		take_traits();
		machine = model_machine_create(realloc(machine, model_machine_size()));
		machine_view = model_machine_view(machine);
		vary();
	}
	struct model_core *core = core_of(cpu);
	note_generation(cpu);
	if (core) {
		g->model = model_create(realloc(g->model, model_size(core)), core, &host);
		g->view = model_view(g->model);
	}
	BX_CPU(cpu)->cpuid = new ModelCpuid(cpu, g->model);
	if (!core)
		return;
	g->timer = bx_pc_system.register_timer_ticks(g, overflow_is_due, 1, false, false, "pmu");
	g->has_pmu = true;
}
