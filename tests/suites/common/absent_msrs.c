/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/absent_msrs.h>

#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/exactness.h>

static bool is_readable(struct test_ctx *t, uint32_t msr, const char *why)
{
	uint64_t value = 0;
	fault_t fault = msr_try_read(msr, &value);

	test_sub(t, "MSR %" PRIX32 "H", msr);
	if (has_only_listed_msrs())
		expect_fault(t, "RDMSR", fault, X86_GP, 0, why);
	test_sub(t, "%s", "");
	return !is_fault(fault);
}

void judge_absent(struct test_ctx *t, const struct absent_msrs *rows, const char *why)
{
	unsigned tried = 0, readable = 0;
	uint32_t first = 0;

	for (; rows->count; rows++)
		for (uint32_t msr = rows->first; msr < rows->first + rows->count; msr++, tried++)
			if (is_readable(t, msr, why) && !readable++)
				first = msr;
	test_report(t, "registers of other PMUs", "%u of %u can be read", readable, tried);
	if (readable)
		test_report(t, "the first of them", "%" PRIX32 "H", first);
}
