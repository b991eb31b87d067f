/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests overflows and PerfMonV2 of AMD's processors. Source: APM 2, "Performance Counter Overflow",
 * "Global Control", "Freezing". */
#include <tests/unit/model/amd/model_amd.h>

enum { FROZEN = 59, FPMCI = 12 };

UNIT_TEST(an_overflow_raises_a_pmi_if_int_is_set)
{
	FOR_EACH_AMD(a)
		for (unsigned n = 0; n < a->gp; n++)
			for (unsigned has_int = 0; has_int < 2; has_int++) {
				struct machine *m = begin(a->signature);
				uint64_t interrupt = has_int ? INT : 0;

				put(m, ctr_of(a, n), ONES(48) - 9);
				put(m, ctl_of(a, n), EN | ALL_RINGS | RETIRED | interrupt);
				machine_nops(m, 9);
				check_eq_u64(a->name, m->pmis, 0);
				machine_nops(m, 3);
				check_eq_u64(a->name, m->pmis, has_int);
				check_eq_u64(a->name, get(m, ctr_of(a, n)), 2);
			}
}

UNIT_TEST(lvtpc_stays_open_for_the_next_pmi)
{
	struct machine *m = begin(PHENOM);

	m->lvtpc = LVTPC_NMI;
	put(m, LEGACY_CTL, EN | INT | ALL_RINGS | RETIRED);
	for (unsigned i = 0; i < 5; i++) {
		put(m, LEGACY_CTR, ONES(48));
		machine_nops(m, 1);
	}
	check_eq_u64("delivered", m->delivered, 5);
}

/* ------------------------------------------------------------------------ version 2 */

UNIT_TEST(after_reset_every_counter_is_enabled)
{
	FOR_EACH_AMD_WITH(a, has_version_2) {
		struct machine *m = begin(a->signature);

		check_eq_u64(a->name, get(m, G_CTL), 0x3f);
		put(m, G_CTL, UINT64_MAX);
		check_eq_u64(a->name, get(m, G_CTL), 0x3f);
		put(m, G_CTL, 0);
		refpmu_reset(&m->model, REFPMU_RESET_INIT);
		check_eq_u64(a->name, get(m, G_CTL), 0);
		refpmu_reset(&m->model, REFPMU_RESET_HARDWARE);
		check_eq_u64(a->name, get(m, G_CTL), 0x3f);
	}
}

UNIT_TEST(both_enables_are_needed)
{
	for (unsigned n = 0; n < 6; n++)
		for (unsigned i = 0; i < 4; i++) {
			struct machine *m = begin(ZEN4);

			put(m, G_CTL, i & 1 ? ONE(n) : 0x3f & ~ONE(n));
			put(m, CTL + 2 * n, ALL_RINGS | RETIRED | (i & 2 ? EN : 0));
			machine_nops(m, 10);
			check_eq_u64("count", get(m, CTR + 2 * n), i == 3 ? 10 : 0);
		}
}

UNIT_TEST(an_overflow_sets_its_bit_of_the_status)
{
	for (unsigned n = 0; n < 6; n++) {
		struct machine *m = begin(ZEN4);

		put(m, CTR + 2 * n, ONES(48));
		put(m, CTL + 2 * n, EN | ALL_RINGS | RETIRED);
		machine_nops(m, 1);
		check_eq_u64("status", get(m, G_STATUS), ONE(n));
		put(m, CTL + 2 * n, 0);
		put(m, CTR + 2 * n, 0);
		put(m, G_CTL, 0);
		put(m, G_STATUS, 0);
		put(m, G_CLEAR, ~ONE(n));
		check_eq_u64("status", get(m, G_STATUS), ONE(n));
		put(m, G_CLEAR, ONE(n));
		check_eq_u64("status", get(m, G_STATUS), 0);
	}
}

UNIT_TEST(setting_a_bit_of_the_status_has_no_effect)
{
	struct machine *m = begin(ZEN4);

	put(m, CTL, EN | INT | ALL_RINGS | RETIRED);
	put(m, DEBUGCTL, ONE(FPMCI));
	put(m, G_SET, 1);
	machine_nops(m, 10);
	check_eq_u64("status", get(m, G_STATUS), 1);
	check_eq_u64("count", get(m, CTR), 10);
	check_eq_u64("PMIs", m->pmis, 0);
	check_eq_u64("the write-only registers", get(m, G_SET) | get(m, G_CLEAR), 0);
}

UNIT_TEST(the_status_has_the_bits_of_silicon)
{
	FOR_EACH_AMD_WITH(a, has_version_2) {
		struct machine *m = begin(a->signature);
		bool is_turin = a->signature == SIGN(0xb40f40);

		put(m, G_SET, UINT64_MAX);
		check_eq_u64(a->name, get(m, G_STATUS),
		             ONE(58) | ONE(59) | (is_turin ? 0xff : 0x3f));
		put(m, G_CLEAR, UINT64_MAX);
		check_eq_u64(a->name, get(m, G_STATUS), 0);
	}
}

/* ------------------------------------------------------------------------ freezes */

/* Overflows counter 0 after 10 of 30 instructions; counter 1 counts, too. */
static struct machine *overflow(uint64_t debugctl, uint64_t ctl)
{
	struct machine *m = begin(ZEN4);

	put(m, DEBUGCTL, debugctl);
	put(m, CTR, ONES(48) - 9);
	put(m, CTL + 2, EN | ALL_RINGS | RETIRED);
	put(m, CTL, EN | ALL_RINGS | RETIRED | ctl);
	machine_nops(m, 30);
	return m;
}

UNIT_TEST(a_pmi_freezes_all_counters)
{
	struct machine *m = overflow(ONE(FPMCI), INT);

	check_eq_u64("status", get(m, G_STATUS), ONE(FROZEN) | 1);
	check_eq_u64("PERF_CTR0", get(m, CTR), 0);
	check_eq_u64("PERF_CTR1", get(m, CTR + 2), 10);
	put(m, G_CLEAR, 1);
	machine_nops(m, 5);
	check_eq_u64("PERF_CTR1", get(m, CTR + 2), 10);
	put(m, G_CLEAR, ONE(FROZEN));
	machine_nops(m, 5);
	check_eq_u64("PERF_CTR1", get(m, CTR + 2), 15);
}

UNIT_TEST(nothing_freezes_without_int_or_fpmci)
{
	check_eq_u64("without INT", get(overflow(ONE(FPMCI), 0), CTR + 2), 30);
	check_eq_u64("without FPMCI", get(overflow(0, INT), CTR + 2), 30);
}

UNIT_TEST(software_freezes_by_the_status)
{
	struct machine *m = begin(ZEN4);

	put(m, CTL, EN | ALL_RINGS | RETIRED);
	put(m, G_SET, ONE(FROZEN));
	machine_nops(m, 10);
	check_eq_u64("frozen", get(m, CTR), 0);
	put(m, G_CLEAR, ONE(FROZEN));
	machine_nops(m, 10);
	check_eq_u64("resumed", get(m, CTR), 10);
}

/* The stall of a load that misses all caches is cut at the overflow. */
UNIT_TEST(a_freeze_stops_clocks_at_once)
{
	struct machine *m = begin(ZEN4);

	put(m, DEBUGCTL, ONE(FPMCI));
	put(m, CTR, ONES(48) - 20);
	put(m, CTL + 2, EN | ALL_RINGS | HALT_CLOCKS);
	put(m, CTL, EN | INT | ALL_RINGS | HALT_CLOCKS);
	machine_access(m, REFPMU_READ, 0x700000, 8);
	machine_nops(m, 1);
	check_eq_u64("PERF_CTR0", get(m, CTR), 0);
	check_eq_u64("PERF_CTR1", get(m, CTR + 2), 21);
}

/* ------------------------------------------------------------------------ merged pairs */

enum { MERGE = EN | 0xff };
#define MERGE_HIGH (ONE(32) * 0xf)

UNIT_TEST(a_merged_pair_counts_64_bits)
{
	struct machine *m = begin(RYZEN);

	put(m, CTL + 2, MERGE_HIGH | MERGE);
	put(m, CTR + 2, 0);
	put(m, CTR, ONES(48) - 1);
	put(m, CTL, EN | INT | ALL_RINGS | RETIRED);
	machine_nops(m, 4);
	check_eq_u64("even counter", get(m, CTR), ONE(48) + 2);
	check_eq_u64("odd counter", get(m, CTR + 2), 1);
	check_eq_u64("PMIs", m->pmis, 0);
}

UNIT_TEST(a_merged_pair_overflows_at_its_top)
{
	struct machine *m = begin(ZEN4);

	put(m, CTL + 2, MERGE_HIGH | MERGE);
	put(m, CTR + 2, 0xffff);
	put(m, CTR, ONES(48) - 1);
	put(m, CTL, EN | INT | ALL_RINGS | RETIRED);
	machine_nops(m, 4);
	check_eq_u64("even counter", get(m, CTR), 2);
	check_eq_u64("PMIs", m->pmis, 1);
	check_eq_u64("status", get(m, G_STATUS), 1);
}

UNIT_TEST(family_15h_merges_nothing)
{
	struct machine *m = begin(FX);

	put(m, CTL + 2, MERGE_HIGH | MERGE);
	put(m, CTR, ONES(48));
	put(m, CTL, EN | INT | ALL_RINGS | RETIRED);
	machine_nops(m, 1);
	check_eq_u64("even counter", get(m, CTR), 0);
	check_eq_u64("odd counter", get(m, CTR + 2), 0);
	check_eq_u64("PMIs", m->pmis, 1);
}

UNIT_MAIN()
