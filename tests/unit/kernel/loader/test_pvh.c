/* SPDX-License-Identifier: MIT */
/* LINK: kernel/loader/bootinfo.c kernel/loader/boot_reader.c kernel/loader/multiboot1.c */
/* LINK: kernel/loader/pvh_info.c kernel/loader/multiboot2.c */
/* LINK: kernel/lib/format.c */
#include <kernel/loader/bootinfo.h>

#include <tests/unit/kernel/loader/bootinfo_blocks.h>
#include <tests/unit/unit.h>

/* Typed from Xen's start_info.h: magic, version, flags, modules, and addresses of 8 bytes. */
#define MAGIC_PVH  0x336ec578
#define INFO_PVH(magic, version, cmdline, rsdp, map, entries) \
	U32(magic), U32(version), U32(0), U32(0), U64(0), U32(cmdline), U32(0), U32(rsdp), \
	U32(0), U32(map), U32(0), \
	U32(entries), U32(0)
#define AFTER_PVH  0x10038
#define NOWHERE    0x66666666

UNIT_TEST(what_a_hypervisor_tells)
{
	static const uint8_t block[] = {
		INFO_PVH(MAGIC_PVH, 1, AFTER_PVH + 48, AFTER_PVH + 56, AFTER_PVH, 2),
		U64(0), U64(0x9fc00), U32(1), U32(0),
		U64(0x100000), U64(0x7ee0000), U32(1), U32(0),
		'o', 'n', 'l', 'y', '=', 'x', 0, 0, RSDP2,
	};

	parse(MAGIC_PVH, block);
	check_problem("");
	check_eq_u64("protocol", b.protocol, BOOT_PROTOCOL_PVH);
	check_str("cmdline", b.cmdline, "only=x");
	check_eq_u64("ranges", b.range_count, 2);
	check_eq_u64("length of 0", b.range[0].length, 0x9fc00);
	check_eq_u64("base of 1", b.range[1].base, 0x100000);
	check_eq_u64("top", b.memory_top, 0x7fe0000);
	check_eq_u64("size of the RSDP", b.rsdp_size, 36);
	check_eq_u64("byte 15 of the RSDP, its revision", b.rsdp[15], 2);
}

UNIT_TEST(nothing_but_memory)
{
	static const uint8_t block[] = {
		INFO_PVH(MAGIC_PVH, 1, 0, 0, AFTER_PVH, 1),
		U64(0x100000), U64(0x100000), U32(1), U32(0),
	};

	parse(MAGIC_PVH, block);
	check_problem("");
	check_str("cmdline", b.cmdline, "");
	check_eq_u64("size of the RSDP", b.rsdp_size, 0);
	check_eq_u64("top", b.memory_top, 2 * MB);
}

UNIT_TEST(wrong_information)
{
	static const uint8_t other[] = { INFO_PVH(7, 1, 0, 0, 0, 0) };
	static const uint8_t old[] = { INFO_PVH(MAGIC_PVH, 0, 0, 0, NOWHERE, 9) };
	static const uint8_t far[] = { INFO_PVH(MAGIC_PVH, 1, 0, 0, NOWHERE, 1) };

	parse(MAGIC_PVH, other);
	check_problem("PVH: the start information begins with 7H, expected 336EC578H");
	check_nothing_known();
	parse(MAGIC_PVH, old);
	check_problem("PVH: start information of version 0 has no memory map");
	parse(MAGIC_PVH, far);
	check_true("a problem", b.problem[0]);
	check_eq_u64("ranges", b.range_count, 0);
}

UNIT_MAIN()
