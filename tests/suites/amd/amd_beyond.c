/* SPDX-License-Identifier: MIT */
/*
 * The registers of counters beyond the core's: of the northbridge or data fabric, of L2I or L3.
 * Source of their bits: VirtualBox's tables.
 */
#include <tests/suites/common/amd/amd_suite.h>

#include <kernel/lib/format.h>
#include <tests/suites/common/exactness.h>

#define PROBED  AMD_MSRS "; VirtualBox VMMR3/cpus"

/* Bits that a control stores; 0: nobody looked, so they are reported. */
static uint64_t nb_bits(void)
{
	return amd_family() == AMD_15H ? UINT64_C(0x1ff0058ffff)
	       : amd_is_17h() ? UINT64_C(0xe000000f0068ffff) : 0;
}

static uint64_t l3_bits(void)
{
	return amd_is_17h() ? UINT64_C(0xff0f00000040ffff) : 0;
}

/* Writes all ones but EN, so that nothing counts. */
static void check_control(struct test_ctx *t, uint32_t msr, uint64_t stored)
{
	const uint64_t ones = UINT64_MAX & ~PERF_CTL_EN;
	uint64_t got;

	test_sub(t, "MSR %" PRIX32 "H", msr);
	expect_no_fault(t, "WRMSR of all ones but EN", msr_try_write(msr, ones),
	                "reserved bits are ignored");
	got = amd_read(msr);
	msr_write(msr, 0);
	if (stored)
		expect_bounds(t, "read back", got, if_exact(stored & ones,
		                                            "the bits that were seen"),
		              amd_is_known() ? else_exact(stored & ones, "the bits that were seen")
		                             : ELSE_SHOWN);
	else
		test_report(t, "read back", "%" PRIX64 "H", got);
	expect_exact(t, "after 0", amd_read(msr), 0, "no bit stays set");
}

TEST(nb, .id = "amd.registers.northbridge", .needs = need_amd_nb, .runs = TEST_ON_BOOT,
     .source = PROBED,
     .claim = "controls of the northbridge or data fabric take any value, and hold their bits")
{
	for (unsigned i = 0; i < amd_nb_counters(); i++)
		check_control(t, NB_PERF_CTL(i), nb_bits());
}

TEST(l3, .id = "amd.registers.last_cache", .needs = need_amd_l3, .runs = TEST_ON_BOOT,
     .source = PROBED, .claim = "controls of L2I or L3 take any value, and hold their bits")
{
	for (unsigned i = 0; i < amd_l3_counters(); i++)
		check_control(t, L3_PERF_CTL(i), l3_bits());
}

/* ---------------------------------------------------------------------------- counters */

/* Writes all ones: `width` bits of them come back; 0: nobody looked, so they are reported. */
static void check_width(struct test_ctx *t, uint32_t msr, unsigned width)
{
	const uint64_t want = width ? FIELD(width - 1, 0) : 0;
	uint64_t got;

	test_sub(t, "MSR %" PRIX32 "H", msr);
	expect_no_fault(t, "WRMSR of all ones", msr_try_write(msr, UINT64_MAX),
	                "upper bits are ignored");
	got = amd_read(msr);
	msr_write(msr, 0);
	if (width)
		expect_bounds(t, "read back", got, if_exact(want, "as many bits as were seen"),
		              amd_is_known() ? else_exact(want, "as many bits as were seen")
		                             : ELSE_SHOWN);
	else
		test_report(t, "read back", "%" PRIX64 "H", got);
	expect_exact(t, "after 0", amd_read(msr), 0, "no bit stays set");
}

TEST(widths, .id = "amd.registers.width_beyond", .needs = need_amd_nb, .runs = TEST_ON_BOOT,
     .source = PROBED,
     .claim = "counters of the northbridge or fabric hold 48 bits, those of family 17H's L3 49")
{
	for (unsigned i = 0; i < amd_nb_counters(); i++)
		check_width(t, NB_PERF_CTR(i), nb_bits() ? 48 : 0);
	for (unsigned i = 0; i < amd_l3_counters(); i++)
		check_width(t, L3_PERF_CTR(i), l3_bits() ? 49 : 0);
}
