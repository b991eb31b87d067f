/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests what NetBurst tags, and how it counts tagged micro-operations at retirement. Source: SDM
 * 3B, "At-Retirement Counting", and the tables of metrics for tagging. */
#include <arch/regs/table.h>
#include <tests/unit/model/netburst/model_netburst_events.h>

static const struct escr FIRM0 = { 0x3a4, 8, 1 }, CRU1 = { 0x3b9, 14, 4 }, RAT0 = { 0x3bc, 13, 2 },
	CRU2 = { 0x3cc, 12, 5 }, CRU3 = { 0x3cd, 15, 5 }, FIRM1 = { 0x3a5, 10, 1 };

UNIT_TEST(the_front_end_tags_loads_and_stores)
{
	static const uint64_t want[4] = { 0, 2, 1, 3 };

	for (unsigned tags = 0; tags < 4; tags++) {
		fresh(WILLAMETTE, 1);
		put_msr(RAT0.msr, EVENT(0x02, tags << 1));
		turn_on(CRU2, EVENT(0x08, 1));
		turn_on(CRU1, EVENT(0x02, 2));
		touch(REFPMU_READ, 0x3000, 4);
		touch(REFPMU_READ, 0x3000, 4);
		touch(REFPMU_WRITE, 0x3000, 4);
		kind(0);
		check_eq_u64("front_end_event", turn_off(CRU2), want[tags]);
		check_eq_u64("instr_retired, tagged", turn_off(CRU1), want[tags]);
	}
}

/* An instruction that adds to memory is a load and a store; instr_retired has NBOGUSNTAG and
 * NBOGUSTAG. */
UNIT_TEST(an_instruction_with_two_tagged_micro_operations_counts_once)
{
	for (unsigned tagged = 0; tagged < 2; tagged++) {
		fresh(WILLAMETTE, 1);
		put_msr(RAT0.msr, EVENT(0x02, 6));
		turn_on(CRU2, EVENT(0x08, 1));
		turn_on(CRU1, EVENT(0x02, 1u << tagged));
		touch(REFPMU_READ_WRITE, 0x3000, 4);
		kind(0);
		check_eq_u64("front_end_event", turn_off(CRU2), 2);
		check_eq_u64("instr_retired", turn_off(CRU1), 1);
	}
}

UNIT_TEST(execution_tags_have_four_bits)
{
	for (unsigned value = 0; value < 16; value++)
		for (unsigned slot = 0; slot < 4; slot++) {
			fresh(WILLAMETTE, 1);
			turn_on(FIRM0, EVENT(0x08, 0x8000) | TAGGED(value));
			turn_on(CRU2, EVENT(0x0c, 1u << slot));
			kind(REFPMU_TRAIT_UOP_PACKED_SP);
			run(0, 0, 3);
			kind(REFPMU_TRAIT_UOP_SCALAR_SP);
			kind(REFPMU_TRAIT_UOP_PACKED_SP);
			check_eq_u64("execution_event", turn_off(CRU2), value >> slot & 1 ? 2 : 0);
		}
}

/* The event adds one for each clock in which something tagged retires. */
UNIT_TEST(execution_event_adds_one_in_a_clock)
{
	fresh(WILLAMETTE, 1);
	turn_on(FIRM0, EVENT(0x08, 0x8000) | TAGGED(1));
	turn_on(CRU2, EVENT(0x0c, 1));
	turn_on(CRU3, EVENT(0x0c, 1));
	run(0, 0, 1);
	put_msr(COUNTER + 12, 0);
	put_msr(COUNTER + 15, 0);
	for (unsigned i = 0; i < 9; i++)
		kind(REFPMU_TRAIT_UOP_PACKED_SP);
	check_eq_u64("clocks in which nine tagged micro-operations retire", turn_off(CRU2), 3);
	check_eq_u64("the same clocks on a second counter", turn_off(CRU3), 3);
}

UNIT_TEST(an_upstream_escr_needs_tag_enable_and_an_enabled_counter)
{
	fresh(WILLAMETTE, 1);
	turn_on(FIRM0, EVENT(0x08, 0x8000) | 1u << 5);
	turn_on(CRU2, EVENT(0x0c, 1));
	kind(REFPMU_TRAIT_UOP_PACKED_SP);
	check_eq_u64("tagged events with tag enable = 0", turn_off(CRU2), 0);
	put_msr(FIRM0.msr, EVENT(0x08, 0x8000) | TAGGED(1));
	turn_off(FIRM0);
	turn_on(CRU2, EVENT(0x0c, 1));
	kind(REFPMU_TRAIT_UOP_PACKED_SP);
	check_eq_u64("tagged events without an enabled counter", turn_off(CRU2), 0);
	turn_on(FIRM1, EVENT(0x08, 0x8000));
	turn_on(CRU2, EVENT(0x0c, 1));
	kind(REFPMU_TRAIT_UOP_PACKED_SP);
	check_eq_u64("tagged events with an enabled counter of the ESCR's twin", turn_off(CRU2), 1);
}

/* Counts the replays of loads and stores, with these bits of the two registers and this ESCR
 * upstream. */
static uint64_t count_replays(uint32_t enable, uint32_t matrix, struct escr upstream, uint32_t escr)
{
	fresh(WILLAMETTE, 1);
	put_msr(PEBS_ENABLE, enable);
	put_msr(MATRIX_VERT, matrix);
	turn_on(upstream, escr);
	turn_on(CRU3, EVENT(0x09, 1));
	touch(REFPMU_READ, 0x7000, 4);                 /* page, line */
	touch(REFPMU_READ, 0x7080, 4);                 /* line */
	touch(REFPMU_READ, 0x7080, 4);
	touch(REFPMU_WRITE, 0x9000, 4);                /* page, line */
	touch(REFPMU_READ, 0x9002, 4);                 /* blocked */
	touch(REFPMU_READ, 0x707e, 4);                 /* split, a line */
	touch(REFPMU_WRITE, 0x707e, 4);                /* split */
	return turn_off(CRU3);
}

UNIT_TEST(replay_tags_follow_the_registers)
{
	enum { LOADS = 1, STORES = 2, TAG = 1 << 24 };
	static const struct {
		uint32_t enable, matrix;
		struct escr at;
		uint32_t escr, want;
	} rows[] = {
		{ TAG | 0x001, LOADS, { 0x3b2, 0, 0 }, 0, 3 },
		{ TAG | 0x002, LOADS, { 0x3b2, 0, 0 }, 0, 3 },
		{ TAG | 0x004, LOADS, { 0x3b2, 0, 0 }, 0, 1 },
		{ TAG | 0x004, STORES, { 0x3b2, 0, 0 }, 0, 1 },
		{ TAG | 0x004, LOADS | STORES, { 0x3b2, 0, 0 }, 0, 2 },
		{ TAG | 0x005, LOADS, { 0x3b2, 0, 0 }, 0, 3 },             /* each once */
		{ TAG | 0x001, 0, { 0x3b2, 0, 0 }, 0, 0 },
		{ TAG, LOADS, { 0x3b2, 0, 0 }, 0, 0 },
		{ TAG | 0x200, LOADS, { 0x3aa, 0, 2 }, EVENT(0x03, 0x30), 1 },
		{ TAG | 0x200, LOADS, { 0x3aa, 0, 2 }, EVENT(0x03, 0x20), 0 },
		{ TAG | 0x200, LOADS, { 0x3b2, 0, 0 }, 0, 0 },             /* nothing upstream */
		{ TAG, LOADS, { 0x3aa, 0, 2 }, EVENT(0x03, 0x30), 0 },     /* no metric */
		{ TAG | 0x001, LOADS, { 0x3aa, 0, 2 }, EVENT(0x03, 0x30), 3 },
		{ TAG | 0x400, LOADS, { 0x3af, 10, 2 }, EVENT(0x04, 2), 1 },
		{ TAG | 0x400, STORES, { 0x3ae, 8, 2 }, EVENT(0x05, 2), 1 },
		{ TAG | 0x400, STORES, { 0x3af, 10, 2 }, EVENT(0x04, 2), 0 },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++)
		check_eq_u64("replay_event",
		             count_replays(rows[i].enable, rows[i].matrix, rows[i].at,
		                           rows[i].escr), rows[i].want);
}

UNIT_MAIN()
