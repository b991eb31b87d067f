/* SPDX-License-Identifier: MIT */
/* What the engine does for the PMU: detect it, describe it, reset it around every test. */
#include <pmu/pmu.h>

#include <arch/regs/perfmon.h>
#include <kernel/console.h>
#include <kernel/engine.h>
#include <kernel/machine.h>
#include <pmu/driver.h>
#include <pmu/pmi.h>

static struct pmu pmu;

const struct pmu *pmu_get(void) { return &pmu; }

/* A test may have set them; firmware sets FREEZE_WHILE_SMM on some machines. */
#define FREEZE_BITS (IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI | IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI \
                     | IA32_DEBUGCTL_FREEZE_WHILE_SMM)

static void reset_debugctl(void)
{
	uint64_t value;

	if (pmu.state != PMU_COUNTS || pmu.version < 2
	    || is_fault(msr_try_read(IA32_DEBUGCTL, &value)))
		return;
	if (value & FREEZE_BITS)
		msr_try_write(IA32_DEBUGCTL, value & ~FREEZE_BITS);
}

/* LVTPC first: what the reset itself lets overflow is nobody's. */
static void reset(void)
{
	pmi_stop();
	reset_debugctl();
	pmu_reset();
}

static void init(const struct cmdline *words)
{
	pmu_program_init(words->is_exact);
	pmu_detect(&pmu, machine_cpu());
}

static void describe(void)
{
	print("# pmu: %s", pmu.class->name);
	if (pmu.version)
		print(", version %u", pmu.version);
	if (pmu.gp_count)
		print(", %u counters of %u bits", pmu.gp_count, pmu.gp_width);
	if (pmu.fixed_map)
		print(", fixed counters %XH of %u bits", pmu.fixed_map, pmu.fixed_width);
	print("\n# driver: %s, because: %s\n", pmu.class->name, pmu.class->because);
}

static const char *verdict(void)
{
	return pmu.verdict;
}

static const struct engine_hooks pmu_hooks = {
	.name = "pmu verdict",
	.init = init, .describe = describe, .reset = reset,
	.left_running = pmu_running, .verdict = verdict,
};
ENGINE_HOOKS(pmu_hooks);
