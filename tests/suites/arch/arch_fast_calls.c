/* SPDX-License-Identifier: MIT */
/*
 * SYSENTER and SYSCALL change the level of privilege without using the stack; the filters must
 * follow them in both directions. The level at which each of the two instructions itself counts
 * was not measured anywhere, and is reported.
 */
#include <arch/cpu/cpuid.h>
#include <arch/modes/modes.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/crossings.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/fast_calls.h>
#include <tests/suites/common/needs.h>

#define WHY "each instruction counts at the level that it runs at; the call and the return, " \
            "which change it, at either"

static const char *need_fast_call(struct test_ctx *t, struct cpuid_field field, const char *name)
{
	const char *reason = need_arch(t);

	if (!reason)
		reason = need_modes(t);
	if (!reason && !cpuid_get(field))
		return test_reason(t, "%s = 0", name);
	return reason;
}

/* Two NOPs run at CPL 0; at CPL 3 so many instructions, the last of which is JNZ. */
static void check_calls(struct test_ctx *t, void (*code)(uint32_t rounds, uint32_t mode),
                        unsigned usr)
{
	const struct crossing insns = {
		.what = "instructions", .event = EVENT_INSTRUCTIONS_RETIRED, .code = code,
		.usr = usr, .os = 2, .open = 2, .why = WHY
	};
	const struct crossing branches = {
		.what = "branches", .event = EVENT_BRANCH_INSTR_RETIRED, .code = code,
		.usr = 1, .open = 2, .why = WHY
	};

	unsigned at_usr = expect_crossing(t, &insns, MODE_CPL3);

	if (!pmu_has_event(EVENT_BRANCH_INSTR_RETIRED))
		return;
	expect_bounds(t, "with USR alone: branches that cross",
	              expect_crossing(t, &branches, MODE_CPL3),
	              if_exact(at_usr, "each counts at the same level as an instruction"),
	              ELSE_SHOWN);
}

/* ------------------------------------------------------------------------ SYSENTER */

static const char *need_sysenter(struct test_ctx *t)
{
	return need_fast_call(t, CPUID_SEP, "CPUID.1:EDX[11] (SEP)");
}

TEST(sysenter, .id = "arch.filters.sysenter", .needs = need_sysenter,
     .claim = "SYSENTER and SYSEXIT change the level that instructions and branches count at",
     .source = "SDM 3B, Architectural Performance Monitoring Version 1, IA32_PERFEVTSELx, OS and "
               "USR; SDM 2B, \"SYSENTER\", \"SYSEXIT\"")
{
	fast_calls_open_sysenter();
	check_calls(t, fast_calls_by_sysenter, 4);
	fast_calls_close_sysenter();
}

/* ------------------------------------------------------------------------ SYSCALL */

#ifdef __x86_64__

static const char *need_syscall(struct test_ctx *t)
{
	return need_fast_call(t, CPUID_SYSCALL, "CPUID.80000001H:EDX[11] (SYSCALL)");
}

TEST(syscall, .id = "arch.x64.syscall", .needs = need_syscall,
     .claim = "SYSCALL and SYSRET change the level that instructions and branches count at",
     .source = "SDM 3B, Architectural Performance Monitoring Version 1, IA32_PERFEVTSELx, OS and "
               "USR; SDM 2B, \"SYSCALL\", \"SYSRET\"")
{
	fast_calls_open_syscall();
	check_calls(t, fast_calls_by_syscall, 2);
	fast_calls_close_syscall();
}

#endif
