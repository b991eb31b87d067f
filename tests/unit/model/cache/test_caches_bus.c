/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests what a processor's costs report of its lines: read in, modified, replaced, written back,
 * fetched. */
#include <tests/unit/model/cache/caches_duo.h>

enum { I = CACHE_I, S = CACHE_S, E = CACHE_E, M = CACHE_M };

static void check_states(const char *what, unsigned line, unsigned l1d, unsigned l2)
{
	check_eq_u64(what, l1d_state(0, line), l1d);
	check_eq_u64(what, l2_state(0, line), l2);
}

/* ------------------------------------------------------------------------------ P6 */

UNIT_TEST(p6_reads_missing_lines)
{
	struct cache_traffic t;

	start(&small_p6);
	t = use_line(0, REFPMU_READ, 0);
	check_bus("bus transactions of a load that misses", &t, CACHE_BUS_BRD, 1);
	check_eq_u64("lines into L1D", t.l1d_lines_in, 1);
	check_eq_u64("lines into L2", t.l2_lines_in, 1);
	check_eq_u64("modified lines in", t.l1d_m_lines_in + t.l2_m_lines_in, 0);
	check_eq_u64("read misses", t.data_read_misses, 1);
	check_states("state after the load", 0, E, E);
	t = use_line(0, REFPMU_READ, 0);
	check_bus("bus transactions of a load that hits", &t, CACHE_BUS_KINDS, 0);
	check_eq_u64("misses and lines in of a load that hits",
	             t.data_read_misses + t.l1d_lines_in + t.l2_lines_in, 0);
	check_eq_u64("write hits of a load", t.write_hits_m_e, 0);
}

UNIT_TEST(p6_reads_for_ownership)
{
	static const unsigned kinds[] = { REFPMU_WRITE, REFPMU_READ_WRITE };

	for (unsigned i = 0; i < 2; i++) {
		struct cache_traffic t;

		start(&small_p6);
		t = use_line(0, kinds[i], 0);
		check_bus("bus transactions of a store that misses", &t, CACHE_BUS_RFO, 1);
		check_eq_u64("modified lines into L1D", t.l1d_m_lines_in, 1);
		check_eq_u64("modified lines into L2", t.l2_m_lines_in, 1);
		check_eq_u64("read misses", t.data_read_misses, i);
		check_eq_u64("write misses", t.data_write_misses, 1 - i);
		check_eq_u64("write hits of a store that misses", t.write_hits_m_e, 0);
		check_states("state after the store", 0, M, M);
		t = use_line(0, kinds[i], 0);
		check_bus("bus transactions of a store that hits", &t, CACHE_BUS_KINDS, 0);
		check_eq_u64("write hits of a store that hits", t.write_hits_m_e, 1);
	}
}

UNIT_TEST(p6_writes_an_exclusive_line_without_the_bus)
{
	struct cache_traffic t;

	start(&small_p6);
	use_line(0, REFPMU_READ, 0);
	t = use_line(0, REFPMU_WRITE, 0);
	check_bus("bus transactions of a store to an exclusive line", &t, CACHE_BUS_KINDS, 0);
	check_eq_u64("write hits", t.write_hits_m_e, 1);
	check_states("state: modified in L1D only", 0, M, E);
}

/* Lines 0, 2 and 4 share a set of L1D, of 2 ways. */
UNIT_TEST(p6_moves_modified_lines_to_l2)
{
	struct cache_traffic t;

	start(&small_p6);
	use_line(0, REFPMU_READ, 0);
	use_line(0, REFPMU_WRITE, 0);
	use_line(0, REFPMU_READ, 2);
	t = use_line(0, REFPMU_READ, 6);
	check_eq_u64("modified lines out of L1D", t.l1d_m_lines_out, 1);
	check_eq_u64("modified lines into L2", t.l2_m_lines_in, 1);
	check_bus("bus transactions: only the new line's", &t, CACHE_BUS_BRD, 1);
	check_states("state: modified in L2 only", 0, I, M);
	t = use_line(0, REFPMU_READ, 10);
	check_eq_u64("modified lines out of L1D if a clean one leaves", t.l1d_m_lines_out, 0);
	t = use_line(0, REFPMU_READ, 0);
	check_bus("bus transactions of a load that hits L2", &t, CACHE_BUS_KINDS, 0);
	check_states("state after the load from L2", 0, E, M);
	t = use_line(0, REFPMU_WRITE, 0);
	use_line(0, REFPMU_READ, 2);
	t = use_line(0, REFPMU_READ, 6);
	check_eq_u64("modified lines out of L1D, second time", t.l1d_m_lines_out, 1);
	check_eq_u64("modified lines into L2, which had the line modified", t.l2_m_lines_in, 0);
}

/* Lines 0, 4 and 8 share a set of L2, of 2 ways; lines 1, 5 and 9 share a set of L2 and of L1I. */
UNIT_TEST(p6_replaces_lines_of_l2)
{
	struct cache_traffic t;

	start(&small_p6);
	fetch_line(0, 1);
	fetch_line(0, 5);
	t = fetch_line(0, 9);
	check_eq_u64("lines out of L2 if a clean one leaves", t.l2_lines_out, 1);
	check_eq_u64("modified lines out of L2 if a clean one leaves", t.l2_m_lines_out, 0);
	check_bus("bus transactions if a clean line leaves", &t, CACHE_BUS_IFETCH, 1);
	use_line(0, REFPMU_WRITE, 0);
	fetch_line(0, 4);
	check_states("state: modified in L1D and L2", 0, M, M);
	t = fetch_line(0, 8);
	check_eq_u64("lines out of L2 if a modified one leaves", t.l2_lines_out, 1);
	check_eq_u64("modified lines out of L2", t.l2_m_lines_out, 1);
	check_eq_u64("lines written back", t.bus[CACHE_BUS_WB], 1);
	check_eq_u64("bus transactions: the write-back and the new line", transactions(t.bus), 2);
	check_states("state: clean in L1D, gone from L2", 0, E, I);
	check_eq_u64("modified lines out of L1D", t.l1d_m_lines_out, 0);
}

UNIT_TEST(p6_writes_back_what_l2_has_lost)
{
	struct cache_traffic t;

	start(&small_p6);
	use_line(0, REFPMU_READ, 0);
	use_line(0, REFPMU_WRITE, 0);
	fetch_line(0, 4);
	t = fetch_line(0, 8);
	check_eq_u64("lines out of L2", t.l2_lines_out, 1);
	check_eq_u64("modified lines out of L2, and write-backs",
	             t.l2_m_lines_out + t.bus[CACHE_BUS_WB], 0);
	check_states("state: modified in L1D, gone from L2", 0, M, I);
	use_line(0, REFPMU_READ, 2);
	t = use_line(0, REFPMU_READ, 6);
	check_eq_u64("modified lines out of L1D", t.l1d_m_lines_out, 1);
	check_eq_u64("lines written back", t.bus[CACHE_BUS_WB], 1);
	check_eq_u64("burst reads of the new line", t.bus[CACHE_BUS_BRD], 1);
	check_states("state: in no cache", 0, I, I);
}

UNIT_TEST(p6_reports_l2_requests_by_state)
{
	start(&small_p6);
	use_line(0, REFPMU_WRITE, 0);
	check_eq_u64("L2 requests of a store that misses", last_cost.l2->count[CACHE_STORE][I], 1);
	use_line(0, REFPMU_READ, 2);
	use_line(0, REFPMU_READ, 6);
	use_line(0, REFPMU_READ, 0);
	check_eq_u64("L2 requests of a load of a modified line",
	             last_cost.l2->count[CACHE_LOAD][M], 1);
	check_eq_u64("references of the load", last_cost.llc_references, 1);
	check_eq_u64("misses of the load", last_cost.llc_misses, 0);
	fetch_line(0, 2);
	check_eq_u64("L2 requests of a fetch", last_cost.l2->count[CACHE_FETCH][E], 1);
}

/* ------------------------------------------------------------------------------ the Pentium */

UNIT_TEST(the_pentium_reads_missing_lines)
{
	struct cache_traffic t;

	start(&small_p5);
	t = use_line(0, REFPMU_READ, 0);
	check_bus("bus transactions of a load that misses", &t, CACHE_BUS_BRD, 1);
	check_eq_u64("lines into L1D", t.l1d_lines_in, 1);
	check_eq_u64("read misses", t.data_read_misses, 1);
	check_eq_u64("lines into L2, which does not exist", t.l2_lines_in, 0);
	check_eq_u64("references to L2, which does not exist", last_cost.llc_references, 0);
	check_eq_u64("state after the load", l1d_state(0, 0), E);
	t = use_line(0, REFPMU_WRITE, 0);
	check_bus("bus transactions of a store to an exclusive line", &t, CACHE_BUS_KINDS, 0);
	check_eq_u64("write hits", t.write_hits_m_e, 1);
	check_eq_u64("state after the store", l1d_state(0, 0), M);
	check_eq_u64("write hits of a second store",
	             use_line(0, REFPMU_WRITE, 0).write_hits_m_e, 1);
}

UNIT_TEST(the_pentium_allocates_no_line_for_a_write)
{
	struct cache_traffic t;

	start(&small_p5);
	for (unsigned i = 0; i < 2; i++) {
		t = use_line(0, REFPMU_WRITE, 0);
		check_bus("bus transactions of a store that misses",
		          &t, CACHE_BUS_WRITE_THROUGH, 1);
		check_eq_u64("write misses", t.data_write_misses, 1);
		check_eq_u64("lines into L1D", t.l1d_lines_in, 0);
		check_eq_u64("stall of a store", last_cost.backend_cycles, 0);
		check_eq_u64("state after the store", l1d_state(0, 0), I);
	}
	t = use_line(0, REFPMU_READ_WRITE, 0);
	check_bus("bus transactions of a read-write that misses", &t, CACHE_BUS_BRD, 1);
	check_eq_u64("read misses", t.data_read_misses, 1);
	check_eq_u64("write hits", t.write_hits_m_e, 1);
	check_eq_u64("write misses", t.data_write_misses, 0);
	check_eq_u64("state after the read-write", l1d_state(0, 0), M);
}

UNIT_TEST(the_pentium_writes_back)
{
	struct cache_traffic t;

	start(&small_p5);
	use_line(0, REFPMU_READ_WRITE, 0);
	use_line(0, REFPMU_READ, 2);
	t = use_line(0, REFPMU_READ, 4);
	check_eq_u64("modified lines out of L1D", t.l1d_m_lines_out, 1);
	check_eq_u64("lines written back", t.bus[CACHE_BUS_WB], 1);
	check_eq_u64("bus transactions: the write-back and the new line", transactions(t.bus), 2);
	t = use_line(0, REFPMU_READ, 6);
	check_bus("bus transactions if a clean line leaves", &t, CACHE_BUS_BRD, 1);
	check_eq_u64("modified lines out of L1D if a clean one leaves", t.l1d_m_lines_out, 0);
}

UNIT_TEST(a_write_that_hits_makes_the_line_recently_used)
{
	start(&small_p5);
	use_line(0, REFPMU_READ, 0);
	use_line(0, REFPMU_READ, 2);
	use_line(0, REFPMU_WRITE, 0);
	use_line(0, REFPMU_READ, 4);
	check_eq_u64("the written line's state: it stays", l1d_state(0, 0), M);
	check_eq_u64("the other line's state: it was replaced", l1d_state(0, 2), I);
}

UNIT_TEST(lines_of_an_emptied_cache_are_not_replaced)
{
	static const struct cache_geometry *const both[] = { &small_p5, &small_p6 };

	for (unsigned i = 0; i < 2; i++) {
		struct cache_traffic t;

		start(both[i]);
		use_line(0, REFPMU_READ_WRITE, 2);
		use_line(0, REFPMU_READ_WRITE, 6);
		cache_empty_core(&duo.core[0]);
		cache_empty_package(&duo.package[0]);
		retire(0);
		t = use_line(0, REFPMU_READ, 10);
		check_bus("bus transactions: only a read", &t, CACHE_BUS_BRD, 1);
		check_eq_u64("lines out", t.l1d_m_lines_out + t.l2_lines_out, 0);
		t = use_line(0, REFPMU_READ, 14);
		check_bus("bus transactions: only a read", &t, CACHE_BUS_BRD, 1);
		check_eq_u64("lines out", t.l1d_m_lines_out + t.l2_lines_out, 0);
	}
}

/* ------------------------------------------------------------------------------ code */

static struct cache_traffic run(uint64_t ip, uint64_t next_ip, unsigned length)
{
	struct refpmu_insn insn = { .ip = ip, .next_ip = next_ip, .length = (uint8_t)length };

	return retire_as(0, &insn);
}

UNIT_TEST(code_is_fetched_in_blocks)
{
	static const struct { const struct cache_geometry *g; unsigned bytes; } rows[] = {
		{ &small_p5, 32 }, { &small_p6, 16 }
	};

	for (unsigned i = 0; i < 2; i++) {
		unsigned bytes = rows[i].bytes;

		start(rows[i].g);
		check_eq_u64("fetches of the first block", run(0, 4, 4).l1i_fetches, 1);
		check_eq_u64("fetches if execution stays in the block",
		             run(4, 8, 4).l1i_fetches, 0);
		check_eq_u64("fetches of the next block", run(bytes, bytes + 1, 1).l1i_fetches, 1);
		check_eq_u64("fetches of an instruction across blocks",
		             run(2 * bytes - 1, 2 * bytes + 1, 2).l1i_fetches, 1);
		check_eq_u64("fetches of a jump instruction in the same block",
		             run(2 * bytes + 2, 2 * bytes + 2, 2).l1i_fetches, 0);
		check_eq_u64("fetches after a jump within the block",
		             run(2 * bytes + 2, 2 * bytes + 4, 2).l1i_fetches, 1);
		check_eq_u64("fetches of the instruction that follows",
		             run(2 * bytes + 4, 2 * bytes + 5, 1).l1i_fetches, 0);
		check_eq_u64("fetches of an instruction up to the block's end",
		             run(3 * bytes - 3, 3 * bytes, 3).l1i_fetches, 0);
		check_eq_u64("fetches of the block after it",
		             run(3 * bytes, 3 * bytes + 1, 1).l1i_fetches, 1);
	}
}

UNIT_TEST(code_misses_are_counted_in_lines)
{
	for (unsigned i = 0; i < 2; i++) {
		struct cache_traffic t;

		start(i ? &small_p6 : &small_p5);
		t = run(0, 1, 1);
		check_eq_u64("L1I misses of a new line", t.l1i_misses, 1);
		check_bus("bus transactions of a new line", &t, CACHE_BUS_IFETCH, 1);
		t = run(17, 18, 1);
		check_eq_u64("L1I misses in the same line", t.l1i_misses, 0);
		t = run(LINE - 1, LINE + 1, 2);
		check_eq_u64("L1I misses of an instruction into a new line", t.l1i_misses, 1);
		t = run(3 * LINE - 1, 3 * LINE + 1, 2);
		check_eq_u64("L1I misses of an instruction in two new lines", t.l1i_misses, 2);
		check_bus("bus transactions of two new lines", &t, CACHE_BUS_IFETCH, 2);
		t = run(0, 1, 1);
		check_eq_u64("L1I misses of a line that is still there", t.l1i_misses, 0);
		run(4 * LINE, 4 * LINE + 1, 1);
		t = run(2 * LINE, 2 * LINE + 1, 1);
		check_eq_u64("L1I misses of a replaced line", t.l1i_misses, 1);
		check_bus("bus transactions of a replaced line: only without L2",
		          &t, i ? CACHE_BUS_KINDS : CACHE_BUS_IFETCH, 1);
		check_eq_u64("data lines in", t.l1d_lines_in, 0);
	}
}

UNIT_MAIN()
