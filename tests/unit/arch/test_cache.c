/* SPDX-License-Identifier: MIT */
/* LINK: arch/cpu/cache.c */
/* L1 data caches by CPUID's registers. These are from processors (the dumps in Bochs 3.0's
 * cpu/cpudb), except where a comment says otherwise. */
#include <arch/cpu/cache.h>

#include <tests/unit/arch/topology_cpu.h>
#include <tests/unit/unit.h>

static void check_cache(uint32_t size, unsigned ways, unsigned line, uint32_t leaf)
{
	struct cache_shape shape = { 0 };

	check_true("found", cache_find_l1_data(&shape));
	check_eq_u64("size", shape.size, size);
	check_eq_u64("ways", shape.ways, ways);
	check_eq_u64("line", shape.line, line);
	check_eq_u64("leaf", shape.leaf, leaf);
}

UNIT_TEST(willamette_by_leaf_2)
{
	cpuid_is({ 2, 0, { 0x665B5001, 0x00000000, 0x00000000, 0x007A7040 } });
	check_cache(8 * 1024, 4, 64, 2);
}

UNIT_TEST(katmai_by_leaf_2)
{
	cpuid_is({ 2, 0, { 0x03020101, 0x00000000, 0x00000000, 0x0C040843 } });
	check_cache(16 * 1024, 4, 32, 2);
}

/* On Haswell leaf 4 lists L1 data first; Ice Lake has 12 ways. Code before data is made up. */
UNIT_TEST(by_leaf_4)
{
	cpuid_is({ 4, 0, { 0x1C004121, 0x01C0003F, 0x0000003F, 0 } },
	         { 4, 1, { 0x1C004122, 0x01C0003F, 0x0000003F, 0 } });
	check_cache(32 * 1024, 8, 64, 4);
	cpuid_is({ 4, 0, { 0x1C004121, 0x02C0003F, 0x0000003F, 0 } });
	check_cache(48 * 1024, 12, 64, 4);
	cpuid_is({ 4, 0, { 0x1C004122, 0x00C0003F, 0x0000007F, 0 } },
	         { 4, 1, { 0x1C004121, 0x0140003F, 0x0000003F, 0 } });
	check_cache(24 * 1024, 6, 64, 4);
}

/* Made up: only L2; a register without descriptors; AL, which is no descriptor. */
UNIT_TEST(none_is_known)
{
	struct cache_shape shape;

	cpuid_is({ 4, 0, { 0x1C004143, 0x01C0003F, 0x000001FF, 0 } });
	check_true("L2 alone", !cache_find_l1_data(&shape));
	cpuid_is({ 2, 0, { 0x80660001, 0x80000066, 0xC0660000, 0x00000000 } });
	check_true("bit 31 set", !cache_find_l1_data(&shape));
	cpuid_is({ 2, 0, { 0x00000066, 0x00000000, 0x00000000, 0x00000000 } });
	check_true("AL", !cache_find_l1_data(&shape));
}

/* Ryzen 7 1700 has 8 ways, Phenom 2. Made up: fully associative; a highest leaf that is too low. */
UNIT_TEST(amd_by_its_leaf)
{
	struct cache_shape shape;

	cpuid_is({ 0x80000000, 0, { 0x8000001F, 0, 0, 0 } },
	         { 0x80000005, 0, { 0xFF40FF40, 0xFF40FF40, 0x20080140, 0x40040140 } });
	check_true("found", cache_find_l1_data_of_amd(&shape));
	check_eq_u64("size", shape.size, 32 * 1024);
	check_eq_u64("ways", shape.ways, 8);
	check_eq_u64("line", shape.line, 64);
	cpuid_is({ 0x80000000, 0, { 0x80000005, 0, 0, 0 } },
	         { 0x80000005, 0, { 0, 0, 0x40020140, 0 } });
	check_true("found", cache_find_l1_data_of_amd(&shape));
	check_eq_u64("way", cache_way_size(&shape), 32 * 1024);
	cpuid_is({ 0x80000000, 0, { 0x80000005, 0, 0, 0 } },
	         { 0x80000005, 0, { 0, 0, 0x40FF0140, 0 } });
	check_true("fully associative", !cache_find_l1_data_of_amd(&shape));
	cpuid_is({ 0x80000000, 0, { 0x80000004, 0, 0, 0 } },
	         { 0x80000005, 0, { 0, 0, 0x40020140, 0 } });
	check_true("no such leaf", !cache_find_l1_data_of_amd(&shape));
}

UNIT_MAIN()
