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

static struct {
	uint32_t size;
	uint8_t *bytes;                 /* the library's */
	uint32_t own_size;
	uint8_t *own;                   /* the glue's, of each processor */
} saved;

static unsigned count(void)
{
	unsigned n = 0;

	while (n < PMU_CPUS && pmus[n])
		n++;
	return n;
}

static void restore_own(struct Pmu *g, const uint8_t *own)
{
	memcpy(g, own, PMU_SAVED_BYTES);
	g->has_pmi = g->injects = false;
	g->cpu->env.pmu_flag = g->view->is_watched ? HF_PMU_MASK : 0;
	g->cpu->env.pmu_taken = g->is_jump_taken;
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
	saved.own_size = cpus * PMU_SAVED_BYTES;
	saved.own = g_malloc(saved.own_size);
	for (unsigned n = 0; n < cpus; n++) {
		pmus[n]->is_jump_taken = pmus[n]->cpu->env.pmu_taken;
		memcpy(saved.own + n * PMU_SAVED_BYTES, pmus[n], PMU_SAVED_BYTES);
	}
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
	bool is_other = saved.own_size != cpus * PMU_SAVED_BYTES;
	const char *why = refusal(is_other ? REFPMU_OTHER_MACHINE
	                          : refpmu_restore(pmu_machine, saved.bytes, saved.size));

	if (why) {
		error_report("refpmu: the PMU's state cannot be restored: %s", why);
		return -EINVAL;
	}
	noted_changes = machine_view->changes;
	for (unsigned n = 0; n < cpus; n++) {
		restore_own(pmus[n], saved.own + n * PMU_SAVED_BYTES);
		if (pmus[n]->is_asleep)
			overflow_is_due(pmus[n]);
	}
	return 0;
}

static const VMStateDescription description = {
	.name = "refpmu",
	.version_id = 3,                /* a change of struct Pmu or struct refpmu_insn adds one */
	.minimum_version_id = 3,
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

	QEMU_BUILD_BUG_ON(offsetof(struct Pmu, is_active) != 98);       /* qemu-snapshots.t */
	qemu_add_machine_init_done_notifier(&notifier);
}
