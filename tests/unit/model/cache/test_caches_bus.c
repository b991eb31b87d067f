/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* What one processor tells of its lines: coming, modified, replaced, written back, fetched. */
#include <tests/unit/model/cache/caches_duo.h>

enum { I = CACHE_I, S = CACHE_S, E = CACHE_E, M = CACHE_M };

static void check_states(const char *what, unsigned line, unsigned l1d, unsigned l2)
{
	check_eq_u64(what, l1d_state(0, line), l1d);
	check_eq_u64(what, l2_state(0, line), l2);
}

/* ------------------------------------------------------------------------------ P6 */

UNIT_TEST(p6_reads_lines_in)
{
	struct cache_traffic t;

	start(&small_p6);
	t = use_line(0, REFPMU_READ, 0);
	check_bus("a load", &t, CACHE_BUS_BRD, 1);
	check_eq_u64("lines in", t.l1d_lines_in, 1);
	check_eq_u64("lines in", t.l2_lines_in, 1);
	check_eq_u64("modified", t.l1d_m_lines_in + t.l2_m_lines_in, 0);
	check_eq_u64("miss", t.data_read_misses, 1);
	check_states("alone", 0, E, E);
	t = use_line(0, REFPMU_READ, 0);
	check_bus("once", &t, CACHE_BUS_KINDS, 0);
	check_eq_u64("hit", t.data_read_misses + t.l1d_lines_in + t.l2_lines_in, 0);
	check_eq_u64("no write", t.write_hits_m_e, 0);
}

UNIT_TEST(p6_reads_for_ownership)
{
	static const unsigned kinds[] = { REFPMU_WRITE, REFPMU_READ_WRITE };

	for (unsigned i = 0; i < 2; i++) {
		struct cache_traffic t;

		start(&small_p6);
		t = use_line(0, kinds[i], 0);
		check_bus("a store", &t, CACHE_BUS_RFO, 1);
		check_eq_u64("lines in", t.l1d_m_lines_in, 1);
		check_eq_u64("lines in", t.l2_m_lines_in, 1);
		check_eq_u64("read miss", t.data_read_misses, i);
		check_eq_u64("write miss", t.data_write_misses, 1 - i);
		check_eq_u64("no hit", t.write_hits_m_e, 0);
		check_states("modified", 0, M, M);
		t = use_line(0, kinds[i], 0);
		check_bus("once", &t, CACHE_BUS_KINDS, 0);
		check_eq_u64("hit", t.write_hits_m_e, 1);
	}
}

UNIT_TEST(p6_writes_what_it_has_alone_in_silence)
{
	struct cache_traffic t;

	start(&small_p6);
	use_line(0, REFPMU_READ, 0);
	t = use_line(0, REFPMU_WRITE, 0);
	check_bus("alone", &t, CACHE_BUS_KINDS, 0);
	check_eq_u64("hit in E", t.write_hits_m_e, 1);
	check_states("L1D has it", 0, M, E);
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
	check_eq_u64("out of L1D", t.l1d_m_lines_out, 1);
	check_eq_u64("modified in L2 now", t.l2_m_lines_in, 1);
	check_bus("not to memory", &t, CACHE_BUS_BRD, 1);
	check_states("L2 has it", 0, I, M);
	t = use_line(0, REFPMU_READ, 10);
	check_eq_u64("a clean one", t.l1d_m_lines_out, 0);
	t = use_line(0, REFPMU_READ, 0);
	check_bus("back from L2", &t, CACHE_BUS_KINDS, 0);
	check_states("back from L2", 0, E, M);
	t = use_line(0, REFPMU_WRITE, 0);
	use_line(0, REFPMU_READ, 2);
	t = use_line(0, REFPMU_READ, 6);
	check_eq_u64("out again", t.l1d_m_lines_out, 1);
	check_eq_u64("L2 had it modified already", t.l2_m_lines_in, 0);
}

/* Lines 0, 4 and 8 share a set of L2, of 2 ways; 1, 5, 9 do, and of L1I. */
UNIT_TEST(p6_replaces_lines_of_l2)
{
	struct cache_traffic t;

	start(&small_p6);
	fetch_line(0, 1);
	fetch_line(0, 5);
	t = fetch_line(0, 9);
	check_eq_u64("clean", t.l2_lines_out, 1);
	check_eq_u64("clean", t.l2_m_lines_out, 0);
	check_bus("clean", &t, CACHE_BUS_IFETCH, 1);
	use_line(0, REFPMU_WRITE, 0);
	fetch_line(0, 4);
	check_states("both have it", 0, M, M);
	t = fetch_line(0, 8);
	check_eq_u64("modified", t.l2_lines_out, 1);
	check_eq_u64("modified", t.l2_m_lines_out, 1);
	check_eq_u64("written back", t.bus[CACHE_BUS_WB], 1);
	check_eq_u64("and the new one", transactions(t.bus), 2);
	check_states("L1D keeps it, unmodified", 0, E, I);
	check_eq_u64("not out of L1D", t.l1d_m_lines_out, 0);
}

UNIT_TEST(p6_writes_back_what_l2_has_lost)
{
	struct cache_traffic t;

	start(&small_p6);
	use_line(0, REFPMU_READ, 0);
	use_line(0, REFPMU_WRITE, 0);
	fetch_line(0, 4);
	t = fetch_line(0, 8);
	check_eq_u64("out of L2", t.l2_lines_out, 1);
	check_eq_u64("where it was not modified", t.l2_m_lines_out + t.bus[CACHE_BUS_WB], 0);
	check_states("L1D has it", 0, M, I);
	use_line(0, REFPMU_READ, 2);
	t = use_line(0, REFPMU_READ, 6);
	check_eq_u64("out of L1D", t.l1d_m_lines_out, 1);
	check_eq_u64("to memory", t.bus[CACHE_BUS_WB], 1);
	check_eq_u64("and the new one", t.bus[CACHE_BUS_BRD], 1);
	check_states("nowhere", 0, I, I);
}

UNIT_TEST(p6_tells_l2_requests_by_state)
{
	start(&small_p6);
	use_line(0, REFPMU_WRITE, 0);
	check_eq_u64("a store that misses", last_cost.l2->count[CACHE_STORE][I], 1);
	use_line(0, REFPMU_READ, 2);
	use_line(0, REFPMU_READ, 6);
	use_line(0, REFPMU_READ, 0);
	check_eq_u64("a load", last_cost.l2->count[CACHE_LOAD][M], 1);
	check_eq_u64("is a reference", last_cost.llc_references, 1);
	check_eq_u64("that hits", last_cost.llc_misses, 0);
	fetch_line(0, 2);
	check_eq_u64("a fetch", last_cost.l2->count[CACHE_FETCH][E], 1);
}

/* ------------------------------------------------------------------------------ the Pentium */

UNIT_TEST(the_pentium_reads_lines_in)
{
	struct cache_traffic t;

	start(&small_p5);
	t = use_line(0, REFPMU_READ, 0);
	check_bus("read", &t, CACHE_BUS_BRD, 1);
	check_eq_u64("line in", t.l1d_lines_in, 1);
	check_eq_u64("miss", t.data_read_misses, 1);
	check_eq_u64("no L2", t.l2_lines_in, 0);
	check_eq_u64("no L2", last_cost.llc_references, 0);
	check_eq_u64("alone", l1d_state(0, 0), E);
	t = use_line(0, REFPMU_WRITE, 0);
	check_bus("written in silence", &t, CACHE_BUS_KINDS, 0);
	check_eq_u64("hit", t.write_hits_m_e, 1);
	check_eq_u64("modified", l1d_state(0, 0), M);
	check_eq_u64("again", use_line(0, REFPMU_WRITE, 0).write_hits_m_e, 1);
}

UNIT_TEST(the_pentium_takes_no_line_for_a_write)
{
	struct cache_traffic t;

	start(&small_p5);
	for (unsigned i = 0; i < 2; i++) {
		t = use_line(0, REFPMU_WRITE, 0);
		check_bus("write", &t, CACHE_BUS_WRITE_THROUGH, 1);
		check_eq_u64("miss", t.data_write_misses, 1);
		check_eq_u64("no line", t.l1d_lines_in, 0);
		check_eq_u64("nobody waits", last_cost.backend_cycles, 0);
		check_eq_u64("not there", l1d_state(0, 0), I);
	}
	t = use_line(0, REFPMU_READ_WRITE, 0);
	check_bus("read, then written", &t, CACHE_BUS_BRD, 1);
	check_eq_u64("a read miss", t.data_read_misses, 1);
	check_eq_u64("a write hit", t.write_hits_m_e, 1);
	check_eq_u64("no write miss", t.data_write_misses, 0);
	check_eq_u64("modified", l1d_state(0, 0), M);
}

UNIT_TEST(the_pentium_writes_back)
{
	struct cache_traffic t;

	start(&small_p5);
	use_line(0, REFPMU_READ_WRITE, 0);
	use_line(0, REFPMU_READ, 2);
	t = use_line(0, REFPMU_READ, 4);
	check_eq_u64("out", t.l1d_m_lines_out, 1);
	check_eq_u64("to memory", t.bus[CACHE_BUS_WB], 1);
	check_eq_u64("and the new one", transactions(t.bus), 2);
	t = use_line(0, REFPMU_READ, 6);
	check_bus("a clean one", &t, CACHE_BUS_BRD, 1);
	check_eq_u64("a clean one", t.l1d_m_lines_out, 0);
}

UNIT_TEST(a_write_that_hits_is_a_use)
{
	start(&small_p5);
	use_line(0, REFPMU_READ, 0);
	use_line(0, REFPMU_READ, 2);
	use_line(0, REFPMU_WRITE, 0);
	use_line(0, REFPMU_READ, 4);
	check_eq_u64("the other one was replaced", l1d_state(0, 0), M);
	check_eq_u64("the other one was replaced", l1d_state(0, 2), I);
}

UNIT_TEST(what_was_before_caches_were_emptied_is_not_replaced)
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
		check_bus("only a read", &t, CACHE_BUS_BRD, 1);
		check_eq_u64("nothing out", t.l1d_m_lines_out + t.l2_lines_out, 0);
		t = use_line(0, REFPMU_READ, 14);
		check_bus("only a read", &t, CACHE_BUS_BRD, 1);
		check_eq_u64("nothing out", t.l1d_m_lines_out + t.l2_lines_out, 0);
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
		check_eq_u64("entered", run(0, 4, 4).l1i_fetches, 1);
		check_eq_u64("stayed", run(4, 8, 4).l1i_fetches, 0);
		check_eq_u64("next", run(bytes, bytes + 1, 1).l1i_fetches, 1);
		check_eq_u64("across", run(2 * bytes - 1, 2 * bytes + 1, 2).l1i_fetches, 1);
		check_eq_u64("a jump within", run(2 * bytes + 2, 2 * bytes + 2, 2).l1i_fetches, 0);
		check_eq_u64("comes again", run(2 * bytes + 2, 2 * bytes + 4, 2).l1i_fetches, 1);
		check_eq_u64("went on", run(2 * bytes + 4, 2 * bytes + 5, 1).l1i_fetches, 0);
	}
}

UNIT_TEST(code_misses_are_lines)
{
	for (unsigned i = 0; i < 2; i++) {
		struct cache_traffic t;

		start(i ? &small_p6 : &small_p5);
		t = run(0, 1, 1);
		check_eq_u64("missed", t.l1i_misses, 1);
		check_bus("missed", &t, CACHE_BUS_IFETCH, 1);
		t = run(17, 18, 1);
		check_eq_u64("the same line", t.l1i_misses, 0);
		t = run(LINE - 1, LINE + 1, 2);
		check_eq_u64("across", t.l1i_misses, 1);
		t = run(3 * LINE - 1, 3 * LINE + 1, 2);
		check_eq_u64("two", t.l1i_misses, 2);
		check_bus("two", &t, CACHE_BUS_IFETCH, 2);
		t = run(0, 1, 1);
		check_eq_u64("no longer in a set of two ways", t.l1i_misses, 0);
		run(4 * LINE, 4 * LINE + 1, 1);
		t = run(2 * LINE, 2 * LINE + 1, 1);
		check_eq_u64("replaced", t.l1i_misses, 1);
		check_bus("L2 has it", &t, i ? CACHE_BUS_KINDS : CACHE_BUS_IFETCH, 1);
		check_eq_u64("no data line", t.l1d_lines_in, 0);
	}
}

UNIT_MAIN()
