/* SPDX-License-Identifier: MIT */
/* Op sampling: when a sample comes, and of which instruction. */
#include <tests/suites/ibs/ibs_suite.h>

#include <arch/cpu/insn.h>
#include <pmu/workload/workload.h>

enum { SAMPLES = 60 };

/* Returns the first op sample of the log that is in the NOPs, as its distance from the first NOP,
 * or IBS_NOPS: there is none. */
static uint32_t first_nop(const struct ibs_log *log)
{
	for (unsigned i = 0; i < log->count && i < IBS_SAMPLES; i++)
		if (ibs_is_in(log->sample[i].rip, (const void *)ibs_sled, ibs_sled_end))
			return (uint32_t)(log->sample[i].rip - (uintptr_t)ibs_sled);
	return IBS_NOPS;
}

/* Samples the NOPs once, with this control, and returns which NOP it was. */
static uint32_t sample_nops(uint64_t control)
{
	ibs_window(&(const struct ibs_plan){ .op = control, .most = 1 }, ibs_sled, 0, 0);
	return first_nop(ibs_get_log());
}

TEST(sample, .id = "ibs.op.sample", .is_first = true, .needs = need_ibs_op_sampling,
     .source = IBS_OP,
     .claim = "op sampling interrupts again and again, each time with a valid sample")
{
	uintptr_t buffer;
	const struct ibs_log *log = ibs_sample_mix(SAMPLES, &buffer);

	test_report(t, "interrupts", "%u, of which %u without a sample", log->interrupts,
	            log->empty);
	expect_between(t, "samples", log->count, SAMPLES / 4, UINT64_MAX,
	               "low: a clock executes four ops at most; high: handlers are sampled, too");
	expect_bounds(t, "interrupts without a sample", log->empty,
	              if_exact(0, "each interrupt has one"),
	              else_shown("erratum 1215: an interrupt may come without a sample"));
}

TEST(boundary, .id = "ibs.op.rip", .needs = need_ibs_op_sampling, .source = IBS_OP ", IbsOpRip",
     .claim = "the sample's address is that of the instruction, not of a later one or of its "
              "middle")
{
	uintptr_t buffer;
	const struct ibs_log *log = ibs_sample_mix(SAMPLES, &buffer);
	unsigned inside = 0, known = 0;

	for (unsigned i = 0; i < log->count && i < IBS_SAMPLES; i++) {
		bool is_valid = !(log->sample[i].data & IbsOpData_RipInvalid) ||
		                !ibs_has(CPUID_AMD_IBS_EAX_RipInvalidChk);

		if (is_valid && ibs_is_in(log->sample[i].rip, (const void *)ibs_mix, ibs_mix_end)) {
			inside++;
			known += ibs_row_of(&log->sample[i]) != NULL ||
			         log->sample[i].rip == (uintptr_t)ibs_mix_return;
		}
	}
	expect_between(t, "samples in the loop", inside, SAMPLES / 8, UINT64_MAX,
	               "low: most of the time is spent there; high: none");
	if (ibs_rip_is_exact())
		expect_exact(t, "samples at the first byte of an instruction", known, inside,
		             "IBS has no skid");
	else
		test_report(t, "samples at the first byte of an instruction", "%u of %u", known,
		            inside);
}

TEST(stops, .id = "ibs.op.stops_while_valid", .needs = need_ibs_op_sampling,
     .source = IBS_OP ", IbsOpVal",
     .claim = "while a sample is valid no other one is taken, and no other interrupt comes")
{
	uint64_t first;

	ibs_start(&(const struct ibs_plan){ .op = ibs_op(0x10, ibs_by_ops()),
	                                    .delivery = IBS_MASKED });
	ibs_sled(0, 0);
	first = msr_read(IbsOpRip);
	expect_bits(t, "IbsOpCtl", msr_read(IbsOpCtl), IbsOpCtl_Val, IbsOpCtl_Val,
	            "16384 NOPs are some periods of 256");
	for (unsigned i = 0; i < 4; i++)
		ibs_sled(0, 0);
	expect_exact(t, "IbsOpRip", msr_read(IbsOpRip), first, "the first sample is still valid");
	ibs_stop();
}

TEST(off, .id = "ibs.op.off", .needs = need_ibs_op_sampling, .source = IBS_OP ", IbsOpEn",
     .claim = "without En there is neither a sample nor an interrupt")
{
	ibs_window(&(const struct ibs_plan){ .op = ibs_op(0x10, ibs_by_ops()) & ~IbsOpCtl_En },
	           ibs_sled, 0, 0);
	expect_exact(t, "samples", ibs_get_log()->count, 0, "En = 0");
	expect_bits(t, "IbsOpCtl", msr_read(IbsOpCtl), IbsOpCtl_Val, 0, "En = 0");
}

/* Judges the difference of two first samples that should lie so many NOPs apart. */
static void judge_apart(struct test_ctx *t, const char *what, uint32_t near, uint32_t far,
                        uint32_t want, const char *why)
{
	test_report(t, "NOPs before the samples", "%u and %u", near, far);
	expect_bounds(t, what, far - near, if_exact(want, why),
	              else_in(want - 128, want + 128, "low and high: the low seven bits of the "
	                      "counter may be random"));
}

TEST(period, .id = "ibs.op.period", .needs = need_ibs_count_ops, .source = IBS_OP ", IbsOpMaxCnt",
     .claim = "a maximum is in units of 16 ops")
{
	uint32_t near = sample_nops(ibs_op(0x20, IbsOpCtl_CntCtl));
	uint32_t far = sample_nops(ibs_op(0xa0, IbsOpCtl_CntCtl));

	judge_apart(t, "NOPs more", near, far, 16 * 0x80, "16 ops for each of 80H more");
}

TEST(preload, .id = "ibs.op.preload", .needs = need_ibs_current, .source = IBS_OP ", IbsOpCurCnt",
     .claim = "the counter goes on from the value that is written")
{
	uint32_t near, far = sample_nops(ibs_op(0xa0, IbsOpCtl_CntCtl));

	near = sample_nops(ibs_op(0xa0, IbsOpCtl_CntCtl | FIELD_PUT(IbsOpCtl_CurCnt, 0x800)));
	judge_apart(t, "NOPs fewer", near, far, 0x800, "800H ops were counted before");
}

/* Returns the number of samples of this code. */
static unsigned count_samples(uint64_t control, void (*code)(uint32_t, uint32_t), uint32_t rounds)
{
	ibs_window(&(const struct ibs_plan){ .op = control }, code, rounds, 1);
	return ibs_get_log()->count;
}

TEST(wide, .id = "ibs.op.width", .needs = need_ibs_op_sampling, .source = IBS_OP ", IbsOpMaxCnt",
     .claim = "bits 26:20 of the maximum count if CPUID reports a counter of 27 bits, only then")
{
	bool is_wide = ibs_has(CPUID_AMD_IBS_EAX_OpCntExt);
	const uint64_t high = FIELD_PUT(IbsOpCtl_MaxCntHigh, 1);
	unsigned without = count_samples(ibs_op(0x20, ibs_by_ops()), ibs_sled, 0);
	unsigned with = count_samples(ibs_op(0x20, ibs_by_ops() | high), ibs_sled, 0);

	expect_between(t, "samples without bit 20", without, 1, UINT64_MAX,
	               "low: a period is 512 ops or 2048 clocks; high: handlers are sampled, too");
	if (is_wide)
		expect_exact(t, "samples with bit 20", with, 0,
		             "a period is longer than the code: no sample");
	else
		expect_between(t, "samples with bit 20", with, 1, UINT64_MAX,
		               "low: the counter has 20 bits; high: as without");
}

TEST(unit, .id = "ibs.op.clocks_or_ops", .needs = need_ibs_count_ops,
     .source = IBS_OP ", IbsOpCntCtl",
     .claim = "CntCtl = 1 counts ops, 0 clocks: code with few ops in many clocks has fewer samples "
              "with 1")
{
	enum { ROUNDS = 4000, MOST = IBS_LEAST_CLOCKS };
	unsigned ops = count_samples(ibs_op(MOST, IbsOpCtl_CntCtl), workload_divide.code, ROUNDS);
	unsigned clocks = count_samples(ibs_op(MOST, 0), workload_divide.code, ROUNDS);

	test_report(t, "samples of 4000 DIVs", "%u by ops, %u by clocks", ops, clocks);
	expect_between(t, "samples by clocks", clocks, ops + 1, UINT64_MAX,
	               "low: a DIV takes more clocks than it has ops; high: none");
}
