/* SPDX-License-Identifier: MIT */
/* What the engine does for the PMU: detect it, describe it, reset it around every test. */
#include <pmu/pmu.h>

#include <kernel/console.h>
#include <kernel/engine.h>
#include <kernel/machine.h>

static struct pmu pmu;

const struct pmu *pmu_get(void) { return &pmu; }

static void reset_register(const struct pmu *p, const struct pmu_register *r)
{
	unsigned count = pmu_register_count(p, r);

	for (unsigned i = 0; i < count && !r->is_read_only; i++)
		msr_try_write(r->msr + i, 0);
}

/* Where the registers are not there, touching them 100 times a test proves nothing. */
static void reset(void)
{
	if (pmu.state != PMU_IS_DEAD && pmu.state != PMU_COUNTS)
		return;
	for (unsigned i = 0; i < pmu.class->register_count; i++)
		reset_register(&pmu, &pmu.class->registers[i]);
}

static void init(void)
{
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
	.init = init, .describe = describe, .reset = reset, .verdict = verdict,
};
ENGINE_HOOKS(pmu_hooks);
