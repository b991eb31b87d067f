/* SPDX-License-Identifier: MIT */
/* LINK: kernel/machine/acpi_walk.c */
/* LINK: kernel/machine/processors.c kernel/machine/madt.c kernel/machine/mp_table.c */
/* LINK: kernel/machine/processor_tables.c */
/* LINK: kernel/lib/format.c */
/*
 * The MP table. Bytes are typed from "MultiProcessor Specification 1.4", chapters 4 and 5, not from
 * the constants of the kernel, so that a wrong one is found.
 */
#include <kernel/machine/processors.h>

#include <tests/unit/kernel/machine/found_processors.h>
#include <tests/unit/unit.h>

#define POINTER  0xf6d70u
#define TABLE    0x9fd01u               /* it need not be aligned */

#define PROCESSOR(id, flags)  0, id, 0x14, flags, U32(0x652), U32(0x387fbff), U32(0), U32(0)
#define BUS                   1, 0, 'I', 'S', 'A', ' ', ' ', ' '
#define INTERRUPT(type)       type, 0, 0, 0, 0, 1, 2, 1

static void put_pointer(uint32_t address, uint32_t table, uint8_t feature_1)
{
	machine_set(address, '_', 'M', 'P', '_', U32(table), 1, 4, 0, feature_1, 0, 0, 0, 0);
	machine_sum(address, 16, 10);
}

static void put_table(unsigned entries, const uint8_t *bytes, size_t size)
{
	machine_set(TABLE, 'P', 'C', 'M', 'P', U16(44 + size), 4, 0, 'O', 'E', 'M', ' ', ' ', ' ',
	            ' ', ' ', 'P', 'R', 'O', 'D', 'U', 'C', 'T', ' ', ' ', ' ', ' ', ' ',
	            U32(0), U16(0), U16(entries), U32(0xfee00000), U16(0), 0, 0);
	machine_put(TABLE + 44, bytes, size);
	machine_sum(TABLE, 44 + size, 7);
}

#define table(entries, ...) \
	put_table(entries, (const uint8_t[]){ __VA_ARGS__ }, \
	          sizeof((const uint8_t[]){ __VA_ARGS__ }))

static void start(void)
{
	machine_clear();
	put_pointer(POINTER, TABLE, 0);
}

#define check_mp(...)  check_ids("MP table", __VA_ARGS__)

UNIT_TEST(processors_among_other_entries)
{
	start();
	table(7, PROCESSOR(0, 3), BUS, PROCESSOR(3, 1), INTERRUPT(2), INTERRUPT(3), INTERRUPT(4),
	      PROCESSOR(1, 1));
	check_mp(0, 3, 1);
	check_eq_u64("disabled", found.disabled, 0);
}

UNIT_TEST(only_the_enabled_and_each_once)
{
	start();
	table(6, PROCESSOR(0, 3), PROCESSOR(1, 0), PROCESSOR(2, 2), PROCESSOR(0, 1),
	      PROCESSOR(255, 1), PROCESSOR(6, 0xfd));
	check_mp(0, 6);
	check_eq_u64("disabled", found.disabled, 2);
}

UNIT_TEST(where_the_pointer_is_looked_for)
{
	static const uint32_t places[] = {
		0xf0000, 0xffff0, 0x9fc00, 0x9fff0,     /* ROM; the last KB of 640 */
		0x80000, 0x803f0,                       /* the EBDA */
		0x7fc00, 0x7fff0,                       /* the last KB of 512 */
	};

	for (unsigned i = 0; i < 8; i++) {
		start();
		memset(machine.low + POINTER, 0, 16);
		machine_set(0x40e, U16(i == 4 || i == 5 ? 0x8000 : 0));
		machine_set(0x413, U16(i == 6 || i == 7 ? 512 : 0));
		table(1, PROCESSOR(5, 3));
		put_pointer(places[i], TABLE, 0);
		check_mp(5);
	}
}

UNIT_TEST(where_it_is_not_looked_for)
{
	static const uint32_t places[] = { 0xf0008, 0xeffe0, 0x9fbf0, 0x80000, 0x7fc00, 0xa0000 };

	for (unsigned i = 0; i < 6; i++) {
		start();
		memset(machine.low + POINTER, 0, 16);
		machine_set(0x413, U16(641));
		table(1, PROCESSOR(5, 3));
		put_pointer(places[i], TABLE, 0);
		check_none("");
	}
}

UNIT_TEST(without_the_bioss_words_the_rest_is_searched)
{
	start();
	table(1, PROCESSOR(5, 3));
	machine_set(0x40e, U16(0x8000));
	put_pointer(0x80000, 0, 1);
	machine.is_page_0_absent = true;
	check_mp(5);
	machine.is_page_0_absent = false;
	check_mp(0, 1);
}

UNIT_TEST(a_wrong_checksum_is_not_used)
{
	start();
	table(1, PROCESSOR(5, 3));
	machine.low[TABLE + 20]++;
	check_none("MP table: length 64, and a wrong checksum");
	start();
	machine.low[POINTER + 9]++;
	check_none("the MP table at F6D70H has a wrong checksum");
	put_pointer(0xffff0, TABLE, 0);
	table(1, PROCESSOR(5, 3));
	check_mp(5);
}

UNIT_TEST(a_table_that_is_none)
{
	start();
	check_none("MP table: no configuration table at 9FD01H");
	put_pointer(POINTER, 0, 0);
	check_none("MP table: no configuration table at 0H");
	put_pointer(POINTER, 0xfffff000, 0);
	check_none("MP table: no configuration table at FFFFF000H");
	put_pointer(POINTER, HIGH + HIGH_SIZE - 44, 0);
	machine_set(HIGH + HIGH_SIZE - 44, 'P', 'C', 'M', 'P', U16(45));
	check_none("MP table: length 45 cannot be right");
	machine_set(HIGH + HIGH_SIZE - 44, 'P', 'C', 'M', 'P', U16(43));
	check_none("MP table: length 43 cannot be right");
	machine_set(HIGH + HIGH_SIZE - 44, 'P', 'C', 'M', 'P', U16(44));
	machine_sum(HIGH + HIGH_SIZE - 44, 44, 7);
	check_none("MP table: it lists no enabled processor");
}

UNIT_TEST(entries_that_end_the_walk)
{
	start();
	table(3, PROCESSOR(2, 3), 5, 0, 0, 0, 0, 0, 0, 0, PROCESSOR(4, 1));
	machine_find();
	check_str("unknown", found.problem, "MP table: entry 2 of 3 at offset 64 is not of a known "
	          "type or beyond the end");
	check_eq_u64("processors before", found.count, 1);
	check_str("source", found.source, "MP table");
	table(2, PROCESSOR(2, 3));
	machine_find();
	check_str("too many", found.problem, "MP table: entry 2 of 2 at offset 64 is not of a "
	          "known type or beyond the end");
	table(2, PROCESSOR(2, 3), 0, 4, 0x14, 1, U32(0), U32(0), U32(0), 0, 0, 0);
	machine_find();
	check_str("cut", found.problem, "MP table: entry 2 of 2 at offset 64 is not of a known "
	          "type or beyond the end");
	check_eq_u64("processors before", found.count, 1);
}

/* Bytes after the entries that are counted are no entries. */
UNIT_TEST(fewer_entries_than_there_is_room)
{
	start();
	table(1, PROCESSOR(2, 3), PROCESSOR(4, 1));
	check_mp(2);
}

UNIT_TEST(default_configurations)
{
	for (uint8_t i = 1; i <= 7; i++) {
		machine_clear();
		put_pointer(POINTER, 0, i);
		check_mp(0, 1);
	}
	put_pointer(POINTER, 0, 8);
	check_none("MP table: there is no default configuration 8");
}

UNIT_TEST(acpi_goes_first_if_it_is_usable)
{
	static const uint8_t rsdp[] = {
		'R', 'S', 'D', ' ', 'P', 'T', 'R', ' ', 0, 'O', 'E', 'M', 'I', 'D', ' ', 0,
		U32(HIGH),
	};

	start();
	table(1, PROCESSOR(5, 3));
	machine_put(0xe0000, rsdp, sizeof(rsdp));
	machine_sum(0xe0000, 20, 8);
	machine_find();
	check_str("problem", found.problem, "ACPI: no RSDT can be read at BFFE0000H");
	check_str("source", found.source, "MP table");
	check_eq_u64("processors", found.count, 1);
	machine_set(HIGH, 'R', 'S', 'D', 'T', U32(40));
	machine_set(HIGH + 36, U32(HIGH + 64));
	machine_sum(HIGH, 40, 9);
	machine_set(HIGH + 64, 'A', 'P', 'I', 'C', U32(60));
	machine_set(HIGH + 64 + 44, 0, 8, 0, 1, U32(1), 0, 8, 0, 9, U32(1));
	machine_sum(HIGH + 64, 60, 9);
	machine_find();
	check_str("problem", found.problem, "");
	check_str("source", found.source, "ACPI MADT");
	check_eq_u64("processors", found.count, 2);
	machine_set(HIGH + 64 + 44, 0, 8, 0, 1, U32(0), 0, 8, 0, 9, U32(0));
	machine_sum(HIGH + 64, 60, 9);
	machine_find();
	check_str("source: the MADT has none", found.source, "MP table");
	check_eq_u64("disabled ones of the MADT", found.disabled, 0);
	check_eq_u64("processors", found.count, 1);
}

UNIT_TEST(under_efi_nothing_is_searched)
{
	start();
	table(1, PROCESSOR(5, 3));
	boot.is_efi = true;
	check_none("");
}

UNIT_MAIN()
