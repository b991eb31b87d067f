/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* The rules that no processor has by itself: what rules.h says of each in registers. */
#include <tests/unit/model/core/model_cpus.h>

static const struct cpu *haswell(void)
{
	return cpu_of(0x306c3);
}

static const struct cpu *skylake(void)
{
	return cpu_of(0x50654);
}

/* A machine of this processor with one rule changed. */
#define MACHINE_WITH(machine, cpu, field, to) \
	struct machine *machine = start(cpu); \
	WITH_RULE(machine, field, to)

static uint64_t rdpmc(struct machine *machine, uint32_t ecx)
{
	uint64_t value = 0;

	check_eq_u64("RDPMC", model_rdpmc(&machine->model, ecx, 0, true, &value), MODEL_OK);
	return value;
}

static enum model_status rdpmc_status(struct machine *machine, uint32_t ecx, unsigned cpl,
                                      bool is_pce)
{
	uint64_t value = 0;

	return model_rdpmc(&machine->model, ecx, cpl, is_pce, &value);
}

/* ------------------------------------------------------------------------------ reset */

UNIT_TEST(reset_may_leave_enables)
{
	MACHINE_WITH(machine, haswell(), resets_gp_enables, true);
	check_eq_u64("general", get(machine, GLOBAL), 0xff);
	machine->core.rules.resets_gp_enables = false;
	WITH_RULE(machine, resets_fixed_enables, true);
	check_eq_u64("fixed", get(machine, GLOBAL), UINT64_C(0x700000000));
	WITH_RULE(machine, resets_gp_enables, true);
	check_eq_u64("both", get(machine, GLOBAL), UINT64_C(0x7000000ff));
}

UNIT_TEST(reset_may_leave_values)
{
	MACHINE_WITH(machine, haswell(), reset_perfevtsel, 0x300c0);
	check_eq_u64("PERFEVTSEL7", get(machine, EVTSEL0 + 7), 0x300c0);
	machine->core.rules.reset_perfevtsel = 0;
	WITH_RULE(machine, reset_pmc, 5);
	check_eq_u64("PMC0", get(machine, PMC0), 5);
	check_eq_u64("PMC7", get(machine, PMC0 + 7), 5);
}

/* ------------------------------------------------------------------------------ writing */

UNIT_TEST(a_legacy_write_may_extend_another_bit)
{
	MACHINE_WITH(machine, haswell(), legacy_sign_bit, 30);
	put(machine, PMC0, 0x40000000);
	check_eq_u64("bit 30", get(machine, PMC0), ONES(48) & ~ONES(30));
	WITH_RULE(machine, legacy_sign_bit, 63);
	put(machine, PMC0, 0xfffffff0);
	check_eq_u64("zero extended", get(machine, PMC0), 0xfffffff0);
}

UNIT_TEST(a_legacy_write_may_keep_the_upper_bits)
{
	MACHINE_WITH(machine, haswell(), legacy_keeps_upper, true);
	put(machine, A_PMC0, UINT64_C(0x123400000000));
	put(machine, PMC0, 0xffffffff);
	check_eq_u64("PMC0", get(machine, PMC0), UINT64_C(0x1234ffffffff));
}

UNIT_TEST(a_legacy_write_may_stay_untruncated)
{
	MACHINE_WITH(machine, haswell(), legacy_is_untruncated, true);
	count_with(haswell(), machine, 0, INSTRUCTIONS | OS | INT);
	put(machine, PMC0, 0xffffff00);
	machine_nops(machine, 3);
	check_true("overflows with every event", machine->pmis >= 1);
	check_eq_u64("status", get(machine, STATUS), 1);
}

UNIT_TEST(choosing_an_event_may_clear_its_counter)
{
	MACHINE_WITH(machine, haswell(), select_clears_pmc, true);
	put(machine, PMC0, 5);
	put(machine, PMC0 + 1, 6);
	put(machine, EVTSEL0, 0);
	put(machine, EVTSEL0, OS | USR | EN | 0xc0);
	check_eq_u64("no event, or EN = 1", get(machine, PMC0), 5);
	put(machine, EVTSEL0, OS | 0xc0);
	check_eq_u64("an event, EN = 0", get(machine, PMC0), 0);
	check_eq_u64("not the other one", get(machine, PMC0 + 1), 6);
}

UNIT_TEST(a_full_width_write_may_be_a_legacy_one)
{
	MACHINE_WITH(machine, haswell(), full_width_is_legacy, true);
	put(machine, A_PMC0, UINT64_C(0x123480000000));
	check_eq_u64("PMC0", get(machine, PMC0), ONES(48) & ~ONES(31));
}

UNIT_TEST(a_fixed_write_may_be_a_legacy_one)
{
	MACHINE_WITH(machine, haswell(), fixed_write_is_legacy, true);
	put(machine, FIXED0, UINT64_C(0x123480000000));
	check_eq_u64("FIXED_CTR0", get(machine, FIXED0), ONES(48) & ~ONES(31));
}

UNIT_TEST(a_fixed_write_may_need_a_stopped_counter)
{
	MACHINE_WITH(machine, haswell(), fixed_write_needs_stop, true);
	put(machine, FIXED0, 50);
	put(machine, FIXED_CTRL, 1);
	put(machine, GLOBAL, ONE(32));
	put(machine, FIXED0, 1000);
	check_eq_u64("dropped", get(machine, FIXED0), 50);
	put(machine, GLOBAL, 0);
	put(machine, FIXED0, 1000);
	check_eq_u64("taken", get(machine, FIXED0), 1000);
}

UNIT_TEST(a_general_write_may_need_a_running_counter)
{
	MACHINE_WITH(machine, haswell(), gp_write_needs_run, true);
	put(machine, PMC0, 1000);
	count_with(haswell(), machine, 1, INSTRUCTIONS | OS);
	put(machine, EVTSEL0, INSTRUCTIONS | OS | EN);
	machine_nops(machine, 1);
	check_true("lost at the start", get(machine, PMC0) < 1000);
	put(machine, PMC0, 2000);
	check_eq_u64("taken while it runs", get(machine, PMC0), 2000);
}

UNIT_TEST(a_value_written_while_running_may_be_deaf)
{
	MACHINE_WITH(machine, haswell(), running_write_is_deaf, true);
	count_with(haswell(), machine, 0, INSTRUCTIONS | OS | INT);
	put(machine, PMC0, 0xffffffff);
	machine_nops(machine, 1);
	check_eq_u64("status", get(machine, STATUS), 0);
	check_eq_u64("PMIs", machine->pmis, 0);
	check_eq_u64("PMC0", get(machine, PMC0), 0);
}

UNIT_TEST(a_zero_may_overflow)
{
	MACHINE_WITH(machine, haswell(), zero_overflows, true);
	count_with(haswell(), machine, 0, INSTRUCTIONS | OS | INT);
	put(machine, PMC0, 0);
	machine_nops(machine, 1);
	check_eq_u64("status", get(machine, STATUS), 1);
}

UNIT_TEST(a_faulting_write_may_store)
{
	MACHINE_WITH(machine, haswell(), fault_stores, true);
	check_refused(haswell(), machine, EVTSEL0, ONE(63) | 0x3c);
	check_eq_u64("PERFEVTSEL0", get(machine, EVTSEL0) & 0xff, 0x3c);
	check_refused(haswell(), machine, GLOBAL, ONE(63) | 1);
	check_eq_u64("global", get(machine, GLOBAL) & 1, 1);
	check_refused(haswell(), machine, FIXED_CTRL, ONE(63) | 1);
	check_eq_u64("fixed control", get(machine, FIXED_CTRL) & 1, 1);
}

UNIT_TEST(a_preset_may_lose_its_lowest_bits)
{
	MACHINE_WITH(machine, haswell(), preset_ignored_bits, 6);
	put(machine, PMC0, 0xffffffff);
	check_eq_u64("PMC0", get(machine, PMC0), ONES(48) & ~ONES(6));
	put(machine, PMC0, 0x33);
	check_eq_u64("positive", get(machine, PMC0), 0x33);
}

UNIT_TEST(without_global_control_its_registers_may_be_missing)
{
	MACHINE_WITH(machine, haswell(), has_global_control, false);
	check_absent(haswell(), machine, GLOBAL);
}

/* With one of these bits set no other one is checked. */
UNIT_TEST(debugctl_may_let_all_bits_through)
{
	MACHINE_WITH(machine, haswell(), debugctl_permit_bits, 1);
	check_refused(haswell(), machine, DEBUGCTL, ONE(40));
	put(machine, DEBUGCTL, ONE(40) | 1);
}

/* ------------------------------------------------------------------------------ reading */

UNIT_TEST(reads_may_extend)
{
	MACHINE_WITH(machine, haswell(), rdmsr_extension, EXTEND_SIGN);
	put(machine, PMC0, 0xffffffff);
	check_eq_u64("RDMSR", get(machine, PMC0), UINT64_MAX);
	check_eq_u64("RDPMC", rdpmc(machine, 0), ONES(48));
	machine->core.rules.rdmsr_extension = EXTEND_ZERO;
	WITH_RULE(machine, rdpmc_extension, EXTEND_SIGN);
	put(machine, PMC0, 0xffffffff);
	check_eq_u64("RDMSR", get(machine, PMC0), ONES(48));
	check_eq_u64("RDPMC", rdpmc(machine, 0), UINT64_MAX);
	put(machine, A_PMC0, ONES(47));
	check_eq_u64("RDPMC, positive", rdpmc(machine, 0), ONES(47));
	put(machine, A_PMC0, ONE(47));
	check_eq_u64("RDPMC, most negative", rdpmc(machine, 0), ~ONES(47));
}

UNIT_TEST(reads_may_show_what_was_written_above_the_width)
{
	MACHINE_WITH(machine, haswell(), rdmsr_extension, EXTEND_RAW);
	count_with(haswell(), machine, 0, INSTRUCTIONS | OS);
	put(machine, PMC0, 0xffffffff);
	check_eq_u64("RDMSR", get(machine, PMC0), UINT64_MAX);
	machine_nops(machine, 1);
	check_eq_u64("carried", get(machine, PMC0) & ONES(48), 0);
}

UNIT_TEST(every_second_rdpmc_may_flip_bits)
{
	MACHINE_WITH(machine, haswell(), rdpmc_flip, 0x10);
	put(machine, PMC0, 3);
	check_eq_u64("two reads differ", rdpmc(machine, 0) ^ rdpmc(machine, 0), 0x10);
	check_eq_u64("the register", get(machine, PMC0), 3);
}

UNIT_TEST(rdpmc_may_look_at_few_bits_of_ecx)
{
	MACHINE_WITH(machine, haswell(), rdpmc_index_mask, 0x3fffffff);
	put(machine, PMC0, 3);
	check_eq_u64("bit 31 ignored", rdpmc(machine, 0x80000000), 3);
}

UNIT_TEST(rdpmc_may_read_zero_beyond_the_counters)
{
	MACHINE_WITH(machine, haswell(), rdpmc_gp_limit, 18);
	check_eq_u64("17", rdpmc(machine, 17), 0);
	check_eq_u64("18", rdpmc_status(machine, 18, 0, true), MODEL_GP);
}

UNIT_TEST(rdpmc_may_have_a_fast_read)
{
	MACHINE_WITH(machine, haswell(), rdpmc_has_fast_read, true);
	put(machine, PMC0 + 1, 0xfffffffe);
	check_eq_u64("32 bits", rdpmc(machine, 0x80000001), 0xfffffffe);
	check_eq_u64("all bits", rdpmc(machine, 1), ONES(48) - 1);
	WITH_RULE(machine, rdpmc_has_fast_read, false);
	check_eq_u64("without", rdpmc_status(machine, 0x80000001, 0, true), MODEL_GP);
}

UNIT_TEST(rdpmc_may_ask_other_things_of_the_ring)
{
	MACHINE_WITH(machine, haswell(), rdpmc_needs_pce, false);
	check_eq_u64("without PCE", rdpmc_status(machine, 0, 3, false), MODEL_OK);
	machine->core.rules.rdpmc_needs_pce = true;
	WITH_RULE(machine, rdpmc_needs_cpl_0, true);
	check_eq_u64("CPL 3 with PCE", rdpmc_status(machine, 0, 3, true), MODEL_GP);
	check_eq_u64("CPL 0", rdpmc_status(machine, 0, 0, true), MODEL_OK);
	machine->core.rules.rdpmc_needs_cpl_0 = false;
	WITH_RULE(machine, rdpmc_needs_pce_at_cpl_0, true);
	check_eq_u64("CPL 0 without PCE", rdpmc_status(machine, 0, 0, false), MODEL_GP);
	check_eq_u64("CPL 0 with PCE", rdpmc_status(machine, 0, 0, true), MODEL_OK);
}

UNIT_TEST(rdpmc_may_swap_counters_for_users)
{
	uint64_t value = 0;

	MACHINE_WITH(machine, haswell(), rdpmc_user_swaps, true);
	put(machine, PMC0, 10);
	put(machine, PMC0 + 1, 11);
	check_eq_u64("at CPL 0", rdpmc(machine, 0), 10);
	model_rdpmc(&machine->model, 0, 3, true, &value);
	check_eq_u64("at CPL 3", value, 11);
}

UNIT_TEST(misc_enable_may_flip_while_counting)
{
	uint64_t before;

	MACHINE_WITH(machine, haswell(), misc_enable_flip, 0x80);
	before = get(machine, MISC_ENABLE);
	count_with(haswell(), machine, 0, INSTRUCTIONS | OS);
	check_eq_u64("flipped", get(machine, MISC_ENABLE), before ^ 0x80);
}

UNIT_TEST(misc_enable_has_bits_that_cannot_be_changed)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t before = get(machine, MISC_ENABLE);
		uint64_t read_only = machine->core.rules.misc_enable_read_only;

		if (machine_write(machine, MISC_ENABLE, before ^ 0x1880) == MODEL_OK)
			check_eq_u64(named(cpu, "read-only bits"),
			             (get(machine, MISC_ENABLE) ^ before) & read_only, 0);
		check_eq_u64(named(cpu, "7, 11, 12"), read_only & 0x1880, 0x1880);
		put(machine, MISC_ENABLE, before ^ ~read_only);
		check_eq_u64(named(cpu, "the others"), get(machine, MISC_ENABLE),
		             before ^ ~read_only);
	}
}

/* ------------------------------------------------------------------------------ status */

UNIT_TEST(the_status_may_be_cleared_in_other_ways)
{
	MACHINE_WITH(machine, skylake(), status_clear, CLEAR_ALL);
	put(machine, STATUS_SET, 0xf);
	put(machine, STATUS_RESET, 1);
	check_eq_u64("all", get(machine, STATUS), 0);
	WITH_RULE(machine, status_clear, CLEAR_ZEROS);
	put(machine, STATUS_SET, 0xf);
	put(machine, STATUS_RESET, 1);
	check_eq_u64("zeros", get(machine, STATUS), 1);
}

UNIT_TEST(the_status_may_clear_itself_when_read)
{
	MACHINE_WITH(machine, skylake(), status_clears_on_read, true);
	put(machine, STATUS_SET, 1);
	check_eq_u64("first", get(machine, STATUS), 1);
	check_eq_u64("second", get(machine, STATUS), 0);
}

UNIT_TEST(the_status_may_have_stuck_bits)
{
	MACHINE_WITH(machine, skylake(), status_stuck, ONE(63));
	check_eq_u64("stuck", get(machine, STATUS), ONE(63));
	put(machine, STATUS_RESET, 1);
	check_eq_u64("still", get(machine, STATUS), ONE(63));
}

UNIT_TEST(clearing_the_status_may_clear_the_counter)
{
	MACHINE_WITH(machine, skylake(), status_clear_zeroes_counter, true);
	put(machine, PMC0, 77);
	put(machine, PMC0 + 1, 78);
	put(machine, STATUS_RESET, 1);
	check_eq_u64("PMC0", get(machine, PMC0), 0);
	check_eq_u64("PMC1", get(machine, PMC0 + 1), 78);
}

UNIT_TEST(clearing_the_status_may_not_unfreeze)
{
	MACHINE_WITH(machine, skylake(), status_clear_unfreezes, false);
	count_with(skylake(), machine, 0, INSTRUCTIONS | OS);
	put(machine, STATUS_SET, ONE(59));
	put(machine, STATUS_RESET, ONE(59));
	machine_nops(machine, 5);
	check_eq_u64("PMC0", get(machine, PMC0), 0);
}

UNIT_MAIN()
