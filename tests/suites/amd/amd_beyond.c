/* SPDX-License-Identifier: MIT */
/*
 * The registers of counters beyond the core's: of the northbridge or data fabric, of L2I or L3.
 * Source of their bits: VirtualBox's tables.
 */
#include <tests/suites/common/amd/amd_suite.h>

#include <kernel/lib/format.h>
#include <tests/suites/common/exactness.h>

#define PROBED  AMD_MSRS "; VirtualBox VMMR3/cpus"

/* Bits that a control stores. Somebody probed family 15H's northbridge and 17H's fabric and L3; of
 * the others these are the fields of the manual, which an exact machine holds, and no others. */
struct stored { uint64_t bits; bool is_probed; };

#define PROBED_BITS(bits)  ((struct stored){ bits, true })
#define FIELDS_ONLY(bits)  ((struct stored){ bits, false })

static struct stored nb_bits(void)
{
	if (amd_family() == AMD_15H)
		return PROBED_BITS(UINT64_C(0x1ff0058ffff));
	if (amd_is_17h())
		return PROBED_BITS(UINT64_C(0xe000000f0068ffff));
	if (amd_family() < AMD_15H || amd_family() == 0x16)
		return FIELDS_ONLY(UINT64_C(0x1ff0058ffff));
	return FIELDS_ONLY(amd_has_v2() ? FIELD(37, 32) | PERF_CTL_EN | FIELD(27, 24) | FIELD(15, 0)
	                                : UINT64_C(0xe000000f0068ffff));
}

static struct stored l3_bits(void)
{
	if (amd_is_17h())
		return PROBED_BITS(UINT64_C(0xff0f00000040ffff));
	if (amd_family() == 0x16)
		return FIELDS_ONLY(FIELD(35, 32) | PERF_CTL_EN | PERF_CTL_INT | FIELD(15, 0));
	return FIELDS_ONLY(L3_PERF_CTL_THREADS | L3_PERF_CTL_SLICE | L3_PERF_CTL_ALL_CORES
	                   | L3_PERF_CTL_ALL_SLICES | L3_PERF_CTL_CORE | PERF_CTL_EN
	                   | FIELD(15, 0));
}

/* Writes all ones but EN, so that nothing counts. */
static void check_control(struct test_ctx *t, uint32_t msr, struct stored stored)
{
	const uint64_t ones = UINT64_MAX & ~PERF_CTL_EN, want = stored.bits & ones;
	static const char why[] = "the bits that were seen, or those of its fields";
	uint64_t got;

	test_sub(t, "MSR %" PRIX32 "H", msr);
	expect_no_fault(t, "WRMSR of all ones but EN", msr_try_write(msr, ones),
	                "reserved bits are ignored");
	got = amd_read(msr);
	msr_write(msr, 0);
	expect_bounds(t, "read back", got, if_exact(want, why),
	              stored.is_probed && amd_is_known() ? else_exact(want, why) : ELSE_SHOWN);
	expect_exact(t, "after 0", amd_read(msr), 0, "no bit stays set");
}

TEST(nb, .id = "amd.registers.northbridge", .is_static = true,
     .needs = need_amd_nb, .runs = TEST_ON_BOOT,
     .source = PROBED,
     .claim = "controls of the northbridge or data fabric take any value, and hold their bits")
{
	for (unsigned i = 0; i < amd_nb_counters(); i++)
		check_control(t, NB_PERF_CTL(i), nb_bits());
}

TEST(l3, .id = "amd.registers.last_cache", .is_static = true,
     .needs = need_amd_l3, .runs = TEST_ON_BOOT,
     .source = PROBED, .claim = "controls of L2I or L3 take any value, and hold their bits")
{
	for (unsigned i = 0; i < amd_l3_counters(); i++)
		check_control(t, L3_PERF_CTL(i), l3_bits());
}

/* ---------------------------------------------------------------------------- counters */

/* Writes all ones: `width` bits of them come back. */
static void check_width(struct test_ctx *t, uint32_t msr, unsigned width, bool is_probed)
{
	const uint64_t want = FIELD(width - 1, 0);
	static const char why[] = "as many bits as were seen, or as the manual's figure has";
	uint64_t got;

	test_sub(t, "MSR %" PRIX32 "H", msr);
	expect_no_fault(t, "WRMSR of all ones", msr_try_write(msr, UINT64_MAX),
	                "upper bits are ignored");
	got = amd_read(msr);
	msr_write(msr, 0);
	expect_bounds(t, "read back", got, if_exact(want, why),
	              is_probed && amd_is_known() ? else_exact(want, why) : ELSE_SHOWN);
	expect_exact(t, "after 0", amd_read(msr), 0, "no bit stays set");
}

TEST(widths, .id = "amd.registers.width_beyond", .is_static = true,
     .needs = need_amd_nb, .runs = TEST_ON_BOOT,
     .source = PROBED,
     .claim = "counters of the northbridge or fabric hold 48 bits, those of family 17H's L3 49")
{
	for (unsigned i = 0; i < amd_nb_counters(); i++)
		check_width(t, NB_PERF_CTR(i), 48, nb_bits().is_probed);
	for (unsigned i = 0; i < amd_l3_counters(); i++)
		check_width(t, L3_PERF_CTR(i), amd_is_17h() ? 49 : 48, l3_bits().is_probed);
}
