/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests the debug store area: its two layouts, and records appended to its buffers. Source: SDM 3B,
 * "BTS and DS Save Area". */
#include <model/sampling/records.h>

#include <arch/regs/table.h>
#include <tests/unit/model/sampling/model_pebs.h>

enum { RECORD = 24, WILLAMETTE_CPU = 0xf12, PRESCOTT_CPU = 0xf41 };

static struct machine machine;

/* Sets up an area with one buffer; the fields of PEBS follow those of BTS, in this width. */
static void set_up(uint32_t signature, enum model_ds_buffer buffer, unsigned width, uint64_t room,
                   uint64_t threshold)
{
	const uint64_t at[] = { 0, 0, room, threshold };

	guest_restart(0x400000, 0xa5);
	check_true("created", machine_create(&machine, signature, 1));
	for (unsigned i = 0; i < 4; i++)
		guest_put(AREA + (buffer == MODEL_DS_PEBS ? 4 + i : i) * width, width,
		          BUFFER + at[i]);
	machine_write(&machine, DS_AREA, AREA);
}

static void check_append(const char *what, enum model_ds_buffer buffer, bool is_ring,
                         enum model_ds_result wanted)
{
	static const uint8_t record[RECORD] = { 1, 2, 3 };

	check_eq_u64(what, model_ds_append(&machine.model, buffer, record, RECORD, is_ring),
	             wanted);
}

static uint64_t index_of(enum model_ds_buffer buffer, unsigned width)
{
	return guest_get(AREA + (buffer == MODEL_DS_PEBS ? 5 : 1) * width, width) - BUFFER;
}

/* With CPUID.1:ECX[2] (DTES64) fields always have 8 bytes, else the mode decides (SDM 3B). */
UNIT_TEST(the_layout_follows_the_processor)
{
	static const struct { uint32_t signature; unsigned width; } rows[] = {
		{ WILLAMETTE_CPU, 4 }, { PRESCOTT_CPU, 8 }, { 0x6ec, 4 }, { 0x106c2, 8 },
		{ 0x1067a, 8 }, { 0xc0662, 8 },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++)
		for (unsigned buffer = 0; buffer < 2; buffer++) {
			set_up(rows[i].signature, buffer, rows[i].width, 100, 1000);
			check_eq_u64("width", model_ds_width(&machine.model), rows[i].width);
			check_append("the first record", buffer, false, MODEL_DS_STORED);
			check_eq_u64("index after the first record",
			             index_of(buffer, rows[i].width), RECORD);
			check_eq_u64("the first record's bytes", guest_get(BUFFER, 4), 0x30201);
		}
}

UNIT_TEST(without_dtes64_ia32e_mode_decides)
{
	set_up(0x1067a, MODEL_DS_PEBS, 8, 100, 1000);
	machine.core.rules.ds.has_dtes64 = false;
	check_eq_u64("width in legacy mode", model_ds_width(&machine.model), 4);
	guest.registers.is_ia32e = true;
	check_eq_u64("width in IA-32e mode", model_ds_width(&machine.model), 8);
}

UNIT_TEST(the_threshold_is_reached_by_the_index_after_the_record)
{
	for (unsigned threshold = 2 * RECORD - 1; threshold <= 2 * RECORD + 1; threshold++) {
		set_up(0x1067a, MODEL_DS_PEBS, 8, 1000, threshold);
		check_append("the first record", MODEL_DS_PEBS, false, MODEL_DS_STORED);
		check_append("the second record", MODEL_DS_PEBS, false,
		             threshold <= 2 * RECORD ? MODEL_DS_THRESHOLD : MODEL_DS_STORED);
		check_append("the third record", MODEL_DS_PEBS, false, MODEL_DS_THRESHOLD);
	}
}

/* Room for a part of a record may follow the last whole one. */
UNIT_TEST(the_absolute_maximum_is_not_passed)
{
	for (unsigned rest = 0; rest < RECORD; rest++) {
		set_up(0x1067a, MODEL_DS_PEBS, 8, 2 * RECORD + rest, 1000);
		check_append("the first record", MODEL_DS_PEBS, false, MODEL_DS_STORED);
		check_append("the second record", MODEL_DS_PEBS, false, MODEL_DS_STORED);
		check_append("the third record", MODEL_DS_PEBS, false, MODEL_DS_FULL);
		check_eq_u64("index", index_of(MODEL_DS_PEBS, 8), 2 * RECORD);
		check_eq_u64("the byte after the records", guest_get(BUFFER + 2 * RECORD, 1), 0xa5);
	}
}

UNIT_TEST(no_record_fits_if_the_absolute_maximum_is_less_than_one)
{
	set_up(0x1067a, MODEL_DS_PEBS, 8, 1000, 1000);
	area_put(6, RECORD - 1);
	check_append("the record", MODEL_DS_PEBS, false, MODEL_DS_FULL);
	check_eq_u64("writes", guest.writes, 0);
}

UNIT_TEST(a_ring_starts_again_at_its_base)
{
	set_up(0x1067a, MODEL_DS_BTS, 8, 2 * RECORD + 1, 1000);
	for (unsigned n = 0; n < 5; n++)
		check_append("the record", MODEL_DS_BTS, true, MODEL_DS_STORED);
	check_eq_u64("index", index_of(MODEL_DS_BTS, 8), RECORD);
	check_eq_u64("the byte after the records", guest_get(BUFFER + 2 * RECORD, 1), 0xa5);
}

/* The missing page is the area's, the record's first one, or its second one. */
UNIT_TEST(a_fault_changes_nothing)
{
	for (unsigned page = 0; page < 3; page++) {
		set_up(0x1067a, MODEL_DS_PEBS, 8, 0x2000, 0x2000);
		area_put(5, BUFFER + GUEST_PAGE - RECORD / 2);
		guest.holes = 1u << page;
		check_append("the record", MODEL_DS_PEBS, false, MODEL_DS_FAULT);
		check_eq_u64("writes", guest.writes, 0);
	}
}

UNIT_TEST(reset_values_follow_the_fields)
{
	uint64_t value = 0;

	set_up(0x1067a, MODEL_DS_PEBS, 8, 100, 100);
	guest_put(AREA + 0x40 + 8 * 7, 8, 0x123456789ab);
	check_true("slot 7 can be read", model_ds_reset_value(&machine.model, 7, &value));
	check_eq_u64("value of slot 7", value, 0x123456789ab);
	set_up(WILLAMETTE_CPU, MODEL_DS_PEBS, 4, 100, 100);
	guest_put(AREA + 0x20, 8, 0xff00000001);
	check_true("slot 0 can be read", model_ds_reset_value(&machine.model, 0, &value));
	check_eq_u64("value of slot 0", value, 0xff00000001);
	guest.holes = 1;
	check_true("nothing can be read without an area",
	           !model_ds_reset_value(&machine.model, 0, &value));
}

UNIT_MAIN()
