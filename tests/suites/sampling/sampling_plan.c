/* SPDX-License-Identifier: MIT */
/* Plans the experiment by the command line and the cache, and says whether it can be done here. */
#include <tests/suites/sampling/sampling.h>

#include <arch/regs/amd.h>
#include <kernel/lib/format.h>
#include <kernel/run/engine_hooks.h>
#include <pmu/core/program.h>
#include <pmu/sampling/pebs.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/amd/ibs_needs.h>
#include <tests/suites/sampling/sampling_events.h>

/* Primes, which share no factor with a number of addresses. An emulator needs a minute for what
 * silicon does in a second. */
enum { PERIOD_HARDWARE = 10007, PERIOD_EMULATED = 53 };

/* After the ring comes a line of another set, whatever the way's size, from 2 KBytes on. */
enum { HITS_OFFSET = 0x600, MARGIN = 4096 };

/* Round addresses are easier to read, and stay the same when the kernel grows. */
#define ROUND_BASE  UINT32_C(0x100000)

static uint32_t word_misses, word_period, word_stride, word_ways;
static bool is_emulated;

static const char *problem(const struct cmdline *words)
{
	static char text[96];

	if (!words->misses || !words->period || words->misses >= words->period)
		return NULL;
	format_buf(text, sizeof(text), "misses=%u: less than the period, %u: not one sample",
	           words->misses, words->period);
	return text;
}

static void init(const struct cmdline *words)
{
	word_misses = words->misses;
	word_period = words->period;
	word_stride = words->stride;
	word_ways = words->ways;
	is_emulated = words->is_emulated;
}

static const struct engine_hooks sampling_hooks = {
	.name = "sampling words", .problem = problem, .init = init,
};
ENGINE_HOOKS(sampling_hooks);

const char *need_sampling(struct test_ctx *t)
{
	const char *reason = need_pebs(t);
	struct cache_shape cache;

	if (!reason && !pebs_find("l1_misses"))
		return test_reason(t, "no event of L1 misses that PEBS records is "
		                      "known here: format %u",
		                   pebs_format());
	if (!reason)
		reason = need_pmi_lvtpc(t);
	if (!reason && !cache_find_l1_data(&cache))
		return test_reason(t, "CPUID leaf 4 names no L1 data cache, and leaf 2, EAX = %"
		                   PRIX32 "H, no descriptor of one that is known",
		                   cpuid_read(2, 0).eax);
	return reason;
}

static const char *need_ibs_and_pmi(struct test_ctx *t);
NEED_BOTH(need_ibs_and_pmi, need_ibs_op_sampling, need_pmi_lvtpc)

const char *need_sampling_ibs(struct test_ctx *t)
{
	const char *reason = need_ibs_and_pmi(t);
	struct cache_shape cache;

	if (!reason && !cache_find_l1_data_of_amd(&cache))
		return test_reason(t, "CPUID leaf 80000005H, ECX = %" PRIX32
		                   "H, names no L1 data cache",
		                   cpuid_read(CPUID_AMD_L1, 0).ecx);
	return reason;
}

static uint32_t or_else(uint32_t value, uint32_t otherwise)
{
	return value ? value : otherwise;
}

/* Returns one cache size, or a way's size where the event counts hits in L2, as the
 * lines must fit there. */
static uint32_t default_stride(const struct cache_shape *cache)
{
	return sampling_counts_l2_hits() ? cache_way_size(cache) : cache->size;
}

static void place(struct sampling_plan *p)
{
	uint32_t size;
	const uintptr_t arena = (uintptr_t)pmu_workload_arena(&size);
	const uintptr_t round = (arena + ROUND_BASE - 1) & ~(uintptr_t)(ROUND_BASE - 1);
	const uint64_t wanted = (uint64_t)p->addresses * p->stride + 2 * MARGIN;

	if (wanted > size)
		test_abort("%u addresses, %u bytes apart, do not fit the %u bytes of the arena: "
		           "words stride=, ways=", p->addresses, p->stride, size);
	p->base = round - arena + wanted <= size ? round : arena;
	p->hits = (p->base + p->addresses * p->stride + MARGIN - 1) / MARGIN * MARGIN + HITS_OFFSET;
}

static uint32_t usual_period(void)
{
	return is_emulated || pmu_is_exact() ? PERIOD_EMULATED : PERIOD_HARDWARE;
}

struct sampling_plan sampling_plan(uint32_t misses, uint32_t period)
{
	struct sampling_plan p = { .ways = 0 };
	uint32_t samples = SAMPLING_SAMPLES;

	if (!cache_find_l1_data(&p.cache))
		cache_find_l1_data_of_amd(&p.cache);
	p.period = or_else(period, or_else(word_period, usual_period()));
	if (samples > CMDLINE_MISSES_MAX / p.period)
		samples = CMDLINE_MISSES_MAX / p.period;
	p.misses = or_else(misses, or_else(word_misses, samples * p.period));
	if (p.misses < p.period)
		test_abort("misses=%u: less than the period, %u: not one sample", p.misses,
		           p.period);
	p.stride = or_else(word_stride, default_stride(&p.cache));
	p.ways = or_else(word_ways, p.cache.ways);
	p.addresses = 2 * p.ways;
	p.is_overflowing = p.stride % cache_way_size(&p.cache) == 0
	                   && p.addresses > p.cache.ways;
	place(&p);
	return p;
}

uint32_t sampling_gcd(uint32_t a, uint32_t b)
{
	while (b) {
		const uint32_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}
