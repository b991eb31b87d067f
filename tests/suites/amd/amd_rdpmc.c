/* SPDX-License-Identifier: MIT */
/* RDPMC's indices. Source: APM 3, "RDPMC". */
#include <tests/suites/common/amd/amd_suite.h>

#include <arch/regs/cpu.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

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

TEST(rdpmc_core, .id = "amd.rdpmc.core", .is_static = true, .needs = need_amd, .source = AMD_RDPMC,
     .claim = "RDPMC with a counter's number reads all 48 bits of it")
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

TEST(rdpmc_nb, .id = "amd.rdpmc.northbridge", .is_static = true,
     .needs = need_nb_rdpmc, .runs = TEST_ON_BOOT,
     .source = AMD_RDPMC,
     .claim = "RDPMC with ECX = 6 to 9, and 16 and up, reads counters of northbridge or fabric")
{
	for (unsigned i = 0; i < amd_nb_counters(); i++)
		check_rdpmc(t, NB_PERF_CTR(i), AMD_RDPMC_NB(i));
}

TEST(rdpmc_l3, .id = "amd.rdpmc.last_cache", .is_static = true,
     .needs = need_amd_l3, .runs = TEST_ON_BOOT,
     .source = AMD_RDPMC, .claim = "RDPMC with ECX = 10 and up reads the counters of L2I or L3")
{
	for (unsigned i = 0; i < amd_l3_counters(); i++)
		check_rdpmc(t, L3_PERF_CTR(i), AMD_RDPMC_L3(i));
}

/* The numbers to which Intel gives a meaning, and those above the table's last one. */
TEST(rdpmc_absent, .id = "amd.rdpmc.no_other_index", .is_static = true,
     .needs = need_amd_since_10h,
     .source = AMD_RDPMC,
     .claim = "all 32 bits of ECX are the index: 28 and up, and Intel's flags, raise #GP(0)")
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

/* ---------------------------------------------------------------------------- while it counts */

static uint64_t first_read, last_read;
static unsigned read_counter;

static void read_twice(uint32_t rounds, uint32_t argument)
{
	uint64_t value;

	pmc_try_read(read_counter, &value);
	first_read = value;
	workload_loop.code(rounds, argument);
	pmc_try_read(read_counter, &value);
	last_read = value;
}

TEST(rdpmc_running, .id = "amd.rdpmc.running", .needs = need_amd, .source = AMD_RDPMC,
     .claim = "two RDPMCs of a counter that runs differ by what was retired between them")
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		uint64_t few;

		read_counter = i;
		amd_count(i, amd_select(AMD_EVENT_BRANCHES, 0), read_twice, AMD_FEW, 0);
		few = last_read - first_read;
		amd_count(i, amd_select(AMD_EVENT_BRANCHES, 0), read_twice, AMD_FEW + AMD_MORE, 0);
		test_sub(t, "counter %u", i);
		expect_exact(t, "branches of 1000 more rounds", last_read - first_read - few,
		             AMD_MORE, "one a round, whatever the reads themselves cost");
	}
}
