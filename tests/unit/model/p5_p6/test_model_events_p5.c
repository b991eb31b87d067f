/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests what each event of P5 counts of which instruction. Source: SDM 3B, table "Events That Can
 * Be Counted with the Pentium Processor Performance-Monitoring Counters".
 */
#include <arch/regs/table.h>
#include <tests/unit/model/p5_p6/model_legacy.h>

enum { C0 = 1, C1 = 2, BOTH = 3 };

/* Returns a counter's count of five instructions of a kind. */
static uint64_t count_kinds(uint32_t cpu, unsigned counter, uint64_t select, uint64_t traits)
{
	struct machine *machine = begin(cpu);

	p5_count(machine, counter, select, CC_ALL);
	for (unsigned i = 0; i < 5; i++)
		do_kind(machine, traits);
	return get(machine, CTR0 + counter);
}

UNIT_TEST(traits_count_on_their_counter)
{
	static const struct {
		uint64_t select;
		unsigned counters;
		uint64_t counted, other;
	} rows[] = {
		{ 0x22, BOTH, REFPMU_TRAIT_FP, REFPMU_TRAIT_X87 },
		{ 0x22, BOTH, REFPMU_TRAIT_MUL, REFPMU_TRAIT_DIV },
		{ 0x12, BOTH, REFPMU_TRAIT_SERIALIZING, 0 },
		{ 0x0f, BOTH, REFPMU_TRAIT_TABLE_LOAD, 0 },
		{ 0x2b, C0, REFPMU_TRAIT_MMX, REFPMU_TRAIT_X87 },
		{ 0x2d, C0, REFPMU_TRAIT_MMX | REFPMU_TRAIT_EMMS, REFPMU_TRAIT_MMX },
		{ 0x2f, C0, REFPMU_TRAIT_MMX_SATURATING, REFPMU_TRAIT_MMX },
	};

	for (unsigned i = 0; i < 4 * COUNT_OF(rows); i++) {
		uint32_t cpu = i & 1 ? PENTIUM_MMX : PENTIUM;
		unsigned row = i / 4, counter = i >> 1 & 1;
		bool is_known = (rows[row].counters >> counter & 1) &&
		                (rows[row].select < 0x2a || cpu == PENTIUM_MMX);

		check_eq_u64(of_cpu(cpu, "row %u, counter %u", row, counter),
		             count_kinds(cpu, counter, rows[row].select, rows[row].counted),
		             is_known ? 5 : 0);
		check_eq_u64(of_cpu(cpu, "row %u, counter %u, others", row, counter),
		             count_kinds(cpu, counter, rows[row].select, rows[row].other), 0);
	}
}

UNIT_TEST(reserved_selects_count_nothing)
{
	static const uint64_t selects[] = { 0x10, 0x11, 0x20, 0x21, 0x3c, 0x3f, 0x19, 0x2a };

	for (unsigned i = 0; i < 2 * COUNT_OF(selects); i++)
		check_eq_u64("count of a reserved select",
		             count_kinds(PENTIUM_MMX, i % 2, selects[i / 2],
		                                   ~REFPMU_TRAIT_SERIALIZING), 0);
}

/* ---------------------------------------------------------------------------- memory */

struct by_access {
	uint64_t select;
	enum refpmu_access kind;
	unsigned counters;
	uint64_t traits;
	uint64_t aligned, misaligned;  /* counts of five accesses to a line in L1D */
};

UNIT_TEST(data_references)
{
	static const struct by_access rows[] = {
		{ 0x00, REFPMU_READ,  BOTH, 0, 5, 5 }, { 0x00, REFPMU_WRITE, BOTH, 0, 0, 0 },
		{ 0x01, REFPMU_WRITE, BOTH, 0, 5, 5 }, { 0x01, REFPMU_READ,  BOTH, 0, 0, 0 },
		{ 0x28, REFPMU_READ_WRITE, BOTH, 0, 10, 10 },
		{ 0x0b, REFPMU_READ,  BOTH, 0, 0, 5 }, { 0x03, REFPMU_READ, BOTH, 0, 0, 0 },
		{ 0x05, REFPMU_WRITE, BOTH, 0, 5, 5 },
		{ 0x31, REFPMU_READ,  C0, REFPMU_TRAIT_MMX, 5, 5 },
		{ 0x31, REFPMU_READ,  C0, 0, 0, 0 },
		{ 0x34, REFPMU_WRITE, C0, REFPMU_TRAIT_MMX, 5, 5 },
		{ 0x36, REFPMU_READ,  C0, REFPMU_TRAIT_MMX, 0, 5 },
		{ 0x36, REFPMU_READ, C0, 0, 0, 0 },
	};

	for (unsigned i = 0; i < 2 * COUNT_OF(rows); i++) {
		const struct by_access *row = &rows[i / 2];
		struct machine *machine = begin(PENTIUM_MMX);
		unsigned counter = row->counters == C1;

		p5_count(machine, counter, row->select, CC_ALL);
		do_access(machine, REFPMU_READ, 0x5000, 4, 0);
		put(machine, CTR0 + counter, 0);
		for (unsigned n = 0; n < 5; n++)
			do_access(machine, row->kind, 0x5000 + (i & 1), 4, row->traits);
		check_eq_u64(of_cpu(PENTIUM_MMX, "row %u", i / 2), get(machine, CTR0 + counter),
		             i & 1 ? row->misaligned : row->aligned);
	}
}

/* Each access is to a new page, and so to a new line. */
UNIT_TEST(misses)
{
	static const struct { uint64_t select; unsigned counter; enum refpmu_access kind;
	                      uint64_t traits, want; } rows[] = {
		{ 0x02, 0, REFPMU_READ, 0, 8 }, { 0x03, 0, REFPMU_READ, 0, 8 },
		{ 0x29, 1, REFPMU_READ_WRITE, 0, 8 }, { 0x04, 0, REFPMU_WRITE, 0, 8 },
		{ 0x31, 1, REFPMU_READ, REFPMU_TRAIT_MMX, 8 },
		{ 0x34, 1, REFPMU_WRITE, REFPMU_TRAIT_MMX, 8 },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		struct machine *machine = begin(PENTIUM_MMX);

		p5_count(machine, rows[i].counter, rows[i].select, CC_ALL);
		for (unsigned n = 0; n < 8; n++)
			do_access(machine, rows[i].kind, 0x10000 + n * 0x1000, 4, rows[i].traits);
		check_eq_u64(of_cpu(PENTIUM_MMX, "row %u", i), get(machine, CTR0 + rows[i].counter),
		             rows[i].want);
	}
}

UNIT_TEST(code_and_the_bus)
{
	static const struct { uint64_t select; unsigned counter; uint64_t want; } rows[] = {
		{ 0x0c, 0, 8 }, { 0x0d, 0, 8 }, { 0x0e, 0, 8 }, { 0x1d, 0, 16 }, { 0x2e, 1, 8 },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		struct machine *machine = begin(PENTIUM_MMX);

		p5_count(machine, rows[i].counter, rows[i].select, CC_ALL);
		for (unsigned n = 0; n < 8; n++) {
			machine->ip = 0x40000 + n * 0x1000;
			refpmu_io(&machine->model, false, 0x80, 1);
			refpmu_io(&machine->model, true, 0x80, 1);
			do_kind(machine, 0);
		}
		check_eq_u64(of_cpu(PENTIUM_MMX, "row %u", i), get(machine, CTR0 + rows[i].counter),
		             rows[i].want);
	}
}

static void reach_device(struct machine *machine, enum refpmu_access kind)
{
	refpmu_access(&machine->model, kind, 0xfee00020, 0xfee00020, 4, false);
	do_kind(machine, 0);
}

UNIT_TEST(uncacheable_memory_and_locks)
{
	struct machine *machine = begin(PENTIUM_MMX);

	p5_count(machine, 0, 0x1e, CC_ALL);
	reach_device(machine, REFPMU_READ);
	reach_device(machine, REFPMU_WRITE);
	check_eq_u64("NONCACHEABLE_MEMORY_READS", get(machine, CTR0), 1);
	p5_count(machine, 0, 0x1c, CC_ALL);
	do_access(machine, REFPMU_READ_WRITE, 0x5000, 4, REFPMU_TRAIT_LOCKED);
	do_access(machine, REFPMU_READ_WRITE, 0x5000, 4, 0);
	check_eq_u64("LOCKED_BUS_CYCLE", get(machine, CTR0), 1);
}

/* ---------------------------------------------------------------------------- flow */

static uint64_t count_flow(unsigned counter, uint64_t select)
{
	struct machine *machine = begin(PENTIUM_MMX);

	p5_count(machine, counter, select, CC_ALL);
	for (unsigned i = 0; i < 20; i++) {
		machine->ip = 0x2000;
		machine_branch(machine, REFPMU_JCC, false, 0);
		machine_branch(machine, REFPMU_CALL, true, machine->ip + 2);
		machine_branch(machine, REFPMU_RET, true, 0x3000 + i);
		do_kind(machine, 0);
	}
	refpmu_interrupt(&machine->model, 0x40);
	refpmu_exception(&machine->model, 6);
	put(machine, CESR, 0);
	return get(machine, CTR0 + counter);
}

UNIT_TEST(branches)
{
	check_eq_u64("BRANCHES", count_flow(0, 0x12), 62);
	check_eq_u64("BTB_HITS", count_flow(0, 0x13), 38);
	check_eq_u64("TAKEN_BRANCH_OR_BTB_HIT", count_flow(0, 0x14), 40);
	check_true("PIPELINE_FLUSHES", count_flow(0, 0x15) >= 22);
	check_eq_u64("INSTRUCTIONS_EXECUTED", count_flow(0, 0x16), 82);
	check_eq_u64("HARDWARE_INTERRUPTS", count_flow(0, 0x27), 1);
	check_eq_u64("TAKEN_BRANCHES", count_flow(1, 0x32), 40);
	check_eq_u64("RETURNS", count_flow(0, 0x39), 20);
	check_eq_u64("MISPREDICTED_OR_UNPREDICTED_RETURNS", count_flow(0, 0x37), 20);
	check_eq_u64("PREDICTED_RETURNS", count_flow(1, 0x37), 19);
	check_true("wrong predictions, counted in either pipe", count_flow(0, 0x35) >= 19);
	check_eq_u64("wrong predictions in the V pipe", count_flow(1, 0x35), 0);
	check_eq_u64("branches wrongly predicted as taken", count_flow(1, 0x3a), 0);
}

/* The branch is taken often enough to be predicted as taken, then not taken. */
UNIT_TEST(a_branch_wrongly_predicted_as_taken)
{
	struct machine *machine = begin(PENTIUM_MMX);

	p5_count(machine, 1, 0x3a, CC_ALL);
	for (unsigned i = 0; i < 20; i++) {
		machine->ip = 0x2000;
		machine_branch(machine, REFPMU_JCC, i < 19, 0x2002);
	}
	check_eq_u64("BTB_MISS_PREDICTION_ON_NOT_TAKEN_BRANCH", get(machine, CTR0 + 1), 1);
}

UNIT_TEST(pairs)
{
	static const uint64_t pairs = REFPMU_TRAIT_PAIRABLE_U | REFPMU_TRAIT_PAIRABLE_V |
	                              REFPMU_TRAIT_MMX;
	static const struct { uint64_t select; unsigned counter; uint64_t want; } rows[] = {
		{ 0x17, 0, 6 }, { 0x2b, 0, 6 }, { 0x2b, 1, 6 }, { 0x09, 0, 6 }, { 0x0a, 0, 6 },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		struct machine *machine = begin(PENTIUM_MMX);

		p5_count(machine, rows[i].counter, rows[i].select, CC_ALL);
		stay(machine);
		do_access(machine, REFPMU_READ, 0x5000, 4, 0);
		put(machine, CTR0 + rows[i].counter, 0);
		for (unsigned n = 0; n < 12; n++)
			do_access(machine, REFPMU_READ, 0x5000, 4, pairs);
		check_eq_u64(of_cpu(PENTIUM_MMX, "row %u", i), get(machine, CTR0 + rows[i].counter),
		             rows[i].want);
	}
}

UNIT_TEST(breakpoints_count_whether_they_break_or_not)
{
	for (unsigned dr = 0; dr < 4; dr++) {
		struct machine *machine = begin(PENTIUM);

		p5_count(machine, 0, 0x23 + dr, CC_ALL);
		for (unsigned i = 0; i < 16; i++)
			machine_retire(machine, (struct refpmu_insn) {
				.ip = machine->ip, .next_ip = machine->ip + 1, .length = 1,
				.breakpoints = (uint8_t)(i < 12 ? i : 0),
			});
		check_eq_u64(of_cpu(PENTIUM, "DR%u", dr), get(machine, CTR0), dr < 2 ? 6 : 4);
	}
}

UNIT_TEST(segments_and_transitions)
{
	struct machine *machine = begin(PENTIUM_MMX);

	p5_count(machine, 0, 0x0f, CC_ALL);
	machine_retire(machine, (struct refpmu_insn) {
		.ip = machine->ip, .next_ip = machine->ip, .length = 1, .segments = 0x0a,
	});
	check_eq_u64("ANY_SEGMENT_REGISTER_LOADED", get(machine, CTR0), 2);
	p5_count(machine, 1, 0x2d, CC_ALL);
	do_kind(machine, REFPMU_TRAIT_X87);
	do_kind(machine, REFPMU_TRAIT_MMX);
	do_kind(machine, REFPMU_TRAIT_X87);
	check_eq_u64("transitions between MMX and x87", get(machine, CTR0 + 1), 2);
	p5_count(machine, 1, 0x2d, CC_ALL);
	do_kind(machine, REFPMU_TRAIT_MMX);
	do_kind(machine, REFPMU_TRAIT_MMX | REFPMU_TRAIT_EMMS);
	do_kind(machine, REFPMU_TRAIT_MMX);
	check_eq_u64("from MMX to MMX over EMMS", get(machine, CTR0 + 1), 0);
}

UNIT_MAIN()
