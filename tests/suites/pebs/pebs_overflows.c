/* SPDX-License-Identifier: MIT */
/* The counters that a record names while another counter overflows without PEBS. */
#include <arch/cpu/fault.h>
#include <arch/modes/modes.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/sampling/pebs_window.h>

enum { ROUNDS = 400, ROUNDS_A_RECORD = 100, EARLY = 20, FORMAT_APPLICABLE = 3 };

static NEED_BOTH(need_named, need_arch_v2, need_pebs_any)

static const char *need_status(struct test_ctx *t)
{
	const char *reason = need_named(t);

	if (!reason && pebs_format() < 1)
		return test_reason(t, "records of %s have no status", pebs_layout()->name);
	return reason;
}

/* A counter that PEBS does not use, and that overflows before the first record. */
static struct pmu_setup beside(unsigned recording)
{
	return (struct pmu_setup){ .counter = recording == 0 ? 1 : 0, .flags = PMU_USR,
	                           .event = EVENT_INSTRUCTIONS_RETIRED, .start = -(uint64_t)EARLY };
}

/*
 * Formats 1 and 2 hold IA32_PERF_GLOBAL_STATUS, which chips race with its clearing (Linux); from
 * format 3 on the field names the counters that caused the record.
 */
TEST(overflows, .id = "pebs.record.overflows", .needs = need_status,
     .source = "SDM 3B, Nehalem: IA32_PERF_GLOBAL_STATUS of the record; Skylake: Applicable "
               "Counters",
     .claim = "a record of format 1 or 2 has the status bit of a counter that overflowed without "
              "PEBS; from format 3 on it names only the counters that caused it")
{
	struct pebs_use use;
	const struct pmu_setup any = pebs_any(&use, PMU_USR, ROUNDS_A_RECORD * pebs_any_each() - 1);
	const struct pmu_setup s[] = { any, beside(any.counter) };
	const bool is_status = pebs_format() < FORMAT_APPLICABLE;
	const uint64_t want = counter_bit(s[0].counter)
	                      | (is_status ? counter_bit(s[1].counter) : 0);
	unsigned count;

	pebs_set_data_cfg(0);
	count = pebs_window_run(&(const struct pebs_window){ .setups = s, .count = 2, .sampled = 1,
	                        .code = pebs_rounds, .rounds = ROUNDS, .argument = MODE_CPL3 });
	expect_between(t, "records", count, 1, ROUNDS, "low: there are several periods; high: one "
	               "a round");
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS", pmu_status(), counter_bit(s[1].counter),
	            counter_bit(s[1].counter), "the counter without PEBS overflowed");
	for (unsigned i = 0; i < count; i++) {
		test_sub(t, "record %u", i);
		expect_bounds(t, "counters that it names", pebs_value(i, PEBS_STATUS),
		              if_exact(want, is_status
		                       ? "the field is IA32_PERF_GLOBAL_STATUS, with PEBS' counter"
		                       : "only the counter of PEBS caused it"),
		              pebs_format() > FORMAT_APPLICABLE
		              ? else_exact(want, "only the counter of PEBS caused it")
		              : ELSE_SHOWN);
	}
}
