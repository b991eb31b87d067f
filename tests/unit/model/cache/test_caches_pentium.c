/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests the Pentium's pairs, and the branch target buffers of P5 and P6. */
#include <arch/regs/table.h>
#include <tests/unit/model/cache/caches_duo.h>

/* ------------------------------------------------------------------------------ pairs */

#define U REFPMU_TRAIT_PAIRABLE_U
#define V REFPMU_TRAIT_PAIRABLE_V

/* One-byte instructions follow each other, from code that is in the cache. */
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

UNIT_TEST(two_instructions_that_may_pair_do_so)
{
	start_pairs(&small_p5);
	for (unsigned i = 0; i < 10; i++) {
		check_true("U | V starts a pair", !is_second(U | V));
		check_true("U | V ends the pair", is_second(U | V));
	}
	check_true("U starts a pair", !is_second(U));
	check_true("U cannot end a pair, and starts another one", !is_second(U));
	check_true("V ends that pair", is_second(V));
	check_true("V cannot start a pair", !is_second(V));
	check_true("V after V cannot start a pair", !is_second(V));
	check_true("an instruction without U and V starts none", !is_second(0));
	check_true("U | V after it does not end one", !is_second(V | U));
	check_true("U | V ends the pair that the previous one started", is_second(V | U));
}

UNIT_TEST(p6_has_no_pairs)
{
	start_pairs(&small_p6);
	for (unsigned i = 0; i < 4; i++)
		check_true("no instruction is second in a pair", !is_second(U | V));
}

UNIT_TEST(an_instruction_that_waits_does_not_pair)
{
	start_pairs(&small_p5);
	touch(0, REFPMU_READ, 0x100, 4);
	check_true("a U | V that waits starts no pair", !is_second(U | V));
	check_true("the next V is not second", !is_second(V));
	step(U);
	touch(0, REFPMU_READ, 0x200, 4);
	check_true("a second instruction that waits does not pair", !is_second(U | V));
	check_true("the instruction after it is not second, either", !is_second(V));
	step(U);
	check_true("a serialising instruction is not second",
	           !is_second(V | U | REFPMU_TRAIT_SERIALIZING));
	check_true("the instruction after a serialising one is not second", !is_second(V));
	step(U);
	touch(0, REFPMU_WRITE, 0x300, 4);
	check_true("a write, which does not wait, is second", is_second(V));
}

UNIT_TEST(the_two_of_a_pair_follow_each_other)
{
	start_pairs(&small_p5);
	step(U);
	next_ip++;
	check_true("an instruction elsewhere is not second", !is_second(V));
	step(U);
	cache_access(&duo.thread[0], REFPMU_READ, 0, 0, 4, true);
	cache_drop(&duo.thread[0]);
	check_true("an instruction after a fault is not second", !is_second(V));
	step(U);
	cache_forget(&duo.thread[0]);
	check_true("an instruction after a reset is not second", !is_second(V));
}

UNIT_TEST(both_instructions_of_a_pair_may_access_memory)
{
	static const struct { uint16_t first, second; bool is_conflict; } rows[] = {
		{ 0, 0, true }, { 0, 4, false }, { 0, 32, true }, { 4, 7, true }, { 28, 0, false },
		{ 28, 60, true },
	};
	struct cache_traffic t;

	start_pairs(&small_p5);
	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		touch(0, REFPMU_READ, rows[i].first, 1);
		touch(0, REFPMU_READ, 16, 1);
		step(U);
		touch(0, REFPMU_READ, rows[i].second, 1);
		t = step(V);
		check_true("both of the pair access memory", t.is_in_v_pipe && t.are_both_memory);
		check_eq_u64("bank conflict", t.is_bank_conflict, rows[i].is_conflict);
	}
	step(U);
	touch(0, REFPMU_READ, 0, 1);
	t = step(V);
	check_true("only the second one accesses memory", t.is_in_v_pipe && !t.are_both_memory);
	touch(0, REFPMU_READ, 0, 1);
	step(U);
	t = step(V);
	check_true("only the first one accesses memory", t.is_in_v_pipe && !t.are_both_memory);
	check_true("without two accesses there is no conflict", !t.is_bank_conflict);
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
	check_branch("a new branch, not taken", branch(REFPMU_JCC, AT, ON), false, false, false);
	check_branch("the same branch, still new, taken",
	             branch(REFPMU_JCC, AT, BACK), false, false, true);
	check_branch("the branch is in the buffer",
	             branch(REFPMU_JCC, AT, BACK), true, true, false);
	check_branch("a branch that is not taken is predicted as taken",
	             branch(REFPMU_JCC, AT, ON), true, true, true);
	check_branch("one misprediction does not change the prediction",
	             branch(REFPMU_JCC, AT, BACK), true, true, false);
	for (unsigned i = 0; i < 4; i++)
		branch(REFPMU_JCC, AT, ON);
	check_branch("after five times it is predicted as not taken",
	             branch(REFPMU_JCC, AT, ON), true, false, false);
	cache_forget(&duo.thread[0]);
	check_branch("a reset has emptied the buffer",
	             branch(REFPMU_JCC, AT, ON), false, false, false);
}

/* The buffer has two sets of two ways; even addresses are in set 0. */
UNIT_TEST(a_target_buffer_is_finite)
{
	start(&small_p5);
	for (unsigned i = 0; i < 3; i++)
		branch(REFPMU_JMP, AT + i * 16, FORTH);
	check_branch("the first of three branches in a set was replaced",
	             branch(REFPMU_JMP, AT, FORTH), false, false, true);
	check_branch("the last of the three is in the buffer",
	             branch(REFPMU_JMP, AT + 32, FORTH), true, true, false);
	check_branch("a branch in another set is new",
	             branch(REFPMU_JMP, AT + 1, FORTH), false, false, true);
	check_branch("the branch in the first set is still there",
	             branch(REFPMU_JMP, AT + 32, FORTH), true, true, false);
}

/* Checks, for every kind of taken branch, how it is predicted the first time and the second
 * time. */
UNIT_TEST(predictions_for_branches_that_are_not_in_the_buffer)
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

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		bool is_predicted = rows[i].is_predicted;

		start(&small_p5);
		check_branch("a new branch on the Pentium",
		             branch(rows[i].kind, AT, rows[i].to), false, false, true);
		start(&small_p6);
		check_branch("a new branch on P6",
		             branch(rows[i].kind, AT, rows[i].to), false, is_predicted,
		             !is_predicted);
		if (rows[i].kind == REFPMU_RET)
			continue;
		check_branch("the same branch once it is in the buffer",
		             branch(rows[i].kind, AT, rows[i].to), true, true, false);
	}
}

UNIT_TEST(returns_are_predicted_by_the_return_stack_or_the_target_buffer)
{
	struct cache_invented no_stack = price;
	struct cache_geometry p54c = small_p5;

	no_stack.return_entries = 0;
	p54c.invented = &no_stack;
	start(&small_p6);
	branch(REFPMU_CALL, 0x2000, FORTH);
	check_branch("P6, a return that is new",
	             branch(REFPMU_RET, AT, 0x2002), false, true, false);
	branch(REFPMU_CALL, 0x3000, FORTH);
	check_branch("P6, a return to another caller",
	             branch(REFPMU_RET, AT, 0x3002), true, true, false);
	check_branch("P6, a return without a call",
	             branch(REFPMU_RET, AT, 0x3002), true, true, true);
	start(&p54c);
	branch(REFPMU_CALL, 0x2000, FORTH);
	check_branch("Pentium, a return that is new",
	             branch(REFPMU_RET, AT, 0x2002), false, false, true);
	branch(REFPMU_CALL, 0x2000, FORTH);
	check_branch("Pentium, a return to the same place as before",
	             branch(REFPMU_RET, AT, 0x2002), true, true, false);
	branch(REFPMU_CALL_INDIRECT, 0x3000, FORTH);
	check_branch("Pentium, a return to another place",
	             branch(REFPMU_RET, AT, 0x3002), true, true, true);
}

UNIT_TEST(far_branches_are_not_in_the_target_buffer)
{
	for (unsigned i = 0; i < 2; i++) {
		start(i ? &small_p6 : &small_p5);
		for (unsigned kind = REFPMU_FAR_JMP; kind < REFPMU_BRANCHES; kind++) {
			for (unsigned again = 0; again < 2; again++)
				check_branch("a far branch",
				             branch(kind, AT, FORTH), false, false, false);
			check_true("a far branch is alone in its cycle", last_cost.is_alone);
		}
	}
}

UNIT_MAIN()
