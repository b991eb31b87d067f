/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Two processors of P5 or P6 and one bus: who sees what of the other. */
#include <tests/unit/model/cache/caches_duo.h>

enum { I = CACHE_I, S = CACHE_S, E = CACHE_E, M = CACHE_M };

static const struct cache_geometry *const both[] = { &small_p5, &small_p6 };

/* Brings line 0 into these states of L1D; caches are empty before, nothing is pending after. */
static void bring(const struct cache_geometry *g, unsigned own, unsigned other)
{
	start(g);
	for (unsigned i = 0; i < 2; i++) {
		unsigned state = i ? other : own;

		if (state != I)
			use_line(i, REFPMU_READ, 0);
		if (state == M)
			use_line(i, REFPMU_WRITE, 0);
	}
	check_eq_u64("the start", l1d_state(0, 0), own);
	check_eq_u64("the start", l1d_state(1, 0), other);
	retire(0);
	retire(1);
}

static void check_snoop(const char *what, const struct cache_traffic *t, unsigned snoops,
                        unsigned hits, unsigned hitm)
{
	check_eq_u64(what, t->snoops, snoops);
	check_eq_u64(what, t->snoop_hits, hits);
	check_eq_u64(what, t->snoop_hitm, hitm);
}

/* What processor 0 does to a line that both may have, and what it is for 1, who is snooped. */
static const struct row {
	unsigned own, other, kind;             /* before */
	unsigned own_after, other_after;       /* P6; the Pentium's where they differ below */
	unsigned p6_bus, p5_bus;
} rows[] = {
	{ I, I, REFPMU_READ,  E, I, CACHE_BUS_BRD,  CACHE_BUS_BRD },
	{ I, E, REFPMU_READ,  S, S, CACHE_BUS_BRD,  CACHE_BUS_BRD },
	{ I, M, REFPMU_READ,  S, S, CACHE_BUS_BRD,  CACHE_BUS_BRD },
	{ S, S, REFPMU_READ,  S, S, CACHE_BUS_KINDS, CACHE_BUS_KINDS },
	{ E, I, REFPMU_READ,  E, I, CACHE_BUS_KINDS, CACHE_BUS_KINDS },
	{ M, I, REFPMU_READ,  M, I, CACHE_BUS_KINDS, CACHE_BUS_KINDS },
	{ I, I, REFPMU_WRITE, M, I, CACHE_BUS_RFO,  CACHE_BUS_WRITE_THROUGH },
	{ I, E, REFPMU_WRITE, M, I, CACHE_BUS_RFO,  CACHE_BUS_WRITE_THROUGH },
	{ I, M, REFPMU_WRITE, M, I, CACHE_BUS_RFO,  CACHE_BUS_WRITE_THROUGH },
	{ S, S, REFPMU_WRITE, M, I, CACHE_BUS_INVAL, CACHE_BUS_WRITE_THROUGH },
	{ E, I, REFPMU_WRITE, M, I, CACHE_BUS_KINDS, CACHE_BUS_KINDS },
	{ M, I, REFPMU_WRITE, M, I, CACHE_BUS_KINDS, CACHE_BUS_KINDS },
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static unsigned own_after(const struct row *r, bool is_p6)
{
	if (is_p6 || r->kind == REFPMU_READ || r->own >= E)
		return r->own_after;
	return r->own == S ? E : I;
}

static void check_row(const struct row *r, bool is_p6)
{
	unsigned kind = is_p6 ? r->p6_bus : r->p5_bus;
	bool is_seen = kind != CACHE_BUS_KINDS, is_hitm = is_seen && r->other == M;
	struct cache_traffic t, other;

	start(both[is_p6]);
	if (r->own == S) {
		bring(both[is_p6], E, I);
		use_line(1, REFPMU_READ, 0);
		retire(0);
	} else {
		bring(both[is_p6], r->own, r->other);
	}
	t = use_line(0, r->kind, 0);
	check_bus("the bus", &t, kind, 1);
	check_eq_u64("own state", l1d_state(0, 0), own_after(r, is_p6));
	check_eq_u64("other state", l1d_state(1, 0), r->other_after);
	other = retire(1);
	check_snoop("snooped", &other, is_seen, is_seen && r->other, is_hitm);
	check_eq_u64("taken from L1D", other.l1d_m_lines_out, is_hitm);
	check_eq_u64("written back", other.bus[CACHE_BUS_WB], is_hitm && !is_p6);
	check_eq_u64("seen by the other",
	             transactions(other.bus_any), is_seen + (is_hitm && !is_p6));
	if (is_seen)
		check_eq_u64("seen by the other", other.bus_any[kind], 1);
	other = retire(1);
	check_snoop("observed once", &other, 0, 0, 0);
	check_true("observed once", !last_cost.traffic);
}

UNIT_TEST(lines_of_two_processors)
{
	for (unsigned i = 0; i < ROWS; i++) {
		check_row(&rows[i], true);
		check_row(&rows[i], false);
	}
}

UNIT_TEST(a_shared_line_of_the_pentium_is_exclusive_after_a_write)
{
	struct cache_traffic t;

	start(&small_p5);
	use_line(1, REFPMU_READ, 0);
	t = use_line(0, REFPMU_READ_WRITE, 0);
	check_eq_u64("read in", t.bus[CACHE_BUS_BRD], 1);
	check_eq_u64("written through", t.bus[CACHE_BUS_WRITE_THROUGH], 1);
	check_eq_u64("no miss of the write", t.data_write_misses, 0);
	check_eq_u64("no hit either", t.write_hits_m_e, 0);
	check_eq_u64("alone", l1d_state(0, 0), E);
	t = use_line(0, REFPMU_WRITE, 0);
	check_bus("in silence", &t, CACHE_BUS_KINDS, 0);
	check_eq_u64("modified", l1d_state(0, 0), M);
}

UNIT_TEST(an_upgrade_asks_l2_and_waits_only_where_it_reads)
{
	bring(&small_p6, E, I);
	use_line(1, REFPMU_READ, 0);
	use_line(0, REFPMU_WRITE, 0);
	check_eq_u64("a request", last_cost.l2->count[CACHE_STORE][S], 1);
	check_eq_u64("no wait", last_cost.backend_cycles, 0);
	check_eq_u64("L2 has it alone", l2_state(0, 0), E);
	use_line(1, REFPMU_READ, 0);
	check_eq_u64("shared again", l1d_state(0, 0), S);
	use_line(0, REFPMU_READ_WRITE, 0);
	check_eq_u64("waits", last_cost.backend_cycles, 10);
}

UNIT_TEST(a_shared_line_in_l2_alone_is_invalidated_elsewhere)
{
	struct cache_traffic t;

	bring(&small_p6, E, I);
	use_line(1, REFPMU_READ, 0);
	use_line(0, REFPMU_READ, 2);
	use_line(0, REFPMU_READ, 6);
	check_eq_u64("gone from L1D", l1d_state(0, 0), I);
	retire(1);
	t = use_line(0, REFPMU_READ, 0);
	check_bus("a read asks nobody", &t, CACHE_BUS_KINDS, 0);
	check_eq_u64("still shared", l1d_state(0, 0), S);
	use_line(0, REFPMU_READ, 2);
	use_line(0, REFPMU_READ, 6);
	t = use_line(0, REFPMU_WRITE, 0);
	check_bus("a write does", &t, CACHE_BUS_INVAL, 1);
	check_eq_u64("mine", l1d_state(0, 0), M);
	check_eq_u64("and L2's", l2_state(0, 0), E);
	t = retire(1);
	check_snoop("snooped", &t, 1, 1, 0);
	check_eq_u64("lost", t.l2_lines_out, 1);
	check_eq_u64("unmodified", t.l2_m_lines_out + t.l1d_m_lines_out, 0);
}

UNIT_TEST(l2_loses_modified_lines_to_writes)
{
	struct cache_traffic t;

	start(&small_p6);
	use_line(0, REFPMU_WRITE, 0);
	use_line(0, REFPMU_READ, 2);
	use_line(0, REFPMU_READ, 6);
	use_line(1, REFPMU_READ, 0);
	t = retire(0);
	check_snoop("read", &t, 1, 1, 1);
	check_eq_u64("nothing left", t.l2_lines_out + t.l2_m_lines_out + t.l1d_m_lines_out, 0);
	check_eq_u64("shared", l2_state(0, 0), S);
	start(&small_p6);
	use_line(0, REFPMU_WRITE, 0);
	use_line(1, REFPMU_WRITE, 0);
	t = retire(0);
	check_snoop("written", &t, 1, 1, 1);
	check_eq_u64("L2", t.l2_lines_out, 1);
	check_eq_u64("L2", t.l2_m_lines_out, 1);
	check_eq_u64("L1D", t.l1d_m_lines_out, 1);
	check_eq_u64("nowhere", l2_state(0, 0) | l1d_state(0, 0), I);
}

UNIT_TEST(code_is_shared_and_snoops)
{
	for (unsigned i = 0; i < 2; i++) {
		struct cache_traffic t;

		bring(both[i], I, M);
		t = fetch_line(0, 0);
		check_bus("fetched", &t, CACHE_BUS_IFETCH, 1);
		check_eq_u64("the writer shares", l1d_state(1, 0), S);
		t = retire(1);
		check_snoop("snooped", &t, 1, 1, 1);
		use_line(1, REFPMU_WRITE, 0);
		t = fetch_line(0, 0);
		check_eq_u64("the code is gone", t.l1i_misses, 1);
	}
}

UNIT_TEST(all_see_everything_once)
{
	uint32_t own[2] = { 0 }, any[2] = { 0 };

	for (unsigned p = 0; p < 2; p++) {
		uint32_t x = 1;

		start(both[p]);
		own[0] = own[1] = any[0] = any[1] = 0;
		for (unsigned i = 0; i < 5000; i++) {
			struct cache_traffic t;

			x = x * 1664525 + 1013904223;
			t = use_line(x >> 31, x >> 8 & 1, x >> 20 & 15);
			own[x >> 31] += transactions(t.bus);
			any[x >> 31] += transactions(t.bus_any);
		}
		for (unsigned i = 0; i < 2; i++) {
			struct cache_traffic t = retire(i);

			own[i] += transactions(t.bus);
			any[i] += transactions(t.bus_any);
		}
		check_true("many", own[0] > 500 && own[1] > 500);
		check_eq_u64("the first one", any[0], own[0] + own[1]);
		check_eq_u64("the second one", any[1], own[0] + own[1]);
	}
}

/* A locked instruction: the Pentium's asserts LOCK# each time. */
static void lock(unsigned cpu)
{
	struct refpmu_insn insn = { .ip = CODE, .next_ip = CODE + 1, .length = 1,
	                            .traits = REFPMU_TRAIT_LOCKED };

	touch(cpu, REFPMU_READ_WRITE, 0, 4);
	retire_as(cpu, &insn);
}

UNIT_TEST(what_was_before_a_thread_was_counted_is_not_told)
{
	struct cache_traffic t;

	start(&small_p6);
	use_line(1, REFPMU_WRITE, 0);
	use_line(1, REFPMU_WRITE, 2);
	use_line(0, REFPMU_WRITE, 0);
	cache_forget(&duo.thread[1]);
	use_line(0, REFPMU_WRITE, 1);
	t = retire(1);
	check_eq_u64("one transaction", transactions(t.bus_any), 1);
	check_eq_u64("one snoop", t.snoops, 1);
	start(&small_p5);
	lock(0);
	cache_forget(&duo.thread[1]);
	lock(0);
	check_eq_u64("one lock", retire(1).bus_locks_any, 1);
}

UNIT_TEST(transactions_that_nobody_snoops_are_seen)
{
	for (unsigned p = 0; p < 2; p++) {
		struct cache_traffic t;

		start(both[p]);
		cache_io(&duo.thread[0], true, 0x80, 1);
		cache_access(&duo.thread[0], REFPMU_READ, 0, 0, 4, false);
		retire(0);
		t = retire(1);
		check_eq_u64("I/O", t.bus_any[CACHE_BUS_IO_WRITE], 1);
		check_eq_u64("uncacheable", t.bus_any[CACHE_BUS_UC_READ], 1);
		check_eq_u64("no more", transactions(t.bus_any), 2);
		check_eq_u64("not its own", transactions(t.bus), 0);
	}
	start(&small_p5);
	lock(0);
	retire(1);
	lock(0);
	check_eq_u64("a lock alone", retire(1).bus_locks_any, 1);
}

/* Processor 1 is a thread of core 0, uncounted: it changes states, and brings no lines. */
UNIT_TEST(who_may_not_fill_tells_no_lines)
{
	for (unsigned p = 0; p < 2; p++) {
		struct cache_traffic t;

		start(both[p]);
		duo.thread[0].fills_core = false;
		t = use_line(0, REFPMU_READ, 0);
		check_bus("read", &t, CACHE_BUS_KINDS, 0);
		check_eq_u64("no line", l1d_state(0, 0), I);
		t = fetch_line(0, 2);
		check_eq_u64("no code", t.l1i_misses, 0);
	}
	start(&small_p6);
	duo.thread[0].fills_last = false;
	use_line(0, REFPMU_WRITE, 0);
	check_eq_u64("in L1D", l1d_state(0, 0), M);
	check_eq_u64("not in L2", l2_state(0, 0), I);
	check_eq_u64("not observed", duo.thread[0].observed.retired.l2_lines_in, 0);
	check_eq_u64("not observed", duo.thread[0].observed.retired.l2_m_lines_in, 0);
	duo.thread[0].fills_last = true;
	use_line(0, REFPMU_READ, 2);
	duo.thread[0].fills_last = false;
	use_line(0, REFPMU_READ, 6);
	use_line(0, REFPMU_READ, 10);
	check_eq_u64("what L2 has is used", use_line(0, REFPMU_READ, 2).bus[CACHE_BUS_BRD], 0);
}

/* Two cores of a package, which no such processor has: they agree without the bus. */
UNIT_TEST(cores_of_a_package_share_lines_in_silence)
{
	for (unsigned p = 0; p < 2; p++) {
		struct cache_traffic t;

		start(both[p]);
		cache_core_create(&duo.core[1], &duo.package[0], both[p], duo.core_memory[1]);
		duo.machine.packages = &duo.package[0];
		duo.package[0].next = NULL;
		use_line(1, REFPMU_READ, 0);
		t = use_line(0, REFPMU_READ, 0);
		check_bus("read", &t, CACHE_BUS_KINDS, 0);
		check_eq_u64("shared", l1d_state(0, 0), S);
		check_eq_u64("shared", l1d_state(1, 0), S);
		check_eq_u64("no snoop", retire(1).snoops, 0);
	}
}

UNIT_MAIN()
