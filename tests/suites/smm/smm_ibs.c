/* SPDX-License-Identifier: MIT */
/* Instruction-based sampling over an SMI. AMD's manuals do not say whether it goes on in SMM. */
#include <tests/suites/smm/smi.h>

#include <arch/cpu/insn.h>
#include <pmu/sampling/ibs.h>
#include <tests/suites/common/amd/ibs_needs.h>

/* More ops than firmware's handler is likely to have: no op is tagged. */
enum { MAXIMUM = 0xffff };

/* Counts the ops of the code, and returns IbsOpCtl after it. */
static uint64_t count_ops(uint32_t port)
{
	const struct ibs_plan plan = { .op = ibs_op(MAXIMUM, IbsOpCtl_CntCtl),
	                               .delivery = IBS_MASKED };
	uint64_t control;

	ibs_start(&plan);
	smi_code(0, port);
	control = msr_read(IbsOpCtl);
	ibs_stop();
	return control;
}

TEST(ibs, .id = "ibs.smm", .needs = need_ibs_current, .runs = TEST_ON_BOOT,
     .source = "APM 2, \"System-Management Mode\": what is saved has no control of IBS",
     .claim = "an SMI leaves op sampling on; whether its handler's ops count is reported")
{
	const uint64_t without = count_ops(SMI_NO_PORT), with = count_ops(SMI_PORT);
	const uint32_t more = (uint32_t)FIELD_GET(IbsOpCtl_CurCnt, with)
	                      - (uint32_t)FIELD_GET(IbsOpCtl_CurCnt, without);

	test_report(t, "ops that an SMI adds", "%d; AMD promises neither", (int)more);
	expect_bits(t, "IbsOpCtl", with, ~(IbsOpCtl_CurCnt | IbsOpCtl_Val),
	            ibs_op(MAXIMUM, IbsOpCtl_CntCtl),
	            "SMM saves and clears no control of IBS");
}
