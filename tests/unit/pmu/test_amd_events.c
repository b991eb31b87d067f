/* SPDX-License-Identifier: MIT */
/* LINK: pmu/events/amd_events.c build/amd_events.c pmu/events/event_text.c */
/* LINK: pmu/events/packed_events.c */
/* LINK: pmu/core/microarchitecture.c kernel/lib/format.c */
/*
 * AMD's events by name, as the kernels have them packed. Sources: AMD's lists of events; Linux,
 * events/amd/core.c, for the counters of family 15H.
 */
#include <pmu/events/amd_events.h>

#include <stdio.h>

#include <arch/regs/table.h>
#include <tests/unit/pmu/event_spec_machine.h>
#include <tests/unit/unit.h>

static void be_amd(uint32_t family, uint32_t model)
{
	static const struct pmu_class amd = { .microarchitecture = microarchitecture_of_amd };

	choice_be(&amd, family, model, family >= 0x15 && family != 0x16 ? 6 : 4);
}

#define WRONG 0x100u

static unsigned bits_of(const char *event, const char *mask)
{
	const struct amd_row *e = amd_event_find(event);
	uint8_t bits = 0;

	return e && amd_event_exists(e) && amd_event_mask(e, mask, &bits) ? bits : WRONG;
}

UNIT_TEST(processors_are_known_by_family_and_model)
{
	static const struct { uint32_t family, model; const char *name; } cpus[] = {
		{ 0x06, 0x0a, "K7" },    { 0x0f, 0x48, "K8" },    { 0x10, 0x02, "10H" },
		{ 0x11, 0x03, "11H" },   { 0x12, 0x01, "12H" },   { 0x14, 0x01, "14H" },
		{ 0x15, 0x60, "15H" },   { 0x16, 0x30, "16H" },   { 0x17, 0x01, "Zen" },
		{ 0x17, 0x18, "Zen" },   { 0x17, 0x31, "Zen2" },  { 0x17, 0x71, "Zen2" },
		{ 0x18, 0x00, "Zen" },   { 0x19, 0x01, "Zen3" },  { 0x19, 0x21, "Zen3" },
		{ 0x19, 0x50, "Zen3" },  { 0x19, 0x11, "Zen4" },  { 0x19, 0x61, "Zen4" },
		{ 0x19, 0xa0, "Zen4" },  { 0x1a, 0x44, "Zen5" },
	};

	for (unsigned i = 0; i < COUNT_OF(cpus); i++) {
		be_amd(cpus[i].family, cpus[i].model);
		check_str("processor", amd_processor_name(), cpus[i].name);
		check_true(cpus[i].name, amd_event_at(0) != NULL);
	}
}

UNIT_TEST(each_event_is_found_by_its_name_and_each_mask_by_its_own)
{
	const char *mask;
	uint8_t bits;

	for (uint32_t family = 6; family <= 0x1a; family++) {
		const struct amd_row *e;

		be_amd(family, 1);
		for (unsigned n = 0; (e = amd_event_at(n)) != NULL; n++) {
			const struct amd_row *found = amd_event_find(amd_event_name(e));

			check_eq_u64(amd_event_name(e), found && found->code == e->code, 1);
			for (unsigned i = 0; (mask = amd_event_mask_at(e, i, &bits)); i++) {
				uint8_t named = 0;

				check_true(mask, amd_event_mask(e, mask, &named));
				check_eq_u64(mask, named, bits);
			}
		}
	}
}

UNIT_TEST(a_name_means_another_code_on_another_processor)
{
	be_amd(0x0f, 0x48);
	check_eq_u64("K8", amd_event_find("DATA_CACHE_REFILLS")->code, 0x42);
	check_eq_u64("K8", amd_event_find("data_cache_refills")->code, 0x42);
	be_amd(0x17, 1);
	check_eq_u64("Zen", amd_event_find("DATA_CACHE_REFILLS")->code, 0x43);
	check_true("only 10H and 12H have it",
	           !amd_event_exists(amd_event_find("LFENCE_INST_RETIRED")));
	check_true("nothing has it", !amd_event_find("NO_SUCH_EVENT"));
}

UNIT_TEST(masks_are_bits_that_join)
{
	be_amd(0x0f, 0x48);
	check_eq_u64("one", bits_of("SEGMENT_REGISTER_LOADS", "FS"), 0x10);
	check_eq_u64("two", bits_of("SEGMENT_REGISTER_LOADS", "ES+DS"), 0x09);
	check_eq_u64("all", bits_of("SEGMENT_REGISTER_LOADS", NULL), 0x7f);
	check_eq_u64("unknown", bits_of("SEGMENT_REGISTER_LOADS", "ES+XS"), WRONG);
	check_eq_u64("a part of a name", bits_of("SEGMENT_REGISTER_LOADS", "E"), WRONG);
	check_eq_u64("no mask", bits_of("RETIRED_INSTRUCTIONS", NULL), 0);
	check_eq_u64("no mask", bits_of("RETIRED_INSTRUCTIONS", "ANY"), WRONG);
}

UNIT_TEST(masks_that_are_numbers_join_in_different_halves_alone)
{
	be_amd(0x1a, 0x44);
	check_eq_u64("halves", bits_of("RETIRED_FP_OPS_BY_TYPE", "SCALAR_ADD+VECTOR_MUL"), 0x31);
	check_eq_u64("one half", bits_of("RETIRED_FP_OPS_BY_TYPE", "SCALAR_ADD+SCALAR_SUB"),
	             WRONG);
	check_eq_u64("all", bits_of("RETIRED_FP_OPS_BY_TYPE", NULL), 0xff);
	be_amd(0x10, 2);
	check_eq_u64("buffer 3", bits_of("MAB_REQUESTS", "BUFFER_3"), 3);
	check_eq_u64("1 and 2 are not 3", bits_of("MAB_REQUESTS", "BUFFER_1+BUFFER_2"), WRONG);
}

UNIT_TEST(family_15h_has_sets_of_counters)
{
	static const struct { const char *event; uint8_t umask; uint32_t counters; } rows[] = {
		{ "RETIRED_INSTRUCTIONS", 0, 0x3f },      { "CPU_CLK_UNHALTED", 0, 0x07 },
		{ "REQUESTS_TO_L2", 2, 0x07 },            { "CYCLES_FPU_EMPTY", 0, 0x38 },
		{ "RETIRED_SSE_OPS", 1, 0x08 },           { "DISPATCHED_FPU_OPS", 0x01, 0x38 },
		{ "DISPATCHED_FPU_OPS", 0x0f, 0x38 },     { "DISPATCHED_FPU_OPS", 0x11, 0x08 },
		{ "MOVE_SCALAR_OPTIMIZATION", 4, 0x38 },  { "MOVE_SCALAR_OPTIMIZATION", 5, 0x08 },
		{ "READ_REQUEST_TO_L3_CACHE", 1, 0 },
	};

	be_amd(0x15, 1);
	for (unsigned i = 0; i < COUNT_OF(rows); i++)
		check_eq_u64(rows[i].event,
		             amd_event_counters(amd_event_find(rows[i].event), rows[i].umask),
		             rows[i].counters);
}

UNIT_TEST(other_counters_are_named)
{
	be_amd(0x15, 1);
	check_str("15H", amd_event_counted_by(amd_event_find("DRAM_ACCESSES")),
	          "the northbridge's counters");
	check_true("the core's", !amd_event_counted_by(amd_event_find("CPU_CLK_UNHALTED")));
	check_true("not the core's", !amd_event_of(0x0e0));
	be_amd(0x10, 2);
	check_eq_u64("the core's",
	             amd_event_counters(amd_event_find("READ_REQUEST_TO_L3_CACHE"), 1), 0x0f);
	be_amd(0x17, 0x31);
	check_str("Zen 2", amd_event_counted_by(amd_event_find("L3_CACHE_REQ")), "L3's counters");
	check_eq_u64("odd ones", amd_event_counters(amd_event_find("MERGE"), 0), 0x2a);
}

UNIT_TEST(a_setup_has_twelve_bits_of_the_event)
{
	struct pmu_setup s;

	be_amd(0x10, 2);
	s = amd_event_setup(amd_event_find("SFENCE_INST_RETIRED"), 0x05, 3, PMU_OS);
	check_eq_u64("low", s.event, 0x05d4);
	check_eq_u64("high", s.event_high, 1);
	check_eq_u64("counter", s.counter, 3);
	check_eq_u64("flags", s.flags, PMU_OS);
	check_str("and back", amd_event_name(amd_event_of(0x1d4)), "SFENCE_INST_RETIRED");
}

UNIT_MAIN()
