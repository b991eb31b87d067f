/* SPDX-License-Identifier: MIT */
/* Hardware task switching, which 64-bit and compatibility mode do not have. */
#include <tests/suites/common/needs.h>
#include <tests/suites/common/raise.h>

static const struct raise task_returns[] = {
	{ "IRET with NT", IN_WIDE | IN_PROTECTED16, CODE(0xcf), .in = { .flags = EFLAGS_NT } },
	{ "IRET with NT after NOP", IN_WIDE | IN_PROTECTED16, CODE(0x90, 0xcf), .at = 1,
	  .in = { .flags = EFLAGS_NT } },
};

TEST(nested_task, .id = "platform.exceptions.gp.nested_task", .needs = need_modes,
     .claim = "IRET with EFLAGS.NT raises #GP(0) in modes without hardware tasks",
     .source = "SDM 2A, \"IRET/IRETD/IRETQ - Interrupt Return\", operation: IA-32e mode; "
               "APM 3, \"IRET\"")
{
	RAISE_ALL(t, task_returns, X86_GP, "IA32_EFER.LMA = 1 and EFLAGS.NT = 1", AT_FAULT);
}
