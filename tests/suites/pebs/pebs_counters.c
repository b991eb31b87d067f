/* SPDX-License-Identifier: MIT */
/*
 * pebs.counters: each counter that can write records, alone and all together, each with its own
 * period and its own reset value; and counters without PEBS beside them.
 */
#include <arch/modes/modes.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/core/pmi.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/crossings.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/sampling/pebs_window.h>
#include <tests/suites/common/silicon/silicon.h>

#define RESETS "SDM 3B, \"BTS and DS Save Area\": PEBS counter reset values"

/* The reset value has zeros in its low six bits, as errata BDM55 and HSD11 want it. */
enum { MISSING = 128, ROUNDS = 800 };

/* ------------------------------------------------------------------------ one after the other */

/* The reset value in every other slot: with it records come too often. */
enum { POISON = 9 };

/* An event, and code that causes it in each round. */
struct alone { const char *event; void (*code)(uint32_t rounds, uint32_t argument); };

static void judge_alone(struct test_ctx *t, const struct alone *a, const struct pebs_event *e,
                        unsigned counter)
{
	struct pebs_use use;
	const struct pmu_setup s = pebs_setup(&use, e, counter, PMU_BOTH, MISSING);
	uint64_t resets[PEBS_RESETS], status;
	struct pebs_window w = { .setups = &s, .count = 1, .code = a->code, .rounds = ROUNDS,
	                         .argument = MODE_CPL3, .resets = resets };
	const uint32_t events = pebs_window_events(&w);
	char name[PMU_NAME_SIZE];
	unsigned count;

	for (unsigned i = 0; i < PEBS_RESETS; i++)
		resets[i] = (0 - (uint64_t)POISON) & counter_mask(counter);
	resets[pebs_slot(counter)] = (0 - (uint64_t)MISSING) & counter_mask(counter);
	count = pebs_window_run(&w);
	test_sub(t, "%s, %s", pmu_counter_name(counter, name), e->manual);
	expect_between(t, "events", events, ROUNDS, UINT32_MAX,
	               "low: one or more a round; high: no bound");
	expect_records(t, "records", count, events, MISSING);
	expect_no_damage(t);
	for (unsigned i = 0; i < count; i++)
		if (pebs_get(i, PEBS_STATUS, &status))
			expect_bits(t, "counters of the record", status, counter_bit(counter),
			            counter_bit(counter),
			            "the record names the counter that was due");
}

TEST(alone, .id = "pebs.counters.each", .needs = need_pebs_any, .source = RESETS,
     .claim = "every counter that can record an event does so, and is reloaded from its own slot")
{
	const struct alone rows[] = {
		{ "instructions", pebs_rounds }, { "branches", pebs_rounds },
		{ "loads", pebs_rounds }, { "stores", workload_call.code },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		const struct pebs_event *e = pebs_find(rows[i].event);

		for (unsigned n = 0; e && pebs_counter(e, n) != PMU_NO_COUNTER; n++)
			judge_alone(t, &rows[i], e, pebs_counter(e, n));
	}
	test_sub(t, "%s", "");
}

/* ------------------------------------------------------------------------ all at once */

enum { ALL_MAX = 16, ALL_ROUNDS = 600 };

/* Return the events that counter n misses at the start, and after each record. Counters 0 and 3
 * meet at event 258. */
static uint32_t first_of(unsigned n) { return 41 + 12 * n; }
static uint32_t later_of(unsigned n) { return 53 + 12 * n; }

static uint32_t records_of(unsigned n, uint32_t events)
{
	return events > first_of(n) ? 1 + (events - first_of(n) - 1) / (later_of(n) + 1) : 0;
}

static bool is_due(unsigned n, uint32_t event)
{
	return event > first_of(n) && (event - first_of(n) - 1) % (later_of(n) + 1) == 0;
}

/* Returns the number of events at which some counter is due: each is one record. */
static uint32_t records_of_all(unsigned count, uint32_t events)
{
	uint32_t records = 0;

	for (uint32_t event = 1; event <= events; event++) {
		unsigned n = 0;

		while (n < count && !is_due(n, event))
			n++;
		records += n < count;
	}
	return records;
}

static const char *need_events(struct test_ctx *t)
{
	const char *problem = need_pebs_counters(t, 2);

	if (!problem && !pebs_find("branches"))
		return test_reason(t, "no event of branches for PEBS: IA32_PERF_CAPABILITIES = %"
		                   PRIX64 "H", pmu_get()->capabilities);
	return problem;
}

static NEED_BOTH(need_several, need_events, need_clear_status)

static unsigned set_up_all(struct pmu_setup setups[ALL_MAX], uint64_t resets[PEBS_RESETS])
{
	static struct pebs_use use;
	const struct pebs_event *e = pebs_find("branches");
	unsigned n;

	for (n = 0; n < ALL_MAX && pebs_counter(e, n) != PMU_NO_COUNTER; n++) {
		const unsigned counter = pebs_counter(e, n);

		setups[n] = pebs_setup(&use, e, counter, PMU_OS, first_of(n));
		resets[pebs_slot(counter)] = (0 - (uint64_t)later_of(n)) & counter_mask(counter);
	}
	return n;
}

static void expect_each(struct test_ctx *t, unsigned counter, unsigned n, uint32_t events)
{
	char name[PMU_NAME_SIZE];
	unsigned got = 0;

	for (unsigned i = 0; i < ds_index(DS_PEBS); i++)
		got += (pebs_value(i, PEBS_STATUS) & counter_bit(counter)) != 0;
	test_sub(t, "%s", pmu_counter_name(counter, name));
	expect_bounds(t, "its records", got,
	              if_exact(records_of(n, events), "the counter uses its own start, then its "
	                       "own reset value"),
	              silicon_shown(SILICON_STATUS_RACE, else_in(1, records_of(n, events) + 1,
	                      "low: it overflows; high: its own start and reset value, and one at "
	                      "the window's end")));
}

TEST(together, .id = "pebs.counters.together", .needs = need_several, .source = RESETS,
     .claim = "all counters of PEBS run at once, each with its start and its reset value: each has "
              "its records, and counters that are due at one instruction share a record")
{
	struct pmu_setup setups[ALL_MAX];
	uint64_t resets[PEBS_RESETS] = { 0 };
	const struct pebs_window w = {
		.setups = setups, .count = set_up_all(setups, resets), .resets = resets,
		.code = workload_loop.code, .rounds = ALL_ROUNDS,
	};
	const uint32_t events = pebs_window_events(&w);
	const unsigned count = pebs_window_run(&w);

	expect_bounds(t, "records", count,
	              if_exact(records_of_all(w.count, events), "there is one for each branch at "
	                       "which a counter is due"), ELSE_NOTHING);
	for (unsigned n = 0; n < w.count; n++)
		expect_each(t, setups[n].counter, n, events);
	test_sub(t, "%s", "");
	expect_no_damage(t);
}

/* The others count the same event with short periods, and have no bit in IA32_PEBS_ENABLE. */
TEST(own_bit, .id = "pebs.counters.own_enable", .needs = need_several, .source = PEBS_SDM,
     .claim = "with one bit of IA32_PEBS_ENABLE only that counter writes records, though all count")
{
	const struct pebs_event *e = pebs_find("branches");
	char name[PMU_NAME_SIZE];

	for (unsigned n = 0; pebs_counter(e, n) != PMU_NO_COUNTER; n++) {
		const unsigned own = pebs_counter(e, n);
		struct pebs_use use;
		struct pmu_setup s[ALL_MAX] = { pebs_setup(&use, e, own, PMU_OS, MISSING) };
		struct pebs_window w = { .setups = s, .count = 1, .sampled = 1,
		                         .code = workload_loop.code, .rounds = ALL_ROUNDS };
		uint32_t events;

		for (unsigned i = 0; pebs_counter(e, i) != PMU_NO_COUNTER; i++)
			if (i != n && w.count < ALL_MAX)
				s[w.count++] = pebs_setup(&use, e, pebs_counter(e, i), PMU_OS,
				                          POISON);
		events = pebs_window_events(&w);
		test_sub(t, "%s", pmu_counter_name(own, name));
		expect_records(t, "records", pebs_window_run(&w), events, MISSING);
		expect_no_damage(t);
	}
	test_sub(t, "%s", "");
}

/* ------------------------------------------------------------------------ beside others */

static NEED_BOTH(need_beside, need_pebs_any, need_pmi_lvtpc)

/* Returns a setup of a counter without PEBS, of instructions at CPL 3, with INT. On NetBurst the
 * two counters have no ESCR in common, so the window writes the CCCRs. */
static struct pmu_setup other_than(unsigned counter, uint64_t missing)
{
	static struct netburst_use use;
	struct pmu_setup s = user_instructions(
		pmi_counter(0) == counter ? pmi_counter(1) : pmi_counter(0), missing);

	if (!s.netburst)
		return s;
	use = *s.netburst;
	use.is_by_escr = false;
	s.netburst = &use;
	return s;
}

TEST(beside, .id = "pebs.counters.beside", .needs = need_beside, .source = PEBS_SDM,
     .claim = "a counter without PEBS counts and interrupts beside one with PEBS as it does alone")
{
	struct pebs_use use;
	struct pmu_setup s[2] = { pebs_any(&use, PMU_USR, MISSING) };
	const struct pebs_window w = { .setups = s, .count = 2, .sampled = 1, .code = pebs_rounds,
	                               .rounds = ROUNDS, .argument = MODE_CPL3 };
	uint64_t alone;
	uint32_t events;
	unsigned count, each;

	s[1] = other_than(s[0].counter, ROUNDS);
	each = crossing_of_return(s[1].counter);
	pmu_program(&s[1], 1);
	pmu_window(pebs_rounds, ROUNDS, MODE_CPL3);
	alone = pmu_read(s[1].counter);
	events = pebs_window_events(&w);
	pmi_listen(PMI_NMI, NULL);
	count = pebs_window_run(&w);
	pmi_settle();
	pmi_stop();
	expect_exact(t, "PMIs", pmi_get_log()->count - pmi_get_log()->unsure, 1,
	             "it is the other counter's overflow; the buffer's threshold is never reached");
	expect_records(t, "records", count, events, MISSING);
	expect_no_damage(t);
	expect_exact(t, "its count", pmu_read(s[1].counter),
	             alone + each * pmi_get_log()->user_returns,
	             "it is the same as without PEBS, and the PMI's IRET where it counts at CPL 3");
}
