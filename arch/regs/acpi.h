/* SPDX-License-Identifier: MIT */
/*
 * ACPI's tables, as far as they say which processors there are: offsets in bytes, lengths.
 * Source: ACPI Specification 6.4, by its sections; fields have the names of its tables.
 */
#ifndef ARCH_REGS_ACPI_H
#define ARCH_REGS_ACPI_H

#include <arch/regs/bits.h>

/* "Root System Description Pointer (RSDP)"; up to the first Length it is ACPI 1.0's. */
#define ACPI_RSDP_SIGNATURE           "RSD PTR "
#define ACPI_RSDP_Revision            15    /* 0: ACPI 1.0; from 2 on the fields below exist */
#define ACPI_RSDP_RsdtAddress         16
#define ACPI_RSDP_Length              20
#define ACPI_RSDP_XsdtAddress         24
#define ACPI_RSDP_SIZE_1              20    /* what Checksum covers */
#define ACPI_RSDP_SIZE                36    /* what Extended Checksum covers */

/* "Finding the RSDP on IA-PC Systems": 16-byte boundaries in the first KB of the EBDA and here. */
#define ACPI_RSDP_AREA                0xe0000
#define ACPI_RSDP_AREA_SIZE           0x20000
#define ACPI_RSDP_EBDA_SIZE           0x400

/* "System Description Table Header". Checksum covers Length bytes. */
#define ACPI_HEADER_Length            4
#define ACPI_HEADER_SIZE              36

/* "Root System Description Table (RSDT)", "Extended System Description Table (XSDT)". */
#define ACPI_RSDT_SIGNATURE           "RSDT"
#define ACPI_XSDT_SIGNATURE           "XSDT"
#define ACPI_RSDT_Entry               ACPI_HEADER_SIZE      /* 4 bytes each */
#define ACPI_XSDT_Entry               ACPI_HEADER_SIZE      /* 8 bytes each */

/* "Multiple APIC Description Table (MADT)". */
#define ACPI_MADT_SIGNATURE           "APIC"
#define ACPI_MADT_STRUCTURES          44    /* "Interrupt Controller Structure[n]" */
#define ACPI_MADT_Type                0
#define ACPI_MADT_Length              1

/* "Processor Local APIC Structure". */
#define ACPI_MADT_LOCAL_APIC          0
#define ACPI_LOCAL_APIC_APIC_ID       3
#define ACPI_LOCAL_APIC_Flags         4
#define   ACPI_LOCAL_APIC_Enabled         BIT32(0)
#define   ACPI_LOCAL_APIC_Online_Capable  BIT32(1)
#define ACPI_LOCAL_APIC_SIZE          8

/* "Processor Local x2APIC Structure"; Flags as above. */
#define ACPI_MADT_LOCAL_X2APIC        9
#define ACPI_LOCAL_X2APIC_X2APIC_ID   4
#define ACPI_LOCAL_X2APIC_Flags       8
#define ACPI_LOCAL_X2APIC_SIZE        16

#endif
