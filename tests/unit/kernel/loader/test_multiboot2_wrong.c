/* SPDX-License-Identifier: MIT */
/* LINK: kernel/loader/bootinfo.c kernel/loader/boot_reader.c kernel/loader/multiboot1.c */
/* LINK: kernel/loader/pvh_info.c kernel/loader/multiboot2.c */
/* LINK: kernel/lib/format.c */
/* Information that breaks the specification is reported, and nothing else happens. */
#include <kernel/loader/bootinfo.h>

#include <tests/unit/kernel/loader/bootinfo_blocks.h>
#include <tests/unit/unit.h>

UNIT_TEST(total_size_too_small)
{
	static const uint8_t block[] = { U32(15), U32(0), END_TAG };

	parse(MAGIC2, block);
	check_problem("multiboot 2 information: total size is 15, the least is 16");
	check_nothing_known();
}

UNIT_TEST(total_size_beyond_memory)
{
	static const uint8_t block[] = {
		U32(4096), U32(0), U32(1), U32(10), 'a', 0, 0, 0, 0, 0, 0, 0,
	};

	parse(MAGIC2, block);
	check_problem("boot information: no memory at 10018H");
	check_str("what exists is read", b.cmdline, "a");
}

UNIT_TEST(total_size_beyond_belief)
{
	static const uint8_t block[] = {
		U32(0xffffffff), U32(0), U32(1), U32(10), 'a', 0, 0, 0, 0, 0, 0, 0, END_TAG,
	};

	parse(MAGIC2, block);
	check_problem("multiboot 2 information: total size is 4294967295, 262144 are read");
	check_str("what exists is read", b.cmdline, "a");
}

UNIT_TEST(nothing_is_read_beyond_belief)
{
	static uint8_t block[262144 + 24] = { U32(262144 + 24), U32(0), U32(21), U32(262144 - 8) };
	static const uint8_t after[] = { U32(1), U32(10), 'a', 0, 0, 0, 0, 0, 0, 0, END_TAG };

	memcpy(block + 262144, after, sizeof(after));
	parse(MAGIC2, block);
	check_problem("multiboot 2 information: total size is 262168, 262144 are read");
	check_str("cmdline", b.cmdline, "");
}

UNIT_TEST(no_end_tag)
{
	static const uint8_t block[] = {
		U32(24), U32(0), U32(1), U32(10), 'a', 0, 0, 0, 0, 0, 0, 0,
	};

	parse(MAGIC2, block);
	check_problem("multiboot 2 information: no end tag in 24 bytes");
	check_str("what exists is read", b.cmdline, "a");
}

UNIT_TEST(tag_smaller_than_its_header)
{
	static const uint8_t block[] = {
		U32(40), U32(0), U32(18), U32(8), U32(1), U32(3), U32(18), U32(8), END_TAG,
	};

	parse(MAGIC2, block);
	check_problem("multiboot 2 information: tag at offset 16 has size 3, the least is 8");
	check_true("the tag before it counts", b.is_efi);
}

UNIT_TEST(tag_of_size_0_does_not_hang)
{
	static const uint8_t block[] = { U32(24), U32(0), U32(1), U32(0), END_TAG };

	parse(MAGIC2, block);
	check_problem("multiboot 2 information: tag at offset 8 has size 0, the least is 8");
}

UNIT_TEST(tag_beyond_the_end)
{
	static const uint8_t block[] = {
		U32(32), U32(0), U32(1), U32(25), 'a', 0, 0, 0, 0, 0, 0, 0, END_TAG,
	};

	parse(MAGIC2, block);
	check_problem("multiboot 2 information: tag at offset 8 has size 25, 24 are left");
	check_str("cmdline", b.cmdline, "");
}

UNIT_TEST(tag_size_that_wraps)
{
	static const uint8_t block[] = { U32(24), U32(0), U32(1), U32(0xffffffff), END_TAG };

	parse(MAGIC2, block);
	check_problem("multiboot 2 information: tag at offset 8 has size 4294967295, 16 are left");
}

UNIT_TEST(text_without_end)
{
	parse_tags(U32(1), U32(12), 'l', 'i', 's', 't', PAD4, U32(18), U32(8));
	check_problem("boot information: a text of 4 bytes has no end");
	check_str("what exists is kept", b.cmdline, "list");
	check_true("the next tag is read", b.is_efi);
}

UNIT_TEST(text_tag_without_a_byte)
{
	parse_tags(U32(1), U32(8));
	check_problem("multiboot 2 information: tag of type 1 has size 8, the least is 9");
	check_str("cmdline", b.cmdline, "");
}

UNIT_TEST(long_command_line_is_truncated)
{
	uint8_t tags[8 + 1032] = { U32(1), U32(8 + 1025) };

	memset(tags + 8, 'x', 1023);
	parse_tag_bytes(tags, sizeof(tags));
	check_true("1023 characters fit", !b.cmdline_truncated);
	check_eq_u64("length", strlen(b.cmdline), 1023);
	memset(tags + 8, 'x', 1024);
	parse_tag_bytes(tags, sizeof(tags));
	check_true("1024 do not", b.cmdline_truncated);
	check_eq_u64("length", strlen(b.cmdline), 1023);
	check_problem("");
}

UNIT_TEST(long_loader_name_is_cut)
{
	uint8_t tags[8 + 104] = { U32(2), U32(8 + 101) };

	memset(tags + 8, 'x', 100);
	parse_tag_bytes(tags, sizeof(tags));
	check_problem("");
	check_eq_u64("length", strlen(b.loader), BOOTINFO_LOADER_SIZE - 1);
}

UNIT_TEST(basic_memory_too_short)
{
	parse_tags(U32(4), U32(12), U32(640), PAD4, U32(18), U32(8));
	check_problem("multiboot 2 information: tag of type 4 has size 12, the least is 16");
	check_true("memory is unknown", !b.has_memory);
	check_true("the next tag is read", b.is_efi);
}

UNIT_TEST(memory_map_too_short)
{
	parse_tags(U32(6), U32(12), U32(24), PAD4);
	check_problem("multiboot 2 information: tag of type 6 has size 12, the least is 16");
}

UNIT_TEST(memory_map_entry_size_0_does_not_hang)
{
	parse_tags(U32(6), U32(40), U32(0), U32(0), U64(0x100000), U64(0x100000), U32(1), U32(0));
	check_problem("multiboot 2 memory map: entries of size 0, the least is 24");
	check_eq_u64("ranges", b.range_count, 0);
}

UNIT_TEST(memory_map_entry_size_that_overlaps)
{
	parse_tags(U32(6), U32(40), U32(20), U32(0), U64(0x100000), U64(0x100000), U32(1), U32(0));
	check_problem("multiboot 2 memory map: entries of size 20, the least is 24");
}

UNIT_TEST(memory_map_with_part_of_an_entry)
{
	parse_tags(U32(6), U32(48), U32(24), U32(0), U64(0x100000), U64(0x100000), U32(1), U32(0),
	           U64(0x200000));
	check_problem("multiboot 2 memory map: 8 bytes after the last entry");
	check_eq_u64("ranges", b.range_count, 1);
	check_eq_u64("top", b.memory_top, 2 * MB);
}

UNIT_TEST(memory_map_with_a_huge_entry_size)
{
	parse_tags(U32(6), U32(40), U32(0xfffffff0), U32(0), U64(0x100000), U64(0x100000), U32(1),
	           U32(0));
	check_problem("multiboot 2 memory map: 24 bytes after the last entry");
	check_eq_u64("ranges", b.range_count, 0);
}

UNIT_TEST(more_ranges_than_are_kept)
{
	uint8_t tags[16 + 65 * 24] = { U32(6), U32(16 + 65 * 24), U32(24), U32(0) };

	for (unsigned i = 0; i < 65; i++) {
		const uint8_t entry[] = { U64(0x100000), U64(0x100000), U32(1), U32(0) };

		memcpy(tags + 16 + i * 24, entry, sizeof(entry));
	}
	parse_tag_bytes(tags, 16 + 65 * 24);
	check_problem("");
	check_eq_u64("ranges", b.range_count, BOOTINFO_RANGES_MAX);
	check_true("truncated", b.ranges_truncated);
}

UNIT_TEST(framebuffer_too_short)
{
	parse_tags(U32(8), U32(24), U64(0xb8000), U32(160), U32(80));
	check_problem("multiboot 2 information: tag of type 8 has size 24, the least is 30");
	check_true("no framebuffer", !b.has_framebuffer);
}

UNIT_TEST(rgb_framebuffer_without_colours)
{
	parse_tags(U32(8), U32(37), U64(0xfd000000), U32(4096), U32(1024), U32(768), 32, 1, 0, 0,
	           16, 8, 8, 8, 0, 0, 0, 0);
	check_problem("framebuffer: type is 1, its colours are missing");
	check_true("no framebuffer", !b.has_framebuffer);
}

UNIT_TEST(framebuffer_of_unknown_type)
{
	parse_tags(U32(8), U32(32), U64(0xb8000), U32(160), U32(80), U32(25), 16, 3, 0, 0);
	check_problem("framebuffer: type is 3, expected 0, 1 or 2");
	check_true("no framebuffer", !b.has_framebuffer);
}

UNIT_TEST(framebuffer_of_unusable_depth)
{
	parse_tags(U32(8), U32(32), U64(0xa0000), U32(80), U32(640), U32(480), 4, 0, 0, 0);
	check_problem("framebuffer: 4 bits per pixel, expected 8 to 32");
	parse_tags(U32(8), U32(32), U64(0xa0000), U32(8000), U32(640), U32(480), 64, 0, 0, 0);
	check_problem("framebuffer: 64 bits per pixel, expected 8 to 32");
	check_true("no framebuffer", !b.has_framebuffer);
}

UNIT_TEST(framebuffer_without_pixels)
{
	parse_tags(U32(8), U32(32), U64(0xb8000), U32(160), U32(0), U32(25), 16, 2, 0, 0);
	check_problem("framebuffer: its size is 0 x 25");
	parse_tags(U32(8), U32(32), U64(0xb8000), U32(160), U32(80), U32(0), 16, 2, 0, 0);
	check_problem("framebuffer: its size is 80 x 0");
	check_true("no framebuffer", !b.has_framebuffer);
}

UNIT_TEST(framebuffer_lines_that_overlap)
{
	parse_tags(U32(8), U32(32), U64(0xb8000), U32(159), U32(80), U32(25), 16, 2, 0, 0);
	check_problem("framebuffer: pitch is 159 bytes, a line has 160");
	parse_tags(U32(8), U32(32), U64(0xb8000), U32(160), U32(0x80000001), U32(25), 16, 2, 0, 0);
	check_problem("framebuffer: pitch is 160 bytes, a line has 4294967298");
	check_true("no framebuffer", !b.has_framebuffer);
}

UNIT_TEST(framebuffer_colours_outside_of_a_pixel)
{
	parse_tags(U32(8), U32(38), U64(0xfd000000), U32(4096), U32(1024), U32(768), 24, 1, 0, 0,
	           17, 8, 8, 8, 0, 8, 0, 0);
	check_problem("framebuffer: a colour is outside of the 24 bits of a pixel");
	check_true("no framebuffer", !b.has_framebuffer);
	parse_tags(U32(8), U32(38), U64(0xfd000000), U32(4096), U32(1024), U32(768), 32, 1, 0, 0,
	           16, 8, 255, 255, 0, 8, 0, 0);
	check_problem("framebuffer: a colour is outside of the 32 bits of a pixel");
	parse_tags(U32(8), U32(38), U64(0xfd000000), U32(4096), U32(1024), U32(768), 32, 1, 0, 0,
	           16, 8, 8, 8, 0, 33, 0, 0);
	check_problem("framebuffer: a colour is outside of the 32 bits of a pixel");
}

UNIT_TEST(rsdp_too_short)
{
	parse_tags(U32(14), U32(27), RSDP1, PAD4);
	check_problem("multiboot 2 information: tag of type 14 has size 27, the least is 28");
	check_eq_u64("size", b.rsdp_size, 0);
	parse_tags(U32(15), U32(28), RSDP1, PAD4);
	check_problem("multiboot 2 information: tag of type 15 has size 28, the least is 44");
	check_eq_u64("size", b.rsdp_size, 0);
}

UNIT_TEST(the_first_problem_stays)
{
	parse_tags(U32(14), U32(8), U32(4), U32(8), U32(1), U32(10), 'a', 0, 0, 0, 0, 0, 0, 0);
	check_problem("multiboot 2 information: tag of type 14 has size 8, the least is 28");
	check_str("and parsing goes on", b.cmdline, "a");
}

UNIT_MAIN()
