/* SPDX-License-Identifier: MIT */
/* What the boot loader told: one description, whichever protocol it spoke. */
#ifndef KERNEL_LOADER_BOOTINFO_H
#define KERNEL_LOADER_BOOTINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	BOOTINFO_CMDLINE_SIZE = 1024,   /* with the terminator, as all sizes of texts */
	BOOTINFO_LOADER_SIZE = 64,
	BOOTINFO_PROBLEM_SIZE = 96,
	BOOTINFO_RANGES_MAX = 64,
	BOOTINFO_RSDP_SIZE = 36,        /* ACPI 2.0 and later; 20 in ACPI 1.0 */
};

enum boot_protocol { BOOT_PROTOCOL_NONE, BOOT_PROTOCOL_MULTIBOOT1, BOOT_PROTOCOL_MULTIBOOT2 };

/* Type is a MULTIBOOT_FRAMEBUFFER_TYPE_...; positions and sizes are in bits, of direct RGB only. */
struct framebuffer_info {
	uint64_t address;
	uint32_t pitch;                 /* bytes from a line to the next */
	uint32_t width, height;         /* pixels; characters of EGA text */
	uint8_t bpp;                    /* bits per pixel; 16 per character of EGA text */
	uint8_t type;
	uint8_t red_position, red_size;
	uint8_t green_position, green_size;
	uint8_t blue_position, blue_size;
};

struct memory_range {
	uint64_t base, length;          /* bytes */
	uint32_t type;                  /* MULTIBOOT_MEMORY_..., others are reserved */
};

/* Holds copies only, and no pointer: the loader's memory is free for use afterwards. */
struct bootinfo {
	enum boot_protocol protocol;
	char cmdline[BOOTINFO_CMDLINE_SIZE];
	bool cmdline_truncated;
	char loader[BOOTINFO_LOADER_SIZE];
	bool is_efi;                    /* the machine was started by EFI firmware */

	/* a line of the framebuffer fits its pitch, colours fit a pixel of at most 32 bits */
	bool has_framebuffer;
	struct framebuffer_info framebuffer;

	/* the end of the usable memory that contains 1 MB without a gap */
	bool has_memory;
	uint64_t memory_top;

	/* the memory map in the loader's order; empty if there was none */
	struct memory_range range[BOOTINFO_RANGES_MAX];
	unsigned range_count;
	bool ranges_truncated;

	uint8_t rsdp[BOOTINFO_RSDP_SIZE];
	uint32_t rsdp_size;             /* bytes; 0: the loader gave none */

	char problem[BOOTINFO_PROBLEM_SIZE];    /* the first problem, a sentence; "": none */
};

/*
 * How to reach physical memory. at() returns where the bytes can be read, or NULL if not all of
 * them can.
 */
struct physical_memory {
	const void *(*at)(const struct physical_memory *mem, uint64_t address, size_t size);
};

/* Memory below 4 GB at its own address, but for address 0, which is no pointer. */
extern const struct physical_memory physical_memory_identity;

/*
 * Reads what the loader left: magic is what it put into EAX, address into EBX. Whatever b held is
 * gone. Only what mem gives is read, however wrong the information is. What is missing or
 * cannot be read stays 0, false or "", and the first such problem is in b->problem.
 */
void bootinfo_parse(struct bootinfo *b, uint32_t magic, uint64_t address,
                    const struct physical_memory *mem);

#endif
