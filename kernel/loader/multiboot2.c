/* SPDX-License-Identifier: MIT */
/*
 * Reads the information of Multiboot2. Source: Multiboot2 Specification version 2.0, "Boot
 * information", by its sections.
 */
#include <kernel/loader/boot_reader.h>

#include <arch/regs/multiboot.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>

struct tag {
	const uint8_t *bytes;   /* all bytes can be read */
	uint64_t address;
	uint32_t type;
	uint32_t size;          /* in bytes, with the tag's header */
};

static uint32_t min_u32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static void take_cmdline(const struct boot_reader *reader, const struct tag *tag)
{
	boot_reader_take_cmdline(reader, tag->address + MULTIBOOT_TAG_STRING_string,
	                         tag->size - MULTIBOOT_TAG_STRING_string);
}

static void take_loader(const struct boot_reader *reader, const struct tag *tag)
{
	boot_reader_take_loader(reader, tag->address + MULTIBOOT_TAG_STRING_string,
	                        tag->size - MULTIBOOT_TAG_STRING_string);
}

static void take_meminfo(const struct boot_reader *reader, const struct tag *tag)
{
	uint32_t kilobytes = read_u32(tag->bytes + MULTIBOOT_TAG_BASIC_MEMINFO_mem_upper);

	bootinfo_take_mem_upper(reader->info, kilobytes);
}

static void take_memory_map(const struct boot_reader *reader, const struct tag *tag)
{
	uint32_t entry_size = read_u32(tag->bytes + MULTIBOOT_TAG_MMAP_entry_size);
	uint32_t offset = MULTIBOOT_TAG_MMAP_entries;

	if (entry_size < MULTIBOOT2_MMAP_ENTRY_SIZE_LEAST) {
		bootinfo_report(reader->info, "multiboot 2 memory map: entries of size %" PRIu32
		                ", the least is %d", entry_size, MULTIBOOT2_MMAP_ENTRY_SIZE_LEAST);
		return;
	}
	for (; tag->size - offset >= entry_size; offset += entry_size)
		bootinfo_take_range(reader->info, tag->bytes + offset);
	if (offset != tag->size)
		bootinfo_report(reader->info, "multiboot 2 memory map: %" PRIu32
		                " bytes after the last entry", tag->size - offset);
}

static void take_framebuffer(const struct boot_reader *reader, const struct tag *tag)
{
	const uint32_t colours = MULTIBOOT_TAG_FRAMEBUFFER_addr + MULTIBOOT2_FRAMEBUFFER_color_info;
	bool has_colours = tag->size >= colours + MULTIBOOT_FRAMEBUFFER_COLOR_INFO_SIZE;

	bootinfo_take_framebuffer(reader->info, tag->bytes + MULTIBOOT_TAG_FRAMEBUFFER_addr,
	                          has_colours ? tag->bytes + colours : NULL);
}

/* Keeps the longer RSDP: the newer version is longer and contains the older one. */
static void take_rsdp(const struct boot_reader *reader, const struct tag *tag)
{
	struct bootinfo *b = reader->info;
	uint32_t size = min_u32(tag->size - MULTIBOOT_TAG_ACPI_rsdp, BOOTINFO_RSDP_SIZE);

	if (size <= b->rsdp_size)
		return;
	memcpy(b->rsdp, tag->bytes + MULTIBOOT_TAG_ACPI_rsdp, size);
	b->rsdp_size = size;
}

static void take_efi(const struct boot_reader *reader, const struct tag *tag)
{
	(void)tag;
	reader->info->is_efi = true;
}

/* Tags that are not listed are not needed. least is the size up to the last field that is read. */
static const struct tag_kind {
	uint32_t type;
	uint32_t least;
	void (*take)(const struct boot_reader *reader, const struct tag *tag);
} kinds[] = {
	{ MULTIBOOT_TAG_TYPE_CMDLINE,           9, take_cmdline },
	{ MULTIBOOT_TAG_TYPE_BOOT_LOADER_NAME,  9, take_loader },
	{ MULTIBOOT_TAG_TYPE_BASIC_MEMINFO,    16, take_meminfo },
	{ MULTIBOOT_TAG_TYPE_MMAP,             16, take_memory_map },
	{ MULTIBOOT_TAG_TYPE_FRAMEBUFFER,      30, take_framebuffer },
	{ MULTIBOOT_TAG_TYPE_EFI32,             8, take_efi },
	{ MULTIBOOT_TAG_TYPE_EFI64,             8, take_efi },
	{ MULTIBOOT_TAG_TYPE_ACPI_OLD,         28, take_rsdp },
	{ MULTIBOOT_TAG_TYPE_ACPI_NEW,         44, take_rsdp },
	{ MULTIBOOT_TAG_TYPE_EFI_MMAP,          8, take_efi },
	{ MULTIBOOT_TAG_TYPE_EFI_BS,            8, take_efi },
	{ MULTIBOOT_TAG_TYPE_EFI32_IH,          8, take_efi },
	{ MULTIBOOT_TAG_TYPE_EFI64_IH,          8, take_efi },
};

static uint32_t find_least_size(uint32_t type)
{
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		if (kinds[i].type == type)
			return kinds[i].least;
	}
	return MULTIBOOT_TAG_HEADER_SIZE;
}

static void take_tag(const struct boot_reader *reader, const struct tag *tag)
{
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		if (kinds[i].type == tag->type)
			kinds[i].take(reader, tag);
	}
}

/* Returns true if the size of the tag at offset is plausible. */
static bool has_sound_size(const struct boot_reader *reader, const struct tag *tag,
                           uint32_t offset, uint32_t end)
{
	if (tag->size < MULTIBOOT_TAG_HEADER_SIZE)
		bootinfo_report(reader->info, "multiboot 2 information: tag at offset %" PRIu32
		                " has size %" PRIu32 ", the least is %d", offset, tag->size,
		                MULTIBOOT_TAG_HEADER_SIZE);
	else if (tag->size > end - offset)
		bootinfo_report(reader->info, "multiboot 2 information: tag at offset %" PRIu32
		                " has size %" PRIu32 ", %" PRIu32 " are left", offset, tag->size,
		                end - offset);
	else
		return true;
	return false;
}

/* Parses the tag at offset. Returns its size as found, or 0 if no further tag can be found. */
static uint32_t parse_tag(const struct boot_reader *reader, uint32_t offset, uint32_t end)
{
	struct tag tag = { .address = reader->address + offset };
	const uint8_t *header = boot_reader_at(reader, tag.address, MULTIBOOT_TAG_HEADER_SIZE);

	if (!header)
		return 0;
	tag.type = read_u32(header + MULTIBOOT_TAG_type);
	tag.size = read_u32(header + MULTIBOOT_TAG_size);
	if (!has_sound_size(reader, &tag, offset, end) || tag.type == MULTIBOOT_TAG_TYPE_END)
		return 0;
	if (tag.size < find_least_size(tag.type)) {
		bootinfo_report(reader->info, "multiboot 2 information: tag of type %" PRIu32
		                " has size %" PRIu32 ", the least is %" PRIu32, tag.type, tag.size,
		                find_least_size(tag.type));
		return tag.size;
	}
	tag.bytes = boot_reader_at(reader, tag.address, tag.size);
	if (tag.bytes)
		take_tag(reader, &tag);
	return tag.size;
}

static void parse_tags(const struct boot_reader *reader, uint32_t end)
{
	uint32_t offset = MULTIBOOT2_INFO_HEADER_SIZE;

	while (offset <= end - MULTIBOOT_TAG_HEADER_SIZE) {
		uint32_t size = parse_tag(reader, offset, end);

		if (!size)
			return;
		offset += (size + MULTIBOOT_TAG_ALIGN - 1) & ~(uint32_t)(MULTIBOOT_TAG_ALIGN - 1);
	}
	bootinfo_report(reader->info, "multiboot 2 information: no end tag in %" PRIu32 " bytes",
	                end);
}

void multiboot2_parse(const struct boot_reader *reader)
{
	const uint32_t least = MULTIBOOT2_INFO_HEADER_SIZE + MULTIBOOT_TAG_HEADER_SIZE;
	const uint8_t *header = boot_reader_at(reader, reader->address,
	                                       MULTIBOOT2_INFO_HEADER_SIZE);
	uint32_t total_size = header ? read_u32(header) : 0;

	if (!header)
		return;
	if (total_size < least) {
		bootinfo_report(reader->info, "multiboot 2 information: total size is %" PRIu32
		                ", the least is %" PRIu32, total_size, least);
		return;
	}
	if (total_size > MULTIBOOT_BLOCK_MAX)
		bootinfo_report(reader->info, "multiboot 2 information: total size is %" PRIu32
		                ", %d are read", total_size, MULTIBOOT_BLOCK_MAX);
	parse_tags(reader, min_u32(total_size, MULTIBOOT_BLOCK_MAX));
}
