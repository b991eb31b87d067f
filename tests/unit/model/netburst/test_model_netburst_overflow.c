/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* NetBurst's overflows, PMIs and cascades. Source: SDM 3B, "CCCR MSRs", "Generating an Interrupt on
 * Overflow", "Cascading Counters", "EXTENDED CASCADING". */
#include <model/core/internal.h>

#include <tests/unit/model/netburst/model_netburst.h>

static bool is_over(unsigned counter)
{
	return get_msr(CCCR + counter) & OVF;
}

/* ---------------------------------------------------------------------------- overflow */

UNIT_TEST(ovf_is_sticky_and_the_counter_goes_on)
{
	fresh(WILLAMETTE, 1);
	count_instr(12, ENABLE, BEFORE(5));
	run(0, 0, 4);
	check_true("not yet", !is_over(12));
	run(0, 0, 1);
	check_true("at zero", is_over(12) && counted(12) == 0);
	run(0, 0, 9);
	check_true("still", is_over(12) && counted(12) == 9);
	put_msr(CCCR + 12, 0);
	check_true("cleared", !is_over(12));
	put_msr(CCCR + 12, OVF);
	check_true("set", is_over(12));
}

UNIT_TEST(ovf_under_rules_that_no_processor_has)
{
	FRESH_WITH(WILLAMETTE, 1, ovf_is_not_sticky, true);
	count_instr(12, ENABLE, BEFORE(5));
	run(0, 0, 6);
	check_true("not sticky", !is_over(12));
	FRESH_WITH(WILLAMETTE, 1, ovf_clears_on_read, true);
	count_instr(12, ENABLE, BEFORE(5));
	run(0, 0, 6);
	check_true("read", is_over(12) && !is_over(12));
	FRESH_WITH(WILLAMETTE, 1, ovf_clears_on_counter_write, true);
	count_instr(12, ENABLE, BEFORE(5));
	run(0, 0, 6);
	put_msr(COUNTER + 12, 0);
	check_true("counter written", !is_over(12));
	FRESH_WITH(WILLAMETTE, 1, ovf_clears_on_counter_read, true);
	put_msr(CCCR + 12, OVF);
	check_true("counter read", counted(12) == 0 && !is_over(12));
	FRESH_WITH(WILLAMETTE, 1, ovf_clears_on_escr_write, true);
	put_msr(CCCR + 12, OF_CRU | OVF);
	put_msr(CRU_ESCR1, 0);
	check_true("another ESCR written", is_over(12));
	put_msr(CRU_ESCR0, 0);
	check_true("ESCR written", !is_over(12));
	FRESH_WITH(WILLAMETTE, 1, ovf_clears_with_pair, true);
	put_msr(CCCR + 12, OVF);
	put_msr(CCCR + 13, 0);
	check_true("pair", !is_over(12));
	FRESH_WITH(WILLAMETTE, 1, ovf_width, 32);
	count_instr(12, ENABLE, 0xfffffffe);
	run(0, 0, 5);
	check_true("bit 32", is_over(12) && counted(12) == ONE(32) + 3);
	FRESH_WITH(WILLAMETTE, 1, ovf_is_never, true);
	count_instr(12, ENABLE, BEFORE(5));
	run(0, 0, 6);
	check_true("never", !is_over(12));
	FRESH_WITH(WILLAMETTE, 1, ovf_stays, true);
	put_msr(CCCR + 12, OVF);
	put_msr(CCCR + 12, 0);
	check_true("stays", is_over(12));
	FRESH_WITH(WILLAMETTE, 1, ovf_stops_counter, true);
	count_instr(12, ENABLE, BEFORE(5));
	run(0, 0, 9);
	check_eq_u64("stopped", counted(12), 0);
	FRESH_WITH(WILLAMETTE, 1, overflow_is_early, true);
	count_instr(12, ENABLE, BEFORE(5));
	run(0, 0, 4);
	check_true("early", is_over(12));
}

UNIT_TEST(carries_that_errata_lose_and_add)
{
	FRESH_WITH(WILLAMETTE, 1, write_carries, true);
	put_msr(COUNTER + 12, 0xfffffff8);
	check_eq_u64("written without an event", counted(12), 0xfffffff8);
	count_instr(12, 0, 0);
	put_msr(COUNTER + 12, 5);
	check_eq_u64("written far from a carry", counted(12), 5);
	put_msr(COUNTER + 12, 0xfffffff8);
	check_eq_u64("written next to one", counted(12), 0xfffffff8 + ONE(32));
	FRESH_WITH(WILLAMETTE, 1, write_extends_sign, true);
	put_msr(COUNTER + 12, 0x80000000);
	check_eq_u64("extended", counted(12), ONES(40) - ONES(31));
	FRESH_WITH(WILLAMETTE, 1, stop_loses_carry, true);
	count_instr(12, ENABLE, 0xfffffff0);
	run(0, 0, 32);
	put_msr(CCCR + 12, 0);
	check_eq_u64("stopped soon", counted(12), 16);
	count_instr(12, ENABLE, 5);
	put_msr(CCCR + 12, 0);
	check_eq_u64("stopped elsewhere", counted(12), 5);
}

/* ---------------------------------------------------------------------------- PMI */

UNIT_TEST(a_pmi_comes_with_the_next_count)
{
	fresh(WILLAMETTE, 1);
	count_instr(12, ENABLE | PMI_T0, BEFORE(5));
	run(0, 0, 5);
	check_eq_u64("at the overflow", s.cpu[0].pmis, 0);
	run(0, 3, 1);
	check_eq_u64("with the next count", s.cpu[0].pmis, 1);
	FRESH_WITH(WILLAMETTE, 1, ovf_pmi_is_on_wrap, true);
	count_instr(12, ENABLE | PMI_T0, BEFORE(5));
	run(0, 0, 5);
	check_eq_u64("on the wrap", s.cpu[0].pmis, 1);
	fresh(WILLAMETTE, 1);
	count_instr(12, ENABLE, BEFORE(5));
	run(0, 0, 9);
	check_eq_u64("without OVF_PMI", s.cpu[0].pmis, 0);
}

UNIT_TEST(an_overflow_cleared_before_the_next_count_has_no_pmi)
{
	fresh(WILLAMETTE, 1);
	count_instr(12, ENABLE | PMI_T0, BEFORE(5));
	run(0, 0, 5);
	put_msr(CCCR + 12, OF_CRU | ENABLE | PMI_T0);
	run(0, 0, 9);
	check_eq_u64("cleared", s.cpu[0].pmis, 0);
	put_msr(COUNTER + 12, BEFORE(5));
	run(0, 0, 5);
	put_msr(CCCR + 12, OF_CRU | PMI_T0 | OVF);
	run(0, 0, 9);
	check_eq_u64("stopped", s.cpu[0].pmis, 0);
}

/* LVTPC of these machines never masks itself: each poll of an asserted line is a PMI. */
UNIT_TEST(the_line_stays_as_long_as_ovf)
{
	fresh(WILLAMETTE, 1);
	count_instr(12, ENABLE | PMI_T0, BEFORE(5));
	run(0, 0, 6);
	put_msr(CCCR + 12, OF_CRU | PMI_T0 | OVF);
	s.cpu[0].pmis = 0;
	run(0, 0, 3);
	check_eq_u64("again", s.cpu[0].pmis, 3);
	put_msr(CCCR + 12, OF_CRU | PMI_T0);
	run(0, 0, 3);
	check_eq_u64("not any more", s.cpu[0].pmis, 3);
	check_true("idle", !s.cpu[0].model.is_active);
	FRESH_WITH(WILLAMETTE, 1, ovf_pmi_is_pulse, true);
	count_instr(12, ENABLE | PMI_T0, BEFORE(5));
	run(0, 0, 20);
	check_eq_u64("once", s.cpu[0].pmis, 1);
}

UNIT_TEST(force_ovf)
{
	fresh(WILLAMETTE, 1);
	count_instr(12, ENABLE | PMI_T0 | FORCE, 0);
	for (unsigned i = 0; i < 10; i++) {
		run(0, 3, 1);
		check_true("over", is_over(12));
		check_eq_u64("PMIs", s.cpu[0].pmis, i);
		put_msr(CCCR + 12, OF_CRU | ENABLE | PMI_T0 | FORCE);
	}
	check_eq_u64("it counts", counted(12), 10);
	FRESH_WITH(WILLAMETTE, 1, force_ovf_once, true);
	count_instr(12, ENABLE | PMI_T0 | FORCE, 0);
	run(0, 3, 1);
	check_true("once", is_over(12));
	put_msr(CCCR + 12, OF_CRU | ENABLE | PMI_T0 | FORCE);
	run(0, 3, 1);
	check_true("and no more", !is_over(12));
}

UNIT_TEST(force_ovf_under_rules_that_no_processor_has)
{
	FRESH_WITH(WILLAMETTE, 1, force_ovf_loads, true);
	count_instr(12, ENABLE | FORCE, 7);
	run(0, 3, 3);
	check_eq_u64("loaded", counted(12), 0);
	FRESH_WITH(WILLAMETTE, 1, force_ovf_is_pmi, true);
	count_instr(12, ENABLE | FORCE, 0);
	run(0, 3, 3);
	check_eq_u64("PMIs", s.cpu[0].pmis, 2);
	FRESH_WITH(WILLAMETTE, 1, pmi_needs_int, false);
	count_instr(12, ENABLE, BEFORE(2));
	run(0, 3, 3);
	check_eq_u64("without OVF_PMI", s.cpu[0].pmis, 1);
}

UNIT_TEST(lines_of_two_counters)
{
	for (unsigned together = 0; together < 2; together++) {
		FRESH_WITH(WILLAMETTE, 1, pmi_lines_drop_together, together);
		count_instr(12, ENABLE | PMI_T0, BEFORE(2));
		count_instr(13, ENABLE | PMI_T0, BEFORE(2));
		run(0, 0, 3);
		put_msr(CCCR + 12, 0);
		put_msr(CCCR + 13, OVF | PMI_T0);
		s.cpu[0].pmis = 0;
		run(0, 0, 1);
		check_eq_u64("the other one's", s.cpu[0].pmis, !together);
	}
}

/* Counters go on, and LVTPC gives the one PMI that it owes. */
UNIT_TEST(clocks_while_halted)
{
	FRESH_WITH(WILLAMETTE, 1, halted_signals, 1u << SIGNAL_CYCLES);
	put_msr(FSB_ESCR0, RUNNING | T0);
	put_msr(COUNTER + 0, 0);
	put_msr(CCCR + 0, OF_FSB | ENABLE);
	check_true("looks again", model_halt(&s.cpu[0].model) < UINT64_MAX);
	model_halted(&s.cpu[0].model, 500);
	check_true("they count", counted(0) >= 500);
	fresh(WILLAMETTE, 1);
	put_msr(FSB_ESCR0, RUNNING | T0);
	put_msr(CCCR + 0, OF_FSB | ENABLE);
	check_eq_u64("never", model_halt(&s.cpu[0].model), UINT64_MAX);
	model_halted(&s.cpu[0].model, 500);
	check_true("they do not", counted(0) < 500);
}

static void pmis_of(uint32_t bits, unsigned first, unsigned second)
{
	put_msr(CRU_ESCR0, INSTR_RETIRED | T0);
	put_msr(COUNTER + 12, BEFORE(2));
	put_msr(CCCR + 12, OF_CRU | ENABLE | bits);
	s.cpu[0].pmis = s.cpu[1].pmis = 0;
	run(0, 0, 3);
	check_eq_u64("of thread 0", s.cpu[0].pmis != 0, first);
	check_eq_u64("of thread 1", s.cpu[1].pmis != 0, second);
}

UNIT_TEST(pmis_go_to_their_threads)
{
	fresh(PRESCOTT, 2);
	pmis_of(0, 0, 0);
	pmis_of(PMI_T0, 1, 0);
	pmis_of(PMI_T1, 0, 1);
	pmis_of(PMI_T0 | PMI_T1, 1, 1);
	FRESH_WITH(PRESCOTT, 2, pmi_thread_flip, 1);
	pmis_of(PMI_T0, 0, 1);
	FRESH_WITH(PRESCOTT, 2, pmi_is_for_thread_0, true);
	pmis_of(PMI_T1, 1, 0);
	FRESH_WITH(PRESCOTT, 2, pmi_is_for_all, true);
	pmis_of(PMI_T1, 1, 1);
	FRESH_WITH(PRESCOTT, 2, pmi_is_for_counted, true);
	pmis_of(PMI_T1, 1, 0);
	FRESH_WITH(PRESCOTT, 2, pmi_needs_active, true);
	put_msr(CRU_ESCR0, INSTR_RETIRED | T0);
	put_msr(CCCR + 12, OF_CRU | ENABLE);
	model_halt(&s.cpu[1].model);
	pmis_of(PMI_T1, 0, 0);
}

/* ---------------------------------------------------------------------------- cascades */

/* Counters from and to count the same event; after so many how much has the second one? */
static uint64_t cascaded(unsigned from, unsigned to, uint32_t bits, unsigned count)
{
	for (unsigned i = 12; i < 18; i++)
		put_msr(CCCR + i, 0);
	count_instr(from, ENABLE, BEFORE(5));
	count_instr(to, bits, 0);
	run(0, 0, count);
	return counted(to);
}

UNIT_TEST(who_starts_whom)
{
	static const uint8_t pairs[18] = { [12] = 14, [13] = 15, [14] = 12, [15] = 13,
	                                   [16] = 14, [17] = 15 };

	fresh(PRESCOTT, 1);
	for (unsigned to = 12; to < 18; to++)
		for (unsigned from = 12; from < 18; from++) {
			bool is_pair = pairs[to] == from;

			if (from == to)
				continue;
			check_eq_u64("started", cascaded(from, to, CASCADE, 12), is_pair ? 7 : 0);
			check_eq_u64("before", cascaded(from, to, CASCADE, 5), 0);
			check_eq_u64("no CASCADE", cascaded(from, to, 0, 12), 0);
			check_eq_u64("ENABLE", cascaded(from, to, CASCADE | ENABLE, 12), 12);
		}
}

UNIT_TEST(who_starts_whom_extended)
{
	static const uint8_t from[18] = { [12] = 16, [15] = 17, [16] = 17, [17] = 16 };

	for (unsigned to = 12; to < 18; to++) {
		if (!from[to])
			continue;
		fresh(PRESCOTT, 1);
		check_eq_u64("extended", cascaded(from[to], to, INTO, 12), 7);
		fresh(WILLAMETTE, 1);
		check_eq_u64("not there", cascaded(from[to], to, INTO, 12), 0);
	}
	FRESH_WITH(PRESCOTT, 1, cccr_ignored, INTO);
	check_eq_u64("never", cascaded(16, 12, INTO, 12), 0);
}

UNIT_TEST(a_cascade_ends_when_ovf_is_cleared)
{
	fresh(WILLAMETTE, 1);
	check_eq_u64("started", cascaded(12, 14, CASCADE, 12), 7);
	put_msr(CCCR + 12, 0);
	run(0, 0, 9);
	check_eq_u64("stopped", counted(14), 7);
	FRESH_WITH(WILLAMETTE, 1, cascade_keeps_going, true);
	check_eq_u64("started", cascaded(12, 14, CASCADE, 12), 7);
	put_msr(CCCR + 12, 0);
	run(0, 0, 9);
	check_eq_u64("goes on", counted(14), 16);
}

UNIT_TEST(cascades_under_rules_that_no_processor_has)
{
	FRESH_WITH(WILLAMETTE, 1, cascade_flip, 1);
	check_eq_u64("another partner", cascaded(12, 14, CASCADE, 12), 0);
	check_eq_u64("another partner", cascaded(13, 14, CASCADE, 12), 7);
	FRESH_WITH(WILLAMETTE, 1, cascade_flip, 16);
	check_eq_u64("a partner that there is not", cascaded(12, 14, CASCADE, 12), 0);
	FRESH_WITH(WILLAMETTE, 1, cascade_more_to, 14);
	s.core[0]->rules.cascade_more_from = 1 << 16;
	check_eq_u64("one more partner", cascaded(16, 14, CASCADE, 12), 7);
	FRESH_WITH(WILLAMETTE, 1, cascade_takes_same, true);
	check_eq_u64("the same event", cascaded(12, 14, CASCADE, 12), 8);
	cascaded(12, 14, CASCADE, 0);
	put_msr(COUNTER + 14, BEFORE(1));
	run(0, 0, 5);
	check_eq_u64("it wraps", counted(14), 0);
	FRESH_WITH(WILLAMETTE, 1, cascade_pmi_is_source, true);
	cascaded(12, 14, CASCADE | PMI_T0, 5);
	check_eq_u64("PMI of the start", s.cpu[0].pmis, 1);
	FRESH_WITH(PRESCOTT, 1, extended_flip, 1);
	check_eq_u64("another extended partner", cascaded(17, 12, INTO, 12), 7);
	FRESH_WITH(WILLAMETTE, 1, cascade_is_early, true);
	check_eq_u64("early", cascaded(12, 14, CASCADE, 3), 3);
	FRESH_WITH(WILLAMETTE, 1, cascade_is_never, true);
	check_eq_u64("never", cascaded(12, 14, CASCADE, 12), 0);
	FRESH_WITH(WILLAMETTE, 1, cascade_needs_no_flag, true);
	check_eq_u64("no flag", cascaded(12, 14, 0, 12), 7);
	FRESH_WITH(WILLAMETTE, 1, cascade_stops_enabled, true);
	check_eq_u64("waits", cascaded(12, 14, CASCADE | ENABLE, 12), 7);
}

UNIT_TEST(a_cascade_has_a_pmi)
{
	fresh(WILLAMETTE, 1);
	cascaded(12, 14, CASCADE | PMI_T0, 5);
	put_msr(COUNTER + 14, BEFORE(3));
	run(0, 0, 3);
	check_eq_u64("M and N", s.cpu[0].pmis, 0);
	run(0, 0, 1);
	check_eq_u64("and one", s.cpu[0].pmis, 1);
	fresh(NORTHWOOD, 1);
	cascaded(12, 14, CASCADE | PMI_T0, 5);
	put_msr(COUNTER + 14, BEFORE(3));
	run(0, 0, 9);
	check_true("over", is_over(14));
	check_eq_u64("by an erratum", s.cpu[0].pmis, 0);
}

/* A division-like stall of many cycles is cut where the other one starts. */
UNIT_TEST(a_cascade_of_cycles)
{
	fresh(WILLAMETTE, 1);
	put_msr(FSB_ESCR0, RUNNING | T0);
	put_msr(CRU_ESCR0, INSTR_RETIRED | T0);
	put_msr(CRU_ESCR0 + 1, INSTR_RETIRED | T0);
	put_msr(COUNTER + 12, BEFORE(7));
	put_msr(CCCR + 14, OF_CRU | CASCADE | THRESHOLD(15) | COMPLEMENT);
	put_msr(CCCR + 12, OF_CRU | ENABLE | THRESHOLD(15) | COMPLEMENT);
	put_msr(CCCR + 0, OF_FSB | ENABLE);
	model_stall(&s.cpu[0].model, 100, SIGNAL_BACKEND);
	check_eq_u64("the first", counted(12), 93);
	check_eq_u64("the second", counted(14), 93);
	check_eq_u64("running", counted(0), 100);
	fresh(WILLAMETTE, 1);
	put_msr(FSB_ESCR0, RUNNING | T0);
	put_msr(0x3a3, RUNNING | T0);
	put_msr(COUNTER + 0, BEFORE(7));
	put_msr(CCCR + 2, OF_FSB | CASCADE);
	put_msr(CCCR + 0, OF_FSB | ENABLE);
	model_stall(&s.cpu[0].model, 100, SIGNAL_BACKEND);
	check_eq_u64("of levels", counted(2), 93);
}

UNIT_MAIN()
