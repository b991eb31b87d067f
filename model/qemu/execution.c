/* SPDX-License-Identifier: MIT */
/* Execution: what instructions do, as the translation blocks report. */
#include "tcg_glue.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "qemu/plugin.h"
#include "tcg/helper-tcg.h"

/* ---------------------------------------------------------------------------- accesses */

void end_access(struct Pmu *g)
{
	struct Access *a = &g->access;

	if (!a->size)
		return;
	refpmu_access(g->model, a->kind, a->linear, a->physical, a->size, a->is_cacheable);
	a->size = 0;
}

static bool is_in(const SegmentCache *table, uint64_t linear)
{
	return linear - table->base <= table->limit;
}

/* QEMU reads a descriptor, which is aligned to 8 bytes, in halves. */
static bool is_half(CPUX86State *env, uint64_t linear)
{
	return linear % 8 == 4 && (is_in(&env->gdt, linear) || is_in(&env->ldt, linear)
	                           || is_in(&env->idt, linear));
}

/* Says whether an access goes on with the last one: QEMU moves vectors in parts, and what an
 * instruction modifies it reads and writes. */
static bool extends(struct Pmu *g, CPUX86State *env, unsigned kind, uint64_t linear,
                    unsigned size)
{
	struct Access *a = &g->access;

	if (!a->size)
		return false;
	if (kind == REFPMU_WRITE && a->kind == REFPMU_READ && a->linear == linear
	    && a->size == size) {
		a->kind = REFPMU_READ_WRITE;
		return true;
	}
	if (kind == a->kind && linear == a->linear + a->size && (linear & ~TARGET_PAGE_MASK)
	    && ((g->info & INFO_VECTOR) || (a->size == 4 && is_half(env, linear)))) {
		a->size += size;
		return true;
	}
	return false;
}

struct Target { uint64_t physical; bool is_cacheable; };

/* Finds where an access went: in the TLB, or again. Returns false if that is nowhere. */
static inline bool locate(struct Pmu *g, CPUX86State *env, uint64_t linear, int mmu_index,
                          struct Target *target)
{
	const CPUTLB *tlb = &env_cpu(env)->neg.tlb;
	const CPUTLBDescFast *fast = &tlb->f[mmu_index];
	size_t n = linear >> TARGET_PAGE_BITS & fast->mask >> CPU_TLB_ENTRY_BITS;
	CPUTLBEntryFull *full = &tlb->d[mmu_index].fulltlb[n];
	int flags = 0;
	void *host;

	if (unlikely(fast->table[n].addr_read != (linear & TARGET_PAGE_MASK)))
		flags = probe_access_full_mmu(env, linear, 0, MMU_DATA_LOAD, mmu_index, &host,
		                              &full);
	if (flags & TLB_INVALID_MASK)
		return false;
	target->physical = full->phys_addr | (linear & ~TARGET_PAGE_MASK);
	/* Devices are not cached; an architectural PMU does not ask. */
	target->is_cacheable = !g->needs.details || !(flags & TLB_MMIO);
	return true;
}

static void note_part(struct Pmu *g, CPUX86State *env, uint64_t linear, unsigned size,
                      unsigned kind, int mmu_index)
{
	struct Target target;

	if (g->needs.breakpoints)
		details_access(g, env, linear, size, kind != REFPMU_READ);
	if (extends(g, env, kind, linear, size))
		return;
	end_access(g);
	if (locate(g, env, linear, mmu_index, &target))
		g->access = (struct Access){ linear, target.physical, size, kind,
		                             target.is_cacheable };
}

static unsigned kind_of(unsigned rw)
{
	return rw == QEMU_PLUGIN_MEM_RW ? REFPMU_READ_WRITE :
	       rw == QEMU_PLUGIN_MEM_W ? REFPMU_WRITE : REFPMU_READ;
}

static void note_access(struct Pmu *g, CPUX86State *env, uint64_t linear, MemOpIdx oi,
                        unsigned rw)
{
	unsigned size = memop_size(get_memop(oi)), part;

	if (get_mmuidx(oi) == MMU_PHYS_IDX || get_mmuidx(oi) == MMU_NESTED_IDX)
		return;                 /* the tables of paging, a VMCB */
	if (!rw && !g->needs.details)
		return;                 /* architectural PMUs count no prefetches */
	for (; size; size -= part, linear += part) {
		part = MIN(size, TARGET_PAGE_SIZE - (linear & ~TARGET_PAGE_MASK));
		note_part(g, env, linear, part, kind_of(rw), get_mmuidx(oi));
	}
}

void pmu_access(CPUX86State *env, uint64_t linear, MemOpIdx oi, unsigned rw)
{
	note_access(env->pmu, env, linear, oi, rw);
}

/* Does the same with the last access of an instruction, and ends it. */
static inline void end_with_access(struct Pmu *g, CPUX86State *env, uint64_t linear, MemOpIdx oi,
                                   unsigned rw)
{
	unsigned size = memop_size(get_memop(oi));
	bool is_split = (linear ^ (linear + size - 1)) & TARGET_PAGE_MASK;
	struct Target target;

	if (unlikely(g->access.size || is_split || g->needs.breakpoints)) {
		note_access(g, env, linear, oi, rw);
		end_access(g);
	} else if (likely(locate(g, env, linear, get_mmuidx(oi), &target))) {
		refpmu_access(g->model, kind_of(rw), linear, target.physical, size,
		              target.is_cacheable);
	}
}

/* ---------------------------------------------------------------------------- instructions */

static unsigned branch_of(const struct Pmu *g)
{
	return (g->info & INFO_BRANCH) >> INFO_BRANCH_SHIFT;
}

static inline bool is_gathered(struct Pmu *g, uint64_t next_ip)
{
	unsigned length = g->info & INFO_LENGTH;

	return !(g->info & (INFO_BRANCH | INFO_MAY_MOVE | INFO_EMPTIES))
	       && next_ip == g->insn.ip + length
	       && refpmu_gather(g->run, g->insn.traits, length);
}

static void retire_slowly(struct Pmu *g, CPUX86State *env, uint64_t next_ip)
{
	struct refpmu_insn *i = &g->insn;

	i->next_ip = next_ip;
	i->length = g->info & INFO_LENGTH;
	i->branch = branch_of(g);
	i->is_taken = i->branch == REFPMU_JCC ? env->pmu_taken : i->branch != REFPMU_NO_BRANCH;
	i->cpl_after = cpl_of(env);
	if (g->view->records_branches)
		i->code_base_after = code_base(env);
	if (g->needs.details) {
		i->segments = (g->info & INFO_SEGMENTS) >> INFO_SEGMENTS_SHIFT;
		details_after(g, env);
	}
	if (g->info & INFO_EMPTIES)
		refpmu_cache_flush(g->model);
	refpmu_retire(g->model, i);
}

/* Returns false if a PMI or a change of activity has to be looked for. */
static inline bool retire_pending(struct Pmu *g, CPUX86State *env, uint64_t next_ip)
{
	g->is_pending = false;
	end_access(g);
	if (is_gathered(g, next_ip))
		return true;
	retire_slowly(g, env, next_ip);
	return !has_changed();
}

void retire(struct Pmu *g, CPUX86State *env, uint64_t next_ip)
{
	retire_pending(g, env, next_ip);
}

/* Says whether the pending instruction begins again: a repeated one goes on, or its translation
 * was thrown away before it executed. A branch may lead to itself. */
bool is_same_again(const struct Pmu *g, CPUX86State *env, uint64_t ip)
{
	unsigned branch = branch_of(g);

	if (ip != g->insn.ip)
		return false;
	if (branch == REFPMU_CALL || branch == REFPMU_CALL_INDIRECT)
		return env->regs[R_ESP] == g->stack;
	return branch == REFPMU_NO_BRANCH;
}

/* The block ends before the instruction, which then begins anew. */
static G_NORETURN void leave_block(struct Pmu *g, CPUX86State *env, uintptr_t ra)
{
	g->is_pending = g->has_pmi = false;
	note_activity();
	cpu_loop_exit_restore(env_cpu(env), ra);
}

/* Retires what is pending, and leaves the block if this raised a PMI. Returns false if it is not
 * pending any more but begins again. */
static inline QEMU_ALWAYS_INLINE
bool comes_next(struct Pmu *g, CPUX86State *env, uint64_t ip, uintptr_t ra)
{
	bool is_quiet = true;

	if (unlikely(g->is_asleep))
		wake(g);
	if (g->is_pending) {
		if (unlikely(ip == g->insn.ip) && is_same_again(g, env, ip))
			return false;
		is_quiet = retire_pending(g, env, ip);
	}
	if (unlikely(g->has_pmi || !is_quiet))
		leave_block(g, env, ra);
	return true;
}

static void note_place(struct Pmu *g, CPUX86State *env, uint64_t ip, uintptr_t ra)
{
	g->insn.code_base = code_base(env);
	if (!g->view->is_entering)
		return;
	refpmu_entered(g->model, (struct refpmu_place){ ip, g->insn.code_base, g->insn.cpl });
	if (g->has_pmi || has_changed())
		leave_block(g, env, ra);
}

static inline void begin_plainly(struct Pmu *g, CPUX86State *env, uint64_t ip, uint32_t info,
                                 uint64_t traits)
{
	g->info = info;
	g->insn.ip = ip;
	g->insn.traits = traits;
	g->insn.cpl = cpl_of(env);
	env->pmu_taken = 0;
	g->is_pending = true;
}

static inline QEMU_ALWAYS_INLINE
void begin(struct Pmu *g, CPUX86State *env, uint64_t ip, uint32_t info, uint64_t traits,
           uintptr_t ra)
{
	begin_plainly(g, env, ip, info, traits);
	g->stack = env->regs[R_ESP];
	if (unlikely(g->view->records_branches))
		note_place(g, env, ip, ra);
	if (unlikely(g->needs.all_details))
		details_before(g, env);
}

void helper_pmu_insn(CPUX86State *env, uint32_t ahead, uint32_t info, uint64_t traits)
{
	struct Pmu *g = env->pmu;
	uint64_t ip = linear_ip(env, env->eip + (int32_t)ahead);

	if (comes_next(g, env, ip, GETPC()))
		begin(g, env, ip, info, traits, GETPC());
}

/* Nothing but a memory access or a branch can end a run within its line. So what follows a memory
 * access or a branch, up to the next of them, is gathered in advance, from ip on. Nothing records
 * while something is gathered. */
static inline bool is_group_taken(struct Pmu *g, CPUX86State *env, uint64_t ip, uint64_t group)
{
	unsigned insns = group & GROUP_INSNS;
	unsigned bytes = (group & GROUP_BYTES) >> GROUP_BYTES_SHIFT;
	uint32_t last = group >> GROUP_LAST_SHIFT;

	if (insns && !refpmu_gather_many(g->run, 0, insns, bytes))
		return false;
	if (last)
		begin_plainly(g, env, is_64bit(env) ? ip + bytes : (uint32_t)(ip + bytes), last,
		              (last & INFO_TRAITS) >> INFO_TRAITS_SHIFT);
	return insns || last;
}

void helper_pmu_group(CPUX86State *env, uint32_t ahead, uint32_t info, uint64_t group)
{
	struct Pmu *g = env->pmu;
	uint64_t ip = linear_ip(env, env->eip + (int32_t)ahead);

	env->pmu_skip = 0;
	if (!comes_next(g, env, ip, GETPC()))
		return;
	env->pmu_skip = is_group_taken(g, env, ip, group);
	if (!env->pmu_skip)
		begin(g, env, ip, info, 0, GETPC());
}

/* info has what note_access() is to be told. */
void helper_pmu_mem(CPUX86State *env, uint64_t linear, uint32_t info, uint64_t group)
{
	uint32_t oi = info & 0x3fffffff, rw = info >> 30;
	struct Pmu *g = env->pmu;
	uint64_t next_ip = g->insn.ip + (g->info & INFO_LENGTH);

	if (!group)
		return note_access(g, env, linear, oi, rw);
	end_with_access(g, env, linear, oi, rw);
	g->is_pending = !is_gathered(g, next_ip);
	env->pmu_skip = !g->is_pending && is_group_taken(g, env, next_ip, group);
}
