/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests several processors: each has its own PMU, PMIs and INIT, and a line that one writes leaves
 * the caches of the others. Source: SDM 3A, table "Processor States Following Power-up, Reset, or
 * INIT".
 */
#include <tests/unit/model/core/model_several.h>

#define HASWELL   0x306c3

static struct several s;

#define PLAIN (INSTRUCTIONS | OS | USR)

/* ------------------------------------------------------------------------------ counting */

UNIT_TEST(each_processor_counts_its_own)
{
	several_create(&s, HASWELL, 1, 2, 2);
	for (unsigned i = 0; i < 4; i++)
		several_count(&s, i, PLAIN, 0);
	for (unsigned i = 0; i < 4; i++)
		several_nops(&s, i, 10 * (i + 1));
	for (unsigned i = 0; i < 4; i++)
		check_eq_u64("IA32_PMC0", several_get(&s, i, PMC0), 10 * (i + 1));
	several_put(&s, 2, PMC0, 7777);
	for (unsigned i = 0; i < 4; i++)
		check_eq_u64("IA32_PMC0", several_get(&s, i, PMC0), i == 2 ? 7777 : 10 * (i + 1));
}

UNIT_TEST(all_are_watched_while_one_counts)
{
	several_create(&s, HASWELL, 2, 2, 1);
	for (unsigned i = 0; i < 4; i++)
		check_true("no processor is watched or active",
		           !s.cpu[i].model.is_watched && !s.cpu[i].model.is_active);
	for (unsigned who = 0; who < 4; who++) {
		uint32_t changes = s.machine.view.changes;

		several_count(&s, who, PLAIN, 0);
		check_true("the machine's view has changed", s.machine.view.changes != changes);
		for (unsigned i = 0; i < 4; i++) {
			check_true("all processors are watched", s.cpu[i].model.is_watched);
			check_eq_u64("only the one that counts is active",
			             s.cpu[i].model.is_active, i == who);
		}
		several_nops(&s, (who + 1) % 4, 100);
		check_eq_u64("cycles of a processor that does not count",
		             s.cpu[(who + 1) % 4].model.cycles,
		             who == 3 ? s.cpu[0].model.cycles : 0);
		several_put(&s, who, EVTSEL0, 0);
		for (unsigned i = 0; i < 4; i++)
			check_true("no processor is watched", !s.cpu[i].model.is_watched);
	}
}

UNIT_TEST(a_processor_created_while_another_one_counts_is_watched)
{
	const struct refpmu_host host = { .context = &s.cpu[3],
	                                  .raise_pmi = several_raise_pmi, GUEST_HOST };

	several_create(&s, HASWELL, 1, 3, 1);
	several_count(&s, 0, PLAIN, 0);
	s.core[3] = refpmu_core_create(s.core_memory[3], s.package[0],
	                               machine_identity(HASWELL), 1);
	refpmu_cpu_create(&s.cpu[3].model, s.core[3], &host);
	check_true("the new processor is watched, but not active",
	           s.cpu[3].model.is_watched && !s.cpu[3].model.is_active);
}

/* ------------------------------------------------------------------------------ PMI */

UNIT_TEST(a_pmi_belongs_to_its_processor)
{
	several_create(&s, HASWELL, 2, 2, 1);
	for (unsigned who = 0; who < 4; who++) {
		for (unsigned i = 0; i < 4; i++)
			several_count(&s, i, PLAIN | INT, i == who ? (uint64_t)-5 : 0);
		for (unsigned i = 0; i < 4; i++)
			several_nops(&s, i, 5);
		for (unsigned i = 0; i < 4; i++)
			check_eq_u64("PMIs", s.cpu[i].pmis, i <= who);
	}
}

UNIT_TEST(pmis_of_two_processors_may_come_close_together)
{
	several_create(&s, HASWELL, 1, 2, 1);
	several_count(&s, 0, PLAIN | INT, (uint64_t)-5);
	several_count(&s, 1, PLAIN | INT, (uint64_t)-1);
	several_nops(&s, 0, 5);
	several_nops(&s, 1, 1);
	check_eq_u64("PMIs of the first one", s.cpu[0].pmis, 1);
	check_eq_u64("PMIs of the second one", s.cpu[1].pmis, 1);
}

/* ------------------------------------------------------------------------------ INIT, RESET */

UNIT_TEST(init_changes_no_register)
{
	several_create(&s, HASWELL, 1, 2, 1);
	several_count(&s, 1, PLAIN, 100);
	several_put(&s, 1, FIXED0, 42);
	several_put(&s, 1, FIXED_CTRL, 0x300);
	several_put(&s, 1, DS_AREA, 0x1234);
	refpmu_reset(&s.cpu[1].model, REFPMU_RESET_INIT);
	check_eq_u64("IA32_PMC0", several_get(&s, 1, PMC0), 100);
	check_eq_u64("IA32_PERFEVTSEL0", several_get(&s, 1, EVTSEL0), EN | PLAIN);
	check_eq_u64("IA32_FIXED_CTR0", several_get(&s, 1, FIXED0), 42);
	check_eq_u64("IA32_FIXED_CTR_CTRL", several_get(&s, 1, FIXED_CTRL), 0x300);
	check_eq_u64("IA32_PERF_GLOBAL_CTRL", several_get(&s, 1, GLOBAL), 1 | ONE(32) | ONE(33));
	check_eq_u64("IA32_DS_AREA", several_get(&s, 1, DS_AREA), 0x1234);
	check_eq_u64("time to the next overflow", refpmu_halt(&s.cpu[1].model), UINT64_MAX);
	refpmu_halted(&s.cpu[1].model, 12345);
	check_eq_u64("IA32_PMC0 while it waits for a SIPI", several_get(&s, 1, PMC0), 100);
	several_nops(&s, 1, 10);
	check_eq_u64("IA32_PMC0 after the SIPI", several_get(&s, 1, PMC0), 110);
}

/* INIT of a thread ends its cycle, in which the other thread's counter may overflow. */
UNIT_TEST(init_ends_the_cycle_for_the_other_thread)
{
	several_create(&s, HASWELL, 1, 1, 2);
	several_count(&s, 0, CYCLES | OS | INT | ANY, 0);
	several_nops(&s, 1, 1);
	several_put(&s, 0, PMC0, (uint64_t)-1);
	several_nops(&s, 1, 1);
	check_eq_u64("PMIs before INIT", s.cpu[0].pmis, 0);
	refpmu_reset(&s.cpu[1].model, REFPMU_RESET_INIT);
	check_eq_u64("PMIs after INIT", s.cpu[0].pmis, 1);
}

UNIT_TEST(reset_of_one_leaves_the_others_counting)
{
	several_create(&s, HASWELL, 1, 2, 1);
	several_count(&s, 0, PLAIN, 0);
	several_count(&s, 1, PLAIN, 0);
	refpmu_reset(&s.cpu[1].model, REFPMU_RESET_HARDWARE);
	check_true("the reset processor is stopped, but watched",
	           !s.cpu[1].model.is_active && s.cpu[1].model.is_watched);
	several_nops(&s, 0, 10);
	check_eq_u64("IA32_PMC0 of the processor that counts", several_get(&s, 0, PMC0), 10);
	check_eq_u64("IA32_PMC0 of the reset processor", several_get(&s, 1, PMC0), 0);
}

/* ------------------------------------------------------------------------------ caches */

enum { ADDRESS = 0x500000, TURNS = 20 };

/*
 * Lets two processors write a line in turn, of which only the first one counts; returns its count.
 */
static uint64_t ping_pong(unsigned event, unsigned packages)
{
	several_create(&s, HASWELL, packages, 2 / packages, 1);
	several_count(&s, 0, event | OS, 0);
	several_access(&s, 0, REFPMU_WRITE, ADDRESS);
	several_access(&s, 1, REFPMU_WRITE, ADDRESS);
	several_put(&s, 0, PMC0, 0);
	for (unsigned i = 0; i < TURNS; i++) {
		several_access(&s, 0, REFPMU_READ_WRITE, ADDRESS);
		several_access(&s, 1, REFPMU_READ_WRITE, ADDRESS);
	}
	return several_get(&s, 0, PMC0);
}

UNIT_TEST(a_line_written_in_turn_is_a_reference_each_time)
{
	check_eq_u64("references within a package", ping_pong(LLC_REFERENCES, 1), TURNS);
	check_eq_u64("misses within a package", ping_pong(LLC_MISSES, 1), 0);
	check_eq_u64("references with two packages", ping_pong(LLC_REFERENCES, 2), TURNS);
	check_eq_u64("misses with two packages", ping_pong(LLC_MISSES, 2), TURNS);
}

/*
 * Counting starts with empty caches; the start of another core keeps the caches of a core that
 * counts.
 */
UNIT_TEST(starting_to_count_empties_no_other_cores_caches)
{
	several_create(&s, HASWELL, 1, 2, 1);
	several_count(&s, 0, LLC_REFERENCES | OS, 0);
	several_access(&s, 0, REFPMU_READ, ADDRESS);
	several_access(&s, 1, REFPMU_READ, ADDRESS);
	several_put(&s, 0, PMC0, 0);
	several_count(&s, 1, LLC_REFERENCES | OS, 0);
	several_access(&s, 0, REFPMU_READ, ADDRESS);
	several_access(&s, 1, REFPMU_READ, ADDRESS);
	check_eq_u64("misses of the processor that counted", several_get(&s, 0, PMC0), 0);
	check_eq_u64("misses of the processor that started: data and code",
	             several_get(&s, 1, PMC0), 2);
	for (unsigned i = 0; i < 2; i++)
		several_put(&s, i, EVTSEL0, 0);
	several_count(&s, 0, LLC_MISSES | OS, 0);
	several_access(&s, 0, REFPMU_READ, ADDRESS);
	check_eq_u64("misses after all had stopped: data and code", several_get(&s, 0, PMC0), 2);
}

/* Starts to count and returns the misses of a line of data and of the instruction. */
static uint64_t misses_anew(void)
{
	uint64_t misses;

	several_put(&s, 0, PMC0, 0);
	several_count(&s, 0, LLC_MISSES | OS, 0);
	several_access(&s, 0, REFPMU_READ, ADDRESS);
	misses = several_get(&s, 0, PMC0);
	several_put(&s, 0, EVTSEL0, 0);
	return misses;
}

UNIT_TEST(caches_keep_their_contents_if_the_emulator_asks_for_it)
{
	several_create(&s, HASWELL, 1, 1, 1);
	check_eq_u64("misses at first: data and code", misses_anew(), 2);
	check_eq_u64("misses after counting started again", misses_anew(), 2);
	refpmu_machine_keep(&s.machine);
	check_eq_u64("misses after counting started again, with kept caches", misses_anew(), 0);
}

UNIT_MAIN()
