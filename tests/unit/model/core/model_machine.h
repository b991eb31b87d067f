/* SPDX-License-Identifier: MIT */
/*
 * Plays a machine around the model, for unit tests: it calls the model as an emulator does, in the
 * order that refpmu.h demands, and notes the model's PMIs.
 */
#ifndef TESTS_UNIT_MODEL_CORE_MODEL_MACHINE_H
#define TESTS_UNIT_MODEL_CORE_MODEL_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <model/state/state.h>

#include <tests/unit/model/core/model_guest.h>

/* These registers and bits are typed from the manual a second time, not taken from arch/regs. */
enum {
	PMC0 = 0xc1, A_PMC0 = 0x4c1, EVTSEL0 = 0x186, FIXED0 = 0x309, METRICS = 0x329,
	CAPABILITIES = 0x345, FIXED_CTRL = 0x38d, STATUS = 0x38e, GLOBAL = 0x38f,
	STATUS_RESET = 0x390, STATUS_SET = 0x391, INUSE = 0x392, DEBUGCTL = 0x1d9,
	CESR = 0x11, CTR0 = 0x12, MISC_ENABLE = 0x1a0, DS_AREA = 0x600,
	GP_CTR0 = 0x1900, GP_CFG_A0 = 0x1901, FX_CTR0 = 0x1980
};

enum {
	USR = 1 << 16, OS = 1 << 17, EDGE = 1 << 18, PIN = 1 << 19, INT = 1 << 20, ANY = 1 << 21,
	EN = 1 << 22, INV = 1 << 23
};
#define CMASK(n)  ((uint64_t)(n) << 24)
#define ONE(n)    (UINT64_C(1) << (n))
#define ONES(n)   (ONE(n) - 1)

enum {
	CYCLES = 0x003c, INSTRUCTIONS = 0x00c0, REFERENCE_CYCLES = 0x013c, LLC_REFERENCES = 0x4f2e,
	LLC_MISSES = 0x412e, BRANCHES = 0x00c4, BRANCH_MISSES = 0x00c5, SLOTS = 0x01a4
};

enum { LVTPC_MASK = 1 << 16, LVTPC_NMI = 4 << 8, LVTPC_RESET = LVTPC_MASK };

/*
 * The memory of a handle has room for the largest processor; tests look at the struct at its
 * beginning.
 */
enum { MODEL_BYTES = 1 << 15, CORE_BYTES = 1 << 20, PACKAGE_BYTES = 11 << 20 };
#define IN_MEMORY(type, name, bytes) \
	union { \
		struct type name; \
		_Alignas(REFPMU_ALIGNMENT) unsigned char name##_memory[bytes]; \
	}

struct machine {
	IN_MEMORY(refpmu_cpu, model, MODEL_BYTES);
	IN_MEMORY(refpmu_core, core, CORE_BYTES);
	IN_MEMORY(refpmu_package, package, PACKAGE_BYTES);
	struct refpmu_machine all;
	unsigned pmis;                 /* number of calls of raise_pmi() */
	unsigned delivered;            /* of these, those that LVTPC delivered */
	bool may_raise;                /* the model is in a call that may raise a PMI */
	bool has_raised_wrongly;
	unsigned ibs;                  /* number of calls of raise_ibs() */
	unsigned page_bits;            /* log2 of each page's size; 0: no page is there */
	uint32_t lvtpc;
	uint64_t ip;
	uint8_t cpl;
};

static inline void machine_raise_pmi(void *context)
{
	struct machine *machine = context;
	struct refpmu_lvtpc answer = refpmu_lvtpc(&machine->model, machine->lvtpc);

	machine->pmis++;
	machine->delivered += answer.is_delivered;
	machine->lvtpc = answer.lvtpc;
	machine->has_raised_wrongly = machine->has_raised_wrongly || !machine->may_raise;
}

static inline void machine_raise_ibs(void *context, unsigned entry)
{
	struct machine *machine = context;

	machine->ibs++;
	machine->has_raised_wrongly |= !machine->may_raise || entry > 3;
}

/* Each linear address is its own physical one. */
static inline bool machine_find_page(void *context, uint64_t linear, uint64_t *physical,
                                     unsigned *bits)
{
	const struct machine *machine = context;

	*physical = linear;
	*bits = machine->page_bits;
	return machine->page_bits;
}

/* Makes the core as refpmu_core_create() leaves it, with its present rules. */
static inline void machine_clear_core(struct refpmu_core *core, struct refpmu_package *package)
{
	memset(&core->package, 0, sizeof(*core) - offsetof(struct refpmu_core, package));
	core->package = package;
	memset(core + 1, 0, cache_core_bytes(&core->rules.caches));
	cache_core_create(&core->caches, &package->caches, &core->rules.caches, core + 1);
}

static inline void machine_restart(struct machine *machine)
{
	const struct refpmu_host host = {
		.context = machine,
		.raise_pmi = machine_raise_pmi,
		GUEST_HOST,
		.raise_ibs = machine_raise_ibs,
		.find_page = machine_find_page,
	};

	/*
	 * The processor is alone in the machine, however often this is called; the core keeps its
	 * rules.
	 */
	refpmu_machine_create(&machine->all);
	cache_package_create(&machine->package.caches, &machine->all.caches,
	                     &machine->core.rules.caches, &machine->package + 1);
	machine->package.machine = &machine->all;
	machine->package.active = 0;
	machine->package.counts = false;
	machine_clear_core(&machine->core, &machine->package);
	refpmu_cpu_create(&machine->model, &machine->core, &host);
}

/* Starts from power-up with one rule changed. */
#define WITH_RULE(machine, field, to) \
	((machine)->core.rules.field = (to), machine_restart(machine))

/*
 * Returns the identity. CPUID.1:EDX[23], MMX, is 1 except on the first Pentiums and the Pentium
 * Pro.
 */
static inline struct refpmu_identity machine_identity(uint32_t signature)
{
	bool has_mmx = signature >> 4 != 0x52 && signature >> 4 != 0x61;
	bool is_amd = signature & MODEL_AMD;

	return (struct refpmu_identity){ signature & ~MODEL_AMD, has_mmx ? UINT32_C(1) << 23 : 0,
	                                 is_amd ? REFPMU_AMD : REFPMU_INTEL, 0 };
}

/* Creates a machine in its state after power-up, with LVTPC masked. */
static inline bool machine_create(struct machine *machine, uint32_t signature, unsigned threads)
{
	struct refpmu_identity identity = machine_identity(signature);
	bool is_created;

	memset(machine, 0, sizeof(*machine));
	refpmu_machine_create(&machine->all);
	if (refpmu_package_size(identity) > PACKAGE_BYTES ||
	    refpmu_core_size(identity) > CORE_BYTES)
		abort();
	refpmu_package_create(&machine->package, &machine->all, identity);
	is_created = refpmu_core_create(&machine->core, &machine->package, identity, threads);
	if (is_created)
		machine_restart(machine);
	machine->lvtpc = LVTPC_RESET;
	machine->page_bits = 12;
	machine->ip = 0x100000;
	return is_created;
}

/* Returns the place of the next instruction. */
static inline struct refpmu_place machine_place(const struct machine *machine)
{
	return (struct refpmu_place){ .ip = machine->ip, .cpl = machine->cpl };
}

/* Reports the handler's first instruction, if the model waits for it. */
static inline void machine_arrive(struct machine *machine)
{
	machine->may_raise = true;
	if (machine->model.is_entering)
		refpmu_entered(&machine->model, machine_place(machine));
	machine->may_raise = false;
}

/* Delivers an exception or an interrupt to this handler. */
static inline void machine_enter(struct machine *machine, bool is_interrupt, unsigned vector,
                                 uint64_t handler, uint8_t cpl)
{
	machine_arrive(machine);
	machine->may_raise = true;
	if (machine->model.records_branches)
		refpmu_enter(&machine->model, machine_place(machine));
	if (machine->model.is_watched && is_interrupt)
		refpmu_interrupt(&machine->model, vector);
	else if (machine->model.is_watched)
		refpmu_exception(&machine->model, vector);
	machine->may_raise = false;
	machine->ip = handler;
	machine->cpl = cpl;
}

/* Retires the instruction under way. While the model is idle an emulator does not call it. */
static inline void machine_retire(struct machine *machine, struct refpmu_insn insn)
{
	machine_arrive(machine);
	machine->may_raise = true;
	if (machine->model.is_watched)
		refpmu_retire(&machine->model, &insn);
	machine->may_raise = false;
	machine->ip = insn.next_ip;
	machine->cpl = insn.cpl_after;
}

/* Retires count one-byte NOPs, in a loop of 4096 bytes without its jump. */
static inline void machine_nops(struct machine *machine, unsigned count)
{
	while (count--)
		machine_retire(machine, (struct refpmu_insn) {
			.ip = machine->ip,
			.next_ip = (machine->ip & ~UINT64_C(0xfff)) | ((machine->ip + 1) & 0xfff),
			.length = 1, .cpl = machine->cpl, .cpl_after = machine->cpl,
		});
}

/* Retires a branch of two bytes, to target if it is taken. */
static inline void machine_branch(struct machine *machine, enum refpmu_branch kind, bool is_taken,
                                  uint64_t target)
{
	machine_retire(machine, (struct refpmu_insn) {
		.ip = machine->ip, .next_ip = is_taken ? target : machine->ip + 2,
		.length = 2, .cpl = machine->cpl, .cpl_after = machine->cpl,
		.branch = (uint8_t)kind, .is_taken = is_taken,
	});
}

static inline void machine_access(struct machine *machine, enum refpmu_access kind,
                                  uint64_t address, unsigned size)
{
	if (machine->model.is_watched)
		refpmu_access(&machine->model, kind, address, address, size, true);
}

static inline enum refpmu_status machine_write(struct machine *machine, uint32_t msr,
                                               uint64_t value)
{
	enum refpmu_status status;

	machine->may_raise = true;
	status = refpmu_wrmsr(&machine->model, msr, value);
	machine->may_raise = false;
	return status;
}

/* Reads an MSR. Reading ends a cycle, in which a counter with a CMASK may wrap. */
static inline enum refpmu_status machine_read(struct machine *machine, uint32_t msr,
                                              uint64_t *value)
{
	enum refpmu_status status;

	machine->may_raise = true;
	status = refpmu_rdmsr(&machine->model, msr, value);
	machine->may_raise = false;
	return status;
}

static inline enum refpmu_status machine_rdpmc(struct machine *machine, uint32_t ecx, unsigned cpl,
                                               bool is_pce, uint64_t *value)
{
	enum refpmu_status status;

	machine->may_raise = true;
	status = refpmu_rdpmc(&machine->model, ecx, cpl, is_pce, value);
	machine->may_raise = false;
	return status;
}

#endif
