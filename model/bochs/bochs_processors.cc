/* SPDX-License-Identifier: MIT */
/* The processors of the machine as Bochs numbers them, and their CPUID. */
#include <vector>
#include "traits.h"
#include "snapshots.h"
#include "cpu/apic.h"
#include "cpu/cpuid.h"
#include "gui/siminterface.h"
#include "param_names.h"
#include "pc_system.h"

/* A handle is its memory, which is freed when a machine is created again. */
static struct refpmu_machine *machine;
static struct refpmu_package *packages[CPUS];
static struct refpmu_core *cores[CPUS];
static struct refpmu_identity identities[CPUS];         /* by CPUID without the model */

/*
 * Returns how many processors, from 0 on, are performance cores of a hybrid machine, which is one
 * package of cores with one thread each; the others are efficient ones. 0: it is no such machine.
 */
static unsigned p_cores(void)
{
	const char *number = getenv("PMU_P_CORES");

	return number && *number ? (unsigned)strtoul(number, NULL, 10) : 0;
}

/* Bochs numbers processors, and their APIC IDs, thread by thread, then core by core. */
static unsigned threads_per_core(void)
{
	return p_cores() ? 1 : SIM->get_param_num(BXPN_CPU_NTHREADS)->get();
}

static unsigned cores_per_package(void)
{
	return p_cores() ? BX_SMP_PROCESSORS : SIM->get_param_num(BXPN_CPU_NCORES)->get();
}

/* ---------------------------------------------------------------------------- CPUID */

/* CPUID as Bochs answers it, changed by the model where it describes the PMU. */
class ModelCpuid : public bx_cpuid_t {
public:
	ModelCpuid(unsigned number, const struct refpmu_cpu *m)
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
	static void withdraw(Bit32u leaf, uint32_t regs[4]);
	unsigned cpu_number;
	bx_cpuid_t *own;
	const struct refpmu_cpu *model; /* NULL: no PMU is modelled for this processor */
};

static const Bit32u LEAF_FEATURES = 1, FEATURES_EDX_APIC = 1 << 9, FEATURES_EDX_MMX = 1 << 23;
static const Bit32u FEATURES_ECX_SSE4_2 = 1 << 20, FEATURES_ECX_POPCNT = 1 << 23;
static const Bit32u FAMILY = 0xf00, FAMILY_PENTIUM = 0x500;
static const Bit64u IA32_APIC_BASE_EN = 1 << 11;
static const Bit32u LEAF_AMD_FEATURES = 0x80000001, LEAF_MEMORY_ENCRYPTION = 0x8000001f;
static const Bit32u LEAF_CACHES = 4, LEAF_TOPOLOGY = 0x0b, LEAF_TOPOLOGY_2 = 0x1f;

/* Returns the number of bits of an APIC ID that number count things. */
static Bit32u bits_for(unsigned count)
{
	Bit32u bits = 0;

	while (1u << bits < count)
		bits++;
	return bits;
}

/*
 * Answers where a processor is, by its APIC ID. Bochs' own answer knows no machine with one thread
 * a core, and omits the threads' bits from the cores'; processors without leaf 0BH have as many
 * cores as their dump. The answer is right for powers of two: Bochs' IDs have no gaps. Source: SDM
 * 2A, "CPUID", leaves 04H, 0BH and 1FH.
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
	} else {                                /* there is no level for packages */
		regs[0] = regs[1] = 0;
		regs[2] = subleaf & 0xff;
	}
}

/*
 * Bochs' Pentium and P6 hide their APIC, although it works: the BIOS then starts no second
 * processor. Source: SDM 3A, "Detecting Local APIC Status".
 */
void ModelCpuid::show_apic(Bit32u leaf, uint32_t regs[4]) const
{
	if (leaf == LEAF_FEATURES && (BX_CPU(cpu_number)->msr.apicbase & IA32_APIC_BASE_EN))
		regs[3] |= FEATURES_EDX_APIC;
}

/* Returns "Genu", "Auth" or "Hygo". */
static Bit32u vendor_of(unsigned cpu)
{
	cpuid_function_t leaf;

	BX_CPU(cpu)->cpuid->get_cpuid_leaf(0, 0, &leaf);
	return leaf.ebx;
}

static const Bit32u VENDOR_INTEL = 0x756e6547, VENDOR_AMD = 0x68747541, VENDOR_HYGON = 0x6f677948;

/* PMU_AS has this bit if it is an AMD processor. */
static const Bit32u AS_AMD = 1u << 31;

/* Returns CPUID.1:EAX of the processor that PMU_AS and PMU_STEPPING, if given, make of this one. */
static Bit32u posed(Bit32u eax)
{
	static const Bit32u STEPPING = 0xf;
	const char *as = getenv("PMU_AS"), *stepping = getenv("PMU_STEPPING");

	if (as && *as)
		eax = ((Bit32u)strtoul(as, NULL, 16) & ~AS_AMD) | (eax & STEPPING);
	if (stepping && *stepping)
		eax = (eax & ~STEPPING) | (Bit32u)strtoul(stepping, NULL, 10);
	return eax;
}


/* Takes back what Bochs promises and does not have, because Linux uses it at once: POPCNT without
 * SSE4.2, and the registers of memory encryption. */
void ModelCpuid::withdraw(Bit32u leaf, uint32_t regs[4])
{
	if (leaf == LEAF_FEATURES && !(regs[2] & FEATURES_ECX_SSE4_2))
		regs[2] &= ~FEATURES_ECX_POPCNT;
	if (leaf == LEAF_MEMORY_ENCRYPTION)
		regs[0] = regs[1] = regs[2] = regs[3] = 0;
}

void ModelCpuid::get_cpuid_leaf(Bit32u leaf, Bit32u subleaf, cpuid_function_t *regs) const
{
	own->get_cpuid_leaf(leaf, subleaf, regs);
	uint32_t changed[4] = { regs->eax, regs->ebx, regs->ecx, regs->edx };
	withdraw(leaf, changed);
	place(leaf, subleaf, changed);
	show_apic(leaf, changed);
	if (leaf == LEAF_FEATURES || leaf == LEAF_AMD_FEATURES)
		changed[0] = changed[0] ? posed(changed[0]) : 0;
	if (model)
		refpmu_cpuid(model, leaf, subleaf, changed);
	get_leaf(regs, changed[0], changed[1], changed[2], changed[3]);
}

/* ---------------------------------------------------------------------------- creation */

/* Returns CPUID.1AH:EAX[31:24] of a hybrid machine's core, or 0. */
static uint8_t core_type_of(unsigned cpu)
{
	return !p_cores() ? 0 : cpu < p_cores() ? 0x40 : 0x20;
}

/* Returns an identity that the model does not know for another vendor's processor, and for one that
 * is to pose as a processor of the other vendor. */
static struct refpmu_identity identity_of(unsigned cpu)
{
	const char *as = getenv("PMU_AS");
	bool is_amd = glues[cpu].is_amd, is_known = is_amd || vendor_of(cpu) == VENDOR_INTEL;
	cpuid_function_t leaf;

	BX_CPU(cpu)->cpuid->get_cpuid_leaf(1, 0, &leaf);
	if (!is_known || (as && *as && is_amd != ((strtoul(as, NULL, 16) & AS_AMD) != 0)))
		return refpmu_identity{ 0, 0, REFPMU_INTEL, 0 };
	return refpmu_identity{ posed(leaf.eax), leaf.edx, is_amd ? REFPMU_AMD : REFPMU_INTEL,
	                        core_type_of(cpu) };
}

/* Returns the package of this processor, created with its first one; NULL: no PMU is known. */
static struct refpmu_package *package_of(unsigned cpu)
{
	unsigned in_package = threads_per_core() * cores_per_package();
	struct refpmu_package *&package = packages[cpu / in_package];

	if (cpu % in_package)
		return glues[cpu - 1].has_pmu ? package : NULL;
	size_t size = refpmu_package_size(identities[cpu]);
	if (!size) {
		fprintf(stderr, "model: no PMU is modelled for %s yet\n",
		        BX_CPU(cpu)->cpuid->get_name());
		return NULL;
	}
	package = refpmu_package_create(realloc(package, size), machine, identities[cpu]);
	return package;
}

/* Returns the core of this processor, created with its first thread; NULL: no PMU is known. */
static struct refpmu_core *core_of(unsigned cpu)
{
	struct refpmu_core *&core = cores[cpu / threads_per_core()];
	struct refpmu_package *package = package_of(cpu);

	if (!package || cpu % threads_per_core())
		return package ? core : NULL;
	void *memory = realloc(core, refpmu_core_size(identities[cpu]));
	core = refpmu_core_create(memory, package, identities[cpu], threads_per_core());
	return core;
}

/* Varies the caches by the environment: PMU_SEED is a number from 1 on; PMU_CACHES may be warm. */
static void perturb(void)
{
	const char *seed = getenv("PMU_SEED"), *caches = getenv("PMU_CACHES");

	if (seed && *seed)
		refpmu_machine_perturb(machine, (uint32_t)strtoul(seed, NULL, 10));
	if (caches && strcmp(caches, "warm") == 0)
		refpmu_machine_keep(machine);
}

/* Creates a processor, and its core and package if needed; returns NULL if no PMU is known. */
static struct refpmu_cpu *create(unsigned cpu)
{
	struct Glue *g = &glues[cpu];
	const struct refpmu_host host = {
		g, raise_pmi, read_memory, write_memory, read_registers, shut_down, raise_ibs,
		find_page
	};
	struct refpmu_core *core = core_of(cpu);

	if (!core)
		return NULL;
	void *memory = realloc(g->model, refpmu_cpu_size(core));
	struct refpmu_cpu *model = refpmu_cpu_create(memory, core, &host);
	g->run = refpmu_run(model);
	return model;
}

void bx_model_initialize(unsigned cpu)
{
	struct Glue *g = &glues[cpu];

	if (cpu == 0) {
		if (threads_per_core() > REFPMU_THREADS) {
			fprintf(stderr, "model: a core has at most %d threads\n", REFPMU_THREADS);
			exit(2);
		}
		machine = refpmu_machine_create(realloc(machine, refpmu_machine_size()));
		machine_view = refpmu_machine_view(machine);
		perturb();
		prepare_snapshots();
	}
	g->is_amd = vendor_of(cpu) == VENDOR_AMD || vendor_of(cpu) == VENDOR_HYGON;
	identities[cpu] = identity_of(cpu);
	g->model = create(cpu);
	BX_CPU(cpu)->cpuid = new ModelCpuid(cpu, g->model);
	if (!g->model)
		return;
	g->needs = refpmu_needs(g->model);
	g->lacks_pce = (identities[cpu].cpuid_1_eax & FAMILY) == FAMILY_PENTIUM
	               && !(identities[cpu].cpuid_1_edx & FEATURES_EDX_MMX);
	g->view = refpmu_view(g->model);
	g->timer = bx_pc_system.register_timer_ticks(g, overflow_is_due, 1, false, false, "pmu");
	g->has_pmu = true;
}

/* ---------------------------------------------------------------------------- snapshots */

/* The string of the last snapshot; its memory is used again. */
static std::vector<unsigned char> taken;

/* Fills memory with bytes other than 0, so that anything not restored shows. */
static void poison(void *memory, size_t size)
{
	memset(memory, 0xa5, size);
}

/* Poisons all handles; they must all exist, because their sizes are asked of them. */
static void poison_all(void)
{
	for (unsigned cpu = BX_SMP_PROCESSORS; cpu-- > 0;) {
		unsigned core = cpu / threads_per_core();
		unsigned package = core / cores_per_package();

		poison(glues[cpu].model, refpmu_cpu_size(cores[core]));
		if (cpu % threads_per_core())
			continue;
		poison(cores[core], refpmu_core_size(identities[cpu]));
		if (core % cores_per_package() == 0)
			poison(packages[package], refpmu_package_size(identities[cpu]));
	}
	poison(machine, refpmu_machine_size());
}

/* Creates all handles again; sizes are the same, so all of them stay at their addresses. */
static void create_all(void)
{
	machine = refpmu_machine_create(machine);
	for (unsigned cpu = 0; cpu < (unsigned)BX_SMP_PROCESSORS; cpu++)
		glues[cpu].model = create(cpu);
}

size_t take_snapshot(void)
{
	for (unsigned cpu = 0; cpu < (unsigned)BX_SMP_PROCESSORS; cpu++)
		if (glues[cpu].model)
			refpmu_end_run(glues[cpu].model);
	taken.resize(refpmu_save_size(machine));
	refpmu_save(machine, taken.data(), taken.size());
	poison_all();
	create_all();
	if (refpmu_restore(machine, taken.data(), taken.size()) != REFPMU_RESTORED) {
		fprintf(stderr, "model: what was saved cannot be restored\n");
		exit(2);
	}
	return taken.size();
}
