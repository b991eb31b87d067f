/* SPDX-License-Identifier: MIT */
/* A counter's own enables, its interrupt enable, and its bit of IA32_PERF_GLOBAL_CTRL, in all
 * combinations. */
#include <tests/suites/common/counts/enables.h>

#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <tests/suites/arch/arch_rules.h>
#include <tests/suites/common/needs.h>

static bool has_global(void)
{
	return pmu_get()->version >= 2;
}

/* Sets the counter's bit alone, or those of all others. */
static void write_global(unsigned c, bool is_on)
{
	if (has_global())
		msr_write(IA32_PERF_GLOBAL_CTRL,
		          is_on ? arch_global_bit(c) : arch_global_bits() & ~arch_global_bit(c));
}

static unsigned levels_of(bool os, bool usr)
{
	return (os ? (unsigned)PMU_OS : 0) | (usr ? (unsigned)PMU_USR : 0);
}

enum { GP_EN, GP_OS, GP_USR, GP_INT, GP_GLOBAL };

static void write_gp(unsigned c, unsigned bits)
{
	msr_write(IA32_PERFEVTSEL(c), EVENT_INSTRUCTIONS_RETIRED
	          | enables_if(bits, GP_EN, IA32_PERFEVTSEL_EN)
	          | enables_if(bits, GP_OS, IA32_PERFEVTSEL_OS)
	          | enables_if(bits, GP_USR, IA32_PERFEVTSEL_USR)
	          | enables_if(bits, GP_INT, IA32_PERFEVTSEL_INT));
	write_global(c, bits >> GP_GLOBAL & 1);
}

static unsigned gp_levels(unsigned c, unsigned bits)
{
	const bool is_global = !has_global() || (bits >> GP_GLOBAL & 1);

	(void)c;
	return is_global && (bits >> GP_EN & 1) ? levels_of(bits >> GP_OS & 1, bits >> GP_USR & 1)
	                                        : 0;
}

enum { FX_OS, FX_USR, FX_PMI, FX_GLOBAL };

static void write_fixed(unsigned c, unsigned bits)
{
	const unsigned i = c - PMU_FIXED;

	msr_write(IA32_FIXED_CTR_CTRL, enables_if(bits, FX_OS, IA32_FIXED_CTR_CTRL_EN_OS(i))
	          | enables_if(bits, FX_USR, IA32_FIXED_CTR_CTRL_EN_USR(i))
	          | enables_if(bits, FX_PMI, IA32_FIXED_CTR_CTRL_PMI(i)));
	write_global(c, bits >> FX_GLOBAL & 1);
}

static unsigned fixed_levels(unsigned c, unsigned bits)
{
	(void)c;
	return bits >> FX_GLOBAL & 1 ? levels_of(bits >> FX_OS & 1, bits >> FX_USR & 1) : 0;
}

static NEED_BOTH(need_enables, need_arch, need_modes)

TEST(combinations, .id = "arch.enable.combinations", .needs = need_enables,
     .source = V1 ", EN, OS, USR, INT; " V2 ", IA32_FIXED_CTR_CTRL, IA32_PERF_GLOBAL_CTRL",
     .claim = ENABLES_CLAIM)
{
	FOR_EACH_COUNTER(c) {
		const struct enables gp = {
			{ "EN", "OS", "USR", "INT", "IA32_PERF_GLOBAL_CTRL" }, has_global() ? 5 : 4,
			write_gp, gp_levels, true,
		};
		const struct enables fixed = {
			{ "EN for CPL 0", "EN for CPL 1 to 3", "PMI", "IA32_PERF_GLOBAL_CTRL" }, 4,
			write_fixed, fixed_levels, arch_counts_insns(c),
		};

		expect_enables(t, c, c < PMU_FIXED ? &gp : &fixed);
	}
}
