/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests the branch predictor: what it learns, how soon, and what it never learns. */
#include <arch/regs/table.h>
#include <tests/unit/model/cache/caches_machine.h>

/* Retires a conditional branch at ip; returns 1 if it was mispredicted. */
static unsigned jcc(uint64_t ip, bool is_taken)
{
	return branch(REFPMU_JCC, ip, is_taken ? ip + 32 : ip + 2).is_mispredicted;
}

/* Retires a loop's branch, taken except the last time; returns the number of mispredictions. */
static unsigned loop(unsigned rounds)
{
	unsigned wrong = 0;

	for (unsigned i = 0; i < rounds; i++)
		wrong += jcc(CODE, i + 1 < rounds);
	return wrong;
}

UNIT_TEST(a_constant_direction_is_learnt_at_once)
{
	unsigned taken = 0, not_taken = 0;

	start(HASWELL);
	for (unsigned i = 0; i < 1000; i++) {
		taken += jcc(CODE, true);
		not_taken += jcc(CODE + 2, false);
	}
	check_eq_u64("mispredictions if always taken: the first one", taken, 1);
	check_eq_u64("mispredictions if never taken: none", not_taken, 0);
}

/* The first run mispredicts the first branch, because predictions start with not taken, and the
 * last one. Later runs mispredict only the last one: after 8 taken branches the history does not
 * show how near the end is. */
UNIT_TEST(a_long_loop_mispredicts_its_end)
{
	start(HASWELL);
	check_eq_u64("mispredictions of the first run", loop(100), 2);
	for (unsigned run = 0; run < 5; run++)
		check_eq_u64("mispredictions of a later run", loop(100), 1);
}

UNIT_TEST(a_short_loop_is_learnt_completely)
{
	start(HASWELL);
	for (unsigned run = 0; run < 10; run++)
		loop(5);
	for (unsigned run = 0; run < 10; run++)
		check_eq_u64("mispredictions, as the history of 8 covers the loop", loop(5), 0);
}

/*
 * Branches 0 to 10 are mispredicted: the first 8 have a history each, and the branch's own counter
 * swings between 1 and 2, always wrong. Branches 7 and 8 make patterns, which 9 and 10 confirm;
 * from then on the patterns decide.
 */
UNIT_TEST(an_alternating_branch_is_learnt_in_eleven_rounds)
{
	unsigned wrong = 0;

	start(HASWELL);
	for (unsigned i = 0; i < 11; i++)
		wrong += jcc(CODE, i % 2 == 0);
	check_eq_u64("mispredictions in rounds 0 to 10", wrong, 11);
	for (unsigned i = 11; i < 1000; i++)
		wrong += jcc(CODE, i % 2 == 0);
	check_eq_u64("mispredictions in all rounds", wrong, 11);
}

/*
 * Each position of a period below 9 has a history of its own, or the same history as a position
 * with the same future.
 */
UNIT_TEST(short_patterns_are_learnt)
{
	static const char *const patterns[] = {
		"110", "100", "1100", "1101", "11010", "110100", "1110100", "11010010"
	};

	for (unsigned p = 0; p < COUNT_OF(patterns); p++) {
		unsigned period = (unsigned)strlen(patterns[p]), wrong = 0;

		start(HASWELL);
		for (unsigned i = 0; i < 8 * period; i++)
			jcc(CODE, patterns[p][i % period] == '1');
		for (unsigned i = 0; i < 100 * period; i++)
			wrong += jcc(CODE, patterns[p][i % period] == '1');
		check_eq_u64(patterns[p], wrong, 0);
	}
}

static uint32_t next_random(uint32_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 17;
	*x ^= *x << 5;
	return *x >> 16 & 1;
}

UNIT_TEST(random_directions_are_wrong_half_of_the_time)
{
	const unsigned rounds = 10000;
	uint32_t x = 1;
	unsigned wrong = 0;

	start(HASWELL);
	for (unsigned i = 0; i < rounds; i++)
		wrong += jcc(CODE, next_random(&x));
	check_true("within 10 standard deviations of 50 around 5000", wrong > 4500 && wrong < 5500);
}

/*
 * With as many entries as histories every branch may use every entry. A branch that its own counter
 * predicts takes no entry, so the alternating branch keeps its two entries, wherever the other
 * branch is.
 */
UNIT_TEST(a_constant_branch_uses_no_patterns)
{
	static const struct cache_invented crowded = {
		.history_bits = 4, .direction_entries = 512, .pattern_entries = 16,
		.target_entries = 1, .return_entries = 1
	};

	for (unsigned distance = 4; distance <= 256; distance += 4) {
		struct cache_geometry geometry = *cache_geometry_find(HASWELL);
		unsigned wrong = 0;

		geometry.invented = &crowded;
		start_with(&geometry);
		for (unsigned i = 0; i < 100; i++) {
			unsigned is_wrong = jcc(CODE, i % 2 == 0);

			wrong += jcc(CODE + distance, false) + (i < 20 ? 0 : is_wrong);
		}
		check_eq_u64("mispredictions after 20 rounds", wrong, 0);
	}
}

/*
 * The first branch is random, and the second one repeats it. The history has four earlier rounds.
 */
UNIT_TEST(a_branch_that_repeats_another_is_learnt)
{
	uint32_t x = 1;
	unsigned wrong = 0;

	start(HASWELL);
	for (unsigned i = 0; i < 10000; i++) {
		bool is_taken = next_random(&x);

		jcc(CODE, is_taken);
		wrong += jcc(CODE + 4, is_taken);
	}
	check_true("at most two mispredictions for each of 32 histories", wrong <= 64);
}

UNIT_TEST(an_indirect_branch_is_predicted_to_its_last_target)
{
	static const enum refpmu_branch kinds[] = { REFPMU_JMP_INDIRECT, REFPMU_CALL_INDIRECT };

	for (unsigned i = 0; i < 2; i++) {
		start(HASWELL);
		check_true("a new branch is mispredicted",
		           branch(kinds[i], CODE, CODE + 32).is_mispredicted);
		check_true("the same target is predicted",
		           !branch(kinds[i], CODE, CODE + 32).is_mispredicted);
		check_true("another target is mispredicted",
		           branch(kinds[i], CODE, CODE + 48).is_mispredicted);
		check_true("that target again is predicted",
		           !branch(kinds[i], CODE, CODE + 48).is_mispredicted);
		check_true("another branch 256 bytes on uses the same entry",
		           branch(kinds[i], CODE + 256, CODE + 48).is_mispredicted);
		check_true("the first branch has lost its entry",
		           branch(kinds[i], CODE, CODE + 48).is_mispredicted);
	}
}

/*
 * Makes nested calls, then their returns; returns how many returns were predicted before the first
 * misprediction.
 */
static unsigned nest(unsigned depth, enum refpmu_branch kind)
{
	unsigned right = 0;
	bool is_right = true;

	for (unsigned i = 0; i < depth; i++)
		branch(kind, CODE + 4 * i, CODE + 4 * (i + 1));
	for (unsigned i = depth; i-- > 0;) {
		is_right &= !branch(REFPMU_RET, CODE + 128, CODE + 4 * i + 2).is_mispredicted;
		right += is_right;
	}
	return right;
}

UNIT_TEST(as_many_returns_are_predicted_as_the_stack_has_entries)
{
	start(HASWELL);
	check_true("a return without a call is mispredicted",
	           branch(REFPMU_RET, CODE, CODE + 2).is_mispredicted);
	check_eq_u64("returns predicted after 1 call", nest(1, REFPMU_CALL), 1);
	check_eq_u64("returns predicted after 16 calls", nest(16, REFPMU_CALL), 16);
	check_eq_u64("returns predicted after 16 indirect calls",
	             nest(16, REFPMU_CALL_INDIRECT), 16);
	check_eq_u64("returns predicted after 17 calls: the oldest is lost",
	             nest(17, REFPMU_CALL), 16);
	check_eq_u64("returns predicted after 20 calls", nest(20, REFPMU_CALL), 16);
	start(ATOM);
	check_eq_u64("returns predicted after 8 calls, with 8 entries", nest(8, REFPMU_CALL), 8);
	check_eq_u64("returns predicted after 12 calls, with 8 entries", nest(12, REFPMU_CALL), 8);
}

UNIT_TEST(a_return_elsewhere_is_mispredicted)
{
	start(HASWELL);
	branch(REFPMU_CALL, CODE, CODE + 32);
	check_true("a return to another place than after the call",
	           branch(REFPMU_RET, CODE + 32, CODE + 8).is_mispredicted);
	check_true("the entry was used up",
	           branch(REFPMU_RET, CODE + 32, CODE + 2).is_mispredicted);
}

UNIT_TEST(direct_and_far_branches_are_never_mispredicted)
{
	for (unsigned kind = REFPMU_JMP; kind < REFPMU_BRANCHES; kind++) {
		struct cache_cost cost;
		bool is_predicted = kind == REFPMU_JMP_INDIRECT || kind == REFPMU_CALL_INDIRECT
		                    || kind == REFPMU_RET;

		start(HASWELL);
		cost = branch((enum refpmu_branch)kind, CODE, CODE + 32);
		check_eq_u64("mispredictions of a new branch", cost.is_mispredicted, is_predicted);
		check_eq_u64("far branches are alone in their cycle",
		             cost.is_alone, kind >= REFPMU_FAR_JMP);
	}
	start(HASWELL);
	branch(REFPMU_FAR_CALL, CODE, CODE + 32);
	check_true("a far call puts nothing on the return stack",
	           branch(REFPMU_RET, CODE + 32, CODE + 2).is_mispredicted);
}

UNIT_TEST(a_misprediction_stalls_as_bad_speculation)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost = branch(REFPMU_JCC, CODE, CODE + 32);

	check_eq_u64("stall of a misprediction",
	             cost.bad_speculation_cycles, g->invented->mispredict_cycles);
	check_llc("the code is in the cache", cost, 0, 0);
	check_free("a predicted branch costs nothing", branch(REFPMU_JCC, CODE, CODE + 32));
}

UNIT_TEST(a_reset_forgets_all_predictions)
{
	start(HASWELL);
	for (unsigned i = 0; i < 1000; i++)
		jcc(CODE, i % 2 == 0);
	branch(REFPMU_JMP_INDIRECT, CODE, CODE + 32);
	branch(REFPMU_CALL, CODE, CODE + 32);
	start(HASWELL);
	check_eq_u64("mispredictions of the first taken branch", jcc(CODE, true), 1);
	check_true("the target is forgotten",
	           branch(REFPMU_JMP_INDIRECT, CODE, CODE + 32).is_mispredicted);
	check_true("the return address is forgotten",
	           branch(REFPMU_RET, CODE + 32, CODE + 2).is_mispredicted);
	start(HASWELL);
	check_eq_u64("mispredictions of a long loop, whose history is forgotten", loop(100), 2);
}

UNIT_MAIN()
