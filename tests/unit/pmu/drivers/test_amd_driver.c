/* SPDX-License-Identifier: MIT */
/* LINK: pmu/drivers/amd_driver.c pmu/drivers/selects.c pmu/drivers/suspend.c pmu/core/program.c */
/* LINK: kernel/lib/format.c */
/*
 * The driver of AMD's core counters, write by write. The numbers are typed from APM 2, "Performance
 * Monitoring Counters": PerfEvtSel0 C0010000H, PERF_CTL0 C0010200H, PerfCntrGlobalStatus C0000300H,
 * PerfCntrGlobalCtl C0000301H, PerfCntrGlobalStatusClr C0000302H; EN is bit 22, INT 20, OS 17.
 */
#include <tests/unit/pmu/drivers/amd_machine.h>

#define STOPS_K7   "C0010000=0 C0010001=0 C0010002=0 C0010003=0 "
#define STOPS_ZEN  "C0010200=0 C0010202=0 C0010204=0 C0010206=0 C0010208=0 C001020A=0 "

static const struct pmu_setup two[] = {
	{ .counter = 0, .event = 0x76, .flags = PMU_OS },
	{ .counter = 2, .event = 0x40c1, .cmask = 3, .event_high = 0xa, .start = UINT64_MAX - 4,
	  .flags = PMU_BOTH | PMU_INT | PMU_EDGE | PMU_INV },
};

static void check_window(const char *what, const char *want)
{
	pmu_window(code, 0, 0);
	check_written(what, want);
}

UNIT_TEST(k7_stops_all_places_starts_and_opens_the_lowest_counter_last)
{
	TAKE_K7();
	pmu_program(two, 2);
	check_written("program", STOPS_K7 "C0010004=0 C0010006=FFFFFFFFFFFB ");
	check_window("window", "C0010002=A03D740C1 C0010000=420076 () C0010000=0 C0010002=0 ");
	check_window("again", "C0010002=A03D740C1 C0010000=420076 () C0010000=0 C0010002=0 ");
}

UNIT_TEST(zen_has_two_addresses_between_counters)
{
	TAKE_ZEN();
	pmu_program(two, 2);
	check_written("program", STOPS_ZEN "C0010201=0 C0010205=FFFFFFFFFFFB ");
	check_window("window", "C0010204=A03D740C1 C0010200=420076 () C0010200=0 C0010204=0 ");
}

UNIT_TEST(perfmonv2_enables_selects_first_and_counters_by_one_write)
{
	TAKE_ZEN4();
	*made_up_value(0xc0000300) = 0x21;
	pmu_program(two, 2);
	check_written("program", "C0000301=0 " STOPS_ZEN "C0000302=21 C0010201=0 "
	              "C0010205=FFFFFFFFFFFB C0010200=420076 C0010204=A03D740C1 ");
	check_eq_u64("PerfCntrGlobalStatus", *made_up_value(0xc0000300), 0);
	check_window("window", "C0000301=5 () C0000301=0 ");
}

UNIT_TEST(each_counter_alone_has_its_own_registers)
{
	char want[256];

	for (unsigned i = 0; i < 6; i++) {
		const struct pmu_setup s = { .counter = i, .event = 0xc0, .flags = PMU_USR,
		                             .start = i };

		TAKE_ZEN();
		pmu_program(&s, 1);
		snprintf(want, sizeof(want), STOPS_ZEN "C001020%X=%u ", 2 * i + 1, i);
		check_written("program", want);
		snprintf(want, sizeof(want), "C001020%X=4100C0 () C001020%X=0 ", 2 * i, 2 * i);
		check_window("window", want);
		TAKE_ZEN4();
		pmu_program(&s, 1);
		snprintf(want, sizeof(want), "C0000301=0 " STOPS_ZEN
		         "C0000302=0 C001020%X=%u C001020%X=4100C0 ", 2 * i + 1, i, 2 * i);
		check_written("program", want);
		snprintf(want, sizeof(want), "C0000301=%X () C0000301=0 ", 1u << i);
		check_window("window", want);
	}
}

/* Intel's driver puts fixed counters into the same register; they have no select. */
UNIT_TEST(a_fixed_counter_has_a_bit_and_no_select)
{
	const struct pmu_setup fixed[] = {
		{ .counter = PMU_FIXED }, { .counter = 1, .event = 0xc0 },
	};
	struct pmu_switch s = { 0 };

	TAKE_ZEN4();
	selects_program(&pmu, fixed, 2, &s);
	check_written("program", "C0010202=4000C0 ");
	write_all(s.on, s.on_count);
	check_written("on", "C0000301=100000002 ");
}

/* A window has at least one write that starts and one that stops. */
UNIT_TEST(a_window_of_no_counter_writes_select_0)
{
	TAKE_K7();
	pmu_program(two, 0);
	check_written("program", STOPS_K7);
	check_window("window", "C0010000=0 () C0010000=0 ");
	TAKE_ZEN4();
	pmu_program(two, 0);
	check_written("program", "C0000301=0 " STOPS_ZEN "C0000302=0 ");
	check_window("window", "C0000301=0 () C0000301=0 ");
}

UNIT_TEST(starts_are_cut_to_48_bits)
{
	struct pmu_setup s = { .counter = 1, .event = 0xc0, .flags = PMU_OS };

	TAKE_K7();
	s.start = UINT64_C(0x1234800000000001);
	pmu_program(&s, 1);
	check_written("program", STOPS_K7 "C0010005=800000000001 ");
	pmu.gp_width = 40;
	pmu_program(&s, 1);
	check_written("40 bits", STOPS_K7 "C0010005=1 ");
}

/* The merge event, FFFH, extends the even counter below; it needs no OS and no USR. */
UNIT_TEST(the_merge_event_goes_to_the_odd_counter)
{
	const struct pmu_setup pair[] = {
		{ .counter = 4, .event = 0xff03, .flags = PMU_BOTH },
		{ .counter = 5, .event = 0xff, .event_high = 0xf },
	};

	TAKE_ZEN();
	pmu_program(pair, 2);
	check_written("program", STOPS_ZEN "C0010209=0 C001020B=0 ");
	check_window("window", "C001020A=F004000FF C0010208=43FF03 () C0010208=0 C001020A=0 ");
	TAKE_ZEN4();
	pmu_program(pair, 2);
	check_written("program", "C0000301=0 " STOPS_ZEN "C0000302=0 C0010209=0 C001020B=0 "
	              "C0010208=43FF03 C001020A=F004000FF ");
	check_window("window", "C0000301=30 () C0000301=0 ");
}

/* Other drivers have these flags, too; their bits are those of IA32_PERFEVTSELx. */
UNIT_TEST(each_flag_is_one_bit)
{
	static const struct { unsigned flag; uint64_t bit; } bits[] = {
		{ PMU_USR, 1 << 16 }, { PMU_OS, 1 << 17 }, { PMU_EDGE, 1 << 18 },
		{ PMU_PIN, 1 << 19 }, { PMU_INT, 1 << 20 }, { PMU_ANY, 1 << 21 },
		{ PMU_INV, 1 << 23 }, { PMU_IN_TX, UINT64_C(1) << 32 },
		{ PMU_IN_TXCP, UINT64_C(1) << 33 }, { PMU_ADAPTIVE, UINT64_C(1) << 34 },
		{ PMU_EQ, UINT64_C(1) << 36 },
	};
	static const struct selects all = { .flags = UINT32_MAX, .counter_name = "PMC",
	                                    .event_high = FIELD(47, 40) };
	const struct pmu_driver driver = { .selects = &all };
	struct pmu_setup s = { .event = 0x1c2, .cmask = 0x81 };

	TAKE_ZEN();
	class.driver = &driver;
	for (unsigned i = 0; i < COUNT_OF(bits); i++) {
		s.flags = bits[i].flag;
		check_eq_u64("select", selects_value(&pmu, &s), 0x810001c2 | bits[i].bit);
	}
	s = (struct pmu_setup){ .event_high = 0xa5 };
	check_eq_u64("event_high", selects_value(&pmu, &s), UINT64_C(0xa5) << 40);
}

UNIT_TEST(flags_that_amd_lacks_end_the_test)
{
	static const unsigned lacking[] = { PMU_ANY, PMU_PIN, PMU_EQ, PMU_CLOCKS, PMU_ADAPTIVE,
	                                    PMU_IN_TX, PMU_IN_TXCP };
	struct pmu_setup s = { .counter = 2, .event = 0xc0 };
	char want[96];

	for (unsigned i = 0; i < COUNT_OF(lacking); i++) {
		s.flags = PMU_OS | lacking[i];
		snprintf(want, sizeof(want),
		         "PERF_CTR2 was asked for what it does not have: flags %XH", lacking[i]);
		TAKE_ZEN();
		check_aborts("Zen", pmu_program(&s, 1), want);
		memcpy(want, "PerfCtr2 ", 9);
		memmove(want + 9, want + 10, strlen(want + 10) + 1);
		TAKE_K7();
		check_aborts("K7", pmu_program(&s, 1), want);
	}
}

/* APM 2: bits 5:0 are the counters'; 58 and 59 say that branch records or counters are frozen. */
UNIT_TEST(the_status_leaves_out_what_others_set)
{
	TAKE_ZEN4();
	*made_up_value(0xc0000300) = UINT64_MAX;
	check_eq_u64("status", pmu_status(), UINT64_C(0x0c0000000000003f));
	check_true("has one", pmu_has_status());
	stuck = 2;
	check_eq_u64("less bit 1", pmu_status(), UINT64_C(0x0c0000000000003d));
	check_written("reads write nothing", "");
	TAKE_ZEN();
	check_eq_u64("Zen", pmu_status(), 0);
	check_true("Zen has none", !pmu_has_status());
	TAKE_K7();
	check_eq_u64("K7", pmu_status(), 0);
	check_true("K7 has none", !pmu_has_status());
}

UNIT_TEST(the_status_is_cleared_by_its_own_register)
{
	TAKE_ZEN4();
	*made_up_value(0xc0000300) = 0x2f;
	pmu_clear_status(0x24);
	check_written("clear", "C0000302=24 ");
	check_eq_u64("PerfCntrGlobalStatus", *made_up_value(0xc0000300), 0xb);
	TAKE_ZEN();
	pmu_clear_status(0x24);
	selects_clear_status(&pmu, 0x24);
	check_written("Zen has no status", "");
}

/* A defect in one bit must not keep those of the counters. */
UNIT_TEST(a_bit_that_cannot_be_cleared_leaves_the_others)
{
	TAKE_ZEN4();
	made_up_find(0xc0000302)->reserved = UINT64_C(1) << 58;
	*made_up_value(0xc0000300) = UINT64_C(0x040000000000003f);
	pmu_clear_status(UINT64_MAX);
	check_written("clear", "C0000302!FFFFFFFFFFFFFFFF C0000302=3F ");
	check_eq_u64("PerfCntrGlobalStatus", *made_up_value(0xc0000300), UINT64_C(1) << 58);
	pmu.fixed_map = 5;
	pmu_clear_status(UINT64_MAX);
	check_written("with fixed ones", "C0000302!FFFFFFFFFFFFFFFF C0000302=50000003F ");
}

UNIT_TEST(a_running_counter_is_named_with_its_registers)
{
	char want[96];

	for (unsigned i = 0; i < 6; i++) {
		TAKE_ZEN();
		*made_up_value(0xc0010200 + 2 * i) = 0x4200c0;
		snprintf(want, sizeof(want), "PERF_CTL%u = 4200C0H: counter %u was left running",
		         i, i);
		check_str("Zen", pmu_running(), want);
		TAKE_ZEN4();
		*made_up_value(0xc0010200 + 2 * i) = 0x4100c0;
		check_true("disabled for all", pmu_running() == NULL);
		*made_up_value(0xc0000301) = 0x3f & ~(1u << i);
		check_true("disabled alone", pmu_running() == NULL);
		*made_up_value(0xc0000301) = 1u << i;
		snprintf(want, sizeof(want), "PerfCntrGlobalCtl = %XH, PERF_CTL%u = 4100C0H: "
		         "counter %u was left running", 1u << i, i, i);
		check_str("Zen 4", pmu_running(), want);
		check_written("asking writes nothing", "");
	}
}

UNIT_TEST(a_counter_runs_with_en_and_a_ring)
{
	static const uint64_t resting[] = { 0x0300c0, 0x4000c0, 0x0 };

	for (unsigned i = 0; i < COUNT_OF(resting); i++) {
		TAKE_K7();
		*made_up_value(0xc0010003) = resting[i];
		check_true("rests", pmu_running() == NULL);
	}
	*made_up_value(0xc0010003) = 0x4300c0;
	check_str("K7", pmu_running(), "PerfEvtSel3 = 4300C0H: counter 3 was left running");
	*made_up_value(0xc0010001) = 0x410076;
	check_str("the first", pmu_running(), "PerfEvtSel1 = 410076H: counter 1 was left running");
	pmu.gp_count = 1;
	check_true("counters that exist", pmu_running() == NULL);
}

UNIT_TEST(counters_have_names_and_addresses)
{
	char name[PMU_NAME_SIZE];

	TAKE_K7();
	check_str("K7", pmu_counter_name(3, name), "PerfCtr3");
	check_eq_u64("K7", pmu_counter_msr(3), 0xc0010007);
	check_aborts("K7", pmu_counter_msr(4), "there is no general counter 4");
	TAKE_ZEN();
	check_str("Zen", pmu_counter_name(5, name), "PERF_CTR5");
	check_eq_u64("Zen", pmu_counter_msr(5), 0xc001020b);
	check_aborts("Zen", pmu_counter_msr(6), "there is no general counter 6");
	check_aborts("Zen", pmu_counter_msr(PMU_FIXED), "there is no fixed counter 0");
}

static struct pmu_examined examined(unsigned counter)
{
	struct pmu_examined e = { .counter = counter, .number = counter };

	class.driver->examine(&pmu, &e);
	return e;
}

UNIT_TEST(what_is_examined_is_as_it_was_programmed)
{
	struct pmu_examined e;

	TAKE_ZEN();
	made_up_add(0xc0000301, 0xf);          /* is no register of all counters here */
	*made_up_value(0xc0010206) = 0x4300c0;
	e = examined(3);
	check_str("name", e.select_name, "PERF_CTL");
	check_eq_u64("select", e.select, 0x4300c0);
	check_eq_u64("EFER", e.efer, 0x1d01);
	check_eq_u64("control", e.control, 0);
	check_eq_u64("status", e.status, 0);
	check_written("paused", "C0010206=300C0 ");
	made_up_add(0xc0010240, 0x4300c0);     /* would be that of counter 32 */
	check_eq_u64("a fixed one has no select", examined(PMU_FIXED).select, 0);
	TAKE_ZEN4();
	*made_up_value(0xc0000300) = 0x8;
	*made_up_value(0xc0000301) = 0x9;
	*made_up_value(0xc0010206) = 0x4300c0;
	e = examined(3);
	check_eq_u64("select", e.select, 0x4300c0);
	check_eq_u64("PerfCntrGlobalCtl", e.control, 0x9);
	check_eq_u64("PerfCntrGlobalStatus", e.status, 0x8);
	TAKE_K7();
	check_str("K7's name", examined(0).select_name, "PerfEvtSel");
}

UNIT_TEST(instructions_are_sure_on_each_counter)
{
	struct pmu_switch s = { 0 };

	TAKE_K7();
	check_str("what", class.driver->sure(&pmu, 3, &s), "instructions");
	write_all(s.on, s.on_count);
	check_written("K7", "C0010003=4300C0 ");
	TAKE_ZEN4();
	s.on_count = 0;
	class.driver->sure(&pmu, 5, &s);
	write_all(s.on, s.on_count);
	check_written("Zen 4", "C001020A=4300C0 C0000301=20 ");
	s.on_count = 0;
	class.driver->sure(&pmu, PMU_FIXED, &s);
	write_all(s.on, s.on_count);
	check_written("fixed", "C0000301=100000000 ");
	check_eq_u64("stops nothing", s.off_count, 0);
}

UNIT_TEST(the_global_value_is_all_ones_without_a_register)
{
	TAKE_ZEN();
	check_eq_u64("Zen", selects_global(&pmu), UINT64_MAX);
	check_true("Zen", !selects_have_global(&pmu));
	TAKE_ZEN4();
	*made_up_value(0xc0000301) = 0x15;
	check_eq_u64("Zen 4", selects_global(&pmu), 0x15);
	check_true("Zen 4", selects_have_global(&pmu));
}

UNIT_MAIN()
