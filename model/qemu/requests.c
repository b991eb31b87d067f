/* SPDX-License-Identifier: MIT */
/* Requests of the model: PMIs, and the debug store area in the guest's memory. */
#include "tcg_glue.h"
#include "qemu/main-loop.h"
#include "exec/exec-all.h"
#include "hw/i386/apic.h"
#include "hw/i386/apic_internal.h"
#include "system/runstate.h"

static const uint32_t LVT_BITS = 0x107ff;
enum { EXTENDED_FEATURE = 0x40, EXTENDED_LVT = 0x50, LVTS_IN_FEATURE = 16 };

static APICCommonState *apic_of(struct Pmu *g)
{
	APICCommonState *apic = g->cpu->apic_state ? APIC_COMMON(g->cpu->apic_state) : NULL;

	return apic && (apic->apicbase & MSR_IA32_APICBASE_ENABLE) ? apic : NULL;
}

static void deliver(struct Pmu *g, struct refpmu_lvtpc pmi)
{
	bool could_do_io = begin_io(), was_locked = bql_locked();

	if (!was_locked)
		bql_lock();
	apic_deliver_local(g->cpu->apic_state, pmi.delivery, pmi.vector);
	if (!was_locked)
		bql_unlock();
	end_io(could_do_io);
	g->has_pmi = true;
}

void raise_pmi(void *context)
{
	struct Pmu *g = context;
	APICCommonState *apic = apic_of(g);

	if (!apic)
		return;
	struct refpmu_lvtpc pmi = refpmu_lvtpc(g->model, apic->lvt[APIC_LVT_PERFORM]);
	apic->lvt[APIC_LVT_PERFORM] = pmi.lvtpc;
	if (pmi.is_delivered)
		deliver(g, pmi);
}

/* ---------------------------------------------------------------------------- the extended LVT */

/* APM 2, "Extended Interrupts". Chosen: an entry has the bits that software may write of LVTPC. */
void raise_ibs(void *context, unsigned entry)
{
	struct Pmu *g = context;
	struct refpmu_lvtpc pmi = refpmu_lvtpc(g->model, g->extended_lvt[entry % 4]);

	if (pmi.is_delivered && apic_of(g))
		deliver(g, pmi);
}

static bool has_extended_lvt(CPUX86State *env)
{
	return env->pmu && env->pmu->has_ibs;
}

bool pmu_apic_read(CPUX86State *env, int index, uint32_t *value)
{
	if (!has_extended_lvt(env) || (index != EXTENDED_FEATURE && index < EXTENDED_LVT))
		return false;
	*value = index == EXTENDED_FEATURE ? 4 << LVTS_IN_FEATURE
	                                   : env->pmu->extended_lvt[index - EXTENDED_LVT];
	return true;
}

bool pmu_apic_write(CPUX86State *env, int index, uint32_t value)
{
	if (!has_extended_lvt(env))
		return false;
	env->pmu->extended_lvt[index - EXTENDED_LVT] = value & LVT_BITS;
	return true;
}

/* ---------------------------------------------------------------------------- guest memory */

/* Returns the host's address of a byte of RAM, or NULL if an access with the rights of CPL 0 would
 * fault; finds out how many of the bytes from there are on its page. */
static void *host_of(struct Pmu *g, uint64_t linear, size_t size, bool is_write, size_t *part)
{
	CPUX86State *env = &g->cpu->env;
	void *host = NULL;

	*part = MIN(size, TARGET_PAGE_SIZE - (linear & ~TARGET_PAGE_MASK));
	probe_access_flags(env, linear, *part, is_write ? MMU_DATA_STORE : MMU_DATA_LOAD,
	                   cpu_mmu_index_kernel(env), true, &host, 0);
	return host;
}

static bool is_allowed(struct Pmu *g, uint64_t linear, size_t size, bool is_write)
{
	for (size_t part; size; size -= part, linear += part)
		if (!host_of(g, linear, size, is_write, &part))
			return false;
	return true;
}

bool read_memory(void *context, uint64_t linear, void *bytes, size_t size)
{
	if (!is_allowed(context, linear, size, false))
		return false;
	for (size_t part; size; size -= part, linear += part, bytes += part) {
		const void *host = host_of(context, linear, size, false, &part);

		memcpy(bytes, host, part);
	}
	return true;
}

bool write_memory(void *context, uint64_t linear, const void *bytes, size_t size)
{
	if (!is_allowed(context, linear, size, true))
		return false;
	for (size_t part; size; size -= part, linear += part, bytes += part) {
		void *host = host_of(context, linear, size, true, &part);

		memcpy(host, bytes, part);
	}
	return true;
}

void read_registers(void *context, bool with_xmm, struct refpmu_registers *r)
{
	struct Pmu *g = context;
	CPUX86State *env = &g->cpu->env;

	r->tsc = pmu_tsc(env) + env->tsc_offset;
	r->is_ia32e = env->efer & MSR_EFER_LMA;
	r->flags = cpu_compute_eflags(env);
	for (unsigned i = 0; i < 16; i++) {
		r->general[i] = r->is_ia32e ? env->regs[i] : i < 8 ? (uint32_t)env->regs[i] : 0;
		for (unsigned half = 0; with_xmm && half < 2; half++)
			r->xmm[i][half] = env->xmm_regs[i].ZMM_Q(half);
	}
}

/* As a triple fault, which QEMU answers with a reset. */
void shut_down(void *context)
{
	qemu_system_reset_request(SHUTDOWN_CAUSE_GUEST_RESET);
}

bool find_page(void *context, uint64_t linear, uint64_t *physical, unsigned *bits)
{
	CPUX86State *env = &((struct Pmu *)context)->cpu->env;
	CPUTLBEntryFull *full;
	void *host;

	if (probe_access_full_mmu(env, linear, 0, MMU_DATA_LOAD, cpu_mmu_index_kernel(env), &host,
	                          &full) & TLB_INVALID_MASK)
		return false;
	*physical = full->phys_addr | (linear & ~TARGET_PAGE_MASK);
	*bits = full->lg_page_size;
	return true;
}
