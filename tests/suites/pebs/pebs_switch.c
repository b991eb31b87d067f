/* SPDX-License-Identifier: MIT */
/*
 * pebs.switch: what a switch of tasks does to records. The area must be mapped alike under every
 * CR3; if each task has an area of its own, its records go to that area.
 */
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/modes/modes.h>
#include <arch/regs/cpu.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/sampling/pebs_window.h>

#define MAPPING "SDM 3B, \"Setting Up the DS Save Area\": the same mapping under every CR3"

enum { PAGE = 4096, SWITCHES = 60, EACH = 20, MISSING = 128 };

static uint8_t *arena(void)
{
	uint32_t size;

	return pmu_workload_arena(&size);
}

/* ------------------------------------------------------------------------ other page tables */

static const char *need_paging(struct test_ctx *t)
{
	const char *problem = need_pebs_any(t);

	if (problem || cr0_read() & CR0_PG)
		return problem;
	return test_reason(t, "CR0 = %" PRIX32 "H: paging is off", (uint32_t)cr0_read());
}

/* For pmu_window(): loads under one CR3, then under the other one. */
static void switch_and_load(uint32_t rounds, uint32_t other)
{
	const uintptr_t own = cr3_read();

	for (uint32_t i = 0; i < rounds; i++) {
		cr3_write(i & 1 ? own : other);
		workload_load_at.code(EACH, (uint32_t)(uintptr_t)(arena() + PAGE));
	}
	cr3_write(own);
}

TEST(cr3, .id = "pebs.switch.cr3", .needs = need_paging, .source = MAPPING,
     .claim = "if the area is mapped alike, records are written under every CR3 and none is lost")
{
	struct pebs_use use;
	const struct pmu_setup s = pebs_any(&use, PMU_OS, MISSING);
	const struct pebs_window w = {
		.setups = &s, .count = 1, .code = switch_and_load, .rounds = SWITCHES,
		.argument = (uint32_t)(uintptr_t)arena(),
	};
	uint32_t events;

	memcpy(arena(), (const void *)(cr3_read() & ~(uintptr_t)(PAGE - 1)), PAGE);
	events = pebs_window_events(&w);
	expect_records(t, "records", pebs_window_run(&w), events, MISSING);
	expect_no_damage(t);
}

/* Goes to CPL 3 and back by the TSS's stack in each round. */
static void in_and_out(uint32_t rounds, uint32_t argument)
{
	(void)argument;
	for (uint32_t i = 0; i < rounds; i++)
		pebs_rounds(EACH, i & 1 ? MODE_CPL3 : MODE_CPL0);
}

TEST(rings, .id = "pebs.switch.rings", .needs = need_pebs_any, .source = PEBS_SDM,
     .claim = "switches of stacks and privilege levels lose no record")
{
	struct pebs_use use;
	const struct pmu_setup s = pebs_any(&use, PMU_USR, MISSING);
	const struct pebs_window w = { .setups = &s, .count = 1, .code = in_and_out,
	                               .rounds = SWITCHES };
	const uint32_t events = pebs_window_events(&w);
	const unsigned count = pebs_window_run(&w);

	expect_records(t, "records", count, events, MISSING);
	expect_between(t, "of these the code's at CPL 3", pebs_rounds_records(), 1, count,
	               "low: most of what is counted; high: where a processor counts the IRET as "
	               "CPL 3's, it may be recorded, too");
	expect_no_damage(t);
}

/* ------------------------------------------------------------------------ another area */

enum { FIELDS = 8, AREA_COPY = 512 };          /* pointers; bytes, reset values among them */

static uint64_t word_at(const uint8_t *at)
{
	uint64_t value = 0;

	memcpy(&value, at, ds_width());
	return value;
}

/* Copies the area for another PEBS buffer of the same length: pointers into the buffer are
 * moved. */
static uint8_t *copy_area(uint8_t *to, uint64_t distance)
{
	const uint8_t *from = (const uint8_t *)(uintptr_t)msr_read(IA32_DS_AREA);
	const uint64_t base = ds_base(DS_PEBS);

	memcpy(to, from, AREA_COPY);
	for (unsigned i = 0; i < FIELDS; i++) {
		uint64_t value = word_at(from + i * ds_width());

		if (value < base || value > base + DS_BUFFER_SIZE + PAGE)
			continue;
		value += distance;
		memcpy(to + i * ds_width(), &value, ds_width());
	}
	return to;
}

/* Returns the index of the other area, while this one has its own. */
static uint64_t other_index(const uint8_t *other)
{
	const uint8_t *own = (const uint8_t *)(uintptr_t)msr_read(IA32_DS_AREA);

	for (unsigned i = 0; i < FIELDS; i++)
		if (word_at(own + i * ds_width()) == ds_index_address(DS_PEBS))
			return word_at(other + i * ds_width());
	return 0;
}

TEST(area, .id = "pebs.switch.area", .needs = need_pebs_any, .source = MAPPING,
     .claim = "after a write of IA32_DS_AREA records go to the new area only, and "
              "the counters go on")
{
	uint8_t *const other = arena() + PAGE;
	struct pebs_use use;
	const struct pmu_setup s = pebs_any(&use, PMU_USR, MISSING);
	const struct pebs_window w = {
		.setups = &s, .count = 1, .code = pebs_rounds, .argument = MODE_CPL3,
		.rounds = SWITCHES * EACH / 2,         /* twice: no buffer is full */
	};
	const uint32_t events = pebs_window_events(&w);
	uint64_t own_area, distance, beyond;
	unsigned count;

	pebs_window_begin(&w);
	pmu_window(w.code, w.rounds, w.argument);
	count = ds_index(DS_PEBS);
	own_area = msr_read(IA32_DS_AREA);
	distance = (uintptr_t)(other + PAGE) - ds_base(DS_PEBS);
	memset(other + PAGE, DS_GUARD, DS_BUFFER_SIZE);
	copy_area(other, distance);
	msr_write(IA32_DS_AREA, (uintptr_t)other);
	pmu_window(w.code, w.rounds, w.argument);
	pebs_window_end();
	msr_write(IA32_DS_AREA, own_area);
	beyond = other_index(other) - distance - ds_index_address(DS_PEBS);
	expect_records(t, "records in the first area", count, events, MISSING);
	expect_exact(t, "its index while the second area was in use", ds_index(DS_PEBS), count,
	             "nothing writes to this area any more");
	expect_no_damage(t);
	expect_records(t, "records in both areas",
	               count + (unsigned)beyond / pebs_record_size(), 2 * events, MISSING);
	expect_exact(t, "the second buffer's first byte, which no record reaches",
	             other[PAGE], DS_GUARD,
	             "the first area's index points to the end of its records");
}
