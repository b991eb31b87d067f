/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests what counts on whatever PERF_CTL is, and the counters that the cores of a package share.
 * Sources: APM 2, "Instructions Retired Counter", "Determining Processor Effective Frequency";
 * Linux, events/amd/uncore.c; rr 2034. */
#include <arch/regs/table.h>
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
		m->cpl = 3;
		machine_nops(m, 1);
		put(m, HWCR_MSR, ONE(30));
		machine_nops(m, NOPS);
		check_eq_u64(a->name, get(m, IRPERF), 2 * NOPS);
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

static void miss_at(struct machine *m, uint64_t address)
{
	for (uint64_t i = 0; i < 10; i++) {
		machine_access(m, REFPMU_READ, address + i * 64, 8);
		do_kind(m, 0);
	}
}

/* Reads 10 lines that no cache has. */
static void miss(struct machine *m)
{
	miss_at(m, 0x800000);
}

UNIT_TEST(the_northbridge_counts_lines_from_memory)
{
	struct machine *m = begin(FX);

	put(m, NB_CTL, EN | 0xea | 0x04 << 8);
	put(m, NB_CTL + 2, EN | 0xea | 0x04 << 8);
	put(m, NB_CTL + 4, EN | HIGH(0x4e1) | 0x01 << 8);
	put(m, NB_CTL + 6, EN | 0x01 << 8);
	miss(m);
	check_eq_u64("read blocks", get(m, NB_CTR), 10);
	check_eq_u64("the same", get(m, NB_CTR + 2), 10);
	check_true("misses of L3", get(m, NB_CTR + 4) >= 10);
	check_eq_u64("no event", get(m, NB_CTR + 6), 0);
	put(m, NB_CTL + 2, 0xea | 0x04 << 8);
	miss_at(m, 0xa00000);
	check_eq_u64("counts on", get(m, NB_CTR), 20);
	check_eq_u64("stopped", get(m, NB_CTR + 2), 10);
}

UNIT_TEST(l3_counts_the_threads_and_slices_that_it_selects)
{
	static const struct { uint32_t cpu; uint64_t select; bool does_count; } rows[] = {
		{ RYZEN, UINT64_C(0xff0f000000000000), true },
		{ RYZEN, UINT64_C(0x010f000000000000), true },
		{ RYZEN, UINT64_C(0x020f000000000000), false },
		{ RYZEN, UINT64_C(0x0101000000000000), true },
		{ RYZEN, UINT64_C(0xff0e000000000000), false },
		{ RYZEN, UINT64_C(0xff00000000000000), false },
		{ RYZEN, 0, false },
		{ ZEN4, ONE(46) | ONE(47) | ONE(56), true }, { ZEN4, ONE(56), true },
		{ ZEN4, ONE(46) | ONE(47) | ONE(57), false }, { ZEN4, ONE(42) | ONE(56), false },
		{ ZEN4, ONE(48) | ONE(56), false }, { ZEN4, 0, false },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		struct machine *m = begin(rows[i].cpu);

		put(m, L3_CTL, EN | (rows[i].cpu == RYZEN ? 0x06 : 0x104) | rows[i].select);
		miss(m);
		check_true("misses", rows[i].does_count ? get(m, L3_CTR) >= 10
		                                        : get(m, L3_CTR) == 0);
	}
}

/* Event 04H came with Zen 2, and 01H and 06H went with Zen 3. */
UNIT_TEST(l3_events_are_of_their_generation)
{
	static const struct { uint32_t cpu; uint64_t event; bool does_count; } rows[] = {
		{ RYZEN, 0x104, false }, { RYZEN, 0x06, true }, { SIGN(0x870f10), 0x104, true },
		{ SIGN(0x870f10), 0x06, true }, { ZEN4, 0x06, false }, { ZEN4, 0x01, false },
		{ ZEN4, 0x104, true },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		struct machine *m = begin(rows[i].cpu);

		const uint64_t select = rows[i].cpu == ZEN4 ? ONE(46) | ONE(47) | ONE(56)
		                                            : UINT64_C(0xff0f000000000000);

		put(m, L3_CTL, EN | rows[i].event | select);
		miss(m);
		check_true("misses", rows[i].does_count ? get(m, L3_CTR) >= 10
		                                        : get(m, L3_CTR) == 0);
	}
}

/* Reads so many lines; 32,768 of them are more than L2 has, and fewer than L3. */
static void walk(struct machine *m, unsigned lines)
{
	for (uint64_t i = 0; i < lines; i++) {
		machine_access(m, REFPMU_READ, 0x400000 + i * 64, 8);
		do_kind(m, 0);
	}
}

UNIT_TEST(l3_counts_hits_and_misses_apart)
{
	enum { LINES = 32768, AGAIN = 100, HITS = 0, MISSES = 2, ALL = 4 };
	struct machine *m = begin(ZEN4);

	put(m, L3_CTL + 6, EN | 0x0104 | ONE(46) | ONE(47) | ONE(56));
	walk(m, LINES);
	put(m, L3_CTL + HITS, EN | 0xfe04 | ONE(46) | ONE(47) | ONE(56));
	put(m, L3_CTL + MISSES, EN | 0x0104 | ONE(46) | ONE(47) | ONE(56));
	put(m, L3_CTL + ALL, EN | 0xff04 | ONE(46) | ONE(47) | ONE(56));
	walk(m, AGAIN);
	check_eq_u64("hits", get(m, L3_CTR + HITS), AGAIN);
	check_true("misses, of new lines of code",
	           get(m, L3_CTR + MISSES) <= AGAIN * 2 / 64 + 1);
	check_eq_u64("all", get(m, L3_CTR + ALL), get(m, L3_CTR + HITS) + get(m, L3_CTR + MISSES));
	miss(m);
	check_eq_u64("hits, after misses", get(m, L3_CTR + HITS), AGAIN);
	check_true("misses of new lines", get(m, L3_CTR + MISSES) >= 10);
	check_eq_u64("all", get(m, L3_CTR + ALL), get(m, L3_CTR + HITS) + get(m, L3_CTR + MISSES));
}

UNIT_TEST(a_reset_clears_the_shared_counters_and_init_does_not)
{
	FOR_EACH_AMD_WITH(a, l3) {
		struct machine *m = begin(a->signature);
		const uint32_t msrs[] = { NB_CTL, NB_CTR, L3_CTL, L3_CTR };

		for (unsigned i = 0; i < COUNT_OF(msrs); i++)
			put(m, msrs[i], 0x55);
		refpmu_reset(&m->model, REFPMU_RESET_INIT);
		for (unsigned i = 0; i < COUNT_OF(msrs); i++)
			check_eq_u64(a->name, get(m, msrs[i]), 0x55);
		refpmu_reset(&m->model, REFPMU_RESET_HARDWARE);
		for (unsigned i = 0; i < COUNT_OF(msrs); i++)
			check_eq_u64(a->name, get(m, msrs[i]), 0);
	}
}

UNIT_TEST(a_stopped_shared_counter_does_not_count_beside_a_running_one)
{
	struct machine *m = begin(ZEN4);
	const uint64_t everything = ONE(46) | ONE(47) | ONE(56);

	put(m, L3_CTL, EN | 0x0104 | everything);
	put(m, L3_CTL + 2, 0x0104 | everything);
	put(m, NB_CTL, 0x55);
	miss(m);
	check_true("running", get(m, L3_CTR) >= 10);
	check_eq_u64("stopped", get(m, L3_CTR + 2), 0);
	check_eq_u64("the fabric's, stopped", get(m, NB_CTR), 0);
}

UNIT_MAIN()
