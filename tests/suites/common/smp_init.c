/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/smp_init.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/self.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/smp_tests.h>

static struct kept_register kept[KEPT_MAX];
static SHARED uint64_t found[KEPT_MAX], written[KEPT_MAX];

struct kept_register *keep_register(struct kept_register *r, unsigned *count, const char *name,
                                    uint32_t msr, uint64_t value)
{
	struct kept_register *one = &r[(*count)++];

	*one = (struct kept_register){ .msr = msr, .value = value };
	format_buf(one->name, sizeof(one->name), "%s", name);
	return one;
}

static void write_one(struct test_ctx *t, unsigned i)
{
	const struct kept_register *r = &kept[i];
	const fault_t fault = msr_try_write(r->set_by ? r->set_by : r->msr, r->value);

	written[i] = msr_read_or_0(r->msr);
	test_sub(t, "before INIT: %s", r->name);
	if (r->is_open && !pmu_is_exact())
		return;
	expect_no_fault(t, "WRMSR", fault, "its bits are defined");
	expect_exact(t, "RDMSR", written[i], r->value, "no counter is enabled");
}

static void before_init(struct test_ctx *t, uintptr_t registers)
{
	unsigned count = ((kept_registers)registers)(kept);

	pmu_reset();
	for (unsigned i = 0; i < count; i++)
		found[i] = msr_read_or_0(kept[i].msr);
	for (unsigned i = 0; i < count; i++)
		write_one(t, i);
	test_sub(t, "%s", "");
}

static void after_init(struct test_ctx *t, uintptr_t registers)
{
	unsigned count = ((kept_registers)registers)(kept);

	for (unsigned i = 0; i < count; i++) {
		const uint64_t want = written[i] & ~kept[i].cleared;
		static const char why[] = "INIT leaves the performance counters and their controls "
		                          "alone, and ends BTS and PEBS of NetBurst";

		expect_bounds(t, kept[i].name, msr_read_or_0(kept[i].msr), if_exact(want, why),
		              kept[i].is_open ? ELSE_SHOWN : else_exact(want, why));
	}
	pmu_reset();
	for (unsigned i = 0; i < count; i++)
		msr_try_write(kept[i].msr, found[i]);
}

void judge_init(struct test_ctx *t, kept_registers registers)
{
	unsigned cpu = smp_first_other();

	secondaries_do(t, cpu, before_init, (uintptr_t)registers);
	if (expect_exact(t, "the processor comes back", smp_reset(cpu), 1, "INIT and STARTUP"))
		secondaries_do(t, cpu, after_init, (uintptr_t)registers);
}
