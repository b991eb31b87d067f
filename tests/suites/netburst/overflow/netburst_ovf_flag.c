/* SPDX-License-Identifier: MIT */
/* OVF stays until software clears it by a write of the CCCR with bit 31 = 0;
 * nothing else clears it. */
#include <stddef.h>

#include <arch/cpu/fault.h>
#include <kernel/lib/format.h>
#include <tests/suites/netburst/overflow/netburst_overflow.h>

#define STICKY  NETBURST_CCCR ", OVF flag: sticky, must be explicitly cleared by software"

/* Overflows at once: OVF = 1, ENABLE = 1, and the ESCR is 0. Returns what the CCCR holds. */
static uint64_t overflow(unsigned x)
{
	const struct pmu_setup s = overflow_clock(x, 0, 0 - UINT64_C(1));

	pmu_program(&s, 1);
	pmu_window(workload_loop.code, 100, 0);
	return s.netburst->cccr_value | CCCR_OVF;
}

/* ----------------------------------------------------------------------- what leaves it alone */

static void read_by_rdmsr(unsigned x)
{
	msr_read(MSR_COUNTER(x));
	msr_read(MSR_CCCR(x));
	msr_read(MSR_COUNTER(x));
}

static void read_by_rdpmc(unsigned x)
{
	uint64_t value;

	pmc_try_read(x, &value);
	pmc_try_read(x | UINT32_C(1) << 31, &value);
}

static void write_counter(unsigned x)
{
	msr_write(MSR_COUNTER(x), 0);
	msr_write(MSR_COUNTER(x), (0 - UINT64_C(5)) & NETBURST_COUNTER_VALUE);
}

static void write_escr(unsigned x)
{
	msr_write(overflow_clock(x, 0, 0).netburst->escr->msr, 0);
}

static void count_on(unsigned x)
{
	(void)x;
	pmu_window(workload_loop.code, 100, 0);
}

/* Writes all the other CCCRs, as software does that stops their counters. */
static void write_other_cccrs(unsigned x)
{
	FOR_EACH_COUNTER(other)
		if (other != x)
			msr_write(MSR_CCCR(other),
			          FIELD_PUT(CCCR_ACTIVE_THREAD, ACTIVE_THREAD_ANY));
}

static void write_other_counters(unsigned x)
{
	FOR_EACH_COUNTER(other)
		if (other != x)
			msr_write(MSR_COUNTER(other), 0);
}

static void judge_sticky(struct test_ctx *t, void (*act)(unsigned x))
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(x) {
		uint64_t cccr = overflow(x);

		test_sub(t, "%s", pmu_counter_name(x, name));
		expect_exact(t, "OVF after an overflow", overflow_is_set(x), 1, "it wrapped");
		act(x);
		expect_exact(t, "its CCCR afterwards", msr_read(MSR_CCCR(x)), cccr,
		             "only a write of this CCCR clears OVF or changes other bits");
	}
}

#define STICKS(name, suffix, text) \
	TEST(sticky_##name, .id = "netburst.overflow.sticky." suffix, .needs = need_netburst, \
	     .source = STICKY, .claim = "OVF stays " text) \
	{ judge_sticky(t, name); }

STICKS(read_by_rdmsr, "rdmsr", "when the counter and its CCCR are read by RDMSR")
STICKS(read_by_rdpmc, "rdpmc", "when the counter is read by RDPMC, fast or not")
STICKS(write_counter, "counter_write", "when the counter is written")
STICKS(write_escr, "escr_write", "when the counter's ESCR is written")
STICKS(count_on, "counting", "when the counter counts on")
STICKS(write_other_cccrs, "other_cccrs", "when the other 17 CCCRs are written")
STICKS(write_other_counters, "other_counters", "when the other 17 counters are written")

/* ----------------------------------------------------------------------- what clears it */

static void judge_cleared(struct test_ctx *t, uint64_t taken)
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(x) {
		uint64_t cccr = overflow(x), value = pmu_read(x);

		test_sub(t, "%s", pmu_counter_name(x, name));
		msr_write(MSR_CCCR(x), cccr & ~taken);
		expect_exact(t, "its CCCR", msr_read(MSR_CCCR(x)), cccr & ~taken,
		             "it holds what was written, with OVF = 0");
		expect_exact(t, "the counter", pmu_read(x), value,
		             "a write of the CCCR does not change the counter");
	}
}

TEST(cleared, .id = "netburst.overflow.cleared.running", .needs = need_netburst, .source = STICKY,
     .claim = "a write of the CCCR with bit 31 = 0 clears OVF and leaves the counter enabled")
{ judge_cleared(t, CCCR_OVF); }

TEST(cleared_by_stop, .id = "netburst.overflow.cleared.stop", .needs = need_netburst,
     .source = STICKY,
     .claim = "the write that stops a counter clears OVF as well if its bit 31 is 0")
{ judge_cleared(t, CCCR_OVF | CCCR_ENABLE); }

/* Overflows all counters, then clears one after the other. */
TEST(each_alone, .id = "netburst.overflow.cleared.each_alone", .needs = need_netburst,
     .source = STICKY, .claim = "clearing OVF of one counter does not clear any other's")
{
	struct pmu_setup all[NETBURST_COUNTERS];
	uint64_t left = NETBURST_ALL;
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(x)
		all[x] = overflow_clock(x, 0, 0 - UINT64_C(1));
	pmu_program(all, NETBURST_COUNTERS);
	pmu_window(workload_loop.code, 100, 0);
	expect_exact(t, "OVF of all CCCRs, as bits", pmu_status(), left, "all 18 wrapped");
	FOR_EACH_COUNTER(x) {
		left &= ~BIT(x);
		msr_write(MSR_CCCR(x), all[x].netburst->cccr_value);
		test_sub(t, "%s's cleared", pmu_counter_name(x, name));
		expect_exact(t, "OVF of all CCCRs, as bits", pmu_status(), left,
		             "the other CCCRs were not written");
	}
}

TEST(again, .id = "netburst.overflow.again", .needs = need_netburst, .source = STICKY,
     .claim = "a counter whose OVF was cleared sets it again at its next overflow, and not before")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(x) {
		uint64_t cccr = overflow(x);

		test_sub(t, "%s", pmu_counter_name(x, name));
		msr_write(MSR_CCCR(x), cccr & ~CCCR_OVF);
		count_on(x);
		expect_exact(t, "OVF, counting on from 0", overflow_is_set(x), 0,
		             "the next overflow is 2^40 clocks away");
		pmu_write(x, (0 - UINT64_C(1)) & NETBURST_COUNTER_VALUE);
		count_on(x);
		expect_exact(t, "OVF, counting on from -1", overflow_is_set(x), 1, "it wrapped");
	}
}

/* No source says what this does. */
TEST(write_one, .id = "netburst.overflow.write_one", .needs = need_netburst, .source = STICKY,
     .claim = "what a write of 1 to OVF does is reported")
{
	uint32_t set = 0, kept = 0;

	FOR_EACH_COUNTER(x) {
		uint64_t cccr = overflow(x);

		msr_write(MSR_CCCR(x), cccr);
		kept |= (uint32_t)overflow_is_set(x) << x;
		msr_write(MSR_CCCR(x), 0);
		msr_write(MSR_CCCR(x), cccr & ~CCCR_ENABLE);
		set |= (uint32_t)overflow_is_set(x) << x;
	}
	test_report(t, "OVF after writing 1 over 1, and 1 over 0, as bits",
	            "%05" PRIX32 "H, %05" PRIX32
	            "H", kept, set);
}
