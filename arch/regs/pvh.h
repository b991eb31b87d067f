/* SPDX-License-Identifier: MIT */
/*
 * Defines how a hypervisor starts a kernel by Xen's PVH protocol: a note of the ELF file has the
 * entry, EBX points to the start information. Source: Xen, "x86/HVM direct boot ABI", and
 * xen/include/public/arch-x86/hvm/start_info.h, whose names are used.
 */
#ifndef ARCH_REGS_PVH_H
#define ARCH_REGS_PVH_H

#define XEN_ELFNOTE_PHYS32_ENTRY    18

/* The entry gives it to the rest of the kernel as the loader's magic, too. */
#define XEN_HVM_START_MAGIC_VALUE   0x336EC578

/* These are the offsets of the fields of struct hvm_start_info. */
#define HVM_START_INFO_magic             0
#define HVM_START_INFO_version           4
#define HVM_START_INFO_cmdline_paddr    24      /* 8 bytes, as all addresses */
#define HVM_START_INFO_rsdp_paddr       32
#define HVM_START_INFO_memmap_paddr     40      /* from version 1 on */
#define HVM_START_INFO_memmap_entries   48
#define HVM_START_INFO_SIZE             56
#define HVM_START_INFO_SIZE_VERSION_0   40

/* An entry of the memory map begins as multiboot 2's does: address, size, type. */
#define HVM_MEMMAP_ENTRY_SIZE           24

#endif
