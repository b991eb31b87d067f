/* SPDX-License-Identifier: MIT */
/* LINK: kernel/loader/bootinfo.c kernel/loader/boot_reader.c kernel/loader/multiboot1.c */
/* LINK: kernel/loader/pvh_info.c kernel/loader/multiboot2.c */
/* LINK: kernel/lib/format.c */
/*
 * Fuzzes bootinfo_parse(): the input is the machine's memory, with the information at its
 * beginning. Memory begins at 0, so that small numbers are addresses inside it.
 */
#include <kernel/loader/bootinfo.h>

#include <tests/unit/fuzz.h>
#include <tests/unit/kernel/machine/host_memory.h>

static void require_framebuffer(const struct framebuffer_info *f)
{
	REQUIRE(f->type <= 2);
	REQUIRE(f->bpp >= 8 && f->bpp <= 32);
	REQUIRE(f->width > 0 && f->height > 0);
	REQUIRE(f->pitch / ((f->bpp + 7u) / 8) >= f->width);
	REQUIRE(f->red_position + f->red_size <= 32);
	REQUIRE(f->green_position + f->green_size <= 32);
	REQUIRE(f->blue_position + f->blue_size <= 32);
}

/* Returns whether a range of this kind contains the byte. */
static bool has_byte(const struct bootinfo *b, bool is_usable, uint64_t address)
{
	for (unsigned i = 0; i < b->range_count; i++) {
		const struct memory_range *range = &b->range[i];

		if ((range->type == 1) == is_usable && address >= range->base
		    && address - range->base < range->length)
			return true;
	}
	return false;
}

/* The last byte below the top is usable, the first one above it is not. */
static void require_memory(const struct bootinfo *b)
{
	const uint64_t megabyte = 0x100000;
	bool is_from_map = has_byte(b, true, megabyte) && !has_byte(b, false, megabyte);

	REQUIRE(b->memory_top > megabyte);
	if (!is_from_map)
		return;
	REQUIRE(has_byte(b, true, b->memory_top - 1) && !has_byte(b, false, b->memory_top - 1));
	REQUIRE(b->memory_top == UINT64_MAX || !has_byte(b, true, b->memory_top)
	        || has_byte(b, false, b->memory_top));
}

static void require_sound(const struct bootinfo *b)
{
	REQUIRE(memchr(b->cmdline, '\0', sizeof(b->cmdline)));
	REQUIRE(memchr(b->loader, '\0', sizeof(b->loader)));
	REQUIRE(memchr(b->problem, '\0', sizeof(b->problem)));
	REQUIRE(!b->cmdline_truncated || strlen(b->cmdline) == sizeof(b->cmdline) - 1);
	REQUIRE(b->range_count <= BOOTINFO_RANGES_MAX);
	REQUIRE(!b->ranges_truncated || b->range_count == BOOTINFO_RANGES_MAX);
	REQUIRE(b->rsdp_size == 0 || (b->rsdp_size >= 20 && b->rsdp_size <= BOOTINFO_RSDP_SIZE));
	if (b->has_framebuffer)
		require_framebuffer(&b->framebuffer);
	if (b->has_memory)
		require_memory(b);
	else
		REQUIRE(b->memory_top == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint32_t magics[] = { 0x2BADB002, 0x36D76289, 0x336EC578, 0 };
	static struct bootinfo b;

	for (unsigned i = 0; i < 4; i++) {
		unsigned long calls = host_memory_parse(&b, magics[i], 0, 0, data, size);

		require_sound(&b);
		REQUIRE(b.protocol != BOOT_PROTOCOL_NONE || b.problem[0]);
		/* One read for each byte of two texts, and some for each tag or entry. */
		REQUIRE(calls <= 2 * size + BOOTINFO_CMDLINE_SIZE + BOOTINFO_LOADER_SIZE + 16);
	}
	return 0;
}
