/* SPDX-License-Identifier: MIT */
/*
 * Snapshots: the library's string of bytes, and of each processor what the glue knows alone. The
 * model is restored after the processors, because it is registered after them.
 */
#include "tcg_glue.h"
#include "qemu/error-report.h"
#include "qemu/timer.h"
#include "migration/vmstate.h"
#include "migration/register.h"
#include "system/system.h"
#include "tcg_snapshots.h"

static struct {
	uint32_t size;
	uint8_t *bytes;                 /* the library's */
	uint32_t own_size;
	uint8_t *own;                   /* the glue's: a struct Own for each processor */
} saved;

/* Numbers only, so that other versions of the glue can read them. */
struct Own {
	uint64_t ip, next_ip, traits, code_base, code_base_after, stack, left_ip, tsc, clock_cycles;
	uint64_t linear, physical, reported_ticks;
	uint32_t access_size, info, extended_lvt[4];
	uint8_t length, cpl, branch, is_taken, segments, breakpoints, is_if_clear;
	uint8_t is_interrupt_pending, is_pending, was_vm86, is_in_guest, is_active, is_asleep;
	uint8_t access_kind, is_cacheable, is_jump_taken;
};

static unsigned count(void)
{
	unsigned n = 0;

	while (n < PMU_CPUS && pmus[n])
		n++;
	return n;
}

static struct Own own_of(const struct Pmu *g)
{
	const struct refpmu_insn *i = &g->insn;
	struct Own own = {
		i->ip, i->next_ip, i->traits, i->code_base, i->code_base_after, g->stack,
		g->left_ip, g->tsc, g->clock_cycles, g->access.linear, g->access.physical,
		g->reported_ticks, g->access.size, g->info, { 0 }, i->length, i->cpl, i->branch,
		i->is_taken, i->segments, i->breakpoints, i->is_if_clear, i->is_interrupt_pending,
		g->is_pending, g->was_vm86, g->is_in_guest, g->is_active, g->is_asleep,
		g->access.kind, g->access.is_cacheable, g->cpu->env.pmu_taken != 0
	};

	memcpy(own.extended_lvt, g->extended_lvt, sizeof(own.extended_lvt));
	return own;
}

static void restore_own(struct Pmu *g, const struct Own *o)
{
	g->insn = (struct refpmu_insn){
		o->ip, o->next_ip, o->traits, o->length, o->cpl, o->cpl, o->branch, o->is_taken,
		o->segments, o->breakpoints, o->is_if_clear, o->is_interrupt_pending, o->code_base,
		o->code_base_after
	};
	g->access = (struct Access){ o->linear, o->physical, o->access_size, o->access_kind,
	                             o->is_cacheable };
	g->stack = o->stack, g->left_ip = o->left_ip, g->info = o->info;
	g->tsc = o->tsc, g->clock_cycles = o->clock_cycles;
	g->is_pending = o->is_pending, g->was_vm86 = o->was_vm86, g->is_in_guest = o->is_in_guest;
	g->is_active = o->is_active, g->is_asleep = o->is_asleep;
	g->reported_ticks = o->reported_ticks;
	g->has_pmi = g->injects = false;
	memcpy(g->extended_lvt, o->extended_lvt, sizeof(g->extended_lvt));
	g->cpu->env.pmu_flag = g->view->is_watched ? HF_PMU_MASK : 0;
	g->cpu->env.pmu_taken = o->is_jump_taken;
	timer_del(g->timer);            /* of the run that the snapshot replaces */
}

static int before_saving(void *opaque)
{
	unsigned cpus = count();

	for (unsigned n = 0; n < cpus; n++)
		refpmu_end_run(pmus[n]->model);
	g_free(saved.bytes);
	g_free(saved.own);
	saved.size = refpmu_save_size(pmu_machine);
	saved.bytes = g_malloc(saved.size);
	refpmu_save(pmu_machine, saved.bytes, saved.size);
	saved.own_size = cpus * sizeof(struct Own);
	saved.own = g_malloc(saved.own_size);
	for (unsigned n = 0; n < cpus; n++)
		((struct Own *)saved.own)[n] = own_of(pmus[n]);
	return 0;
}

static const char *refusal(enum refpmu_restored result)
{
	return result == REFPMU_OTHER_VERSION ? "it was saved by another version of the library" :
	       result == REFPMU_OTHER_MACHINE ? "it was saved on other processors" :
	       result == REFPMU_DAMAGED ? "it is damaged" : NULL;
}

static int after_loading(void *opaque, int version)
{
	unsigned cpus = count();
	bool is_other = saved.own_size != cpus * sizeof(struct Own);
	const char *why = refusal(is_other ? REFPMU_OTHER_MACHINE
	                          : refpmu_restore(pmu_machine, saved.bytes, saved.size));

	if (why) {
		error_report("refpmu: the PMU's state cannot be restored: %s", why);
		return -EINVAL;
	}
	noted_changes = machine_view->changes;
	for (unsigned n = 0; n < cpus; n++) {
		restore_own(pmus[n], (const struct Own *)saved.own + n);
		if (pmus[n]->is_asleep)
			overflow_is_due(pmus[n]);
	}
	return 0;
}

static const VMStateDescription description = {
	.name = "refpmu",
	.version_id = 2,
	.minimum_version_id = 2,
	.pre_save = before_saving,
	.post_load = after_loading,
	.fields = (const VMStateField[]){
		VMSTATE_UINT32(size, typeof(saved)),
		VMSTATE_VBUFFER_ALLOC_UINT32(bytes, typeof(saved), 0, NULL, size),
		VMSTATE_UINT32(own_size, typeof(saved)),
		VMSTATE_VBUFFER_ALLOC_UINT32(own, typeof(saved), 0, NULL, own_size),
		VMSTATE_END_OF_LIST()
	}
};

static void machine_is_complete(Notifier *notifier, void *data)
{
	vmstate_register(NULL, 0, &description, &saved);
}

void register_snapshots(void)
{
	static Notifier notifier = { .notify = machine_is_complete };

	qemu_add_machine_init_done_notifier(&notifier);
}
