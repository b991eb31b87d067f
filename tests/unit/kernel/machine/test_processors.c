/* SPDX-License-Identifier: MIT */
/* LINK: kernel/machine/acpi_walk.c */
/* LINK: kernel/machine/processors.c kernel/machine/madt.c kernel/machine/mp_table.c */
/* LINK: kernel/machine/processor_tables.c */
/* LINK: kernel/lib/format.c */
/* Processors as the MADT lists them. */
#include <kernel/machine/processors.h>

#include <tests/unit/kernel/machine/acpi_tables.h>
#include <tests/unit/unit.h>

UNIT_TEST(nothing_is_there)
{
	machine_clear();
	check_none("");
}

UNIT_TEST(processors_in_the_tables_order)
{
	start();
	madt(LOCAL_APIC(0, 1), LOCAL_APIC(6, 1), IO_APIC, LOCAL_APIC(2, 1));
	check_madt(0, 6, 2);
	check_eq_u64("disabled", found.disabled, 0);
}

UNIT_TEST(only_the_enabled_are_to_be_started)
{
	start();
	madt(LOCAL_APIC(0, 1), LOCAL_APIC(1, 0), LOCAL_APIC(2, 2), LOCAL_APIC(3, 3),
	     LOCAL_APIC(4, 0xfffffffe));
	check_madt(0, 3);
	check_eq_u64("disabled, online capable ones too", found.disabled, 3);
}

UNIT_TEST(an_id_is_taken_once)
{
	start();
	madt(LOCAL_APIC(0, 1), LOCAL_APIC(5, 1), LOCAL_APIC(0, 1), LOCAL_APIC(5, 0),
	     LOCAL_X2APIC(5, 1));
	check_madt(0, 5);
	check_eq_u64("disabled", found.disabled, 0);
}

UNIT_TEST(broadcast_ids_are_no_processors)
{
	start();
	madt(LOCAL_APIC(0, 1), LOCAL_APIC(255, 1), LOCAL_APIC(255, 0),
	     LOCAL_X2APIC(0xffffffff, 1), LOCAL_X2APIC(0xffffffff, 0));
	check_madt(0);
	check_eq_u64("disabled", found.disabled, 0);
}

UNIT_TEST(x2apic_ids)
{
	start();
	madt(LOCAL_X2APIC(0x400, 1), LOCAL_APIC(8, 1), LOCAL_X2APIC(0xff, 1),
	     LOCAL_X2APIC(0x402, 0));
	check_madt(8, 0x400, 0xff);
	check_eq_u64("disabled", found.disabled, 1);
}

/* "Processor Local x2APIC Structure": IDs below 255 must use the other structure. */
UNIT_TEST(small_x2apic_ids_beside_local_apics_do_not_exist)
{
	start();
	madt(LOCAL_APIC(0, 1), LOCAL_X2APIC(0, 1), LOCAL_X2APIC(2, 1), LOCAL_X2APIC(254, 1));
	check_madt(0);
	check_eq_u64("disabled", found.disabled, 2);
	start();
	madt(LOCAL_APIC(9, 0), LOCAL_X2APIC(0, 1), LOCAL_X2APIC(2, 1));
	check_madt(0, 2);
	check_eq_u64("disabled", found.disabled, 1);
}

UNIT_TEST(more_than_fit)
{
	uint8_t body[8 + 66 * 8] = { U32(0xfee00000), U32(1) };

	for (unsigned i = 0; i < 66; i++) {
		body[8 + 8 * i + 1] = 8;
		body[8 + 8 * i + 3] = (uint8_t)(2 * i);
		body[8 + 8 * i + 4] = 1;
	}
	start();
	put_table(MADT, "APIC", body, sizeof(body));
	machine_find();
	check_str("problem", found.problem, "");
	check_eq_u64("processors", found.count, 64);
	check_eq_u64("the last", found.apic_id[63], 126);
	check_eq_u64("dropped", found.dropped, 2);
}

UNIT_TEST(lengths_that_end_the_walk)
{
	start();
	madt(LOCAL_APIC(4, 1), 4, 0, 0, 0, LOCAL_APIC(6, 1));
	machine_find();
	check_str("0", found.problem,
	          "MADT: structure of type 4 at offset 52 has length 0, 12 are left");
	check_eq_u64("processors before", found.count, 1);
	check_str("source", found.source, "ACPI MADT");

	madt(LOCAL_APIC(4, 1), 0, 7, 0, 5, 1, 0, 0, 0);
	machine_find();
	check_str("too short for its type", found.problem,
	          "MADT: structure of type 0 at offset 52 has length 7, 8 are left");
	madt(LOCAL_APIC(4, 1), 9, 15, 0, 0, U32(5), U32(1), U32(0));
	machine_find();
	check_str("too short for an x2APIC", found.problem,
	          "MADT: structure of type 9 at offset 52 has length 15, 16 are left");
	madt(LOCAL_APIC(4, 1), 0, 9, 0, 5, U32(1));
	machine_find();
	check_str("beyond the end", found.problem,
	          "MADT: structure of type 0 at offset 52 has length 9, 8 are left");
	check_eq_u64("processors before", found.count, 1);
	madt(LOCAL_APIC(4, 1), 4);
	machine_find();
	check_str("no length at all", found.problem,
	          "MADT: structure of type 4 at offset 52 has length 0, 1 are left");
	madt(4, 1, LOCAL_APIC(4, 1));
	check_none("MADT: structure of type 4 at offset 44 has length 1, 10 are left");
}

UNIT_TEST(structures_may_be_longer_and_of_any_type)
{
	start();
	madt(0, 10, 1, 3, U32(1), 0xff, 0xff, 0x80, 2, 0xff, 3, 0, 9, 17, 0, 0, U32(0x100), U32(1),
	     U32(0), 0xff);
	check_madt(3, 0x100);
}

UNIT_TEST(a_madt_without_processors)
{
	start();
	madt(IO_APIC, LOCAL_APIC(1, 0));
	check_none("MADT: it lists no enabled processor");
	table(MADT, "APIC", U32(0xfee00000), U32(1));
	check_none("MADT: it lists no enabled processor");
	table(MADT, "APIC", U32(0xfee00000), 1, 0, 0);
	check_none("MADT: its length is 43, the least is 44");
}

UNIT_MAIN()
