/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests what each event of NetBurst counts of which instruction. Source: SDM 3B, tables of the
 * events for non-retirement and at-retirement counting.
 */
#include <arch/regs/table.h>
#include <tests/unit/model/netburst/model_netburst_events.h>

static const struct escr FSB0 = { 0x3a2, 0, 6 }, FSB1 = { 0x3a3, 2, 6 }, FIRM0 = { 0x3a4, 8, 1 },
	FIRM1 = { 0x3a5, 10, 1 }, MOB0 = { 0x3aa, 0, 2 }, SAAT0 = { 0x3ae, 8, 2 },
	SAAT1 = { 0x3af, 10, 2 }, BPU0 = { 0x3b2, 0, 0 }, CRU0 = { 0x3b8, 12, 4 },
	CRU1 = { 0x3b9, 14, 4 }, MS0 = { 0x3c0, 4, 0 }, TBPU0 = { 0x3c2, 4, 2 },
	TC0 = { 0x3c4, 4, 1 }, DAC0 = { 0x3a8, 8, 5 }, ALF0 = { 0x3ca, 12, 1 },
	CRU2 = { 0x3cc, 12, 5 }, CRU3 = { 0x3cd, 15, 5 };

/* ---------------------------------------------------------------------------- kinds */

UNIT_TEST(micro_operations_count_by_their_kind)
{
	static const struct { uint32_t event, mask; uint64_t counted, not_counted; } rows[] = {
		{ 0x34, 0x8000, REFPMU_TRAIT_SSE_ASSIST, REFPMU_TRAIT_FP_ASSIST },
		{ 0x08, 0x8000, REFPMU_TRAIT_UOP_PACKED_SP, REFPMU_TRAIT_UOP_SCALAR_SP },
		{ 0x0c, 0x8000, REFPMU_TRAIT_UOP_PACKED_DP, REFPMU_TRAIT_UOP_PACKED_SP },
		{ 0x0a, 0x8000, REFPMU_TRAIT_UOP_SCALAR_SP, REFPMU_TRAIT_UOP_PACKED_SP },
		{ 0x0e, 0x8000, REFPMU_TRAIT_UOP_SCALAR_DP, REFPMU_TRAIT_UOP_PACKED_DP },
		{ 0x02, 0x8000, REFPMU_TRAIT_UOP_MMX_64, REFPMU_TRAIT_UOP_MMX_128 },
		{ 0x1a, 0x8000, REFPMU_TRAIT_UOP_MMX_128, REFPMU_TRAIT_UOP_MMX_64 },
		{ 0x04, 0x8000, REFPMU_TRAIT_UOP_X87, REFPMU_TRAIT_X87 },
		{ 0x2e, 0x0008, REFPMU_TRAIT_UOP_MOVE, REFPMU_TRAIT_UOP_LOAD },
		{ 0x2e, 0x0010, REFPMU_TRAIT_UOP_LOAD, REFPMU_TRAIT_UOP_MOVE },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++)
		for (unsigned twin = 0; twin < 2; twin++) {
			struct escr at = twin ? FIRM1 : FIRM0;

			fresh(PRESCOTT, 1);
			turn_on(at, EVENT(rows[i].event, rows[i].mask));
			kind(rows[i].counted);
			kind(rows[i].not_counted);
			kind(rows[i].counted);
			check_eq_u64("micro-operations of the kind", turn_off(at), 2);
			turn_on(at, EVENT(rows[i].event, 0x7fff & ~rows[i].mask & 0x7fe7));
			kind(rows[i].counted);
			check_eq_u64("micro-operations of other kinds", turn_off(at), 0);
		}
}

UNIT_TEST(assists_count_by_their_cause)
{
	static const uint64_t traits[] = {
		REFPMU_TRAIT_FP_STACK_UNDERFLOW, REFPMU_TRAIT_FP_STACK_OVERFLOW,
		REFPMU_TRAIT_FP_OVERFLOW, REFPMU_TRAIT_FP_UNDERFLOW, REFPMU_TRAIT_FP_DENORMAL
	};

	for (unsigned bit = 0; bit < 5; bit++) {
		fresh(WILLAMETTE, 1);
		turn_on(CRU2, EVENT(0x03, 1u << bit));
		for (unsigned i = 0; i < 5; i++)
			kind(traits[i]);
		check_eq_u64("x87_assist", turn_off(CRU2), 1);
	}
}

/* ---------------------------------------------------------------------------- branches */

static uint64_t count_branches(struct escr at, uint32_t event, uint32_t mask)
{
	static const enum refpmu_branch kinds[] = {
		REFPMU_JMP, REFPMU_CALL, REFPMU_RET, REFPMU_CALL_INDIRECT, REFPMU_RET,
		REFPMU_JMP_INDIRECT, REFPMU_NO_BRANCH
	};

	fresh(WILLAMETTE, 1);
	turn_on(at, EVENT(event, mask));
	act(0, REFPMU_JCC, false);
	for (unsigned i = 0; i < COUNT_OF(kinds); i++)
		act(0, kinds[i], kinds[i] != REFPMU_NO_BRANCH);
	return turn_off(at);
}

UNIT_TEST(branches_count_by_type)
{
	check_eq_u64("conditional branches", count_branches(TBPU0, 0x04, 1 << 1), 1);
	check_eq_u64("calls", count_branches(TBPU0, 0x04, 1 << 2), 2);
	check_eq_u64("returns", count_branches(TBPU0, 0x04, 1 << 3), 2);
	check_eq_u64("indirect branches", count_branches(TBPU0, 0x04, 1 << 4), 4);
	check_eq_u64("all types, each branch once", count_branches(TBPU0, 0x04, 0x1e), 6);
	check_eq_u64("branches by a bit that is not documented", count_branches(TBPU0, 0x04, 1), 0);
	/*
	 * The targets of the two calls are new, and the RETs do not return to the 4 bytes after a
	 * CALL.
	 */
	check_eq_u64("mispredicted calls", count_branches(TBPU0, 0x05, 1 << 2), 1);
	check_eq_u64("mispredicted conditional branches", count_branches(TBPU0, 0x05, 1 << 1), 0);
}

UNIT_TEST(branches_count_by_outcome)
{
	uint64_t by_bit[4], missed = count_branches(CRU0, 0x03, 1);

	for (unsigned bit = 0; bit < 4; bit++)
		by_bit[bit] = count_branches(CRU3, 0x06, 1u << bit);
	check_eq_u64("branches not taken", by_bit[0] + by_bit[1], 1);
	check_eq_u64("branches not taken and predicted", by_bit[0], 1);
	check_eq_u64("branches taken", by_bit[2] + by_bit[3], 6);
	check_true("some branches were mispredicted", missed >= 2 && missed < 6);
	check_eq_u64("mispredicted branches", by_bit[1] + by_bit[3], missed);
	check_eq_u64("all branches", count_branches(CRU2, 0x06, 0xf), 7);
}

/* ---------------------------------------------------------------------------- retirement */

/* Makes so many mispredictions: each is a forward conditional branch at a new place, taken once. */
static void mispredict(unsigned count)
{
	while (count--) {
		s.cpu[0].ip += 0x1000;
		act(0, REFPMU_JCC, true);
	}
}

UNIT_TEST(events_on_a_wrong_path_are_bogus)
{
	static const struct { struct escr at; uint32_t event, nbogus, bogus, each; } rows[] = {
		{ { 0x3b8, 12, 4 }, 0x02, 1, 4, 4 },   /* instr_retired */
		{ { 0x3b9, 15, 4 }, 0x07, 1, 2, 4 },   /* instr_completed */
		{ { 0x3b9, 17, 4 }, 0x01, 1, 2, 6 },   /* uops_retired */
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		fresh(PRESCOTT, 1);
		turn_on(rows[i].at, EVENT(rows[i].event, rows[i].nbogus));
		mispredict(5);
		check_eq_u64("NBOGUS events", turn_off(rows[i].at), 5);
		turn_on(rows[i].at, EVENT(rows[i].event, rows[i].bogus));
		mispredict(5);
		check_eq_u64("BOGUS events", turn_off(rows[i].at), 5 * rows[i].each);
	}
}

/* BOGUSNTAG and BOGUSTAG: each of them is tagged or not, whatever uop_type tags. */
UNIT_TEST(tags_do_not_change_how_many_are_bogus)
{
	for (unsigned tags = 0; tags < 4; tags++) {
		fresh(PRESCOTT, 1);
		put_msr(0x3bc, EVENT(0x02, tags << 1));
		turn_on(CRU0, EVENT(0x02, 1 << 2 | 1 << 3));
		mispredict(5);
		check_eq_u64("instr_retired", turn_off(CRU0), 5 * 4);
	}
}

UNIT_TEST(only_later_models_have_instr_completed)
{
	fresh(NORTHWOOD, 1);
	turn_on(CRU0, EVENT(0x07, 3));
	run(0, 0, 10);
	check_eq_u64("instr_completed on Northwood", turn_off(CRU0), 0);
}

UNIT_TEST(three_micro_operations_retire_in_a_cycle)
{
	for (unsigned threshold = 0; threshold < 4; threshold++) {
		static const uint64_t cycles[] = { 10, 10, 10, 0 };

		fresh(WILLAMETTE, 1);
		run(0, 0, 1);
		put_msr(CRU0.msr, EVENT(0x01, 1));
		put_msr(CCCR + 12, OF_CRU | THRESHOLD(threshold) | ENABLE);
		run(0, 0, 30);
		check_eq_u64("cycles with more micro-operations than the threshold",
		             turn_off(CRU0), cycles[threshold]);
	}
	fresh(WILLAMETTE, 1);
	turn_on(MS0, EVENT(0x09, 7));
	kind(REFPMU_TRAIT_SERIALIZING);
	check_eq_u64("micro-operations into the queue", turn_off(MS0), 4);
	turn_on(MS0, EVENT(0x09, 4));
	kind(REFPMU_TRAIT_SERIALIZING);
	check_eq_u64("micro-operations from the ROM", turn_off(MS0), 3);
	turn_on(MS0, EVENT(0x05, 1));
	kind(REFPMU_TRAIT_SERIALIZING);
	check_eq_u64("tc_ms_xfer", turn_off(MS0), 1);
}

/* ---------------------------------------------------------------------------- memory */

UNIT_TEST(splits_are_loads_or_stores)
{
	for (unsigned event = 0x04; event <= 0x05; event++) {
		fresh(WILLAMETTE, 1);
		turn_on(SAAT0, EVENT(event, 2));
		touch(REFPMU_READ, 0x203e, 4);
		touch(REFPMU_READ, 0x207e, 4);
		touch(REFPMU_WRITE, 0x203e, 4);
		touch(REFPMU_READ, 0x2030, 4);
		check_eq_u64("split accesses", turn_off(SAAT0), event == 0x04 ? 2 : 1);
	}
	fresh(WILLAMETTE, 1);
	turn_on(SAAT1, EVENT(0x08, 3));
	touch(REFPMU_READ_WRITE, 0x203e, 4);
	check_eq_u64("split accesses of both kinds", turn_off(SAAT1), 2);
}

UNIT_TEST(a_store_blocks_loads_that_it_cannot_forward_to)
{
	static const struct { uint32_t address, size, partial, unaligned; } rows[] = {
		{ 0x3000, 4, 0, 0 }, { 0x3000, 8, 1, 0 }, { 0x3002, 2, 0, 1 }, { 0x3008, 4, 0, 0 },
		{ 0x2ffe, 4, 1, 0 },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++)
		for (unsigned bit = 4; bit <= 5; bit++) {
			fresh(WILLAMETTE, 1);
			turn_on(MOB0, EVENT(0x03, 1u << bit));
			touch(REFPMU_WRITE, 0x3000, 4);
			touch(REFPMU_READ, rows[i].address, rows[i].size);
			check_eq_u64("MOB_load_replay", turn_off(MOB0),
			             bit == 4 ? rows[i].partial : rows[i].unaligned);
		}
}

UNIT_TEST(misses_and_transactions)
{
	/*
	 * These masks are READ, WRITE, WB, OWN of IOQ_allocation, and a line read of
	 * BSQ_allocation.
	 */
	enum { READ = 1 << 5, WRITE = 1 << 6, WB = 1 << 11, OWN = 1 << 13 };
	enum { LINE_READ = 3 << 2 | 1 << 7 | 1 << 9 | 6 << 11 };
	static const struct { struct escr at; uint32_t cpu, event, mask; uint64_t want; } rows[] = {
		{ { 0x3ac, 0, 4 }, WILLAMETTE, 0x01, 1, 1 },                   /* DTMISS */
		{ { 0x3ac, 0, 4 }, WILLAMETTE, 0x01, 2, 0 },
		{ { 0x3a0, 0, 7 }, WILLAMETTE, 0x0c, 1 << 8, 4 },              /* RD_2ndL_MISS */
		{ { 0x3a0, 0, 7 }, WILLAMETTE, 0x0c, 7, 0 },
		{ { 0x3a0, 0, 7 }, WILLAMETTE, 0x05, LINE_READ, 4 },
		{ { 0x3a0, 0, 7 }, WILLAMETTE, 0x05, LINE_READ | 3, 0 },       /* write-backs */
		{ { 0x3a2, 0, 6 }, WILLAMETTE, 0x03, READ, 4 },                /* OR */
		{ { 0x3a2, 0, 6 }, WILLAMETTE, 0x03, WRITE | WB, 4 },
		{ { 0x3a2, 0, 6 }, NORTHWOOD, 0x03, READ, 0 },                 /* AND of groups */
		{ { 0x3a2, 0, 6 }, NORTHWOOD, 0x03, READ | WB | OWN, 4 },
		{ { 0x3a2, 0, 6 }, NORTHWOOD, 0x03, WRITE | WB | OWN, 0 },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		fresh(rows[i].cpu, 1);
		turn_on(CRU1, EVENT(0x02, 3));           /* the caches keep the code */
		run(0, 0, 1);
		kind(0);
		turn_on(rows[i].at, EVENT(rows[i].event, rows[i].mask));
		for (unsigned line = 0; line < 4; line++)
			touch(REFPMU_READ, 0x5000 + 64 * line, 4);
		check_eq_u64("row", turn_off(rows[i].at), rows[i].want);
	}
}

/* Another package reads four lines, and its code, while this one counts transactions so. */
static uint64_t count_anothers_reads(struct escr at, uint32_t event, uint32_t mask)
{
	several_create(&s, NORTHWOOD, 2, 1, 1);
	turn_on(at, EVENT(event, mask));
	several_nops(&s, 0, 1);
	turn_on(at, EVENT(event, mask));
	for (unsigned line = 0; line < 4; line++)
		several_access(&s, 1, REFPMU_READ, 0x5000 + 64 * line);
	several_nops(&s, 0, 1);
	return turn_off(at);
}

/* The bits OWN and OTHER; BSQ_allocation has no such bits, and counts the processor's own. */
UNIT_TEST(transactions_of_others_have_a_bit_of_their_own)
{
	enum { READ = 1 << 5, WB = 1 << 11, OWN = 1 << 13, OTHER = 1 << 14 };
	enum { LINE_READ = 3 << 2 | 1 << 7 | 1 << 9 | 6 << 11 };
	static const struct escr BSU0 = { 0x3a0, 0, 7 };

	check_eq_u64("IOQ_allocation, OWN", count_anothers_reads(FSB0, 0x03, READ | WB | OWN), 0);
	check_eq_u64("IOQ_allocation, OTHER", count_anothers_reads(FSB0, 0x03, READ | WB | OTHER),
	             5);
	check_eq_u64("BSQ_allocation", count_anothers_reads(BSU0, 0x05, LINE_READ), 0);
}

/* FSB_data_activity of package 0 while one of two packages reads four lines and its code. */
static uint64_t count_data_activity(unsigned reader, uint32_t mask)
{
	several_create(&s, NORTHWOOD, 2, 1, 1);
	turn_on(FSB0, EVENT(0x17, mask));
	several_nops(&s, 0, 1);
	turn_on(FSB0, EVENT(0x17, mask));
	for (unsigned line = 0; line < 4; line++)
		several_access(&s, reader, REFPMU_READ, 0x5000 + 64 * line);
	several_nops(&s, 0, 1);
	return turn_off(FSB0);
}

/* DRDY_OWN: data that the processor reads; DRDY_OTHER: data that it neither drives nor reads. */
UNIT_TEST(data_of_others_have_a_bit_of_their_own)
{
	for (unsigned is_dbsy = 0; is_dbsy < 2; is_dbsy++) {
		uint32_t own = 1u << (1 + 3 * is_dbsy), other = own << 1;

		check_true("it reads: OWN", count_data_activity(0, own) > 0);
		check_eq_u64("it reads: OTHER", count_data_activity(0, other), 0);
		check_eq_u64("another one reads: OWN", count_data_activity(1, own), 0);
		check_true("another one reads: OTHER", count_data_activity(1, other) > 0);
	}
}

/* An entry counts one in each cycle of a transaction, so the sum is how long memory takes. */
UNIT_TEST(entries_are_active_for_as_long_as_memory_takes)
{
	const uint32_t mask = 1 << 5 | 1 << 11 | 1 << 13;
	uint64_t latency;

	fresh(NORTHWOOD, 1);
	latency = s.core[0]->rules.caches.invented->memory_cycles;
	turn_on(CRU1, EVENT(0x02, 3));
	kind(0);
	turn_on(FSB1, EVENT(0x1a, mask));
	for (unsigned line = 0; line < 4; line++)
		touch(REFPMU_READ, 0x5000 + 64 * line, 4);
	check_eq_u64("IOQ_active_entries", turn_off(FSB1), 4 * latency);
}

UNIT_TEST(a_full_store_buffer_stalls)
{
	fresh(WILLAMETTE, 1);
	turn_on(ALF0, EVENT(0x01, 1 << 5));
	for (unsigned i = 0; i < 20; i++)
		touch(REFPMU_WRITE, 0x3000, 4);
	check_eq_u64("stalls of twenty stores", turn_off(ALF0), 0);
	turn_on(ALF0, EVENT(0x01, 1 << 5));
	for (unsigned i = 0; i < 100; i++)
		touch(REFPMU_WRITE, 0x3000, 4);
	check_true("stalls of a hundred stores", turn_off(ALF0) > 50);
}

/* memory_cancel, ST_RB_FULL: no store request buffer is available. Each such store stalls, too. */
UNIT_TEST(a_full_store_buffer_cancels_stores)
{
	fresh(WILLAMETTE, 1);
	turn_on(DAC0, EVENT(0x02, 1 << 2));
	for (unsigned i = 0; i < 20; i++)
		touch(REFPMU_WRITE, 0x3000, 4);
	check_eq_u64("20 stores that fit in", turn_off(DAC0), 0);
	turn_on(DAC0, EVENT(0x02, 1 << 2));
	for (unsigned i = 0; i < 100; i++)
		touch(REFPMU_WRITE, 0x3000, 4);
	check_true("of 100 stores more than 50 find it full", turn_off(DAC0) > 50);
}

/* ---------------------------------------------------------------------------- other ESCRs */

UNIT_TEST(escrs_without_events_count_nothing)
{
	static const struct escr nobody[] = {
		{ 0x3a6, 8, 0 }, { 0x3b0, 8, 3 }, { 0x3b4, 0, 1 }, { 0x3c8, 0, 5 },
		{ 0x3be, 12, 3 }, { 0x3ba, 12, 0 }, { 0x3e0, 12, 6 },
	};

	for (unsigned i = 0; i < COUNT_OF(nobody); i++)
		for (unsigned event = 1; event < 64; event++) {
			fresh(WILLAMETTE, 1);
			turn_on(nobody[i], EVENT(event, 0xffff));
			touch(REFPMU_WRITE, 0x3000, 4);
			act(0, REFPMU_CALL_INDIRECT, true);
			check_eq_u64("count", turn_off(nobody[i]), 0);
		}
}

UNIT_TEST(the_remaining_events_count)
{
	fresh(WILLAMETTE, 1);
	turn_on(BPU0, EVENT(0x03, 1));
	turn_on(TC0, EVENT(0x06, 1 << 4));
	kind(REFPMU_TRAIT_INVALIDATES);
	check_eq_u64("BPU_fetch_request", turn_off(BPU0), 1);
	check_eq_u64("TC_misc", turn_off(TC0), 2);
	turn_on(CRU2, EVENT(0x02, 1));
	refpmu_interrupt(&s.cpu[0].model, 32);
	run(0, 0, 60);
	check_eq_u64("machine_clear", turn_off(CRU2), 10);
	turn_on(TC0, EVENT(0x01, 0xff));
	turn_on(FSB0, EVENT(0x13, 1));
	run(0, 0, 30);
	check_eq_u64("TC_deliver_mode", turn_off(TC0), turn_off(FSB0));
}

UNIT_MAIN()
