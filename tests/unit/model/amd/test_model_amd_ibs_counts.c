/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests when instruction-based sampling tags, and its counters. Sources: APM 2, "Instruction-Based
 * Sampling"; Marsaglia, "Xorshift RNGs", for the random bits; Linux 221bfce5ebbd. */
#include <model/amd/amd_shared.h>
#include <tests/unit/model/amd/model_amd_ibs.h>

enum { ZEN = RYZEN, CNT_LOW = 16, CNT_HIGH = 31, CUR_LOW = 32, CUR_HIGH = 58 };

/* The first numbers of the generator with 13, 17, 5 from 1 on, as others print them. */
UNIT_TEST(random_bits_are_those_of_the_published_generator)
{
	static const uint32_t numbers[] = { 270369, 67634689, 2647435461u, 307599695, 2398689233u };
	struct machine *m = begin(ZEN);

	for (unsigned i = 0; i < COUNT_OF(numbers); i++)
		check_eq_u64("32 bits", model_ibs_noise(&m->model, 32), numbers[i]);
	model_ibs_reset(&m->model);
	for (unsigned i = 0; i < COUNT_OF(numbers); i++)
		check_eq_u64("7 bits", model_ibs_noise(&m->model, 7), numbers[i] & 0x7f);
}

UNIT_TEST(the_counter_of_ops_has_27_bits)
{
	struct machine *m = begin(ZEN);

	put(m, OP_CTL, UINT64_MAX & ~OP_EN);
	check_eq_u64("IbsOpCurCnt", field(m, OP_CTL, 63, CUR_LOW), ONES(27));
	/* 17 ops lead to the maximum of 16, over the counter's end. */
	put(m, OP_CTL, OP_EN | BY_OPS | 1 | ONES(27) << CUR_LOW);
	machine_nops(m, 17);
	check_eq_u64("interrupts", m->ibs, 0);
	machine_nops(m, 1);
	check_eq_u64("interrupts", m->ibs, 1);
}

UNIT_TEST(bits_26_to_20_are_those_above_maxcnt)
{
	struct machine *m = begin(ZEN);

	put(m, OP_CTL, OP_EN | BY_OPS | ONE(20) | (ONE(20) - 4) << CUR_LOW);
	machine_nops(m, 4);
	check_eq_u64("interrupts", m->ibs, 0);
	machine_nops(m, 1);
	check_eq_u64("interrupts", m->ibs, 1);
}

/* Runs the loop of machine_nops() while the caches are followed, so that it stays in them. */
static void warm(struct machine *m)
{
	put(m, OP_CTL, OP_EN | 0x8000);
	machine_nops(m, 5000);
}

/* 20 bits: the highest bit of MaxCnt is the counter's highest. */
UNIT_TEST(family_10h_has_20_bits_and_counts_clocks)
{
	struct machine *m = begin_counting(PHENOM);

	warm(m);
	check_eq_u64("interrupts", m->ibs, 0);
	put(m, OP_CTL, OP_EN | BY_OPS | 2);
	machine_nops(m, 36);
	check_eq_u64("36 instructions are fewer than 32 clocks", m->ibs, 0);
	machine_nops(m, 1000);
	check_eq_u64("interrupts", m->ibs, 1);
}

static void check_clocks(struct machine *m, uint64_t before)
{
	const uint64_t clocks = get(m, MPERF_MSR) - before;
	const uint64_t counted = field(m, OP_CTL, CUR_HIGH, CUR_LOW);

	/* A clock that has only begun is one of MPERF's. */
	check_true("clocks", counted == clocks || counted + 1 == clocks);
}

UNIT_TEST(clocks_are_those_since_the_write)
{
	struct machine *m = begin_counting(ZEN);
	uint64_t before;

	warm(m);
	put(m, OP_CTL, 0);
	machine_nops(m, 4000);
	put(m, OP_CTL, OP_EN | 0x7000);
	before = get(m, MPERF_MSR);
	machine_nops(m, 800);
	check_clocks(m, before);
	machine_nops(m, 800);
	check_clocks(m, before);
	check_true("not instructions", get(m, MPERF_MSR) - before < 1400);
}

UNIT_TEST(by_clocks_nothing_is_tagged_early)
{
	struct machine *m = begin_counting(ZEN);
	uint64_t before, clocks;

	warm(m);
	put(m, OP_CTL, OP_EN | 0x20);
	before = get(m, MPERF_MSR);
	for (unsigned i = 0; i < 100000 && !m->ibs; i++)
		machine_nops(m, 1);
	clocks = get(m, MPERF_MSR) - before;
	check_eq_u64("interrupts", m->ibs, 1);
	check_true("512 clocks", clocks >= 512 && clocks <= 514);
}

/* By clocks, chance says which op is tagged: the load, or the one that follows. */
UNIT_TEST(by_clocks_each_op_has_its_turn)
{
	enum { SAMPLES = 64 };
	struct machine *m = begin(ZEN);
	unsigned loads = 0;

	for (unsigned i = 0; i < SAMPLES; i++) {
		put(m, OP_CTL, OP_EN | 2);
		while (m->ibs == i)
			load(m, 0x5000, 4);
		loads += (get(m, OP_DATA3) & LD) != 0;
	}
	check_true("not always the load", loads < SAMPLES * 3 / 4);
	check_true("nor never", loads > SAMPLES / 4);
}

UNIT_TEST(after_a_sample_the_counter_is_random_and_the_control_stays)
{
	struct machine *m = begin(ZEN);

	put(m, OP_CTL, OP_EN | BY_OPS | 0x100);
	machine_nops(m, 0x1001);
	check_eq_u64("interrupts", m->ibs, 1);
	check_eq_u64("control", get(m, OP_CTL) & ONES(32), OP_EN | BY_OPS | OP_VAL | 0x100);
	check_true("7 bits", field(m, OP_CTL, CUR_HIGH, CUR_LOW) < 128);
}

/* ---------------------------------------------------------------------------- fetch */

UNIT_TEST(the_counter_of_fetches_is_written_where_the_field_is)
{
	struct machine *m = begin(PHENOM);

	put(m, FETCH_CTL, UINT64_C(0x5678) << CNT_LOW | 0x9abc);
	check_eq_u64("family 10H", get(m, FETCH_CTL), UINT64_C(0x5678) << CNT_LOW | 0x9abc);
	m = begin(ZEN);
	put(m, FETCH_CTL, UINT64_C(0x5678) << CNT_LOW | 0x9abc);
	check_eq_u64("17H takes no count", get(m, FETCH_CTL), 0x9abc);
}

/* Returns after how many single fetches one is tagged. */
static unsigned fetches(struct machine *m, uint64_t control)
{
	const unsigned before = m->ibs;
	unsigned count = 0;

	put(m, FETCH_CTL, 0);
	put(m, FETCH_CTL, FETCH_EN | control);
	while (m->ibs == before && count++ < 1000)
		machine_branch(m, REFPMU_JMP, true, 0x100000 + count % 2 * 0x40);
	return count;
}

UNIT_TEST(randen_changes_the_distance_by_less_than_16)
{
	struct machine *m = begin(PHENOM);
	const unsigned fixed = fetches(m, 4), later = fetches(m, 4 | UINT64_C(2) << CNT_LOW);
	unsigned differing = 0;

	check_true("64 fetches, two a branch at most", fixed >= 32 && fixed <= 65);
	check_true("half of them", later >= fixed / 2 - 1 && later <= fixed / 2 + 1);
	for (unsigned i = 0; i < 16; i++) {
		const unsigned n = fetches(m, ONE(57) | 4);
		const unsigned half = fetches(m, ONE(57) | 4 | UINT64_C(2) << CNT_LOW);

		check_eq_u64("not random", fetches(m, 4), fixed);
		check_true("at most 15 fewer", n <= fixed && n + 16 > fixed);
		check_true("from the value", half <= later && half + 16 > later);
		differing += n != fixed;
	}
	check_true("random", differing > 4);
}

UNIT_TEST(a_fetch_stops_the_counter_at_the_maximum)
{
	struct machine *m = begin(ZEN);

	put(m, FETCH_CTL, FETCH_EN | 3);
	machine_nops(m, 4000);
	check_eq_u64("interrupts", m->ibs, 1);
	check_eq_u64("IbsFetchCnt", field(m, FETCH_CTL, CNT_HIGH, CNT_LOW), 3);
	put(m, FETCH_CTL, FETCH_EN | 3);
	check_eq_u64("goes on", field(m, FETCH_CTL, CNT_HIGH, CNT_LOW), 4);
	put(m, FETCH_CTL, FETCH_EN | 3);
	check_eq_u64("once", field(m, FETCH_CTL, CNT_HIGH, CNT_LOW), 4);
	check_eq_u64("the sample is gone", get(m, FETCH_CTL), FETCH_EN | 4 << CNT_LOW | 3);
}

/* A fetch is of 32 bytes; an instruction across their end takes two. */
UNIT_TEST(a_fetch_that_passes_the_maximum_stops_at_it)
{
	struct machine *m = begin(ZEN);

	put(m, FETCH_CTL, FETCH_EN | 3);
	machine_branch(m, REFPMU_JMP, true, 0x10001f);
	while (!m->ibs)
		machine_branch(m, REFPMU_JMP, true, 0x10001f);
	check_eq_u64("IbsFetchCnt", field(m, FETCH_CTL, CNT_HIGH, CNT_LOW), 3);
}

/* Goes to an address whose fetch is the one that is tagged. */
static void go_to(struct machine *m, uint64_t control, uint64_t address)
{
	m->ibs = 0;
	put(m, FETCH_CTL, 0);
	put(m, FETCH_CTL, FETCH_EN | 1 | control);
	for (unsigned i = 0; i < 15; i++)
		machine_branch(m, REFPMU_JMP, true, 0x100000);
	machine_branch(m, REFPMU_JMP, true, address);
	check_eq_u64("not yet", m->ibs, 0);
}

static void sample_at(struct machine *m, uint64_t control, uint64_t address)
{
	go_to(m, control, address);
	machine_branch(m, REFPMU_JMP, true, 0x100000);
}

/* Executes 2,048 lines: more than L1I has, and fewer than L2. */
static void empty_l1i(struct machine *m)
{
	for (uint64_t i = 0; i < 2048; i++)
		machine_branch(m, REFPMU_JMP, true, 0x400000 + i * 64);
}

UNIT_TEST(a_fetch_tells_what_it_missed)
{
	enum { LAT_LOW = 32, IC_MISS = 1 << 1, TLB_MISS = 1 << 5 };
	struct machine *m = begin_counting(ZEN);
	uint64_t latency;

	sample_at(m, 0, 0x300000);
	check_eq_u64("interrupts", m->ibs, 1);
	check_eq_u64("IbsFetchLinAd", get(m, FETCH_LIN), 0x300000);
	check_eq_u64("both", field(m, FETCH_CTL, 55, 50) & (IC_MISS | TLB_MISS),
	             IC_MISS | TLB_MISS);
	latency = field(m, FETCH_CTL, 47, LAT_LOW);
	check_true("latency", latency >= 200 && latency < 1000);
	sample_at(m, 0, 0x300040);
	check_eq_u64("its page", field(m, FETCH_CTL, 55, 50) & (IC_MISS | TLB_MISS), IC_MISS);
	check_true("a miss", field(m, FETCH_CTL, 47, LAT_LOW) >= 200 &&
	                     field(m, FETCH_CTL, 47, LAT_LOW) < latency);
	sample_at(m, 0, 0x300000);
	check_eq_u64("none", field(m, FETCH_CTL, 55, 50) & (IC_MISS | TLB_MISS), 0);
	check_eq_u64("no latency", field(m, FETCH_CTL, 47, LAT_LOW), 0);
}

UNIT_TEST(l3missonly_needs_a_fetch_that_missed_l3)
{
	struct machine *m = begin_counting(ZEN4);

	sample_at(m, ONE(59), 0x300000);
	check_eq_u64("missed L3", m->ibs, 1);
	sample_at(m, ONE(59), 0x300000);
	check_eq_u64("hit L1I", m->ibs, 0);
	empty_l1i(m);
	sample_at(m, ONE(59), 0x300000);
	check_eq_u64("hit L2", m->ibs, 0);
	empty_l1i(m);
	go_to(m, ONE(59), 0x300000);
	machine_access(m, REFPMU_READ, 0x700000, 8);
	machine_branch(m, REFPMU_JMP, true, 0x100000);
	check_eq_u64("hit L2, and data missed L3", m->ibs, 0);
	put(m, FETCH_CTL, 0);
	put(m, FETCH_CTL, FETCH_EN | 1 | ONE(59));
	for (unsigned i = 0; i < 200; i++) {
		machine_access(m, REFPMU_READ, 0x800000 + 64 * i, 8);
		machine_branch(m, REFPMU_JMP, true, 0x100000);
	}
	check_eq_u64("data missed", m->ibs, 0);
}

/* Counts the fetches from one that did not pass to the next. */
static void reject(struct machine *m, uint64_t control)
{
	put(m, FETCH_CTL, 0);
	put(m, FETCH_CTL, FETCH_EN | 0x10 | ONE(59) | control);
	for (unsigned i = 0; i < 0x101; i++)
		machine_branch(m, REFPMU_JMP, true, 0x100000);
}

UNIT_TEST(a_fetch_that_does_not_pass_starts_the_counter_anew)
{
	struct machine *m = begin_counting(ZEN4);
	unsigned differing = 0;

	reject(m, 0);
	for (unsigned i = 0; i < 64; i++) {
		reject(m, 0);
		check_eq_u64("0", field(m, FETCH_CTL, CNT_HIGH, CNT_LOW), 0);
	}
	for (unsigned i = 1; i <= 16; i++) {
		check_eq_u64("below 16", field(m, FETCH_CTL, CNT_HIGH, CNT_LOW), 0);
		machine_branch(m, REFPMU_JMP, true, 0x100000);
	}
	check_eq_u64("16", field(m, FETCH_CTL, CNT_HIGH, CNT_LOW), 1);
	for (unsigned i = 0; i < 64; i++) {
		reject(m, ONE(57));
		check_true("7 bits", field(m, FETCH_CTL, CNT_HIGH, CNT_LOW) < 8 + 1);
		differing += field(m, FETCH_CTL, CNT_HIGH, CNT_LOW) > 0;
	}
	check_true("random", differing > 16);
}

UNIT_TEST(a_write_of_1_to_val_keeps_the_sample_and_nothing_else)
{
	struct machine *m = begin(ZEN);
	uint64_t sample;

	put(m, FETCH_CTL, FETCH_EN | ONE(57) | 3);
	machine_nops(m, 4000);
	sample = get(m, FETCH_CTL) & (UINT64_C(0xfe) << 49 | ONES(16) << 32);
	check_eq_u64("Val", get(m, FETCH_CTL) & FETCH_VAL, FETCH_VAL);
	check_true("complete", sample & ONE(50));
	put(m, FETCH_CTL, FETCH_VAL | 6);
	check_eq_u64("kept", get(m, FETCH_CTL) & ~(ONES(16) << CNT_LOW), sample | FETCH_VAL | 6);
}

UNIT_MAIN()
