/* SPDX-License-Identifier: MIT */
/* LINK: kernel/loader/bootinfo.c kernel/loader/boot_reader.c kernel/loader/multiboot1.c */
/* LINK: kernel/loader/pvh_info.c kernel/loader/multiboot2.c */
/* LINK: kernel/lib/format.c */
#include <kernel/loader/bootinfo.h>

#include <tests/unit/kernel/loader/bootinfo_blocks.h>
#include <tests/unit/unit.h>

UNIT_TEST(without_tags_nothing_is_known)
{
	static const uint8_t block[] = { U32(16), U32(0), END_TAG };

	parse(MAGIC2, block);
	check_problem("");
	check_eq_u64("protocol", b.protocol, BOOT_PROTOCOL_MULTIBOOT2);
	check_nothing_known();
}

UNIT_TEST(texts)
{
	parse_tags(U32(1), U32(13), 'l', 'i', 's', 't', 0, 0, 0, 0,
	           U32(2), U32(18), 'G', 'R', 'U', 'B', ' ', '2', '.', '0', '6', 0,
	           0, 0, 0, 0, 0, 0);
	check_problem("");
	check_str("cmdline", b.cmdline, "list");
	check_str("loader", b.loader, "GRUB 2.06");
	check_true("not truncated", !b.cmdline_truncated);
	check_true("GRUB puts no path first", !bootinfo_may_begin_with_path(&b));
}

/* kexec-tools (kexec/arch/i386/kexec-mb2-x86.c) writes the path that it was given, and its name. */
UNIT_TEST(what_kexec_tells)
{
	parse_tags(U32(1), U32(16), '/', 'b', '.', 'e', 'l', 'f', ' ', 0,
	           U32(2), U32(14), 'k', 'e', 'x', 'e', 'c', 0, 0, 0);
	check_problem("");
	check_true("a path may be first", bootinfo_may_begin_with_path(&b));
}

UNIT_TEST(an_empty_command_line)
{
	parse_tags(U32(1), U32(9), 0, 0, 0, 0, 0, 0, 0, 0);
	check_problem("");
	check_str("cmdline", b.cmdline, "");
}

UNIT_TEST(basic_memory)
{
	parse_tags(U32(4), U32(16), U32(640), U32(15360));
	check_problem("");
	check_true("has memory", b.has_memory);
	check_eq_u64("top", b.memory_top, 16 * MB);
}

UNIT_TEST(memory_map)
{
	parse_tags(U32(4), U32(16), U32(640), U32(1024),
	           U32(6), U32(88), U32(24), U32(0),
	           U64(0), U64(0x9fc00), U32(1), U32(0),
	           U64(0x9fc00), U64(0x400), U32(2), U32(0),
	           U64(0x100000), U64(0x7ee0000), U32(1), U32(0));
	check_problem("");
	check_true("has memory", b.has_memory);
	check_eq_u64("top: the map's, not mem_upper's", b.memory_top, 0x7fe0000);
	check_eq_u64("ranges", b.range_count, 3);
	check_eq_u64("base of 1", b.range[1].base, 0x9fc00);
	check_eq_u64("length of 1", b.range[1].length, 0x400);
	check_eq_u64("type of 1", b.range[1].type, 2);
	check_eq_u64("length of 2", b.range[2].length, 0x7ee0000);
}

UNIT_TEST(memory_map_with_longer_entries)
{
	parse_tags(U32(6), U32(80), U32(32), U32(1),
	           U64(0), U64(0xa0000), U32(1), U32(0), U64(0x1111111111111111),
	           U64(0x100000), U64(0x100000), U32(1), U32(0), U64(0x1111111111111111));
	check_problem("");
	check_eq_u64("ranges", b.range_count, 2);
	check_eq_u64("top", b.memory_top, 2 * MB);
}

UNIT_TEST(rgb_framebuffer)
{
	parse_tags(U32(8), U32(38), U64(0xfd000000), U32(4096), U32(1024), U32(768), 32, 1, 0, 0,
	           16, 8, 8, 8, 0, 8, 0, 0);
	check_problem("");
	if (!check_true("has a framebuffer", b.has_framebuffer))
		return;
	check_eq_u64("address", b.framebuffer.address, 0xfd000000);
	check_eq_u64("pitch", b.framebuffer.pitch, 4096);
	check_eq_u64("width", b.framebuffer.width, 1024);
	check_eq_u64("height", b.framebuffer.height, 768);
	check_eq_u64("bpp", b.framebuffer.bpp, 32);
	check_eq_u64("type", b.framebuffer.type, 1);
	check_eq_u64("red", b.framebuffer.red_position * 100u + b.framebuffer.red_size, 1608);
	check_eq_u64("green", b.framebuffer.green_position * 100u + b.framebuffer.green_size, 808);
	check_eq_u64("blue", b.framebuffer.blue_position * 100u + b.framebuffer.blue_size, 8);
}

UNIT_TEST(framebuffer_above_4_gb)
{
	parse_tags(U32(8), U32(38), U64(0x4000000000), U32(2048), U32(640), U32(480), 24, 1, 0, 0,
	           16, 8, 8, 8, 0, 8, 0, 0);
	check_problem("");
	check_eq_u64("address", b.framebuffer.address, UINT64_C(0x4000000000));
}

UNIT_TEST(ega_text)
{
	parse_tags(U32(8), U32(32), U64(0xb8000), U32(160), U32(80), U32(25), 16, 2, 0, 0);
	check_problem("");
	check_true("has a framebuffer", b.has_framebuffer);
	check_eq_u64("type", b.framebuffer.type, 2);
	check_eq_u64("address", b.framebuffer.address, 0xb8000);
}

UNIT_TEST(indexed_framebuffer)
{
	parse_tags(U32(8), U32(37), U64(0xa0000), U32(320), U32(320), U32(200), 8, 0, 0, 0,
	           1, 0, 0xaa, 0xbb, 0xcc, 0, 0, 0);
	check_problem("");
	check_true("has a framebuffer", b.has_framebuffer);
	check_eq_u64("type", b.framebuffer.type, 0);
	check_eq_u64("a palette is no colour field", b.framebuffer.red_size, 0);
}

UNIT_TEST(efi)
{
	parse_tags(U32(11), U32(12), U32(0x7000000), PAD4);
	check_true("EFI 32-bit system table pointer", b.is_efi);
	parse_tags(U32(12), U32(16), U64(0x7000000));
	check_true("EFI 64-bit system table pointer", b.is_efi);
	parse_tags(U32(17), U32(16), U32(48), U32(1));
	check_true("EFI memory map", b.is_efi);
	parse_tags(U32(18), U32(8));
	check_true("EFI boot services not terminated", b.is_efi);
	parse_tags(U32(19), U32(12), U32(0x7000000), PAD4);
	check_true("EFI 32-bit image handle pointer", b.is_efi);
	parse_tags(U32(20), U32(16), U64(0x7000000));
	check_true("EFI 64-bit image handle pointer", b.is_efi);
	parse_tags(U32(13), U32(16), U64(0x7000000));
	check_true("SMBIOS tables", !b.is_efi);
	check_problem("");
}

UNIT_TEST(old_rsdp)
{
	static const uint8_t want[] = { RSDP1 };

	parse_tags(U32(14), U32(28), RSDP1, PAD4);
	check_problem("");
	check_eq_u64("size", b.rsdp_size, 20);
	check_true("bytes", memcmp(b.rsdp, want, sizeof(want)) == 0);
}

UNIT_TEST(new_rsdp_wins_in_any_order)
{
	static const uint8_t want[] = { RSDP2 };

	parse_tags(U32(14), U32(28), RSDP1, PAD4, U32(15), U32(44), RSDP2, PAD4);
	check_eq_u64("size, new last", b.rsdp_size, 36);
	check_true("bytes, new last", memcmp(b.rsdp, want, sizeof(want)) == 0);
	parse_tags(U32(15), U32(44), RSDP2, PAD4, U32(14), U32(28), RSDP1, PAD4);
	check_problem("");
	check_eq_u64("size, new first", b.rsdp_size, 36);
	check_true("bytes, new first", memcmp(b.rsdp, want, sizeof(want)) == 0);
}

UNIT_TEST(a_longer_rsdp_is_cut)
{
	parse_tags(U32(15), U32(52), RSDP2, U64(0xffffffffffffffff), PAD4);
	check_problem("");
	check_eq_u64("size", b.rsdp_size, 36);
}

UNIT_TEST(unknown_tags_are_skipped)
{
	parse_tags(U32(21), U32(12), U32(0x100000), PAD4,
	           U32(0xdeadbeef), U32(8),
	           U32(1), U32(10), 'a', 0, 0, 0, 0, 0, 0, 0);
	check_problem("");
	check_str("cmdline after them", b.cmdline, "a");
}

UNIT_MAIN()
