/* SPDX-License-Identifier: MIT */
/* Connects the PMU with the engine: detects it, describes it, resets it around every test. */
#include <pmu/core/pmu.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/amd.h>
#include <arch/regs/lbr.h>
#include <arch/regs/perfmon.h>
#include <arch/smp/smp.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
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
#include <pmu/sampling/lbr_stack.h>
#include <pmu/sampling/pebs.h>
#include <pmu/workload/workload.h>

/*
 * The bits that a test may have set in IA32_DEBUGCTL, which has the same address as NetBurst's
 * MSR_DEBUGCTLA and P6's DebugCtlMSR; firmware sets FREEZE_WHILE_SMM on some machines. bts are the
 * bits that make the processor write branch records to memory.
 */
#define FREEZE_BITS (IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI | IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI \
                     | IA32_DEBUGCTL_FREEZE_WHILE_SMM)
#define ARCH_BITS   (IA32_DEBUGCTL_LBR | IA32_DEBUGCTL_BTF | IA32_DEBUGCTL_TR | IA32_DEBUGCTL_BTS \
                     | IA32_DEBUGCTL_BTINT | IA32_DEBUGCTL_BTS_OFF_OS | IA32_DEBUGCTL_BTS_OFF_USR)

static const struct debugctl {
	enum pmu_generation generation;
	unsigned version;              /* of architectural performance monitoring, at least */
	uint64_t mine, bts;
} debugctls[] = {
	{ PMU_ARCH, 2, ARCH_BITS | FREEZE_BITS, IA32_DEBUGCTL_TR | IA32_DEBUGCTL_BTS },
	{ PMU_ARCH, 0, ARCH_BITS, IA32_DEBUGCTL_TR | IA32_DEBUGCTL_BTS },
	{ PMU_NETBURST, 0, FIELD(6, 0), MSR_DEBUGCTLA_TR | MSR_DEBUGCTLA_BTS },
	{ PMU_P6, 0, IA32_DEBUGCTL_LBR | IA32_DEBUGCTL_BTF, 0 },
};

/*
 * Returns the row of this PMU and the register's value, or NULL if the register must not be
 * touched.
 */
static const struct debugctl *find_debugctl(uint64_t *value)
{
	const struct pmu *p = pmu_get();

	if (p->state != PMU_COUNTS)
		return NULL;
	for (size_t i = 0; i < sizeof(debugctls) / sizeof(debugctls[0]); i++)
		if (debugctls[i].generation == p->class->generation
		    && p->version >= debugctls[i].version)
			return is_fault(msr_try_read(IA32_DEBUGCTL, value)) ? NULL : &debugctls[i];
	return NULL;
}

static void reset_debugctl(void)
{
	uint64_t value;
	const struct debugctl *d = find_debugctl(&value);

	if (d && value & d->mine)
		msr_try_write(IA32_DEBUGCTL, value & ~d->mine);
	if (cpuid_get(CPUID_ARCH_LBR) && !is_fault(msr_try_read(IA32_LBR_CTL, &value)) && value)
		msr_try_write(IA32_LBR_CTL, 0);
}

/* Stops what writes to memory before it removes the memory. */
static void reset_sampling(void)
{
	pebs_reset();
	reset_debugctl();
	lbr_stop();
	ds_tear_down();
}

static const char *left_running(void)
{
	static char text[80];
	uint64_t value;
	const struct debugctl *d = find_debugctl(&value);

	if (pebs_running())
		return pebs_running();
	if (!d || !d->bts || (value & d->bts) != d->bts)
		return pmu_running();
	format_buf(text, sizeof(text), "IA32_DEBUGCTL = %" PRIX64 "H: BTS was left on", value);
	return text;
}

/* Firmware or Linux may have turned AMD's counter of instructions on. */
static void reset_irperf(void)
{
	uint64_t hwcr;

	if (pmu_get()->class->generation == PMU_AMD_CORE && cpuid_get(CPUID_IRPERF)
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
	return pmu_get()->class->generation == PMU_NETBURST && netburst_has_threads();
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
	return p->state == PMU_IS_ABSENT || (is_not_there && p->class->generation != PMU_ARCH)
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
