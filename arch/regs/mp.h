/* SPDX-License-Identifier: MIT */
/*
 * Defines the MP table, which preceded ACPI: offsets in bytes, and lengths. Source: MultiProcessor
 * Specification 1.4, chapters 4 and 5; fields have the names of its figures.
 */
#ifndef ARCH_REGS_MP_H
#define ARCH_REGS_MP_H

#include <arch/regs/bits.h>

/*
 * By "MP Floating Pointer Structure" this structure is at a 16-byte boundary in one of three areas.
 */
#define MP_SIGNATURE                  "_MP_"
#define MP_PHYSICAL_ADDRESS_POINTER   4
#define MP_FEATURE_1                  11    /* 0, or the number of a default configuration */
#define MP_SIZE                       16    /* the bytes that CHECKSUM covers */
#define MP_DEFAULT_CONFIGURATIONS     7     /* "Default Configurations": 1 to 7 */

#define MP_AREA_SIZE                  0x400 /* of the EBDA's start, and of base memory's end */
#define MP_ROM_AREA                   0xf0000
#define MP_ROM_AREA_SIZE              0x10000

/* Source: "MP Configuration Table Header". */
#define MP_TABLE_SIGNATURE            "PCMP"
#define MP_TABLE_BASE_TABLE_LENGTH    4     /* includes the header; covered by CHECKSUM */
#define MP_TABLE_ENTRY_COUNT          34
#define MP_TABLE_ENTRIES              44

/*
 * Source of types and lengths: "Base MP Configuration Table Entries"; of the rest: "Processor
 * Entries".
 */
#define MP_ENTRY_PROCESSOR            0
#define MP_ENTRY_BUS                  1
#define MP_ENTRY_IO_APIC              2
#define MP_ENTRY_IO_INTERRUPT         3
#define MP_ENTRY_LOCAL_INTERRUPT      4
#define MP_ENTRY_SIZE                 8     /* of every type except processors */
#define MP_PROCESSOR_SIZE             20
#define MP_PROCESSOR_LOCAL_APIC_ID    1
#define MP_PROCESSOR_CPU_FLAGS        3
#define   MP_CPU_FLAGS_EN               BIT32(0)
#define   MP_CPU_FLAGS_BP               BIT32(1)

#endif
