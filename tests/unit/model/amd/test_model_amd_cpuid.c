/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests the leaves of CPUID that describe AMD's counters and sampling. Sources: APM 3, "CPUID",
 * functions 8000_0008H, 8000_001BH, 8000_0021H, 8000_0022H; PPRs of families 17H, 19H and 1AH. */
#include <tests/unit/model/amd/model_amd.h>

enum { IRPERF_BIT = 1 << 1, BRS_BIT = 1u << 31, PREC_RET = 1 << 12 };

/* Asks for a leaf of which the processor below says all zeros, or all ones. */
static void ask(const struct amd *a, uint32_t leaf, uint32_t fill, uint32_t regs[4])
{
	struct machine *m = begin(a->signature);

	for (unsigned i = 0; i < 4; i++)
		regs[i] = fill;
	refpmu_cpuid(&m->model, leaf, 0, regs);
}

/* Checks which bits of a register are set; all other bits stay what they were. */
static void check_bits(const struct amd *a, uint32_t leaf, unsigned reg, uint32_t bits,
                       uint32_t want)
{
	uint32_t none[4], all[4];

	ask(a, leaf, 0, none);
	ask(a, leaf, ~0u, all);
	check_eq_u64(a->name, none[reg], want);
	check_eq_u64(a->name, all[reg], ~bits | want);
}

static bool is_zen3(const struct amd *a)  { return a->signature == SIGN(0xa20f10); }

UNIT_TEST(sizes_name_irperf_and_brs)
{
	FOR_EACH_AMD(a)
		check_bits(a, 0x80000008, 1, IRPERF_BIT | BRS_BIT,
		           (a->merges ? IRPERF_BIT : 0) | (is_zen3(a) ? BRS_BIT : 0));
}

UNIT_TEST(precise_retirement_is_of_zen4_and_later)
{
	FOR_EACH_AMD(a)
		check_bits(a, 0x80000021, 0, a->has_version_2 ? PREC_RET : 0,
		           a->has_version_2 ? PREC_RET : 0);
}

/* Fetch, op, OpCnt, OpCntExt, and so on; bit 11 is L3MissFilter, bit 12 the filter of latencies. */
UNIT_TEST(the_leaf_of_ibs_names_what_it_can)
{
	static const struct { uint32_t signature, want; } rows[] = {
		{ SIGN(0x300f10), 0xff }, { SIGN(0x500f10), 0xff }, { SIGN(0x730f01), 0xff },
		{ SIGN(0x600f12), 0xff }, { SIGN(0x610f01), 0xff }, { SIGN(0x800f11), 0x3ff },
		{ SIGN(0x870f10), 0x3ff }, { SIGN(0xa20f10), 0x3ff }, { SIGN(0xa60f12), 0xbff },
		{ SIGN(0xb40f40), 0x1bff },
	};

	FOR_EACH_AMD(a) {
		uint32_t want = 0, regs[4];

		for (unsigned i = 0; i < COUNT_OF(rows); i++)
			want |= rows[i].signature == a->signature ? rows[i].want : 0;
		ask(a, 0x8000001b, ~0u, regs);
		check_eq_u64(a->name, regs[0], want);
		check_eq_u64(a->name, regs[1] | regs[2] | regs[3], 0);
	}
}

UNIT_TEST(the_leaf_of_perfmonv2_has_no_more_than_two_registers)
{
	FOR_EACH_AMD_WITH(a, has_version_2) {
		uint32_t regs[4];

		ask(a, 0x80000022, ~0u, regs);
		check_eq_u64(a->name, regs[0], 7);
		check_eq_u64(a->name, regs[1], 6 | 16 << 4 | 16 << 10);
		check_eq_u64(a->name, regs[2] | regs[3], 0);
	}
}

UNIT_MAIN()
