/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests two processors of P5 or P6 on one bus: what each sees of the other. */
#include <arch/regs/table.h>
#include <tests/unit/model/cache/caches_duo.h>

enum { I = CACHE_I, S = CACHE_S, E = CACHE_E, M = CACHE_M };

static const struct cache_geometry *const both[] = { &small_p5, &small_p6 };

/* Brings line 0 into these states of L1D. The caches are empty before, and nothing is pending
 * afterwards. */
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
	check_eq_u64("own state at the start", l1d_state(0, 0), own);
	check_eq_u64("the other's state at the start", l1d_state(1, 0), other);
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

/* Describes what processor 0 does to a line that both may have, and the results for 0 and for 1,
 * which is snooped. */
static const struct row {
	unsigned own, other, kind;             /* before */
	unsigned own_after, other_after;       /* on P6; own_after() knows the Pentium's */
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
enum { ROWS = COUNT_OF(rows) };

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
	check_bus("bus transactions", &t, kind, 1);
	check_eq_u64("own state", l1d_state(0, 0), own_after(r, is_p6));
	check_eq_u64("the other's state", l1d_state(1, 0), r->other_after);
	other = retire(1);
	check_snoop("snoops of the other", &other, is_seen, is_seen && r->other, is_hitm);
	check_eq_u64("modified lines out of the other's L1D", other.l1d_m_lines_out, is_hitm);
	check_eq_u64("lines that the other wrote back", other.bus[CACHE_BUS_WB], is_hitm && !is_p6);
	check_eq_u64("transactions that the other sees",
	             transactions(other.bus_any), is_seen + (is_hitm && !is_p6));
	if (is_seen)
		check_eq_u64("transactions of this kind that the other sees",
		             other.bus_any[kind], 1);
	other = retire(1);
	check_snoop("snoops of the other's next instruction", &other, 0, 0, 0);
	check_true("the other's next instruction has no traffic", !last_cost.traffic);
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
	check_eq_u64("burst reads", t.bus[CACHE_BUS_BRD], 1);
	check_eq_u64("writes through", t.bus[CACHE_BUS_WRITE_THROUGH], 1);
	check_eq_u64("write misses", t.data_write_misses, 0);
	check_eq_u64("write hits", t.write_hits_m_e, 0);
	check_eq_u64("state after the read-write", l1d_state(0, 0), E);
	t = use_line(0, REFPMU_WRITE, 0);
	check_bus("bus transactions of a write to the exclusive line", &t, CACHE_BUS_KINDS, 0);
	check_eq_u64("state after that write", l1d_state(0, 0), M);
}

UNIT_TEST(an_upgrade_asks_l2_and_waits_only_where_it_reads)
{
	bring(&small_p6, E, I);
	use_line(1, REFPMU_READ, 0);
	use_line(0, REFPMU_WRITE, 0);
	check_eq_u64("requests of a store to a shared line",
	             last_cost.l2->count[CACHE_STORE][S], 1);
	check_eq_u64("stall of the store", last_cost.backend_cycles, 0);
	check_eq_u64("state in L2 after the store", l2_state(0, 0), E);
	use_line(1, REFPMU_READ, 0);
	check_eq_u64("state after the other's read", l1d_state(0, 0), S);
	use_line(0, REFPMU_READ_WRITE, 0);
	check_eq_u64("stall of a read-write of the shared line", last_cost.backend_cycles, 10);
}

UNIT_TEST(a_shared_line_in_l2_alone_is_invalidated_elsewhere)
{
	struct cache_traffic t;

	bring(&small_p6, E, I);
	use_line(1, REFPMU_READ, 0);
	use_line(0, REFPMU_READ, 2);
	use_line(0, REFPMU_READ, 6);
	check_eq_u64("state in L1D, which lost the line", l1d_state(0, 0), I);
	retire(1);
	t = use_line(0, REFPMU_READ, 0);
	check_bus("bus transactions of a read that hits L2", &t, CACHE_BUS_KINDS, 0);
	check_eq_u64("state after the read", l1d_state(0, 0), S);
	use_line(0, REFPMU_READ, 2);
	use_line(0, REFPMU_READ, 6);
	t = use_line(0, REFPMU_WRITE, 0);
	check_bus("bus transactions of a write to the shared line", &t, CACHE_BUS_INVAL, 1);
	check_eq_u64("own state in L1D", l1d_state(0, 0), M);
	check_eq_u64("own state in L2", l2_state(0, 0), E);
	t = retire(1);
	check_snoop("snoops of the other", &t, 1, 1, 0);
	check_eq_u64("lines out of the other's L2", t.l2_lines_out, 1);
	check_eq_u64("modified lines out of the other's caches",
	             t.l2_m_lines_out + t.l1d_m_lines_out, 0);
}

UNIT_TEST(l2_loses_modified_lines_to_other_writers)
{
	struct cache_traffic t;

	start(&small_p6);
	use_line(0, REFPMU_WRITE, 0);
	use_line(0, REFPMU_READ, 2);
	use_line(0, REFPMU_READ, 6);
	use_line(1, REFPMU_READ, 0);
	t = retire(0);
	check_snoop("snoops of a processor with a modified line, by a read", &t, 1, 1, 1);
	check_eq_u64("lines out, by a read",
	             t.l2_lines_out + t.l2_m_lines_out + t.l1d_m_lines_out, 0);
	check_eq_u64("state after the read", l2_state(0, 0), S);
	start(&small_p6);
	use_line(0, REFPMU_WRITE, 0);
	use_line(1, REFPMU_WRITE, 0);
	t = retire(0);
	check_snoop("snoops of a processor with a modified line, by a write", &t, 1, 1, 1);
	check_eq_u64("lines out of L2", t.l2_lines_out, 1);
	check_eq_u64("modified lines out of L2", t.l2_m_lines_out, 1);
	check_eq_u64("modified lines out of L1D", t.l1d_m_lines_out, 1);
	check_eq_u64("states after the write", l2_state(0, 0) | l1d_state(0, 0), I);
}

UNIT_TEST(fetches_share_lines_and_snoop)
{
	for (unsigned i = 0; i < 2; i++) {
		struct cache_traffic t;

		bring(both[i], I, M);
		t = fetch_line(0, 0);
		check_bus("bus transactions of a fetch", &t, CACHE_BUS_IFETCH, 1);
		check_eq_u64("the writer's state after the fetch", l1d_state(1, 0), S);
		t = retire(1);
		check_snoop("snoops of the writer", &t, 1, 1, 1);
		use_line(1, REFPMU_WRITE, 0);
		t = fetch_line(0, 0);
		check_eq_u64("L1I misses after the other's write", t.l1i_misses, 1);
	}
}

UNIT_TEST(each_transaction_is_seen_once_by_all)
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
		check_true("both processors made many transactions", own[0] > 500 && own[1] > 500);
		check_eq_u64("transactions that the first one saw", any[0], own[0] + own[1]);
		check_eq_u64("transactions that the second one saw", any[1], own[0] + own[1]);
	}
}

/* Retires a locked instruction, for which the Pentium asserts LOCK# each time. */
static void lock(unsigned cpu)
{
	struct refpmu_insn insn = { .ip = CODE, .next_ip = CODE + 1, .length = 1,
	                            .traits = REFPMU_TRAIT_LOCKED };

	touch(cpu, REFPMU_READ_WRITE, 0, 4);
	retire_as(cpu, &insn);
}

UNIT_TEST(events_before_a_thread_is_counted_are_not_reported)
{
	struct cache_traffic t;

	start(&small_p6);
	use_line(1, REFPMU_WRITE, 0);
	use_line(1, REFPMU_WRITE, 2);
	use_line(0, REFPMU_WRITE, 0);
	cache_forget(&duo.thread[1]);
	use_line(0, REFPMU_WRITE, 1);
	t = retire(1);
	check_eq_u64("transactions since counting started", transactions(t.bus_any), 1);
	check_eq_u64("snoops since counting started", t.snoops, 1);
	start(&small_p5);
	lock(0);
	cache_forget(&duo.thread[1]);
	lock(0);
	check_eq_u64("locks since counting started", retire(1).bus_locks_any, 1);
}

UNIT_TEST(transactions_without_snoops_are_seen_by_others)
{
	for (unsigned p = 0; p < 2; p++) {
		struct cache_traffic t;

		start(both[p]);
		cache_io(&duo.thread[0], true, 0x80, 1);
		cache_access(&duo.thread[0], REFPMU_READ, 0, 0, 4, false);
		retire(0);
		t = retire(1);
		check_eq_u64("I/O transactions that the other sees",
		             t.bus_any[CACHE_BUS_IO_WRITE], 1);
		check_eq_u64("uncacheable transactions that the other sees",
		             t.bus_any[CACHE_BUS_UC_READ], 1);
		check_eq_u64("transactions that the other sees", transactions(t.bus_any), 2);
		check_eq_u64("transactions of its own", transactions(t.bus), 0);
	}
	start(&small_p5);
	lock(0);
	retire(1);
	lock(0);
	check_eq_u64("locks that the other sees", retire(1).bus_locks_any, 1);
}

/* Processor 1 is a thread of core 0 that nothing counts: it changes states, but brings no lines. */
UNIT_TEST(a_thread_that_may_not_fill_reports_no_lines)
{
	for (unsigned p = 0; p < 2; p++) {
		struct cache_traffic t;

		start(both[p]);
		duo.thread[0].fills_core = false;
		t = use_line(0, REFPMU_READ, 0);
		check_bus("bus transactions of a read", &t, CACHE_BUS_KINDS, 0);
		check_eq_u64("state in L1D", l1d_state(0, 0), I);
		t = fetch_line(0, 2);
		check_eq_u64("L1I misses", t.l1i_misses, 0);
	}
	start(&small_p6);
	duo.thread[0].fills_last = false;
	use_line(0, REFPMU_WRITE, 0);
	check_eq_u64("state in L1D, which had the line", l1d_state(0, 0), M);
	check_eq_u64("state in L2", l2_state(0, 0), I);
	check_eq_u64("lines into L2", duo.thread[0].observed.retired.l2_lines_in, 0);
	check_eq_u64("modified lines out of L2, and in",
	             duo.thread[0].observed.retired.l2_m_lines_in, 0);
	duo.thread[0].fills_last = true;
	use_line(0, REFPMU_READ, 2);
	duo.thread[0].fills_last = false;
	use_line(0, REFPMU_READ, 6);
	use_line(0, REFPMU_READ, 10);
	check_eq_u64("bus transactions of a load that hits L2",
	             use_line(0, REFPMU_READ, 2).bus[CACHE_BUS_BRD], 0);
}

/* Two cores of a package agree without the bus. (No such processor has two cores.) */
UNIT_TEST(cores_of_a_package_share_lines_without_the_bus)
{
	for (unsigned p = 0; p < 2; p++) {
		struct cache_traffic t;

		start(both[p]);
		cache_core_create(&duo.core[1], &duo.package[0], both[p], duo.core_memory[1]);
		duo.machine.packages = &duo.package[0];
		duo.package[0].next = NULL;
		use_line(1, REFPMU_READ, 0);
		t = use_line(0, REFPMU_READ, 0);
		check_bus("bus transactions of a read", &t, CACHE_BUS_KINDS, 0);
		check_eq_u64("the reader's state", l1d_state(0, 0), S);
		check_eq_u64("the other's state", l1d_state(1, 0), S);
		check_eq_u64("snoops of the other", retire(1).snoops, 0);
	}
}

UNIT_MAIN()
