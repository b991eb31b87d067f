/* SPDX-License-Identifier: MIT */
/* Execution: what instructions, interrupts and exceptions do, as the translation blocks report. */
#include "tcg_glue.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "tcg/helper-tcg.h"

/* Private traits have no meaning for the model. */
PmuKind pmu_kind(CPUX86State *env, const uint8_t *bytes, unsigned length, unsigned bits)
{
	struct refpmu_kind kind = refpmu_kind_of(bytes, length, bits);
	uint32_t info = length | (uint32_t)kind.branch << INFO_BRANCH_SHIFT
	                | (uint32_t)kind.segments << INFO_SEGMENTS_SHIFT;

	if (kind.is_repeated)
		info |= INFO_MAY_MOVE;
	if (kind.empties_caches)
		info |= INFO_EMPTIES;
	if (kind.traits & REFPMU_TRAIT_SSE)
		info |= INFO_VECTOR;
	if (kind.prefetches)
		info |= PMU_PREFETCHES;
	return (PmuKind){ kind.traits, info };
}

/* ---------------------------------------------------------------------------- places */

uint64_t linear_ip(CPUX86State *env, uint64_t eip)
{
	return env->hflags & HF_CS64_MASK ? eip : (uint32_t)(env->segs[R_CS].base + eip);
}

static uint64_t code_base(CPUX86State *env)
{
	return env->hflags & HF_CS64_MASK ? 0 : env->segs[R_CS].base;
}

static uint8_t cpl_of(CPUX86State *env)
{
	return env->hflags & HF_CPL_MASK;
}

/* ---------------------------------------------------------------------------- accesses */

static void end_access(struct Pmu *g)
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

/* The page is in the TLB, since the access went well, or is found again. */
static void note_access(struct Pmu *g, CPUX86State *env, uint64_t linear, unsigned size,
                        unsigned kind, int mmu_index)
{
	CPUTLBEntryFull *full;
	void *host;

	if (g->compares_breakpoints)
		details_access(g, env, linear, size, kind != REFPMU_READ);
	if (extends(g, env, kind, linear, size))
		return;
	end_access(g);
	int flags = probe_access_full_mmu(env, linear, 0, MMU_DATA_LOAD, mmu_index, &host,
	                                  &full);
	if (flags & TLB_INVALID_MASK)
		return;
	g->access = (struct Access){
		.linear = linear, .size = size, .kind = kind,
		.physical = full->phys_addr | (linear & ~TARGET_PAGE_MASK),
		/* Devices are not cached; an architectural PMU does not ask. */
		.is_cacheable = !g->wants_details || !(flags & TLB_MMIO),
	};
}

void pmu_access(CPUX86State *env, uint64_t linear, MemOpIdx oi, unsigned rw)
{
	static const uint8_t kinds[] = {
		REFPMU_READ, REFPMU_READ, REFPMU_WRITE, REFPMU_READ_WRITE
	};
	unsigned size = memop_size(get_memop(oi)), part;
	struct Pmu *g = env->pmu;

	if (get_mmuidx(oi) == MMU_PHYS_IDX || get_mmuidx(oi) == MMU_NESTED_IDX)
		return;                 /* the tables of paging, a VMCB */
	if (!rw && !g->wants_details)
		return;                 /* architectural PMUs count no prefetches */
	for (; size; size -= part, linear += part) {
		part = MIN(size, TARGET_PAGE_SIZE - (linear & ~TARGET_PAGE_MASK));
		note_access(g, env, linear, part, kinds[rw & 3], get_mmuidx(oi));
	}
}

void helper_pmu_mem(CPUX86State *env, uint64_t linear, uint32_t info)
{
	pmu_access(env, linear, info & 0x3fffffff, info >> 30);
}

void pmu_io(CPUX86State *env, bool is_write, uint32_t port, unsigned size)
{
	if (env->pmu_flag && env->pmu->wants_details)
		refpmu_io(env->pmu->model, is_write, port, size);
}

/* ---------------------------------------------------------------------------- instructions */

/* A later call that reports where execution is has to follow. */
static void moved(struct Pmu *g)
{
	end_access(g);
	refpmu_end_run(g->model);
}

static bool is_plain(const struct Pmu *g, uint64_t next_ip)
{
	return !(g->info & (INFO_BRANCH | INFO_MAY_MOVE | INFO_EMPTIES))
	       && next_ip == g->insn.ip + g->insn.length;
}

static void retire_slowly(struct Pmu *g, CPUX86State *env, uint64_t next_ip)
{
	g->insn.next_ip = next_ip;
	g->insn.cpl_after = cpl_of(env);
	if (g->insn.branch == REFPMU_JCC)
		g->insn.is_taken = env->pmu_taken;
	if (g->view->records_branches)
		g->insn.code_base_after = code_base(env);
	if (g->wants_details)
		details_after(g, env);
	if (g->info & INFO_EMPTIES)
		refpmu_cache_flush(g->model);
	refpmu_retire(g->model, &g->insn);
}

void retire(struct Pmu *g, CPUX86State *env, uint64_t next_ip)
{
	g->is_pending = false;
	end_access(g);
	if (is_plain(g, next_ip) && refpmu_gather(g->run, g->insn.traits, g->insn.length))
		return;
	retire_slowly(g, env, next_ip);
}

/* Says whether the pending instruction begins again: a repeated one goes on, or its translation
 * was thrown away before it executed. A branch may lead to itself. */
static bool is_same_again(const struct Pmu *g, CPUX86State *env, uint64_t ip)
{
	if (ip != g->insn.ip)
		return false;
	if (g->insn.branch == REFPMU_CALL || g->insn.branch == REFPMU_CALL_INDIRECT)
		return env->regs[R_ESP] == g->stack;
	return g->insn.branch == REFPMU_NO_BRANCH;
}

static void begin(struct Pmu *g, CPUX86State *env, uint64_t ip, uint32_t info, uint64_t traits)
{
	g->info = info;
	g->insn.ip = ip;
	g->insn.traits = traits;
	g->insn.length = info & INFO_LENGTH;
	g->insn.branch = (info & INFO_BRANCH) >> INFO_BRANCH_SHIFT;
	g->insn.segments = (info & INFO_SEGMENTS) >> INFO_SEGMENTS_SHIFT;
	g->insn.cpl = cpl_of(env);
	g->insn.is_taken = g->insn.branch != REFPMU_NO_BRANCH;
	g->stack = env->regs[R_ESP];
	env->pmu_taken = 0;
	if (unlikely(g->view->records_branches)) {
		g->insn.code_base = code_base(env);
		if (g->view->is_entering)
			refpmu_entered(g->model, (struct refpmu_place){ ip, g->insn.code_base,
			                                                g->insn.cpl });
	}
	if (g->wants_all_details)
		details_before(g, env);
	g->is_pending = true;
}

void helper_pmu_insn(CPUX86State *env, target_ulong eip, uint32_t info, uint64_t traits)
{
	struct Pmu *g = env->pmu;
	uint64_t ip = linear_ip(env, eip);

	if (unlikely(g->is_asleep))
		wake(g);
	if (g->is_pending) {
		if (unlikely(ip == g->insn.ip) && is_same_again(g, env, ip))
			return;
		retire(g, env, ip);
	}
	if (unlikely(g->has_pmi) || has_changed()) {
		g->has_pmi = false;
		note_activity();
		cpu_loop_exit_restore(env_cpu(env), GETPC());
	}
	begin(g, env, ip, info, traits);
	if (unlikely(g->has_pmi) || has_changed()) {    /* by refpmu_entered() */
		g->is_pending = g->has_pmi = false;
		note_activity();
		cpu_loop_exit_restore(env_cpu(env), GETPC());
	}
}

/* ---------------------------------------------------------------------------- events */

void note_handler(struct Pmu *g, CPUX86State *env)
{
	if (!g->view->records_branches)
		return;
	struct refpmu_place place = { linear_ip(env, env->eip), code_base(env), cpl_of(env) };
	if (g->view->is_entering && place.ip != g->left_ip)
		refpmu_entered(g->model, place);
	g->left_ip = place.ip;
	refpmu_enter(g->model, place);
}

void end_pending(struct Pmu *g, CPUX86State *env)
{
	uint64_t ip = linear_ip(env, env->eip);

	if (g->is_asleep)
		wake(g);
	if (g->is_pending && !is_same_again(g, env, ip))
		retire(g, env, ip);
	g->is_pending = false;
	moved(g);
}

/* INT n, INT3 and INTO retire at the handler. */
void pmu_exception(CPUX86State *env, int vector, bool is_int)
{
	struct Pmu *g = env->pmu;

	if (!env->pmu_flag)
		return;
	if (g->is_pending && is_int) {
		g->insn.branch = REFPMU_INT;
		g->info |= INFO_BRANCH;
		g->insn.is_taken = true;
		return;
	}
	if (g->is_pending && linear_ip(env, env->eip) == g->insn.ip)
		g->is_pending = false;          /* it faulted */
	end_pending(g, env);
	note_handler(g, env);
	refpmu_exception(g->model, vector);
	g->has_pmi = false;
	note_activity();
}

void pmu_interrupt(CPUX86State *env, int vector)
{
	struct Pmu *g = env->pmu;

	if (!env->pmu_flag)
		return;
	end_pending(g, env);
	if (g->injects) {               /* reported already */
		g->injects = false;
		return;
	}
	note_handler(g, env);
	refpmu_interrupt(g->model, vector);
	g->has_pmi = false;
	note_activity();
}

/* EIP is already that of the next instruction. */
void pmu_halt(CPUX86State *env)
{
	struct Pmu *g = env->pmu;

	if (!env->pmu_flag)
		return;
	end_pending(g, env);
	g->has_pmi = false;             /* what is pending is looked for before it sleeps */
	note_activity();
	if (g->is_active)
		fall_asleep(g);
}

void pmu_smi(CPUX86State *env)
{
	struct Pmu *g = env->pmu;

	if (!env->pmu_flag)
		return;
	end_pending(g, env);
	refpmu_smi(g->model);
	note_activity();
}

/* RSM retires at the place that the SMI interrupted, and then leaves system-management mode. */
void pmu_rsm(CPUX86State *env)
{
	struct Pmu *g = env->pmu;

	if (!g)
		return;
	if (env->pmu_flag)
		end_pending(g, env);
	refpmu_rsm(g->model);
	note_activity();
}

void pmu_flush_page(CPUX86State *env)
{
	if (env->pmu_flag) {
		end_access(env->pmu);
		refpmu_tlb_flush(env->pmu->model);
	}
}

/* SDM 3A, "Operations that Invalidate TLBs and Paging-Structure Caches". */
void pmu_write_cr(CPUX86State *env, int reg, uint64_t value)
{
	static const uint64_t cr4_flushing = CR4_PSE_MASK | CR4_PAE_MASK | CR4_PGE_MASK
	                                     | CR4_PCIDE_MASK | CR4_SMEP_MASK;

	if (reg == 3 || (reg == 0 && ((env->cr[0] ^ value) & CR0_PG_MASK))
	    || (reg == 4 && ((env->cr[4] ^ value) & cr4_flushing)))
		pmu_flush_page(env);
}

void pmu_efer(CPUX86State *env)
{
	if (env->pmu && env->pmu->is_amd && env->pmu->model) {
		refpmu_svme(env->pmu->model, (env->efer & MSR_EFER_SVME) != 0);
		note_activity();
	}
}
