/* SPDX-License-Identifier: MIT */
/*
 * Counters beyond the core's: of the northbridge or data fabric, of L2I or L3; and those that only
 * count on: IRPERF, MPERF, APERF. Sources: VirtualBox's tables for the bits; APM 3, "RDPMC".
 */
#include <tests/suites/amd/amd_suite.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/cpu.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

#define PROBED  AMD_MSRS "; VirtualBox VMMR3/cpus"

static unsigned llc_counters(void)  { return amd_family() < AMD_17H ? 4 : 6; }

/* Bits that a control stores; 0: nobody looked, so they are reported. */
static uint64_t nb_bits(void)
{
	return amd_family() == AMD_15H ? UINT64_C(0x1ff0058ffff)
	       : amd_family() == AMD_17H || amd_family() == 0x18 ? UINT64_C(0xe000000f0068ffff) : 0;
}

static uint64_t l3_bits(void)
{
	return amd_family() == AMD_17H || amd_family() == 0x18 ? UINT64_C(0xff0f00000040ffff) : 0;
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
     .claim = "controls of the northbridge or data fabric take any value, and hold their bits");
static void nb(struct test_ctx *t)
{
	for (unsigned i = 0; i < 4; i++)
		check_control(t, NB_PERF_CTL(i), nb_bits());
}

TEST(l3, .id = "amd.registers.last_cache", .needs = need_amd_l3, .runs = TEST_ON_BOOT,
     .source = PROBED, .claim = "controls of L2I or L3 take any value, and hold their bits");
static void l3(struct test_ctx *t)
{
	for (unsigned i = 0; i < llc_counters(); i++)
		check_control(t, L3_PERF_CTL(i), l3_bits());
}

/* ---------------------------------------------------------------------------- RDPMC */

static void check_rdpmc(struct test_ctx *t, uint32_t ctr, uint32_t index)
{
	uint64_t got = 0, value = UINT64_C(0x123400000000) + index * 0x1111;

	msr_write(ctr, value);
	test_sub(t, "RDPMC, ECX = %" PRIu32, index);
	if (expect_no_fault(t, "outcome", pmc_try_read(index, &got), "the counter exists"))
		expect_exact(t, "value", got, amd_read(ctr), "RDMSR reads the same counter");
	expect_exact(t, "RDMSR", amd_read(ctr), value, "it was written there");
	msr_write(ctr, 0);
}

TEST(rdpmc_core, .id = "amd.rdpmc.core", .needs = need_amd, .source = AMD_RDPMC,
     .claim = "RDPMC with a counter's number reads all 48 bits of it");
static void rdpmc_core(struct test_ctx *t)
{
	for (unsigned i = 0; i < amd_counters(); i++)
		check_rdpmc(t, amd_ctr(i), i);
}

/* Erratum 781: family 16H, models 0 to 0FH, may read another one of the four. */
static const char *need_nb_rdpmc(struct test_ctx *t)
{
	const char *reason = need_amd_nb(t);

	if (!reason && amd_family() == 0x16 && machine_cpu()->model < 0x10)
		return test_reason(t, "erratum 781: RDPMC may read another northbridge counter");
	return reason;
}

TEST(rdpmc_nb, .id = "amd.rdpmc.northbridge", .needs = need_nb_rdpmc, .runs = TEST_ON_BOOT,
     .source = AMD_RDPMC, .claim = "RDPMC with ECX = 6 to 9 reads northbridge counters 0 to 3");
static void rdpmc_nb(struct test_ctx *t)
{
	for (unsigned i = 0; i < 4; i++)
		check_rdpmc(t, NB_PERF_CTR(i), AMD_RDPMC_NB(i));
}

TEST(rdpmc_l3, .id = "amd.rdpmc.last_cache", .needs = need_amd_l3, .runs = TEST_ON_BOOT,
     .source = AMD_RDPMC, .claim = "RDPMC with ECX = 10 and up reads the counters of L2I or L3");
static void rdpmc_l3(struct test_ctx *t)
{
	for (unsigned i = 0; i < llc_counters(); i++)
		check_rdpmc(t, L3_PERF_CTR(i), AMD_RDPMC_L3(i));
}

/* The numbers to which Intel gives a meaning, and those above the table's last one. */
TEST(rdpmc_absent, .id = "amd.rdpmc.no_other_index", .needs = need_amd_since_10h,
     .source = AMD_RDPMC,
     .claim = "all 32 bits of ECX are the index: 28 and up, and Intel's flags, raise #GP(0)");
static void rdpmc_absent(struct test_ctx *t)
{
	static const uint32_t indices[] = {
		AMD_RDPMC_HIGHEST + 1, 31, 32, 0x100, 0x10000, 0x40000000, 0x80000000, 0xc0000001,
		UINT32_MAX,
	};

	for (unsigned i = 0; i < COUNT_OF(indices); i++) {
		uint64_t value;
		fault_t fault = pmc_try_read(indices[i], &value);

		test_sub(t, "ECX = %" PRIX32 "H", indices[i]);
		if (amd_family() >= AMD_17H || pmu_is_exact())
			expect_fault(t, "RDPMC", fault, X86_GP, 0, "no counter has this index");
		else
			test_report(t, "RDPMC", "%s", is_fault(fault) ? "a fault" : "no fault");
	}
}

/* ---------------------------------------------------------------------------- counting */

static uint64_t shared_count(uint32_t ctl, uint32_t ctr, uint64_t select)
{
	uint32_t size;
	uint32_t arena = (uint32_t)(uintptr_t)pmu_workload_arena(&size);

	msr_write(ctr, 0);
	msr_write(ctl, select);
	workload_store_walk.code(size / 64, arena);
	workload_walk.code(size / 64, arena);
	msr_write(ctl, 0);
	return amd_read(ctr);
}

static const char *need_l3_slices(struct test_ctx *t)
{
	const char *reason = need_amd_l3(t);

	return reason || amd_family() == AMD_17H || amd_family() == 0x18 ? reason
	       : test_reason(t, "family %XH selects threads and slices in another way",
	                     amd_family());
}

/* Linux, uncore.c: all slices and threads. Event 04H: accesses. */
TEST(slices, .id = "amd.l3.slices", .needs = need_l3_slices, .runs = TEST_ON_BOOT,
     .source = "Linux, arch/x86/events/amd/uncore.c; LIKWID",
     .claim = "an L3 counter counts for the threads and slices that its control selects");
static void slices(struct test_ctx *t)
{
	const uint64_t on = FIELD_PUT(PERF_CTL_UNIT_MASK, 0xff) | 0x04 | PERF_CTL_EN;
	uint64_t all = on | L3_PERF_CTL_SLICE_MASK | L3_PERF_CTL_THREAD_MASK, few, many;

	for (unsigned i = 0; i < llc_counters(); i++) {
		few = shared_count(L3_PERF_CTL(i), L3_PERF_CTR(i), on);
		many = shared_count(L3_PERF_CTL(i), L3_PERF_CTR(i), all);
		test_sub(t, "L3 counter %u", i);
		expect_bounds(t, "none selected", few, if_exact(0, "no thread, no slice"),
		              ELSE_SHOWN);
		expect_bounds(t, "all selected", many,
		              if_exact_in(0, UINT32_MAX, "low: nothing came so far; high: each "
		                          "access"),
		              ELSE_SHOWN);
	}
}

TEST(apart, .id = "amd.global.not_of_others", .needs = need_amd_nb, .runs = TEST_ON_BOOT,
     .source = AMD_APM, .claim = "core counters and their enables leave the northbridge's alone");
static void apart(struct test_ctx *t)
{
	pmu_reset();
	for (unsigned i = 0; i < 4; i++)
		msr_write(NB_PERF_CTR(i), 0x1000 + i);
	amd_count(0, amd_select(AMD_EVENT_INST_RETIRED, 0), workload_loop.code, 1000, 0);
	for (unsigned i = 0; i < 4; i++) {
		test_sub(t, "northbridge counter %u", i);
		expect_exact(t, "its value", amd_read(NB_PERF_CTR(i)), 0x1000 + i, "its EN was 0");
		msr_write(NB_PERF_CTR(i), 0);
	}
}

/* ---------------------------------------------------------------------------- IRPERF */

static const char *need_irperf(struct test_ctx *t)
{
	const char *reason = need_amd(t);

	return reason || (cpuid_read(CPUID_AMD_SIZES, 0).ebx & CPUID_AMD_SIZES_EBX_IRPERF) ? reason
	       : test_reason(t, "CPUID.80000008H:EBX[1] (IRPERF) = 0");
}

static uint64_t irperf_of(uint32_t rounds)
{
	uint64_t before = amd_read(IRPerfCount);

	workload_loop.code(rounds, 0);
	return amd_read(IRPerfCount) - before;
}

/* Errata 1054 and 1267: not exact on silicon. */
TEST(irperf, .id = "amd.irperf", .needs = need_irperf,
     .source = "APM 2, \"Instructions Retired Counter\"; Linux on erratum 1054",
     .claim = "with HWCR[30] IRPerfCount counts instructions, and stands still without it");
static void irperf(struct test_ctx *t)
{
	uint64_t hwcr = amd_read(HWCR), more;

	msr_try_write(HWCR, hwcr & ~HWCR_IRPERF_EN);
	expect_bounds(t, "of 1000 rounds, HWCR[30] = 0", irperf_of(1000),
	              if_exact(0, "it is off"), ELSE_SHOWN);
	if (expect_no_fault(t, "WRMSR to HWCR", msr_try_write(HWCR, hwcr | HWCR_IRPERF_EN),
	                    "CPUID reports the counter")) {
		more = 0 - irperf_of(1000);
		more += irperf_of(2000);
		expect_bounds(t, "of 1000 more rounds", more, if_exact(2000, "two a round"),
		              ELSE_SHOWN);
	}
	msr_try_write(HWCR, hwcr);
}

static const char *need_prec_ret(struct test_ctx *t)
{
	const char *reason = need_amd_core(t);
	bool is_here = cpuid_read(CPUID_AMD_FEATURES_2, 0).eax & CPUID_AMD_FEATURES_2_EAX_PREC_RET;

	return reason || is_here ? reason
	       : test_reason(t, "CPUID.80000021H:EAX[12] (PreciseRetire) = 0");
}

TEST(prec_ret, .id = "amd.prec_ret", .needs = need_prec_ret, .source = AMD_APM ", PreciseRetire",
     .claim = "bit 43 of PERF_CTL2 is held, and the counter then counts exactly");
static void prec_ret(struct test_ctx *t)
{
	msr_write(PERF_CTL(2), PERF_CTL_PREC_RET);
	expect_exact(t, "PERF_CTL2", amd_read(PERF_CTL(2)), PERF_CTL_PREC_RET, "it was written");
	expect_exact(t, "instructions of 1000 more rounds",
	             amd_more(2, amd_select(AMD_EVENT_INST_RETIRED, 0) | PERF_CTL_PREC_RET,
	                      workload_loop.code, 0), 2 * AMD_MORE, "two a round");
}
