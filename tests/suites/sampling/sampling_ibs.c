/* SPDX-License-Identifier: MIT */
/*
 * The experiment by AMD's instruction-based sampling: it has the very instruction, whether that
 * missed, and the address of its data. See sampling.h and docs/sampling.md.
 */
#include <tests/suites/sampling/sampling.h>

#include <stddef.h>

#include <pmu/core/program.h>
#include <tests/suites/common/amd/ibs_needs.h>

/* All tests share one run. */
static const struct sampling *experiment(void)
{
	static struct sampling s;
	static bool is_done;

	if (is_done)
		return &s;
	s = (struct sampling){ .plan = sampling_plan(0, 0) };
	sampling_run_ibs(&s, true);
	is_done = true;
	sampling_print_ibs(&s);
	return &s;
}

static bool is_judged(const struct sampling *s)
{
	return pmu_is_exact() && s->plan.is_overflowing;
}

/* Of so many ops of a load one at least has its data's address. */
enum { ONE_OF_MANY = 20 };

/* Each instruction of the loop is an op at least, and gets its turn: shares are by chance. By
 * clocks those after a wait get more. */
static uint32_t share_of_one(const struct sampling *s)
{
	return s->ops.samples / sampling_loop_length;
}

TEST(samples, .id = "ibs.experiment.samples", .needs = need_sampling_ibs, .runs = TEST_ON_BOOT,
     .source = IBS_OP ": IbsOpRip, IbsOpData3[DcMiss]",
     .claim = "of all ops that are sampled, those that missed are the load that misses, at "
              "distance 0")
{
	const struct sampling *s = experiment();
	const uint32_t share = share_of_one(s);

	test_report(t, "samples", "%u ops, %u of the guilty load, %u of those with an address; %u "
	            "missed, %u of them at distance 0", s->ops.samples, s->ops.at[0], s->loads,
	            s->ibs.samples, s->ibs.at[0]);
	expect_exact(t, "faults in the loop", s->has_fault, 0, "its memory is there");
	if (ibs_rip_is_exact())
		expect_between(t, "samples outside the loop", s->ops.elsewhere, 0,
		               s->ops.samples / 2,
		               "high: CPL 3 is the loop, but for each window's end");
	if (!is_judged(s))
		return;
	if (ibs_by_ops())
		expect_between(t, "samples of the guilty load", s->ops.at[0], share / 2, 2 * share,
		               "periods vary: an instruction gets about its share of the loop's");
	expect_between(t, "samples of it that missed", s->ibs.at[0],
	               s->loads - (s->others < s->loads ? s->others : s->loads), s->loads,
	               "low: it misses each round; high: all of those that have an address");
	expect_between(t, "samples of others that missed", s->ibs.samples - s->ibs.at[0], 0,
	               s->others, "high: a few at a window's end");
}

TEST(addresses, .id = "ibs.experiment.addresses", .needs = need_sampling_ibs, .runs = TEST_ON_BOOT,
     .source = IBS_OP ": IbsDcLinAd",
     .claim = "a sample of the load that misses has the address of its data")
{
	const struct sampling *s = experiment();

	test_report(t, "addresses", "%u from %XH on, %u bytes apart; others %u",
	            s->plan.addresses, (unsigned)s->plan.base, s->plan.stride, s->other_address);
	if (!ibs_rip_is_exact())
		return;
	expect_exact(t, "samples of other addresses", s->other_address, 0,
	             "the guilty load uses those of the ring alone");
	expect_between(t, "samples with an address", s->loads, s->ops.at[0] > ONE_OF_MANY,
	               s->ops.at[0], "low: the instruction is a load; high: it may have other ops");
}

TEST(interrupts, .id = "ibs.experiment.interrupts", .needs = need_sampling_ibs,
     .runs = TEST_ON_BOOT, .source = "APM 2, \"Performance Monitoring Counters\"",
     .claim = "interrupts of a counter of misses come after the load that missed; the distance "
              "is reported")
{
	const struct sampling *s = experiment();
	const struct sampling_places *p = &s->interrupts;
	const uint32_t due = s->rounds / s->plan.period;

	test_report(t, "interrupts", "%u: %u at the load, %u at the next instruction, %u outside "
	            "the loop", p->samples, p->at[0], p->at[1], p->elsewhere);
	if (!is_judged(s))
		return;
	expect_between(t, "interrupts", p->samples, due, due + 2 + s->ticks,
	               "one a period, the first half a period early");
	expect_between(t, "interrupts at distance 1", p->at[1],
	               p->samples > s->others ? p->samples - s->others : 0, p->samples,
	               "low: all but misses of other loads; high: this machine has no skid");
}
