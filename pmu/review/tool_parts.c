/* SPDX-License-Identifier: MIT */
/* The rows of the page about what is hidden, and the tools that people use. */
#include <pmu/review/review_parts.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/amd.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/machine/machine.h>
#include <kernel/run/test.h>
#include <pmu/core/microarchitecture.h>
#include <pmu/core/pmi.h>
#include <pmu/core/pmu.h>
#include <pmu/events/presets.h>
#include <pmu/sampling/ds.h>
#include <pmu/sampling/pebs.h>
#include <pmu/workload/workload.h>

enum { ROUNDS = 1000, TRIES = 16, PERIOD = 1000 };

/* ---------------------------------------------------------------------------- what is hidden */

/* Says each architectural event that CPUID reports as missing. */
static unsigned tell_missing_events(struct review_part *part)
{
	static const struct { uint16_t event; const char *name; } events[] = {
		{ EVENT_UNHALTED_CORE_CYCLES, "core cycles" },
		{ EVENT_INSTRUCTIONS_RETIRED, "instructions" },
		{ EVENT_UNHALTED_REFERENCE_CYCLES, "reference cycles" },
		{ EVENT_LLC_REFERENCE, "LLC references" }, { EVENT_LLC_MISSES, "LLC misses" },
		{ EVENT_BRANCH_INSTR_RETIRED, "branches" },
		{ EVENT_BRANCH_MISSES_RETIRED, "branch misses" },
	};
	unsigned missing = 0;

	if (!pmu_has(PMU_HAS_LEAF_0AH) || pmu_get()->state != PMU_COUNTS)
		return 0;
	for (unsigned i = 0; i < COUNT_OF(events); i++)
		if (!pmu_has_event(events[i].event))
			part_say(part, "%s%s", missing++ ? ", " : "CPUID.0AH:EBX hides ",
			         events[i].name);
	return missing;
}

void tell_hidden(struct review_part *part)
{
	const char *name = machine_cpu()->hypervisor;
	const unsigned missing = tell_missing_events(part);

	if (pmu_has(PMU_IS_HIDDEN))
		part_say(part, "CPUID.0AH:EAX[7:0] = 0 on a processor that has a PMU");
	else if (!missing)
		part_say(part, "nothing that CPUID would show");
	part_say(part, name[0] ? "; hypervisor %s" : "; no hypervisor", name);
}

/* ---------------------------------------------------------------------------- tools */

/* Says why there is no count of this preset, and returns false, unless there is one. */
static bool counts(struct review_part *part, const char *preset)
{
	const char *why;
	int64_t value;

	if (!preset_value(preset, &workload_loop, ROUNDS, &value, &why)) {
		part_say(part, "no: %s: %s", preset, why);
		return false;
	}
	if (value <= 0)
		part_say(part, "no: %s counts nothing", preset);
	return value > 0;
}

void tell_perf_stat(struct review_part *part)
{
	if (part_counts(part) && counts(part, "PAPI_TOT_CYC")
	    && counts(part, "PAPI_TOT_INS"))
		part_say(part, "yes, %u counters at a time", instruction_counters());
}

void tell_perf_record(struct review_part *part)
{
	const char *why;

	if (!part_counts(part))
		return;
	why = pmi_trouble();
	if (why) {
		part_say(part, "no: %s", why);
		return;
	}
	if (!ibs_trouble()) {
		part_say(part, "yes, by interrupts, and precise (cycles:pp, ibs_op//) by IBS");
		return;
	}
	why = ds_unavailable() ? ds_unavailable() : pebs_unavailable();
	part_say(part, why ? "yes, by interrupts; not precise (:pp): %s"
	                   : "yes, precise (:pp), too", why);
}

/* Of AMD's processors rr knows Zen's and, by another event, models 30H to 3FH of family 15H. */
static bool is_zen(void)
{
	const struct cpu_identity *cpu = machine_cpu();

	return cpu->vendor == VENDOR_AMD && cpu->family >= 0x17;
}

/* Says what rr asks its users to set on Zen, because locked code that is executed ahead of time,
 * and taken back, is counted otherwise (rr's wiki, "Zen"). */
static const char *condition(void)
{
	uint64_t value = 0;

	if (!is_zen() || is_fault(msr_try_read(LS_CFG, &value))
	    || (value & LS_CFG_NO_SPEC_LOCK_MAP))
		return "";
	return "; it wants bit 54 of C0011020H set";
}

/*
 * rr needs a processor that it knows, an exact count of conditional branches, and an interrupt
 * after N. A round of the calls has one such branch of three.
 */
void tell_rr(struct review_part *part)
{
	const char *why;
	int64_t value;

	if (!part_counts(part))
		return;
	if (!(pmu_microarchitecture() & (PMU_ON_NEHALEM | PMU_ON_SINCE_SNB)) && !is_zen()) {
		part_say(part, "no: it knows Intel's processors from Nehalem on, AMD's from Zen "
		               "on");
		return;
	}
	why = pmi_trouble();
	if (!why && preset_value("PAPI_BR_CN", &workload_call, ROUNDS, &value, &why)) {
		part_say(part, "%s: %d conditional branches are counted as %d%s",
		         value == ROUNDS ? "yes" : "no", ROUNDS, (int)value, condition());
		return;
	}
	part_say(part, "no: %s", why);
}

void tell_papi(struct review_part *part)
{
	unsigned here = 0;
	const char *why;

	if (!part_counts(part))
		return;
	for (unsigned i = 0; i < pmu_preset_count; i++)
		here += pmu_preset_here(&pmu_presets[i], &why) != NULL;
	part_say(part, "%u of the %u presets have an event here", here, pmu_preset_count);
}
