/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* The rules that no processor has by itself: what rules.h says of overflows and PMIs. */
#include <tests/unit/model/core/model_cpus.h>

static const struct cpu *haswell(void)
{
	return cpu_of(0x306c3);
}

/* A machine of this processor with one rule changed. */
#define MACHINE_WITH(machine, cpu, field, to) \
	struct machine *machine = start(cpu); \
	WITH_RULE(machine, field, to)

/* PMC0 with INT is so many instructions before its wrap. */
static void preset(const struct cpu *cpu, struct machine *machine, unsigned insns)
{
	count_with(cpu, machine, 0, INSTRUCTIONS | OS | INT);
	put(machine, PMC0, (uint32_t)-insns);
}

/* ------------------------------------------------------------------------------ overflow */

UNIT_TEST(an_overflow_may_be_early)
{
	MACHINE_WITH(machine, haswell(), overflow_is_early, true);
	preset(haswell(), machine, 3);
	machine_nops(machine, 2);
	check_eq_u64("PMIs before the wrap", machine->pmis, 1);
}

/* Only an increment of more than 1 can step over 0. */
UNIT_TEST(an_overflow_may_be_seen_at_zero_alone)
{
	MACHINE_WITH(machine, haswell(), overflow_needs_zero, true);
	preset(haswell(), machine, 3);
	machine_nops(machine, 3);
	check_eq_u64("status at 0", get(machine, STATUS), 1);
}

UNIT_TEST(an_overflow_may_come_twice)
{
	MACHINE_WITH(machine, haswell(), overflow_is_twice, true);
	preset(haswell(), machine, 1);
	machine_nops(machine, 1);
	put(machine, STATUS_RESET, 1);
	machine_nops(machine, 1);
	check_eq_u64("status, again", get(machine, STATUS), 1);
	put(machine, STATUS_RESET, 1);
	machine_nops(machine, 5);
	check_eq_u64("not a third time", get(machine, STATUS), 0);
}

UNIT_TEST(fixed_counters_may_overcount_at_an_overflow)
{
	MACHINE_WITH(machine, haswell(), overflow_overcount, 7);
	put(machine, FIXED_CTRL, 9);
	put(machine, FIXED0, ONES(48));
	put(machine, GLOBAL, ONE(32));
	machine_nops(machine, 1);
	check_eq_u64("FIXED_CTR0", get(machine, FIXED0), 7);
}

UNIT_TEST(a_short_period_may_not_be_seen)
{
	MACHINE_WITH(machine, haswell(), overflow_min_period, 20);
	preset(haswell(), machine, 10);
	machine_nops(machine, 30);
	check_eq_u64("short", get(machine, STATUS), 0);
	preset(haswell(), machine, 40);
	machine_nops(machine, 40);
	check_eq_u64("long", get(machine, STATUS), 1);
}

UNIT_TEST(the_status_may_need_int)
{
	MACHINE_WITH(machine, haswell(), status_needs_int, true);
	count_with(haswell(), machine, 0, INSTRUCTIONS | OS);
	put(machine, PMC0, 0xffffffff);
	machine_nops(machine, 1);
	check_eq_u64("without", get(machine, STATUS), 0);
	preset(haswell(), machine, 1);
	machine_nops(machine, 1);
	check_eq_u64("with", get(machine, STATUS), 1);
}

UNIT_TEST(the_pmi_may_not_need_int)
{
	MACHINE_WITH(machine, haswell(), pmi_needs_int, false);
	count_with(haswell(), machine, 0, INSTRUCTIONS | OS);
	put(machine, PMC0, 0xffffffff);
	machine_nops(machine, 1);
	check_eq_u64("PMIs", machine->pmis, 1);
}

UNIT_TEST(an_overflow_may_set_further_bits)
{
	MACHINE_WITH(machine, haswell(), status_with_overflow, ONE(63));
	preset(haswell(), machine, 1);
	machine_nops(machine, 1);
	check_eq_u64("status", get(machine, STATUS), ONE(63) | 1);
}

UNIT_TEST(fixed_counters_may_have_other_status_bits)
{
	MACHINE_WITH(machine, haswell(), status_fixed_shift, 33);
	put(machine, FIXED_CTRL, 9);
	put(machine, FIXED0, ONES(48));
	put(machine, GLOBAL, ONE(32));
	machine_nops(machine, 1);
	check_eq_u64("status", get(machine, STATUS), ONE(33));
}

/* ------------------------------------------------------------------------------ freezing */

UNIT_TEST(freezing_may_do_nothing)
{
	MACHINE_WITH(machine, haswell(), freeze, FREEZE_NONE);
	machine->lvtpc = LVTPC_NMI;
	put(machine, DEBUGCTL, ONE(12));
	preset(haswell(), machine, 1);
	machine_nops(machine, 3);
	check_eq_u64("PMC0", get(machine, PMC0), 2);
}

UNIT_TEST(freezing_may_stop_the_overflowed_counter_alone)
{
	MACHINE_WITH(machine, haswell(), freeze, FREEZE_OVERFLOWED);
	machine->lvtpc = LVTPC_NMI;
	put(machine, DEBUGCTL, ONE(12));
	count_with(haswell(), machine, 1, INSTRUCTIONS | OS);
	preset(haswell(), machine, 1);
	machine_nops(machine, 3);
	check_eq_u64("PMC0", get(machine, PMC0), 0);
	check_eq_u64("PMC1", get(machine, PMC0 + 1), 3);
}

/* ------------------------------------------------------------------------------ PMI */

UNIT_TEST(pmis_may_not_be_raised)
{
	MACHINE_WITH(machine, haswell(), pmi_is_raised, false);
	preset(haswell(), machine, 1);
	machine_nops(machine, 3);
	check_eq_u64("PMIs", machine->pmis, 0);
	check_eq_u64("status", get(machine, STATUS), 1);
}

UNIT_TEST(lvtpc_may_stay_unmasked)
{
	struct model_lvtpc answer;

	MACHINE_WITH(machine, haswell(), pmi_masks_lvtpc, false);
	answer = model_lvtpc(&machine->model, LVTPC_NMI);
	check_true("delivered", answer.is_delivered);
	check_eq_u64("LVTPC", answer.lvtpc, LVTPC_NMI);
}

UNIT_TEST(lvtpcs_mask_may_be_ignored)
{
	MACHINE_WITH(machine, haswell(), pmi_heeds_mask, false);
	check_true("delivered", model_lvtpc(&machine->model, LVTPC_MASK | 0x50).is_delivered);
}

/* Delivery modes 1, 3, 5, 6 and 7 are reserved or not supported for LVTPC. */
UNIT_TEST(reserved_delivery_modes_deliver_nothing)
{
	static const uint32_t modes[] = { 1, 3, 6 };

	for (unsigned i = 0; i < 3; i++) {
		MACHINE_WITH(machine, haswell(), pmi_masks_undelivered, i & 1);
		check_true("not delivered",
		           !model_lvtpc(&machine->model, modes[i] << 8 | 0x50).is_delivered);
	}
}

UNIT_TEST(an_nmi_may_have_a_vector)
{
	struct model_lvtpc answer;

	MACHINE_WITH(machine, haswell(), nmi_has_vector, true);
	answer = model_lvtpc(&machine->model, LVTPC_NMI | 0x51);
	check_eq_u64("delivery", answer.delivery, 0);
	check_eq_u64("vector", answer.vector, 0x51);
}

UNIT_TEST(a_masked_pmi_may_be_kept)
{
	MACHINE_WITH(machine, haswell(), pmi_is_kept_masked, true);
	preset(haswell(), machine, 1);
	machine_nops(machine, 1);
	check_eq_u64("masked", machine->delivered, 0);
	machine->lvtpc = LVTPC_NMI;
	machine_nops(machine, 3);
	check_eq_u64("unmasked", machine->delivered, 1);
	machine->lvtpc = LVTPC_NMI;
	machine_nops(machine, 3);
	check_eq_u64("once", machine->delivered, 1);
	put(machine, EVTSEL0, 0);
	check_true("idle", !machine->model.is_active);
}

UNIT_TEST(a_pmi_may_be_a_level)
{
	MACHINE_WITH(machine, haswell(), pmi_is_level, true);
	machine->lvtpc = LVTPC_NMI;
	preset(haswell(), machine, 1);
	machine_nops(machine, 1);
	machine->lvtpc = LVTPC_NMI;
	machine_nops(machine, 3);
	check_true("again", machine->delivered >= 2);
	put(machine, STATUS_RESET, 1);
	machine->delivered = 0;
	machine->lvtpc = LVTPC_NMI;
	machine_nops(machine, 3);
	check_eq_u64("status is clear", machine->delivered, 0);
}

UNIT_TEST(a_pmi_may_repeat_while_the_counter_stands_at_zero)
{
	MACHINE_WITH(machine, haswell(), pmi_repeats_at_zero, true);
	machine->lvtpc = LVTPC_NMI;
	put(machine, DEBUGCTL, ONE(12));
	count_with(haswell(), machine, 1, INSTRUCTIONS | OS);
	preset(haswell(), machine, 1);
	machine_nops(machine, 1);
	check_eq_u64("first", machine->delivered, 1);
	machine->lvtpc = LVTPC_NMI;
	put(machine, STATUS_RESET, 1);
	put(machine, GLOBAL, 2);
	machine_nops(machine, 3);
	check_true("no harm", machine->delivered >= 1);
}

UNIT_TEST(pmis_may_be_lost_when_close)
{
	MACHINE_WITH(machine, haswell(), pmi_min_insns, 50);
	preset(haswell(), machine, 1);
	machine_nops(machine, 1);
	check_eq_u64("first", machine->pmis, 1);
	put(machine, PMC0, 0xffffffff);
	machine_nops(machine, 1);
	check_eq_u64("too close", machine->pmis, 1);
	machine_nops(machine, 100);
	put(machine, PMC0, 0xffffffff);
	machine_nops(machine, 1);
	check_eq_u64("later", machine->pmis, 2);
}

UNIT_TEST(user_counters_may_overcount_at_a_pmi)
{
	MACHINE_WITH(machine, haswell(), pmi_overcount, 9);
	machine->lvtpc = LVTPC_NMI;
	count_with(haswell(), machine, 1, INSTRUCTIONS | USR);
	preset(haswell(), machine, 1);
	machine_nops(machine, 1);
	check_eq_u64("PMC1", get(machine, PMC0 + 1), 9);
}

UNIT_MAIN()
