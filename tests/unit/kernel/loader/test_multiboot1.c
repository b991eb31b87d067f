/* SPDX-License-Identifier: MIT */
/* LINK: kernel/loader/bootinfo.c kernel/loader/boot_reader.c kernel/loader/multiboot1.c */
/* LINK: kernel/loader/pvh_info.c kernel/loader/multiboot2.c */
/* LINK: kernel/lib/format.c */
#include <kernel/loader/bootinfo.h>

#include <tests/unit/kernel/loader/bootinfo_blocks.h>
#include <tests/unit/unit.h>

/* The fields up to framebuffer_addr (offset 88); the texts and the map follow the
 * information at BASE. */
#define INFO1(flags, mem_upper, cmdline, mmap_length, mmap_addr, loader) \
	U32(flags), U32(640), U32(mem_upper), U32(0x8000ffff), U32(cmdline), U32(0), U32(0), \
	U32(0), U32(0), U32(0), U32(0), U32(mmap_length), U32(mmap_addr), U32(0), U32(0), U32(0), \
	U32(loader), U32(0), U32(0), U32(0), U32(0), U32(0)
#define AFTER1 0x10058        /* the first byte after INFO1 */
#define NOWHERE 0x66666666

UNIT_TEST(without_flags_nothing_is_known)
{
	static const uint8_t block[] = { INFO1(0, 1024, NOWHERE, 24, NOWHERE, NOWHERE) };

	parse(MAGIC1, block);
	check_problem("");
	check_eq_u64("protocol", b.protocol, BOOT_PROTOCOL_MULTIBOOT1);
	check_nothing_known();
}

/* QEMU's -kernel sets these flags (hw/i386/multiboot.c). */
UNIT_TEST(what_qemu_tells)
{
	static const uint8_t block[] = {
		INFO1(0x24f, 0x1fb80, AFTER1 + 48, 48, AFTER1, AFTER1 + 56),
		U32(20), U64(0), U64(0x9fc00), U32(1),
		U32(20), U64(0x100000), U64(0x7ee0000), U32(1),
		'a', '.', 'e', 'l', 'f', ' ', 'x', 0, 'q', 'e', 'm', 'u', 0,
	};

	parse(MAGIC1, block);
	check_problem("");
	check_str("cmdline", b.cmdline, "a.elf x");
	check_str("loader", b.loader, "qemu");
	check_true("a path may be first", bootinfo_may_begin_with_path(&b));
	check_eq_u64("ranges", b.range_count, 2);
	check_eq_u64("base of 0", b.range[0].base, 0);
	check_eq_u64("length of 0", b.range[0].length, 0x9fc00);
	check_eq_u64("base of 1", b.range[1].base, 0x100000);
	check_eq_u64("type of 1", b.range[1].type, 1);
	check_eq_u64("top", b.memory_top, 0x7fe0000);
	check_true("neither EFI nor framebuffer", !b.is_efi && !b.has_framebuffer);
}

UNIT_TEST(upper_memory)
{
	static const uint8_t block[] = { INFO1(1, 15360, NOWHERE, 24, NOWHERE, NOWHERE) };

	parse(MAGIC1, block);
	check_problem("");
	check_eq_u64("top", b.memory_top, 16 * MB);
}

UNIT_TEST(framebuffer)
{
	static const uint8_t block[] = {
		INFO1(0x1000, 0, 0, 0, 0, 0),
		U64(0xe0000000), U32(1920), U32(640), U32(480), 24, 1, 16, 8, 8, 7, 0, 6,
	};

	parse(MAGIC1, block);
	check_problem("");
	if (!check_true("has a framebuffer", b.has_framebuffer))
		return;
	check_eq_u64("address", b.framebuffer.address, 0xe0000000);
	check_eq_u64("pitch", b.framebuffer.pitch, 1920);
	check_eq_u64("width", b.framebuffer.width, 640);
	check_eq_u64("height", b.framebuffer.height, 480);
	check_eq_u64("red", b.framebuffer.red_position * 100u + b.framebuffer.red_size, 1608);
	check_eq_u64("green", b.framebuffer.green_position * 100u + b.framebuffer.green_size, 807);
	check_eq_u64("blue", b.framebuffer.blue_position * 100u + b.framebuffer.blue_size, 6);
}

UNIT_TEST(framebuffer_beyond_memory)
{
	static const uint8_t block[] = { INFO1(0x1001, 1024, 0, 0, 0, 0), U64(0xe0000000) };

	parse(MAGIC1, block);
	check_problem("boot information: no memory at 10058H");
	check_true("no framebuffer", !b.has_framebuffer);
	check_true("memory is known", b.has_memory);
}

UNIT_TEST(longer_map_entries)
{
	static const uint8_t block[] = {
		INFO1(0x40, 0, 0, 60, AFTER1, 0),
		U32(28), U64(0x100000), U64(0x100000), U32(1), U64(0x1111111111111111),
		U32(24), U64(0x200000), U64(0x100000), U32(1), U32(0x11111111),
	};

	parse(MAGIC1, block);
	check_problem("");
	check_eq_u64("ranges", b.range_count, 2);
	check_eq_u64("top", b.memory_top, 3 * MB);
}

UNIT_TEST(map_entry_of_size_0_does_not_hang)
{
	static const uint8_t block[] = {
		INFO1(0x40, 0, 0, 24, AFTER1, 0), U32(0), U64(0x100000), U64(0x100000), U32(1),
	};

	parse(MAGIC1, block);
	check_problem("multiboot 1 memory map: entry of size 0, expected 20 to 20");
	check_eq_u64("ranges", b.range_count, 0);
}

UNIT_TEST(map_entry_beyond_the_end)
{
	static const uint8_t block[] = {
		INFO1(0x40, 0, 0, 24, AFTER1, 0), U32(21), U64(0x100000), U64(0x100000), U32(1), 0,
	};

	parse(MAGIC1, block);
	check_problem("multiboot 1 memory map: entry of size 21, expected 20 to 20");
}

UNIT_TEST(map_entry_size_that_wraps)
{
	static const uint8_t block[] = {
		INFO1(0x40, 0, 0, 24, AFTER1, 0),
		U32(0xfffffffc), U64(0x100000), U64(0x100000), U32(1),
	};

	parse(MAGIC1, block);
	check_problem("multiboot 1 memory map: entry of size 4294967292, expected 20 to 20");
}

UNIT_TEST(map_with_bytes_left_over)
{
	static const uint8_t block[] = {
		INFO1(0x40, 0, 0, 27, AFTER1, 0), U32(20), U64(0x100000), U64(0x100000), U32(1),
		0, 0, 0,
	};

	parse(MAGIC1, block);
	check_problem("multiboot 1 memory map: 3 bytes after the last entry");
	check_eq_u64("ranges", b.range_count, 1);
}

UNIT_TEST(map_beyond_belief)
{
	static const uint8_t block[] = {
		INFO1(0x40, 0, 0, 0xffffffff, AFTER1, 0),
		U32(20), U64(0x100000), U64(0x100000), U32(1),
	};

	parse(MAGIC1, block);
	check_problem("multiboot 1 memory map: 4294967295 bytes, 262144 are read");
	check_eq_u64("ranges", b.range_count, 1);
}

UNIT_TEST(nothing_of_the_map_is_read_beyond_belief)
{
	static uint8_t block[0x58 + 262144 + 24] = {
		INFO1(0x40, 0, 0, 262144 + 24, AFTER1, 0),
		U32(262140), U64(0x100000), U64(0x100000), U32(1),
	};
	static const uint8_t after[] = { U32(20), U64(0x200000), U64(0x100000), U32(1) };

	memcpy(block + 0x58 + 262144, after, sizeof(after));
	parse(MAGIC1, block);
	check_problem("multiboot 1 memory map: 262168 bytes, 262144 are read");
	check_eq_u64("ranges", b.range_count, 1);
}

UNIT_TEST(map_beyond_memory)
{
	static const uint8_t block[] = {
		INFO1(0x40, 0, 0, 48, AFTER1, 0), U32(20), U64(0x100000), U64(0x100000), U32(1),
		U32(20), U64(0x200000),
	};

	parse(MAGIC1, block);
	check_problem("boot information: no memory at 10074H");
	check_eq_u64("ranges", b.range_count, 1);
}

UNIT_TEST(text_beyond_memory)
{
	static const uint8_t block[] = {
		INFO1(0x205, 1024, AFTER1, 0, 0, NOWHERE), 'l', 'i', 's', 't',
	};

	parse(MAGIC1, block);
	check_problem("boot information: no memory at 1005CH");
	check_str("what exists is kept", b.cmdline, "list");
	check_str("loader", b.loader, "");
	check_true("memory is known", b.has_memory);
}

UNIT_TEST(long_command_line_is_truncated)
{
	uint8_t block[0x58 + 2000] = { INFO1(4, 0, AFTER1, 0, 0, 0) };

	memset(block + 0x58, 'x', 2000);
	parse(MAGIC1, block);
	check_problem("");
	check_true("truncated", b.cmdline_truncated);
	check_eq_u64("length", strlen(b.cmdline), 1023);
}

UNIT_TEST(information_cut_in_the_middle)
{
	static const uint8_t block[] = { U32(0x5), U32(640), U32(1024), U32(0) };

	parse(MAGIC1, block);
	check_problem("boot information: no memory at 10010H");
	check_eq_u64("top", b.memory_top, 2 * MB);
}

UNIT_MAIN()
