/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests AMD's branch records: the pair, BRS of Zen 3 and the stack of Zen 4. Sources: APM 2,
 * "Control-Transfer Recording", "Last Branch Record Stack"; Linux, arch/x86/events/amd/brs.c. */
#include <tests/unit/model/amd/model_amd.h>

enum { FROM = 0x1db, TO = 0x1dc, INT_FROM = 0x1dd, INT_TO = 0x1de, SELECT = 0xc000010e,
       CFG = 0xc000010f, STACK = 0xc0010300, ZEN3 = SIGN(0xa20f10), BRANCHES_HELD = 16 };
#define VALID   ONE(63)
#define MISSED_ ONE(63)
#define VALID_BRS ONE(5)

static void jump(struct machine *m, uint64_t from, uint64_t to)
{
	m->ip = from;
	machine_branch(m, REFPMU_JMP, true, to);
}

UNIT_TEST(the_pair_is_of_the_last_branch)
{
	FOR_EACH_AMD(a) {
		struct machine *m = begin(a->signature);

		jump(m, 0x1000, 0x2000);
		check_eq_u64(a->name, get(m, FROM), 0);
		put(m, DEBUGCTL, 1);
		jump(m, 0x1000, 0x2000);
		jump(m, 0x3000, 0x4000);
		check_eq_u64(a->name, get(m, FROM), 0x3000);
		check_eq_u64(a->name, get(m, TO), 0x4000);
		machine_enter(m, true, 0x40, 0x5000, 0);
		machine_nops(m, 1);
		check_eq_u64(a->name, get(m, INT_FROM), 0x3000);
		check_eq_u64(a->name, get(m, INT_TO), 0x4000);
		check_eq_u64(a->name, machine_write(m, FROM, 0), REFPMU_GP);
	}
}

/* Addresses are those of the code segment: CS.base is not in them. */
UNIT_TEST(the_pair_has_no_base)
{
	struct machine *m = begin(PHENOM);

	put(m, DEBUGCTL, 1);
	machine_retire(m, (struct refpmu_insn) {
		.ip = 0x11000, .next_ip = 0x42000, .length = 2, .branch = REFPMU_JMP,
		.is_taken = true, .code_base = 0x10000, .code_base_after = 0x40000,
	});
	check_eq_u64("from", get(m, FROM), 0x1000);
	check_eq_u64("to", get(m, TO), 0x2000);
}

UNIT_TEST(a_debug_exception_ends_recording)
{
	FOR_EACH_AMD(a) {
		struct machine *m = begin(a->signature);

		put(m, DEBUGCTL, 7);
		machine_enter(m, false, 1, 0x5000, 0);
		check_eq_u64(a->name, get(m, DEBUGCTL), 4);
	}
}

UNIT_TEST(the_stack_has_the_newest_branch_first)
{
	struct machine *m = begin(ZEN4);

	check_eq_u64("other bits", machine_write(m, CFG, 1), REFPMU_GP);
	put(m, CFG, ONE(6));
	check_eq_u64("DbgExtnCfg", get(m, CFG), ONE(6));
	for (unsigned i = 0; i < 20; i++)
		jump(m, 0x1000 + 0x100 * i, 0x8000 + 0x100 * i);
	check_eq_u64("DbgExtnCfg has no other bits", get(m, CFG), ONE(6));
	for (unsigned i = 0; i < BRANCHES_HELD; i++) {
		check_eq_u64("from", get(m, STACK + 2 * i) & ~MISSED_, 0x1000 + 0x100 * (19 - i));
		check_eq_u64("to", get(m, STACK + 2 * i + 1), VALID | (0x8000 + 0x100 * (19 - i)));
	}
	put(m, STACK, 0);
	check_eq_u64("a write", get(m, STACK), 0);
	put(m, CFG, 0);
	jump(m, 0xa000, 0xb000);
	check_eq_u64("off", get(m, STACK), 0);
}

UNIT_TEST(the_stack_tells_what_was_mispredicted)
{
	struct machine *m = begin(ZEN4);
	unsigned missed = 0;

	put(m, CFG, ONE(6));
	put(m, CTL, EN | ALL_RINGS | MISSED);
	for (unsigned i = 0; i < 64; i++) {
		const uint64_t before = get(m, CTR);

		m->ip = 0x1000;
		machine_branch(m, REFPMU_JCC, i % 8 == 0 || i > 48, 0x2000);
		if (i % 8 && i <= 48)
			continue;
		check_eq_u64("MISP", get(m, STACK) >> 63, get(m, CTR) - before);
		missed += get(m, CTR) != before;
	}
	check_true("some were", missed && missed < 23);
}

UNIT_TEST(the_selection_leaves_branches_out)
{
	struct machine *m = begin(ZEN4);

	put(m, SELECT, UINT64_MAX);
	check_eq_u64("LBR_SELECT", get(m, SELECT), 0x1ff);
	put(m, CFG, ONE(6));
	jump(m, 0x1000, 0x2000);
	check_eq_u64("nothing is recorded", get(m, STACK + 1), 0);
	machine_enter(m, false, 1, 0x5000, 0);
	check_eq_u64("#DB ends it", get(m, CFG), 0);
}

UNIT_TEST(brs_holds_the_pmi_until_it_is_full)
{
	struct machine *m = begin(ZEN3);

	put(m, CFG, ONE(2) | 3 << 3);
	put(m, CTR, ONES(48));
	put(m, CTL, EN | INT | ALL_RINGS | RETIRED);
	machine_nops(m, 1);
	check_eq_u64("PMIs at the overflow", m->pmis, 0);
	for (unsigned i = 0; i < BRANCHES_HELD; i++) {
		check_eq_u64("PMIs before the last branch", m->pmis, 0);
		jump(m, 0x1000 + 0x100 * i, 0x8000 + 0x100 * i);
	}
	check_eq_u64("PMIs", m->pmis, 1);
	check_eq_u64("valid", get(m, CFG) & ONE(5), ONE(5));
	for (unsigned i = 0; i < BRANCHES_HELD; i++) {
		check_eq_u64("from", get(m, STACK + 2 * i), 0x1000 + 0x100 * i);
		check_eq_u64("to", get(m, STACK + 2 * i + 1), 0x8000 + 0x100 * i);
	}
	put(m, CFG, ONE(2) | 3 << 3);
	check_eq_u64("a write of the enable empties it", get(m, CFG) & ONE(5), 0);
}

/* DbgExtnCfg of family 19H: BRS enable 2, 11b in 4:3, valid 5, next entry 19:16, counter 26:24. */
#define BRS_ON    (ONE(2) | 3 << 3)
#define NEXT(n)   ((uint64_t)(n) << 16)

/* Lets counter 0 overflow after BRS was enabled. */
static struct machine *begin_brs(void)
{
	struct machine *m = begin(ZEN3);

	put(m, CFG, BRS_ON);
	put(m, CTR, ONES(48));
	put(m, CTL, EN | INT | ALL_RINGS | RETIRED);
	check_eq_u64("nothing yet", get(m, CFG), BRS_ON);
	machine_nops(m, 1);
	put(m, CTL, 0);
	return m;
}

static void jumps(struct machine *m, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		jump(m, 0x1000 + 0x100 * i, 0x8000 + 0x100 * i);
}

UNIT_TEST(brs_shows_the_next_entry)
{
	struct machine *m = begin_brs();

	jumps(m, 5);
	check_eq_u64("five", get(m, CFG), BRS_ON | VALID_BRS | NEXT(5));
	put(m, CFG, 0);
	check_eq_u64("disabled, it keeps them", get(m, CFG), VALID_BRS | NEXT(5));
	put(m, CFG, ~(BRS_ON | 7 << 24));
	check_eq_u64("other bits take nothing", get(m, CFG), VALID_BRS | NEXT(5));
	put(m, CFG, BRS_ON);
	check_eq_u64("enabled, it is empty", get(m, CFG), BRS_ON);
}

UNIT_TEST(a_full_brs_records_nothing_more)
{
	struct machine *m = begin_brs();

	jumps(m, BRANCHES_HELD);
	check_eq_u64("full", get(m, CFG), BRS_ON | VALID_BRS);
	check_eq_u64("PMIs", m->pmis, 1);
	jump(m, 0xa000, 0xb000);
	check_eq_u64("full", get(m, CFG), BRS_ON | VALID_BRS);
	check_eq_u64("from", get(m, STACK), 0x1000);
	jumps(m, 2 * BRANCHES_HELD);
	check_eq_u64("PMIs", m->pmis, 1);
}

UNIT_TEST(a_write_ends_brs_and_its_pmi)
{
	struct machine *m = begin_brs();

	jumps(m, 5);
	put(m, CFG, 0);
	jumps(m, 2 * BRANCHES_HELD);
	check_eq_u64("PMIs", m->pmis, 0);
	check_eq_u64("from", get(m, STACK + 10), 0);
}

UNIT_TEST(an_overflow_of_another_counter_does_not_start_brs)
{
	struct machine *m = begin(ZEN3);

	put(m, CFG, ONE(2) | 3 << 3 | ONE(24));
	put(m, CTR, ONES(48));
	put(m, CTL, EN | INT | ALL_RINGS | RETIRED);
	machine_nops(m, 1);
	check_eq_u64("PMIs", m->pmis, 1);
}

/* APM 2, "Freezing": FLBRI freezes the stack when a counter with INT overflows, and says so. */
UNIT_TEST(an_overflow_freezes_the_stack)
{
	struct machine *m = begin(ZEN4);

	put(m, CFG, ONE(6));
	put(m, DEBUGCTL, ONE(11));
	put(m, G_SET, 4);
	put(m, CTR, ONES(48));
	put(m, CTL, EN | INT | ALL_RINGS | RETIRED);
	jump(m, 0x1000, 0x2000);
	check_eq_u64("status", get(m, G_STATUS), ONE(58) | 5);
	jump(m, 0x3000, 0x4000);
	check_eq_u64("newest", get(m, STACK) & ~MISSED_, 0x1000);
	put(m, G_CLEAR, ONE(58));
	jump(m, 0x5000, 0x6000);
	check_eq_u64("newest", get(m, STACK) & ~MISSED_, 0x5000);
}

UNIT_TEST(older_processors_have_no_more_than_the_pair)
{
	struct machine *m = begin(RYZEN);

	check_eq_u64("DbgExtnCfg", read_status(m, CFG), REFPMU_GP);
	check_eq_u64("LBR_SELECT", read_status(m, SELECT), REFPMU_GP);
	check_eq_u64("the stack", read_status(m, STACK), REFPMU_GP);
}

UNIT_MAIN()
