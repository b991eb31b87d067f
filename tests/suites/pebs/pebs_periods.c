/* SPDX-License-Identifier: MIT */
/* When a counter of PEBS writes a record, and with what value it is reloaded. */
#include <tests/suites/pebs/pebs_target.h>

#include <stddef.h>

#include <arch/regs/perfmon.h>
#include <kernel/lib/string.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/pmi/pmi_windows.h>

#define RELOAD PEBS_SDM ": the counter is reloaded from the counter reset value of the area"

/* MOV_R64_SIZE is that of the instructions before the code, which may cause an event each. */
enum { COUNT = 150, MOV_R64_SIZE = 10 };

/* Events that are missing before the overflow. */
static const uint8_t missing_of[] = { 1, 2, 3, 7, 10, 31, 64, 100 };

struct period_run {
	struct pebs_target c;
	unsigned counter;
	uint32_t missing;
	unsigned inside;               /* records of the code itself */
	uint64_t events, value;
	struct pebs_seen seen;
};

/* Returns the records of the code itself; the IP of the INT's record lies after it. */
static unsigned records_inside(const struct pebs_target *c)
{
	unsigned n = 0;

	for (unsigned i = 0; i < ds_index(DS_PEBS); i++)
		n += pebs_is_within(i, c->first - c->before * MOV_R64_SIZE,
		                    c->first + c->count * c->size);
	return n;
}

/*
 * The code ends with an INT, which can load and store a few times at once. A whole number of
 * periods comes before it, and every period is longer than that, so the INT completes none.
 */
enum { SHORT = 10 };

static void run(struct period_run *r, const char *event, unsigned counter, uint32_t missing,
                const uint64_t *resets)
{
	struct pebs_use use;
	struct pmu_setup s;

	r->c = pebs_target(event, COUNT - COUNT % (missing + 1));
	r->counter = counter;
	r->missing = missing;
	r->events = pebs_events(&r->c, counter);
	s = pebs_setup(&use, r->c.event, counter, PMU_USR, missing);
	r->seen = pebs_run(&(const struct pebs_window){
		.setups = &s, .count = 1, .code = pebs_run_target, .resets = resets }, NULL);
	r->value = pmu_read(counter);
	r->inside = records_inside(&r->c);
}

/* On silicon a record may be that of a later event; no record counts the events in between. */
static void expect_rest(struct test_ctx *t, const char *what, uint64_t got, uint64_t want)
{
	static const char why[] = "the reset value, plus the window's events minus "
	                          "those of records";

	expect_bounds(t, what, got,
	              if_exact(want, why),
	              else_in(0, want, why));
}

#define FOR_EACH_PERIOD(missing) \
	for (unsigned n_ = 0; n_ < sizeof(missing_of); n_++) \
		for (uint32_t missing = missing_of[n_], once_ = 1; once_; once_ = 0)

static void judge_records(struct test_ctx *t, const struct period_run *r)
{
	const uint32_t events = r->c.count + (uint32_t)pebs_prefix(&r->c, r->counter);

	test_sub(t, "%s, N = %u", r->c.event->manual, r->missing);
	expect_records(t, "records", r->inside, events, r->missing);
}

TEST(records, .id = "pebs.period.records", .needs = need_pebs_code,
     .claim = "a counter that starts at -N and is reset to -N writes a record for every (N + 1)th "
              "event: the overflow arms it, and the next event is recorded",
     .source = PEBS_SDM)
{
	for (unsigned i = 0; pebs_event_name(i); i++) {
		const char *event = pebs_event_name(i);

		FOR_EACH_PERIOD(missing) {
			struct period_run r;

			run(&r, event, pebs_counter(pebs_find(event), 0), missing, NULL);
			expect_no_damage(t);
			judge_records(t, &r);
		}
	}
}

TEST(value, .id = "pebs.period.reload", .needs = need_pebs_code,
     .claim = "after a window the counter holds its reset value plus what it has counted "
              "since the last record", .source = RELOAD)
{
	FOR_EACH_PERIOD(missing) {
		struct period_run r;
		const char *event = pebs_event_name(0);

		if (missing < SHORT)
			continue;
		run(&r, event, pebs_counter(pebs_find(event), 0), missing, NULL);
		test_sub(t, "%s, N = %u, %u records", event, missing, ds_index(DS_PEBS));
		expect_rest(t, "counter + N, modulo its width",
		            (r.value + missing) & counter_mask(r.counter),
		            r.events - (uint64_t)ds_index(DS_PEBS) * (missing + 1));
	}
}

/* With a start of -20 and a reset of -50 the first record is early, and the others are not. */
TEST(first, .id = "pebs.period.start_and_reset", .needs = need_pebs_code,
     .claim = "the counter's start value decides when the first record comes, the reset value of "
              "the area when all others come", .source = RELOAD)
{
	enum { FIRST = 20, OTHERS = 50 };
	const char *event = pebs_event_name(0);
	const unsigned counter = pebs_counter(pebs_find(event), 0);
	uint64_t resets[PEBS_RESETS] = { 0 };
	struct period_run r;
	uint32_t rest;

	resets[pebs_slot(counter)] = -(uint64_t)OTHERS & counter_mask(counter);
	run(&r, event, counter, FIRST, resets);
	rest = (uint32_t)r.events - (FIRST + 1);
	expect_bounds(t, "records", ds_index(DS_PEBS),
	              if_exact(1 + rest / (OTHERS + 1), "one, plus one for every further (N + 1) "
	                       "events"), ELSE_NOTHING);
	expect_rest(t, "counter + N, modulo its width",
	            (r.value + OTHERS) & counter_mask(counter),
	            rest - (uint64_t)(ds_index(DS_PEBS) - 1) * (OTHERS + 1));
}

static const char *need_two(struct test_ctx *t)
{
	const char *reason = need_pebs_code(t);
	const struct pebs_event *e = reason ? NULL : pebs_find(pebs_event_name(0));

	if (e && pebs_counter(e, 1) == PMU_NO_COUNTER)
		return test_reason(t, "%s can be recorded by counter %u only", e->manual,
		                   pebs_counter(e, 0));
	return reason;
}

/* Every slot holds another value, so that the counter's value then shows a wrong slot. */
TEST(slots, .id = "pebs.period.reset_slots", .needs = need_two,
     .claim = "each counter is reloaded from its own reset value",
     .source = PEBS_SDM ": counter reset values, by counter")
{
	const char *event = pebs_event_name(0);
	const struct pebs_event *e = pebs_find(event);
	uint64_t resets[PEBS_RESETS];

	for (unsigned n = 0; pebs_counter(e, n) != PMU_NO_COUNTER; n++) {
		const unsigned counter = pebs_counter(e, n);
		const unsigned slot = pebs_slot(counter);
		struct period_run r;

		for (unsigned i = 0; i < PEBS_RESETS; i++)
			resets[i] = -(uint64_t)(1000 + 256 * i) & counter_mask(counter);
		run(&r, event, counter, COUNT / 2, resets);
		test_sub(t, "counter %u, slot %u", counter, slot);
		expect_exact(t, "records", ds_index(DS_PEBS), 1,
		             "the reset values are longer than the code");
		expect_rest(t, "counter minus its slot's reset value, modulo its width",
		            (r.value - resets[slot]) & counter_mask(counter),
		            r.events - (COUNT / 2 + 1));
	}
}

TEST(no_status, .id = "pebs.period.no_overflow_status", .needs = need_pebs_status,
     .claim = "a counter of PEBS whose overflow was recorded sets no status bit of its own and "
              "raises no PMI below the threshold",
     .source = PEBS_SDM ": the overflow arms PEBS; the interrupt is the buffer's")
{
	const char *event = pebs_event_name(0);
	struct period_run r;

	run(&r, event, pebs_counter(pebs_find(event), 0), 10, NULL);
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS", r.seen.status,
	            counter_bit(r.counter) | IA32_PERF_GLOBAL_STATUS_OVF_BUFFER, 0,
	            "the last event of the window was not the overflow, or the overflow "
	            "armed the counter");
	expect_exact(t, "PMIs", pmi_get_log()->count, 0, "the index is below the threshold");
}
