/* SPDX-License-Identifier: MIT */
/* LINK: arch/smp/topology.c */
/* Topology without leaves 1FH and 0BH: leaves 4 and 1, and AMD's. */
#include <arch/smp/topology.h>

#include <tests/unit/arch/topology_cpu.h>
#include <tests/unit/unit.h>

UNIT_TEST(pentium_has_its_id_in_the_local_apic_only)
{
	cpuid_is({ 1, 0, { 0x00000525, 0x00000000, 0x00000000, 0x000001BF } });
	check_bits("CPUID.1", 0, 0);
	check_place(0x77, 0x77, 0, 0);
}

UNIT_TEST(without_cpuid_it_is_the_same)
{
	cpuid_is({ 0, 1, { 0, 0, 0, 0 } });
	check_bits("CPUID.1", 0, 0);
	check_place(0x77, 0x77, 0, 0);
}

UNIT_TEST(prescott_with_one_logical_processor)
{
	cpuid_is({ 1, 0, { 0x00000F41, 0x00010800, 0x0000651D, 0xBFEBFBFF } });
	set_id(6);
	check_bits("CPUID.1", 0, 0);
	check_place(6, 6, 0, 0);
}

/* The Prescott above with two logical processors, as it was also sold. */
UNIT_TEST(pentium_4_with_hyper_threading)
{
	cpuid_is({ 1, 0, { 0x00000F41, 0x00020800, 0x0000651D, 0xBFEBFBFF } });
	check_bits("CPUID.1", 1, 0);
	check_place(0, 0, 0, 0);
	set_id(1);
	check_place(1, 0, 0, 1);
	set_id(7);
	check_place(7, 3, 0, 1);
}

UNIT_TEST(without_htt_the_count_means_nothing)
{
	cpuid_is({ 1, 0, { 0x00000F12, 0x04040808, 0x00000000, 0x2FEBFBFF } });
	check_bits("CPUID.1", 0, 0);
	check_place(4, 4, 0, 0);
}

UNIT_TEST(core_2_by_leaf_4)
{
	cpuid_is({ 1, 0, { 0x0001067A, 0x00020800, 0x0C08E3FD, 0xBFEBFBFF } },
	         { 4, 0, { 0x04000121, 0x01C0003F, 0x0000003F, 0x00000001 } });
	check_bits("CPUID.4 and 1", 0, 1);
	set_id(1);
	check_place(1, 0, 1, 0);
	set_id(2);
	check_place(2, 1, 0, 0);
}

UNIT_TEST(atom_n270_has_one_core_of_two_threads)
{
	cpuid_is({ 1, 0, { 0x000106C2, 0x00020800, 0x0040C39D, 0xBFE9FBFF } },
	         { 4, 0, { 0x00004121, 0x0140003F, 0x0000003F, 0x00000001 } });
	check_bits("CPUID.4 and 1", 1, 0);
	set_id(1);
	check_place(1, 0, 0, 1);
}

/* Counts that are not powers of two are rounded up: 6 logical processors, 3 cores. Made up. */
UNIT_TEST(odd_counts_are_rounded_up)
{
	cpuid_is({ 1, 0, { 0x0001067A, 0x0D060800, 0x0C08E3FD, 0xBFEBFBFF } },
	         { 4, 0, { 0x08000121, 0x01C0003F, 0x0000003F, 0x00000001 } });
	check_bits("CPUID.4 and 1", 1, 2);
	check_place(0xd, 1, 2, 1);
}

/* Leaf 4 describes the chip, leaf 1 what is left of it. Bochs reports a single Core 2 so. */
UNIT_TEST(more_cores_than_logical_processors)
{
	cpuid_is({ 1, 0, { 0x0001067A, 0x03010800, 0x0C08E3FD, 0xBFEBFBFF } },
	         { 4, 0, { 0x04000121, 0x01C0003F, 0x0000003F, 0x00000001 } });
	check_bits("CPUID.4 and 1", 0, 0);
	check_place(3, 3, 0, 0);
}

UNIT_TEST(a_count_of_0_is_one)
{
	cpuid_is({ 1, 0, { 0x00000F41, 0x02000800, 0x0000651D, 0xBFEBFBFF } });
	check_bits("CPUID.1", 0, 0);
	check_place(2, 2, 0, 0);
}

/* Turion 64 X2 has two cores and ApicIdCoreIdSize 0. */
UNIT_TEST(amd_legacy_method)
{
	cpuid_is({ 0, 0, { 0x00000001, 0x68747541, 0x444D4163, 0x69746E65 } },
	         { 1, 0, { 0x00060F82, 0x00020800, 0x00002001, 0x178BFBFF } },
	         { 0x80000008, 0, { 0x00003028, 0x00000000, 0x00000001, 0x00000000 } });
	check_bits("CPUID.80000008H", 0, 1);
	set_id(1);
	check_place(1, 0, 1, 0);
	set_id(2);
	check_place(2, 1, 0, 0);
}

/* QEMU 7.2's n270 with two threads: AMD's leaf counts them as cores, and must be ignored. */
UNIT_TEST(amds_leaf_means_nothing_on_intel)
{
	cpuid_is({ 0, 0, { 0x00000005, 0x756E6547, 0x6C65746E, 0x49656E69 } },
	         { 1, 0, { 0x000106C2, 0x01020800, 0x0040C39D, 0xBFE9FBFF } },
	         { 4, 0, { 0x00004121, 0x01C0003F, 0x0000003F, 0x00000001 } },
	         { 0x80000008, 0, { 0x00003020, 0x00000000, 0x00000001, 0x00000000 } });
	check_bits("CPUID.4 and 1", 1, 0);
	check_place(1, 0, 0, 1);
	leaves[0].regs.ebx++;
	check_bits("CPUID.80000008H", 0, 1);
}

/* Phenom X3 has three cores and ApicIdCoreIdSize 2. */
UNIT_TEST(amd_core_id_size)
{
	cpuid_is({ 1, 0, { 0x00100F23, 0x00030800, 0x00802009, 0x178BFBFF } },
	         { 0x80000008, 0, { 0x00003030, 0x00000000, 0x00002002, 0x00000000 } });
	check_bits("CPUID.80000008H", 0, 2);
	set_id(6);
	check_place(6, 1, 2, 0);
}

/* Four cores in one package, as by 1:4:1. Made up. */
UNIT_TEST(amd_four_cores)
{
	cpuid_is({ 1, 0, { 0x00100F23, 0x00040800, 0x00802009, 0x178BFBFF } },
	         { 0x80000008, 0, { 0x00003030, 0x00000000, 0x00000003, 0x00000000 } });
	check_bits("CPUID.80000008H", 0, 2);
	set_id(5);
	check_place(5, 1, 1, 0);
}

/* Ryzen 7 1700X has eight cores of two threads, and an empty leaf 0BH. */
UNIT_TEST(amd_zen_has_threads)
{
	cpuid_is({ 1, 0, { 0x00800F11, 0x00100800, 0x7ED8320B, 0x178BFBFF } },
	         { 0x80000001, 0, { 0x00800F11, 0x20000000, 0x35C233FF, 0x2FD3FBFF } },
	         { 0x80000008, 0, { 0x00003030, 0x00000007, 0x0000400F, 0x00000000 } },
	         { 0x8000001e, 0, { 0x00000000, 0x00000100, 0x00000000, 0x00000000 } });
	check_bits("CPUID.80000008H", 1, 3);
	set_id(9);
	check_place(9, 0, 4, 1);
	set_id(0x12);
	check_place(0x12, 1, 1, 0);
}

/* The same with four cores, as by 1:4:2; and one without the topology extensions. Made up. */
UNIT_TEST(amd_four_cores_of_two_threads)
{
	cpuid_is({ 1, 0, { 0x00800F11, 0x0D080800, 0x7ED8320B, 0x178BFBFF } },
	         { 0x80000001, 0, { 0x00800F11, 0x20000000, 0x35C233FF, 0x2FD3FBFF } },
	         { 0x80000008, 0, { 0x00003030, 0x00000007, 0x00000007, 0x00000000 } },
	         { 0x8000001e, 0, { 0x00000000, 0x00000100, 0x00000000, 0x00000000 } });
	check_bits("CPUID.80000008H", 1, 2);
	check_place(0xd, 1, 2, 1);
	leaves[1].regs.ecx &= ~(UINT32_C(1) << 22);
	check_bits("CPUID.80000008H", 0, 3);
}

/* Four threads a package, but eight a core: made up, although Bochs 3.0 comes close to it. */
UNIT_TEST(amd_a_core_is_never_larger_than_its_package)
{
	cpuid_is({ 1, 0, { 0x00800F11, 0x0D040800, 0x7ED8320B, 0x178BFBFF } },
	         { 0x80000001, 0, { 0x00800F11, 0x20000000, 0x35C233FF, 0x2FD3FBFF } },
	         { 0x80000008, 0, { 0x00003030, 0x00000007, 0x00000003, 0x00000000 } },
	         { 0x8000001e, 0, { 0x00000000, 0x00000700, 0x00000000, 0x00000000 } });
	check_bits("CPUID.80000008H", 3, 0);
	check_place(0xd, 1, 0, 5);
}

/* Zambezi (family 15H): EBX[15:8] of leaf 8000001EH counts cores of a compute unit. */
UNIT_TEST(amd_compute_units_are_no_cores)
{
	cpuid_is({ 1, 0, { 0x00600F12, 0x00040800, 0x1E98220B, 0x178BFBFF } },
	         { 0x80000001, 0, { 0x00600F12, 0x10000000, 0x01C9BFFF, 0x2FD3FBFF } },
	         { 0x80000008, 0, { 0x00003030, 0x00000000, 0x00004003, 0x00000000 } },
	         { 0x8000001e, 0, { 0x00000000, 0x00000101, 0x00000000, 0x00000000 } });
	check_bits("CPUID.80000008H", 0, 4);
}

/* Bochs 3.0's ryzen with two cores of two threads: NC is cores - 1, leaf 1 counts all four. */
UNIT_TEST(amd_the_larger_count_is_the_packages)
{
	cpuid_is({ 1, 0, { 0x00600F12, 0x05040800, 0x7ED8320B, 0x178BFBFF } },
	         { 0x80000008, 0, { 0x00003030, 0x00000007, 0x00000001, 0x00000000 } });
	check_bits("CPUID.80000008H", 0, 2);
	check_place(5, 1, 1, 0);
}

UNIT_MAIN()
