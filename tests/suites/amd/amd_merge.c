/* SPDX-License-Identifier: MIT */
/*
 * Counters that count together: on family 17H and later event FFFH of an odd counter extends the
 * even one below it. Without it a counter takes 15 events of a clock.
 */
#include <tests/suites/common/amd/amd_suite.h>

#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <pmu/core/pmi.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>

#define MERGE  "Linux 5738891229a2, and the patch 20200817220628.7604-2, which quotes the PPR"
#define EXTEND (PERF_CTL_EVENT(AMD_EVENT_MERGE) | PERF_CTL_EN)

/* All operations: Zen's unit mask has eight bits, that of Zen 2 and later four: Linux' perf. */
static uint16_t flops(void) { return amd_family() == AMD_17H && machine_cpu()->model < 0x30
                                     ? 0xff03 : 0x0f03; }

/* Counts with an even counter and the odd one above it, the odd one programmed first, so many
 * rounds of four operations each. The odd one stays programmed. */
static void merge(unsigned even, uint64_t low, uint64_t high, uint64_t flag, uint32_t rounds)
{
	pmu_reset();
	if (amd_has_v2())
		msr_write(PerfCntrGlobalCtl, 3u << even);
	msr_write(PERF_CTR(even + 1), high);
	msr_write(PERF_CTR(even), low);
	msr_write(PERF_CTL(even + 1), EXTEND);
	msr_write(PERF_CTL(even), amd_select(0x003, (uint8_t)(flops() >> 8)) | flag);
	workload_find("sse_add_packed")->code(rounds, 0);
	msr_write(PERF_CTL(even), 0);
}

static uint64_t merged_flops(unsigned even, uint32_t rounds)
{
	merge(even, 0, 0, 0, rounds);
	return amd_read(PERF_CTR(even));
}

TEST(pair, .id = "amd.merge.pair", .needs = need_amd_since_17h, .source = MERGE,
     .claim = "a counter with the odd one above it as event FFFH counts all operations")
{
	pmu_workload_begin();
	for (unsigned even = 0; even + 1 < amd_counters(); even += 2) {
		uint64_t few = merged_flops(even, AMD_FEW);

		test_sub(t, "counters %u and %u", even, even + 1);
		expect_exact(t, "operations of 1000 more ADDPS",
		             merged_flops(even, AMD_FEW + AMD_MORE) - few, 4 * AMD_MORE,
		             "each adds four numbers");
		expect_exact(t, "the odd counter", amd_read(PERF_CTR(even + 1)), 0,
		             "it holds bits 63:48 of the sum");
	}
	pmu_workload_end();
}

static void check_width(struct test_ctx *t, unsigned even)
{
	test_sub(t, "counters %u and %u", even, even + 1);
	merge(even, AMD_COUNTER_MASK - 1, 0, 0, 1);
	expect_bounds(t, "the even counter, read while the odd one extends it",
	              amd_read(PERF_CTR(even)),
	              if_exact(BIT(48) | 2, "four operations from two below the carry, and the odd "
	                       "counter's bits above"), ELSE_SHOWN);
	msr_write(PERF_CTL(even + 1), 0);
	expect_bounds(t, "the odd counter", amd_read(PERF_CTR(even + 1)) & 0xffff,
	              if_exact(1, "the carry went there"), ELSE_SHOWN);
	expect_bounds(t, "bits 47:0 of the even one", amd_read(PERF_CTR(even)) & AMD_COUNTER_MASK,
	              if_exact(2, "four operations from two below the wrap"), ELSE_SHOWN);
	merge(even, AMD_COUNTER_MASK - 3, 0xffff, 0, 1);
	expect_exact(t, "the even counter, from four below 2^64", amd_read(PERF_CTR(even)), 0,
	             "four operations wrap all 64 bits");
}

TEST(width, .id = "amd.merge.width", .needs = need_amd_since_17h, .source = MERGE,
     .claim = "a pair counts 64 bits: the odd counter takes the carry out of bit 47")
{
	pmu_workload_begin();
	for (unsigned even = 0; even + 1 < amd_counters(); even += 2)
		check_width(t, even);
	pmu_workload_end();
}

/* A pair overflows at 2^64: with 0 in the odd counter the carry out of bit 47 is no overflow. */
static unsigned pmis_of(unsigned even, uint64_t high)
{
	pmi_listen(PMI_NMI, NULL);
	merge(even, AMD_COUNTER_MASK - 1999, high, PERF_CTL_INT, AMD_MORE);
	pmi_settle();
	pmi_stop();
	msr_write(PERF_CTL(even + 1), 0);
	return pmi_get_log()->count;
}

TEST(pmi, .id = "amd.merge.pmi", .needs = need_amd_merge_pmi, .source = MERGE,
     .claim = "a pair raises its PMI when all 64 bits wrap, and none when 48 bits do")
{
	pmu_workload_begin();
	for (unsigned even = 0; even + 1 < amd_counters(); even += 2) {
		test_sub(t, "counters %u and %u", even, even + 1);
		expect_exact(t, "PMIs, the odd counter FFFFH", pmis_of(even, 0xffff), 1,
		             "4000 operations from 2000 below 2^64");
		expect_bounds(t, "PMIs, the odd counter 0", pmis_of(even, 0),
		              if_exact(0, "it carried into the odd counter"), ELSE_SHOWN);
	}
	pmu_workload_end();
}

TEST(alone, .id = "amd.merge.alone", .needs = need_amd_since_17h, .source = MERGE,
     .claim = "event FFFH counts nothing by itself; on an even counter that is reported")
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		uint64_t got = amd_count(i, EXTEND | PERF_CTL_USR | PERF_CTL_OS, workload_loop.code,
		                         1000, 0);

		test_sub(t, "counter %u", i);
		if (i % 2)
			expect_exact(t, "counts", got, 0, "its even counter counts nothing");
		else
			test_report(t, "counts", "%" PRIu64, got);
	}
}

/* 32 ADDPS without a branch between them: more than 15 operations in a clock. */
TEST(limit, .id = "amd.merge.limit", .needs = need_amd_since_17h, .source = MERGE,
     .claim = "a counter that is not merged counts at most 15 events in a clock")
{
	const struct workload *w = workload_find("sse_adds");
	const struct pmu_setup both[] = {
		{ .counter = 0, .event = flops(), .flags = PMU_BOTH },
		{ .counter = 1, .event = AMD_EVENT_CYCLES, .flags = PMU_BOTH },
	};
	struct pmu_reading r;

	pmu_workload_begin();
	r = pmu_measure(both, 2, w, AMD_MORE, 0);
	pmu_workload_end();
	expect_between(t, "operations of 1000 rounds", r.count[0], 1,
	               15 * (r.count[1] + WINDOW_EDGES),
	               "low: some; high: 15 in each clock, which the counter beside it counts");
}
