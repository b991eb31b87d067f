/* SPDX-License-Identifier: MIT */
/* What Zen 4 and Zen 5 can leave out: samples that hit a cache, and loads that are fast. */
#include <tests/suites/ibs/ibs_suite.h>

#include <pmu/workload/workload.h>

static const char *need_l3_filter(struct test_ctx *t)
{
	return need_ibs_cap(t, CPUID_AMD_IBS_EAX_L3MissFilter, "L3MissFilter");
}

static const char *need_latency_filter(struct test_ctx *t)
{
	return need_ibs_cap(t, CPUID_AMD_IBS_EAX_LoadLatFilter, "LoadLatFilter");
}

static NEED_BOTH(need_l3, need_ibs_count_ops, need_l3_filter)
static NEED_BOTH(need_latency, need_ibs_count_ops, need_latency_filter)

/* Runs the same load again and again, with samples that can be only of it or of the loop. */
static unsigned sample_one_line(uint64_t filter)
{
	uint32_t size;
	uint32_t address = (uint32_t)(uintptr_t)pmu_workload_arena(&size);

	workload_load_at.code(100, address);
	ibs_window(&(const struct ibs_plan){ .op = ibs_op(0x0b, IbsOpCtl_CntCtl | filter),
	                                     .is_varied = true }, workload_load_at.code, 4000,
	           address);
	return ibs_get_log()->count;
}

TEST(hits, .id = "ibs.op.l3_miss_only", .needs = need_l3, .source = IBS_OP ", IbsOpL3MissOnly",
     .claim = "with L3MissOnly loads that hit a cache are never sampled, and raise no interrupt")
{
	unsigned all = sample_one_line(0), some = sample_one_line(IbsOpCtl_L3MissOnly);

	test_report(t, "samples", "%u without the filter, %u with it", all, some);
	expect_between(t, "samples without the filter", all, 20, UINT64_MAX,
	               "low: 4000 rounds are 50 periods of 176 ops; high: none");
	expect_bounds(t, "interrupts with the filter", ibs_get_log()->interrupts,
	              if_exact_in(0, 2, "low: one line hits; high: it may miss at first"),
	              else_in(0, all / 4, "low: one line hits; high: other processors and the "
	                      "handlers may evict it"));
}

TEST(misses, .id = "ibs.op.l3_misses", .needs = need_l3, .source = IBS_OP ", IbsOpL3MissOnly",
     .claim = "with L3MissOnly the samples are of loads that missed")
{
	const struct ibs_log *log = ibs_get_log();
	uint32_t size, address = (uint32_t)(uintptr_t)pmu_workload_arena(&size);
	unsigned wrong = 0;

	ibs_window(&(const struct ibs_plan){
		.op = ibs_op(0x0b, IbsOpCtl_CntCtl | IbsOpCtl_L3MissOnly), .is_varied = true },
		workload_walk.code, 8192, address);
	for (unsigned i = 0; i < log->count && i < IBS_SAMPLES; i++)
		wrong += !(log->sample[i].data3 & IbsOpData3_DcMiss);
	test_report(t, "samples", "%u", log->count);
	expect_exact(t, "samples that hit the first cache", wrong, 0, "what hits misses no L3");
	expect_between(t, "samples", log->count, pmu_is_exact(), UINT64_MAX,
	               "low: elsewhere all lines may be in a cache; high: none");
}

TEST(latency, .id = "ibs.op.load_latency", .needs = need_latency,
     .source = "Linux, arch/x86/events/amd/ibs.c: ldlat",
     .claim = "with a latency threshold samples are of loads that took as long or longer")
{
	enum { THRESHOLD = 0, CLOCKS = 128 };
	const uint64_t filter = IbsOpCtl_LatFilterEn | FIELD_PUT(IbsOpCtl_LatThreshold, THRESHOLD);
	const struct ibs_log *log = ibs_get_log();
	uint32_t size, address = (uint32_t)(uintptr_t)pmu_workload_arena(&size);
	unsigned wrong = 0;

	ibs_window(&(const struct ibs_plan){ .op = ibs_op(0x0b, IbsOpCtl_CntCtl | filter),
	                                     .is_varied = true },
	           workload_walk.code, 8192, address);
	for (unsigned i = 0; i < log->count && i < IBS_SAMPLES; i++)
		wrong += !(log->sample[i].data3 & IbsOpData3_LdOp) ||
		         FIELD_GET(IbsOpData3_DcMissLat, log->sample[i].data3) < CLOCKS;
	test_report(t, "samples", "%u", log->count);
	expect_exact(t, "samples that are no load of 128 clocks", wrong, 0, "the threshold is 128");
	expect_between(t, "samples", log->count, pmu_is_exact(), UINT64_MAX,
	               "low: elsewhere no load may take so long; high: none");
}

static const char *need_fetch_filter(struct test_ctx *t)
{
	const char *reason = need_ibs_fetch_sampling(t);

	return reason ? reason : need_l3_filter(t);
}

TEST(fetches, .id = "ibs.fetch.l3_miss_only", .needs = need_fetch_filter,
     .source = IBS_FETCH ", IbsFetchL3MissOnly",
     .claim = "with L3MissOnly fetches that hit a cache are never sampled")
{
	unsigned all, some;

	ibs_window(&(const struct ibs_plan){ .fetch = ibs_fetch(4, 0) }, workload_loop.code, 20000,
	           0);
	all = ibs_get_log()->count;
	ibs_window(&(const struct ibs_plan){ .fetch = ibs_fetch(4, IbsFetchCtl_L3MissOnly) },
	           workload_loop.code, 20000, 0);
	some = ibs_get_log()->count;
	test_report(t, "samples of a loop", "%u without the filter, %u with it", all, some);
	expect_between(t, "samples with the filter", some, 0, all / 4,
	               "low: a loop of a line hits; high: other processors and the handlers may "
	               "evict it");
	expect_between(t, "samples without the filter", all, 20, UINT64_MAX,
	               "low: each round fetches its line again, 64 rounds a period; high: none");
}
