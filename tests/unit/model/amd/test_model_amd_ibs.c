/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests AMD's instruction-based sampling. Sources: APM 2, "Instruction-Based Sampling"; BIOS and
 * Kernel Developer's Guides, "IBS". The numbers are typed from there a second time. */
#include <tests/unit/model/amd/model_amd_ibs.h>

UNIT_TEST(an_op_is_sampled_after_so_many)
{
	struct machine *m = begin(RYZEN);
	uint64_t first = m->ip;

	put(m, OP_CTL, OP_EN | BY_OPS | 1);
	machine_nops(m, 16);
	check_eq_u64("interrupts", m->ibs, 0);
	machine_nops(m, 1);
	check_eq_u64("interrupts", m->ibs, 1);
	check_eq_u64("IbsOpRip", get(m, OP_RIP), first + 16);
	check_eq_u64("Val", get(m, OP_CTL) & OP_VAL, OP_VAL);
	machine_nops(m, 500);
	check_eq_u64("interrupts while it is valid", m->ibs, 1);
	put(m, OP_CTL, OP_EN | BY_OPS | 1);
	machine_nops(m, 17);
	check_eq_u64("interrupts", m->ibs, 2);
}

UNIT_TEST(by_clocks_an_op_is_sampled_in_time)
{
	struct machine *m = begin(PHENOM);

	put(m, OP_CTL, OP_EN | 1);
	machine_nops(m, 4000);
	check_eq_u64("interrupts", m->ibs, 1);
	put(m, OP_CTL, OP_EN);
	machine_nops(m, 4000);
	check_eq_u64("interrupts without a maximum", m->ibs, 1);
}

UNIT_TEST(a_wide_maximum_is_longer)
{
	struct machine *m = begin(RYZEN);

	put(m, OP_CTL, OP_EN | BY_OPS | ONE(20) | 1);
	machine_nops(m, 4000);
	check_eq_u64("interrupts", m->ibs, 0);
}

UNIT_TEST(a_load_has_its_address)
{
	struct machine *m = begin(RYZEN);

	arm(m, 0, 0);
	load(m, 0x5004, 4);
	check_eq_u64("interrupts", m->ibs, 1);
	check_eq_u64("IbsDcLinAd", get(m, DC_LIN), 0x5004);
	check_eq_u64("IbsDcPhysAd", get(m, DC_PHYS), 0x5004);
	check_eq_u64("load", get(m, OP_DATA3) & (LD | ST | ADDRESSES), LD | ADDRESSES);
	check_eq_u64("a first one misses", get(m, OP_DATA3) & (ONE(2) | ONE(7)), ONE(2) | ONE(7));
	check_eq_u64("width", get(m, OP_DATA3) >> 22 & 15, 3);
	check_true("latency", get(m, OP_DATA3) >> 32 & 0xffff);
	arm(m, OPS_OF_LOAD, 0);
	load(m, 0x5004, 4);
	load(m, 0x5004, 4);
	check_eq_u64("a second one hits", get(m, OP_DATA3) & (LD | ONE(2) | ONE(7)), LD);
}

UNIT_TEST(a_store_is_the_op_after_its_instruction)
{
	struct machine *m = begin(RYZEN);

	arm(m, 1, 0);
	machine_access(m, REFPMU_WRITE, 0x6000, 8);
	machine_nops(m, 1);
	check_eq_u64("store", get(m, OP_DATA3) & (LD | ST | ADDRESSES), ST | ADDRESSES);
	check_eq_u64("IbsDcLinAd", get(m, DC_LIN), 0x6000);
	arm(m, 0, 0);
	machine_access(m, REFPMU_WRITE, 0x6000, 8);
	machine_nops(m, 1);
	check_eq_u64("its own op has none", get(m, OP_DATA3), 0);
}

UNIT_TEST(an_access_that_does_both_has_both_bits)
{
	struct machine *m = begin(RYZEN);

	arm(m, 0, 0);
	machine_access(m, REFPMU_READ_WRITE, 0x6000, 8);
	do_kind(m, REFPMU_TRAIT_LOCKED);
	check_eq_u64("both", get(m, OP_DATA3) & (LD | ST), LD | ST);
	check_eq_u64("locked", get(m, OP_DATA3) & ONE(15), ONE(15));
}

UNIT_TEST(an_access_that_is_not_cached_says_so)
{
	struct machine *m = begin(RYZEN);

	arm(m, 0, 0);
	refpmu_access(&m->model, REFPMU_READ, 0x7000, 0x7000, 4, false);
	machine_nops(m, 1);
	check_eq_u64("uncacheable", get(m, OP_DATA3) & ONE(14), ONE(14));
}

UNIT_TEST(large_pages_are_named)
{
	static const struct { unsigned bits; uint64_t want; } rows[] = {
		{ 0, 0 }, { 12, 0 }, { 21, ONE(4) }, { 30, ONE(5) }
	};
	struct machine *m = begin(RYZEN);

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		m->page_bits = rows[i].bits;
		arm(m, OPS_OF_LOAD, 0);
		load(m, 0x5000, 4);
		load(m, 0x5000, 4);
		check_eq_u64("page", get(m, OP_DATA3) & (ONE(4) | ONE(5)), rows[i].want);
	}
}

UNIT_TEST(a_branch_has_its_outcome_and_target)
{
	struct machine *m = begin(RYZEN);

	arm(m, 0, 0);
	machine_branch(m, REFPMU_JCC, true, 0x2000);
	check_eq_u64("retired and taken", get(m, OP_DATA) >> 35 & 5, 5);
	check_eq_u64("target", get(m, TARGET), 0x2000);
	arm(m, 0, 0);
	machine_branch(m, REFPMU_JCC, false, 0x3000);
	check_eq_u64("retired, not taken", get(m, OP_DATA) >> 35 & 5, 4);
	arm(m, 0, 0);
	machine_branch(m, REFPMU_RET, true, 0x4000);
	check_eq_u64("a return", get(m, OP_DATA) & ONE(34), ONE(34));
}

UNIT_TEST(filters_let_few_samples_pass)
{
	struct machine *m = begin(ZEN5);

	arm(m, 0, ONE(16));
	load(m, 0x5000, 4);
	check_eq_u64("a miss of all caches passes L3MissOnly", m->ibs, 1);
	arm(m, OPS_OF_LOAD, ONE(16));
	load(m, 0x5000, 4);
	load(m, 0x5000, 4);
	check_eq_u64("a hit does not", m->ibs, 0);
	arm(m, OPS_OF_LOAD, ONE(63));
	load(m, 0x5000, 4);
	load(m, 0x5000, 4);
	check_eq_u64("nor LatFilterEn", m->ibs, 0);
	arm(m, 0, ONE(63));
	machine_nops(m, 1);
	check_eq_u64("and nothing that loads nothing", m->ibs, 0);
}

UNIT_TEST(a_fetch_has_its_addresses)
{
	struct machine *m = begin(RYZEN);

	put(m, FETCH_CTL, FETCH_EN | 1);
	machine_nops(m, 4000);
	check_eq_u64("interrupts", m->ibs, 1);
	check_eq_u64("Val", get(m, FETCH_CTL) & FETCH_VAL, FETCH_VAL);
	check_eq_u64("IbsFetchPhysAd", get(m, FETCH_PHYS), get(m, FETCH_LIN));
	check_eq_u64("page", get(m, FETCH_CTL) >> 52 & 7, 1);
	machine_nops(m, 4000);
	check_eq_u64("interrupts while it is valid", m->ibs, 1);
	put(m, FETCH_CTL, 0);
	m->page_bits = 21;
	put(m, FETCH_CTL, FETCH_EN | ONE(57) | 1);
	machine_nops(m, 4000);
	check_eq_u64("page of 2 MB", get(m, FETCH_CTL) >> 52 & 7, 3);
	put(m, FETCH_CTL, get(m, FETCH_CTL) & ~FETCH_VAL);
	machine_nops(m, 4000);
	check_eq_u64("En did not rise: the counter is behind the maximum", m->ibs, 2);
	put(m, FETCH_CTL, 0);
	m->page_bits = 30;
	put(m, FETCH_CTL, FETCH_EN | 1);
	machine_nops(m, 4000);
	check_eq_u64("page of 1 GB", get(m, FETCH_CTL) >> 52 & 7, 5);
}

UNIT_TEST(fetches_that_hit_do_not_pass_the_filter)
{
	for (unsigned random = 0; random < 2; random++) {
		struct machine *m = begin(ZEN4);

		/* By then the loop has run some times, and is cached. */
		put(m, FETCH_CTL, FETCH_EN | ONE(59) | (uint64_t)random << 57 | 0x40);
		machine_nops(m, 1 << 18);
		check_eq_u64("interrupts", m->ibs, 0);
		check_eq_u64("Val", get(m, FETCH_CTL) & FETCH_VAL, 0);
	}
}

UNIT_TEST(all_registers_are_there_and_some_are_read_only)
{
	static const uint32_t all[] = { FETCH_CTL, FETCH_LIN, FETCH_PHYS, OP_CTL, OP_RIP, OP_DATA,
	                                OP_DATA2, OP_DATA3, DC_LIN, DC_PHYS };

	FOR_EACH_AMD(a) {
		struct machine *m = begin(a->signature);
		uint64_t value;
		bool has_ibs = machine_read(m, OP_CTL, &value) == REFPMU_OK;

		for (unsigned i = 0; i < COUNT_OF(all); i++)
			check_eq_u64(a->name, machine_write(m, all[i], 0),
			             has_ibs ? REFPMU_OK : REFPMU_GP);
		check_eq_u64(a->name, machine_write(m, CONTROL, 0), REFPMU_GP);
		if (!has_ibs)
			continue;
		check_true(a->name, get(m, CONTROL) & ONE(8));
		put(m, OP_RIP, 0x1234);
		check_eq_u64(a->name, get(m, OP_RIP), 0x1234);
		put(m, DC_LIN, UINT64_MAX);
		check_true(a->name, get(m, DC_LIN));
		refpmu_reset(&m->model, REFPMU_RESET_HARDWARE);
		check_eq_u64(a->name, get(m, OP_RIP), 0);
	}
}

UNIT_TEST(later_registers_are_those_of_later_processors)
{
	struct machine *m = begin(ZEN5);

	put(m, TARGET, 0x99);
	check_eq_u64("IbsBrTarget", get(m, TARGET), 0x99);
	put(m, FETCH_EXTD, 1);
	check_eq_u64("IbsFetchCtlExtd", get(m, FETCH_EXTD), 0);
	m = begin(PHENOM);
	check_eq_u64("IbsFetchCtlExtd of 10H", read_status(m, FETCH_EXTD), REFPMU_GP);
	check_eq_u64("IbsOpData4 of 10H", read_status(m, OP_DATA4), REFPMU_GP);
}

UNIT_MAIN()
