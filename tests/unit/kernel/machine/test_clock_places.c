/* SPDX-License-Identifier: MIT */
/* LINK: kernel/machine/clock_places.c kernel/machine/acpi_walk.c */
/* LINK: kernel/machine/processor_tables.c kernel/machine/processors.c kernel/machine/madt.c */
/* LINK: kernel/machine/mp_table.c kernel/lib/format.c */
/* The clocks that ACPI's tables name: the PM timer in the FADT, the HPET in a table of its own. */
#include <kernel/machine/clock_places.h>

#include <tests/unit/kernel/machine/acpi_tables.h>
#include <tests/unit/unit.h>

/* Offsets in the FADT and in the HPET's table, less the header's 36, typed from the documents. */
enum { PM_TMR_BLK = 76 - 36, PM_TMR_LEN = 91 - 36, X_PM_TMR_BLK = 208 - 36, FADT_SIZE = 244 - 36 };

#define HPET_TABLE  (HIGH + 0x500)
#define MEMORY      0
#define IO_SPACE    1

static struct clock_places places(void)
{
	const struct bootinfo boot = { .is_efi = false };
	const struct clock_places found_here = clock_places_find(&boot, &machine.physical);

	machine_free();
	return found_here;
}

/* Puts a FADT of this size with a port, its length, and an extended address. */
static void put_fadt(size_t size, uint32_t port, uint8_t length, uint8_t space, uint64_t extended)
{
	uint8_t body[FADT_SIZE] = { 0 };

	for (unsigned i = 0; i < 4; i++)
		body[PM_TMR_BLK + i] = (uint8_t)(port >> (8 * i));
	body[PM_TMR_LEN] = length;
	body[X_PM_TMR_BLK] = space;
	for (unsigned i = 0; i < 8; i++)
		body[X_PM_TMR_BLK + 4 + i] = (uint8_t)(extended >> (8 * i));
	put_table(FACP, "FACP", body, size);
}

UNIT_TEST(the_fadt_names_the_port_of_the_pm_timer)
{
	start();
	put_fadt(116 - 36, 0xb008, 4, 0, 0);
	check_eq_u64("port", places().pm_timer, 0xb008);
	put_fadt(116 - 36, 0, 0, 0, 0);
	check_eq_u64("port", places().pm_timer, 0);
	put_fadt(116 - 36, 0x12345, 4, 0, 0);
	check_eq_u64("port", places().pm_timer, 0);
	put_fadt(116 - 36, 0xb008, 0, 0, 0);
	check_eq_u64("port of a timer without a length", places().pm_timer, 0);
}

UNIT_TEST(the_extended_address_counts_without_the_other)
{
	start();
	put_fadt(FADT_SIZE, 0, 0, IO_SPACE, 0x1808);
	check_eq_u64("port", places().pm_timer, 0x1808);
	put_fadt(FADT_SIZE, 0x408, 4, IO_SPACE, 0x1808);
	check_eq_u64("port", places().pm_timer, 0x408);
	put_fadt(FADT_SIZE, 0, 0, MEMORY, 0x1808);
	check_eq_u64("port", places().pm_timer, 0);
	put_fadt(FADT_SIZE, 0, 0, IO_SPACE, UINT64_C(0x100001808));
	check_eq_u64("port", places().pm_timer, 0);
}

UNIT_TEST(a_short_fadt_has_no_timer)
{
	start();
	put_fadt(PM_TMR_LEN, 0xb008, 4, 0, 0);
	check_eq_u64("port", places().pm_timer, 0);
}

static void put_hpet(uint8_t space, uint64_t address)
{
	table(HPET_TABLE, "HPET", U32(0x8086a201), space, 64, 0, 0, U64(address), 0, U32(0));
	rsdt(U32(FACP), U32(MADT), U32(HPET_TABLE));
}

UNIT_TEST(the_hpet_is_in_memory_below_4_gb)
{
	start();
	put_hpet(MEMORY, 0xfed00000);
	check_eq_u64("address", places().hpet, 0xfed00000);
	put_hpet(IO_SPACE, 0xfed00000);
	check_eq_u64("address", places().hpet, 0);
	put_hpet(MEMORY, UINT64_C(0x1fed00000));
	check_eq_u64("address", places().hpet, 0);
}

UNIT_TEST(a_short_table_has_no_hpet)
{
	start();
	table(HPET_TABLE, "HPET", U32(0x8086a201), MEMORY, 64, 0, 0);
	rsdt(U32(FACP), U32(MADT), U32(HPET_TABLE));
	check_eq_u64("address", places().hpet, 0);
}

UNIT_MAIN()
