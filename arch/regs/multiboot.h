/* SPDX-License-Identifier: MIT */
/*
 * What a boot loader and a kernel say to each other: the headers in the kernel's image, and the
 * information that the loader leaves in memory.
 *
 * Sources: "Multiboot Specification version 0.6.96" (here: multiboot 1) and "Multiboot2
 * Specification version 2.0". Names are those of the specifications' example headers; both call
 * their things MULTIBOOT_..., so that what is the first specification's own says MULTIBOOT1_.
 */
#ifndef ARCH_REGS_MULTIBOOT_H
#define ARCH_REGS_MULTIBOOT_H

/* Multiboot 1, "Header magic fields". */
#define MULTIBOOT1_HEADER_MAGIC             0x1BADB002
#define MULTIBOOT1_HEADER_SEARCH            8192    /* bytes of the image, "OS image format" */
#define MULTIBOOT1_HEADER_ALIGN             4
#define MULTIBOOT1_PAGE_ALIGN                 0x00000001
#define MULTIBOOT1_MEMORY_INFO                0x00000002
#define MULTIBOOT1_VIDEO_MODE                 0x00000004
#define MULTIBOOT1_AOUT_KLUDGE                0x00010000

/* Multiboot 1, "Machine state": EAX; EBX is the information's address. */
#define MULTIBOOT1_BOOTLOADER_MAGIC         0x2BADB002

/* Multiboot 1, "Boot information format": the bits of flags that say which fields are valid. */
#define MULTIBOOT1_INFO_MEMORY              0x00000001
#define MULTIBOOT1_INFO_CMDLINE             0x00000004
#define MULTIBOOT1_INFO_MEM_MAP             0x00000040
#define MULTIBOOT1_INFO_BOOT_LOADER_NAME    0x00000200
#define MULTIBOOT1_INFO_FRAMEBUFFER_INFO    0x00001000

/* Multiboot 1, "Boot information format": offsets of the fields. */
#define MULTIBOOT1_INFO_flags                 0
#define MULTIBOOT1_INFO_mem_lower             4     /* KB from 0 */
#define MULTIBOOT1_INFO_mem_upper             8     /* KB from 1 MB */
#define MULTIBOOT1_INFO_cmdline              16
#define MULTIBOOT1_INFO_mmap_length          44     /* bytes */
#define MULTIBOOT1_INFO_mmap_addr            48
#define MULTIBOOT1_INFO_boot_loader_name     64
#define MULTIBOOT1_INFO_framebuffer_addr     88     /* what follows: MULTIBOOT_FRAMEBUFFER_... */

/* Multiboot 1, "Boot information format": an entry of the memory map; size: bytes behind it. */
#define MULTIBOOT1_MMAP_size                  0
#define MULTIBOOT1_MMAP_ENTRY                 4     /* MULTIBOOT_MMAP_... */
#define MULTIBOOT1_MMAP_SIZE_LEAST           20

/* Multiboot2, "The layout of Multiboot2 header", "The magic fields of Multiboot2 header". */
#define MULTIBOOT2_HEADER_MAGIC             0xE85250D6
#define MULTIBOOT2_HEADER_SEARCH            32768   /* bytes of the image, "OS image format" */
#define MULTIBOOT2_HEADER_ALIGN             8
#define MULTIBOOT_ARCHITECTURE_I386         0

/* Multiboot2, "General tag structure" and the sections of each tag. */
#define MULTIBOOT_HEADER_TAG_OPTIONAL                 1
#define MULTIBOOT_HEADER_TAG_END                      0
#define MULTIBOOT_HEADER_TAG_INFORMATION_REQUEST      1
#define MULTIBOOT_HEADER_TAG_ADDRESS                  2
#define MULTIBOOT_HEADER_TAG_ENTRY_ADDRESS            3
#define MULTIBOOT_HEADER_TAG_CONSOLE_FLAGS            4
#define MULTIBOOT_HEADER_TAG_FRAMEBUFFER              5
#define MULTIBOOT_HEADER_TAG_MODULE_ALIGN             6
#define MULTIBOOT_HEADER_TAG_EFI_BS                   7
#define MULTIBOOT_CONSOLE_FLAGS_CONSOLE_REQUIRED      1
#define MULTIBOOT_CONSOLE_FLAGS_EGA_TEXT_SUPPORTED    2

/* Multiboot2, "I386 machine state": EAX; EBX is the information's address. */
#define MULTIBOOT2_BOOTLOADER_MAGIC         0x36D76289

/* Multiboot2, "Basic tags structure": total_size, a reserved word, tags: type, size, content. */
#define MULTIBOOT2_INFO_HEADER_SIZE           8
#define MULTIBOOT_TAG_type                    0
#define MULTIBOOT_TAG_size                    4     /* bytes with this header, without padding */
#define MULTIBOOT_TAG_HEADER_SIZE             8
#define MULTIBOOT_TAG_ALIGN                   8

/* Multiboot2, "Boot information": one section for each of these tags. */
#define MULTIBOOT_TAG_TYPE_END                0
#define MULTIBOOT_TAG_TYPE_CMDLINE            1
#define MULTIBOOT_TAG_TYPE_BOOT_LOADER_NAME   2
#define MULTIBOOT_TAG_TYPE_MODULE             3
#define MULTIBOOT_TAG_TYPE_BASIC_MEMINFO      4
#define MULTIBOOT_TAG_TYPE_BOOTDEV            5
#define MULTIBOOT_TAG_TYPE_MMAP               6
#define MULTIBOOT_TAG_TYPE_VBE                7
#define MULTIBOOT_TAG_TYPE_FRAMEBUFFER        8
#define MULTIBOOT_TAG_TYPE_ELF_SECTIONS       9
#define MULTIBOOT_TAG_TYPE_APM               10
#define MULTIBOOT_TAG_TYPE_EFI32             11
#define MULTIBOOT_TAG_TYPE_EFI64             12
#define MULTIBOOT_TAG_TYPE_SMBIOS            13
#define MULTIBOOT_TAG_TYPE_ACPI_OLD          14
#define MULTIBOOT_TAG_TYPE_ACPI_NEW          15
#define MULTIBOOT_TAG_TYPE_NETWORK           16
#define MULTIBOOT_TAG_TYPE_EFI_MMAP          17
#define MULTIBOOT_TAG_TYPE_EFI_BS            18
#define MULTIBOOT_TAG_TYPE_EFI32_IH          19
#define MULTIBOOT_TAG_TYPE_EFI64_IH          20
#define MULTIBOOT_TAG_TYPE_LOAD_BASE_ADDR    21

/* Offsets in the tags, from the tag's type. */
#define MULTIBOOT_TAG_STRING_string           8     /* "Boot command line", "Boot loader name" */
#define MULTIBOOT_TAG_BASIC_MEMINFO_mem_upper 12    /* "Basic memory information" */
#define MULTIBOOT_TAG_MMAP_entry_size         8     /* "Memory map" */
#define MULTIBOOT_TAG_MMAP_entries           16
#define MULTIBOOT_TAG_FRAMEBUFFER_addr        8     /* "Framebuffer info"; see below */
#define MULTIBOOT_TAG_ACPI_rsdp               8     /* "ACPI old RSDP", "ACPI new RSDP" */

/* Both, "Boot information format" and "Memory map": offsets in an entry of the memory map. */
#define MULTIBOOT_MMAP_base_addr              0
#define MULTIBOOT_MMAP_length                 8
#define MULTIBOOT_MMAP_type                  16
#define MULTIBOOT2_MMAP_ENTRY_SIZE_LEAST     24     /* with a reserved word at the end */
#define MULTIBOOT_MEMORY_AVAILABLE            1
#define MULTIBOOT_MEMORY_RESERVED             2
#define MULTIBOOT_MEMORY_ACPI_RECLAIMABLE     3
#define MULTIBOOT_MEMORY_NVS                  4
#define MULTIBOOT_MEMORY_BADRAM               5

/*
 * Both, "Boot information format" and "Framebuffer info": offsets from framebuffer_addr. The colour
 * fields follow the type directly in multiboot 1. Before them in Multiboot2 the text has 8 reserved
 * bits; its example header ("multiboot2.h") and GRUB (grub-core/loader/multiboot_mbi2.c) have 16.
 */
#define MULTIBOOT_FRAMEBUFFER_addr            0
#define MULTIBOOT_FRAMEBUFFER_pitch           8
#define MULTIBOOT_FRAMEBUFFER_width          12
#define MULTIBOOT_FRAMEBUFFER_height         16
#define MULTIBOOT_FRAMEBUFFER_bpp            20
#define MULTIBOOT_FRAMEBUFFER_type           21
#define MULTIBOOT1_FRAMEBUFFER_color_info    22
#define MULTIBOOT2_FRAMEBUFFER_color_info    24
#define MULTIBOOT_FRAMEBUFFER_COLOR_INFO_SIZE 6     /* of direct RGB */
#define MULTIBOOT_FRAMEBUFFER_TYPE_INDEXED    0
#define MULTIBOOT_FRAMEBUFFER_TYPE_RGB        1
#define MULTIBOOT_FRAMEBUFFER_TYPE_EGA_TEXT   2

#endif
