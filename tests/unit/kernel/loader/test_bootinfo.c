/* SPDX-License-Identifier: MIT */
/* LINK: kernel/loader/bootinfo.c kernel/loader/boot_reader.c kernel/loader/multiboot1.c */
/* LINK: kernel/loader/pvh_info.c kernel/loader/multiboot2.c */
/* LINK: kernel/lib/format.c */
/* Both protocols share the magic, the memory from which the parser reads, and the top of memory. */
#include <kernel/loader/bootinfo.h>

#include <tests/unit/kernel/loader/bootinfo_blocks.h>
#include <tests/unit/unit.h>

UNIT_TEST(a_wrong_magic_is_a_problem)
{
	static const uint8_t block[] = { U32(16), U32(0), END_TAG };

	parse(0x12345678, block);
	check_problem("multiboot magic is 12345678H, expected 36D76289H or 2BADB002H");
	check_eq_u64("protocol", b.protocol, BOOT_PROTOCOL_NONE);
	check_nothing_known();
}

UNIT_TEST(the_magic_of_the_image_is_not_the_loaders)
{
	static const uint8_t block[] = { U32(16), U32(0), END_TAG };

	parse(0x1BADB002, block);
	check_problem("multiboot magic is 1BADB002H, expected 36D76289H or 2BADB002H");
	parse(0xE85250D6, block);
	check_problem("multiboot magic is E85250D6H, expected 36D76289H or 2BADB002H");
}

UNIT_TEST(information_outside_of_memory_is_a_problem)
{
	static const uint8_t block[] = { U32(16), U32(0), END_TAG };

	host_memory_parse(&b, MAGIC2, 0x9000, BASE, block, sizeof(block));
	check_problem("boot information: no memory at 9000H");
	check_eq_u64("protocol", b.protocol, BOOT_PROTOCOL_MULTIBOOT2);
	check_nothing_known();
	host_memory_parse(&b, MAGIC1, 0x9000, BASE, block, sizeof(block));
	check_problem("boot information: no memory at 9000H");
	check_eq_u64("protocol", b.protocol, BOOT_PROTOCOL_MULTIBOOT1);
	check_nothing_known();
}

UNIT_TEST(identity_memory_ends_at_4_gb)
{
	const struct physical_memory *mem = &physical_memory_identity;

	check_true("in the middle", mem->at(mem, MB, 16) == (void *)(uintptr_t)MB);
	check_true("the last bytes", mem->at(mem, 0xfffffff0, 16) == (void *)(uintptr_t)0xfffffff0);
	check_true("one too many", mem->at(mem, 0xfffffff0, 17) == NULL);
	check_true("an address above 4 GB", mem->at(mem, UINT64_C(0x100000000), 1) == NULL);
	check_true("a size beyond all", mem->at(mem, MB, SIZE_MAX) == NULL);
}

#define MAP(...) \
	do { \
		static const uint8_t entries[] = { __VA_ARGS__ }; \
		uint8_t tags[1024] = { U32(6), U32(16 + sizeof(entries)), U32(24), U32(0) }; \
		memcpy(tags + 16, entries, sizeof(entries)); \
		parse_tag_bytes(tags, 16 + sizeof(entries)); \
	} while (0)
#define RANGE(base, length, type) U64(base), U64(length), U32(type), U32(0)

UNIT_TEST(ranges_that_touch_are_one_in_any_order)
{
	MAP(RANGE(0x300000, 0x100000, 1), RANGE(0x100000, 0x100000, 1),
	    RANGE(0x200000, 0x100000, 1));
	check_problem("");
	check_eq_u64("top", b.memory_top, 4 * MB);
}

UNIT_TEST(a_range_may_begin_below_1_mb)
{
	MAP(RANGE(0, 0x2000000, 1));
	check_problem("");
	check_eq_u64("top", b.memory_top, 32 * MB);
}

UNIT_TEST(a_gap_ends_the_memory)
{
	MAP(RANGE(0x100000, 0xf00000, 1), RANGE(0x1000001, 0x1000000, 1));
	check_problem("");
	check_eq_u64("top", b.memory_top, 16 * MB);
}

UNIT_TEST(what_is_reserved_ends_the_memory)
{
	MAP(RANGE(0x100000, 0xf00000, 1), RANGE(0x800000, 0x1000, 2));
	check_problem("");
	check_eq_u64("top", b.memory_top, 8 * MB);
	MAP(RANGE(0x100000, 0xf00000, 1), RANGE(0x800000, 0, 2), RANGE(0xf0000, 0x10000, 2));
	check_problem("");
	check_eq_u64("top, nothing reserved in it", b.memory_top, 16 * MB);
}

UNIT_TEST(only_type_1_is_usable)
{
	MAP(RANGE(0x100000, 0x100000, 1), RANGE(0x200000, 0x100000, 3),
	    RANGE(0x300000, 0x100000, 1));
	check_problem("");
	check_eq_u64("top", b.memory_top, 2 * MB);
}

UNIT_TEST(memory_that_has_not_1_mb_is_a_problem)
{
	MAP(RANGE(0, 0x100000, 1), RANGE(0x200000, 0x100000, 1));
	check_problem("boot information: the memory map has no usable memory at 1 MB");
	check_true("memory is unknown", !b.has_memory);
	MAP(RANGE(0x100000, 0x100000, 1), RANGE(0xff000, 0x2000, 2));
	check_problem("boot information: the memory map has no usable memory at 1 MB");
}

UNIT_TEST(a_range_that_wraps_ends_with_the_address_space)
{
	MAP(RANGE(0x100000, 0xffffffffffffffff, 1));
	check_problem("");
	check_eq_u64("top", b.memory_top, UINT64_MAX);
	MAP(RANGE(0x100000, 0x100000, 1), RANGE(0xffffffffffffffff, 2, 1));
	check_eq_u64("a range elsewhere", b.memory_top, 2 * MB);
}

UNIT_TEST(no_upper_memory_is_no_memory)
{
	parse_tags(U32(4), U32(16), U32(640), U32(0));
	check_problem("");
	check_true("memory is unknown", !b.has_memory);
	parse_tags(U32(4), U32(16), U32(640), U32(0xffffffff));
	check_eq_u64("the most", b.memory_top, UINT64_C(0x400000FFC00));
}

UNIT_MAIN()
