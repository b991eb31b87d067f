/* SPDX-License-Identifier: MIT */
/*
 * Connects bootinfo.c with the protocols, which fill a struct bootinfo with the help of
 * boot_reader.c.
 */
#ifndef KERNEL_LOADER_BOOT_READER_H
#define KERNEL_LOADER_BOOT_READER_H

#include <stdint.h>

#include <kernel/lib/bytes.h>
#include <kernel/loader/bootinfo.h>

/*
 * Limits the size of a block whose size the loader gives. The largest thing that GRUB puts there is
 * the EFI memory map, 48 bytes per descriptor; thousands of them fit.
 */
enum { MULTIBOOT_BLOCK_MAX = 256 * 1024 };

/* Says what a protocol reads from and what it fills. */
struct boot_reader {
	struct bootinfo *info;
	const struct physical_memory *mem;
	uint64_t address;               /* address of the loader's information */
};

/* Read the information of one protocol, as far as they can, and report the first problem. */
void multiboot1_parse(const struct boot_reader *reader);
void multiboot2_parse(const struct boot_reader *reader);
void pvh_parse(const struct boot_reader *reader);

/* Stores a problem, unless there is one already. */
void bootinfo_report(struct bootinfo *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns what mem->at() returns, and reports a problem if that is NULL. */
const uint8_t *boot_reader_at(const struct boot_reader *reader, uint64_t address, uint32_t size);

/* Copies the text at address, which has at most limit bytes, including its terminator. */
void boot_reader_take_cmdline(const struct boot_reader *reader, uint64_t address, uint32_t limit);
void boot_reader_take_loader(const struct boot_reader *reader, uint64_t address, uint32_t limit);

/* Copies ACPI's RSDP, which is at this address. */
void boot_reader_take_rsdp(const struct boot_reader *reader, uint64_t address);

/* Notes the size of the memory that begins at 1 MB, in KB, for loaders without a memory map. */
void bootinfo_take_mem_upper(struct bootinfo *b, uint32_t kilobytes);

/* Adds an entry of the memory map; entry points to its MULTIBOOT_MMAP_base_addr. */
void bootinfo_take_range(struct bootinfo *b, const uint8_t *entry);

/*
 * Takes over a framebuffer. framebuffer points to its MULTIBOOT_FRAMEBUFFER_addr, colours to the
 * fields of direct RGB, or is NULL if there are none.
 */
void bootinfo_take_framebuffer(struct bootinfo *b, const uint8_t *framebuffer,
                               const uint8_t *colours);

#endif
