/* SPDX-License-Identifier: MIT */
/*
 * Defines those of ACPI's tables that list processors and clocks: offsets in bytes, and lengths.
 * Source: ACPI Specification 6.4, cited by section; fields have the names of its tables.
 */
#ifndef ARCH_REGS_ACPI_H
#define ARCH_REGS_ACPI_H

#include <arch/regs/bits.h>

/*
 * Source: "Root System Description Pointer (RSDP)". The fields before the first Length are those of
 * ACPI 1.0.
 */
#define ACPI_RSDP_SIGNATURE           "RSD PTR "
#define ACPI_RSDP_Revision            15    /* 0: ACPI 1.0; from 2 on the following fields exist */
#define ACPI_RSDP_RsdtAddress         16
#define ACPI_RSDP_Length              20
#define ACPI_RSDP_XsdtAddress         24
#define ACPI_RSDP_SIZE_1              20    /* the bytes that Checksum covers */
#define ACPI_RSDP_SIZE                36    /* the bytes that Extended Checksum covers */

/*
 * By "Finding the RSDP on IA-PC Systems" the RSDP is at a 16-byte boundary, in the first KB of the
 * EBDA or in this area.
 */
#define ACPI_RSDP_AREA                0xe0000
#define ACPI_RSDP_AREA_SIZE           0x20000
#define ACPI_RSDP_EBDA_SIZE           0x400

/* Source: "System Description Table Header". Checksum covers Length bytes. */
#define ACPI_HEADER_Length            4
#define ACPI_HEADER_SIZE              36

/* Source: "Root System Description Table (RSDT)", "Extended System Description Table (XSDT)". */
#define ACPI_RSDT_SIGNATURE           "RSDT"
#define ACPI_XSDT_SIGNATURE           "XSDT"
#define ACPI_RSDT_Entry               ACPI_HEADER_SIZE      /* 4 bytes each */
#define ACPI_XSDT_Entry               ACPI_HEADER_SIZE      /* 8 bytes each */

/* Source: "Multiple APIC Description Table (MADT)". */
#define ACPI_MADT_SIGNATURE           "APIC"
#define ACPI_MADT_STRUCTURES          44    /* "Interrupt Controller Structure[n]" */
#define ACPI_MADT_Type                0
#define ACPI_MADT_Length              1

/* Source: "Processor Local APIC Structure". */
#define ACPI_MADT_LOCAL_APIC          0
#define ACPI_LOCAL_APIC_APIC_ID       3
#define ACPI_LOCAL_APIC_Flags         4
#define   ACPI_LOCAL_APIC_Enabled         BIT32(0)
#define   ACPI_LOCAL_APIC_Online_Capable  BIT32(1)
#define ACPI_LOCAL_APIC_SIZE          8

/* Source: "Processor Local x2APIC Structure". Flags are as above. */
#define ACPI_MADT_LOCAL_X2APIC        9
#define ACPI_LOCAL_X2APIC_X2APIC_ID   4
#define ACPI_LOCAL_X2APIC_Flags       8
#define ACPI_LOCAL_X2APIC_SIZE        16

/* Source: "Fixed ACPI Description Table (FADT)". */
#define ACPI_FADT_SIGNATURE           "FACP"
#define ACPI_FADT_PM_TMR_BLK          76    /* an I/O port; 0: the extended one, or none */
#define ACPI_FADT_PM_TMR_LEN          91
#define ACPI_FADT_X_PM_TMR_BLK        208
#define ACPI_FADT_SIZE_1              116   /* without the extended fields */

/* Source: "Generic Address Structure". */
#define ACPI_GAS_Address_Space_ID     0
#define   ACPI_GAS_MEMORY                 0
#define   ACPI_GAS_IO                     1
#define ACPI_GAS_Address              4
#define ACPI_GAS_SIZE                 12

/* Source: IA-PC HPET Specification 1.0a, "The ACPI 2.0 HPET Description Table (HPET)". */
#define ACPI_HPET_SIGNATURE           "HPET"
#define ACPI_HPET_BASE_ADDRESS        40
#define ACPI_HPET_SIZE                56

#endif
