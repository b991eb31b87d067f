/* SPDX-License-Identifier: MIT */
/*
 * Makes blocks of bytes for the tests of the boot information.
 *
 * The blocks are typed from "Multiboot Specification version 0.6.96", "Boot information format",
 * and "Multiboot2 Specification version 2.0", "Boot information"; not from the constants of the
 * kernel, so that a wrong one is found.
 */
#ifndef TESTS_UNIT_KERNEL_LOADER_BOOTINFO_BLOCKS_H
#define TESTS_UNIT_KERNEL_LOADER_BOOTINFO_BLOCKS_H

#include <kernel/loader/bootinfo.h>

#include <tests/unit/kernel/machine/host_memory.h>
#include <tests/unit/unit.h>

#define U8(v)   (uint8_t)(v)
#define U32(v)  U8(v), U8((v) >> 8), U8((v) >> 16), U8((v) >> 24)
#define U64(v)  U32(UINT64_C(v) & 0xffffffff), U32(UINT64_C(v) >> 32)
#define PAD4    0, 0, 0, 0

#define BASE    UINT64_C(0x10000)
#define MAGIC1  0x2BADB002
#define MAGIC2  0x36D76289
#define MB      0x100000
#define END_TAG U32(0), U32(8)

static struct bootinfo b;

/* Parses a whole block of memory at BASE. */
#define parse(magic, block) \
	host_memory_parse(&b, magic, BASE, BASE, block, sizeof(block))

/* Parses Multiboot2 tags between a correct total_size and an end tag. */
static inline void parse_tag_bytes(const uint8_t *tags, size_t size)
{
	uint8_t block[8192] = { U32(size + 16), U32(0) };
	static const uint8_t end[] = { END_TAG };

	memcpy(block + 8, tags, size);
	memcpy(block + 8 + size, end, sizeof(end));
	host_memory_parse(&b, MAGIC2, BASE, BASE, block, size + 16);
}

#define parse_tags(...) \
	do { \
		static const uint8_t tags[] = { __VA_ARGS__ }; \
		parse_tag_bytes(tags, sizeof(tags)); \
	} while (0)

#define check_problem(want) check_str("problem", b.problem, want)

static inline void check_nothing_known(void)
{
	check_str("cmdline", b.cmdline, "");
	check_str("loader", b.loader, "");
	check_true("flags", !b.cmdline_truncated && !b.is_efi && !b.has_framebuffer
	           && !b.has_memory && !b.ranges_truncated);
	check_eq_u64("ranges", b.range_count, 0);
	check_eq_u64("size of the RSDP", b.rsdp_size, 0);
}

/*
 * These are RSDPs of ACPI 1.0 and 2.0, whose checksums the parser ignores. Source: "Root System
 * Description Pointer (RSDP)".
 */
#define RSDP1 'R', 'S', 'D', ' ', 'P', 'T', 'R', ' ', 0x11, 'O', 'E', 'M', 'I', 'D', '1', 0, \
	U32(0x7fe1000)
#define RSDP2 'R', 'S', 'D', ' ', 'P', 'T', 'R', ' ', 0x22, 'O', 'E', 'M', 'I', 'D', '2', 2, \
	U32(0x7fe1000), U32(36), U64(0x7fe2000), 0x33, 0, 0, 0

#endif
