/* SPDX-License-Identifier: MIT */
/* LINK: pmu/events/intel_events.c build/intel_events.c pmu/events/packed_events.c */
/* LINK: pmu/events/event_text.c pmu/core/microarchitecture.c kernel/lib/format.c */
/* Intel's events by name, as the kernels have them packed. Source: Intel's lists of events. */
#include <pmu/events/intel_events.h>

#include <stdio.h>

#include <arch/regs/table.h>
#include <tests/unit/pmu/event_spec_machine.h>
#include <tests/unit/unit.h>

static void be_intel(uint32_t model, unsigned counters)
{
	static const struct pmu_class arch = { .microarchitecture = microarchitecture_of_arch };

	choice_be(&arch, 6, model, counters);
}

static const struct { uint32_t model; const char *name; unsigned least; } cpus[] = {
	{ 0x17, "Core2", 300 },     { 0x1c, "Bonnell", 200 },      { 0x37, "Silvermont", 50 },
	{ 0x5c, "Goldmont", 60 },   { 0x86, "Tremont", 100 },      { 0xbe, "Gracemont", 150 },
	{ 0x1e, "Nehalem", 250 },   { 0x25, "Westmere", 250 },     { 0x2a, "SandyBridge", 250 },
	{ 0x3a, "IvyBridge", 250 }, { 0x3c, "Haswell", 300 },      { 0x3d, "Broadwell", 300 },
	{ 0x5e, "Skylake", 250 },   { 0x55, "SkylakeX", 280 },     { 0x7e, "IceLake", 230 },
	{ 0x8c, "TigerLake", 230 }, { 0x8f, "SapphireRapids", 300 }, { 0x97, "GoldenCove", 270 },
	{ 0xc6, "LionCove", 270 },
};

UNIT_TEST(processors_are_known_by_model)
{
	for (unsigned i = 0; i < COUNT_OF(cpus); i++) {
		be_intel(cpus[i].model, 4);
		check_str("processor", intel_processor_name(), cpus[i].name);
		check_true(cpus[i].name, intel_event_at(cpus[i].least) != NULL);
	}
	be_intel(0x01, 4);
	check_str("none", intel_processor_name(), "");
	check_true("none", !intel_event_at(0));
}

UNIT_TEST(each_event_is_found_by_its_name)
{
	const struct intel_row *e;
	char name[INTEL_NAME_SIZE];

	for (unsigned i = 0; i < COUNT_OF(cpus); i++) {
		be_intel(cpus[i].model, 4);
		for (unsigned n = 0; (e = intel_event_at(n)) != NULL; n++) {
			const struct intel_row *found = intel_event_find(intel_event_name(e, name));

			check_true(name, found && found->code == e->code);
		}
	}
}

UNIT_TEST(a_name_means_another_code_on_another_processor)
{
	be_intel(0x1e, 4);
	check_eq_u64("Nehalem", intel_event_find("itlb_misses.any")->umask, 0x01);
	check_eq_u64("Nehalem", intel_event_find("mem_inst_retired.loads")->code, 0x0b);
	check_true("Skylake has it",
	           !intel_event_exists(intel_event_find("MEM_INST_RETIRED.ALL_LOADS")));
	check_true("no part of a name", !intel_event_find("MEM_INST_RETIRED"));
	check_true("nothing has it", !intel_event_find("NO_SUCH.EVENT"));
}

UNIT_TEST(an_event_has_its_comparison_counters_and_register)
{
	const struct intel_row *e;

	be_intel(0x3c, 8);
	e = intel_event_find("UOPS_RETIRED.STALL_CYCLES");
	check_eq_u64("CMASK", intel_event_setup(e, 1, PMU_BOTH).cmask, 1);
	check_eq_u64("flags", intel_event_setup(e, 1, PMU_BOTH).flags, PMU_BOTH | PMU_INV);
	check_true("by its bits", intel_event_of(0x018001c2) == e);
	e = intel_event_find("L1D_PEND_MISS.PENDING");
	check_eq_u64("counter 2", intel_event_counters(e), 4);
	e = intel_event_find("MEM_TRANS_RETIRED.LOAD_LATENCY_GT_4");
	check_eq_u64("MSR", intel_event_msr(e)->number, 0x3f6);
	check_eq_u64("threshold", intel_event_msr(e)->value, 4);
	e = intel_event_find("MEM_UOPS_RETIRED.SPLIT_LOADS");
	check_str("errata", intel_event_errata(e), "HSD29 HSM30");
	check_true("no MSR", !intel_event_msr(e));
}

UNIT_MAIN()
