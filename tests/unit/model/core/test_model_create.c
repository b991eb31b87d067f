/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests which processors exist, and what CPUID reports of them. Source: SDM 2A, "CPUID", leaves 1,
 * 0AH, 23H. */
#include <arch/regs/table.h>
#include <tests/unit/model/core/model_cpus.h>

UNIT_TEST(all_processors_have_a_row_of_rules)
{
	FOR_EACH_CPU(cpu)
		start(cpu);
	check_eq_u64("rows of rules", model_rules_at(CPUS + 32) && !model_rules_at(CPUS + 33),
	             true);
}

UNIT_TEST(the_stepping_does_not_matter)
{
	static struct machine machine;

	FOR_EACH_CPU(cpu) {
		check_true(named(cpu, "another stepping"),
		           machine_create(&machine, cpu->signature ^ 0xf, 1));
		check_eq_u64(named(cpu, "version"), machine.core.rules.registers.version,
		             cpu->version);
	}
}

UNIT_TEST(unknown_processors_have_no_pmu)
{
	static const uint32_t others[] = { 0, 0x5a3, 0x6b4, 0x650, 0xf05, 0xf50, 0x622, 0x800f11,
	                                   0x107f5, 0x507e5, 0xffffffff };
	static struct machine machine;

	for (unsigned i = 0; i < COUNT_OF(others); i++)
		check_true("the processor is refused", !machine_create(&machine, others[i], 1));
}

/* ------------------------------------------------------------------------------ CPUID */

static void cpuid(struct machine *machine, uint32_t leaf, uint32_t subleaf, uint32_t regs[4],
                  uint32_t before)
{
	for (unsigned i = 0; i < 4; i++)
		regs[i] = before;
	refpmu_cpuid(&machine->model, leaf, subleaf, regs);
}

UNIT_TEST(leaf_0ah_is_the_processors)
{
	static const char *const names[] = { "EAX", "EBX", "ECX", "EDX" };

	FOR_EACH_CPU(cpu)
		for (uint32_t before = 0; before <= 0x55; before += 0x55) {
			uint32_t regs[4];

			cpuid(start(cpu), 0x0a, 0, regs, before);
			for (unsigned i = 0; i < 4; i++)
				check_eq_u64(named(cpu, "leaf 0AH %s", names[i]), regs[i],
				             cpu->leaf_0a[i]);
		}
}

UNIT_TEST(leaf_0ah_reports_the_counters_of_one_thread)
{
	static struct machine machine;

	FOR_EACH_CPU(cpu) {
		uint32_t regs[4], want = cpu_gp_of_two_threads(cpu);

		machine_create(&machine, cpu->signature, 2);
		cpuid(&machine, 0x0a, 0, regs, 0);
		if (cpu->version >= 6)
			want = 8;               /* the leaf's number, for cores of both kinds */
		check_eq_u64(named(cpu, "EAX[15:8]"), regs[0] >> 8 & 0xff, want);
		check_eq_u64(named(cpu, "EAX except bits 15:8"), regs[0] & ~0xff00u,
		             cpu->leaf_0a[0] & ~0xff00u);
	}
}

UNIT_TEST(leaf_1_reports_pdcm_and_keeps_the_rest)
{
	FOR_EACH_CPU(cpu)
		for (unsigned i = 0; i < 2; i++) {
			uint32_t regs[4], before = i ? 0xffffffff : 0;

			cpuid(start(cpu), 1, 0, regs, before);
			check_eq_u64(named(cpu, "EAX"), regs[0], before);
			check_eq_u64(named(cpu, "EBX"), regs[1], before);
			check_eq_u64(named(cpu, "PDCM"), regs[2] >> 15 & 1, 1);
			/* DTES64, DS and DS_CPL belong to the debug store area. */
			check_eq_u64(named(cpu, "ECX"), regs[2] & ~0x8014u, before & ~0x8014u);
			check_eq_u64(named(cpu, "EDX"), regs[3] & ~0x200000u, before & ~0x200000u);
		}
}

UNIT_TEST(leaf_23h_comes_with_version_6)
{
	static const uint32_t want[4][4] = {
		{ 0x00b, 0x3, 0x0, 0x0 }, { 0x3ff, 0xf, 0x0, 0x0 }, { 0, 0, 0, 0 },
		{ 0x1dff, 0x0, 0x0, 0x0 }
	};
	static const char *const names[] = { "EAX", "EBX", "ECX", "EDX" };
	const struct cpu *arrow_lake = cpu_of(0xc0662);

	for (unsigned subleaf = 0; subleaf < 4; subleaf++) {
		uint32_t regs[4];

		cpuid(start(arrow_lake), 0x23, subleaf, regs, 0);
		for (unsigned i = 0; i < 4; i++)
			if (subleaf != 0 || i < 2)
				check_eq_u64(named(arrow_lake, "leaf 23H.%u %s", subleaf, names[i]),
				             regs[i], want[subleaf][i]);
	}
}

UNIT_TEST(leaf_23h_is_empty_beyond_its_last_subleaf)
{
	FOR_EACH_CPU(cpu)
		for (uint32_t subleaf = 4; subleaf < 8; subleaf++) {
			uint32_t regs[4], want = cpu->version >= 6 ? 0 : 0x77;

			cpuid(start(cpu), 0x23, subleaf, regs, 0x77);
			for (unsigned i = 0; i < 4; i++)
				check_eq_u64(named(cpu, "leaf 23H.%u", subleaf), regs[i], want);
		}
}

UNIT_TEST(the_highest_leaf_includes_leaf_23h)
{
	FOR_EACH_CPU(cpu) {
		uint32_t regs[4];

		cpuid(start(cpu), 0, 0, regs, 0x0d);
		/* Leaf 1CH is that of architectural LBR, which Sapphire Rapids has, too. */
		check_eq_u64(named(cpu, "highest leaf"), regs[0],
		             cpu->version >= 6 ? 0x23 : cpu->signature == 0x806f8 ? 0x1c : 0x0d);
		check_eq_u64(named(cpu, "vendor"), regs[1], 0x0d);
		cpuid(start(cpu), 0, 0, regs, 0x24);
		check_eq_u64(named(cpu, "the highest leaf, if it was higher"), regs[0], 0x24);
		/* ArchPerfmonExt is CPUID.(07H,1):EAX[8]; CPUID.(07H,0):EAX is the last
		 * sub-leaf. */
		cpuid(start(cpu), 7, 0, regs, 0);
		check_eq_u64(named(cpu, "last sub-leaf"), regs[0], cpu->version >= 6);
		check_eq_u64(named(cpu, "leaf 07H EBX"), regs[1], 0);
		cpuid(start(cpu), 7, 0, regs, 2);
		check_eq_u64(named(cpu, "last sub-leaf, if it was higher"), regs[0], 2);
		cpuid(start(cpu), 7, 1, regs, 0);
		check_eq_u64(named(cpu, "ArchPerfmonExt"), regs[0],
		             cpu->version >= 6 ? 0x100 : 0);
	}
}

UNIT_TEST(other_leaves_stay)
{
	static const uint32_t leaves[] = { 2, 4, 6, 9, 0x0b, 0x0d, 0x16, 0x80000000, 0x80000001 };

	FOR_EACH_CPU(cpu)
		for (unsigned i = 0; i < COUNT_OF(leaves); i++) {
			uint32_t regs[4];

			cpuid(start(cpu), leaves[i], 0, regs, 0x5a5a5a5a);
			for (unsigned r = 0; r < 4; r++)
				check_eq_u64(named(cpu, "leaf %XH", leaves[i]), regs[r],
				             0x5a5a5a5a);
		}
}

UNIT_MAIN()
