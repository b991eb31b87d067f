/* SPDX-License-Identifier: MIT */
/* Describes what the boot loader passed to the kernel, independently of its protocol. */
#ifndef KERNEL_LOADER_BOOTINFO_H
#define KERNEL_LOADER_BOOTINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	BOOTINFO_CMDLINE_SIZE = 1024,   /* terminator included, as in all sizes of texts */
	BOOTINFO_LOADER_SIZE = 64,
	BOOTINFO_PROBLEM_SIZE = 96,
	BOOTINFO_RANGES_MAX = 64,
	BOOTINFO_RSDP_SIZE = 36,        /* ACPI 2.0 and later; 20 in ACPI 1.0 */
};

enum boot_protocol {
	BOOT_PROTOCOL_NONE, BOOT_PROTOCOL_MULTIBOOT1, BOOT_PROTOCOL_MULTIBOOT2, BOOT_PROTOCOL_PVH
};

/*
 * type is a MULTIBOOT_FRAMEBUFFER_TYPE_... constant. Positions and sizes of colours are in bits and
 * exist in direct RGB only.
 */
struct framebuffer_info {
	uint64_t address;
	uint32_t pitch;                 /* bytes from one line to the next */
	uint32_t width, height;         /* in pixels; of EGA text in characters */
	uint8_t bpp;                    /* bits per pixel; 16 per character of EGA text */
	uint8_t type;
	uint8_t red_position, red_size;
	uint8_t green_position, green_size;
	uint8_t blue_position, blue_size;
};

struct memory_range {
	uint64_t base, length;          /* in bytes */
	uint32_t type;                  /* MULTIBOOT_MEMORY_...; other values are reserved */
};

/* All members are copies, not pointers: the loader's memory may be reused afterwards. */
struct bootinfo {
	enum boot_protocol protocol;
	char cmdline[BOOTINFO_CMDLINE_SIZE];
	bool cmdline_truncated;
	char loader[BOOTINFO_LOADER_SIZE];
	bool is_efi;                    /* EFI firmware started the machine */

	/*
	 * True if a line of the framebuffer fits its pitch and the colours fit a pixel of at most
	 * 32 bits.
	 */
	bool has_framebuffer;
	struct framebuffer_info framebuffer;

	/* The usable memory that contains 1 MB ends here, at its first gap. */
	bool has_memory;
	uint64_t memory_top;

	/* This is the memory map in the loader's order; it is empty if the loader passed none. */
	struct memory_range range[BOOTINFO_RANGES_MAX];
	unsigned range_count;
	bool ranges_truncated;

	uint8_t rsdp[BOOTINFO_RSDP_SIZE];
	uint32_t rsdp_size;             /* in bytes; 0 if the loader passed no RSDP */

	char problem[BOOTINFO_PROBLEM_SIZE];    /* a sentence on the first one, or "" */
};

/*
 * Gives access to physical memory. at() returns the address at which the bytes can be read, or NULL
 * if not all of them can.
 */
struct physical_memory {
	const void *(*at)(const struct physical_memory *mem, uint64_t address, size_t size);
};

/*
 * Gives access to memory below 4 GB at its own address, except to address 0, which is no valid
 * pointer.
 */
extern const struct physical_memory physical_memory_identity;

/*
 * Fills b, whatever it held, with what the loader left. magic is the loader's value in EAX, address
 * the one in EBX. Reads only what mem gives, however wrong the information is. Members whose
 * information is missing or unreadable stay 0, false or "", and b->problem describes the first such
 * problem.
 */
void bootinfo_parse(struct bootinfo *b, uint32_t magic, uint64_t address,
                    const struct physical_memory *mem);

/* Takes ACPI's RSDP from this address, in place of the loader's. */
void bootinfo_take_rsdp(struct bootinfo *b, uint64_t address, const struct physical_memory *mem);

/* Returns whether a running system started this kernel; it says nothing about the firmware. */
bool bootinfo_is_kexec(const struct bootinfo *b);

/*
 * Returns whether the loader may have put the kernel's path before the words: loaders of
 * multiboot 1 (QEMU's -kernel does), and kexec by either multiboot.
 */
bool bootinfo_may_begin_with_path(const struct bootinfo *b);

#endif
