/* SPDX-License-Identifier: MIT */
/* Hardware task switching, which 64-bit kernels do not have. */
#include <arch/modes/segments.h>
#include <arch/regs/table.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/raise.h>

#define IRET_TO(what_, selector) \
	{ "IRET with NT, back to " what_, IN_32 | IN_PROTECTED16, CODE(0xcf), \
	  .error = (selector), .in = { .flags = EFLAGS_NT } }

static const struct raise task_returns[] = {
	IRET_TO("the null selector", 0),
	IRET_TO("a data segment", SELECTOR_KERNEL_DATA),
	IRET_TO("a TSS that is not busy", SELECTOR(GDT_DOUBLE_FAULT_TSS, 0)),
	IRET_TO("a selector beyond the GDT", SELECTOR(GDT_SIZE, 0)),
	IRET_TO("a selector of an LDT", SELECTOR(GDT_TSS, 0) | ERROR_TI),
};

TEST(ts, .id = "platform.exceptions.ts", .needs = need_modes,
     .claim = "IRET with EFLAGS.NT and a link that does not name a busy TSS raises "
              "#TS with the link",
     .source = REFERENCE "\"Interrupt 10 - Invalid TSS Exception (#TS)\"")
{
	for (size_t i = 0; i < COUNT_OF(task_returns); i++) {
		segments_set_task_link(task_returns[i].error);
		raise_rows(t, &task_returns[i], 1, &(const struct raise_rule){
			X86_TS, "the previous task's TSS must be busy and in the GDT", AT_FAULT,
			TEST_PLACE });
	}
	segments_set_task_link(0);
}
