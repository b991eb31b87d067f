/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* The Pentium's pairs, and the branch target buffers of P5 and P6. */
#include <tests/unit/model/cache/caches_duo.h>

/* ------------------------------------------------------------------------------ pairs */

#define U REFPMU_TRAIT_PAIRABLE_U
#define V REFPMU_TRAIT_PAIRABLE_V

/* Instructions of a byte follow each other; the code is there. */
static uint64_t next_ip;

static struct cache_traffic step(uint64_t traits)
{
	struct refpmu_insn insn = { .ip = next_ip, .length = 1, .traits = traits };

	next_ip++;
	insn.next_ip = next_ip;
	return retire_as(0, &insn);
}

static void start_pairs(const struct cache_geometry *g)
{
	start(g);
	next_ip = CODE + 1;
	use_line(0, REFPMU_READ, 0);
	use_line(0, REFPMU_READ, 1);
	retire(0);
}

static bool is_second(uint64_t traits)
{
	return step(traits).is_in_v_pipe;
}

UNIT_TEST(two_that_pair_do)
{
	start_pairs(&small_p5);
	for (unsigned i = 0; i < 10; i++) {
		check_true("the first one", !is_second(U | V));
		check_true("the second one", is_second(U | V));
	}
	check_true("U only", !is_second(U));
	check_true("U only again: it is a first one", !is_second(U));
	check_true("V only ends the pair", is_second(V));
	check_true("V alone starts none", !is_second(V));
	check_true("V after V", !is_second(V));
	check_true("neither", !is_second(0));
	check_true("after neither", !is_second(V | U));
	check_true("but that one starts a pair", is_second(V | U));
}

UNIT_TEST(p6_has_no_pairs)
{
	start_pairs(&small_p6);
	for (unsigned i = 0; i < 4; i++)
		check_true("no pair", !is_second(U | V));
}

UNIT_TEST(who_waits_does_not_pair)
{
	start_pairs(&small_p5);
	touch(0, REFPMU_READ, 0x100, 4);
	check_true("a first one that waits", !is_second(U | V));
	check_true("has no second one", !is_second(V));
	step(U);
	touch(0, REFPMU_READ, 0x200, 4);
	check_true("a second one that waits", !is_second(U | V));
	check_true("is no first one either", !is_second(V));
	step(U);
	check_true("serialising", !is_second(V | U | REFPMU_TRAIT_SERIALIZING));
	check_true("no first one", !is_second(V));
	step(U);
	touch(0, REFPMU_WRITE, 0x300, 4);
	check_true("a write does not wait", is_second(V));
}

UNIT_TEST(pairs_follow_each_other)
{
	start_pairs(&small_p5);
	step(U);
	next_ip++;
	check_true("not next to it", !is_second(V));
	step(U);
	cache_access(&duo.thread[0], REFPMU_READ, 0, 0, 4, true);
	cache_drop(&duo.thread[0]);
	check_true("not after a fault", !is_second(V));
	step(U);
	cache_forget(&duo.thread[0]);
	check_true("not after a reset", !is_second(V));
}

UNIT_TEST(both_of_a_pair_may_access_memory)
{
	static const struct { uint16_t first, second; bool is_conflict; } rows[] = {
		{ 0, 0, true }, { 0, 4, false }, { 0, 32, true }, { 4, 7, true }, { 28, 0, false },
		{ 28, 60, true },
	};
	struct cache_traffic t;

	start_pairs(&small_p5);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		touch(0, REFPMU_READ, rows[i].first, 1);
		touch(0, REFPMU_READ, 16, 1);
		step(U);
		touch(0, REFPMU_READ, rows[i].second, 1);
		t = step(V);
		check_true("a pair", t.is_in_v_pipe && t.are_both_memory);
		check_eq_u64("conflict", t.is_bank_conflict, rows[i].is_conflict);
	}
	step(U);
	touch(0, REFPMU_READ, 0, 1);
	t = step(V);
	check_true("the second one only", t.is_in_v_pipe && !t.are_both_memory);
	touch(0, REFPMU_READ, 0, 1);
	step(U);
	t = step(V);
	check_true("the first one only", t.is_in_v_pipe && !t.are_both_memory);
	check_true("no conflict", !t.is_bank_conflict);
}

/* ------------------------------------------------------------------------------ target buffers */

static struct cache_traffic branch(enum refpmu_branch kind, uint64_t ip, uint64_t to)
{
	struct refpmu_insn insn = { .ip = ip, .next_ip = to, .length = 2, .branch = (uint8_t)kind,
	                            .is_taken = to != ip + 2 };

	return retire_as(0, &insn);
}

static void check_branch(const char *what, struct cache_traffic t, bool is_hit, bool is_predicted,
                         bool is_wrong)
{
	check_eq_u64(what, t.is_btb_hit, is_hit);
	check_eq_u64(what, t.is_predicted_taken, is_predicted);
	check_eq_u64(what, last_cost.is_mispredicted, is_wrong);
	check_eq_u64(what, last_cost.bad_speculation_cycles, is_wrong ? 10000 : 0);
}

enum { AT = 0x1000, FORTH = 0x1100, BACK = 0x0F00, ON = AT + 2 };

UNIT_TEST(a_branch_is_known_once_it_was_taken)
{
	start(&small_p5);
	check_branch("new, not taken", branch(REFPMU_JCC, AT, ON), false, false, false);
	check_branch("still new", branch(REFPMU_JCC, AT, BACK), false, false, true);
	check_branch("known", branch(REFPMU_JCC, AT, BACK), true, true, false);
	check_branch("predicted taken, wrongly", branch(REFPMU_JCC, AT, ON), true, true, true);
	check_branch("once is not enough", branch(REFPMU_JCC, AT, BACK), true, true, false);
	for (unsigned i = 0; i < 4; i++)
		branch(REFPMU_JCC, AT, ON);
	check_branch("learnt, and still known", branch(REFPMU_JCC, AT, ON), true, false, false);
	cache_forget(&duo.thread[0]);
	check_branch("but for a reset", branch(REFPMU_JCC, AT, ON), false, false, false);
}

/* Two sets of two ways: even addresses are in set 0. */
UNIT_TEST(a_target_buffer_is_finite)
{
	start(&small_p5);
	for (unsigned i = 0; i < 3; i++)
		branch(REFPMU_JMP, AT + i * 16, FORTH);
	check_branch("replaced", branch(REFPMU_JMP, AT, FORTH), false, false, true);
	check_branch("the last one is there", branch(REFPMU_JMP, AT + 32, FORTH), true, true,
	             false);
	check_branch("another set", branch(REFPMU_JMP, AT + 1, FORTH), false, false, true);
	check_branch("has room", branch(REFPMU_JMP, AT + 32, FORTH), true, true, false);
}

/* For every kind of branch that is taken: what is said of it the first time, and the second. */
UNIT_TEST(what_is_said_of_branches_that_are_not_known)
{
	static const struct {
		enum refpmu_branch kind;
		uint64_t to;
		bool is_predicted;             /* by P6; the Pentium takes it for not taken */
	} rows[] = {
		{ REFPMU_JCC, BACK, true }, { REFPMU_JCC, AT, true }, { REFPMU_JCC, FORTH, false },
		{ REFPMU_JMP, FORTH, true }, { REFPMU_JMP, BACK, true },
		{ REFPMU_JMP_INDIRECT, FORTH, false },
		{ REFPMU_CALL, FORTH, true }, { REFPMU_CALL_INDIRECT, FORTH, false },
		{ REFPMU_RET, FORTH, false },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool is_predicted = rows[i].is_predicted;

		start(&small_p5);
		check_branch("Pentium", branch(rows[i].kind, AT, rows[i].to), false, false, true);
		start(&small_p6);
		check_branch("P6", branch(rows[i].kind, AT, rows[i].to), false, is_predicted,
		             !is_predicted);
		if (rows[i].kind == REFPMU_RET)
			continue;
		check_branch("then it is known", branch(rows[i].kind, AT, rows[i].to), true, true,
		             false);
	}
}

UNIT_TEST(returns_go_by_the_return_stack_or_the_target_buffer)
{
	struct cache_invented no_stack = price;
	struct cache_geometry p54c = small_p5;

	no_stack.return_entries = 0;
	p54c.invented = &no_stack;
	start(&small_p6);
	branch(REFPMU_CALL, 0x2000, FORTH);
	check_branch("P6, not known", branch(REFPMU_RET, AT, 0x2002), false, true, false);
	branch(REFPMU_CALL, 0x3000, FORTH);
	check_branch("P6, from elsewhere", branch(REFPMU_RET, AT, 0x3002), true, true, false);
	check_branch("P6, without a call", branch(REFPMU_RET, AT, 0x3002), true, true, true);
	start(&p54c);
	branch(REFPMU_CALL, 0x2000, FORTH);
	check_branch("Pentium, new", branch(REFPMU_RET, AT, 0x2002), false, false, true);
	branch(REFPMU_CALL, 0x2000, FORTH);
	check_branch("where it went last", branch(REFPMU_RET, AT, 0x2002), true, true, false);
	branch(REFPMU_CALL_INDIRECT, 0x3000, FORTH);
	check_branch("elsewhere", branch(REFPMU_RET, AT, 0x3002), true, true, true);
}

UNIT_TEST(far_branches_are_in_no_target_buffer)
{
	for (unsigned i = 0; i < 2; i++) {
		start(i ? &small_p6 : &small_p5);
		for (unsigned kind = REFPMU_FAR_JMP; kind < REFPMU_BRANCHES; kind++) {
			for (unsigned again = 0; again < 2; again++)
				check_branch("far", branch(kind, AT, FORTH), false, false, false);
			check_true("alone", last_cost.is_alone);
		}
	}
}

UNIT_MAIN()
