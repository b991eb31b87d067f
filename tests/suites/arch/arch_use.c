/* SPDX-License-Identifier: MIT */
/* The counters that exist, and how the suites use each of them; see arch_rules.h. */
#include <tests/suites/arch/arch_rules.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/perfmon.h>
#include <tests/suites/common/exactness.h>

bool arch_has_gp(const struct pmu *p, unsigned index)
{
	uint32_t map = cpuid_get(CPUID_PERFMON_GP_MAP);

	return index < p->gp_count && index < ARCH_GP_MAX && (!map || (map >> index & 1));
}

bool arch_has_fixed(const struct pmu *p, unsigned index)
{
	return index < ARCH_FIXED_MAX && (p->fixed_map >> index & 1);
}

unsigned arch_next_counter(unsigned counter)
{
	while (++counter < PMU_FIXED_CTR(ARCH_FIXED_MAX))
		if (counter < PMU_FIXED ? arch_has_gp(pmu_get(), counter)
		                        : arch_has_fixed(pmu_get(), counter - PMU_FIXED))
			return counter;
	return ARCH_NO_COUNTER;
}

/* PMU_FIXED is 32, which is also the first fixed counter's bit. */
_Static_assert(PMU_FIXED == 32, "a counter's number is its bit in IA32_PERF_GLOBAL_CTRL");

uint64_t arch_global_bit(unsigned counter)
{
	return BIT(counter);
}

uint64_t arch_global_bits(void)
{
	uint64_t bits = 0;

	FOR_EACH_COUNTER(c)
		bits |= arch_global_bit(c);
	return bits;
}

uint64_t arch_unrelated_status(void)
{
	return unless_exact(IA32_PERF_GLOBAL_STATUS_COND_CHGD | IA32_PERF_GLOBAL_STATUS_OVF_UNCORE
	                    | IA32_PERF_GLOBAL_STATUS_ASCI);
}

uint64_t arch_counter_max(unsigned counter)
{
	unsigned width = counter < PMU_FIXED ? pmu_get()->gp_width : pmu_get()->fixed_width;

	return UINT64_MAX >> (64 - width);
}

bool arch_counts_insns(unsigned counter)
{
	return counter <= PMU_FIXED_CTR(0);
}

/* Counter 0 counts instructions, 1 cycles, 2 reference cycles, 3 slots. */
bool arch_always_moves(unsigned counter)
{
	return counter <= PMU_FIXED_CTR(3);
}

struct pmu_setup arch_setup(unsigned counter, unsigned flags, uint64_t start)
{
	return (struct pmu_setup){
		.counter = counter, .event = EVENT_INSTRUCTIONS_RETIRED,
		.flags = PMU_OS | flags, .start = start,
	};
}

uint32_t arch_enable_msr(unsigned counter)
{
	return counter < PMU_FIXED ? IA32_PERFEVTSEL(counter) : IA32_FIXED_CTR_CTRL;
}

uint64_t arch_enable_bits(unsigned counter)
{
	unsigned i = counter - PMU_FIXED;

	if (counter < PMU_FIXED)
		return IA32_PERFEVTSEL_EN;
	return IA32_FIXED_CTR_CTRL_EN_OS(i) | IA32_FIXED_CTR_CTRL_EN_USR(i);
}
