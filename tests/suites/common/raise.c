/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/raise.h>

static void judge(struct test_ctx *t, const struct raise *row, enum cpu_mode mode,
                  const struct raise_rule *rule)
{
	struct mode_result r = mode_run(mode, row->code, row->size, &row->in);
	fault_t want = fault_make(rule->vector, mode == MODE_REAL ? 0 : row->error);

	test_sub(t, "%s, %s", row->what, mode_name(mode));
	expect_fault_at(t, rule->place, "exception", r.fault, row->is_quiet ? FAULT_NONE : want,
	                rule->why);
	if (row->is_quiet || r.fault.raw != want.raw)
		return;                          /* another exception has no address in it */
	if (rule->at_why)
		expect_exact_at(t, rule->place, "saved address, bytes from the start of the code",
		                r.offset,
		                row->at, rule->at_why);
	if (rule->vector == X86_PF)
		expect_exact_at(t, rule->place, "CR2", r.cr2, row->cr2,
		                "CR2 holds the address that was accessed");
}

void raise_rows(struct test_ctx *t, const struct raise *rows, size_t count,
                const struct raise_rule *rule)
{
	for (size_t row = 0; row < count; row++)
		for (enum cpu_mode mode = 0; mode < MODE_COUNT; mode++)
			if ((rows[row].modes & IN(mode)) && mode_exists(mode))
				judge(t, &rows[row], mode, rule);
}
