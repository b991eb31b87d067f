/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests NetBurst's PEBS. Source: SDM 3B, "Processor Event-Based Sampling (PEBS)" of NetBurst, "BTS
 * and DS Save Area", "PEBS and Intel Hyper-Threading Technology". */
#include <tests/unit/model/netburst/model_netburst_events.h>

enum { TAG_LOADS = 2, TAG_STORES = 4, UOP_TAG = 1 << 24, MY_THREAD = 1 << 25,
       OTHER_THREAD = 1 << 26 };
static const struct escr RAT0 = { 0x3bc, 13, 2 }, CRU0_16 = { 0x3b8, 16, 4 },
	CRU2 = { 0x3cc, 16, 5 }, CRU3 = { 0x3cd, 17, 5 };

/* The guest has two areas, a page each, and two buffers. */
#define AREA(thread)   (guest.base + (thread) * UINT64_C(0x800))
#define BUFFER(thread) (guest.base + (1 + (thread)) * UINT64_C(0x1000))

static unsigned width;

static void field(unsigned thread, unsigned number, uint64_t value)
{
	guest_put(AREA(thread) + number * width, width, value);
}

static uint64_t index_of(unsigned thread)
{
	return guest_get(AREA(thread) + 5 * width, width) - BUFFER(thread);
}

/* Fills in the fields of PEBS, 4 to 7. */
static void set_up_area(unsigned thread, uint64_t room, uint64_t threshold, uint64_t missing)
{
	field(thread, 4, BUFFER(thread));
	field(thread, 5, BUFFER(thread));
	field(thread, 6, BUFFER(thread) + room);
	field(thread, 7, BUFFER(thread) + threshold);
	guest_put(AREA(thread) + 8 * width, 8, BEFORE(missing));
	several_put(&s, thread, 0x600, AREA(thread));
}

/* Creates a core whose thread 0 records every (missing + 1)th load that the front end tags. */
static void record_loads(uint32_t signature, uint64_t room, uint64_t threshold, uint64_t missing)
{
	width = signature == WILLAMETTE ? 4 : 8;
	guest_restart(0x400000, 0xa5);
	fresh(signature, 1);
	set_up_area(0, room, threshold, missing);
	turn_on(RAT0, EVENT(0x02, TAG_LOADS));
	put_msr(PEBS_ENABLE, MY_THREAD);
	turn_on(CRU2, EVENT(0x08, 1));
	put_msr(COUNTER + 16, BEFORE(missing));
}

static void load(unsigned count)
{
	while (count--)
		touch(REFPMU_READ, 0x3000, 4);
}

/* ---------------------------------------------------------------------------- records */

UNIT_TEST(a_record_has_the_manuals_fields)
{
	static const uint8_t order[] = { 0, 3, 1, 2, 6, 7, 5, 4, 8, 9, 10, 11, 12, 13, 14, 15 };
	static const struct { uint32_t signature; unsigned size; } rows[] = {
		{ WILLAMETTE, 40 }, { PRESCOTT, 144 }
	};

	for (unsigned i = 0; i < 2; i++) {
		uint64_t mask;

		record_loads(rows[i].signature, 1000, 900, 3);
		mask = width == 4 ? UINT32_MAX : UINT64_MAX;
		load(4);
		check_eq_u64("index", index_of(0), rows[i].size);
		check_eq_u64("flags", guest_get(BUFFER(0), width), 0x246);
		check_eq_u64("IP", guest_get(BUFFER(0) + width, width), s.cpu[0].ip + 4);
		for (unsigned r = 2; r < rows[i].size / width; r++)
			check_eq_u64("register", guest_get(BUFFER(0) + r * width, width),
			             guest.registers.general[order[r - 2]] & mask);
		check_eq_u64("the byte after the record",
		             guest_get(BUFFER(0) + rows[i].size, 1), 0xa5);
	}
}

UNIT_TEST(one_record_for_each_period)
{
	for (unsigned missing = 1; missing < 6; missing++) {
		record_loads(WILLAMETTE, 1000, 900, missing);
		for (unsigned n = 1; n < 20; n++) {
			load(1);
			run(0, 0, 3);
			check_eq_u64("records", index_of(0) / 40, n / (missing + 1));
		}
		check_true("OVF stays 0", !(get_msr(CCCR + 16) & OVF));
		check_eq_u64("PMIs", s.cpu[0].pmis, 0);
	}
}

UNIT_TEST(ovf_pmi_does_nothing_while_the_counter_records)
{
	record_loads(WILLAMETTE, 1000, 900, 2);
	put_msr(CCCR + 16, ACTIVE(3) | SELECT(5) | ENABLE | PMI_T0);
	load(10);
	check_eq_u64("records", index_of(0) / 40, 3);
	check_eq_u64("PMIs", s.cpu[0].pmis, 0);
}

UNIT_TEST(the_index_at_the_threshold_interrupts)
{
	record_loads(WILLAMETTE, 1000, 3 * 40, 1);
	for (unsigned n = 1; n < 4; n++) {
		check_eq_u64("PMIs so far", s.cpu[0].pmis, 0);
		load(2);
		check_eq_u64("records", index_of(0) / 40, n);
	}
	check_eq_u64("PMIs", s.cpu[0].pmis, 1);
}

/* A partial record at the end would be erratum P79. */
UNIT_TEST(nothing_is_written_past_the_absolute_maximum)
{
	for (unsigned rest = 0; rest < 40; rest += 13) {
		record_loads(WILLAMETTE, 80 + rest, 2000, 1);
		load(20);
		check_eq_u64("records", index_of(0), 80);
		check_eq_u64("the byte after the records", guest_get(BUFFER(0) + 80, 1), 0xa5);
		check_eq_u64("the counter is reloaded all the same", counted(16), BEFORE(1));
	}
}

UNIT_TEST(a_fault_in_the_area_shuts_down)
{
	for (unsigned page = 0; page < 2; page++) {
		record_loads(WILLAMETTE, 1000, 900, 1);
		guest.holes = 1u << page;
		load(1);
		check_eq_u64("shutdowns before the record", guest.shutdowns, 0);
		load(1);
		check_eq_u64("shutdowns", guest.shutdowns, 1);
		check_eq_u64("writes", guest.writes, 0);
	}
}

/* The area ends with its page: the reset value would be on the next page, which is missing. */
UNIT_TEST(a_reset_value_that_cannot_be_read_shuts_down)
{
	const unsigned at = 3 * GUEST_PAGE - 8 * 4;

	record_loads(WILLAMETTE, 1000, 900, 1);
	memcpy(guest.bytes + at, guest.bytes, 8 * 4);
	put_msr(DS_AREA, guest.base + at);
	guest.holes = 1u << 3;
	load(2);
	check_eq_u64("shutdowns", guest.shutdowns, 1);
}

/* ---------------------------------------------------------------------------- recording */

UNIT_TEST(only_three_events_are_recorded)
{
	record_loads(WILLAMETTE, 1000, 900, 1);
	put_msr(CCCR + 16, 0);
	turn_on(CRU0_16, INSTR_RETIRED | T0);
	put_msr(COUNTER + 16, BEFORE(1));
	load(20);
	check_eq_u64("records of instr_retired", index_of(0), 0);
	check_eq_u64("events counted", counted(16), 19);
	check_true("OVF is 1", get_msr(CCCR + 16) & OVF);
}

UNIT_TEST(records_need_bit_25_and_an_enabled_counter)
{
	record_loads(WILLAMETTE, 1000, 900, 1);
	put_msr(PEBS_ENABLE, UOP_TAG | 1);
	load(20);
	check_eq_u64("records with bit 25 = 0", index_of(0), 0);
	record_loads(WILLAMETTE, 1000, 900, 1);
	put_msr(CCCR + 16, ACTIVE(3) | SELECT(5));
	load(20);
	check_eq_u64("records with ENABLE = 0", index_of(0), 0);
}

UNIT_TEST(a_write_disarms_a_counter)
{
	record_loads(WILLAMETTE, 1000, 900, 1);
	load(1);
	put_msr(COUNTER + 16, BEFORE(5));
	load(5);
	check_eq_u64("records after a write of the counter", index_of(0), 0);
	put_msr(PEBS_ENABLE, 0);
	put_msr(PEBS_ENABLE, MY_THREAD);
	load(5);
	check_eq_u64("records after PEBS was switched off and on", index_of(0), 0);
}

/* ---------------------------------------------------------------------------- threads */

static void load_by(unsigned thread, unsigned count)
{
	while (count--)
		several_access(&s, thread, REFPMU_READ, 0x3000);
}

/* Makes both threads record; counter 17 and CRU_ESCR3 are thread 1's. */
static void record_both(uint64_t threshold)
{
	width = 8;
	guest_restart(0x400000, 0xa5);
	fresh(PRESCOTT, 2);
	set_up_area(0, 1000, threshold, 1);
	set_up_area(1, 1000, threshold, 2);
	turn_on(RAT0, EVENT(0x02, TAG_LOADS) | T1);
	turn_on(CRU2, EVENT(0x08, 1));
	turn_on(CRU3, (EVENT(0x08, 1) & ~(uint32_t)T0) | T1);
	put_msr(COUNTER + 16, BEFORE(1));
	put_msr(COUNTER + 17, BEFORE(2));
}

UNIT_TEST(each_thread_has_a_counter_and_an_area_of_its_own)
{
	record_both(900);
	put_msr(PEBS_ENABLE, MY_THREAD | OTHER_THREAD);
	load_by(0, 6);
	check_eq_u64("records of thread 0", index_of(0) / 144, 3);
	check_eq_u64("records of thread 1 before its loads", index_of(1), 0);
	load_by(1, 6);
	check_eq_u64("records of thread 1", index_of(1) / 144, 2);
	check_eq_u64("records of thread 0 afterwards", index_of(0) / 144, 3);
}

/* Counter 17 also counts thread 0's loads, but records only thread 1's. */
UNIT_TEST(events_of_the_other_thread_are_not_recorded)
{
	record_both(900);
	put_msr(CRU3.msr, EVENT(0x08, 1));
	put_msr(PEBS_ENABLE, OTHER_THREAD);
	load_by(0, 6);
	check_eq_u64("records of thread 0", index_of(0), 0);
	check_eq_u64("records of thread 1", index_of(1), 0);
	check_eq_u64("events of thread 0 counted", counted(17), 4);
}

UNIT_TEST(the_pmi_of_a_threshold_goes_to_the_areas_thread)
{
	record_both(144);
	put_msr(PEBS_ENABLE, OTHER_THREAD);
	load_by(0, 6);
	load_by(1, 3);
	check_eq_u64("records of thread 0", index_of(0), 0);
	check_eq_u64("records of thread 1", index_of(1) / 144, 1);
	check_eq_u64("PMIs of thread 0", s.cpu[0].pmis, 0);
	check_eq_u64("PMIs of thread 1", s.cpu[1].pmis, 1);
}

UNIT_TEST(bits_25_and_26_are_relative_to_the_thread)
{
	fresh(PRESCOTT, 2);
	several_put(&s, 1, PEBS_ENABLE, MY_THREAD | UOP_TAG | 1);
	check_eq_u64("PEBS_ENABLE as thread 1 sees it",
	             several_get(&s, 1, PEBS_ENABLE), MY_THREAD | UOP_TAG | 1);
	check_eq_u64("PEBS_ENABLE as thread 0 sees it",
	             several_get(&s, 0, PEBS_ENABLE), OTHER_THREAD | UOP_TAG | 1);
	fresh(PRESCOTT, 1);
	put_msr(PEBS_ENABLE, OTHER_THREAD);
	check_eq_u64("bit 26 of a processor without threads", get_msr(PEBS_ENABLE), 0);
}

UNIT_TEST(init_ends_pebs_for_its_thread)
{
	fresh(PRESCOTT, 2);
	put_msr(PEBS_ENABLE, MY_THREAD | OTHER_THREAD | UOP_TAG);
	refpmu_reset(&s.cpu[1].model, REFPMU_RESET_INIT);
	check_eq_u64("PEBS_ENABLE after INIT", get_msr(PEBS_ENABLE), MY_THREAD | UOP_TAG);
}

UNIT_MAIN()
