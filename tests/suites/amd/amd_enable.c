/* SPDX-License-Identifier: MIT */
/* EN: each counter has its own, whatever the others are. */
#include <tests/suites/common/amd/amd_suite.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/enables.h>
#include <tests/suites/common/needs.h>

#define SOURCE AMD_APM ", EN"

TEST(each, .id = "amd.enable.each", .needs = need_amd, .source = SOURCE,
     .claim = "each counter counts alone, with all other controls 0")
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		test_sub(t, "counter %u", i);
		expect_exact(t, "branches of 1000 more rounds",
		             amd_more(i, amd_select(AMD_EVENT_BRANCHES, 0), workload_loop.code, 0),
		             AMD_MORE, "its EN is 1, and no other counter gates it");
	}
}

TEST(off, .id = "amd.enable.off", .needs = need_amd, .source = SOURCE,
     .claim = "with EN = 0 a counter does not count, even if all others do")
{
	const uint64_t on = amd_select(AMD_EVENT_BRANCHES, 0);

	for (unsigned i = 0; i < amd_counters(); i++) {
		pmu_reset();
		if (amd_has_v2())
			msr_write(PerfCntrGlobalCtl, UINT64_MAX >> (64 - amd_counters()));
		for (unsigned j = 0; j < amd_counters(); j++)
			msr_write(amd_ctl(j), i == j ? on & ~PERF_CTL_EN : on);
		workload_loop.code(1000, 0);
		for (unsigned j = 0; j < amd_counters(); j++)
			msr_write(amd_ctl(j), 0);
		test_sub(t, "counter %u", i);
		expect_exact(t, "its value", amd_read(amd_ctr(i)), 0, "its EN was 0");
		expect_between(t, "another one's value", amd_read(amd_ctr(i ? 0 : 1)), 1000, 2000,
		               "low: one branch a round; high: the writes around the loop");
	}
}

/* Neither USR nor OS. */
TEST(no_ring, .id = "amd.enable.no_ring", .needs = need_amd, .source = AMD_APM ", USR and OS",
     .claim = "with USR = 0 and OS = 0 nothing counts")
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		test_sub(t, "counter %u", i);
		expect_exact(t, "instructions",
		             amd_count(i, PERF_CTL_EN | AMD_EVENT_INST_RETIRED, workload_loop.code,
		                       1000, 0), 0, "no level of privilege is selected");
	}
}

enum { EN, OS, USR, INT, GLOBAL };

static void write_enables(unsigned i, unsigned bits)
{
	if (amd_has_v2())
		msr_write(PerfCntrGlobalCtl, bits >> GLOBAL & 1
		          ? BIT(i) : (UINT64_MAX >> (64 - amd_counters())) & ~BIT(i));
	msr_write(amd_ctl(i), AMD_EVENT_INST_RETIRED | enables_if(bits, EN, PERF_CTL_EN)
	          | enables_if(bits, OS, PERF_CTL_OS) | enables_if(bits, USR, PERF_CTL_USR)
	          | enables_if(bits, INT, PERF_CTL_INT));
}

static unsigned levels_of(unsigned i, unsigned bits)
{
	const bool is_on = (bits >> EN & 1) && (!amd_has_v2() || (bits >> GLOBAL & 1));

	(void)i;
	return is_on ? (unsigned)(enables_if(bits, OS, PMU_OS) | enables_if(bits, USR, PMU_USR))
	             : 0;
}

TEST(combinations, .id = "amd.enable.combinations", .needs = need_amd_modes, .source = AMD_APM,
     .claim = ENABLES_CLAIM)
{
	const struct enables e = { { "EN", "OS", "USR", "INT", "PerfCntrGlobalCtl" },
	                           amd_has_v2() ? 5 : 4, write_enables, levels_of, true };

	for (unsigned i = 0; i < amd_counters(); i++)
		expect_enables(t, i, &e);
}

TEST(agree, .id = "amd.counters.all_agree", .needs = need_amd, .source = AMD_APM,
     .claim = "all counters count the same of the same code, all at once")
{
	struct pmu_setup s[PMU_SETUPS_MAX];
	struct pmu_reading few, many;

	for (unsigned i = 0; i < amd_counters(); i++)
		s[i] = (struct pmu_setup){ .counter = i, .event = AMD_EVENT_INST_RETIRED,
		                           .flags = PMU_BOTH };
	few = pmu_measure(s, amd_counters(), &workload_call, AMD_FEW, 0);
	many = pmu_measure(s, amd_counters(), &workload_call, AMD_FEW + AMD_MORE, 0);
	for (unsigned i = 0; i < amd_counters(); i++) {
		test_sub(t, "counter %u", i);
		expect_exact(t, "instructions of 1000 more rounds", many.count[i] - few.count[i],
		             workload_insns(&workload_call, AMD_FEW + AMD_MORE)
		             - workload_insns(&workload_call, AMD_FEW), "all see the same code");
	}
}

/* ---------------------------------------------------------------------------- by the sign */

TEST(sign, .id = "amd.overflow.by_sign", .needs = need_amd, .source = AMD_APM,
     .claim = "a counter preset to -N has bit 47 set until its Nth event, and clear from then on")
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		struct pmu_setup s = { .counter = i, .event = AMD_EVENT_BRANCHES,
		                       .flags = PMU_BOTH };
		uint64_t total = pmu_measure(&s, 1, &workload_loop, 1000, 0).count[0];

		test_sub(t, "counter %u, %" PRIu64 " events", i, total);
		s.start = 0 - (total + 1);
		expect_exact(t, "one event before the wrap",
		             pmu_measure(&s, 1, &workload_loop, 1000, 0).value[0], AMD_COUNTER_MASK,
		             "all 48 bits are 1");
		s.start = 0 - total;
		expect_exact(t, "at the wrap", pmu_measure(&s, 1, &workload_loop, 1000, 0).value[0],
		             0, "the last event carried out of bit 47");
		s.start = 0 - (total - 5);
		expect_exact(t, "five events later",
		             pmu_measure(&s, 1, &workload_loop, 1000, 0).value[0], 5,
		             "it counts on from 0");
	}
}

TEST(taken, .id = "amd.overflow.reported_once", .needs = need_amd_before_v2, .source = AMD_APM,
     .claim = "without an overflow status the signs tell which counters overflowed, once")
{
	struct pmu_setup s[] = {
		{ .counter = 0, .event = AMD_EVENT_BRANCHES, .flags = PMU_BOTH },
		{ .counter = 2, .event = AMD_EVENT_BRANCHES, .flags = PMU_BOTH,
		  .start = 0 - (UINT64_C(1) << 30) },
		{ .counter = 3, .event = AMD_EVENT_BRANCHES, .flags = PMU_BOTH },
	};

	s[0].start = s[2].start = 0 - UINT64_C(10);
	pmu_program(s, COUNT_OF(s));
	expect_exact(t, "overflows before the window", pmu_take_overflows(), 0, "none wrapped");
	pmu_window(workload_loop.code, 100, 0);
	expect_exact(t, "counters that overflowed", pmu_take_overflows(), 9, "0 and 3 wrapped");
	expect_exact(t, "overflows after that", pmu_take_overflows(), 0, "each is told once");
}

/* Erratum 795: a counter of family 16H may lose 2^32 if it is stopped at the carry. */
TEST(carry, .id = "amd.counters.carry", .needs = need_amd, .source = AMD_APM ", 48-bit counters",
     .claim = "a count carries from bit 31 into bit 32, and from bit 39 into bit 40")
{
	static const uint64_t starts[] = { 0xffffff00, UINT64_C(0xffffffff00) };

	for (unsigned i = 0; i < amd_counters(); i++) {
		struct pmu_setup s = { .counter = i, .event = AMD_EVENT_BRANCHES,
		                       .flags = PMU_BOTH };
		uint64_t total = pmu_measure(&s, 1, &workload_loop, 1000, 0).count[0];

		for (unsigned n = 0; n < COUNT_OF(starts); n++) {
			s.start = starts[n];
			test_sub(t, "counter %u from %" PRIX64 "H", i, s.start);
			expect_exact(t, "its value",
			             pmu_measure(&s, 1, &workload_loop, 1000, 0).value[0],
			             s.start + total, "nothing is lost at the carry");
		}
	}
}
