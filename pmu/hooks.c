/* SPDX-License-Identifier: MIT */
/* Connects the PMU with the engine: detects it, describes it, resets it around every test. */
#include <pmu/core/pmu.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/amd.h>
#include <arch/regs/lbr.h>
#include <arch/regs/perfmon.h>
#include <arch/smp/kinds.h>
#include <arch/smp/smp.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/ranges.h>
#include <kernel/machine/machine.h>
#include <kernel/run/engine.h>
#include <pmu/core/dangers.h>
#include <pmu/core/errata.h>
#include <pmu/core/pmi.h>
#include <pmu/core/program.h>
#include <pmu/core/stuck_status.h>
#include <pmu/drivers/classes.h>
#include <pmu/events/events.h>
#include <pmu/events/netburst_pmu.h>
#include <pmu/sampling/ds.h>
#include <pmu/sampling/ibs.h>
#include <pmu/sampling/lbr_stack.h>
#include <pmu/sampling/pebs.h>
#include <pmu/workload/workload.h>

/*
 * Returns true if a test may have set bits of IA32_DEBUGCTL, which has the same address as
 * NetBurst's MSR_DEBUGCTLA and P6's DebugCtlMSR. Reads its value.
 */
static bool has_debugctl(uint64_t *value)
{
	return pmu_get()->state == PMU_COUNTS && pmu_debugctl()
	       && !is_fault(msr_try_read(IA32_DEBUGCTL, value));
}

static void reset_debugctl(void)
{
	uint64_t value;

	if (has_debugctl(&value) && value & pmu_debugctl())
		msr_try_write(IA32_DEBUGCTL, value & ~pmu_debugctl());
	if (cpuid_get(CPUID_ARCH_LBR) && !is_fault(msr_try_read(IA32_LBR_CTL, &value)) && value)
		msr_try_write(IA32_LBR_CTL, 0);
}

/* AMD's branch records, besides those of DebugCtl; on others the register does not exist. */
static void reset_amd_branches(void)
{
	uint64_t value;

	if (pmu_has(PMU_HAS_CORE_CTLS) && !is_fault(msr_try_read(DbgExtnCfg, &value)) && value)
		msr_try_write(DbgExtnCfg, 0);
}

/* Stops what writes to memory before it removes the memory. */
static void reset_sampling(void)
{
	pebs_reset();
	ibs_reset();
	reset_debugctl();
	reset_amd_branches();
	lbr_stop();
	ds_tear_down();
}

static const char *left_running(void)
{
	static char text[80];
	const uint64_t bts = pmu_get()->class->bts;
	uint64_t value;

	if (pebs_running())
		return pebs_running();
	if (ibs_running())
		return ibs_running();
	if (!has_debugctl(&value) || !bts || (value & bts) != bts)
		return pmu_running();
	format_buf(text, sizeof(text), "IA32_DEBUGCTL = %" PRIX64 "H: BTS was left on", value);
	return text;
}

/* Firmware or Linux may have turned AMD's counter of instructions on. */
static void reset_irperf(void)
{
	uint64_t hwcr;

	if (pmu_has(PMU_HAS_CORE_CTLS) && cpuid_get(CPUID_IRPERF)
	    && !is_fault(msr_try_read(HWCR, &hwcr)) && (hwcr & HWCR_IRPERF_EN))
		msr_try_write(HWCR, hwcr & ~HWCR_IRPERF_EN);
}

/*
 * Masks LVTPC first, because the reset itself may cause overflows. Takes the arena before the first
 * test, so neither while something counts nor before every processor has what it needs to run.
 */
static void reset(void)
{
	pmu_workload_take_arena();
	pmi_stop();
	reset_sampling();
	reset_irperf();
	pmu_reset();
}

static const char *problem(const struct cmdline *words)
{
	static char text[128];
	int size;

	if (!words->uarch || pmu_class_find(words->uarch))
		return NULL;
	size = format_buf(text, sizeof(text), "uarch=%s: not a known PMU:", words->uarch);
	for (unsigned i = 0; i < pmu_class_count && (size_t)size < sizeof(text); i++)
		if (pmu_classes[i].word)
			size += format_buf(text + size, sizeof(text) - (size_t)size, " %s",
			                   pmu_classes[i].word);
	return text;
}

/* NetBurst's registers belong to the core, not to the thread. */
static bool runs_alone(void)
{
	return pmu_has(PMU_HAS_CCCRS) && netburst_has_threads();
}

static char found_running[128];        /* on the boot processor; empty: nothing */

/* Firmware, and a system that this kernel replaced, may leave counters on. */
static void stop_what_runs(void)
{
	const char *running = pmu_running();

	if (running && !smp_self())
		format_buf(found_running, sizeof(found_running), "%s", running);
	reset_irperf();
	pmu_reset();
}

static void init(const struct cmdline *words)
{
	pmu_program_init(words->is_exact);
	dangers_init(words->is_errata || words->is_exact, words->is_smi || words->is_exact);
	errata_init(!words->is_emulated && !cpuid_get(CPUID_HYPERVISOR));
	ds_init(words->is_sampling);
	pmu_detect(machine_cpu(), words->uarch ? pmu_class_find(words->uarch) : NULL);
	stop_what_runs();
	lbr_kind(NULL);                /* saves what the records hold at first */
}

/* Counts the events in the manual's table of this generation, if there is one. */
static void describe_events(void)
{
	unsigned count, here = 0;
	const struct pmu_event *table = pmu_event_table(&count);

	for (unsigned i = 0; i < count; i++)
		here += pmu_event_exists(&table[i]);
	if (count)
		print("# events: this processor has %u of the table's %u\n", here, count);
}

static void describe_one(const struct pmu *p)
{
	print("%s", p->class->name);
	if (p->version)
		print(", version %u", p->version);
	if (p->gp_count)
		print(", %u counters of %u bits", p->gp_count, p->gp_width);
	if (p->fixed_map)
		print(", fixed counters %XH of %u bits", p->fixed_map, p->fixed_width);
	print("\n");
}

/* On a hybrid there is a line for each kind besides the boot processor's. */
static void describe_kinds(void)
{
	char cpus[RANGES_SIZE];

	for (unsigned i = 0; i < kinds_count() && kinds_count() > 1; i++) {
		const struct kind *k = kind_at(i);

		print("# kind %s: cpu%s, leaf 1AH %XH: ", k->name, ranges_text(k->cpus, cpus),
		      k->core);
		describe_one(pmu_of(k->first));
	}
}

static void describe(void)
{
	const struct pmu *p = pmu_get();

	print("# pmu: ");
	describe_one(p);
	describe_kinds();
	print("# driver: %s, because: %s\n", p->class->name, p->because);
	if (found_running[0])
		print("# firmware left: %s\n", found_running);
	describe_events();
}

/* If CPUID or the user says that there is a PMU, one that faults is a failure, and no absence. */
static const char *absent(void)
{
	const struct pmu *p = pmu_get();
	const bool is_not_there = p->state == PMU_FAULTS || p->state == PMU_SWALLOWS;

	if (p->is_forced)
		return NULL;
	return p->state == PMU_IS_ABSENT || (is_not_there && !pmu_has(PMU_HAS_LEAF_0AH))
	       ? p->verdict : NULL;
}

static const char *verdict(void)
{
	return pmu_get()->verdict;
}

static const struct engine_hooks pmu_hooks = {
	.name = "pmu verdict",
	.problem = problem, .init = init, .describe = describe, .reset = reset,
	.check_reset = stuck_status_check, .was_disturbed = pmu_was_disturbed,
	.is_blind = pmu_is_blind, .unconfirmed = errata_unconfirmed,
	.danger = danger_reason, .erratum = erratum_of, .runs_alone = runs_alone,
	.left_running = left_running, .absent = absent, .verdict = verdict,
};
ENGINE_HOOKS(pmu_hooks);

static const struct engine_hooks errata_hooks = { .name = "errata", .verdict = errata_seen };
ENGINE_HOOKS(errata_hooks);
