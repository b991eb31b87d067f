/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests what the caches hold when counting starts, who fills them, and that a start leaves nothing
 * of the time before. Invented by the model, so that equal code counts equally: with the first
 * counter of the machine all caches are empty; later those of the core, and the last level of the
 * package, with their first one. Only processors that count fill what such a processor uses.
 */
#include <tests/unit/model/core/model_several.h>

#define HASWELL 0x306c3
enum { ADDRESS = 0x500000 };

static struct several s;

static void stop_counting(unsigned cpu)
{
	several_put(&s, cpu, EVTSEL0, 0);
}

/* Returns what this access and its instruction count on a counter that already runs. */
static uint64_t count_of(unsigned cpu, enum refpmu_access kind, uint64_t address)
{
	several_put(&s, cpu, PMC0, 0);
	several_access(&s, cpu, kind, address);
	return several_get(&s, cpu, PMC0);
}

/* ------------------------------------------------------------------------------ starting */

/* Returns the cycles of a line that is read, then read and written: it waits if others have it. */
static uint64_t cycles_of_update(void)
{
	uint64_t cycles;

	several_count(&s, 0, CYCLES | OS, 0);
	several_access(&s, 0, REFPMU_READ, ADDRESS);
	cycles = count_of(0, REFPMU_READ_WRITE, ADDRESS);
	stop_counting(0);
	return cycles;
}

UNIT_TEST(the_first_counter_of_the_machine_empties_all_caches)
{
	for (unsigned packages = 1; packages <= 2; packages++) {
		uint64_t wanted;

		several_create(&s, HASWELL, packages, 2, 1);
		wanted = cycles_of_update();
		for (unsigned other = 1; other < s.count; other++) {
			several_count(&s, other, CYCLES | OS, 0);
			several_access(&s, other, REFPMU_READ, ADDRESS);
			stop_counting(other);
			check_eq_u64("cycles", cycles_of_update(), wanted);
		}
		several_count(&s, 0, CYCLES | OS, 0);
		several_access(&s, 0, REFPMU_READ, ADDRESS);
		several_access(&s, 1, REFPMU_READ, ADDRESS);
		check_true("a line that another core has too takes longer",
		           count_of(0, REFPMU_READ_WRITE, ADDRESS) > wanted);
	}
}

UNIT_TEST(the_first_counter_of_a_package_empties_its_last_level)
{
	several_create(&s, HASWELL, 2, 2, 1);
	several_count(&s, 0, LLC_MISSES | OS, 0);
	several_access(&s, 2, REFPMU_READ, ADDRESS);
	several_count(&s, 2, LLC_MISSES | OS, 0);
	check_eq_u64("data and code", count_of(2, REFPMU_READ, ADDRESS), 2);
	several_count(&s, 3, LLC_MISSES | OS, 0);
	check_eq_u64("code: the other core has the data",
	             count_of(3, REFPMU_READ, ADDRESS), 1);
}

UNIT_TEST(a_thread_that_counts_nothing_fills_no_cache_of_its_core)
{
	several_create(&s, HASWELL, 1, 1, 2);
	several_count(&s, 0, LLC_REFERENCES | OS, 0);
	several_nops(&s, 0, 1);
	several_access(&s, 1, REFPMU_READ, ADDRESS);
	check_eq_u64("the data is not there", count_of(0, REFPMU_READ, ADDRESS), 1);
	several_count(&s, 1, LLC_REFERENCES | OS, 0);
	several_access(&s, 1, REFPMU_READ, ADDRESS + 64);
	check_eq_u64("a thread that counts fills", count_of(0, REFPMU_READ, ADDRESS + 64), 0);
	stop_counting(1);
	several_access(&s, 1, REFPMU_READ, ADDRESS + 128);
	check_eq_u64("one that stopped does not", count_of(0, REFPMU_READ, ADDRESS + 128), 1);
}

UNIT_TEST(a_core_that_counts_nothing_does_not_fill_the_last_level)
{
	several_create(&s, HASWELL, 1, 2, 1);
	several_count(&s, 0, LLC_MISSES | OS, 0);
	several_nops(&s, 0, 1);
	several_access(&s, 1, REFPMU_READ, ADDRESS);
	check_eq_u64("the data is not there", count_of(0, REFPMU_READ, ADDRESS), 1);
}

/* Returns the cycles of the other thread's instructions, in a counter with AnyThread. */
static uint64_t cycles_of_other(unsigned insns)
{
	uint64_t cycles;

	several_count(&s, 1, CYCLES | OS | ANY, 0);
	several_nops(&s, 0, insns);
	several_get(&s, 0, PMC0);              /* ends its cycle */
	cycles = several_get(&s, 1, PMC0);
	several_nops(&s, 0, 1);                /* begins one, which nobody counts to its end */
	stop_counting(1);
	return cycles;
}

UNIT_TEST(a_cycle_under_way_when_counting_stopped_is_forgotten)
{
	uint64_t wanted;

	several_create(&s, HASWELL, 1, 1, 2);
	wanted = cycles_of_other(4);
	check_eq_u64("cycles of 4 instructions", cycles_of_other(4), wanted);
	check_eq_u64("cycles of 5", cycles_of_other(5), wanted + 1);
}

/* Chosen: the bus clock ticks with the last core cycle of its period; the first period begins when
 * counting starts. */
UNIT_TEST(a_period_of_the_bus_begins_with_counting)
{
	uint64_t ratio;

	several_create(&s, HASWELL, 1, 1, 1);
	ratio = s.core[0]->rules.counters.bus_ratio;
	for (unsigned insns = 1; insns < 4 * 2 * ratio; insns += 3) {
		uint64_t ticks;

		several_put(&s, 0, GLOBAL, 0);
		several_put(&s, 0, PMC0, 0);
		several_put(&s, 0, PMC0 + 1, 0);
		several_put(&s, 0, EVTSEL0, EN | OS | REFERENCE_CYCLES);
		several_put(&s, 0, EVTSEL0 + 1, EN | OS | CYCLES);
		several_put(&s, 0, GLOBAL, 3);
		several_nops(&s, 0, insns);
		several_put(&s, 0, GLOBAL, 0);
		ticks = several_get(&s, 0, PMC0);
		check_eq_u64("ticks", ticks, several_get(&s, 0, PMC0 + 1) / ratio);
	}
}

/* ------------------------------------------------------------------------------ the emulator */

UNIT_TEST(each_change_of_what_an_emulator_reports_is_announced)
{
	uint32_t changes;

	several_create(&s, HASWELL, 1, 3, 1);
	for (unsigned cpu = 0; cpu < 2; cpu++) {
		changes = s.machine.view.changes;
		several_count(&s, cpu, CYCLES | OS, 0);
		check_true("one more processor counts", s.machine.view.changes != changes);
	}
	for (unsigned cpu = 0; cpu < 2; cpu++) {
		changes = s.machine.view.changes;
		stop_counting(cpu);
		check_true("one less", s.machine.view.changes != changes);
	}
	changes = s.machine.view.changes;
	several_put(&s, 2, DEBUGCTL, 1);
	check_true("branches are recorded, and nothing counts",
	           s.machine.view.changes != changes && s.cpu[0].model.is_watched);
}

/* ------------------------------------------------------------------------------ at random */

enum { LINES = 2048, PAGES = LINES * 64 / 4096, STARTS = 64 };
/* Other code uses some lines from 100000H to 4FFFFFH; the test itself executes the first one. */
enum { NEAR_FIRST = 0x180000, WALKS = 0x0108 };

struct start {
	uint64_t misses, walks;
};

/* Returns how many lines the last level does not have when counting starts anew, and how many pages
 * the TLB does not have. */
static struct start count_start(void)
{
	struct start found;

	several_count(&s, 0, LLC_MISSES | OS, 0);
	several_put(&s, 0, GLOBAL, 3);
	several_put(&s, 0, EVTSEL0 + 1, EN | OS | WALKS);
	several_nops(&s, 0, 1);
	several_put(&s, 0, PMC0, 0);
	several_put(&s, 0, PMC0 + 1, 0);
	for (unsigned i = 0; i < LINES; i++)
		several_access(&s, 0, REFPMU_READ, NEAR_FIRST + 64 * i);
	found = (struct start){ several_get(&s, 0, PMC0), several_get(&s, 0, PMC0 + 1) };
	several_put(&s, 0, EVTSEL0 + 1, 0);
	stop_counting(0);
	return found;
}

UNIT_TEST(with_a_seed_counting_starts_with_contents_or_without)
{
	unsigned empty = 0, filled = 0, partly = 0;

	several_create(&s, HASWELL, 1, 1, 1);
	refpmu_machine_perturb(&s.machine, 1);
	for (unsigned i = 0; i < STARTS; i++) {
		struct start found = count_start();
		bool is_empty = found.misses > LINES / 2;

		empty += is_empty;
		filled += !is_empty;
		partly += is_empty && found.misses < LINES;
		check_true("without lines, there are no translations either",
		           !is_empty || found.walks > PAGES * 3 / 4);
	}
	check_true("it often starts without", empty > STARTS / 4);
	check_true("it often starts with them", filled > STARTS / 4);
	check_true("other code has been executed meanwhile", partly > STARTS / 4);
}

UNIT_MAIN()
