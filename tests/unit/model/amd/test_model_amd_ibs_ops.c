/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests what a sampled op tells of its accesses, and the filters. Sources: APM 2, "IBS Execution
 * Sampling"; BIOS and Kernel Developer's Guides and PPRs, "IbsOpData3". */
#include <tests/unit/model/amd/model_amd_ibs.h>

enum { LLANO = SIGN(0x300f10) };
#define DC_MISS   ONE(7)
#define DC_LOCKED ONE(15)
#define L2_MISS   ONE(20)
#define SW_PF     ONE(21)
#define L3_MISS_ONLY  ONE(16)
#define LAT_FILTER(n) (ONE(63) | (uint64_t)(n) << 59)

static uint64_t latency(struct machine *m)
{
	return field(m, OP_DATA3, 47, 32);
}

/* Retires an instruction that reads twice and writes twice: ops 0 and 1, its own, 3 and 4. */
static void move_two(struct machine *m, uint64_t from, uint64_t to)
{
	machine_access(m, REFPMU_READ, from, 8);
	machine_access(m, REFPMU_READ, from + 0x1000, 8);
	machine_access(m, REFPMU_WRITE, to, 8);
	machine_access(m, REFPMU_WRITE, to + 0x1000, 8);
	machine_nops(m, 1);
}

UNIT_TEST(each_op_has_its_own_access)
{
	static const uint64_t wanted[] = { 0x5000, 0x6000, 0, 0x8000, 0x9000 };
	struct machine *m = begin(RYZEN);

	for (unsigned i = 0; i < COUNT_OF(wanted); i++) {
		arm(m, i, 0);
		put(m, DC_LIN, 0);
		move_two(m, 0x5000, 0x8000);
		check_eq_u64("interrupts", m->ibs, 1);
		check_eq_u64("IbsDcLinAd", get(m, DC_LIN), wanted[i]);
		check_eq_u64("kind", get(m, OP_DATA3) & (LD | ST), i < 2 ? LD : i > 2 ? ST : 0);
	}
}

/* Four accesses of an instruction are noted; a sample of a later one has no address. */
UNIT_TEST(accesses_beyond_the_fourth_have_no_address)
{
	struct machine *m = begin(RYZEN);

	for (unsigned i = 0; i < 6; i++) {
		arm(m, i, 0);
		for (unsigned n = 0; n < 6; n++)
			machine_access(m, REFPMU_READ, 0x5000 + 0x1000 * n, 8);
		machine_nops(m, 1);
		check_eq_u64("interrupts", m->ibs, 1);
		check_eq_u64("load", get(m, OP_DATA3) & (LD | ADDRESSES),
		             i < 4 ? LD | ADDRESSES : 0);
		check_eq_u64("IbsDcLinAd", get(m, DC_LIN), 0x1000 * (i < 4 ? i + 5 : 8));
	}
}

UNIT_TEST(an_instruction_that_faulted_leaves_no_access)
{
	struct machine *m = begin(RYZEN);

	arm(m, 0, 0);
	machine_access(m, REFPMU_READ, 0x5000, 8);
	machine_enter(m, false, 14, 0x20000, 0);
	load(m, 0x6000, 8);
	check_eq_u64("IbsDcLinAd", get(m, DC_LIN), 0x6000);
}

UNIT_TEST(an_op_that_is_no_branch_says_so)
{
	struct machine *m = begin_counting(RYZEN);
	uint64_t before;

	machine_nops(m, 500);
	put(m, OP_DATA2, UINT64_MAX);
	put(m, TARGET, 0x1234);
	arm(m, 0, 0);
	before = get(m, MPERF_MSR);
	machine_nops(m, 1);
	check_eq_u64("IbsOpData[38:33]", field(m, OP_DATA, 38, 33), 0);
	check_eq_u64("CompToRetCtr", field(m, OP_DATA, 15, 0), 1);
	check_eq_u64("TagToRetCtr", field(m, OP_DATA, 31, 16), get(m, MPERF_MSR) - before);
	check_eq_u64("IbsOpData2", get(m, OP_DATA2), 0);
	check_eq_u64("IbsBrTarget stays", get(m, TARGET), 0x1234);
	arm(m, 0, 0);
	load(m, 0x5000, 8);
	check_true("a miss takes its latency", field(m, OP_DATA, 31, 16) >= latency(m));
}

UNIT_TEST(only_a_branch_s_own_op_has_its_target)
{
	struct machine *m = begin(RYZEN);

	for (unsigned op = 0; op < 2; op++) {
		put(m, TARGET, 0x1234);
		arm(m, op, 0);
		machine_access(m, REFPMU_WRITE, 0x6000, 8);
		machine_branch(m, REFPMU_CALL, true, 0x2000);
		check_eq_u64("IbsBrTarget", get(m, TARGET), op ? 0x1234 : 0x2000);
		check_eq_u64("retired branch", get(m, OP_DATA) & ONE(37), op ? 0 : ONE(37));
	}
}

/* Of an instruction with both, each op has its own miss, and only a load has a latency. */
UNIT_TEST(a_store_has_its_own_miss_and_no_latency)
{
	struct machine *m = begin_counting(RYZEN);

	for (unsigned again = 0; again < 2; again++) {
		arm(m, 2, 0);
		machine_access(m, REFPMU_READ, 0x5000 + 0x10000 * again, 8);
		machine_access(m, REFPMU_WRITE, 0x6000, 8);
		machine_nops(m, 1);
		check_eq_u64("miss", get(m, OP_DATA3) & (DC_MISS | L2_MISS | ST | LD),
		             again ? ST : DC_MISS | L2_MISS | ST);
		check_eq_u64("latency", latency(m), 0);
	}
	arm(m, 0, 0);
	machine_access(m, REFPMU_READ, 0x5000, 8);
	machine_access(m, REFPMU_WRITE, 0x7000, 8);
	machine_nops(m, 1);
	check_eq_u64("the load hits", get(m, OP_DATA3) & (DC_MISS | L2_MISS | LD), LD);
	check_eq_u64("latency of a hit", latency(m), 0);
}

UNIT_TEST(a_store_without_a_page_is_no_load)
{
	struct machine *m = begin_counting(RYZEN);

	m->page_bits = 0;
	for (unsigned i = 0; i < 2; i++) {
		arm(m, 1, 0);
		machine_access(m, REFPMU_WRITE, 0x6000, 8);
		machine_nops(m, 1);
		check_eq_u64("store", get(m, OP_DATA3) & (LD | ST), ST);
	}
}

UNIT_TEST(locks_and_prefetches_are_named)
{
	static const struct { enum refpmu_access kind; uint64_t traits, want; } rows[] = {
		{ REFPMU_READ, 0, 0 }, { REFPMU_READ, REFPMU_TRAIT_LOCKED, DC_LOCKED },
		{ REFPMU_READ, REFPMU_TRAIT_SSE_STREAM, SW_PF },
		{ REFPMU_WRITE, REFPMU_TRAIT_SSE_STREAM, 0 }, { REFPMU_WRITE, 0, 0 },
	};
	struct machine *m = begin(RYZEN);

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		arm(m, rows[i].kind == REFPMU_WRITE, 0);
		machine_access(m, rows[i].kind, 0x5000, 8);
		do_kind(m, rows[i].traits);
		check_true("sampled", get(m, OP_DATA3) & (LD | ST));
		check_eq_u64("bits", get(m, OP_DATA3) & (DC_LOCKED | SW_PF), rows[i].want);
	}
}

/* ---------------------------------------------------------------------------- levels */

/* Reads so many lines, so that the first of them leaves caches that are smaller. */
static void walk(struct machine *m, unsigned lines)
{
	for (uint64_t i = 0; i < lines; i++)
		load(m, 0x400000 + i * 64, 8);
}

/* Family 12H does not tell L2Miss: its IbsOpData3 has no bit 20. 1,024 lines are more than L1D has,
 * and fewer than L2; 65,536 are more than L2, and fewer than L3. */
UNIT_TEST(l2_miss_is_of_l2)
{
	static const struct { uint32_t cpu; unsigned lines; uint64_t want; } rows[] = {
		{ RYZEN, 1, LD }, { RYZEN, 1024, LD | DC_MISS },
		{ RYZEN, 65536, LD | DC_MISS | L2_MISS },
		{ LLANO, 1, LD }, { LLANO, 4096, LD | DC_MISS },
		{ LLANO, 65536, LD | DC_MISS },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		struct machine *m = begin_counting(rows[i].cpu);

		walk(m, rows[i].lines);
		m->ip = 0x100000;              /* a line of code that is cached */
		arm(m, 0, 0);
		load(m, 0x400000, 8);
		check_eq_u64("misses", get(m, OP_DATA3) & (LD | DC_MISS | L2_MISS), rows[i].want);
		check_eq_u64("latency", latency(m) != 0, (rows[i].want & DC_MISS) != 0);
		check_true("in clocks", latency(m) < 1000);
	}
}

/* The caches have the data in L2 and not in L1D; the code was never executed. */
UNIT_TEST(a_fetch_that_misses_is_no_miss_of_data)
{
	struct machine *m = begin_counting(RYZEN);

	walk(m, 1024);
	m->ip = 0x200000;
	arm(m, 0, 0);
	load(m, 0x400000, 8);
	check_eq_u64("misses of a load", get(m, OP_DATA3) & (LD | DC_MISS | L2_MISS), LD | DC_MISS);
	m->ip = 0x210000;
	arm(m, 1, 0);
	machine_access(m, REFPMU_WRITE, 0x400040, 8);
	machine_nops(m, 1);
	check_eq_u64("misses of a store", get(m, OP_DATA3) & (ST | DC_MISS | L2_MISS),
	             ST | DC_MISS);
}

UNIT_TEST(l3missonly_lets_misses_of_l3_pass)
{
	struct machine *m = begin_counting(ZEN5);

	walk(m, 65536);
	m->ip = 0x100000;
	arm(m, 0, L3_MISS_ONLY);
	load(m, 0x400000, 8);
	check_eq_u64("a hit of L3 after a miss of L2", m->ibs, 0);
	arm(m, 1, L3_MISS_ONLY);
	load(m, 0x5000, 8);
	check_eq_u64("the op after the load that missed", m->ibs, 0);
	arm(m, 0, L3_MISS_ONLY);
	load(m, 0x7000, 8);
	check_eq_u64("a miss of L3", m->ibs, 1);
}

/* 65,536 lines are more than L2 has, and fewer than L3; the code was never executed. */
UNIT_TEST(l3missonly_does_not_look_at_the_fetch_of_a_load)
{
	struct machine *m = begin_counting(ZEN5);

	walk(m, 65536);
	m->ip = 0x200000;
	arm(m, 0, L3_MISS_ONLY);
	load(m, 0x400000, 8);
	check_eq_u64("a load that hits L3, with a fetch that misses it", m->ibs, 0);
}

/* PPR of family 1AH: at least (IbsLatThrsh + 1) * 128 clocks. */
UNIT_TEST(the_threshold_of_latencies_is_in_units_of_128)
{
	struct machine *m = begin(ZEN5);

	for (unsigned threshold = 0; threshold < 16; threshold++) {
		uint64_t clocks;

		arm(m, 0, 0);
		load(m, 0x10000 + 0x2000 * threshold, 8);
		clocks = latency(m);
		check_true("a miss", clocks >= 128 && clocks < 1000);
		arm(m, 0, LAT_FILTER(threshold));
		load(m, 0x11000 + 0x2000 * threshold, 8);
		check_eq_u64("passes", m->ibs, clocks >= 128 * (threshold + 1));
	}
	arm(m, 1, LAT_FILTER(0));
	load(m, 0x5000, 8);
	check_eq_u64("the op after the load", m->ibs, 0);
}

UNIT_MAIN()
