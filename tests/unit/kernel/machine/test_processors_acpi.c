/* SPDX-License-Identifier: MIT */
/* LINK: kernel/machine/acpi_walk.c */
/* LINK: kernel/machine/processors.c kernel/machine/madt.c kernel/machine/mp_table.c */
/* LINK: kernel/machine/processor_tables.c */
/* LINK: kernel/lib/format.c */
/* The way from the RSDP to the MADT. */
#include <kernel/machine/processors.h>

#include <tests/unit/kernel/machine/acpi_tables.h>
#include <tests/unit/unit.h>

UNIT_TEST(a_wrong_checksum_is_not_used)
{
	start();
	madt(LOCAL_APIC(0, 1));
	machine.high[MADT - HIGH + 51] ^= 4;
	check_none("ACPI: the APIC at BFFE1003H has a wrong checksum");
	start();
	madt(LOCAL_APIC(0, 1));
	machine.high[RSDT - HIGH + 10] ^= 4;
	check_none("ACPI: the RSDT at BFFE0000H has a wrong checksum");
}

UNIT_TEST(lengths_of_tables)
{
	start();
	madt(LOCAL_APIC(0, 1));
	machine_set(MADT + 4, U32(35));
	check_none("ACPI: the APIC at BFFE1003H has length 35");
	machine_set(MADT + 4, U32(0x40001));
	check_none("ACPI: the APIC at BFFE1003H has length 262145");
	machine_set(MADT + 4, U32(0x40000));
	check_none("ACPI: the APIC at BFFE1003H cannot be read to its end");
	machine_set(MADT + 4, U32(HIGH_SIZE - 0x1003 + 1));
	check_none("ACPI: the APIC at BFFE1003H cannot be read to its end");
}

UNIT_TEST(an_rsdt_that_is_none)
{
	start();
	table(RSDT, "RSDX", U32(MADT));
	check_none("ACPI: no RSDT can be read at BFFE0000H");
	put_rsdp(RSDP, 0, HIGH + HIGH_SIZE - 35, 0);
	check_none("ACPI: no RSDT can be read at BFFE1FDDH");
	put_rsdp(RSDP, 0, 0, 0);
	check_none("");
}

UNIT_TEST(tables_that_cannot_be_read_are_skipped)
{
	start();
	madt(LOCAL_APIC(0, 1));
	rsdt(U32(0), U32(0xfffffff0), U32(MADT));
	check_madt(0);
	rsdt(U32(FACP), U32(0xfffffff0), 1, 2, 3);
	check_none("ACPI: the table at FFFFFFF0H is out of this kernel's reach");
	rsdt(U32(FACP), 1, 2, 3);
	check_none("");
}

UNIT_TEST(the_first_madt_counts)
{
	start();
	madt(LOCAL_APIC(2, 1));
	table(HIGH + 0x400, "APIC", U32(0xfee00000), U32(1), LOCAL_APIC(4, 1));
	rsdt(U32(FACP), U32(MADT), U32(HIGH + 0x400));
	check_madt(2);
}

UNIT_TEST(the_xsdt_goes_before_the_rsdt)
{
	start();
	put_rsdp(RSDP, 2, RSDT, XSDT);
	madt(LOCAL_APIC(2, 1));
	table(HIGH + 0x400, "APIC", U32(0xfee00000), U32(1), LOCAL_APIC(4, 1));
	xsdt(U64(FACP), U64(HIGH + 0x400));
	check_madt(4);
	xsdt(U64(0x1bffe0400), U64(0), U64(HIGH + 0x400));
	check_madt(4);
	put_rsdp(RSDP, 1, RSDT, XSDT);
	check_madt(2);
}

UNIT_TEST(an_xsdt_that_cannot_be_used)
{
	start();
	madt(LOCAL_APIC(2, 1));
	put_rsdp(RSDP, 2, RSDT, 0);
	check_madt(2);
	put_rsdp(RSDP, 2, RSDT, 0x1bffe0000);
	machine_find();
	check_str("beyond 4 GB", found.problem, "ACPI: no XSDT can be read at 1BFFE0000H");
	check_eq_u64("the RSDT's", found.apic_id[0], 2);
	put_rsdp(RSDP, 2, 0, XSDT);
	xsdt(U64(FACP), U64(0x123450000));
	check_none("ACPI: the table at 123450000H is out of this kernel's reach");
}

UNIT_TEST(the_rsdps_newer_half)
{
	start();
	madt(LOCAL_APIC(2, 1));
	xsdt(U64(FACP));
	put_rsdp(RSDP, 2, RSDT, XSDT);
	machine.low[RSDP + 35] ^= 1;
	machine_find();
	check_str("checksum", found.problem, "ACPI: the RSDP's extended checksum is wrong");
	check_eq_u64("the RSDT's", found.apic_id[0], 2);
	machine_set(RSDP + 20, U32(40));
	machine_find();
	check_str("length", found.problem, "ACPI: the RSDP has length 40, expected 36");
	check_str("source", found.source, "ACPI MADT");
}

UNIT_TEST(where_the_rsdp_is_looked_for)
{
	static const uint32_t places[] = { 0xe0000, 0xfffd0, 0x9fc00, 0x9ffe0 };

	for (unsigned i = 0; i < 4; i++) {
		start();
		madt(LOCAL_APIC(3, 1));
		memset(machine.low + RSDP, 0, 36);
		machine_set(0x40e, U16(0x9fc0));
		put_rsdp(places[i], 0, RSDT, 0);
		if (i == 3)     /* only the older half must lie in the area */
			memset(machine.low + places[i] + 20, 0xff, 16);
		check_madt(3);
	}
	start();
	madt(LOCAL_APIC(3, 1));
	memset(machine.low + RSDP, 0, 36);
	put_rsdp(0x9fc00, 0, RSDT, 0);
	check_none("");
	put_rsdp(0xe0008, 0, RSDT, 0);
	check_none("");
	machine_set(0x40e, U16(0x9fc0));
	memset(machine.low + 0x9fc00, 0, 36);
	put_rsdp(0xa0000, 0, RSDT, 0);
	check_none("");
}

/* Memory ends after it, so it cannot have ACPI 2.0's part. */
UNIT_TEST(an_rsdp_at_the_end_of_memory)
{
	start();
	madt(LOCAL_APIC(3, 1));
	xsdt(U64(FACP));
	put_rsdp(RSDP, 2, RSDT, XSDT);
	machine_put(LOW_SIZE - 32, machine.low + RSDP, 20);
	memset(machine.low + RSDP, 0, 36);
	check_madt(3);
}

UNIT_TEST(a_signature_with_a_wrong_checksum)
{
	start();
	madt(LOCAL_APIC(3, 1));
	put_rsdp(0xe1230, 0, RSDT, 0);
	machine.low[0xe1230 + 9] ^= 1;
	check_madt(3);
	machine.low[RSDP + 9] ^= 1;
	check_none("the RSDP at E1230H has a wrong checksum");
}

static void give_to_loader(uint32_t address, uint32_t size)
{
	memcpy(boot.rsdp, machine.low + address, size);
	boot.rsdp_size = size;
	memset(machine.low + address, 0, 36);
}

UNIT_TEST(the_loaders_rsdp)
{
	start();
	madt(LOCAL_APIC(3, 1));
	boot.is_efi = true;
	give_to_loader(RSDP, 20);
	check_madt(3);
	put_rsdp(RSDP, 2, 0, XSDT);
	xsdt(U64(MADT));
	give_to_loader(RSDP, 36);
	check_madt(3);
	put_rsdp(RSDP, 2, 0, XSDT);
	give_to_loader(RSDP, 20);
	check_none("");
}

UNIT_TEST(a_wrong_rsdp_of_the_loader)
{
	start();
	madt(LOCAL_APIC(3, 1));
	boot.is_efi = true;
	put_rsdp(0xe0000, 0, RSDT, 0);
	give_to_loader(RSDP, 20);
	boot.rsdp[0] = 'X';
	check_none("ACPI: the boot loader's RSDP has a wrong signature or checksum");
	boot.rsdp[0] = 'R';
	boot.rsdp[9]++;
	check_none("ACPI: the boot loader's RSDP has a wrong signature or checksum");
	boot.is_efi = false;
	machine_find();
	check_eq_u64("under a BIOS the other one is found", found.count, 1);
	boot.rsdp_size = 19;
	check_madt(3);
}

UNIT_TEST(under_efi_nothing_is_searched)
{
	start();
	madt(LOCAL_APIC(3, 1));
	boot.is_efi = true;
	check_none("");
	check_eq_u64("reads", machine.calls, 0);
}

UNIT_MAIN()
