/* SPDX-License-Identifier: MIT */
/*
 * pebs.adaptive: records of several kinds in one buffer. The first word of each says how large it
 * is and which groups it has: every counter has its own bit that selects the groups.
 */
#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/modes/modes.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/pebs/pebs_adaptive.h>
#include <tests/suites/pebs/pebs_code.h>

enum { GROUP_BITS = 0x3f, BASIC_SIZE = 32, GPRS_SIZE = 144, ROUNDS = 2000 };

/* Returns the size in bytes that a record's first word gives, or 0 if that is no multiple of 8. */
static unsigned size_of(const uint64_t *record)
{
	unsigned size = (unsigned)(record[0] >> 48);

	return size % 8 ? 0 : size;
}

/* Judges the groups and the size of one record. */
static void judge_record(struct test_ctx *t, const uint64_t *record, bool has_gprs)
{
	const uint64_t size = BASIC_SIZE + (has_gprs ? GPRS_SIZE : 0);

	expect_bits(t, "format word", record[0], UINT64_C(0xffff000000000000) | GROUP_BITS,
	            size << 48 | (has_gprs ? MSR_PEBS_DATA_CFG_GPRS : 0),
	            has_gprs ? "the counter's adaptive bit is 1: groups as MSR_PEBS_DATA_CFG says"
	                     : "the counter's adaptive bit is 0: only the basic group");
}

/* Calls judge for each record; returns how many there were. The last must end at the index. */
static unsigned walk(struct test_ctx *t, void (*judge)(struct test_ctx *t, const uint64_t *record))
{
	const uint64_t end = ds_index_address(DS_PEBS);
	uintptr_t at = ds_base(DS_PEBS);
	unsigned count = 0, size;

	for (; at + BASIC_SIZE <= end; at += size, count++) {
		const uint64_t *record = (const uint64_t *)at;

		size = size_of(record);
		test_sub(t, "record %u", count);
		if (size < BASIC_SIZE) {
			expect_between(t, "size in bytes", size, BASIC_SIZE, 0xffff,
			               "low: the basic group; high: the field's highest value");
			return count;
		}
		judge(t, record);
	}
	test_sub(t, "%s", "");
	expect_exact(t, "end of the last record, minus the index", at - end, 0,
	             "each record is as large as its first word says");
	return count;
}

/* ------------------------------------------------------------------------ two counters */

static const char *need_two(struct test_ctx *t)
{
	const char *reason = need_pebs_adaptive(t);

	if (reason || (pebs_find("branches")->counters & 3) == 3)
		return reason ? reason : need_pebs_any(t);
	return test_reason(t, "counters that record branches: %" PRIX64 "H, the test needs 0 and 1",
	                   pebs_find("branches")->counters);
}

/* A record of both counters at once, which may be adaptive, comes only if one slips. */
static void judge_mixed(struct test_ctx *t, const uint64_t *record)
{
	if (record[2] == 3 && !pmu_is_exact())
		return;
	expect_between(t, "applicable counters", record[2], 1, 2,
	               "low: counter 0; high: counter 1; they are due at different branches");
	judge_record(t, record, record[2] == 1);
}

TEST(mixed, .id = "pebs.adaptive.mixed", .needs = need_two, .source = ADAPTIVE,
     .claim = "of two counters that record, only the one with IA32_PERFEVTSELx[34] = 1 has the "
              "groups of MSR_PEBS_DATA_CFG in its records")
{
	enum { PERIOD = 200 };
	const struct pebs_event *e = pebs_find("branches");
	uint64_t resets[PEBS_RESETS] = { 0 };
	struct pmu_setup s[2];
	struct pebs_use use;
	unsigned count;

	for (unsigned i = 0; i < COUNT_OF(s); i++) {
		s[i] = pebs_setup(&use, e, i, PMU_USR, PERIOD + i * PERIOD / 2 - 1);
		resets[pebs_slot(i)] = -(uint64_t)(PERIOD - 1) & counter_mask(i);
	}
	s[1].flags &= ~(unsigned)PMU_ADAPTIVE;
	pebs_set_data_cfg(MSR_PEBS_DATA_CFG_GPRS);
	pebs_window_run(&(const struct pebs_window){ .setups = s, .count = 2, .resets = resets,
	                .code = pebs_rounds, .rounds = ROUNDS, .argument = MODE_CPL3 });
	count = walk(t, judge_mixed);
	expect_bounds(t, "records", count,
	              if_exact_in(2 * ROUNDS / PERIOD - 2, 2 * ROUNDS / PERIOD,
	                          "low: the first and the last may lie outside of the code; high: "
	                          "one for each period of either counter"),
	              else_in(2, ROUNDS, "low: one of either counter; high: one a round"));
	expect_no_damage(t);
}

/* ------------------------------------------------------------------------ each fixed counter */

static bool wants_gprs;
static unsigned recording;             /* the counter */

static void judge_fixed(struct test_ctx *t, const uint64_t *record)
{
	expect_exact(t, "applicable counters", record[2], BIT(recording),
	             "it is the bit of the fixed counter, the only one of PEBS");
	judge_record(t, record, wants_gprs);
}

/* IA32_FIXED_CTR2 and 3 may have no bit in IA32_PEBS_ENABLE. */
static bool can_record(unsigned counter)
{
	const bool can = !is_fault(msr_try_write(IA32_PEBS_ENABLE, BIT(counter)));

	msr_try_write(IA32_PEBS_ENABLE, 0);
	return can;
}

static void run_fixed(struct test_ctx *t, unsigned i)
{
	enum { PERIOD = 1024 };
	const struct pmu_setup s = {
		.counter = PMU_FIXED_CTR(i), .start = -(uint64_t)(PERIOD - 1),
		.flags = PMU_BOTH | (wants_gprs ? PMU_ADAPTIVE : 0),
	};
	unsigned count;

	recording = s.counter;
	pebs_set_data_cfg(MSR_PEBS_DATA_CFG_GPRS);
	pebs_window_run(&(const struct pebs_window){ .setups = &s, .count = 1,
	                .code = pebs_rounds, .rounds = ROUNDS, .argument = MODE_CPL0 });
	count = walk(t, judge_fixed);
	test_sub(t, "IA32_FIXED_CTR%u, adaptive bit %u", i, wants_gprs);
	expect_bounds(t, "records", count,
	              if_exact_in(2, ROUNDS, "low: its bit in IA32_PEBS_ENABLE is 1, and the "
	                          "first record reloads it; high: one a round"), ELSE_SHOWN);
	expect_no_damage(t);
	test_sub(t, "%s", "");
}

TEST(each_fixed, .id = "pebs.adaptive.each_fixed", .needs = need_pebs_adaptive,
     .source = ADAPTIVE ", IA32_FIXED_CTR_CTRL: FCx_Adaptive_Record, bit 32 + 4x",
     .claim = "records of a fixed counter have the groups of MSR_PEBS_DATA_CFG if its own adaptive "
              "bit is 1, and only the basic group otherwise")
{
	unsigned count = 0;

	for (unsigned i = 0; i < 4; i++) {
		if (!(pmu_get()->fixed_map >> i & 1) || !can_record(PMU_FIXED_CTR(i)))
			continue;
		for (unsigned on = 0; on < 2; on++) {
			wants_gprs = on;
			run_fixed(t, i);
		}
		count++;
	}
	test_report(t, "fixed counters that record", "%u", count);
}

/* ------------------------------------------------------------------------ metrics */

#define CFG(name)  MSR_PEBS_DATA_CFG_##name

static const char *need_metrics(struct test_ctx *t)
{
	const char *reason = need_pebs_adaptive(t);
	uint64_t value;

	if (!reason && pebs_format() < 6)
		return test_reason(t, "records have format %u, the test needs 6", pebs_format());
	if (!reason && is_fault(msr_try_read(IA32_PERF_METRICS, &value)))
		return test_reason(t, "RDMSR of %XH faults: IA32_PERF_METRICS does not exist",
		                   IA32_PERF_METRICS);
	return reason;
}

/* The header's third doubleword: both words of the metrics follow. */
enum { HAS_METRICS = 3, HEADER_WORDS = 2, METRICS_WORDS = 2 };

static void judge_metrics(struct test_ctx *t, const uint64_t *record)
{
	const unsigned size = BASIC_SIZE + 8 * (HEADER_WORDS + 1 + METRICS_WORDS);

	expect_bits(t, "format word", record[0], UINT64_C(0xffff000000000000) | GROUP_BITS,
	            (uint64_t)size << 48 | CFG(COUNTERS) | CFG(METRICS),
	            "the header, one counter, and two words of metrics follow the basic group");
	expect_exact(t, "header's counters", record[BASIC_SIZE / 8],
	             FIELD_GET(CFG(PMCS), CFG(PMCS)) & 2, "general counter 1 and no other");
	expect_bounds(t, "header's metrics", record[BASIC_SIZE / 8 + 1],
	              if_exact(HAS_METRICS, "the slots and IA32_PERF_METRICS follow the counters"),
	              ELSE_SHOWN);
}

TEST(metrics, .id = "pebs.adaptive.metrics", .needs = need_metrics,
     .source = "SDM 3B, \"Counters Snapshotting\"; Linux, struct pebs_cntr_header",
     .claim = "with METRICS the counters' group ends with IA32_FIXED_CTR3 and IA32_PERF_METRICS, "
              "and its header says so")
{
	struct pebs_use use;
	const struct pmu_setup s[] = {
		pebs_setup(&use, pebs_find("instructions"), 0, PMU_OS, 99),
		{ .counter = 1, .event = EVENT_INSTRUCTIONS_RETIRED, .flags = PMU_OS },
	};

	pebs_set_data_cfg(CFG(COUNTERS) | CFG(METRICS) | FIELD_PUT(CFG(PMCS), 2));
	pebs_window_run(&(const struct pebs_window){ .setups = s, .count = 2, .sampled = 1,
	                .code = pebs_nops });
	expect_between(t, "records", walk(t, judge_metrics), 1, PEBS_NOPS,
	               "low: there are more instructions than a period; high: one for each NOP");
	expect_no_damage(t);
}
