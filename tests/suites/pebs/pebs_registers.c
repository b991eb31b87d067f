/* SPDX-License-Identifier: MIT */
/* These tests check which processors report PEBS, and the registers that come with it. */
#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/sampling/pebs.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/sampling/pebs_window.h>

#define MSRS "SDM 4, \"Architectural MSRs\""

/* ---------------------------------------------------------------------------- presence */

/* IA32_MISC_ENABLE exists from NetBurst on. */
static const char *need_misc_enable(struct test_ctx *t)
{
	const char *reason = need_counting_pmu(t);

	if (!reason && !pmu_has(PMU_HAS_CCCRS | PMU_HAS_LEAF_0AH))
		return test_reason(t, "the PMU is %s: IA32_MISC_ENABLE does not exist",
		                   pmu_get()->class->name);
	return reason;
}

TEST(presence, .id = "pebs.presence", .needs = need_misc_enable,
     .claim = "CPUID.1:EDX[21] (DS), IA32_MISC_ENABLE[12] (PEBS unavailable) and "
              "IA32_PERF_CAPABILITIES agree on PEBS",
     .source = MSRS ", IA32_MISC_ENABLE, IA32_PERF_CAPABILITIES")
{
	const uint64_t capabilities = pmu_get()->capabilities;
	const bool has_baseline = capabilities & IA32_PERF_CAPABILITIES_PEBS_BASELINE;
	uint64_t value = 0;
	bool is_there;

	if (!expect_no_fault(t, "RDMSR IA32_MISC_ENABLE", msr_try_read(IA32_MISC_ENABLE, &value),
	                     "NetBurst and later have it"))
		return;
	is_there = !(value & IA32_MISC_ENABLE_PEBS_UNAVAILABLE);
	test_report(t, "IA32_MISC_ENABLE, IA32_PERF_CAPABILITIES", "%" PRIX64 "H, %" PRIX64 "H",
	            value, capabilities);
	if (is_there)
		expect_bounds(t, "CPUID.1:EDX[21] (DS) where PEBS is available",
		              cpuid_get(CPUID_DS),
		              if_exact(1, "PEBS stores to the debug store area"), ELSE_NOTHING);
	if (is_there && cpuid_get(CPUID_DS) && cpuid_get(CPUID_PDCM))
		expect_exact(t, "adaptive records (bit 14) only from format 4 on",
		             !has_baseline || pebs_format() >= 4, 1, "PEBS baseline");
	if (is_there && cpuid_get(CPUID_DS))
		expect_no_fault(t, "RDMSR IA32_PEBS_ENABLE", msr_try_read(IA32_PEBS_ENABLE, &value),
		                "it says that PEBS is available");
}

static const char *need_unavailable(struct test_ctx *t)
{
	const char *reason = need_misc_enable(t);
	uint64_t value = 0;

	if (reason || is_fault(msr_try_read(IA32_MISC_ENABLE, &value)))
		return reason ? reason : test_reason(t, "IA32_MISC_ENABLE cannot be read");
	if (!(value & IA32_MISC_ENABLE_PEBS_UNAVAILABLE))
		return test_reason(t, "IA32_MISC_ENABLE[12] = 0: PEBS is available");
	return NULL;
}

TEST(unavailable, .id = "pebs.unavailable", .needs = need_unavailable,
     .claim = "where PEBS is unavailable, IA32_PEBS_ENABLE, if it exists, takes 0 and no bit (on "
              "silicon, whose register may have other uses, it is reported)",
     .source = MSRS ", IA32_PEBS_ENABLE, IA32_MISC_ENABLE[12]")
{
	uint64_t value = 0;
	fault_t fault = msr_try_read(IA32_PEBS_ENABLE, &value);
	char text[FAULT_TEXT_SIZE];

	test_report(t, "RDMSR of IA32_PEBS_ENABLE", "%s, %" PRIX64 "H", fault_text(fault, text),
	            value);
	if (!has_only_listed_msrs())
		return;
	if (is_fault(fault)) {
		expect_fault(t, "WRMSR IA32_PEBS_ENABLE, 1", msr_try_write(IA32_PEBS_ENABLE, 1),
		             X86_GP, 0, "RDMSR faults, so the register does not exist");
		return;
	}
	expect_exact(t, "IA32_PEBS_ENABLE", value, 0, "no counter can use PEBS");
	expect_no_fault(t, "WRMSR of 0", msr_try_write(IA32_PEBS_ENABLE, 0), "nothing is enabled");
	expect_fault(t, "WRMSR of 1", msr_try_write(IA32_PEBS_ENABLE, 1), X86_GP, 0,
	             "PEBS is unavailable");
	msr_try_write(IA32_PEBS_ENABLE, 0);
}

/* ---------------------------------------------------------------------------- registers */

static const char *need_arch_pebs(struct test_ctx *t)
{
	const char *reason = need_arch(t);

	if (!reason && !pebs_event_at(0))
		return test_reason(t, "no event that PEBS records is known for this processor");
	return reason ? reason : need_pebs(t);
}

static void judge_write(struct test_ctx *t, uint32_t msr, uint64_t value)
{
	uint64_t got = 0;

	test_sub(t, "MSR %" PRIX32 "H, %" PRIX64 "H written", msr, value);
	if (expect_no_fault(t, "WRMSR", msr_try_write(msr, value), "the register has these bits"))
		expect_exact(t, "read back", msr_try_read(msr, &got).raw ? 0 : got, value,
		             "it was written there");
	msr_try_write(msr, 0);
}

static void judge_reserved(struct test_ctx *t, uint32_t msr, unsigned from, unsigned to)
{
	for (unsigned i = from; i <= to; i++) {
		test_sub(t, "MSR %" PRIX32 "H, bit %u written", msr, i);
		expect_fault(t, "WRMSR", msr_try_write(msr, BIT(i)), X86_GP, 0, "a reserved bit");
		msr_try_write(msr, 0);
	}
}

/*
 * Bits on which manuals and generations differ are left out: those of general counters that exist
 * without PEBS, 32 and up (load latency, fixed counters), 60 and up (precise store, output to PT).
 */
TEST(enable, .id = "pebs.registers.enable", .needs = need_arch_pebs,
     .claim = "IA32_PEBS_ENABLE has a bit for each counter that can record an event, and bits of "
              "no counter raise #GP(0)", .source = MSRS ", IA32_PEBS_ENABLE")
{
	const unsigned gp = pmu_get()->gp_count;
	const struct pebs_event *e;
	uint64_t all = 0;

	for (unsigned i = 0; (e = pebs_event_at(i)) != NULL; i++)
		all |= e->counters;
	judge_write(t, IA32_PEBS_ENABLE, 0);
	for (unsigned i = 0; i < 64; i++)
		if (all >> i & 1)
			judge_write(t, IA32_PEBS_ENABLE, BIT(i));
	judge_write(t, IA32_PEBS_ENABLE, all);
	judge_reserved(t, IA32_PEBS_ENABLE, gp < 8 ? 8 : gp, 31);
	judge_reserved(t, IA32_PEBS_ENABLE, 48, 59);
}

static const char *need_adaptive(struct test_ctx *t)
{
	const char *reason = need_arch_pebs(t);

	if (!reason && !pebs_layout()->is_adaptive)
		return test_reason(t, "IA32_PERF_CAPABILITIES[14] = 0: the processor has "
		                      "no PEBS baseline");
	return reason;
}

TEST(data_cfg, .id = "pebs.registers.data_cfg", .needs = need_adaptive,
     .claim = "MSR_PEBS_DATA_CFG has the groups' bits and the number of branch records; reserved "
              "bits raise #GP(0)", .source = "SDM 3B, \"Adaptive PEBS\", MSR_PEBS_DATA_CFG")
{
	for (unsigned i = 0; i < 4; i++)
		judge_write(t, MSR_PEBS_DATA_CFG, BIT(i));
	for (unsigned i = 24; i < 29; i++)             /* up to 32 entries */
		judge_write(t, MSR_PEBS_DATA_CFG, MSR_PEBS_DATA_CFG_LBRS | BIT(i));
	judge_write(t, MSR_PEBS_DATA_CFG, FIELD(3, 0) | FIELD(28, 24));
	judge_reserved(t, MSR_PEBS_DATA_CFG, 8, 23);
	judge_reserved(t, MSR_PEBS_DATA_CFG, 56, 63);
	if (pebs_format() < 6) {
		judge_reserved(t, MSR_PEBS_DATA_CFG, 4, 5);
		judge_reserved(t, MSR_PEBS_DATA_CFG, 32, 55);
	}
}

/* Needs a register that some generations have: reading it must not fault. */
static const char *need_msr(struct test_ctx *t, uint32_t msr)
{
	const char *reason = need_arch_pebs(t);
	uint64_t value;

	if (!reason && is_fault(msr_try_read(msr, &value)))
		return test_reason(t, "RDMSR of %" PRIX32 "H faults", msr);
	return reason;
}

static const char *need_ld_lat(struct test_ctx *t) { return need_msr(t, MSR_PEBS_LD_LAT); }
static const char *need_frontend(struct test_ctx *t) { return need_msr(t, MSR_PEBS_FRONTEND); }

/* The smallest threshold that the manual permits is 3. */
TEST(ld_lat, .id = "pebs.registers.ld_lat", .needs = need_ld_lat,
     .claim = "MSR_PEBS_LD_LAT holds a threshold of 3 or more in all its 16 bits",
     .source = "SDM 3B, \"Load Latency Performance Monitoring Facility\"")
{
	static const uint16_t thresholds[] = { 3, 4, 0x1000, 0x5555, 0xaaaa, 0x8003, 0xffff };

	for (unsigned i = 0; i < COUNT_OF(thresholds); i++)
		judge_write(t, MSR_PEBS_LD_LAT, thresholds[i]);
}

/* Values that the manual's table of FRONTEND_RETIRED lists. */
TEST(frontend, .id = "pebs.registers.frontend", .needs = need_frontend,
     .claim = "MSR_PEBS_FRONTEND holds the values of FRONTEND_RETIRED's sub-events",
     .source = "SDM 3B, \"FRONTEND_RETIRED\", MSR_PEBS_FRONTEND")
{
	static const uint32_t values[] = { 0x11, 0x12, 0x13, 0x14, 0x15, 0x400206, 0x400406,
	                                   0x400806, 0x401006, 0x402006, 0x410006, 0x100206 };

	for (unsigned i = 0; i < COUNT_OF(values); i++)
		judge_write(t, MSR_PEBS_FRONTEND, values[i]);
}

static const char *need_no_baseline(struct test_ctx *t)
{
	const char *reason = need_arch(t);

	if (!reason && pmu_get()->capabilities & IA32_PERF_CAPABILITIES_PEBS_BASELINE)
		return test_reason(t, "IA32_PERF_CAPABILITIES = %" PRIX64
		                   "H: bit 14, PEBS baseline", pmu_get()->capabilities);
	return reason;
}

TEST(no_data_cfg, .id = "pebs.registers.no_data_cfg", .needs = need_no_baseline,
     .claim = "without PEBS baseline MSR_PEBS_DATA_CFG raises #GP(0) (on silicon, which may have "
              "registers that no manual lists, it is reported)",
     .source = "SDM 3B, \"Adaptive PEBS\"; SDM 4, MSR_PEBS_DATA_CFG")
{
	uint64_t value = 0;
	char text[FAULT_TEXT_SIZE];
	fault_t fault = msr_try_read(MSR_PEBS_DATA_CFG, &value);

	test_report(t, "RDMSR of MSR_PEBS_DATA_CFG", "%s, %" PRIX64 "H", fault_text(fault, text),
	            value);
	if (!has_only_listed_msrs())
		return;
	expect_fault(t, "RDMSR", fault, X86_GP, 0, "IA32_PERF_CAPABILITIES[14] = 0");
	expect_fault(t, "WRMSR of 1", msr_try_write(MSR_PEBS_DATA_CFG, 1), X86_GP, 0,
	             "IA32_PERF_CAPABILITIES[14] = 0");
}

TEST(ds_area, .id = "pebs.registers.ds_area", .needs = need_ds,
     .claim = "IA32_DS_AREA keeps an address; in 64-bit mode one that is not canonical raises "
              "#GP(0)",
     .source = MSRS ", IA32_DS_AREA; SDM 2B, \"WRMSR\"")
{
	judge_write(t, IA32_DS_AREA, 0x12345678 & ~UINT32_C(0xfff));
	judge_write(t, IA32_DS_AREA, 0xfffff000);
	if (sizeof(uintptr_t) == 8) {
		judge_write(t, IA32_DS_AREA, FIELD(63, 47));
		judge_reserved(t, IA32_DS_AREA, 63, 63);
	}
}

/* ---------------------------------------------------------------------------- area */

TEST(after_reset, .id = "pebs.registers.between_tests", .needs = need_pebs,
     .claim = "IA32_PEBS_ENABLE and IA32_DS_AREA are 0 at the beginning of a test",
     .source = "this kernel: the engine switches PEBS off around each test")
{
	expect_exact(t, "IA32_PEBS_ENABLE", msr_read(IA32_PEBS_ENABLE), 0,
	             "the engine switched it off");
	expect_exact(t, "IA32_DS_AREA", msr_read(IA32_DS_AREA), 0, "no area is set up");
}
