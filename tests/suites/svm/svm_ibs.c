/* SPDX-License-Identifier: MIT */
/* Instruction-based sampling of guests: no control of IBS tells a guest from the host. */
#include <tests/suites/svm/svm_guest.h>

#include <pmu/sampling/ibs.h>

#define IBS_OP  "APM 2, \"IBS Execution Sampling\""

enum { LOOP_BYTES = 16 };

static const char *need_svm_ibs(struct test_ctx *t)
{
	const char *reason = need_svm(t);

	if (reason || !ibs_unavailable())
		return reason;
	return test_reason(t, "%s", ibs_unavailable());
}

TEST(sampled, .id = "svm.ibs.op", .needs = need_svm_ibs, .source = IBS_OP,
     .claim = "ops of a guest are sampled, by the guest's linear address")
{
	const struct ibs_plan plan = { .op = ibs_op(0x200, ibs_has(CPUID_AMD_IBS_EAX_OpCnt)
	                                                   ? IbsOpCtl_CntCtl : 0),
	                               .delivery = IBS_MASKED };
	uint64_t rip;

	svm_begin();
	ibs_start(&plan);
	svm_loop(100000, 0);
	rip = msr_read(IbsOpRip);
	ibs_stop();
	svm_end();
	expect_between(t, "IbsOpRip", rip, (uintptr_t)svm_guest_loop,
	               (uintptr_t)svm_guest_loop + LOOP_BYTES - 1,
	               "low and high: a period of 8192 ops or clocks ends in the guest's loop of "
	               "200000 instructions");
}
