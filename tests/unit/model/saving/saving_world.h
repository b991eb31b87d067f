/* SPDX-License-Identifier: MIT */
/*
 * Plays a small emulator with a few processors. It does pseudo-random things, which the seed
 * decides, and sums up everything that the model answers, shows in its views and asks for. It is
 * freestanding, so that it also runs where there is no C library.
 */
#ifndef TESTS_UNIT_MODEL_SAVING_SAVING_WORLD_H
#define TESTS_UNIT_MODEL_SAVING_SAVING_WORLD_H

#include <arch/regs/table.h>
#include <tests/unit/model/saving/saving_registers.h>

enum {
	WORLD_CPUS = 4, WORLD_PACKAGES = 2,
	WORLD_ARENA = 12 << 20,        /* of all handles together */
	WORLD_GUEST = 0x2000
};

/*
 * Describes a machine: the processor by CPUID.1, the registers that it has, and the number of
 * packages, cores and threads.
 */
struct world_row {
	const char *name;
	uint32_t signature;
	enum world_kind kind;
	unsigned packages, cores, threads;
};

static const struct world_row world_rows[] = {
	{ "pentium_mmx",                 0x543, WORLD_P5, 1, 1, 1 },
	{ "pentium_mmx twice",           0x543, WORLD_P5, 2, 1, 1 },
	{ "p3_katmai",                   0x672, WORLD_P6, 1, 1, 1 },
	{ "p3_katmai twice",             0x672, WORLD_P6, 2, 1, 1 },
	{ "p4_prescott",                 0xf41, WORLD_NETBURST, 1, 1, 1 },
	{ "p4_prescott, two threads",    0xf41, WORLD_NETBURST, 1, 1, 2 },
	{ "p4_prescott, all twice",      0xf41, WORLD_NETBURST, 2, 1, 2 },
	{ "core2_penryn, two cores",     0x1067a, WORLD_ARCH, 1, 2, 1 },
	{ "core2_penryn, two packages",  0x1067a, WORLD_ARCH, 2, 2, 1 },
	{ "atom_n270, two threads",      0x106c2, WORLD_ARCH, 1, 1, 2 },
	{ "core_duo_yonah",              0x6ec, WORLD_ARCH, 1, 1, 1 },
	{ "core2_penryn",                0x1067a, WORLD_ARCH, 1, 1, 1 },
	{ "corei7_haswell, two threads", 0x306c3, WORLD_ARCH, 1, 1, 2 },
	{ "sapphire_rapids",             0x806f8, WORLD_ARCH, 1, 1, 1 },
};
enum { WORLD_ROWS = COUNT_OF(world_rows) };

struct world;

struct world_cpu {
	struct world *world;
	struct refpmu_cpu *model;
	const struct refpmu_view *view;
	uint32_t lvtpc;
	uint64_t ip;
	uint8_t cpl;
	bool is_halted;
	uint64_t rest;                 /* halted cycles until a counter overflows */
};

struct world {
	const struct world_row *row;
	struct refpmu_machine *machine;
	struct world_cpu cpu[WORLD_CPUS];
	unsigned cpus;
	uint8_t guest[WORLD_GUEST];
	uint64_t sum;                  /* of all answers of the model */
	unsigned pmis, writes;         /* of the guest's memory */
	uint64_t seed;
	size_t used;
	_Alignas(REFPMU_ALIGNMENT) unsigned char arena[WORLD_ARENA];
};

static inline void world_note(struct world *w, uint64_t value)
{
	w->sum = (w->sum ^ value) * UINT64_C(0x9E3779B97F4A7C15);
	w->sum ^= w->sum >> 29;
}

static inline uint32_t world_below(struct world *w, uint32_t bound)
{
	return random_below(&w->seed, bound);
}

/* ---------------------------------------------------------------------------- the host */

static inline void world_raise_pmi(void *context)
{
	struct world_cpu *c = context;
	struct refpmu_lvtpc answer = refpmu_lvtpc(c->model, c->lvtpc);

	c->world->pmis++;
	world_note(c->world, (uint64_t)(c - c->world->cpu) << 40 | answer.lvtpc);
	world_note(c->world, answer.is_delivered);
	c->lvtpc = answer.lvtpc;
}

static inline bool world_has(uint64_t linear, size_t size)
{
	return linear >= WORLD_BASE && linear - WORLD_BASE <= WORLD_GUEST - size;
}

static inline bool world_read(void *context, uint64_t linear, void *bytes, size_t size)
{
	struct world *w = ((struct world_cpu *)context)->world;

	if (!world_has(linear, size))
		return false;
	__builtin_memcpy(bytes, w->guest + (size_t)(linear - WORLD_BASE), size);
	return true;
}

static inline bool world_write(void *context, uint64_t linear, const void *bytes, size_t size)
{
	struct world *w = ((struct world_cpu *)context)->world;

	world_note(w, linear);
	for (size_t i = 0; i < size; i++)
		world_note(w, ((const unsigned char *)bytes)[i]);
	if (!world_has(linear, size))
		return false;
	__builtin_memcpy(w->guest + (size_t)(linear - WORLD_BASE), bytes, size);
	w->writes++;
	return true;
}

static inline void world_registers(void *context, bool with_xmm, struct refpmu_registers *r)
{
	struct world_cpu *c = context;

	__builtin_memset(r, 0, sizeof(*r));
	r->flags = 0x246 + with_xmm;
	r->tsc = c->view->cycles;
	r->general[0] = c->ip;
}

static inline void world_shut_down(void *context)
{
	world_note(((struct world_cpu *)context)->world, 0xdead);
}

/* ---------------------------------------------------------------------------- creation */

static inline void *world_take(struct world *w, size_t size)
{
	void *memory = w->arena + w->used;

	w->used += (size + REFPMU_ALIGNMENT - 1) / REFPMU_ALIGNMENT * REFPMU_ALIGNMENT;
	return memory;
}

static inline void world_create_cpu(struct world *w, struct refpmu_core *core)
{
	struct world_cpu *c = &w->cpu[w->cpus];
	const struct refpmu_host host = { c, world_raise_pmi, world_read, world_write,
	                                  world_registers, world_shut_down, NULL, NULL };

	*c = (struct world_cpu){ .world = w, .lvtpc = 4 << 8, .ip = 0x100000 + w->cpus * 0x40u };
	c->model = refpmu_cpu_create(world_take(w, refpmu_cpu_size(core)), core, &host);
	c->view = refpmu_view(c->model);
	w->cpus++;
}

/* Creates the model's part anew, in memory with any contents. */
static inline void world_create_model(struct world *w)
{
	const struct world_row *row = w->row;
	struct refpmu_identity identity = { row->signature, UINT32_C(1) << 23, REFPMU_INTEL, 0 };

	w->used = w->cpus = 0;
	w->machine = refpmu_machine_create(world_take(w, refpmu_machine_size()));
	for (unsigned i = 0; i < row->packages; i++) {
		struct refpmu_package *package = refpmu_package_create(
			world_take(w, refpmu_package_size(identity)), w->machine, identity);

		for (unsigned j = 0; j < row->cores; j++) {
			void *memory = world_take(w, refpmu_core_size(identity));
			struct refpmu_core *core = refpmu_core_create(memory, package, identity,
			                                              row->threads);

			for (unsigned k = 0; k < row->threads; k++)
				world_create_cpu(w, core);
		}
	}
}

static inline void world_put(struct world *w, unsigned at, unsigned width, uint64_t value)
{
	__builtin_memcpy(w->guest + at, &value, width);
}

/* Puts a debug store area with 32-bit fields at 0, and one with 64-bit fields at 100H. */
static inline void world_lay_out(struct world *w)
{
	for (unsigned width = 4; width <= 8; width += 4)
		for (unsigned i = 0; i < 2; i++) {
			unsigned at = (width == 8 ? 0x100 : 0) + 4 * i * width;
			uint64_t base = WORLD_BASE + 0x400 + 0x800 * i;

			world_put(w, at, width, base);
			world_put(w, at + width, width, base);
			world_put(w, at + 2 * width, width, base + 0x700);
			world_put(w, at + 3 * width, width, base + 0x300);
		}
}

static inline void world_create(struct world *w, const struct world_row *row, uint64_t seed)
{
	__builtin_memset(w, 0, offsetof(struct world, arena));
	w->row = row;
	w->seed = seed;
	world_lay_out(w);
	world_create_model(w);
}

static inline void world_step_register(struct world *w, struct world_cpu *c)
{
	uint64_t value = 0;
	enum world_kind kind = w->row->kind;
	uint32_t msr = kind == WORLD_NETBURST ? world_netburst(&w->seed, &value) :
	               kind == WORLD_ARCH ? world_arch(&w->seed, &value) :
	               world_old(&w->seed, kind, &value);

	if (world_below(w, 3)) {
		world_note(w, refpmu_wrmsr(c->model, msr, value));
		return;
	}
	for (unsigned i = 0; i < 12; i++) {
		value = 0;
		world_note(w, refpmu_rdmsr(c->model, i ? world_any(&w->seed) : msr, &value));
		world_note(w, value);
	}
	world_note(w, refpmu_rdpmc(c->model, world_below(w, 18), 0, true, &value));
	world_note(w, value);
}

/* ---------------------------------------------------------------------------- execution */

static inline void world_retire(struct world *w, struct world_cpu *c)
{
	uint8_t length = (uint8_t)(1 + world_below(w, 4));
	bool is_branch = world_below(w, 5) == 0;
	struct refpmu_insn insn = {
		.ip = c->ip, .next_ip = c->ip + length, .length = length,
		.cpl = c->cpl, .cpl_after = c->cpl,
		.traits = world_below(w, 4) ? 0 : UINT64_C(1) << world_below(w, 50),
		.is_if_clear = world_below(w, 2),
	};

	if (is_branch) {
		insn.branch = (uint8_t)(1 + world_below(w, REFPMU_BRANCHES - 1));
		insn.is_taken = insn.branch != REFPMU_JCC || world_below(w, 2);
		if (insn.is_taken)
			insn.next_ip = 0x100000 + world_below(w, 0x800);
		if (insn.branch == REFPMU_IRET || insn.branch == REFPMU_INT)
			insn.cpl_after = world_below(w, 2) ? 3 : 0;
	}
	refpmu_retire(c->model, &insn);
	c->ip = insn.next_ip;
	c->cpl = insn.cpl_after;
}

static inline void world_access(struct world *w, struct world_cpu *c)
{
	uint64_t address = world_below(w, 3) ? 0x200000 + world_below(w, 0x1000)
	                                     : world_below(w, 1 << 22);
	uint32_t size = 1u << world_below(w, 4);

	address &= ~(uint64_t)(size - 1) | world_below(w, 2) * 7;
	if ((address & 0xfff) + size <= 0x1000)
		refpmu_access(c->model, (enum refpmu_access)world_below(w, 3), address, address,
		              size, world_below(w, 16) != 0);
}

static inline void world_enter(struct world *w, struct world_cpu *c)
{
	struct refpmu_place from = { .ip = c->ip, .cpl = c->cpl };

	if (c->view->records_branches)
		refpmu_enter(c->model, from);
	if (world_below(w, 2))
		refpmu_interrupt(c->model, 32 + world_below(w, 8));
	else
		refpmu_exception(c->model, world_below(w, 20));
	c->ip = 0x101000;
	c->cpl = 0;
}

/* Passes halted cycles; the processor may wake up. */
static inline void world_sleep(struct world *w, struct world_cpu *c)
{
	uint64_t cycles = world_below(w, 100);

	c->rest = refpmu_halted(c->model, cycles < c->rest ? cycles : c->rest);
	world_note(w, c->rest);
	c->is_halted = world_below(w, 3) != 0;
}

/* Drops translations, enters system-management mode, or leaves it. */
static inline void world_switch(struct world *w, struct world_cpu *c)
{
	switch (world_below(w, 16)) {
	case 0:
		refpmu_tlb_flush(c->model);
		break;
	case 1:
		refpmu_smi(c->model);
		break;
	case 2:
		refpmu_rsm(c->model);
		break;
	default:
		break;
	}
}

static inline void world_execute(struct world *w, struct world_cpu *c)
{
	struct refpmu_place place = { .ip = c->ip, .cpl = c->cpl };

	if (c->view->is_entering && world_below(w, 2))
		refpmu_entered(c->model, place);
	switch (world_below(w, 16)) {
	case 0: case 1: case 2: case 3:
		world_access(w, c);
		break;
	case 4:
		if (world_below(w, 8) == 0)
			world_enter(w, c);
		break;
	case 5:
		refpmu_io(c->model, world_below(w, 2), 0x60, 1);
		break;
	case 6:
		world_switch(w, c);
		break;
	case 7:
		if (world_below(w, 8) || !c->view->is_active)
			break;
		c->is_halted = true;
		c->rest = refpmu_halt(c->model);
		world_note(w, c->rest);
		break;
	default:
		world_retire(w, c);
		break;
	}
}

static inline void world_step(struct world *w)
{
	struct world_cpu *c = &w->cpu[world_below(w, w->cpus)];

	if (c->is_halted)
		world_sleep(w, c);
	else if (world_below(w, 12) == 0)
		world_step_register(w, c);
	else if (c->view->is_watched)
		world_execute(w, c);
	if (world_below(w, 2000) == 0)
		refpmu_reset(c->model, world_below(w, 4) ? REFPMU_RESET_INIT :
		                                           REFPMU_RESET_HARDWARE);
	if (world_below(w, 64) == 0)
		c->lvtpc = 4 << 8;
	world_note(w, c->view->cycles);
	world_note(w, (uint64_t)(c->view->is_watched | c->view->is_active << 1 |
	                         c->view->records_branches << 2 | c->view->is_entering << 3));
	world_note(w, refpmu_machine_view(w->machine)->changes);
}

static inline void world_run(struct world *w, unsigned steps)
{
	while (steps--)
		world_step(w);
}

/* Copies the emulator's own part of a snapshot; the handles stay. */
static inline void world_copy(struct world *to, const struct world *from)
{
	for (unsigned i = 0; i < from->cpus; i++) {
		struct world_cpu *c = &to->cpu[i];
		const struct world_cpu *old = &from->cpu[i];

		c->lvtpc = old->lvtpc;
		c->ip = old->ip;
		c->cpl = old->cpl;
		c->is_halted = old->is_halted;
		c->rest = old->rest;
	}
	__builtin_memcpy(to->guest, from->guest, sizeof(to->guest));
	to->sum = from->sum;
	to->seed = from->seed;
	to->pmis = from->pmis;
	to->writes = from->writes;
}

#endif
