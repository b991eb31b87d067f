/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests what the events count: instructions, branches, faults, interrupts, caches, cycles. Source:
 * SDM 3B, table "Architectural Performance Events".
 */
#include <tests/unit/model/core/model_cpus.h>

static void retire_kind(struct machine *machine, enum refpmu_branch kind, bool is_taken,
                        unsigned cpl_after)
{
	machine_retire(machine, (struct refpmu_insn) {
		.ip = machine->ip, .next_ip = machine->ip + 2, .length = 2,
		.cpl = machine->cpl, .cpl_after = (uint8_t)cpl_after,
		.branch = (uint8_t)kind, .is_taken = is_taken,
	});
}

UNIT_TEST(each_retired_instruction_counts_once_in_every_counter)
{
	FOR_EACH_CPU(cpu)
		for (unsigned i = 0; i < cpu->gp; i++) {
			struct machine *machine = start(cpu);

			count_with(cpu, machine, i, INSTRUCTIONS | OS);
			for (unsigned n = 1; n <= 100; n += 9) {
				put(machine, PMC0 + i, 0);
				machine_nops(machine, n);
				check_eq_u64(named(cpu, "PMC%u after %u", i, n),
				             get(machine, PMC0 + i), n);
			}
		}
}

UNIT_TEST(fixed_counter_0_counts_instructions)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = start(cpu);

		put(machine, GLOBAL, ONE(32));
		put(machine, FIXED_CTRL, 1);
		machine_nops(machine, 1234);
		check_eq_u64(named(cpu, "FIXED_CTR0"), get(machine, FIXED0), 1234);
	}
}

UNIT_TEST(counters_continue_from_their_values)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		count_with(cpu, machine, 0, INSTRUCTIONS | OS);
		put(machine, PMC0, 0x7ffffffe);
		machine_nops(machine, 5);
		check_eq_u64(named(cpu, "across bit 31"), get(machine, PMC0), 0x80000003);
	}
}

/* ------------------------------------------------------------------------------ branches */

UNIT_TEST(every_kind_of_branch_is_one_branch)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		unsigned want = 0;

		count_with(cpu, machine, 0, BRANCHES | OS);
		for (unsigned kind = REFPMU_JCC; kind < REFPMU_BRANCHES; kind++) {
			retire_kind(machine, kind, true, 0);
			check_eq_u64(named(cpu, "after kind %u", kind), get(machine, PMC0),
			             ++want);
		}
		retire_kind(machine, REFPMU_JCC, false, 0);
		check_eq_u64(named(cpu, "branches that are not taken"), get(machine, PMC0), ++want);
		machine_nops(machine, 10);
		check_eq_u64(named(cpu, "branches after a plain instruction"),
		             get(machine, PMC0), want);
	}
}

UNIT_TEST(cpuid_is_an_instruction_and_no_branch)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		count_with(cpu, machine, 0, BRANCHES | OS);
		count_with(cpu, machine, 1, INSTRUCTIONS | OS);
		machine_retire(machine, (struct refpmu_insn) {
			.ip = 0x1000, .next_ip = 0x1002, .length = 2,
			.traits = REFPMU_TRAIT_CPUID | REFPMU_TRAIT_SERIALIZING,
		});
		check_eq_u64(named(cpu, "branches"), get(machine, PMC0), 0);
		check_eq_u64(named(cpu, "instructions"), get(machine, PMC0 + 1), 1);
	}
}

/* From Sandy Bridge on an entry is a branch. */
UNIT_TEST(faults_and_interrupts_retire_nothing)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		count_with(cpu, machine, 0, BRANCHES | OS | USR);
		count_with(cpu, machine, 1, INSTRUCTIONS | OS | USR);
		for (unsigned vector = 0; vector < 32; vector++) {
			machine_access(machine, REFPMU_READ, 0x200000 + 0x1000 * vector, 4);
			refpmu_exception(&machine->model, vector);
		}
		for (unsigned vector = 0; vector < 256; vector++)
			refpmu_interrupt(&machine->model, vector);
		check_eq_u64(named(cpu, "branches"), get(machine, PMC0),
		             cpu_is_from(cpu, "corei7_sandy_bridge_2600k") ? 32 + 256 : 0);
		check_eq_u64(named(cpu, "instructions"), get(machine, PMC0 + 1), 0);
		machine_nops(machine, 3);
		check_eq_u64(named(cpu, "instructions after"), get(machine, PMC0 + 1), 3);
	}
}

UNIT_TEST(misses_are_some_of_the_branches)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t misses;

		count_with(cpu, machine, 0, BRANCH_MISSES | OS);
		count_with(cpu, machine, 1, BRANCHES | OS);
		for (unsigned i = 0; i < 1000; i++) {
			machine->ip = 0x4000;
			machine_branch(machine, REFPMU_JCC, i * i % 7 < 3, 0x5000);
		}
		misses = get(machine, PMC0);
		check_eq_u64(named(cpu, "branches"), get(machine, PMC0 + 1), 1000);
		if (cpu->signature == 0x106e5)  /* CPUID.0AH:EBX[6]: there is no such event */
			continue;
		check_true(named(cpu, "some branches are mispredicted"), misses > 0);
		check_true(named(cpu, "some branches are predicted"), misses < 1000);
	}
}

UNIT_TEST(the_last_level_cache_has_no_more_misses_than_references)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t misses;

		count_with(cpu, machine, 0, LLC_REFERENCES | OS);
		count_with(cpu, machine, 1, LLC_MISSES | OS);
		for (unsigned i = 0; i < 100; i++) {
			machine_access(machine, REFPMU_READ, 0x800000 + 64 * i, 4);
			machine_nops(machine, 1);
		}
		misses = get(machine, PMC0 + 1);
		check_true(named(cpu, "each new line misses"), misses >= 100);
		check_true(named(cpu, "there are at least as many references as misses"),
		           get(machine, PMC0) >= misses);
	}
}

/* The second walk over the same pages is faster, unless the TLBs have forgotten them. */
UNIT_TEST(a_tlb_flush_costs_time)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t cycles[3];

		count_with(cpu, machine, 0, CYCLES | OS);
		for (unsigned round = 0; round < 3; round++) {
			uint64_t before = get(machine, PMC0);

			for (unsigned i = 0; i < 8; i++) {
				machine_access(machine, REFPMU_READ, 0x600000 + 4096 * i, 4);
				machine_nops(machine, 1);
			}
			cycles[round] = get(machine, PMC0) - before;
			if (round == 1)
				refpmu_tlb_flush(&machine->model);
		}
		check_true(named(cpu, "the second walk is faster than the first"),
		           cycles[1] < cycles[0]);
		check_true(named(cpu, "the walk after the flush is slower"), cycles[2] > cycles[1]);
	}
}

UNIT_TEST(a_select_without_an_event_counts_nothing)
{
	static const uint16_t nothing[] = { 0x0000, 0xffff, 0x00fe, 0xff3c, 0x02c0 };

	FOR_EACH_CPU(cpu)
		for (unsigned e = 0; e < 5; e++) {
			struct machine *machine = start(cpu);

			count_with(cpu, machine, 0, nothing[e] | OS | USR);
			machine_nops(machine, 50);
			retire_kind(machine, REFPMU_JMP, true, 0);
			check_eq_u64(named(cpu, "event %XH", nothing[e]), get(machine, PMC0), 0);
		}
}

/* ------------------------------------------------------------------------------ cycles */

UNIT_TEST(core_cycles_are_the_models_cycles)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t before, count;

		count_with(cpu, machine, 0, CYCLES | OS);
		get(machine, PMC0);
		before = machine->model.cycles;
		put(machine, PMC0, 0);
		machine_nops(machine, 1000);
		for (unsigned i = 0; i < 50; i++) {
			machine_access(machine, REFPMU_READ_WRITE, 0x900000 + 4096 * i, 8);
			machine_branch(machine, REFPMU_JMP_INDIRECT, true, 0x7000 + 64 * i);
		}
		count = get(machine, PMC0);
		check_eq_u64(named(cpu, "cycles"), count, machine->model.cycles - before);
		check_true(named(cpu, "some cycles passed"), count > 50);
	}
}

UNIT_TEST(no_time_passes_without_instructions)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		count_with(cpu, machine, 0, CYCLES | OS);
		check_eq_u64(named(cpu, "PMC0"), get(machine, PMC0), 0);
		check_eq_u64(named(cpu, "cycles"), machine->model.cycles, 0);
	}
}

/* Walks over the same eight lines; returns the cycles that this took. */
static uint64_t walk(struct machine *machine)
{
	uint64_t before = machine->model.cycles, value;

	machine->ip = 0x100000;
	for (unsigned i = 0; i < 8; i++) {
		machine_access(machine, REFPMU_READ, 0x600000 + 64 * i, 4);
		machine_nops(machine, 1);
	}
	machine_read(machine, PMC0, &value);
	return machine->model.cycles - before;
}

UNIT_TEST(caches_are_empty_only_when_counting_starts)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t cold, warm;

		count_with(cpu, machine, 0, CYCLES | OS);
		cold = walk(machine);
		warm = walk(machine);
		check_true(named(cpu, "the second walk is faster than the first"), warm < cold);
		count_with(cpu, machine, 1, INSTRUCTIONS | OS);
		check_eq_u64(named(cpu, "cycles after another counter was started"),
		             walk(machine), warm);
		put(machine, EVTSEL0 + 1, 0);
		check_eq_u64(named(cpu, "cycles after a counter was stopped"), walk(machine), warm);
		put(machine, EVTSEL0, 0);
		count_with(cpu, machine, 0, CYCLES | OS);
		check_eq_u64(named(cpu, "cycles after counting started again"),
		             walk(machine), cold);
	}
}

UNIT_TEST(fixed_counters_1_and_2_count_cycles)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = start(cpu);
		uint64_t before;

		if (cpu->signature == 0x106c2)
			continue;
		put(machine, FIXED_CTRL, 0x110);
		put(machine, GLOBAL, UINT64_C(6) << 32);
		get(machine, GLOBAL);
		before = machine->model.cycles;
		put(machine, FIXED0 + 1, 0);
		put(machine, FIXED0 + 2, 0);
		machine_nops(machine, 3000);
		put(machine, GLOBAL, 0);
		check_eq_u64(named(cpu, "core cycles"), get(machine, FIXED0 + 1),
		             machine->model.cycles - before);
		/* The time-stamp counter has the same clock. */
		check_eq_u64(named(cpu, "reference cycles"), get(machine, FIXED0 + 2),
		             machine->model.cycles - before);
	}
}

UNIT_TEST(reference_cycles_have_a_rate_of_their_own)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t once, twice;

		if (cpu->leaf_0a[1] & 4)        /* CPUID.0AH:EBX[2]: there is no such event */
			continue;
		count_with(cpu, machine, 0, REFERENCE_CYCLES | OS);
		count_with(cpu, machine, 1, CYCLES | OS);
		machine_nops(machine, 20000);
		once = get(machine, PMC0);
		check_true(named(cpu, "there are reference cycles"), once > 0);
		check_true(named(cpu, "they are no faster than the core"),
		           once <= get(machine, PMC0 + 1));
		machine_nops(machine, 20000);
		twice = get(machine, PMC0);
		check_true(named(cpu, "they continue"), twice > once);
	}
}

/* The events are BR_INST_RETIRED's, near calls and conditional branches that are not taken. */
UNIT_TEST(counters_beyond_the_eighth_count_their_events_alone)
{
	const struct cpu *cpu = cpu_of(0xc0662);
	struct machine *machine = start(cpu);

	count_with(cpu, machine, 0, 0x02c4 | OS | INT);
	count_with(cpu, machine, 8, 0x10c4 | OS | INT);
	count_with(cpu, machine, 9, 0x10c4 | OS | INT);
	for (unsigned i = 0; i < 3; i++)
		machine_branch(machine, REFPMU_JCC, false, 0);
	machine_branch(machine, REFPMU_CALL, true, 0x101000);
	machine_nops(machine, 10);
	check_eq_u64("PMC0", get(machine, PMC0), 1);
	check_eq_u64("PMC8", get(machine, PMC0 + 8), 3);
	check_eq_u64("PMC9", get(machine, PMC0 + 9), 3);
	check_eq_u64("status", get(machine, STATUS), 0);
	check_eq_u64("PMIs", machine->pmis, 0);
}

/* Chosen: a cycle belongs to one ring, so that the first instruction of another one ends it. */
UNIT_TEST(a_change_of_the_ring_ends_the_cycle)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		const uint64_t ip = machine->ip;

		count_with(cpu, machine, 0, CYCLES | OS);
		count_with(cpu, machine, 1, CYCLES | USR);
		machine_nops(machine, 1);
		put(machine, PMC0, 0);
		for (unsigned i = 0; i < 100; i++) {
			machine->ip = ip;
			machine->cpl = i % 2 ? 3 : 0;
			machine_nops(machine, 1);
		}
		check_eq_u64(named(cpu, "cycles of CPL 0"), get(machine, PMC0), 50);
		check_eq_u64(named(cpu, "cycles of CPL 3"), get(machine, PMC0 + 1), 50);
	}
}

UNIT_TEST(cycles_never_go_back)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t last = 0;

		count_with(cpu, machine, 0, INSTRUCTIONS | OS);
		for (unsigned i = 0; i < 300; i++) {
			machine_nops(machine, 1);
			check_true(named(cpu, "cycles"), machine->model.cycles >= last);
			last = machine->model.cycles;
		}
		check_true(named(cpu, "at most 16 instructions retire in a cycle"),
		           last >= 300 / 16);
	}
}

UNIT_MAIN()
