/* SPDX-License-Identifier: MIT */
/* For bootinfo.c and the two protocols that fill a struct bootinfo with boot_reader.c's help. */
#ifndef KERNEL_LOADER_BOOT_READER_H
#define KERNEL_LOADER_BOOT_READER_H

#include <stdint.h>

#include <kernel/lib/bytes.h>
#include <kernel/loader/bootinfo.h>

/*
 * The most that is believed of a block whose size the loader gives. The largest thing that GRUB
 * puts there is the EFI memory map, 48 bytes a descriptor; thousands of them fit.
 */
enum { MULTIBOOT_BLOCK_MAX = 256 * 1024 };

/* Where a protocol stands: what it reads from, and what it fills. */
struct boot_reader {
	struct bootinfo *info;
	const struct physical_memory *mem;
	uint64_t address;               /* of the loader's information */
};

/* The protocols. Both read what they can and report the first problem. */
void multiboot1_parse(const struct boot_reader *reader);
void multiboot2_parse(const struct boot_reader *reader);

/* Leaves a problem, unless there is one already. */
void bootinfo_report(struct bootinfo *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Like mem->at(), and reports it if there is no such memory. */
const uint8_t *boot_reader_at(const struct boot_reader *reader, uint64_t address, uint32_t size);

/* Copy the text at address; at most limit bytes, terminator included, belong to it. */
void boot_reader_take_cmdline(const struct boot_reader *reader, uint64_t address, uint32_t limit);
void boot_reader_take_loader(const struct boot_reader *reader, uint64_t address, uint32_t limit);

/* Memory without a map: KB that follow 1 MB. */
void bootinfo_take_mem_upper(struct bootinfo *b, uint32_t kilobytes);

/* An entry of the memory map, at its MULTIBOOT_MMAP_base_addr. */
void bootinfo_take_range(struct bootinfo *b, const uint8_t *entry);

/* MULTIBOOT_FRAMEBUFFER_... from its address on; colours: of direct RGB, NULL if there are none. */
void bootinfo_take_framebuffer(struct bootinfo *b, const uint8_t *framebuffer,
                               const uint8_t *colours);

#endif
