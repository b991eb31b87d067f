/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests how CMASK, INV and EDGE change the count of an event, and how slots are divided. They act
 * on the events of a cycle; the model invents how many instructions retire in a cycle, so the
 * checks are relations. Source: SDM 3B, "Architectural Performance Monitoring Version 1";
 * "Performance Metrics".
 */
#include <tests/unit/model/core/model_cpus.h>

enum { WIDEST = 16 };                   /* no processor here retires more in a cycle */

/*
 * Runs code that is uneven on purpose: plain code, jumps, cache misses, a serialising instruction.
 */
static void run(struct machine *machine)
{
	for (unsigned i = 0; i < 40; i++) {
		machine_nops(machine, 1 + i % 11);
		machine_access(machine, REFPMU_READ, 0x600000 + 0x1000 * i, 4);
		machine_nops(machine, 1);
		machine_branch(machine, REFPMU_JCC, i * i % 5 < 2, machine->ip + 40);
	}
	machine_retire(machine, (struct refpmu_insn) {
		.ip = machine->ip, .next_ip = machine->ip + 2, .length = 2,
		.traits = REFPMU_TRAIT_CPUID | REFPMU_TRAIT_SERIALIZING,
	});
}

/*
 * Returns PMC0's count of run() with this event select; *cycles becomes the time that run() took.
 */
static uint64_t count(const struct cpu *cpu, uint64_t evtsel, uint64_t *cycles)
{
	struct machine *machine = start(cpu);
	uint64_t value;

	count_with(cpu, machine, 0, evtsel);
	run(machine);
	value = get(machine, PMC0);
	*cycles = machine->model.cycles;
	return value;
}

/* Source: Intel's list of Lion Cove's events, BR_INST_RETIRED.COND; the model has no other one
 * whose unit mask reaches into UMASK2. */
UNIT_TEST(lion_coves_conditional_branches_have_a_umask2)
{
	enum { JCC = 40, OF_LION_COVE = 0xc0662 };
	static const uint64_t umask2 = UINT64_C(1) << 40;

	FOR_EACH_CPU(cpu) {
		uint64_t cycles;

		if (cpu->signature != OF_LION_COVE)
			continue;
		check_eq_u64("C4H/11H", count(cpu, 0x11c4 | umask2 | OS, &cycles), JCC);
		check_eq_u64("C4H/00H", count(cpu, 0x00c4 | umask2 | OS, &cycles), 0);
		check_eq_u64("C4H/11H, 2", count(cpu, 0x11c4 | umask2 << 1 | OS, &cycles), 0);
		check_eq_u64("C0H/00H", count(cpu, INSTRUCTIONS | umask2 | OS, &cycles), 0);
	}
}

UNIT_TEST(all_runs_take_the_same_cycles)
{
	FOR_EACH_CPU(cpu) {
		uint64_t plain, compared;

		count(cpu, INSTRUCTIONS | OS, &plain);
		count(cpu, INSTRUCTIONS | OS | CMASK(2) | INV | EDGE, &compared);
		check_eq_u64(named(cpu, "cycles"), compared, plain);
	}
}

/* A cycle with n instructions is in the counts for CMASK 1, 2, ... n. */
UNIT_TEST(the_counts_of_all_cmasks_add_up_to_the_plain_count)
{
	static const uint16_t events[] = { INSTRUCTIONS, BRANCHES, LLC_REFERENCES, LLC_MISSES };

	FOR_EACH_CPU(cpu)
		for (unsigned e = 0; e < 4; e++) {
			uint64_t sum = 0, cycles, last = UINT64_MAX;

			for (unsigned n = 1; n <= WIDEST; n++) {
				uint64_t now = count(cpu, events[e] | OS | CMASK(n), &cycles);

				check_true(named(cpu, "counts fall with CMASK, %u", n),
				           now <= last);
				check_true(named(cpu, "the count is at most all cycles"),
				           now <= cycles);
				last = now;
				sum += now;
			}
			check_eq_u64(named(cpu, "event %XH, too wide", events[e]), last, 0);
			check_eq_u64(named(cpu, "event %XH, sum of all counts", events[e]), sum,
			             count(cpu, events[e] | OS, &cycles));
		}
}

UNIT_TEST(cmask_and_its_inverse_add_up_to_all_cycles)
{
	FOR_EACH_CPU(cpu)
		for (unsigned n = 1; n <= 255; n += n < 6 ? 1 : 83) {
			uint64_t cycles, at_least, less;

			at_least = count(cpu, INSTRUCTIONS | OS | CMASK(n), &cycles);
			less = count(cpu, INSTRUCTIONS | OS | INV | CMASK(n), &cycles);
			check_eq_u64(named(cpu, "CMASK %u", n), at_least + less, cycles);
		}
}

/*
 * The clock of reference cycles is slower than the core's: some cycles have one count, most have
 * none.
 */
UNIT_TEST(reference_cycles_have_at_most_one_count_per_cycle)
{
	FOR_EACH_CPU(cpu) {
		uint64_t cycles, plain, with, without, rising;

		if (cpu->leaf_0a[1] & 4)
			continue;
		plain = count(cpu, REFERENCE_CYCLES | OS, &cycles);
		with = count(cpu, REFERENCE_CYCLES | OS | CMASK(1), &cycles);
		without = count(cpu, REFERENCE_CYCLES | OS | CMASK(1) | INV, &cycles);
		rising = count(cpu, REFERENCE_CYCLES | OS | CMASK(1) | EDGE, &cycles);
		check_eq_u64(named(cpu, "at most one in a cycle"), with, plain);
		check_eq_u64(named(cpu, "cycles with and without one"), with + without, cycles);
		check_true(named(cpu, "there are edges, at most as many as counts"),
		           rising > 0 && rising <= with);
	}
}

UNIT_TEST(inv_without_cmask_is_ignored)
{
	FOR_EACH_CPU(cpu) {
		uint64_t cycles;

		check_eq_u64(named(cpu, "instructions"),
		             count(cpu, INSTRUCTIONS | OS | INV, &cycles),
		             count(cpu, INSTRUCTIONS | OS, &cycles));
	}
}

UNIT_TEST(cycles_with_cmask_1_are_cycles)
{
	FOR_EACH_CPU(cpu) {
		uint64_t cycles, got = count(cpu, CYCLES | OS | CMASK(1), &cycles);

		check_eq_u64(named(cpu, "CMASK 1"), got, cycles);
		check_eq_u64(named(cpu, "CMASK 2"), count(cpu, CYCLES | OS | CMASK(2), &cycles), 0);
	}
}

/* An edge is a cycle that reaches CMASK after one that did not. */
UNIT_TEST(edges_are_at_most_as_many_as_changes_of_the_level)
{
	FOR_EACH_CPU(cpu)
		for (unsigned n = 1; n < 4; n++) {
			uint64_t cycles, high, rising, falling, low;

			high = count(cpu, INSTRUCTIONS | OS | CMASK(n), &cycles);
			low = cycles - high;
			rising = count(cpu, INSTRUCTIONS | OS | EDGE | CMASK(n), &cycles);
			falling = count(cpu, INSTRUCTIONS | OS | EDGE | INV | CMASK(n), &cycles);
			check_true(named(cpu, "at most as many as high cycles"), rising <= high);
			check_true(named(cpu, "at most one more than low cycles"),
			           rising <= low + 1);
			check_true(named(cpu, "there are edges, CMASK %u", n),
			           rising > 0 || high == 0);
			check_true(named(cpu, "rising and falling edges alternate, CMASK %u", n),
			           rising <= falling + 1 && falling <= rising + 1);
		}
}

UNIT_TEST(a_level_that_is_always_high_has_one_edge)
{
	FOR_EACH_CPU(cpu) {
		uint64_t cycles;

		check_eq_u64(named(cpu, "edges of a level that is always high"),
		             count(cpu, CYCLES | OS | EDGE | CMASK(1), &cycles), 1);
	}
}

/* EQ counts cycles with exactly CMASK events (SDM). */
UNIT_TEST(version_6_can_compare_for_equality)
{
	const struct cpu *cpu = cpu_of(0xc0662);
	uint64_t cycles;

	for (unsigned n = 1; n < 5; n++)
		check_eq_u64(named(cpu, "exactly %u", n),
		             count(cpu, INSTRUCTIONS | OS | ONE(36) | CMASK(n), &cycles),
		             count(cpu, INSTRUCTIONS | OS | CMASK(n), &cycles) -
		             count(cpu, INSTRUCTIONS | OS | CMASK(n + 1), &cycles));
}

UNIT_TEST(unit_mask_2_selects_another_event)
{
	const struct cpu *cpu = cpu_of(0xc0662);
	uint64_t cycles;

	check_eq_u64("instructions with UMASK2",
	             count(cpu, INSTRUCTIONS | OS | ONE(40), &cycles), 0);
}

/* ------------------------------------------------------------------------------ slots */

/* Returns the slots per cycle: Ice Lake and Tiger Lake have 5, Sapphire Rapids 6, Lion Cove 8. */
static unsigned slots_of(const struct cpu *cpu)
{
	return cpu->signature == 0xc0662 ? 8 : cpu->signature == 0x806f8 ? 6 : 5;
}

UNIT_TEST(slots_are_cycles_times_width)
{
	FOR_EACH_CPU_FROM(cpu, 5) {
		uint64_t cycles, got = count(cpu, SLOTS | OS, &cycles);
		struct machine *machine;

		check_eq_u64(named(cpu, "SLOTS"), got, slots_of(cpu) * cycles);
		machine = start(cpu);
		put(machine, FIXED_CTRL, 0x1000);
		put(machine, GLOBAL, ONE(35));
		run(machine);
		put(machine, GLOBAL, 0);
		check_eq_u64(named(cpu, "FIXED_CTR3"), get(machine, FIXED0 + 3),
		             slots_of(cpu) * machine->model.cycles);
	}
}

static struct machine *run_with_metrics(const struct cpu *cpu)
{
	struct machine *machine = start(cpu);

	put(machine, FIXED_CTRL, 0x1000);
	put(machine, FIXED0 + 3, 0);
	put(machine, METRICS, 0);
	put(machine, GLOBAL, ONE(48) | ONE(35));
	run(machine);
	put(machine, GLOBAL, 0);
	return machine;
}

/* The four shares add up to all slots, 255, except for four rounding errors of less than 1. */
UNIT_TEST(metrics_are_shares_of_the_slots)
{
	FOR_EACH_CPU_FROM(cpu, 5) {
		struct machine *machine = run_with_metrics(cpu);
		uint64_t metrics = get(machine, METRICS), sum = 0;

		for (unsigned i = 0; i < 4; i++)
			sum += metrics >> 8 * i & 0xff;
		check_true(named(cpu, "at least 252"), sum >= 252);
		check_true(named(cpu, "at most 258"), sum <= 258);
		check_true(named(cpu, "the retiring share is not 0"), metrics & 0xff);
		check_true(named(cpu, "the backend-bound share is not 0"), metrics >> 24 & 0xff);
	}
}

/* Each share of the second level is part of one of the first. */
UNIT_TEST(metrics_have_a_second_level_from_sapphire_rapids_on)
{
	FOR_EACH_CPU_FROM(cpu, 5) {
		uint64_t metrics = get(run_with_metrics(cpu), METRICS);

		if (!cpu_is_from(cpu, "sapphire_rapids")) {
			check_eq_u64(named(cpu, "upper half"), metrics >> 32, 0);
			continue;
		}
		for (unsigned i = 0; i < 4; i++)
			check_true(named(cpu, "field %u is part of its first-level field", i + 4),
			           (metrics >> 32 >> 8 * i & 0xff) <= (metrics >> 8 * i & 0xff));
	}
}

UNIT_TEST(rdpmc_reads_metrics)
{
	FOR_EACH_CPU_FROM(cpu, 5) {
		struct machine *machine = run_with_metrics(cpu);
		uint64_t got = 0;

		check_eq_u64(named(cpu, "RDPMC"),
		             refpmu_rdpmc(&machine->model, 0x20000000, 0, false, &got), REFPMU_OK);
		check_eq_u64(named(cpu, "metrics"), got, get(machine, METRICS));
	}
}

/* Instructions that retire alone: their cycles have slots of two kinds. */
static void serialise(struct machine *machine)
{
	for (unsigned i = 0; i < 100; i++)
		machine_retire(machine, (struct refpmu_insn) {
			.ip = machine->ip, .next_ip = machine->ip, .length = 2,
			.traits = REFPMU_TRAIT_SERIALIZING,
		});
}

/* Metrics after a write must not depend on what happened before the write. */
UNIT_TEST(metrics_start_again_when_written)
{
	FOR_EACH_CPU_FROM(cpu, 5) {
		struct machine *machine = start(cpu);
		uint64_t fresh;

		put(machine, FIXED_CTRL, 0x1000);
		put(machine, GLOBAL, ONE(48) | ONE(35));
		serialise(machine);
		fresh = get(machine, METRICS);
		machine = run_with_metrics(cpu);
		put(machine, FIXED0 + 3, 0);
		put(machine, METRICS, 0);
		check_eq_u64(named(cpu, "metrics"), get(machine, METRICS), 0);
		machine->ip = 0x100000;
		put(machine, GLOBAL, ONE(48) | ONE(35));
		serialise(machine);
		check_eq_u64(named(cpu, "metrics of 100 serialising instructions"),
		             get(machine, METRICS), fresh);
	}
}

UNIT_TEST(metrics_stop_without_their_enable)
{
	FOR_EACH_CPU_FROM(cpu, 5) {
		struct machine *machine = start(cpu);

		put(machine, FIXED_CTRL, 0x1000);
		put(machine, METRICS, 0);
		put(machine, GLOBAL, ONE(35));
		run(machine);
		put(machine, GLOBAL, 0);
		check_eq_u64(named(cpu, "metrics"), get(machine, METRICS), 0);
	}
}

/* A processor has all 64 bits or the lower half; the other fields cannot be written. */
UNIT_TEST(metrics_have_their_fields_and_no_others)
{
	FOR_EACH_CPU_FROM(cpu, 5) {
		struct machine *machine = start(cpu);

		put(machine, METRICS, 0x40404040);
		check_eq_u64(named(cpu, "lower half"), get(machine, METRICS), 0x40404040);
		if (!cpu_is_from(cpu, "sapphire_rapids")) {
			check_refused(cpu, machine, METRICS, ONE(32));
			continue;
		}
		put(machine, METRICS, UINT64_C(0x1010101040404040));
		check_eq_u64(named(cpu, "both halves"), get(machine, METRICS),
		             UINT64_C(0x1010101040404040));
	}
}

UNIT_TEST(metrics_come_with_version_5)
{
	FOR_EACH_CPU(cpu)
		if (cpu->version < 5)
			check_absent(cpu, start(cpu), METRICS);
}

/* The slots of all top-down events add up to all slots. */
UNIT_TEST(topdown_events_divide_the_slots)
{
	const struct cpu *cpu = cpu_of(0xc0662);
	static const uint16_t parts[] = { 0x02a4, 0x0073, 0x019c, 0x02c2 };
	uint64_t sum = 0, cycles, slots = count(cpu, SLOTS | OS, &cycles);

	for (unsigned i = 0; i < 4; i++) {
		uint64_t part = count(cpu, parts[i] | OS, &cycles);

		check_true(named(cpu, "event %XH is at most all slots", parts[i]), part <= slots);
		sum += part;
	}
	check_true(named(cpu, "the sum is at most all slots"), sum <= slots);
	check_true(named(cpu, "retiring slots are counted"), count(cpu, 0x02c2 | OS, &cycles) > 0);
	check_true(named(cpu, "backend-bound slots are counted"),
	           count(cpu, 0x02a4 | OS, &cycles) > 0);
}

UNIT_MAIN()
