/* SPDX-License-Identifier: MIT */
/* The buffer's interrupt threshold and its absolute maximum. */
#include <tests/suites/pebs/pebs_target.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <tests/suites/common/counts/crossings.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/silicon/silicon.h>

#define MARK   DS_SDM ": an interrupt when the index is at the threshold or above it"
#define FULL   DS_SDM ": the absolute maximum is the end of the buffer, records do not pass it"
#define BUFFER PEBS_SDM ": OvfBuffer, bit 62 of IA32_PERF_GLOBAL_STATUS"

/* A period that the INT after the code cannot complete, nor what comes before the code: see
 * pebs_periods.c. */
enum { MISSING = 11, PERIOD = MISSING + 1, RECORDS = 12 };

/* The handler's findings. */
static struct {
	unsigned count, index[RECORDS + 1];
	uint64_t status[RECORDS + 1];
	bool is_drained;               /* sets the index back */
	unsigned each;                 /* events of a handler's return to CPL 3 */
} now;

static void note(struct frame *f)
{
	(void)f;
	if (now.count <= RECORDS) {
		now.index[now.count] = ds_index(DS_PEBS);
		now.status[now.count] = pmu_status();
	}
	now.count++;
	if (now.is_drained)
		ds_set_index(DS_PEBS, 0);
	pebs_go_on();
}

/* Runs code of so many whole periods, with this window. */
static struct pebs_seen run(struct pebs_window w, unsigned periods, unsigned *counter)
{
	const char *event = pebs_event_name(0);
	struct pebs_target c = pebs_target(event, PERIOD);
	struct pebs_use use;
	struct pmu_setup s;
	unsigned prefix;

	*counter = pebs_counter(c.event, 0);
	prefix = (unsigned)pebs_prefix(&c, *counter);
	now.each = strcmp(event, "instructions") ? 0 : crossing_of_return(*counter);
	c = pebs_target(event, periods * PERIOD > prefix ? periods * PERIOD - prefix : 0);
	s = pebs_setup(&use, c.event, *counter, PMU_USR, MISSING);
	w.setups = &s;
	w.count = 1;
	w.code = pebs_run_target;
	now.count = 0;
	return pebs_run(&w, note);
}

static struct pebs_seen run_to(unsigned threshold, unsigned periods, bool is_drained)
{
	unsigned counter;

	now.is_drained = is_drained;
	return run((struct pebs_window){ .records = RECORDS, .threshold = threshold }, periods,
	           &counter);
}

/* Returns the threshold's status bit, or 0 if the register does not exist. */
static uint64_t ovf_buffer(void)
{
	return has_status() ? IA32_PERF_GLOBAL_STATUS_OVF_BUFFER : 0;
}

/*
 * Errata of Core 2 (AJ68, AR64, W127): "the PMI may be one PEBS event late"; and OvfBuffer is set
 * only with FREEZE_PERFMON_ON_PMI (AJ69).
 */
static bool may_be_late(void)
{
	return !pmu_is_exact() && pebs_format() == 0;
}

static void judge_first(struct test_ctx *t, unsigned threshold)
{
	if (!now.count)
		return;
	expect_bounds(t, "records at the first PMI", now.index[0],
	              if_exact(threshold, "the record that reached the threshold is the last one "
	                       "before the PMI"),
	              else_in(threshold, RECORDS, "high: the buffer's room, as a PMI's skid of "
	                      "300 instructions is 25 periods"));
	if (ovf_buffer() && !may_be_late())
		expect_bits(t, "IA32_PERF_GLOBAL_STATUS at the first PMI", now.status[0],
		            ovf_buffer(), ovf_buffer(), "OvfBuffer");
}

static const unsigned marks[] = { 1, 2, 5 };

#define FOR_EACH_MARK(mark) \
	for (unsigned n_ = 0; n_ < COUNT_OF(marks); n_++) \
		for (unsigned mark = marks[n_], once_ = 1; once_; once_ = 0)

TEST(at, .id = "pebs.threshold.at", .needs = need_pebs_code,
     .claim = "the record with which the index reaches the threshold raises a PMI, and no later "
              "record does instead", .source = MARK)
{
	FOR_EACH_MARK(mark) {
		const unsigned periods = mark + (unsigned)unless_exact(1);

		run_to(mark, periods, true);
		test_sub(t, "threshold %u, %u records", mark, periods);
		expect_between(t, "PMIs", now.count, 1, periods / mark,
		               "one for each time that the index is at the threshold; silicon has "
		               "a period more, as its records may slip");
		judge_first(t, mark);
	}
}

TEST(below, .id = "pebs.threshold.below", .needs = need_pebs_code,
     .claim = "no record below the threshold raises a PMI or sets OvfBuffer", .source = MARK)
{
	FOR_EACH_MARK(mark) {
		struct pebs_seen seen = run_to(mark, mark - 1, true);

		test_sub(t, "threshold %u, %u records", mark, mark - 1);
		expect_bounds(t, "records", ds_index(DS_PEBS),
		              if_exact(mark - 1, "there is one for each whole period"),
		              else_in(0, mark - 1, "low: on silicon records may slip; high: there "
		                      "is one for each whole period"));
		expect_exact(t, "PMIs", now.count, 0, "the index is below the threshold");
		expect_bits(t, "IA32_PERF_GLOBAL_STATUS", seen.status, ovf_buffer(), 0,
		            "OvfBuffer");
	}
}

TEST(many, .id = "pebs.threshold.many", .needs = need_pebs_code,
     .claim = "with a handler that empties the buffer, as many records as the threshold allows "
              "raise one PMI",
     .source = MARK)
{
	enum { ALL = 20 };

	FOR_EACH_MARK(mark) {
		unsigned all;

		run_to(mark, ALL, true);
		all = ALL + now.each * pmi_get_log()->user_returns / PERIOD;
		test_sub(t, "threshold %u, %u records", mark, all);
		expect_bounds(t, "PMIs", now.count,
		              if_exact(all / mark, "records divided by the threshold"),
		              else_in(1, all / mark, "low: there was one; high: no record "
		                      "slipped"));
		judge_first(t, mark);
	}
	expect_no_damage(t);
}

TEST(never, .id = "pebs.threshold.never", .needs = need_pebs_code,
     .claim = "a threshold beyond the absolute maximum raises no PMI, although the buffer is full",
     .source = MARK)
{
	struct pebs_seen seen = run_to(RECORDS + 2, RECORDS + 3, false);

	expect_unless(t, SILICON_FULL_RAISES_PMI, "PMIs", now.count, 0,
	              "the index cannot reach the threshold");
	if (!silicon_has(SILICON_FULL_RAISES_PMI))
		expect_bits(t, "IA32_PERF_GLOBAL_STATUS", seen.status, ovf_buffer(), 0,
		            "OvfBuffer");
}

static void keep_status(struct frame *f)
{
	(void)f;
	now.count++;
}

TEST(clear, .id = "pebs.threshold.ovf_buffer", .needs = need_pebs_status,
     .claim = "OvfBuffer stays set until software clears it by a write of its bit to "
              "IA32_PERF_GLOBAL_OVF_CTRL, and the next threshold sets it again",
     .source = BUFFER "; SDM 4, IA32_PERF_GLOBAL_OVF_CTRL: Clear OvfBuf")
{
	const uint64_t bit = IA32_PERF_GLOBAL_STATUS_OVF_BUFFER;

	for (unsigned round = 0; round < 2; round++) {
		const char *event = pebs_event_name(0);
		struct pebs_target c = pebs_target(event, 4 * PERIOD);
		struct pebs_use use;
		struct pmu_setup s = pebs_setup(&use, c.event, pebs_counter(c.event, 0), PMU_USR,
		                                MISSING);

		now.count = 0;
		pebs_run(&(const struct pebs_window){ .setups = &s, .count = 1, .records = RECORDS,
		         .threshold = 2, .code = pebs_run_target }, keep_status);
		if (may_be_late()) {
			test_report(t, "IA32_PERF_GLOBAL_STATUS", "%" PRIX64 "H", pmu_status());
			continue;
		}
		test_sub(t, "round %u", round);
		expect_bits(t, "IA32_PERF_GLOBAL_STATUS", pmu_status(), bit, bit,
		            "nothing has cleared it");
		expect_no_fault(t, "WRMSR of bit 62 to IA32_PERF_GLOBAL_OVF_CTRL",
		                msr_try_write(IA32_PERF_GLOBAL_OVF_CTRL, bit), "ClrOvfBuf");
		expect_bits(t, "IA32_PERF_GLOBAL_STATUS", pmu_status(), bit, 0, "ClrOvfBuf");
	}
}

/* ---------------------------------------------------------------------------- the maximum */

static void judge_full(struct test_ctx *t, unsigned extra, bool has_plus_one)
{
	enum { ROOM = 4, PERIODS = 10 };
	struct pebs_window w = { .records = ROOM, .extra = extra, .has_plus_one = has_plus_one };
	unsigned counter;

	now.is_drained = false;
	run(w, PERIODS, &counter);
	test_sub(t, "room for %u records and %u bytes", ROOM, extra + has_plus_one);
	expect_exact(t, "index - base", ds_index_address(DS_PEBS) - ds_base(DS_PEBS),
	             (uint64_t)ROOM * pebs_record_size(),
	             "there are only whole records, and none beyond the absolute maximum");
	expect_no_damage(t);
	test_report(t, "counter after the window, full buffer", "-%" PRIu64,
	            -pmu_read(counter) & counter_mask(counter));
}

TEST(maximum, .id = "pebs.full.maximum", .needs = need_pebs_code,
     .claim = "an index at the absolute maximum stays there, and nothing is written beyond it",
     .source = FULL)
{
	judge_full(t, 0, false);
	judge_full(t, 0, true);
}

/* Erratum P79 of NetBurst is about such a buffer at the end of the address space,
 * where this one is not. */
TEST(partial, .id = "pebs.full.partial", .needs = need_pebs_code,
     .claim = "room for a part of a record after the last one is not used",
     .source = FULL)
{
	judge_full(t, pebs_record_size() - 1, false);
	judge_full(t, pebs_record_size() / 2, false);
}
