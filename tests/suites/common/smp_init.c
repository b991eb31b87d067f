/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/smp_init.h>

#include <arch/cpu/fault.h>
#include <tests/suites/common/smp_tests.h>

static struct kept_register kept[KEPT_MAX];

static void check(struct test_ctx *t, unsigned count, const char *why)
{
	for (unsigned i = 0; i < count; i++)
		expect_exact(t, kept[i].name, msr_read(kept[i].msr), kept[i].value, why);
}

static void before_init(struct test_ctx *t, uintptr_t registers)
{
	unsigned count = ((kept_registers)registers)(kept);

	pmu_reset();
	for (unsigned i = 0; i < count; i++)
		msr_write(kept[i].msr, kept[i].value);
	check(t, count, "no counter is enabled");
}

static void after_init(struct test_ctx *t, uintptr_t registers)
{
	check(t, ((kept_registers)registers)(kept),
	      "INIT leaves the performance counters and their controls alone");
	pmu_reset();
}

void judge_init(struct test_ctx *t, kept_registers registers)
{
	unsigned cpu = smp_first_other();

	secondaries_do(t, cpu, before_init, (uintptr_t)registers);
	if (expect_exact(t, "the processor comes back", smp_reset(cpu), 1, "INIT and STARTUP"))
		secondaries_do(t, cpu, after_init, (uintptr_t)registers);
}
