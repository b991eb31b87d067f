/* SPDX-License-Identifier: MIT */
/*
 * Reads the information of Multiboot 1. Source: Multiboot Specification version 0.6.96, "Boot
 * information format".
 */
#include <kernel/loader/boot_reader.h>


#include <arch/regs/multiboot.h>
#include <kernel/lib/format.h>

/* Returns a field of the information, or 0 if it cannot be read. */
static uint32_t read_field(const struct boot_reader *reader, uint32_t offset)
{
	const uint8_t *field = boot_reader_at(reader, reader->address + offset, 4);

	return field ? read_u32(field) : 0;
}

/*
 * Returns the size of the entry whose size field is at address, or 0 after reporting that it cannot
 * be used.
 */
static uint32_t read_entry_size(const struct boot_reader *reader, uint64_t address, uint32_t left)
{
	const uint8_t *field = boot_reader_at(reader, address + MULTIBOOT1_MMAP_size, 4);
	uint32_t size = field ? read_u32(field) : 0;

	if (!field)
		return 0;
	if (size >= MULTIBOOT1_MMAP_SIZE_LEAST && size <= left)
		return size;
	bootinfo_report(reader->info, "multiboot 1 memory map: entry of size %" PRIu32
	                ", expected %d to %" PRIu32, size, MULTIBOOT1_MMAP_SIZE_LEAST, left);
	return 0;
}

static void take_memory_map(const struct boot_reader *reader)
{
	uint32_t left = read_field(reader, MULTIBOOT1_INFO_mmap_length);
	uint64_t address = read_field(reader, MULTIBOOT1_INFO_mmap_addr);

	if (left > MULTIBOOT_BLOCK_MAX) {
		bootinfo_report(reader->info, "multiboot 1 memory map: %" PRIu32
		                " bytes, %d are read", left, MULTIBOOT_BLOCK_MAX);
		left = MULTIBOOT_BLOCK_MAX;
	}
	while (left >= MULTIBOOT1_MMAP_ENTRY) {
		uint32_t size = read_entry_size(reader, address, left - MULTIBOOT1_MMAP_ENTRY);
		const uint8_t *entry;

		if (!size)
			return;
		entry = boot_reader_at(reader, address + MULTIBOOT1_MMAP_ENTRY, size);
		if (!entry)
			return;
		bootinfo_take_range(reader->info, entry);
		address += MULTIBOOT1_MMAP_ENTRY + size;
		left -= MULTIBOOT1_MMAP_ENTRY + size;
	}
	if (left)
		bootinfo_report(reader->info, "multiboot 1 memory map: %" PRIu32
		                " bytes after the last entry", left);
}

static void take_framebuffer(const struct boot_reader *reader)
{
	const uint8_t *framebuffer =
		boot_reader_at(reader, reader->address + MULTIBOOT1_INFO_framebuffer_addr,
	                       MULTIBOOT1_FRAMEBUFFER_color_info
	                       + MULTIBOOT_FRAMEBUFFER_COLOR_INFO_SIZE);

	if (framebuffer)
		bootinfo_take_framebuffer(reader->info, framebuffer,
		                          framebuffer + MULTIBOOT1_FRAMEBUFFER_color_info);
}

void multiboot1_parse(const struct boot_reader *reader)
{
	uint32_t flags = read_field(reader, MULTIBOOT1_INFO_flags);
	uint32_t cmdline = read_field(reader, MULTIBOOT1_INFO_cmdline);
	uint32_t loader = read_field(reader, MULTIBOOT1_INFO_boot_loader_name);
	uint32_t mem_upper = read_field(reader, MULTIBOOT1_INFO_mem_upper);

	if (flags & MULTIBOOT1_INFO_CMDLINE)
		boot_reader_take_cmdline(reader, cmdline, MULTIBOOT_BLOCK_MAX);
	if (flags & MULTIBOOT1_INFO_BOOT_LOADER_NAME)
		boot_reader_take_loader(reader, loader, MULTIBOOT_BLOCK_MAX);
	if (flags & MULTIBOOT1_INFO_MEMORY)
		bootinfo_take_mem_upper(reader->info, mem_upper);
	if (flags & MULTIBOOT1_INFO_MEM_MAP)
		take_memory_map(reader);
	if (flags & MULTIBOOT1_INFO_FRAMEBUFFER_INFO)
		take_framebuffer(reader);
}
