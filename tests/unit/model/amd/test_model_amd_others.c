/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests what counts on whatever PERF_CTL is, and the counters that the cores of a package share.
 * Sources: APM 2, "Instructions Retired Counter", "Determining Processor Effective Frequency";
 * Linux, events/amd/uncore.c; rr 2034. */
#include <tests/unit/model/amd/model_amd.h>

enum { NOPS = 100 };

UNIT_TEST(irperfcount_counts_with_its_bit_of_hwcr)
{
	FOR_EACH_AMD_WITH(a, merges) {
		struct machine *m = begin(a->signature);

		machine_nops(m, NOPS);
		check_eq_u64(a->name, get(m, IRPERF), 0);
		put(m, HWCR_MSR, ONE(30));
		machine_nops(m, NOPS);
		put(m, HWCR_MSR, 0);
		machine_nops(m, NOPS);
		check_eq_u64(a->name, get(m, IRPERF), NOPS);
	}
}

UNIT_TEST(mperf_and_aperf_stand_still_in_hlt)
{
	FOR_EACH_AMD_WITH(a, merges)
		for (unsigned n = 0; n < 2; n++) {
			struct machine *m = begin(a->signature);
			uint64_t before;

			put(m, ctl_of(a, 0), EN | ALL_RINGS | HALT_CLOCKS);
			before = get(m, MPERF_MSR + n);
			machine_nops(m, NOPS);
			check_eq_u64(a->name, get(m, MPERF_MSR + n) - before,
			             get(m, ctr_of(a, 0)));
			put(m, MPERF_MSR + n, 12345);
			refpmu_halt(&m->model);
			refpmu_halted(&m->model, 1000);
			check_eq_u64(a->name, get(m, MPERF_MSR + n), 12345);
			check_eq_u64(a->name, get(m, MPERF_COPY + n), 12345);
			check_true(a->name, get(m, MPERF_MSR + !n) != 12345);
		}
}

UNIT_TEST(ls_cfg_stops_the_map_of_speculative_locks)
{
	FOR_EACH_AMD_WITH(a, merges) {
		struct machine *m = begin(a->signature);

		count(m, a, 0, ALL_RINGS | 0x25 | 0x08 << 8);
		do_kind(m, REFPMU_TRAIT_LOCKED);
		put(m, LS_CFG_MSR, ONE(54) | 7);
		check_eq_u64(a->name, get(m, LS_CFG_MSR), ONE(54) | 7);
		do_kind(m, REFPMU_TRAIT_LOCKED);
		put(m, LS_CFG_MSR, 7);
		do_kind(m, REFPMU_TRAIT_LOCKED);
		check_eq_u64(a->name, get(m, ctr_of(a, 0)), 2);
		count(m, a, 0, ALL_RINGS | RETIRED | 0x08 << 8);
		put(m, LS_CFG_MSR, ONE(54));
		do_kind(m, REFPMU_TRAIT_LOCKED);
		check_eq_u64(a->name, get(m, ctr_of(a, 0)), 1);
	}
}

/* ------------------------------------------------------------------------ beyond the core */

/* Reads 10 lines that no cache has. */
static void miss(struct machine *m)
{
	for (uint64_t i = 0; i < 10; i++) {
		machine_access(m, REFPMU_READ, 0x800000 + i * 64, 8);
		do_kind(m, 0);
	}
}

UNIT_TEST(the_northbridge_counts_lines_from_memory)
{
	struct machine *m = begin(FX);

	put(m, NB_CTL + 2, EN | 0xea | 0x04 << 8);
	put(m, NB_CTL + 4, EN | HIGH(0x4e1) | 0x01 << 8);
	put(m, NB_CTL + 6, EN | 0x01 << 8);
	miss(m);
	check_eq_u64("read blocks", get(m, NB_CTR + 2), 10);
	check_true("misses of L3", get(m, NB_CTR + 4) >= 10);
	check_eq_u64("no event", get(m, NB_CTR + 6), 0);
	put(m, NB_CTL + 2, 0xea | 0x04 << 8);
	miss(m);
	check_eq_u64("stopped", get(m, NB_CTR + 2), 10);
}

UNIT_TEST(l3_counts_the_threads_and_slices_that_it_selects)
{
	static const struct { uint32_t cpu; uint64_t select; bool does_count; } rows[] = {
		{ RYZEN, UINT64_C(0xff0f000000000000), true },
		{ RYZEN, UINT64_C(0x010f000000000000), true },
		{ RYZEN, UINT64_C(0x020f000000000000), false },
		{ RYZEN, UINT64_C(0xff00000000000000), false },
		{ RYZEN, 0, false },
		{ ZEN4, ONE(46) | ONE(47) | ONE(56), true }, { ZEN4, ONE(56), true },
		{ ZEN4, ONE(46) | ONE(47) | ONE(57), false }, { ZEN4, ONE(42) | ONE(56), false },
		{ ZEN4, ONE(48) | ONE(56), false }, { ZEN4, 0, false },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct machine *m = begin(rows[i].cpu);

		put(m, L3_CTL, EN | (rows[i].cpu == RYZEN ? 0x06 : 0x104) | rows[i].select);
		miss(m);
		check_true("misses", rows[i].does_count ? get(m, L3_CTR) >= 10
		                                        : get(m, L3_CTR) == 0);
	}
}

UNIT_MAIN()
