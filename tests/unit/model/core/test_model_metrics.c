/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests the values of IA32_PERF_METRICS: the second level, rounding, and shares that were written.
 * Source: SDM 3B, "Performance Metrics".
 */
#include <tests/unit/model/core/model_cpus.h>

/* Returns field n of the metrics that a machine from start_metrics() has so far. */
static uint64_t metric(struct machine *machine, unsigned n)
{
	return get(machine, METRICS) >> 8 * n & 0xff;
}

static struct machine *start_metrics(const struct cpu *cpu)
{
	struct machine *machine = start(cpu);

	put(machine, FIXED_CTRL, 0x1000);
	put(machine, GLOBAL, ONE(48) | ONE(35));
	return machine;
}

/* Invented by the model: back-end stalls are all memory, empty cycles of the front end all latency,
 * and bad speculation all misprediction. Cycles in which something retires are no stalls. */
UNIT_TEST(stalls_are_of_memory_or_of_fetch_latency)
{
	FOR_EACH_CPU_FROM(cpu, 5) {
		struct machine *machine = start_metrics(cpu);

		if (!cpu_is_from(cpu, "sapphire_rapids"))
			continue;
		for (unsigned i = 0; i < 50; i++) {
			machine_access(machine, REFPMU_READ, 0x600000 + 0x40 * i, 4);
			machine_nops(machine, 1);
		}
		check_true(named(cpu, "memory"), metric(machine, 7) > 200);
		check_true(named(cpu, "all"), metric(machine, 3) - metric(machine, 7) < 4);
		machine = start_metrics(cpu);
		for (unsigned i = 0; i < 50; i++) {
			machine->ip = 0x800000 + 0x40 * i;
			machine_nops(machine, 1);
		}
		check_true(named(cpu, "latency"), metric(machine, 6) > 200);
		check_true(named(cpu, "all"), metric(machine, 2) - metric(machine, 6) < 4);
		machine = start_metrics(cpu);
		for (unsigned i = 0; i < 500; i++)
			machine_branch(machine, REFPMU_JMP_INDIRECT, true, 0x100000 + i * i % 7);
		check_true(named(cpu, "misprediction"), metric(machine, 1) > 20);
		check_true(named(cpu, "all"), metric(machine, 5) + 1 - metric(machine, 1) < 3);
		machine = start_metrics(cpu);
		for (unsigned i = 0; i < 4000; i++) {
			machine->ip = 0x100000;
			machine_nops(machine, 1);
			get(machine, METRICS);         /* ends the cycle */
		}
		check_true(named(cpu, "front-end"), metric(machine, 2) > 150);
		check_true(named(cpu, "no latency"), metric(machine, 6) < 50);
	}
}

static uint64_t rounded(uint64_t slots, uint64_t total)
{
	return (slots + total / 2) / total;
}

/* A counter that runs keeps the code cached, so that few cycles pass. */
UNIT_TEST(metrics_are_rounded_to_the_nearest)
{
	FOR_EACH_CPU_FROM(cpu, 5) {
		struct machine *machine = start(cpu);

		put(machine, FIXED_CTRL, 0x1000);
		put(machine, GLOBAL, 1);
		put(machine, EVTSEL0, EN | OS | INSTRUCTIONS);
		machine_nops(machine, 4096);
		for (unsigned insns = 1; insns < 60; insns++) {
			put(machine, FIXED0 + 3, 0);
			put(machine, METRICS, 0);
			put(machine, GLOBAL, ONE(48) | ONE(35) | 1);
			machine_nops(machine, insns);
			put(machine, GLOBAL, 1);
			check_eq_u64(named(cpu, "retiring, of %u", insns), metric(machine, 0),
			             rounded(255 * insns, get(machine, FIXED0 + 3)));
		}
	}
}

/* Of 1,000 slots before, 16 of 255 parts were heavy operations; later ones are none. */
UNIT_TEST(written_shares_of_the_second_level_become_less)
{
	FOR_EACH_CPU_FROM(cpu, 5)
		for (unsigned insns = 1; insns < 100; insns++) {
			struct machine *machine = start(cpu);

			if (!cpu_is_from(cpu, "sapphire_rapids"))
				continue;
			put(machine, FIXED_CTRL, 0x1000);
			put(machine, GLOBAL, 0);
			put(machine, FIXED0 + 3, 1000);
			put(machine, METRICS, UINT64_C(0x1000000080));
			put(machine, GLOBAL, ONE(48) | ONE(35));
			machine_nops(machine, insns);
			put(machine, GLOBAL, 0);
			check_eq_u64(named(cpu, "heavy operations"), metric(machine, 4),
			             rounded(16 * 1000, get(machine, FIXED0 + 3)));
		}
}

/* The few slots that follow change nothing that a rounded share shows. */
UNIT_TEST(each_written_share_goes_on_from_its_value)
{
	FOR_EACH_CPU_FROM(cpu, 5) {
		struct machine *machine = start(cpu);
		bool has_level_2 = cpu_is_from(cpu, "sapphire_rapids");
		uint64_t written = has_level_2 ? UINT64_C(0x812a050f99332211) : 0x99332211;

		put(machine, FIXED_CTRL, 0x1000);
		put(machine, GLOBAL, 0);
		put(machine, FIXED0 + 3, ONE(40));
		put(machine, METRICS, written);
		put(machine, GLOBAL, ONE(48) | ONE(35));
		machine_nops(machine, 10);
		put(machine, GLOBAL, 0);
		check_true(named(cpu, "slots passed"), get(machine, FIXED0 + 3) > ONE(40));
		check_eq_u64(named(cpu, "metrics"), get(machine, METRICS), written);
	}
}

UNIT_MAIN()
