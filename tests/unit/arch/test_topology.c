/* SPDX-License-Identifier: MIT */
/* LINK: arch/smp/topology.c */
/* Leaves 1FH and 0BH, and the counting of processors. */
#include <arch/smp/topology.h>

#include <tests/unit/arch/topology_cpu.h>
#include <tests/unit/unit.h>

/* Core i5 M520 has two cores, and IDs for eight. The shift decides, not EBX. */
UNIT_TEST(arrandale_by_leaf_b)
{
	cpuid_is({ 1, 0, { 0x00020652, 0x00100800, 0x0298E3FF, 0xBFEBFBFF } },
	         { 4, 0, { 0x1C004121, 0x01C0003F, 0x0000003F, 0x00000000 } },
	         { 0xb, 0, { 0x00000001, 0x00000002, 0x00000100, 0x00000000 } },
	         { 0xb, 1, { 0x00000004, 0x00000004, 0x00000201, 0x00000000 } });
	check_bits("CPUID.0BH", 1, 3);
	set_x2apic_id(5);
	check_place(5, 0, 2, 1);
}

/* Core i7 4770, and the same leaf in a second package and with a 32-bit ID. */
UNIT_TEST(four_cores_of_two_threads_by_leaf_b)
{
	cpuid_is({ 1, 0, { 0x000306C3, 0x00100800, 0x7FFAFBFF, 0xBFEBFBFF } },
	         { 0xb, 0, { 0x00000001, 0x00000002, 0x00000100, 0x00000000 } },
	         { 0xb, 1, { 0x00000004, 0x00000008, 0x00000201, 0x00000000 } });
	check_bits("CPUID.0BH", 1, 3);
	set_x2apic_id(7);
	check_place(7, 0, 3, 1);
	set_x2apic_id(0x12);
	check_place(0x12, 1, 1, 0);
	set_x2apic_id(0xfffffffe);
	check_place(0xfffffffe, 0xfffffff, 7, 0);
}

/* Core i5 750 has IDs for two threads a core, but only one thread. */
UNIT_TEST(lynnfield_has_even_ids_only)
{
	cpuid_is({ 0xb, 0, { 0x00000001, 0x00000001, 0x00000100, 0x00000000 } },
	         { 0xb, 1, { 0x00000004, 0x00000004, 0x00000201, 0x00000000 } });
	check_bits("CPUID.0BH", 1, 3);
	set_x2apic_id(6);
	check_place(6, 0, 3, 0);
}

UNIT_TEST(a_leaf_b_of_zeros_is_none)
{
	cpuid_is({ 1, 0, { 0x0001067A, 0x01020800, 0x0C08E3FD, 0xBFEBFBFF } },
	         { 4, 0, { 0x04000121, 0x01C0003F, 0x0000003F, 0x00000001 } },
	         { 0xb, 0, { 0x00000000, 0x00000000, 0x00000000, 0x00000009 } });
	check_bits("CPUID.4 and 1", 0, 1);
	check_place(1, 0, 1, 0);
}

/* Leaf 0BH stays in use if 1FH exists and is empty. Made up. */
UNIT_TEST(a_leaf_1f_of_zeros_is_none)
{
	cpuid_is({ 0x1f, 0, { 0x00000000, 0x00000000, 0x00000000, 0x00000009 } },
	         { 0xb, 0, { 0x00000000, 0x00000001, 0x00000100, 0x00000003 } },
	         { 0xb, 1, { 0x00000002, 0x00000004, 0x00000201, 0x00000003 } });
	check_bits("CPUID.0BH", 0, 2);
	check_place(3, 0, 3, 0);
}

/* Arrow Lake has P-cores 8 IDs apart, and E-cores in modules of four, 2 IDs apart. */
UNIT_TEST(hybrid_with_modules_by_leaf_1f)
{
	cpuid_is({ 0xb, 0, { 0x00000001, 0x00000001, 0x00000100, 0x00000000 } },
	         { 0xb, 1, { 0x00000007, 0x0000000E, 0x00000201, 0x00000000 } },
	         { 0x1f, 0, { 0x00000001, 0x00000001, 0x00000100, 0x00000000 } },
	         { 0x1f, 1, { 0x00000003, 0x00000001, 0x00000201, 0x00000000 } },
	         { 0x1f, 2, { 0x00000007, 0x0000000E, 0x00000302, 0x00000000 } });
	check_bits("CPUID.1FH", 1, 6);
	set_x2apic_id(0x28);
	check_place(0x28, 0, 0x14, 0);
	set_x2apic_id(0x96);
	check_place(0x96, 1, 0xb, 0);
}

/* Two packages of two dies with two cores of two threads, as with QEMU's `dies=2`. */
UNIT_TEST(dies_by_leaf_1f)
{
	cpuid_is({ 0x1f, 0, { 0x00000001, 0x00000002, 0x00000100, 0x00000000 } },
	         { 0x1f, 1, { 0x00000002, 0x00000004, 0x00000201, 0x00000000 } },
	         { 0x1f, 2, { 0x00000003, 0x00000008, 0x00000502, 0x00000000 } },
	         { 0xb, 0, { 0x00000001, 0x00000002, 0x00000100, 0x00000000 } },
	         { 0xb, 1, { 0x00000003, 0x00000008, 0x00000201, 0x00000000 } });
	check_bits("CPUID.1FH", 1, 2);
	set_x2apic_id(7);
	check_place(7, 0, 3, 1);
	set_x2apic_id(0xc);
	check_place(0xc, 1, 2, 0);
}

/* Made up: there is no level of threads. */
UNIT_TEST(levels_without_threads)
{
	cpuid_is({ 0x1f, 0, { 0x00000003, 0x00000008, 0x00000200, 0x0000000B } });
	check_bits("CPUID.1FH", 0, 3);
	check_place(11, 1, 3, 0);
}

/* Bochs 3.0 reports packages as a third level, of a type that is reserved in leaf 0BH. */
UNIT_TEST(reserved_types_of_leaf_b_are_no_level)
{
	cpuid_is({ 0xb, 0, { 0x00000001, 0x00000002, 0x00000100, 0x00000003 } },
	         { 0xb, 1, { 0x00000002, 0x00000004, 0x00000201, 0x00000003 } },
	         { 0xb, 2, { 0x00000006, 0x00000008, 0x00000302, 0x00000003 } },
	         { 0xb, 3, { 0x00000000, 0x00000000, 0x00000003, 0x00000003 } });
	check_bits("CPUID.0BH", 1, 1);
	set_x2apic_id(6);
	check_place(6, 1, 1, 0);
}

/* Bochs 3.0 with four cores of two threads: eight processors, but IDs of two bits. */
UNIT_TEST(too_narrow_a_level_is_a_problem)
{
	cpuid_is({ 0xb, 0, { 0x00000001, 0x00000002, 0x00000100, 0x00000007 } },
	         { 0xb, 1, { 0x00000002, 0x00000008, 0x00000201, 0x00000007 } });
	check_str("problem", find().problem, "a level of CPUID.0BH or 1FH has more logical "
	          "processors in EBX[15:0] than IDs of EAX[4:0] bits");
	check_place(7, 1, 1, 1);
}

/* Whatever the leaf says, it is read only a few times, and no shift is too wide. Made up. */
UNIT_TEST(levels_without_end)
{
	cpuid_is({ 0x1f, 0, { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff } },
	         { 0x1f, 1, { 0xffffffff, 0xffffffff, 0x000001ff, 0xffffffff } },
	         { 0x1f, 2, { 0x0000001e, 0xffffffff, 0xffffffff, 0xffffffff } },
	         { 0x1f, 3, { 0, 0, 0x00000103, 0 } }, { 0x1f, 4, { 0, 0, 0x00000204, 0 } },
	         { 0x1f, 5, { 0, 0, 0x00000205, 0 } }, { 0x1f, 6, { 0, 0, 0x00000206, 0 } },
	         { 0x1f, 7, { 0, 0, 0x00000207, 0 } }, { 0x1f, 8, { 31, 0, 0x00000108, 0 } });
	asked = 0;
	check_bits("CPUID.1FH", 0, 31);
	check_eq_u64("questions", asked, 2 + 8);
	check_place(0xffffffff, 1, 0x7fffffff, 0);
}

/* Made up: levels after the last one do not count. */
UNIT_TEST(levels_end_at_type_0)
{
	cpuid_is({ 0x1f, 0, { 0x00000001, 0x00000002, 0x00000100, 0x00000025 } },
	         { 0x1f, 1, { 0x00000003, 0x00000008, 0x00000201, 0x00000025 } },
	         { 0x1f, 2, { 0x0000000f, 0x00000000, 0x00000002, 0x00000025 } },
	         { 0x1f, 3, { 0x0000000f, 0x00000000, 0x00000303, 0x00000025 } });
	check_bits("CPUID.1FH", 1, 2);
	check_place(0x25, 4, 2, 1);
}

UNIT_TEST(a_package_of_one_core)
{
	cpuid_is({ 0x1f, 0, { 0x00000004, 0x00000001, 0x00000100, 0x00000025 } });
	check_bits("CPUID.1FH", 4, 0);
	check_place(0x25, 2, 0, 5);
}

UNIT_TEST(of_this_processor)
{
	cpuid_is({ 1, 0, { 0x00000525, 0x00000000, 0x00000000, 0x000001BF } });
	apic.is_present = true;
	check_eq_u64("the local APIC's ID", topology_of_this().apic_id, 0x5a);
	apic.is_present = false;
	check_eq_u64("without a local APIC", topology_of_this().apic_id, 0);
	cpuid_is({ 0xb, 0, { 0x00000001, 0x00000002, 0x00000100, 0x00000003 } },
	         { 0xb, 1, { 0x00000004, 0x00000008, 0x00000201, 0x00000003 } });
	check_eq_u64("CPUID's ID", topology_of_this().apic_id, 3);
	check_eq_u64("core", topology_of_this().core, 1);
}

static void check_count(const struct topology *t, unsigned count, unsigned packages,
                        unsigned cores, unsigned threads)
{
	const struct topology *pointers[8];
	struct topology_count got;

	for (unsigned i = 0; i < count; i++)
		pointers[i] = &t[i];
	got = topology_count(pointers, count);
	check_eq_u64("packages", got.packages, packages);
	check_eq_u64("cores", got.cores, cores);
	check_eq_u64("threads", got.threads, threads);
}

UNIT_TEST(counting)
{
	static const struct topology t[] = {
		{ .package = 0, .core = 0, .thread = 0 }, { .package = 0, .core = 0, .thread = 1 },
		{ .package = 0, .core = 3, .thread = 0 }, { .package = 0, .core = 3, .thread = 1 },
		{ .package = 5, .core = 0, .thread = 0 }, { .package = 5, .core = 3, .thread = 1 },
	};
	static const struct topology same[] = {
		{ .core = 2 }, { .core = 2 }, { .core = 1 }, { .core = 2 }, { .core = 1 },
	};

	check_count(t, 0, 0, 0, 0);
	check_count(t, 1, 1, 1, 1);
	check_count(t, 2, 1, 1, 2);
	check_count(t, 4, 1, 2, 4);
	check_count(t, 6, 2, 4, 6);
	check_count(same, 5, 1, 2, 2);  /* one ID twice, which is only possible by a defect */
}

UNIT_MAIN()
