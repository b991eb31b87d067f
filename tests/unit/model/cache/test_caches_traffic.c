/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests what costs of P5 and P6 report of accesses: their number, misaligned, uncacheable and
 * locked ones, I/O, stalls. */
#include <arch/regs/table.h>
#include <tests/unit/model/cache/caches_duo.h>

static const struct cache_geometry *const both[] = { &small_p5, &small_p6 };

UNIT_TEST(only_p5_and_p6_report_traffic)
{
	struct cache_geometry silent = small_p6;

	silent.observes_traffic = false;
	start(&silent);
	touch(0, REFPMU_READ, 0, 4);
	cache_io(&duo.thread[0], true, 0x80, 1);
	retire(0);
	check_true("another processor's cost has no traffic", !last_cost.traffic);
	check_eq_u64("references of another processor", last_cost.llc_references, 1);
	check_eq_u64("stall of another processor: I/O costs nothing",
	             last_cost.backend_cycles, 100);
	check_eq_u64("changes on the bus", duo.machine.bus.changes, 0);
}

UNIT_TEST(an_instruction_without_effects_has_no_traffic)
{
	for (unsigned i = 0; i < 2; i++) {
		start(both[i]);
		retire(0);
		check_true("a NOP in the fetched block has no traffic", !last_cost.traffic);
		use_line(0, REFPMU_READ, 0);
		check_true("a read has traffic", last_cost.traffic != NULL);
		retire(0);
		check_true("the next NOP has no traffic", !last_cost.traffic);
	}
}

UNIT_TEST(references_are_counted_as_they_are_reported)
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

/* Source: SDM 3B, tables "Events That Can Be Counted with Pentium Processor", event 0BH, and of P6,
 * event 05H. */
UNIT_TEST(misaligned_accesses)
{
	static const struct { uint8_t address, size, p5, p6, splits; } rows[] = {
		{ 0, 1, 0, 0, 0 }, { 3, 1, 0, 0, 0 }, { 7, 1, 0, 0, 0 }, { 31, 1, 0, 0, 0 },
		{ 1, 2, 0, 0, 0 }, { 2, 2, 0, 0, 0 }, { 3, 2, 1, 0, 0 }, { 7, 2, 1, 1, 0 },
		{ 0, 4, 0, 0, 0 }, { 1, 4, 1, 0, 0 }, { 4, 4, 0, 0, 0 }, { 5, 4, 1, 1, 0 },
		{ 0, 8, 0, 0, 0 }, { 4, 8, 1, 1, 0 }, { 8, 8, 0, 0, 0 }, { 1, 8, 1, 1, 0 },
		{ 31, 2, 1, 1, 1 }, { 29, 4, 1, 1, 1 }, { 25, 8, 1, 1, 1 }, { 28, 8, 1, 1, 1 },
		{ 0, 16, 0, 0, 0 }, { 16, 16, 0, 0, 0 }, { 20, 16, 1, 1, 1 }, { 24, 16, 0, 0, 1 },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		for (unsigned kind = REFPMU_READ; kind <= REFPMU_READ_WRITE; kind++) {
			uint32_t n = kind == REFPMU_READ_WRITE ? 2 : 1;
			struct cache_traffic t;

			start(&small_p5);
			t = use(0, kind, rows[i].address, rows[i].size);
			check_eq_u64("misaligned, Pentium", t.misaligned, n * rows[i].p5);
			check_eq_u64("splits, Pentium", t.splits, n * rows[i].splits);
			start(&small_p6);
			t = use(0, kind, rows[i].address, rows[i].size);
			check_eq_u64("misaligned, P6", t.misaligned, n * rows[i].p6);
			check_eq_u64("splits, P6", t.splits, n * rows[i].splits);
			check_eq_u64("lines into L1D, P6", t.l1d_lines_in, 1 + rows[i].splits);
		}
	}
}

/* Makes an access in two pieces, at the end of page 0. */
static struct cache_traffic cut(unsigned kind, unsigned first, unsigned second_kind,
                                unsigned second)
{
	touch(0, kind, PAGE - first, first);
	return use(0, second_kind, PAGE, second);
}

UNIT_TEST(an_access_across_pages_counts_once)
{
	static const struct { uint8_t first, second; bool is_one; } rows[] = {
		{ 1, 3, true }, { 3, 1, true }, { 1, 7, true }, { 3, 5, true }, { 6, 2, true },
		{ 2, 2, false }, { 4, 4, false }, { 1, 1, false }, { 4, 2, false }, { 8, 2, false },
		{ 2, 4, false },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
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
			check_eq_u64("reads of a read-write", t.data_reads, 2u - rows[i].is_one);
			check_eq_u64("writes of a read-write", t.data_writes, 2u - rows[i].is_one);
			check_eq_u64("splits of a read-write", t.splits, 2u * rows[i].is_one);
		}
	}
}

UNIT_TEST(other_accesses_at_the_end_of_a_page_count_twice)
{
	struct cache_traffic t;

	start(&small_p6);
	t = cut(REFPMU_READ, 1, REFPMU_WRITE, 3);
	check_eq_u64("splits of two kinds of access", t.splits, 0);
	touch(0, REFPMU_READ, PAGE - 1, 1);
	retire(0);
	check_eq_u64("splits of accesses of two instructions",
	             use(0, REFPMU_READ, PAGE, 3).splits, 0);
	touch(0, REFPMU_READ, PAGE - 1, 1);
	cache_drop(&duo.thread[0]);
	check_eq_u64("splits of accesses with a fault between them",
	             use(0, REFPMU_READ, PAGE, 3).splits, 0);
	touch(0, REFPMU_READ, PAGE - 2, 1);
	check_eq_u64("splits of accesses with a gap between them",
	             use(0, REFPMU_READ, PAGE, 3).splits, 0);
	touch(0, REFPMU_READ, LINE - 1, 1);
	check_eq_u64("splits of accesses that do not meet at a page's end",
	             use(0, REFPMU_READ, LINE, 3).splits, 0);
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

	for (unsigned i = 0; i < 2 * COUNT_OF(rows); i++) {
		uint32_t n = rows[i / 2].n;
		struct cache_traffic t;

		start(both[i % 2]);
		use(0, REFPMU_READ, rows[i / 2].address, rows[i / 2].size);
		for (unsigned again = 0; again < 2; again++) {
			t = use_uncacheable(REFPMU_READ, rows[i / 2].address, rows[i / 2].size);
			check_bus("bus transactions of a read", &t, CACHE_BUS_UC_READ, n);
			check_eq_u64("read misses", t.data_read_misses, 1);
			check_eq_u64("cycles of the read", t.read_cycles, 100 * n);
			check_eq_u64("stall of the read", last_cost.backend_cycles, 100 * n);
			t = use_uncacheable(REFPMU_WRITE, rows[i / 2].address, rows[i / 2].size);
			check_bus("bus transactions of a write", &t, CACHE_BUS_UC_WRITE, n);
			check_eq_u64("write misses", t.data_write_misses, 1);
			check_eq_u64("stall of the write", last_cost.backend_cycles, 0);
		}
		t = use_uncacheable(REFPMU_READ_WRITE, rows[i / 2].address, rows[i / 2].size);
		check_eq_u64("uncacheable reads of a read-write", t.bus[CACHE_BUS_UC_READ], n);
		check_eq_u64("uncacheable writes of a read-write", t.bus[CACHE_BUS_UC_WRITE], n);
		check_eq_u64("lines into L1D", t.l1d_lines_in, 0);
		check_eq_u64("references", last_cost.llc_references, 0);
		check_eq_u64("snoops of the other, by the first cacheable read",
		             retire(1).snoops, 1);         /* by the very first read */
	}
}

UNIT_TEST(io_takes_one_transaction_or_two)
{
	static const struct { uint16_t port; uint8_t size, n; } rows[] = {
		{ 0x80, 1, 1 }, { 0x83, 1, 1 }, { 0x80, 2, 1 }, { 0x82, 2, 1 }, { 0x83, 2, 2 },
		{ 0x80, 4, 1 }, { 0x81, 4, 2 }, { 0xFFFF, 1, 1 },
	};

	for (unsigned i = 0; i < 2 * COUNT_OF(rows); i++) {
		const unsigned row = i / 2, n = rows[row].n;
		struct cache_traffic t;

		start(both[i % 2]);
		for (unsigned is_write = 0; is_write < 2; is_write++) {
			cache_io(&duo.thread[0], is_write, rows[row].port, rows[row].size);
			t = retire(0);
			check_bus("bus transactions of an I/O access",
			          &t, is_write ? CACHE_BUS_IO_WRITE : CACHE_BUS_IO_READ, n);
			check_eq_u64("misaligned", t.misaligned, n - 1);
			check_eq_u64("data references", t.data_reads + t.data_writes, 0);
			check_eq_u64("cycles of the I/O access", t.io_cycles, 100 * n);
			check_eq_u64("stall of the I/O access", last_cost.backend_cycles, 100 * n);
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

UNIT_TEST(p6_locks_the_bus_if_its_cache_cannot_lock)
{
	start(&small_p6);
	check_eq_u64("LOCK# for a line that misses",
	             use_locked(REFPMU_READ_WRITE, 0, true).bus_locks, 1);
	check_eq_u64("LOCK# for a line that hits",
	             use_locked(REFPMU_READ_WRITE, 0, true).bus_locks, 0);
	check_eq_u64("LOCK# without a lock", use(0, REFPMU_READ_WRITE, 0x100, 4).bus_locks, 0);
	use_line(0, REFPMU_READ, 2);
	use_line(0, REFPMU_READ, 6);
	check_eq_u64("state in L1D, which lost the line", l1d_state(0, 0), CACHE_I);
	check_eq_u64("LOCK# for a line that hits L2",
	             use_locked(REFPMU_READ_WRITE, 0, true).bus_locks, 0);
	use_line(0, REFPMU_READ, 1);
	check_eq_u64("LOCK# for an access to two lines that hit",
	             use_locked(REFPMU_READ_WRITE, LINE - 2, true).bus_locks, 1);
	check_eq_u64("LOCK# for uncacheable memory",
	             use_locked(REFPMU_READ_WRITE, 0, false).bus_locks, 1);
	use_line(1, REFPMU_READ, 0);
	check_eq_u64("LOCK# for a shared line",
	             use_locked(REFPMU_READ_WRITE, 0, true).bus_locks, 0);
	check_eq_u64("LOCK# for a write alone", use_locked(REFPMU_WRITE, 0x200, true).bus_locks, 0);
}

UNIT_TEST(the_pentium_always_locks_the_bus)
{
	start(&small_p5);
	for (unsigned i = 0; i < 3; i++)
		check_eq_u64("LOCK# for a locked access",
		             use_locked(REFPMU_READ_WRITE, 0, true).bus_locks, 1);
	check_eq_u64("LOCK# for an access to two lines",
	             use_locked(REFPMU_READ_WRITE, LINE - 2, true).bus_locks, 2);
	check_eq_u64("LOCK# for uncacheable memory",
	             use_locked(REFPMU_READ_WRITE, 0, false).bus_locks, 1);
	check_eq_u64("LOCK# without a lock", use(0, REFPMU_READ_WRITE, 0, 4).bus_locks, 0);
	touch(0, REFPMU_READ, 0, 4);
	check_eq_u64("LOCK# for a read and a write: the read's",
	             use_locked(REFPMU_WRITE, 0, true).bus_locks, 1);
}

UNIT_TEST(locks_are_seen_by_all)
{
	start(&small_p5);
	check_eq_u64("locks that the processor itself sees",
	             use_locked(REFPMU_READ_WRITE, 0, true).bus_locks_any, 1);
	use_locked(REFPMU_READ_WRITE, 0, true);
	use_locked(REFPMU_READ_WRITE, 0, true);
	check_eq_u64("locks that the other sees", retire(1).bus_locks_any, 3);
	check_eq_u64("locks that the other sees again", retire(1).bus_locks_any, 0);
	touch(0, REFPMU_READ_WRITE, 0, 4);
	cache_drop(&duo.thread[0]);
	check_eq_u64("a fault takes the lock back", use_locked(REFPMU_WRITE, 0, true).bus_locks, 0);
}

/* ---------------------------------------------------------------------------- stalls and TLBs */

UNIT_TEST(stalls_have_their_own_causes)
{
	struct cache_traffic t;

	for (unsigned i = 0; i < 2; i++) {
		start(both[i]);
		t = use(0, REFPMU_READ, 5 * PAGE, 4);
		check_eq_u64("cycles of the data TLB", t.dtlb_cycles, 1000);
		check_eq_u64("misses of the data TLB", t.dtlb_misses, 1);
		check_eq_u64("cycles of the read", t.read_cycles, 100);
		check_eq_u64("their sum", last_cost.backend_cycles, 1100);
		t = use(0, REFPMU_READ, 5 * PAGE + LINE, 4);
		check_eq_u64("misses of the data TLB in the same page", t.dtlb_misses, 0);
		t = use(0, REFPMU_WRITE, 6 * PAGE, 4);
		check_eq_u64("cycles of the data TLB for a write", t.dtlb_cycles, 1000);
		check_eq_u64("cycles of a read, which the write does not make", t.read_cycles, 0);
		t = fetch_line(0, 8 * PAGE / LINE);
		check_eq_u64("cycles of the code TLB", t.itlb_cycles, 1000);
		check_eq_u64("misses of the code TLB", t.itlb_misses, 1);
		check_eq_u64("cycles of the fetch", t.ifetch_cycles, 100);
		check_eq_u64("their sum", last_cost.frontend_cycles, 1100);
	}
}

UNIT_TEST(misses_take_time_even_if_nothing_waits)
{
	start(&small_p6);
	check_eq_u64("time of a load's miss", use_line(0, REFPMU_READ, 0).miss_cycles, 100);
	check_eq_u64("time of a store's miss", use_line(0, REFPMU_WRITE, 2).miss_cycles, 100);
	check_eq_u64("stall of the store", last_cost.backend_cycles, 0);
	use_line(0, REFPMU_READ, 4);
	check_eq_u64("time of a load from L2", use_line(0, REFPMU_READ, 0).miss_cycles, 10);
	check_eq_u64("stall of the load", last_cost.backend_cycles, 10);
	check_eq_u64("time of a hit", use_line(0, REFPMU_READ, 0).miss_cycles, 0);
}

UNIT_TEST(a_fault_leaves_lines_and_reports_nothing)
{
	struct cache_traffic t;

	start(&small_p6);
	touch(0, REFPMU_READ, 0, 4);
	cache_drop(&duo.thread[0]);
	t = retire(0);
	check_bus("own bus transactions", &t, CACHE_BUS_KINDS, 0);
	check_eq_u64("all bus transactions", transactions(t.bus_any), 0);
	check_eq_u64("reads and lines in", t.data_reads + t.l1d_lines_in, 0);
	check_eq_u64("reads that the other saw", retire(1).bus_any[CACHE_BUS_BRD], 1);
	t = use_line(0, REFPMU_READ, 0);
	check_bus("bus transactions of the next read, which hits", &t, CACHE_BUS_KINDS, 0);
	cache_drop(&duo.thread[0]);
	check_true("no traffic is pending", !duo.thread[0].observed.is_pending);
}

UNIT_MAIN()
