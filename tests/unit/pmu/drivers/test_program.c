/* SPDX-License-Identifier: MIT */
/* LINK: pmu/drivers/amd_driver.c pmu/drivers/selects.c pmu/drivers/suspend.c pmu/core/program.c */
/* LINK: kernel/lib/format.c */
/*
 * What all generations share when counters are programmed, on AMD's counters and on drivers of the
 * test's own. The numbers are typed from APM 2, "Performance Monitoring Counters".
 */
#include <tests/unit/pmu/drivers/program_machine.h>

#define BIT_47 (UINT64_C(1) << 47)

/* ---------------------------------------------------------------------------- is there a PMU */

UNIT_TEST(a_pmu_that_keeps_values_or_is_forced_can_be_programmed)
{
	static const bool free_too[] = { false, false, false, true, true };
	static const bool forced[] = { false, true, true, true, true };

	begin();
	for (unsigned state = PMU_IS_ABSENT; state <= PMU_COUNTS; state++) {
		pmu.state = state;
		pmu.is_forced = false;
		check_eq_u64("by itself", pmu_has_counter(0), free_too[state]);
		pmu.is_forced = true;
		check_eq_u64("forced", pmu_has_counter(0), forced[state]);
	}
}

UNIT_TEST(what_cannot_be_programmed_ends_the_test)
{
	begin();
	pmu.state = PMU_FAULTS;
	strcpy(pmu.verdict, "it faults");
	check_aborts("state", pmu_program(&one, 1), "the PMU cannot be programmed: it faults");
	pmu.state = PMU_COUNTS;
	class.driver = NULL;
	check_aborts("driver", pmu_program(&one, 1),
	             "the PMU cannot be programmed: there is no driver for AMD");
	begin();
	check_aborts("general", pmu_counter_width(6), "there is no general counter 6");
	check_aborts("fixed", pmu_counter_width(PMU_FIXED), "there is no fixed counter 0");
	check_aborts("fixed", pmu_counter_msr(PMU_FIXED + 2), "there is no fixed counter 2");
	check_aborts("window", pmu_window(code, 0, 0), "pmu_window() without pmu_program()");
}

static unsigned forgets;

static void count_forgets(void)
{
	forgets++;
}

/* Nothing that was programmed before is forgotten for a list that is wrong. */
UNIT_TEST(wrong_setups_end_the_test_before_anything_else)
{
	static const struct pmu_driver driver = { .program = note_count };
	struct pmu_setup s[PMU_SETUPS_MAX + 1] = { { .counter = 0 } };

	begin();
	pmu_set_forget_hook(count_forgets);
	forgets = 0;
	for (unsigned i = 0; i < PMU_SETUPS_MAX + 1; i++)
		s[i].counter = i;
	check_aborts("none", pmu_program(s + 6, 1), "there is no general counter 6");
	class.driver = &driver;
	pmu.gp_count = PMU_SETUPS_MAX + 1;
	check_aborts("too many", pmu_program(s, PMU_SETUPS_MAX + 1), "25 setups, at most 24");
	s[1].counter = 0;
	check_aborts("two", pmu_program(s, 2), "two setups are for counter 0");
	check_eq_u64("forgot", forgets, 0);
	s[1].counter = 1;
	check_aborts("24", pmu_program(s, PMU_SETUPS_MAX), "nothing");
	check_eq_u64("forgot", forgets, 1);
}

/* ---------------------------------------------------------------------------- values */

UNIT_TEST(rdpmc_numbers_fixed_counters_from_bit_30_on)
{
	check_eq_u64("general", pmu_rdpmc_index(3), 3);
	check_eq_u64("fixed 0", pmu_rdpmc_index(PMU_FIXED), 0x40000000);
	check_eq_u64("fixed 2", pmu_rdpmc_index(PMU_FIXED_CTR(2)), 0x40000002);
}

UNIT_TEST(counters_are_read_written_and_subtracted)
{
	begin();
	pmu_write(2, 0x1234);
	check_written("write", "C0010205=1234 ");
	check_eq_u64("read", pmu_read(2), 0x1234);
	check_eq_u64("beyond", pmu_difference(2, 5, UINT64_C(0xfffffffffff0)), 21);
	check_eq_u64("below", pmu_difference(2, 3, 5), (uint64_t)-2);
}

UNIT_TEST(a_negative_counter_that_is_no_longer_negative_overflowed)
{
	begin();
	pmu_write(0, BIT_47);
	pmu_write(3, UINT64_C(0xfffffffffff0));
	pmu_write(1, BIT_47 - 1);
	pmu_write(4, BIT_47);
	pmu_write(4, 1);
	check_eq_u64("none yet", pmu_take_overflows(), 0);
	*made_up_value(0xc0010207) = 1;
	check_eq_u64("counter 3", pmu_take_overflows(), 1 << 3);
	check_eq_u64("reported once", pmu_take_overflows(), 0);
	*made_up_value(0xc0010201) = BIT_47 - 1;
	check_eq_u64("counter 0", pmu_take_overflows(), 1);
	check_eq_u64("reported once", pmu_take_overflows(), 0);
}

UNIT_TEST(programming_notes_which_counters_start_below_0)
{
	const struct pmu_setup below[] = { { .counter = 2, .start = BIT_47, .flags = PMU_OS },
	                                   { .counter = 3, .start = 7, .flags = PMU_OS } };

	begin();
	pmu_program(below, 2);
	check_eq_u64("none yet", pmu_take_overflows(), 0);
	*made_up_value(0xc0010205) = 0;
	check_eq_u64("counter 2", pmu_take_overflows(), 1 << 2);
	pmu_program(below, 2);
	pmu_program(&one, 1);
	*made_up_value(0xc0010205) = 0;
	check_eq_u64("forgotten", pmu_take_overflows(), 0);
}

static bool has_fixed(const struct pmu *p, unsigned counter)
{
	return counter < p->gp_count ? counter != 3 : counter == PMU_FIXED;
}

static uint32_t msr_of(const struct pmu *p, unsigned counter)
{
	(void)p;
	return counter == PMU_FIXED ? 0x309 : 0xc1 + counter;
}

UNIT_TEST(fixed_counters_have_a_status_and_are_not_noted)
{
	static const struct pmu_driver driver = { .has_counter = has_fixed, .msr = msr_of };

	begin();
	class.driver = &driver;
	made_up_add(0xc1, 0);
	made_up_add(0x309, 0);
	pmu_write(PMU_FIXED, BIT_47);
	check_written("write", "309=800000000000 ");
	*made_up_value(0x309) = 0;
	check_eq_u64("none", pmu_take_overflows(), 0);
}

static uint32_t counters_2_3_5_6(uint16_t event)
{
	return event == 0x1234 ? 0x6c : 0;
}

UNIT_TEST(counters_for_an_event_are_those_that_exist_and_can)
{
	static const struct pmu_driver some = { .has_counter = has_fixed,
	                                        .counters_for = counters_2_3_5_6 };
	static const struct pmu_driver all = { .has_counter = has_fixed };

	begin();
	class.driver = &some;
	check_eq_u64("first", pmu_counter_for(0x1234, 0), 2);
	check_eq_u64("second", pmu_counter_for(0x1234, 1), 5);
	check_eq_u64("no third", pmu_counter_for(0x1234, 2), PMU_FIXED);
	check_eq_u64("none", pmu_counter_for(0x1235, 0), PMU_FIXED);
	class.driver = &all;
	check_eq_u64("any", pmu_counter_for(0x1234, 0), 0);
	check_eq_u64("any", pmu_counter_for(0x1234, 3), 4);
	check_eq_u64("one too many", pmu_counter_for(0x1234, 5), PMU_FIXED);
	class.driver = NULL;
	check_eq_u64("no driver", pmu_counter_for(0x1234, 0), PMU_FIXED);
}

UNIT_TEST(without_a_status_there_is_nothing_to_clear)
{
	static const struct pmu_driver none = { .msr = msr_of };

	begin();
	class.driver = &none;
	pmu_clear_status(1);
	check_eq_u64("status", pmu_status(), 0);
	class.driver = NULL;
	pmu_clear_status(1);
	check_eq_u64("status", pmu_status(), 0);
	check_written("nothing", "");
}

/* ---------------------------------------------------------------------------- reset */

static const struct pmu_register rows[] = {
	{ .msr = 0x700, .kind = COUNT_ROW, .count = 2 },
	{ .msr = 0x800, .kind = COUNT_ROW, .count = 1, .is_read_only = true },
	{ .msr = 0x900, .kind = COUNT_ROW, .count = 1 },
};

static void begin_reset(enum pmu_state state)
{
	TAKE_ZEN4();
	class.registers = rows;
	class.register_count = 3;
	for (unsigned i = 0; i < 0x300; i += 0x100)
		made_up_add(0x700 + i, 5);
	*made_up_value(0xc0000300) = 0x21;
	pmu.state = state;
	stuck = 0x100;
	pets = 0;
	pmu_reset();
}

UNIT_TEST(a_reset_writes_0_to_all_registers_and_clears_the_status)
{
	begin_reset(PMU_COUNTS);
	check_written("counts", "700=0 701!0 900=0 C0000302=21 ");
	check_eq_u64("status", *made_up_value(0xc0000300), 0);
	check_eq_u64("stuck bits", stuck, 0);
	check_eq_u64("no tick for a while", pets, 1);
	begin_reset(PMU_IS_DEAD);
	check_written("dead", "700=0 701!0 900=0 ");
	check_eq_u64("stuck bits", stuck, 0x100);
	begin_reset(PMU_FAULTS);
	check_written("faults", "");
	check_eq_u64("no tick for a while", pets, 1);
}

UNIT_TEST(bits_that_stay_in_the_status_are_noted_and_left_out)
{
	begin();
	TAKE_ZEN4();
	made_up_find(0xc0000302)->clears = 0;
	*made_up_value(0xc0000300) = 0x21;
	pmu_reset();
	check_eq_u64("stuck bits", stuck, 0x21);
	*made_up_value(0xc0000300) = 0x23;
	check_eq_u64("status", pmu_status(), 2);
}

UNIT_TEST(only_a_pmu_that_counts_runs)
{
	begin();
	*made_up_value(0xc0010202) = 0x4300c0;
	check_true("runs", pmu_running());
	pmu.state = PMU_IS_DEAD;
	check_true("is dead", !pmu_running());
	pmu.state = PMU_COUNTS;
	class.driver = NULL;
	check_true("no driver", !pmu_running());
}

UNIT_MAIN()
