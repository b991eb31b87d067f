/* SPDX-License-Identifier: MIT */
/* What the engine does for the PMU: detect it, describe it, reset it around every test. */
#include <pmu/pmu.h>

#include <arch/regs/perfmon.h>
#include <kernel/console.h>
#include <kernel/engine.h>
#include <kernel/format.h>
#include <kernel/machine.h>
#include <pmu/driver.h>
#include <pmu/events.h>
#include <pmu/netburst.h>
#include <pmu/pmi.h>
#include <pmu/workload.h>

/* A test may have set them; firmware sets FREEZE_WHILE_SMM on some machines. */
#define FREEZE_BITS (IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI | IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI \
                     | IA32_DEBUGCTL_FREEZE_WHILE_SMM)

static void reset_debugctl(void)
{
	uint64_t value;

	if (pmu_get()->state != PMU_COUNTS || pmu_get()->version < 2
	    || is_fault(msr_try_read(IA32_DEBUGCTL, &value)))
		return;
	if (value & FREEZE_BITS)
		msr_try_write(IA32_DEBUGCTL, value & ~FREEZE_BITS);
}

/*
 * LVTPC first: what the reset itself lets overflow is nobody's. The arena is taken before the first
 * test: not while something counts, and not before every processor has got what it needs to run.
 */
static void reset(void)
{
	pmu_workload_take_arena();
	pmi_stop();
	reset_debugctl();
	pmu_reset();
}

static const char *problem(const struct cmdline *words)
{
	static char text[128];
	int size;

	if (!words->uarch || pmu_class_find(words->uarch))
		return NULL;
	size = format_buf(text, sizeof(text), "uarch=%s: not a PMU that is known:", words->uarch);
	for (unsigned i = 0; i < pmu_class_count && (size_t)size < sizeof(text); i++)
		if (pmu_classes[i].word)
			size += format_buf(text + size, sizeof(text) - (size_t)size, " %s",
			                   pmu_classes[i].word);
	return text;
}

/* Its registers are the core's, not the thread's. */
static bool runs_alone(void)
{
	return pmu_get()->class->generation == PMU_NETBURST && netburst_has_threads();
}

static void init(const struct cmdline *words)
{
	pmu_program_init(words->is_exact);
	pmu_detect(machine_cpu(), words->uarch ? pmu_class_find(words->uarch) : NULL);
}

/* Of the manual's table of this generation's events, if there is one. */
static void describe_events(void)
{
	unsigned count, here = 0;
	const struct pmu_event *table = pmu_event_table(&count);

	for (unsigned i = 0; i < count; i++)
		here += pmu_event_exists(&table[i]);
	if (count)
		print("# events: this processor has %u of the table's %u\n", here, count);
}

static void describe(void)
{
	const struct pmu *p = pmu_get();

	print("# pmu: %s", p->class->name);
	if (p->version)
		print(", version %u", p->version);
	if (p->gp_count)
		print(", %u counters of %u bits", p->gp_count, p->gp_width);
	if (p->fixed_map)
		print(", fixed counters %XH of %u bits", p->fixed_map, p->fixed_width);
	print("\n# driver: %s, because: %s\n", p->class->name, p->because);
	describe_events();
}

static const char *verdict(void)
{
	return pmu_get()->verdict;
}

static const struct engine_hooks pmu_hooks = {
	.name = "pmu verdict",
	.problem = problem, .init = init, .describe = describe, .reset = reset,
	.runs_alone = runs_alone,
	.left_running = pmu_running, .verdict = verdict,
};
ENGINE_HOOKS(pmu_hooks);
