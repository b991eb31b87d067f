/* SPDX-License-Identifier: MIT */
/* Fetch sampling. */
#include <tests/suites/ibs/ibs_suite.h>

#include <arch/modes/paging.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>

static bool is_in_sled(uint64_t ip)
{
	return ibs_is_in(ip, (const void *)ibs_sled, ibs_sled_end + 1);
}

/* How often the NOPs run. A handler that returns has fewer fetches than a period: NOPs run, too. */
enum { SLEDS = 8, PERIOD = 8, FETCHES = SLEDS * 16384 / 64 };

static void run_sleds(uint32_t rounds, uint32_t unused)
{
	for (uint32_t i = 0; i < rounds; i++)
		ibs_sled(0, unused);
}

static const struct ibs_log *sample_sleds(void)
{
	ibs_window(&(const struct ibs_plan){ .fetch = ibs_fetch(PERIOD, 0) }, run_sleds, SLEDS, 0);
	return ibs_get_log();
}

TEST(sample, .id = "ibs.fetch.sample", .is_first = true, .needs = need_ibs_fetch_sampling,
     .source = IBS_FETCH,
     .claim = "fetch sampling interrupts again and again, with addresses of the code that runs")
{
	const struct ibs_log *log = sample_sleds();
	unsigned inside = 0, complete = 0;

	for (unsigned i = 0; i < log->count && i < IBS_SAMPLES; i++) {
		inside += is_in_sled(log->sample[i].linear);
		complete += (log->sample[i].ctl & IbsFetchCtl_Comp) != 0;
	}
	test_report(t, "samples", "%u, %u of them complete, %u interrupts without one", log->count,
	            complete, log->empty);
	expect_between(t, "samples in 8 times 16384 bytes of NOPs", inside,
	               FETCHES / (16 * PERIOD) / 2, UINT64_MAX,
	               "low: half of one in 128 fetches of 64 bytes; high: none");
}

TEST(physical, .id = "ibs.fetch.physical", .needs = need_ibs_fetch_sampling,
     .source = IBS_FETCH ", IbsFetchPhysAd",
     .claim = "the physical address of a fetch, if valid, is that of its linear address")
{
	const struct ibs_log *log = sample_sleds();
	unsigned judged = 0;

	for (unsigned i = 0; i < log->count && i < IBS_SAMPLES; i++) {
		const struct ibs_sample *s = &log->sample[i];

		if (!(s->ctl & IbsFetchCtl_PhyAddrValid) || !is_in_sled(s->linear))
			continue;
		test_sub(t, "fetch of %" PRIX64 "H", s->linear);
		expect_exact(t, "IbsFetchPhysAd", s->physical,
		             paging_physical((const void *)(uintptr_t)s->linear),
		             "the page tables of this kernel say so");
		judged++;
	}
	test_sub(t, "the NOPs");
	expect_between(t, "fetches judged", judged, pmu_is_exact(), UINT64_MAX,
	               "low: elsewhere all may have missed the TLB; high: none");
}

TEST(stops, .id = "ibs.fetch.stops_while_valid", .needs = need_ibs_fetch_sampling,
     .source = IBS_FETCH ", IbsFetchVal",
     .claim = "while a sample is valid no other fetch is sampled")
{
	uint64_t first;

	ibs_start(&(const struct ibs_plan){ .fetch = ibs_fetch(4, 0), .delivery = IBS_MASKED });
	ibs_sled(0, 0);
	first = msr_read(IbsFetchLinAd);
	expect_bits(t, "IbsFetchCtl", msr_read(IbsFetchCtl), IbsFetchCtl_Val, IbsFetchCtl_Val,
	            "16384 bytes are some periods of 64 fetches");
	for (unsigned i = 0; i < 4; i++)
		ibs_sled(0, 0);
	expect_exact(t, "IbsFetchLinAd", msr_read(IbsFetchLinAd), first,
	             "the first sample is still valid");
	ibs_stop();
}

TEST(off, .id = "ibs.fetch.off", .needs = need_ibs_fetch_sampling, .source = IBS_FETCH ", En",
     .claim = "without En there is neither a sample nor an interrupt")
{
	ibs_window(&(const struct ibs_plan){ .fetch = ibs_fetch(4, 0) & ~IbsFetchCtl_En }, ibs_sled,
	           0, 0);
	expect_exact(t, "samples", ibs_get_log()->count, 0, "En = 0");
	expect_bits(t, "IbsFetchCtl", msr_read(IbsFetchCtl), IbsFetchCtl_Val, 0, "En = 0");
}

/* Returns how many bytes of NOPs lie before the first sample, or IBS_NOPS: there is none. */
static uint32_t bytes_before(uint64_t control)
{
	const struct ibs_log *log = ibs_get_log();

	ibs_window(&(const struct ibs_plan){ .fetch = control, .most = 1 }, ibs_sled, 0, 0);
	if (!log->count || !is_in_sled(log->sample[0].linear))
		return IBS_NOPS;
	return (uint32_t)(log->sample[0].linear - (uintptr_t)ibs_sled);
}

#define FETCH_WIDTH "low: a fetch has 16 bytes at least; high: 64 at most"

TEST(period, .id = "ibs.fetch.period", .needs = need_ibs_fetch_sampling,
     .source = IBS_FETCH ", IbsFetchMaxCnt", .claim = "a maximum is in units of 16 fetches")
{
	enum { MORE = 4 };
	uint32_t near = bytes_before(ibs_fetch(8, 0)), far = bytes_before(ibs_fetch(8 + MORE, 0));

	test_report(t, "bytes before the samples", "%u and %u", near, far);
	if (pmu_is_exact())
		expect_between(t, "bytes more for 64 fetches more", far - near, 16 * MORE * 16,
		               16 * MORE * 64, FETCH_WIDTH);
	else
		test_report(t, "bytes more for 64 fetches more", "%d", (int)(far - near));
}

/* Family 10H alone is known to start from the count that is written (VirtualBox's tables). */
static const char *need_loaded_count(struct test_ctx *t)
{
	const char *reason = need_ibs_fetch_sampling(t);

	if (reason || amd_family() == AMD_10H)
		return reason;
	return test_reason(t, "family %XH: IbsFetchCtl[31:16] may not take a write", amd_family());
}

TEST(preload, .id = "ibs.fetch.preload", .needs = need_loaded_count,
     .source = IBS_FETCH ", IbsFetchCnt",
     .claim = "the counter of fetches goes on from the value that is written")
{
	uint32_t far = bytes_before(ibs_fetch(12, 0));
	uint32_t near = bytes_before(ibs_fetch(12, FIELD_PUT(IbsFetchCtl_Cnt, 4)));

	test_report(t, "bytes before the samples", "%u and %u", near, far);
	if (pmu_is_exact())
		expect_between(t, "bytes fewer", far - near, 16 * 4 * 16, 16 * 4 * 64, FETCH_WIDTH);
	else
		expect_between(t, "bytes before the sample", near, 0, IBS_NOPS - 1,
		               "low: the first one; high: the last one");
}

TEST(random, .id = "ibs.fetch.random", .needs = need_ibs_fetch_sampling,
     .source = IBS_FETCH ", IbsRandEn",
     .claim = "with RandEn the first sample comes sooner or later, without it (on a machine that "
              "repeats itself) after the same number of fetches")
{
	enum { TRIES = 8 };
	unsigned moved = 0, moved_random = 0;
	uint32_t first = bytes_before(ibs_fetch(8, 0));
	uint32_t random = bytes_before(ibs_fetch(8, IbsFetchCtl_RandEn));

	for (unsigned i = 0; i < TRIES; i++) {
		moved += bytes_before(ibs_fetch(8, 0)) != first;
		moved_random += bytes_before(ibs_fetch(8, IbsFetchCtl_RandEn)) != random;
	}
	test_report(t, "first samples that moved", "%u of 8 without RandEn, %u with it", moved,
	            moved_random);
	if (!pmu_is_exact())
		return;
	expect_exact(t, "first samples that moved, without RandEn", moved, 0,
	             "the counter starts from 0");
	expect_between(t, "first samples that moved, with RandEn", moved_random, 1, TRIES,
	               "low: the counter's low four bits are random; high: all");
}

TEST(both, .id = "ibs.fetch.with_ops", .needs = need_ibs_fetch_sampling, .source = IBS_APM,
     .claim = "fetches and ops are sampled side by side")
{
	const struct ibs_log *log = ibs_get_log();
	unsigned fetches = 0, count;

	ibs_window(&(const struct ibs_plan){ .fetch = ibs_fetch(4, 0),
	                                     .op = ibs_op(0x20, ibs_by_ops()) }, ibs_sled, 0, 0);
	count = log->count < IBS_SAMPLES ? log->count : IBS_SAMPLES;
	for (unsigned i = 0; i < count; i++)
		fetches += log->sample[i].is_fetch;
	expect_between(t, "samples of fetches", fetches, 1, UINT64_MAX,
	               "low: 16384 bytes are some periods of 64 fetches; high: none");
	expect_between(t, "samples of ops", count - fetches, 1, UINT64_MAX,
	               "low: 16384 NOPs are some periods of 512; high: none");
}
