/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests NetBurst's overflows, PMIs and cascades. Source: SDM 3B, "CCCR MSRs", "Generating an
 * Interrupt on Overflow", "Cascading Counters", "EXTENDED CASCADING". */
#include <model/core/internal.h>

#include <tests/unit/model/netburst/model_netburst.h>

static bool is_over(unsigned counter)
{
	return get_msr(CCCR + counter) & OVF;
}

/* ---------------------------------------------------------------------------- overflow */

UNIT_TEST(ovf_is_sticky_and_the_counter_continues)
{
	fresh(WILLAMETTE, 1);
	count_instr(12, ENABLE, BEFORE(5));
	run(0, 0, 4);
	check_true("OVF is 0 before the wrap", !is_over(12));
	run(0, 0, 1);
	check_true("OVF is 1 at the wrap", is_over(12) && counted(12) == 0);
	run(0, 0, 9);
	check_true("OVF stays 1", is_over(12) && counted(12) == 9);
	put_msr(CCCR + 12, 0);
	check_true("a write of 0 clears OVF", !is_over(12));
	put_msr(CCCR + 12, OVF);
	check_true("a write of 1 sets OVF", is_over(12));
}

/* Only a write of the CCCR clears OVF. */
UNIT_TEST(accesses_to_other_registers_keep_ovf)
{
	fresh(WILLAMETTE, 1);
	count_instr(12, ENABLE, BEFORE(5));
	run(0, 0, 6);
	check_true("OVF after reads of the CCCR", is_over(12) && is_over(12));
	check_eq_u64("counter after reads of the CCCR", counted(12), 1);
	put_msr(COUNTER + 12, 0);
	put_msr(CRU_ESCR0, 0);
	put_msr(CCCR + 13, 0);
	check_true("OVF after writes of other registers", is_over(12));
}

/* ---------------------------------------------------------------------------- PMI */

UNIT_TEST(a_pmi_comes_with_the_next_count)
{
	fresh(WILLAMETTE, 1);
	count_instr(12, ENABLE | PMI_T0, BEFORE(5));
	run(0, 0, 5);
	check_eq_u64("PMIs at the overflow", s.cpu[0].pmis, 0);
	run(0, 3, 1);
	check_eq_u64("PMIs after the next count", s.cpu[0].pmis, 1);
	fresh(WILLAMETTE, 1);
	count_instr(12, ENABLE, BEFORE(5));
	run(0, 0, 9);
	check_eq_u64("PMIs without OVF_PMI", s.cpu[0].pmis, 0);
}

UNIT_TEST(an_overflow_cleared_before_the_next_count_raises_no_pmi)
{
	fresh(WILLAMETTE, 1);
	count_instr(12, ENABLE | PMI_T0, BEFORE(5));
	run(0, 0, 5);
	put_msr(CCCR + 12, OF_CRU | ENABLE | PMI_T0);
	run(0, 0, 9);
	check_eq_u64("PMIs if OVF was cleared", s.cpu[0].pmis, 0);
	put_msr(COUNTER + 12, BEFORE(5));
	run(0, 0, 5);
	put_msr(CCCR + 12, OF_CRU | PMI_T0 | OVF);
	run(0, 0, 9);
	check_eq_u64("PMIs if the counter was stopped", s.cpu[0].pmis, 0);
}

/* LVTPC of these machines never masks itself, so each poll of an asserted line is a PMI. */
UNIT_TEST(the_line_stays_asserted_as_long_as_ovf)
{
	fresh(WILLAMETTE, 1);
	count_instr(12, ENABLE | PMI_T0, BEFORE(5));
	run(0, 0, 6);
	put_msr(CCCR + 12, OF_CRU | PMI_T0 | OVF);
	s.cpu[0].pmis = 0;
	run(0, 0, 3);
	check_eq_u64("PMIs while OVF is 1", s.cpu[0].pmis, 3);
	put_msr(CCCR + 12, OF_CRU | PMI_T0);
	run(0, 0, 3);
	check_eq_u64("PMIs after OVF was cleared", s.cpu[0].pmis, 3);
	check_true("the processor is not active", !s.cpu[0].model.is_active);
}

UNIT_TEST(without_ovf_pmi_the_line_is_deasserted_and_ovf_stays)
{
	fresh(WILLAMETTE, 1);
	count_instr(12, ENABLE | PMI_T0, BEFORE(5));
	run(0, 0, 6);
	put_msr(CCCR + 12, OF_CRU | OVF);
	s.cpu[0].pmis = 0;
	run(0, 0, 3);
	check_eq_u64("PMIs", s.cpu[0].pmis, 0);
	check_true("OVF is still 1", is_over(12));
}

UNIT_TEST(force_ovf_overflows_with_each_count)
{
	fresh(WILLAMETTE, 1);
	count_instr(12, ENABLE | PMI_T0 | FORCE, 0);
	for (unsigned i = 0; i < 10; i++) {
		run(0, 3, 1);
		check_true("OVF is 1", is_over(12));
		check_eq_u64("PMIs", s.cpu[0].pmis, i);
		put_msr(CCCR + 12, OF_CRU | ENABLE | PMI_T0 | FORCE);
	}
	check_eq_u64("the counter counts all the same", counted(12), 10);
}

UNIT_TEST(two_counters_have_lines_of_their_own)
{
	fresh(WILLAMETTE, 1);
	count_instr(12, ENABLE | PMI_T0, BEFORE(2));
	count_instr(13, ENABLE | PMI_T0, BEFORE(2));
	run(0, 0, 3);
	put_msr(CCCR + 12, 0);
	put_msr(CCCR + 13, OVF | PMI_T0);
	s.cpu[0].pmis = 0;
	run(0, 0, 1);
	check_eq_u64("PMIs of the other counter's line", s.cpu[0].pmis, 1);
}

UNIT_TEST(no_clocks_are_counted_while_halted)
{
	fresh(WILLAMETTE, 1);
	put_msr(FSB_ESCR0, RUNNING | T0);
	put_msr(CCCR + 0, OF_FSB | ENABLE);
	check_eq_u64("time to the next overflow", refpmu_halt(&s.cpu[0].model), UINT64_MAX);
	refpmu_halted(&s.cpu[0].model, 500);
	check_true("clocks counted", counted(0) < 500);
}

static void pmis_of(uint32_t bits, unsigned first, unsigned second)
{
	put_msr(CRU_ESCR0, INSTR_RETIRED | T0);
	put_msr(COUNTER + 12, BEFORE(2));
	put_msr(CCCR + 12, OF_CRU | ENABLE | bits);
	s.cpu[0].pmis = s.cpu[1].pmis = 0;
	run(0, 0, 3);
	check_eq_u64("PMIs of thread 0", s.cpu[0].pmis != 0, first);
	check_eq_u64("PMIs of thread 1", s.cpu[1].pmis != 0, second);
}

UNIT_TEST(pmis_go_to_their_threads)
{
	fresh(PRESCOTT, 2);
	pmis_of(0, 0, 0);
	pmis_of(PMI_T0, 1, 0);
	pmis_of(PMI_T1, 0, 1);
	pmis_of(PMI_T0 | PMI_T1, 1, 1);
	put_msr(CRU_ESCR0, INSTR_RETIRED | T0);
	put_msr(CCCR + 12, OF_CRU | ENABLE);
	refpmu_halt(&s.cpu[1].model);
	pmis_of(PMI_T1, 0, 1);
}

/* ---------------------------------------------------------------------------- cascades */

/* Makes counters from and to count the same event; returns the second one's value after so many
 * events. */
static uint64_t cascaded(unsigned from, unsigned to, uint32_t bits, unsigned count)
{
	for (unsigned i = 12; i < 18; i++)
		put_msr(CCCR + i, 0);
	count_instr(from, ENABLE, BEFORE(5));
	count_instr(to, bits, 0);
	run(0, 0, count);
	return counted(to);
}

UNIT_TEST(each_counter_starts_its_partner)
{
	static const uint8_t pairs[18] = { [12] = 14, [13] = 15, [14] = 12, [15] = 13,
	                                   [16] = 14, [17] = 15 };

	fresh(PRESCOTT, 1);
	for (unsigned to = 12; to < 18; to++)
		for (unsigned from = 12; from < 18; from++) {
			bool is_pair = pairs[to] == from;

			if (from == to)
				continue;
			check_eq_u64("counts of the counter that was started",
			             cascaded(from, to, CASCADE, 12), is_pair ? 7 : 0);
			check_eq_u64("counts before the overflow",
			             cascaded(from, to, CASCADE, 5), 0);
			check_eq_u64("counts without CASCADE", cascaded(from, to, 0, 12), 0);
			check_eq_u64("counts with ENABLE",
			             cascaded(from, to, CASCADE | ENABLE, 12), 12);
		}
}

UNIT_TEST(each_counter_starts_its_partner_by_extended_cascading)
{
	static const uint8_t from[18] = { [12] = 16, [15] = 17, [16] = 17, [17] = 16 };

	for (unsigned to = 12; to < 18; to++) {
		if (!from[to])
			continue;
		fresh(PRESCOTT, 1);
		check_eq_u64("counts of the counter that was started",
		             cascaded(from[to], to, INTO, 12), 7);
		fresh(WILLAMETTE, 1);
		check_eq_u64("counts on a model without extended cascading",
		             cascaded(from[to], to, INTO, 12), 0);
	}
}

UNIT_TEST(a_cascade_ends_when_ovf_is_cleared)
{
	fresh(WILLAMETTE, 1);
	check_eq_u64("counts after the start", cascaded(12, 14, CASCADE, 12), 7);
	put_msr(CCCR + 12, 0);
	run(0, 0, 9);
	check_eq_u64("counts after OVF was cleared", counted(14), 7);
}

UNIT_TEST(a_cascaded_counter_raises_a_pmi)
{
	fresh(WILLAMETTE, 1);
	cascaded(12, 14, CASCADE | PMI_T0, 5);
	put_msr(COUNTER + 14, BEFORE(3));
	run(0, 0, 3);
	check_eq_u64("PMIs after M + N counts", s.cpu[0].pmis, 0);
	run(0, 0, 1);
	check_eq_u64("PMIs after one more count", s.cpu[0].pmis, 1);
	fresh(NORTHWOOD, 1);
	cascaded(12, 14, CASCADE | PMI_T0, 5);
	put_msr(COUNTER + 14, BEFORE(3));
	run(0, 0, 9);
	check_true("OVF is 1", is_over(14));
	check_eq_u64("PMIs on models with the erratum", s.cpu[0].pmis, 0);
}

/* A long stall is cut at the cycle in which the cascaded counter starts. */
UNIT_TEST(a_cascade_starts_in_the_middle_of_a_stall)
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
	check_eq_u64("cycles of the first counter", counted(12), 93);
	check_eq_u64("cycles of the cascaded counter", counted(14), 93);
	check_eq_u64("cycles of a counter that runs", counted(0), 100);
	fresh(WILLAMETTE, 1);
	put_msr(FSB_ESCR0, RUNNING | T0);
	put_msr(0x3a3, RUNNING | T0);
	put_msr(COUNTER + 0, BEFORE(7));
	put_msr(CCCR + 2, OF_FSB | CASCADE);
	put_msr(CCCR + 0, OF_FSB | ENABLE);
	model_stall(&s.cpu[0].model, 100, SIGNAL_BACKEND);
	check_eq_u64("cycles of a cascaded counter of levels", counted(2), 93);
}

UNIT_MAIN()
