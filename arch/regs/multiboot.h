/* SPDX-License-Identifier: MIT */
/*
 * Defines the interface between boot loader and kernel: the headers in the kernel's image, and the
 * information that the loader leaves in memory.
 *
 * Sources: "Multiboot Specification version 0.6.96" (here: multiboot 1) and "Multiboot2
 * Specification version 2.0". Names are those of the specifications' example headers. Both use the
 * prefix MULTIBOOT_; here the names that only the first specification has begin with MULTIBOOT1_.
 */
#ifndef ARCH_REGS_MULTIBOOT_H
#define ARCH_REGS_MULTIBOOT_H

/* Source: Multiboot 1, "Header magic fields". */
#define MULTIBOOT1_HEADER_MAGIC             0x1BADB002
#define MULTIBOOT1_HEADER_SEARCH            8192    /* bytes of the image, "OS image format" */
#define MULTIBOOT1_HEADER_ALIGN             4
#define MULTIBOOT1_PAGE_ALIGN                 0x00000001
#define MULTIBOOT1_MEMORY_INFO                0x00000002
#define MULTIBOOT1_VIDEO_MODE                 0x00000004
#define MULTIBOOT1_AOUT_KLUDGE                0x00010000

/* EAX has this value; EBX has the information's address. Source: Multiboot 1, "Machine state". */
#define MULTIBOOT1_BOOTLOADER_MAGIC         0x2BADB002

/* These bits of flags mark fields as valid. Source: Multiboot 1, "Boot information format". */
#define MULTIBOOT1_INFO_MEMORY              0x00000001
#define MULTIBOOT1_INFO_CMDLINE             0x00000004
#define MULTIBOOT1_INFO_MEM_MAP             0x00000040
#define MULTIBOOT1_INFO_BOOT_LOADER_NAME    0x00000200
#define MULTIBOOT1_INFO_FRAMEBUFFER_INFO    0x00001000

/* These are the offsets of the fields. Source: Multiboot 1, "Boot information format". */
#define MULTIBOOT1_INFO_flags                 0
#define MULTIBOOT1_INFO_mem_lower             4     /* KB from 0 */
#define MULTIBOOT1_INFO_mem_upper             8     /* KB from 1 MB */
#define MULTIBOOT1_INFO_cmdline              16
#define MULTIBOOT1_INFO_mmap_length          44     /* bytes */
#define MULTIBOOT1_INFO_mmap_addr            48
#define MULTIBOOT1_INFO_boot_loader_name     64
#define MULTIBOOT1_INFO_framebuffer_addr     88     /* base of MULTIBOOT_FRAMEBUFFER_... */

/*
 * This is an entry of the memory map. size counts the bytes that follow it. Source: Multiboot 1,
 * "Boot information format".
 */
#define MULTIBOOT1_MMAP_size                  0
#define MULTIBOOT1_MMAP_ENTRY                 4     /* MULTIBOOT_MMAP_... are offsets from here */
#define MULTIBOOT1_MMAP_SIZE_LEAST           20

/*
 * Source: Multiboot2, "The layout of Multiboot2 header", "The magic fields of Multiboot2 header".
 */
#define MULTIBOOT2_HEADER_MAGIC             0xE85250D6
#define MULTIBOOT2_HEADER_SEARCH            32768   /* bytes of the image, "OS image format" */
#define MULTIBOOT2_HEADER_ALIGN             8
#define MULTIBOOT_ARCHITECTURE_I386         0

/* Source: Multiboot2, "General tag structure" and the sections of each tag. */
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

/*
 * EAX has this value; EBX has the information's address. Source: Multiboot2, "I386 machine state".
 */
#define MULTIBOOT2_BOOTLOADER_MAGIC         0x36D76289

/*
 * The information has total_size, a reserved word, then tags, each of type, size and content.
 * Source: Multiboot2, "Basic tags structure".
 */
#define MULTIBOOT2_INFO_HEADER_SIZE           8
#define MULTIBOOT_TAG_type                    0
#define MULTIBOOT_TAG_size                    4     /* in bytes: header, but no padding */
#define MULTIBOOT_TAG_HEADER_SIZE             8
#define MULTIBOOT_TAG_ALIGN                   8

/* Source: Multiboot2, "Boot information", which has a section for each of these tags. */
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

/* These are offsets in the tags, counted from the tag's type. */
#define MULTIBOOT_TAG_STRING_string           8     /* "Boot command line", "Boot loader name" */
#define MULTIBOOT_TAG_BASIC_MEMINFO_mem_upper 12    /* "Basic memory information" */
#define MULTIBOOT_TAG_MMAP_entry_size         8     /* "Memory map" */
#define MULTIBOOT_TAG_MMAP_entries           16
#define MULTIBOOT_TAG_FRAMEBUFFER_addr        8     /* "Framebuffer info"; see below */
#define MULTIBOOT_TAG_ACPI_rsdp               8     /* "ACPI old RSDP", "ACPI new RSDP" */

/*
 * These are offsets in an entry of the memory map. Source: both specifications, "Boot information
 * format" and "Memory map".
 */
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
 * These are offsets from framebuffer_addr. Source: both specifications, "Boot information format"
 * and "Framebuffer info". In multiboot 1 the colour fields directly follow the type. In Multiboot2
 * reserved bits come before them: 8 by the text, 16 by its example header ("multiboot2.h") and by
 * GRUB (grub-core/loader/multiboot_mbi2.c).
 */
#define MULTIBOOT_FRAMEBUFFER_addr            0
#define MULTIBOOT_FRAMEBUFFER_pitch           8
#define MULTIBOOT_FRAMEBUFFER_width          12
#define MULTIBOOT_FRAMEBUFFER_height         16
#define MULTIBOOT_FRAMEBUFFER_bpp            20
#define MULTIBOOT_FRAMEBUFFER_type           21
#define MULTIBOOT1_FRAMEBUFFER_color_info    22
#define MULTIBOOT2_FRAMEBUFFER_color_info    24
#define MULTIBOOT_FRAMEBUFFER_COLOR_INFO_SIZE 6     /* for direct RGB */
#define MULTIBOOT_FRAMEBUFFER_TYPE_INDEXED    0
#define MULTIBOOT_FRAMEBUFFER_TYPE_RGB        1
#define MULTIBOOT_FRAMEBUFFER_TYPE_EGA_TEXT   2

#endif
