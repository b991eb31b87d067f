/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests what each event of P6 counts of which instruction. Source: SDM 3B, table "Events That Can
 * Be Counted with the P6 Family Performance-Monitoring Counters".
 */
#include <arch/regs/table.h>
#include <tests/unit/model/p5_p6/model_legacy.h>

enum { C0 = 1, C1 = 2, BOTH = 3 };

/* Describes an event that counts one for an instruction with these traits, on the processors that
 * have it. */
struct by_traits {
	uint32_t event;                /* unit mask and select */
	unsigned counters;
	uint64_t counted, not_counted;
	uint32_t first, last;          /* processors; 0: all */
};

#define STREAM(n) (REFPMU_TRAIT_SSE | REFPMU_TRAIT_SSE_STREAM | REFPMU_TRAIT_SSE_HINT(n))

static const struct by_traits by_traits[] = {
	{ 0x00c1, C0, REFPMU_TRAIT_X87 | REFPMU_TRAIT_FP, REFPMU_TRAIT_X87, 0, 0 },
	{ 0x00c1, C0, REFPMU_TRAIT_FP, REFPMU_TRAIT_FP | REFPMU_TRAIT_FP_ASSIST, 0, 0 },
	{ 0x0010, C0, REFPMU_TRAIT_FP, REFPMU_TRAIT_X87, 0, 0 },
	{ 0x0010, C0, REFPMU_TRAIT_MUL, 0, 0, 0 },
	{ 0x0010, C0, REFPMU_TRAIT_DIV, REFPMU_TRAIT_MMX_MUL, 0, 0 },
	{ 0x0011, C1, REFPMU_TRAIT_FP | REFPMU_TRAIT_FP_ASSIST, REFPMU_TRAIT_FP, 0, 0 },
	{ 0x0012, C1, REFPMU_TRAIT_MUL, REFPMU_TRAIT_DIV, 0, 0 },
	{ 0x0012, C1, REFPMU_TRAIT_FP_MUL, REFPMU_TRAIT_FP_DIV, 0, 0 },
	{ 0x0013, C1, REFPMU_TRAIT_DIV, REFPMU_TRAIT_MUL, 0, 0 },
	{ 0x0013, C1, REFPMU_TRAIT_FP_DIV, REFPMU_TRAIT_FP_MUL, 0, 0 },
	{ 0x00b0, BOTH, REFPMU_TRAIT_MMX, REFPMU_TRAIT_MMX | REFPMU_TRAIT_MMX_STORE, PENTIUM_II,
	  PENTIUM_II },
	{ 0x00b1, BOTH, REFPMU_TRAIT_MMX_SATURATING, REFPMU_TRAIT_MMX, PENTIUM_II, DOTHAN },
	{ 0x0fb2, BOTH, REFPMU_TRAIT_MMX, REFPMU_TRAIT_X87, PENTIUM_II, DOTHAN },
	{ 0x01b3, BOTH, REFPMU_TRAIT_MMX_MUL, REFPMU_TRAIT_MMX_SHIFT, PENTIUM_II, DOTHAN },
	{ 0x02b3, BOTH, REFPMU_TRAIT_MMX_SHIFT, REFPMU_TRAIT_MMX_PACK, PENTIUM_II, DOTHAN },
	{ 0x04b3, BOTH, REFPMU_TRAIT_MMX_PACK, REFPMU_TRAIT_MMX_UNPACK, PENTIUM_II, DOTHAN },
	{ 0x08b3, BOTH, REFPMU_TRAIT_MMX_UNPACK, REFPMU_TRAIT_MMX_LOGICAL, PENTIUM_II, DOTHAN },
	{ 0x10b3, BOTH, REFPMU_TRAIT_MMX_LOGICAL, REFPMU_TRAIT_MMX_ARITH, PENTIUM_II, DOTHAN },
	{ 0x20b3, BOTH, REFPMU_TRAIT_MMX_ARITH, REFPMU_TRAIT_MMX_MUL, PENTIUM_II, DOTHAN },
	{ 0x3fb3, BOTH, REFPMU_TRAIT_MMX_PACK, REFPMU_TRAIT_MMX, PENTIUM_II, DOTHAN },
	{ 0x00cd, BOTH, REFPMU_TRAIT_MMX | REFPMU_TRAIT_EMMS, REFPMU_TRAIT_MMX, PENTIUM_II,
	  DOTHAN },
	{ 0x00ce, BOTH, REFPMU_TRAIT_MMX, REFPMU_TRAIT_X87, PENTIUM_II, PENTIUM_II },
	{ 0x00ce, BOTH, REFPMU_TRAIT_MMX, REFPMU_TRAIT_X87, BANIAS, DOTHAN },
	{ 0x0007, BOTH, STREAM(0), STREAM(1), PENTIUM_III, DOTHAN },
	{ 0x0007, BOTH, STREAM(0), STREAM(2), PENTIUM_III, DOTHAN },
	{ 0x0107, BOTH, STREAM(1), STREAM(3), PENTIUM_III, DOTHAN },
	{ 0x0107, BOTH, STREAM(1), STREAM(0), PENTIUM_III, DOTHAN },
	{ 0x0207, BOTH, STREAM(2), STREAM(3), PENTIUM_III, DOTHAN },
	{ 0x0307, BOTH, STREAM(3), STREAM(2), PENTIUM_III, DOTHAN },
	{ 0x00d8, BOTH, REFPMU_TRAIT_SSE, REFPMU_TRAIT_MMX, PENTIUM_III, PENTIUM_III },
	{ 0x01d8, BOTH, REFPMU_TRAIT_SSE | REFPMU_TRAIT_SSE_SCALAR, REFPMU_TRAIT_SSE, PENTIUM_III,
	  PENTIUM_III },
	{ 0x00d9, BOTH, REFPMU_TRAIT_SSE | REFPMU_TRAIT_SSE_COMPUTES, REFPMU_TRAIT_SSE, PENTIUM_III,
	  PENTIUM_III },
	{ 0x01d9, BOTH, REFPMU_TRAIT_SSE_SCALAR | REFPMU_TRAIT_SSE_COMPUTES,
	  REFPMU_TRAIT_SSE_COMPUTES, PENTIUM_III, PENTIUM_III },
	{ 0x00d8, BOTH, REFPMU_TRAIT_SSE, REFPMU_TRAIT_SSE | REFPMU_TRAIT_SSE2, BANIAS, DOTHAN },
	{ 0x02d8, BOTH, REFPMU_TRAIT_SSE2, REFPMU_TRAIT_SSE2 | REFPMU_TRAIT_SSE_SCALAR, BANIAS,
	  DOTHAN },
	{ 0x03d8, BOTH, REFPMU_TRAIT_SSE2 | REFPMU_TRAIT_SSE_SCALAR, REFPMU_TRAIT_SSE_SCALAR,
	  BANIAS, DOTHAN },
	{ 0x03d9, BOTH,
	  REFPMU_TRAIT_SSE2 | REFPMU_TRAIT_SSE_SCALAR | REFPMU_TRAIT_SSE_COMPUTES,
	  REFPMU_TRAIT_SSE2 | REFPMU_TRAIT_SSE_COMPUTES, BANIAS, DOTHAN },
};

static const uint32_t cpus[] = P6_CPUS;

#define FOR_EACH_P6(cpu) \
	for (const uint32_t *cpu = cpus; cpu < cpus + COUNT_OF(cpus); cpu++)

static uint64_t count_kinds(uint32_t cpu, unsigned counter, uint32_t event, uint64_t traits)
{
	struct machine *machine = begin(cpu);

	p6_count(machine, counter, event);
	for (unsigned i = 0; i < 5; i++)
		do_kind(machine, traits);
	return get(machine, PMC0 + counter);
}

static bool is_known(uint32_t cpu, const struct by_traits *row)
{
	return !row->last || (cpu >= row->first && cpu <= row->last);
}

/* Returns whether the select is another event's on this processor. */
static bool is_another(uint32_t cpu, const struct by_traits *row)
{
	uint32_t select = row->event & 0xff;

	return !is_known(cpu, row) && (select == 0xd8 || select == 0xd9 || select == 0xce);
}

UNIT_TEST(traits_count_on_the_counters_and_processors_that_have_the_event)
{
	FOR_EACH_P6(cpu)
		for (unsigned i = 0; i < 2 * COUNT_OF(by_traits); i++) {
			const struct by_traits *row = &by_traits[i / 2];
			unsigned counter = i % 2;
			bool counts = is_known(*cpu, row) && (row->counters >> counter & 1);

			/* The same select means another event on this processor. */
			if (is_another(*cpu, row))
				continue;
			check_eq_u64(of_cpu(*cpu, "row %u, counter %u", i / 2, counter),
			             count_kinds(*cpu, counter, row->event, row->counted),
			             counts ? 5 : 0);
			check_eq_u64(of_cpu(*cpu, "row %u, counter %u, others", i / 2, counter),
			             count_kinds(*cpu, counter, row->event, row->not_counted), 0);
		}
}

/* ---------------------------------------------------------------------------- branches */

static void branch(struct machine *machine, enum refpmu_branch kind, bool is_taken)
{
	machine_branch(machine, kind, is_taken, machine->ip + 2);
}

/* Retires thirty of each kind: a Jcc that is not taken, one that is taken, a return without a
 * call. */
static uint64_t count_branches(uint32_t cpu, uint32_t event)
{
	struct machine *machine = begin(cpu);

	p6_count(machine, 0, event);
	for (unsigned i = 0; i < 30; i++) {
		machine->ip = 0x2000;
		branch(machine, REFPMU_JCC, false);
		branch(machine, REFPMU_JCC, true);
		branch(machine, REFPMU_CALL, true);
		machine_branch(machine, REFPMU_RET, true, 0x3000 + i);
		do_kind(machine, 0);
	}
	put(machine, EVTSEL0, 0);
	return get(machine, PMC0);
}

UNIT_TEST(branches)
{
	FOR_EACH_P6(cpu) {
		uint64_t missed = count_branches(*cpu, 0xc5);

		check_eq_u64("BR_INST_RETIRED", count_branches(*cpu, 0xc4), 120);
		check_eq_u64("BR_INST_DECODED", count_branches(*cpu, 0xe0), 120);
		check_eq_u64("BR_TAKEN_RETIRED", count_branches(*cpu, 0xc9), 90);
		check_true("BR_MISS_PRED_RETIRED", missed >= 30 && missed < 60);
		check_eq_u64("BR_MISS_PRED_TAKEN_RET", count_branches(*cpu, 0xca), missed);
		check_true("BTB_MISSES", count_branches(*cpu, 0xe2) >= 30);
		check_eq_u64("BACLEARS", count_branches(*cpu, 0xe6), count_branches(*cpu, 0xe2));
		check_eq_u64("BR_BOGUS", count_branches(*cpu, 0xe4), 0);
	}
}

UNIT_TEST(pentium_m_knows_kinds_of_branches)
{
	static const struct { uint32_t event; uint64_t want; } rows[] = {
		{ 0x88, 120 }, { 0x8b, 60 }, { 0x8d, 0 }, { 0x8f, 30 }, { 0x90, 30 }, { 0x92, 30 },
		{ 0x93, 0 }, { 0x94, 0 }, { 0x8a, 0 },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		check_eq_u64(of_cpu(BANIAS, "%XH", rows[i].event),
		             count_branches(BANIAS, rows[i].event), rows[i].want);
		check_eq_u64(of_cpu(PENTIUM_III, "%XH", rows[i].event),
		             count_branches(PENTIUM_III, rows[i].event), 0);
	}
}

/* ---------------------------------------------------------------------------- segments, MMX */

static void load_segments(struct machine *machine, uint8_t segments)
{
	machine_retire(machine, (struct refpmu_insn) {
		.ip = machine->ip, .next_ip = machine->ip + 2, .length = 2,
		.traits = REFPMU_TRAIT_SEGMENT_LOAD, .segments = segments,
	});
}

UNIT_TEST(segment_registers)
{
	static const struct { uint32_t event; uint64_t want; } rows[] = {
		{ 0x0006, 7 }, { 0x01d5, 1 }, { 0x02d5, 2 }, { 0x04d5, 1 }, { 0x08d5, 1 },
		{ 0x0fd5, 5 }, { 0x00d5, 0 }, { 0x00d6, 5 }, { 0x0fd4, 0 },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		struct machine *machine = begin(PENTIUM_II);

		p6_count(machine, 1, rows[i].event);
		for (unsigned segment = 0; segment < 6; segment++)
			load_segments(machine, (uint8_t)(1 << segment));
		load_segments(machine, 1 << 3);
		do_kind(machine, REFPMU_TRAIT_TABLE_LOAD);
		check_eq_u64(of_cpu(PENTIUM_II, "%04XH", rows[i].event), get(machine, PMC0 + 1),
		             rows[i].want);
	}
}

UNIT_TEST(transitions_have_a_direction)
{
	static const uint64_t run[] = { REFPMU_TRAIT_X87, REFPMU_TRAIT_MMX, REFPMU_TRAIT_MMX, 0,
	                                REFPMU_TRAIT_MMX | REFPMU_TRAIT_EMMS, REFPMU_TRAIT_X87,
	                                REFPMU_TRAIT_X87, REFPMU_TRAIT_MMX };
	static const uint64_t want[] = { 1, 2, 0 };

	for (unsigned umask = 0; umask < 3; umask++) {
		struct machine *machine = begin(PENTIUM_III);

		p6_count(machine, 0, 0xcc | umask << 8);
		for (unsigned i = 0; i < COUNT_OF(run); i++)
			do_kind(machine, run[i]);
		check_eq_u64("FP_MMX_TRANS", get(machine, PMC0), want[umask]);
	}
}

/* ---------------------------------------------------------------------------- micro-operations */

UNIT_TEST(three_micro_operations_retire_in_a_cycle)
{
	FOR_EACH_P6(cpu) {
		struct machine *machine = begin(*cpu);
		uint64_t bits[] = { 0, CMASK(3), CMASK(4) }, want[] = { 12, 4, 0 };

		for (unsigned i = 0; i < 3; i++) {
			p6_count(machine, 0, 0xc2 | bits[i]);
			stay(machine);
			do_access(machine, REFPMU_READ, 0x5000, 4, 0);
			put(machine, PMC0, 0);
			for (unsigned n = 0; n < 4; n++)
				do_access(machine, REFPMU_READ_WRITE, 0x5000, 4, 0);
			check_eq_u64("UOPS_RETIRED", get(machine, PMC0), want[i]);
		}
	}
}

UNIT_TEST(interrupts_are_not_exceptions)
{
	FOR_EACH_P6(cpu) {
		struct machine *machine = begin(*cpu);

		p6_count(machine, 1, 0xc8);
		refpmu_interrupt(&machine->model, 0x40);
		refpmu_interrupt(&machine->model, 2);
		refpmu_exception(&machine->model, 14);
		check_eq_u64("HW_INT_RX", get(machine, PMC0 + 1), 2);
		p6_count(machine, 1, 0xc8 | CMASK(1));
		refpmu_interrupt(&machine->model, 0x40);
		do_kind(machine, 0);
		check_eq_u64("cycles with an interrupt", get(machine, PMC0 + 1), 1);
	}
}

UNIT_TEST(events_that_do_not_exist_count_nothing)
{
	static const uint32_t events[] = { 0x00, 0x01, 0x44, 0xff, 0x3c };

	for (unsigned i = 0; i < COUNT_OF(events); i++)
		check_eq_u64("count of a select without an event",
		             count_kinds(PENTIUM_II, 0, events[i], ~UINT64_C(0)), 0);
}

/* ---------------------------------------------------------------------------- memory and bus */

/* The unit mask has M, E, S, I from bit 11 down. Nine loads of eight lines in one set of L1D reach
 * L2: eight of lines that L2 does not have, and one of the first line again, which no other
 * processor shares. */
UNIT_TEST(l2_loads_count_by_the_state_of_their_line)
{
	for (unsigned states = 0; states < 16; states++) {
		struct machine *machine = begin(PENTIUM_II);

		p6_count(machine, 0, 0x29 | states << 8);
		for (unsigned i = 0; i < 9; i++)
			do_access(machine, REFPMU_READ, 0x8000 + i % 8 * 0x1000, 4, 0);
		check_eq_u64(of_cpu(PENTIUM_II, "states %u", states), get(machine, PMC0),
		             (states & 1 ? 8 : 0) + (states & 4 ? 1 : 0));
	}
}

/* IFU_MEM_STALL includes ITLB misses: the line is there, its page is no longer. */
UNIT_TEST(a_miss_of_the_itlb_stalls_fetching)
{
	FOR_EACH_P6(cpu)
		for (unsigned flushes = 0; flushes < 2; flushes++) {
			struct machine *machine = begin(*cpu);

			p6_count(machine, 0, 0x86);
			do_kind(machine, 0);
			put(machine, PMC0, 0);
			if (flushes)
				refpmu_tlb_flush(&machine->model);
			do_kind(machine, 0);
			check_eq_u64(of_cpu(*cpu, "stalls, %u flushes", flushes),
			             get(machine, PMC0) != 0, flushes);
		}
}

/* Work under way is completed before a processor halts, and may raise a PMI. */
UNIT_TEST(durations_may_overflow_at_the_end)
{
	struct machine *machine = begin(PENTIUM_III);

	machine->lvtpc = LVTPC_NMI;
	p6_count(machine, 0, 0x60 | INT);
	do_access(machine, REFPMU_WRITE, 0x5000, 4, 0);
	put(machine, PMC0, 0xffffffff);
	do_access(machine, REFPMU_WRITE, 0x6000, 4, 0);
	machine->may_raise = true;
	refpmu_halt(&machine->model);
	check_true("PMIs", machine->pmis == 1);
}

/* With unit mask 20H a processor also counts what others do on the bus. */
UNIT_TEST(unit_mask_20h_counts_transactions_of_all_agents)
{
	static struct machine machines[2];
	static struct refpmu_machine all;
	const struct refpmu_identity identity = machine_identity(PENTIUM_II);
	struct refpmu_cpu *cpus[2];
	const struct refpmu_host host = { .context = NULL };
	const struct refpmu_insn insn = { .ip = 0x1000, .next_ip = 0x1001, .length = 1 };
	uint64_t counts[2];

	refpmu_machine_create(&all);
	for (unsigned i = 0; i < 2; i++) {
		refpmu_package_create(&machines[i].package, &all, identity);
		refpmu_core_create(&machines[i].core, &machines[i].package, identity, 1);
		cpus[i] = refpmu_cpu_create(&machines[i].model, &machines[i].core, &host);
	}
	refpmu_wrmsr(cpus[0], EVTSEL0 + 1, OS | 0x206c);
	refpmu_wrmsr(cpus[0], EVTSEL0, OS | EN | 0x006c);
	refpmu_retire(cpus[0], &insn);
	for (unsigned i = 0; i < 3; i++) {
		refpmu_io(cpus[1], true, 0x80, 1);
		refpmu_retire(cpus[1], &insn);
	}
	refpmu_io(cpus[0], true, 0x80, 1);
	refpmu_retire(cpus[0], &insn);
	refpmu_rdmsr(cpus[0], PMC0, &counts[0]);
	refpmu_rdmsr(cpus[0], PMC0 + 1, &counts[1]);
	check_eq_u64("own transactions", counts[0], 1);
	check_eq_u64("transactions of all agents", counts[1], 4);
}

UNIT_MAIN()
