/* SPDX-License-Identifier: MIT */
#include <kernel/loader/bootinfo.h>

#include <arch/regs/multiboot.h>
#include <arch/regs/pvh.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/loader/boot_reader.h>

#define MEGABYTE UINT64_C(0x100000)

static uint64_t find_range_end(const struct memory_range *range)
{
	bool is_past_end = range->length > UINT64_MAX - range->base;

	return is_past_end ? UINT64_MAX : range->base + range->length;
}

/*
 * Returns the end of the usable memory from 1 MB on, or 1 MB if there is none. Ranges may come in
 * any order.
 */
static uint64_t find_usable_end(const struct bootinfo *b)
{
	uint64_t top = MEGABYTE, last;

	do {
		last = top;
		for (unsigned i = 0; i < b->range_count; i++) {
			const struct memory_range *range = &b->range[i];
			uint64_t end = find_range_end(range);

			if (range->type == MULTIBOOT_MEMORY_AVAILABLE
			    && range->base <= top && end > top)
				top = end;
		}
	} while (top != last);
	return top;
}

/* BIOS maps sometimes overlap; memory that any range reserves is not used. */
static uint64_t find_memory_top(const struct bootinfo *b)
{
	uint64_t top = find_usable_end(b);

	for (unsigned i = 0; i < b->range_count; i++) {
		const struct memory_range *range = &b->range[i];

		if (range->type == MULTIBOOT_MEMORY_AVAILABLE || find_range_end(range) <= MEGABYTE)
			continue;
		if (range->length && range->base < top)
			top = range->base > MEGABYTE ? range->base : MEGABYTE;
	}
	return top;
}

/* The map is more accurate than mem_upper, which ends at the first hole at the latest. */
static void apply_memory_map(struct bootinfo *b)
{
	uint64_t top = find_memory_top(b);

	if (b->range_count == 0)
		return;
	if (top == MEGABYTE) {
		bootinfo_report(b, "boot information: the memory map has no usable memory at 1 MB");
		return;
	}
	b->has_memory = true;
	b->memory_top = top;
}

static const void *identity_at(const struct physical_memory *mem, uint64_t address, size_t size)
{
	const uint64_t end = UINT64_C(1) << 32;

	(void)mem;
	if (address >= end || size > end - address)
		return NULL;
	return (const void *)(uintptr_t)address;
}

const struct physical_memory physical_memory_identity = { identity_at };

void bootinfo_parse(struct bootinfo *b, uint32_t magic, uint64_t address,
                    const struct physical_memory *mem)
{
	struct boot_reader reader = { b, mem, address };

	memset(b, 0, sizeof(*b));
	switch (magic) {
	case MULTIBOOT1_BOOTLOADER_MAGIC:
		b->protocol = BOOT_PROTOCOL_MULTIBOOT1;
		multiboot1_parse(&reader);
		break;
	case MULTIBOOT2_BOOTLOADER_MAGIC:
		b->protocol = BOOT_PROTOCOL_MULTIBOOT2;
		multiboot2_parse(&reader);
		break;
	case XEN_HVM_START_MAGIC_VALUE:
		b->protocol = BOOT_PROTOCOL_PVH;
		pvh_parse(&reader);
		break;
	default:
		bootinfo_report(b, "multiboot magic is %" PRIX32 "H, expected %XH or %XH", magic,
		                MULTIBOOT2_BOOTLOADER_MAGIC, MULTIBOOT1_BOOTLOADER_MAGIC);
		return;
	}
	apply_memory_map(b);
}

void bootinfo_take_rsdp(struct bootinfo *b, uint64_t address, const struct physical_memory *mem)
{
	boot_reader_take_rsdp(&(struct boot_reader){ b, mem, 0 }, address);
}

bool bootinfo_is_kexec(const struct bootinfo *b)
{
	return strncmp(b->loader, "kexec", 5) == 0;
}

bool bootinfo_may_begin_with_path(const struct bootinfo *b)
{
	return b->protocol == BOOT_PROTOCOL_MULTIBOOT1 || bootinfo_is_kexec(b);
}
