/* SPDX-License-Identifier: MIT */
#include <tests/linux/guests/guests_inside.h>

#include <cpuid.h>

#include <arch/regs/amd.h>
#include <arch/regs/perfmon.h>

enum { COUNTERS_MAX = 16, FIXED_MAX = 4 };

/* Architectural events of Intel: instructions and branches retired; AMD has the same two. */
static const struct pmu intel = {
	.control = IA32_PERFEVTSEL(0), .count = IA32_PMC(0), .step = 1,
	.fixed = IA32_FIXED_CTR(0), .fixed_ctrl = IA32_FIXED_CTR_CTRL,
	.global_ctrl = IA32_PERF_GLOBAL_CTRL, .global_status = IA32_PERF_GLOBAL_STATUS,
	.instructions = 0xc0 | IA32_PERFEVTSEL_OS | IA32_PERFEVTSEL_USR | IA32_PERFEVTSEL_EN,
	.branches = 0xc4 | IA32_PERFEVTSEL_OS | IA32_PERFEVTSEL_USR | IA32_PERFEVTSEL_EN,
};
static const struct pmu amd = {
	.control = PERF_CTL(0), .count = PERF_CTR(0), .step = 2,
	.global_ctrl = PerfCntrGlobalCtl, .global_status = PerfCntrGlobalStatus,
	.instructions = 0xc0 | PERF_CTL_OS | PERF_CTL_USR | PERF_CTL_EN,
	.branches = 0xc2 | PERF_CTL_OS | PERF_CTL_USR | PERF_CTL_EN,
};

const struct pmu *pmu_here(void)
{
	uint32_t leaf, b, c, d;

	__cpuid(0, leaf, b, c, d);
	return b == signature_AMD_ebx ? &amd : &intel;
}

bool pmu_is_control(uint32_t msr)
{
	const struct pmu *p = pmu_here();

	return msr >= p->control && (msr - p->control) % p->step == 0 &&
	       msr < p->control + COUNTERS_MAX * p->step;
}

typedef void action(struct guest *guest, uint32_t msr, uint64_t value);

/* Returns false if the guest has no such register. */
static bool try_register(struct guest *guest, action *act, uint32_t msr)
{
	bool is_fault;
	uint64_t value = guest_do(guest, READ_MSR, msr, 0, &is_fault);

	if (!is_fault)
		act(guest, msr, value);
	return !is_fault;
}

void registers_each(struct guest *guest, action *act)
{
	const struct pmu *p = pmu_here();

	for (uint32_t i = 0; i < COUNTERS_MAX && try_register(guest, act, p->control + i * p->step);
	     i++)
		try_register(guest, act, p->count + i * p->step);
	for (uint32_t i = 0; p->fixed && i < FIXED_MAX && try_register(guest, act, p->fixed + i);
	     i++)
		;
	if (p->fixed)
		try_register(guest, act, p->fixed_ctrl);
	try_register(guest, act, p->global_ctrl);
	try_register(guest, act, p->global_status);
}
