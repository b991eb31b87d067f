/* SPDX-License-Identifier: MIT */
/* The registers of branch records of all processors: this one has its own and no others. */
#include <tests/suites/lbr/lbr_suite.h>

#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/lbr.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>

/* The registers that some processor of family 6 has. */
static const struct { uint32_t first, count; } rows[] = {
	{ MSR_LASTBRANCH_FROM_IP_40(0), 8 }, { MSR_LASTBRANCH_TO_IP_60(0), 8 },
	{ MSR_LASTBRANCH_FROM_IP(0), 32 }, { MSR_LASTBRANCH_TO_IP(0), 32 },
	{ MSR_LBR_INFO(0), 32 },
	{ IA32_LBR_FROM_IP(0), 32 }, { IA32_LBR_TO_IP(0), 32 }, { IA32_LBR_INFO(0), 32 },
	{ IA32_LBR_CTL, 1 }, { IA32_LBR_DEPTH, 1 },
	{ MSR_LBR_SELECT, 1 }, { MSR_LASTBRANCH_TOS_CORE, 1 },
};

/* On silicon, chips may have registers that their manuals do not list. */
static const char *need_listed(struct test_ctx *t)
{
	const char *reason = need_lbr(t);

	return reason ? reason : need_exact(t, "no manual lists all registers");
}

static bool is_in(uint32_t msr, uint32_t first, unsigned count)
{
	return first && msr >= first && msr - first < count;
}

static bool is_there(const struct lbr_kind *kind, uint32_t msr)
{
	return is_in(msr, kind->from_msr, kind->depth) || is_in(msr, kind->to_msr, kind->depth)
	       || is_in(msr, kind->info_msr, kind->depth)
	       || is_in(msr, kind->tos_msr, 1) || is_in(msr, kind->select_msr, 1)
	       || (kind->is_architectural && (msr == IA32_LBR_CTL || msr == IA32_LBR_DEPTH));
}

TEST(others, .id = "lbr.registers.others", .needs = need_listed,
     .source = "SDM 4, by microarchitecture; SDM 2B, RDMSR, an MSR that is not implemented",
     .claim = "of all registers of branch records only this processor's exist, and reads of the "
              "others raise #GP")
{
	const struct lbr_kind *kind = lbr_kind(NULL);
	uint64_t value;

	for (unsigned r = 0; r < COUNT_OF(rows); r++)
		for (uint32_t msr = rows[r].first; msr < rows[r].first + rows[r].count; msr++) {
			fault_t fault = msr_try_read(msr, &value);

			test_sub(t, "MSR %" PRIX32 "H", msr);
			if (is_there(kind, msr))
				expect_no_fault(t, "RDMSR", fault, kind->source);
			else
				expect_fault(t, "RDMSR", fault, X86_GP, 0, kind->source);
		}
}
