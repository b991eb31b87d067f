/* SPDX-License-Identifier: MIT */
/* Reads the start information of the PVH protocol. Source: arch/regs/pvh.h. */
#include <kernel/loader/boot_reader.h>

#include <arch/regs/pvh.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>

enum { ENTRIES_MAX = 1024 };

/* Returns the start information's first bytes, or NULL after reporting that they are not there. */
static const uint8_t *find_start_info(const struct boot_reader *reader, uint32_t *size)
{
	const uint8_t *info;

	info = boot_reader_at(reader, reader->address, HVM_START_INFO_SIZE_VERSION_0);
	if (!info)
		return NULL;
	if (read_u32(info + HVM_START_INFO_magic) != XEN_HVM_START_MAGIC_VALUE) {
		bootinfo_report(reader->info, "PVH: the start information begins with %" PRIX32
		                "H, expected %XH", read_u32(info), XEN_HVM_START_MAGIC_VALUE);
		return NULL;
	}
	*size = read_u32(info + HVM_START_INFO_version) ? HVM_START_INFO_SIZE
	                                                : HVM_START_INFO_SIZE_VERSION_0;
	return boot_reader_at(reader, reader->address, *size);
}

static void take_memory_map(const struct boot_reader *reader, uint64_t address, uint32_t entries)
{
	if (entries > ENTRIES_MAX) {
		bootinfo_report(reader->info, "PVH memory map: %" PRIu32 " entries, %d are read",
		                entries, ENTRIES_MAX);
		entries = ENTRIES_MAX;
	}
	for (uint32_t i = 0; i < entries; i++, address += HVM_MEMMAP_ENTRY_SIZE) {
		const uint8_t *entry = boot_reader_at(reader, address, HVM_MEMMAP_ENTRY_SIZE);

		if (!entry)
			return;
		bootinfo_take_range(reader->info, entry);
	}
}

void pvh_parse(const struct boot_reader *reader)
{
	uint32_t size;
	const uint8_t *info = find_start_info(reader, &size);
	uint64_t cmdline, rsdp;

	if (!info)
		return;
	cmdline = read_u64(info + HVM_START_INFO_cmdline_paddr);
	rsdp = read_u64(info + HVM_START_INFO_rsdp_paddr);
	if (cmdline)
		boot_reader_take_cmdline(reader, cmdline, MULTIBOOT_BLOCK_MAX);
	if (rsdp)
		boot_reader_take_rsdp(reader, rsdp);
	if (size == HVM_START_INFO_SIZE)
		take_memory_map(reader, read_u64(info + HVM_START_INFO_memmap_paddr),
		                read_u32(info + HVM_START_INFO_memmap_entries));
	else
		bootinfo_report(reader->info,
		                "PVH: start information of version 0 has no memory map");
}
