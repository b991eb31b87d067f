/* SPDX-License-Identifier: MIT */
/*
 * Makes ACPI's tables, for the tests that look for processors in them.
 *
 * The tables are typed from "ACPI Specification 6.4", sections "Root System Description Pointer
 * (RSDP)", "System Description Table Header" and "Multiple APIC Description Table (MADT)", not from
 * the constants of the kernel, so that a wrong one is found.
 */
#ifndef TESTS_UNIT_KERNEL_MACHINE_ACPI_TABLES_H
#define TESTS_UNIT_KERNEL_MACHINE_ACPI_TABLES_H

#include <kernel/machine/processors.h>

#include <tests/unit/kernel/machine/found_processors.h>

#define RSDP  0xf5ac0u
#define RSDT  HIGH
#define XSDT  (HIGH + 0x100)
#define MADT  (HIGH + 0x1003)           /* tables need not be aligned */
#define FACP  (HIGH + 0x300)

#define LOCAL_APIC(id, flags)    0, 8, 7, id, U32(flags)
#define LOCAL_X2APIC(id, flags)  9, 16, 0, 0, U32(id), U32(flags), U32(7)
#define IO_APIC                  1, 12, 2, 0, U32(0xfec00000), U32(0)

/* Puts a table with its header and checksum. */
static inline void put_table(uint32_t address, const char *signature, const uint8_t *body,
                             size_t size)
{
	machine_set(address, U8(signature[0]), U8(signature[1]), U8(signature[2]),
	            U8(signature[3]), U32(36 + size), 1, 0, 'O', 'E', 'M', 'I', 'D', ' ',
	            'O', 'E', 'M', 'T', 'A', 'B', 'L', 'E', U32(1), 'B', 'C', 'N', 'T', U32(1));
	machine_put(address + 36, body, size);
	machine_sum(address, 36 + size, 9);
}

#define table(address, signature, ...) \
	put_table(address, signature, (const uint8_t[]){ __VA_ARGS__ }, \
	          sizeof((const uint8_t[]){ __VA_ARGS__ }))
#define madt(...)  table(MADT, "APIC", U32(0xfee00000), U32(1), __VA_ARGS__)
#define rsdt(...)  table(RSDT, "RSDT", __VA_ARGS__)
#define xsdt(...)  table(XSDT, "XSDT", __VA_ARGS__)

static inline void put_rsdp(uint32_t address, uint8_t revision, uint32_t rsdt, uint64_t xsdt)
{
	machine_set(address, 'R', 'S', 'D', ' ', 'P', 'T', 'R', ' ', 0, 'O', 'E', 'M', 'I', 'D',
	            ' ', revision, U32(rsdt), U32(36), U64(xsdt), 0, 0, 0, 0);
	machine_sum(address, 20, 8);
	machine_sum(address, 36, 32);
}

/* Sets up a machine of ACPI 1.0: the MADT is the RSDT's second table. */
static inline void start(void)
{
	machine_clear();
	put_rsdp(RSDP, 0, RSDT, 0);
	table(FACP, "FACP", U32(0));
	rsdt(U32(FACP), U32(MADT));
}

#define check_madt(...)  check_ids("ACPI MADT", __VA_ARGS__)

#endif
