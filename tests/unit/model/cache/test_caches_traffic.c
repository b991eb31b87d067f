/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* What P5 and P6 tell of accesses: how many, misaligned, uncacheable, locked; I/O, stalls. */
#include <tests/unit/model/cache/caches_duo.h>

static const struct cache_geometry *const both[] = { &small_p5, &small_p6 };

UNIT_TEST(only_these_processors_tell)
{
	struct cache_geometry silent = small_p6;

	silent.observes_traffic = false;
	start(&silent);
	touch(0, REFPMU_READ, 0, 4);
	cache_io(&duo.thread[0], true, 0x80, 1);
	retire(0);
	check_true("no traffic", !last_cost.traffic);
	check_eq_u64("a cost", last_cost.llc_references, 1);
	check_eq_u64("and no I/O", last_cost.backend_cycles, 100);
	check_eq_u64("on no bus", duo.machine.bus.changes, 0);
}

UNIT_TEST(nothing_is_told_of_an_instruction_that_does_nothing)
{
	for (unsigned i = 0; i < 2; i++) {
		start(both[i]);
		retire(0);
		check_true("a NOP in the block fetched", !last_cost.traffic);
		use_line(0, REFPMU_READ, 0);
		check_true("a read", last_cost.traffic != NULL);
		retire(0);
		check_true("a NOP again", !last_cost.traffic);
	}
}

UNIT_TEST(references_are_counted_as_they_are_told)
{
	for (unsigned i = 0; i < 2; i++) {
		struct cache_traffic t;

		start(both[i]);
		touch(0, REFPMU_READ, 0, 4);
		touch(0, REFPMU_READ, 8, 4);
		touch(0, REFPMU_WRITE, 16, 4);
		t = use(0, REFPMU_READ_WRITE, 20, 1);
		check_eq_u64("reads", t.data_reads, 3);
		check_eq_u64("writes", t.data_writes, 2);
		check_eq_u64("misaligned", t.misaligned, 0);
		check_eq_u64("splits", t.splits, 0);
	}
}

/* SDM 3B, table "Events That Can Be Counted with Pentium Processor", 0BH; P6's 05H. */
UNIT_TEST(what_is_misaligned)
{
	static const struct { uint8_t address, size, p5, p6, splits; } rows[] = {
		{ 0, 1, 0, 0, 0 }, { 3, 1, 0, 0, 0 }, { 7, 1, 0, 0, 0 }, { 31, 1, 0, 0, 0 },
		{ 1, 2, 0, 0, 0 }, { 2, 2, 0, 0, 0 }, { 3, 2, 1, 0, 0 }, { 7, 2, 1, 1, 0 },
		{ 0, 4, 0, 0, 0 }, { 1, 4, 1, 0, 0 }, { 4, 4, 0, 0, 0 }, { 5, 4, 1, 1, 0 },
		{ 0, 8, 0, 0, 0 }, { 4, 8, 1, 1, 0 }, { 8, 8, 0, 0, 0 }, { 1, 8, 1, 1, 0 },
		{ 31, 2, 1, 1, 1 }, { 29, 4, 1, 1, 1 }, { 25, 8, 1, 1, 1 }, { 28, 8, 1, 1, 1 },
		{ 0, 16, 0, 0, 0 }, { 16, 16, 0, 0, 0 }, { 20, 16, 1, 1, 1 }, { 24, 16, 0, 0, 1 },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (unsigned kind = REFPMU_READ; kind <= REFPMU_READ_WRITE; kind++) {
			uint32_t n = kind == REFPMU_READ_WRITE ? 2 : 1;
			struct cache_traffic t;

			start(&small_p5);
			t = use(0, kind, rows[i].address, rows[i].size);
			check_eq_u64("Pentium", t.misaligned, n * rows[i].p5);
			check_eq_u64("Pentium, lines", t.splits, n * rows[i].splits);
			start(&small_p6);
			t = use(0, kind, rows[i].address, rows[i].size);
			check_eq_u64("P6", t.misaligned, n * rows[i].p6);
			check_eq_u64("P6, lines", t.splits, n * rows[i].splits);
			check_eq_u64("P6, lines in", t.l1d_lines_in, 1 + rows[i].splits);
		}
	}
}

/* In two pieces, at the end of page 0. */
static struct cache_traffic cut(unsigned kind, unsigned first, unsigned second_kind,
                                unsigned second)
{
	touch(0, kind, PAGE - first, first);
	return use(0, second_kind, PAGE, second);
}

UNIT_TEST(an_access_across_pages_is_one)
{
	static const struct { uint8_t first, second; bool is_one; } rows[] = {
		{ 1, 3, true }, { 3, 1, true }, { 1, 7, true }, { 3, 5, true }, { 6, 2, true },
		{ 2, 2, false }, { 4, 4, false }, { 1, 1, false }, { 4, 2, false }, { 8, 2, false },
		{ 2, 4, false },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (unsigned p = 0; p < 2; p++) {
			struct cache_traffic t;

			start(both[p]);
			t = cut(REFPMU_READ, rows[i].first, REFPMU_READ, rows[i].second);
			check_eq_u64("reads", t.data_reads, 2u - rows[i].is_one);
			check_eq_u64("splits", t.splits, rows[i].is_one);
			check_eq_u64("misaligned", t.misaligned, rows[i].is_one);
			start(both[p]);
			t = cut(REFPMU_READ_WRITE, rows[i].first, REFPMU_READ_WRITE,
			        rows[i].second);
			check_eq_u64("read and written", t.data_reads, 2u - rows[i].is_one);
			check_eq_u64("read and written", t.data_writes, 2u - rows[i].is_one);
			check_eq_u64("references that split", t.splits, 2u * rows[i].is_one);
		}
	}
}

UNIT_TEST(other_accesses_at_a_page_are_two)
{
	struct cache_traffic t;

	start(&small_p6);
	t = cut(REFPMU_READ, 1, REFPMU_WRITE, 3);
	check_eq_u64("another kind", t.splits, 0);
	touch(0, REFPMU_READ, PAGE - 1, 1);
	retire(0);
	check_eq_u64("another instruction", use(0, REFPMU_READ, PAGE, 3).splits, 0);
	touch(0, REFPMU_READ, PAGE - 1, 1);
	cache_drop(&duo.thread[0]);
	check_eq_u64("after a fault", use(0, REFPMU_READ, PAGE, 3).splits, 0);
	touch(0, REFPMU_READ, PAGE - 2, 1);
	check_eq_u64("a hole", use(0, REFPMU_READ, PAGE, 3).splits, 0);
	touch(0, REFPMU_READ, LINE - 1, 1);
	check_eq_u64("no page's end", use(0, REFPMU_READ, LINE, 3).splits, 0);
}

/* ---------------------------------------------------------------------------- uncacheable, I/O */

static struct cache_traffic use_uncacheable(unsigned kind, uint64_t address, unsigned size)
{
	cache_access(&duo.thread[0], kind, address, address, size, false);
	return retire(0);
}

UNIT_TEST(uncacheable_accesses_go_to_the_bus_each_time)
{
	static const struct { uint8_t address, size, n; } rows[] = {
		{ 0, 4, 1 }, { 0, 1, 1 }, { 0, 8, 1 }, { 4, 8, 2 }, { 7, 2, 2 }, { 0, 16, 2 },
	};

	for (unsigned i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t n = rows[i / 2].n;
		struct cache_traffic t;

		start(both[i % 2]);
		use(0, REFPMU_READ, rows[i / 2].address, rows[i / 2].size);
		for (unsigned again = 0; again < 2; again++) {
			t = use_uncacheable(REFPMU_READ, rows[i / 2].address, rows[i / 2].size);
			check_bus("read", &t, CACHE_BUS_UC_READ, n);
			check_eq_u64("a miss", t.data_read_misses, 1);
			check_eq_u64("waits", t.read_cycles, 100 * n);
			check_eq_u64("waits", last_cost.backend_cycles, 100 * n);
			t = use_uncacheable(REFPMU_WRITE, rows[i / 2].address, rows[i / 2].size);
			check_bus("write", &t, CACHE_BUS_UC_WRITE, n);
			check_eq_u64("a miss", t.data_write_misses, 1);
			check_eq_u64("does not wait", last_cost.backend_cycles, 0);
		}
		t = use_uncacheable(REFPMU_READ_WRITE, rows[i / 2].address, rows[i / 2].size);
		check_eq_u64("both", t.bus[CACHE_BUS_UC_READ], n);
		check_eq_u64("both", t.bus[CACHE_BUS_UC_WRITE], n);
		check_eq_u64("no line came", t.l1d_lines_in, 0);
		check_eq_u64("no reference", last_cost.llc_references, 0);
		check_eq_u64("no snoop", retire(1).snoops, 1);         /* by the very first read */
	}
}

UNIT_TEST(io_takes_one_transaction_or_two)
{
	static const struct { uint16_t port; uint8_t size, n; } rows[] = {
		{ 0x80, 1, 1 }, { 0x83, 1, 1 }, { 0x80, 2, 1 }, { 0x82, 2, 1 }, { 0x83, 2, 2 },
		{ 0x80, 4, 1 }, { 0x81, 4, 2 }, { 0xFFFF, 1, 1 },
	};

	for (unsigned i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
		const unsigned row = i / 2, n = rows[row].n;
		struct cache_traffic t;

		start(both[i % 2]);
		for (unsigned is_write = 0; is_write < 2; is_write++) {
			cache_io(&duo.thread[0], is_write, rows[row].port, rows[row].size);
			t = retire(0);
			check_bus("I/O", &t, is_write ? CACHE_BUS_IO_WRITE : CACHE_BUS_IO_READ, n);
			check_eq_u64("misaligned", t.misaligned, n - 1);
			check_eq_u64("no data reference", t.data_reads + t.data_writes, 0);
			check_eq_u64("waits", t.io_cycles, 100 * n);
			check_eq_u64("waits", last_cost.backend_cycles, 100 * n);
		}
	}
}

/* ---------------------------------------------------------------------------- locks */

static struct cache_traffic use_locked(unsigned kind, uint64_t address, bool is_cacheable)
{
	struct refpmu_insn insn = { .ip = CODE, .next_ip = CODE + 1, .length = 1,
	                            .traits = REFPMU_TRAIT_LOCKED };

	cache_access(&duo.thread[0], kind, address, address, 4, is_cacheable);
	return retire_as(0, &insn);
}

UNIT_TEST(p6_locks_the_bus_where_its_cache_does_not_do)
{
	start(&small_p6);
	check_eq_u64("missed", use_locked(REFPMU_READ_WRITE, 0, true).bus_locks, 1);
	check_eq_u64("hit", use_locked(REFPMU_READ_WRITE, 0, true).bus_locks, 0);
	check_eq_u64("not locked", use(0, REFPMU_READ_WRITE, 0x100, 4).bus_locks, 0);
	use_line(0, REFPMU_READ, 2);
	use_line(0, REFPMU_READ, 6);
	check_eq_u64("gone from L1D", l1d_state(0, 0), CACHE_I);
	check_eq_u64("hit L2", use_locked(REFPMU_READ_WRITE, 0, true).bus_locks, 0);
	use_line(0, REFPMU_READ, 1);
	check_eq_u64("split, both hit", use_locked(REFPMU_READ_WRITE, LINE - 2, true).bus_locks, 1);
	check_eq_u64("uncacheable", use_locked(REFPMU_READ_WRITE, 0, false).bus_locks, 1);
	use_line(1, REFPMU_READ, 0);
	check_eq_u64("shared", use_locked(REFPMU_READ_WRITE, 0, true).bus_locks, 0);
	check_eq_u64("a write alone", use_locked(REFPMU_WRITE, 0x200, true).bus_locks, 0);
}

UNIT_TEST(the_pentium_locks_the_bus_always)
{
	start(&small_p5);
	for (unsigned i = 0; i < 3; i++)
		check_eq_u64("locked", use_locked(REFPMU_READ_WRITE, 0, true).bus_locks, 1);
	check_eq_u64("split", use_locked(REFPMU_READ_WRITE, LINE - 2, true).bus_locks, 2);
	check_eq_u64("uncacheable", use_locked(REFPMU_READ_WRITE, 0, false).bus_locks, 1);
	check_eq_u64("not locked", use(0, REFPMU_READ_WRITE, 0, 4).bus_locks, 0);
	touch(0, REFPMU_READ, 0, 4);
	check_eq_u64("the read, not the write", use_locked(REFPMU_WRITE, 0, true).bus_locks, 1);
}

UNIT_TEST(locks_are_seen_by_all)
{
	start(&small_p5);
	check_eq_u64("own", use_locked(REFPMU_READ_WRITE, 0, true).bus_locks_any, 1);
	use_locked(REFPMU_READ_WRITE, 0, true);
	use_locked(REFPMU_READ_WRITE, 0, true);
	check_eq_u64("of others", retire(1).bus_locks_any, 3);
	check_eq_u64("once", retire(1).bus_locks_any, 0);
	touch(0, REFPMU_READ_WRITE, 0, 4);
	cache_drop(&duo.thread[0]);
	check_eq_u64("a fault takes it back", use_locked(REFPMU_WRITE, 0, true).bus_locks, 0);
}

/* ---------------------------------------------------------------------------- stalls and TLBs */

UNIT_TEST(stalls_have_their_causes)
{
	struct cache_traffic t;

	for (unsigned i = 0; i < 2; i++) {
		start(both[i]);
		t = use(0, REFPMU_READ, 5 * PAGE, 4);
		check_eq_u64("data TLB", t.dtlb_cycles, 1000);
		check_eq_u64("data TLB", t.dtlb_misses, 1);
		check_eq_u64("read", t.read_cycles, 100);
		check_eq_u64("sum", last_cost.backend_cycles, 1100);
		t = use(0, REFPMU_READ, 5 * PAGE + LINE, 4);
		check_eq_u64("the page is there", t.dtlb_misses, 0);
		t = use(0, REFPMU_WRITE, 6 * PAGE, 4);
		check_eq_u64("a write's page", t.dtlb_cycles, 1000);
		check_eq_u64("but no line", t.read_cycles, 0);
		t = fetch_line(0, 8 * PAGE / LINE);
		check_eq_u64("code TLB", t.itlb_cycles, 1000);
		check_eq_u64("code TLB", t.itlb_misses, 1);
		check_eq_u64("code", t.ifetch_cycles, 100);
		check_eq_u64("sum", last_cost.frontend_cycles, 1100);
	}
}

UNIT_TEST(misses_take_their_time_also_where_nobody_waits)
{
	start(&small_p6);
	check_eq_u64("load", use_line(0, REFPMU_READ, 0).miss_cycles, 100);
	check_eq_u64("store", use_line(0, REFPMU_WRITE, 2).miss_cycles, 100);
	check_eq_u64("nobody waits", last_cost.backend_cycles, 0);
	use_line(0, REFPMU_READ, 4);
	check_eq_u64("from L2", use_line(0, REFPMU_READ, 0).miss_cycles, 10);
	check_eq_u64("waits", last_cost.backend_cycles, 10);
	check_eq_u64("hit", use_line(0, REFPMU_READ, 0).miss_cycles, 0);
}

UNIT_TEST(a_fault_leaves_lines_and_tells_nothing)
{
	struct cache_traffic t;

	start(&small_p6);
	touch(0, REFPMU_READ, 0, 4);
	cache_drop(&duo.thread[0]);
	t = retire(0);
	check_bus("its own", &t, CACHE_BUS_KINDS, 0);
	check_eq_u64("of anybody", transactions(t.bus_any), 0);
	check_eq_u64("nothing", t.data_reads + t.l1d_lines_in, 0);
	check_eq_u64("the other one saw it", retire(1).bus_any[CACHE_BUS_BRD], 1);
	t = use_line(0, REFPMU_READ, 0);
	check_bus("it is there", &t, CACHE_BUS_KINDS, 0);
	cache_drop(&duo.thread[0]);
	check_true("nothing is pending", !duo.thread[0].observed.is_pending);
}

UNIT_MAIN()
