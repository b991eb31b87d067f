/* SPDX-License-Identifier: MIT */
/* Counters that no PERF_CTL stops: IRPERF, MPERF, APERF; and two bits that make counts exact. */
#include <tests/suites/common/amd/amd_suite.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/cpu.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/microarchitecture.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/halting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>

/* A write of a counter that is read-only faulted on Zen; of others nobody knows. */
static void check_read_only(struct test_ctx *t, const char *what, uint32_t msr)
{
	fault_t fault = msr_try_write(msr, 0);

	if (pmu_is_exact() || (amd_is_known() && amd_is_17h()))
		expect_fault(t, what, fault, X86_GP, 0, "the counter is read-only");
	else
		test_report(t, what, "%s", is_fault(fault) ? "a fault" : "no fault");
}

/* ---------------------------------------------------------------------------- IRPERF */

static const char *need_irperf(struct test_ctx *t)
{
	const char *reason = need_amd_modes(t);

	return reason || (cpuid_read(CPUID_AMD_SIZES, 0).ebx & CPUID_AMD_SIZES_EBX_IRPERF) ? reason
	       : test_reason(t, "CPUID.80000008H:EBX[1] (IRPERF) = 0");
}

/* Not on Zen, whose count is wrong after a C-state (erratum 1054), and Zen 3, which counts some
 * fused instructions twice (1267). */
static struct bounds unless_erratum(uint64_t want, const char *why)
{
	if (pmu_microarchitecture() & (PMU_ON_ZEN_1 | PMU_ON_ZEN_3))
		return else_shown("errata 1054 and 1267: the count is not exact");
	return else_exact(want, why);
}

typedef void (*code_fn)(uint32_t rounds, uint32_t argument);

static PMU_ONE_COPY uint64_t irperf_of(code_fn code, uint32_t rounds)
{
	uint64_t before = amd_read(IRPerfCount);

	code(rounds, 0);
	return amd_read(IRPerfCount) - before;
}

static void check_irperf(struct test_ctx *t, const char *where, code_fn code)
{
	uint64_t few;

	watchdog_pet();                  /* its handler's instructions would be counted */
	few = irperf_of(code, AMD_FEW);
	test_sub(t, "%s", where);
	expect_bounds(t, "of 1000 more rounds", irperf_of(code, AMD_FEW + AMD_MORE) - few,
	              if_exact(2 * AMD_MORE, "two a round"),
	              unless_erratum(2 * AMD_MORE, "two a round"));
}

TEST(irperf, .id = "amd.irperf", .needs = need_irperf,
     .source = "APM 2, \"Instructions Retired Counter\"; Linux on erratum 1054",
     .claim = "with HWCR[30] IRPerfCount counts instructions of all levels, and stands still "
              "without it")
{
	uint64_t hwcr = amd_read(HWCR);

	msr_try_write(HWCR, hwcr & ~HWCR_IRPERF_EN);
	expect_bounds(t, "of 1000 rounds, HWCR[30] = 0", irperf_of(workload_loop.code, 1000),
	              if_exact(0, "it is off"), unless_erratum(0, "it is off"));
	if (expect_no_fault(t, "WRMSR to HWCR", msr_try_write(HWCR, hwcr | HWCR_IRPERF_EN),
	                    "CPUID reports the counter")) {
		check_irperf(t, "at CPL 0", workload_loop.code);
		check_irperf(t, "at CPL 3", user_loop);
	}
	test_sub(t, "%s", "");
	check_read_only(t, "WRMSR to IRPerfCount", IRPerfCount);
	msr_try_write(HWCR, hwcr);
}

/* ---------------------------------------------------------------------------- beside others */

/* Each does to a core counter, or to what stops all of them, something that IRPerfCount has no part
 * in. */
static void nothing(void)        { }
static void count_here(void)     { msr_write(amd_ctl(0), amd_select(AMD_EVENT_INST_RETIRED, 0)); }
static void count_user(void)     { msr_write(amd_ctl(0), amd_select(AMD_EVENT_INST_RETIRED, 0)
                                                     & ~PERF_CTL_OS); }
static void stop(void)           { msr_write(amd_ctl(0), 0); }
static void count_far(void)      { msr_write(amd_ctl(5), amd_select(AMD_EVENT_FAR, 0)); }
static void write_counters(void)
{
	for (unsigned i = 0; i < amd_counters(); i++)
		msr_write(amd_ctr(i), 0x123456 + i);
}
static void wrap_soon(void)      { msr_write(amd_ctr(0), AMD_COUNTER_MASK - 200); }
static void count_merged(void)   { msr_write(amd_ctl(1), amd_select(AMD_EVENT_MERGE, 0)); }
static void stop_all(void)       { msr_write(PerfCntrGlobalCtl, 0); }
static void freeze_all(void)     { msr_write(PerfCntrGlobalStatusSet, PerfCntrGlobalStatus_PMCF); }

static const struct { const char *name; void (*act)(void); bool is_v2; } states[] = {
	{ "alone", nothing, false }, { "counter 0 counts instructions", count_here, false },
	{ "counter 0 is before its wrap", wrap_soon, false },
	{ "all counters were written", write_counters, false },
	{ "counter 0 counts with USR alone", count_user, false },
	{ "counter 5 counts far transfers", count_far, false },
	{ "counter 1 extends counter 0", count_merged, false },
	{ "PerfCntrGlobalCtl is 0", stop_all, true }, { "PMCF is set", freeze_all, true },
	{ "counter 0 is stopped", stop, false },
};

TEST(irperf_beside, .id = "amd.irperf.beside", .needs = need_irperf,
     .source = "APM 2, \"Instructions Retired Counter\"",
     .claim = "IRPerfCount counts on whatever core counters do: they count, wrap, are written, "
              "merged, frozen and stopped")
{
	const uint64_t hwcr = amd_read(HWCR);

	msr_try_write(HWCR, hwcr | HWCR_IRPERF_EN);
	for (unsigned i = 0; i < COUNT_OF(states); i++) {
		if (states[i].is_v2 && !amd_has_v2())
			continue;
		states[i].act();
		check_irperf(t, states[i].name, workload_loop.code);
	}
	pmu_reset();
	msr_try_write(HWCR, hwcr);
}

static void toggle_irperf(uint32_t rounds, uint32_t argument)
{
	msr_try_write(HWCR, amd_read(HWCR) ^ HWCR_IRPERF_EN);
	workload_loop.code(rounds, argument);
	msr_try_write(HWCR, amd_read(HWCR) ^ HWCR_IRPERF_EN);
}

TEST(irperf_others, .id = "amd.irperf.leaves_others", .needs = need_irperf,
     .source = "APM 2, \"Instructions Retired Counter\"",
     .claim = "core counters count the same whether IRPerfCount is off, on, or switched while they "
              "count, and HWCR changes no counter that stands still")
{
	const uint64_t hwcr = amd_read(HWCR);

	for (unsigned i = 0; i < amd_counters(); i++) {
		test_sub(t, "counter %u", i);
		for (unsigned on = 0; on < 2; on++) {
			msr_try_write(HWCR, (hwcr & ~HWCR_IRPERF_EN) | (on ? HWCR_IRPERF_EN : 0));
			expect_exact(t, on ? "of 1000 more rounds, HWCR[30] = 1"
			                   : "of 1000 more rounds, HWCR[30] = 0",
			             amd_more(i, amd_select(AMD_EVENT_INST_RETIRED, 0),
			                      workload_loop.code, 0), 2 * AMD_MORE, "two a round");
		}
		expect_exact(t, "of 1000 more rounds, HWCR[30] changes",
		             amd_more(i, amd_select(AMD_EVENT_INST_RETIRED, 0), toggle_irperf, 0),
		             2 * AMD_MORE, "two a round");
		msr_write(amd_ctr(i), 0x123456 + i);
		toggle_irperf(AMD_FEW, 0);
		expect_exact(t, "a value, after HWCR[30] changed", amd_read(amd_ctr(i)),
		             0x123456 + i, "it stands still");
	}
	msr_try_write(HWCR, hwcr);
}

/* ---------------------------------------------------------------------------- MPERF and APERF */

#define FREQUENCY  "APM 2, \"Determining Processor Effective Frequency\""

/* Erratum 660: APERF of family 15H, models 0 to 0FH, jumps. */
static const char *need_mperf(struct test_ctx *t)
{
	const char *reason = need_amd(t);

	if (!reason && !(cpuid_read(CPUID_AMD_FREQUENCY, 0).ecx & CPUID_AMD_FREQUENCY_ECX_MPERF))
		return test_reason(t, "CPUID.6:ECX[0] (EffFreq) = 0");
	if (!reason && amd_family() == AMD_15H && machine_cpu()->model < 0x10)
		return test_reason(t, "erratum 660: APERF jumps");
	return reason;
}

static const struct { const char *name; uint32_t msr, copy; } clocks[] = {
	{ "MPERF", MPERF, MPerfReadOnly }, { "APERF", APERF, APerfReadOnly },
};
static uint64_t moved[COUNT_OF(clocks)];

static void between_reads(uint32_t rounds, uint32_t argument)
{
	for (unsigned n = 0; n < COUNT_OF(clocks); n++)
		moved[n] = amd_read(clocks[n].msr);
	workload_loop.code(rounds, argument);
	for (unsigned n = 0; n < COUNT_OF(clocks); n++)
		moved[n] = amd_read(clocks[n].msr) - moved[n];
}

/* A counter counts clocks at the same time: in the model time goes on only while one counts. */
static const struct pmu_setup clocks_0 = {
	.counter = 0, .event = AMD_EVENT_CYCLES, .flags = PMU_BOTH,
};

TEST(running, .id = "amd.mperf_aperf.running", .needs = need_mperf, .runs = TEST_ALONE,
     .source = FREQUENCY,
     .claim = "MPERF and APERF count on while code runs, APERF as many as clocks not halted")
{
	enum { MORE = 100000 };
	uint64_t few = pmu_measure_code(&clocks_0, 1, between_reads, AMD_FEW, 0).count[0];
	uint64_t mperf = moved[0], aperf = moved[1];

	few = pmu_measure_code(&clocks_0, 1, between_reads, AMD_FEW + MORE, 0).count[0] - few;
	expect_bounds(t, "APERF of 100000 more rounds", moved[1] - aperf,
	              if_exact(few, "event 76H counts the same clocks"),
	              else_in(MORE / 16, MORE * UINT64_C(100), "low: 16 rounds in a clock; high: "
	                      "100 clocks a round"));
	expect_bounds(t, "MPERF of 100000 more rounds", moved[0] - mperf,
	              if_exact(few, "the core's clock is that of P0"),
	              else_in(MORE / 64, MORE * UINT64_C(100), "low: 16 rounds in a clock, at four "
	                      "times P0's; high: 100 clocks a round"));
}

struct over_halt { uint64_t clocks[COUNT_OF(clocks)], tsc; };

static struct over_halt over_halt(uint32_t length)
{
	struct over_halt h;

	for (unsigned n = 0; n < COUNT_OF(clocks); n++)
		h.clocks[n] = amd_read(clocks[n].msr);
	h.tsc = measure_halt(&clocks_0, 1, length, LOOP_SHORT).tsc;
	for (unsigned n = 0; n < COUNT_OF(clocks); n++)
		h.clocks[n] = amd_read(clocks[n].msr) - h.clocks[n];
	return h;
}

static NEED_BOTH(need_mperf_apic, need_mperf, need_local_apic)

TEST(halted, .id = "amd.mperf_aperf.halted", .needs = need_mperf_apic, .runs = TEST_ALONE,
     .source = FREQUENCY, .claim = "MPERF and APERF stand still in HLT")
{
	struct over_halt few = over_halt(HALT_SHORT), many = over_halt(HALT_LONG);
	uint64_t tsc = many.tsc - few.tsc;

	expect_between(t, "TSC of a longer HLT", tsc, 1000, UINT64_MAX / 2,
	               "low: it was longer; high: it is positive");
	for (unsigned n = 0; n < COUNT_OF(clocks); n++)
		expect_between(t, clocks[n].name, many.clocks[n] - few.clocks[n] + tsc / 4, 0,
		               tsc / 2,
		               "low: it is a quarter of the TSC's, less what the other HLT took; "
		               "high: a quarter of the TSC's, although the processor was halted");
}

static const char *need_copies(struct test_ctx *t)
{
	const char *reason = need_mperf(t);
	bool is_here = cpuid_read(CPUID_AMD_POWER, 0).edx & CPUID_AMD_POWER_EDX_READ_ONLY;

	return reason || is_here ? reason : test_reason(t, "CPUID.80000007H:EDX[10] = 0");
}

TEST(copies, .id = "amd.mperf_aperf.copies", .needs = need_copies, .source = FREQUENCY,
     .claim = "MPERF and APERF take what is written; their read-only copies move with them")
{
	const uint64_t start = UINT64_C(0x123456789a);

	for (unsigned n = 0; n < COUNT_OF(clocks); n++) {
		uint64_t early, first, copy, last;

		msr_write(clocks[n].msr, start);
		early = amd_read(clocks[n].copy);
		first = amd_read(clocks[n].msr);
		copy = amd_read(clocks[n].copy);
		last = amd_read(clocks[n].msr);
		test_sub(t, "%s", clocks[n].name);
		expect_between(t, "after a write", first, start, start + 1000000,
		               "low: it was written; high: the time of a read");
		expect_bounds(t, "its copy", copy,
		              if_exact_in(first, last, "low: the counter, read before; high: the "
		                          "counter, read after"), ELSE_SHOWN);
		expect_between(t, "its copy moved by", amd_read(clocks[n].copy) - early,
		               last - first, 1000000, "low: what the counter moved by meanwhile, "
		               "also if a write leaves the copy alone; high: five reads");
		check_read_only(t, "WRMSR to its copy", clocks[n].copy);
	}
}

/* A write of one leaves the other one, and what the processor counts. */
TEST(apart, .id = "amd.mperf_aperf.apart", .needs = need_mperf, .source = FREQUENCY,
     .claim = "a write of MPERF moves neither APERF nor a core counter, and a write of APERF "
              "neither MPERF nor a core counter")
{
	const uint64_t far_away = UINT64_C(0x4000000000000000);

	for (unsigned n = 0; n < COUNT_OF(clocks); n++) {
		const uint32_t other = clocks[1 - n].msr;
		uint64_t before, after;

		msr_write(other, 0x1000);
		msr_write(amd_ctr(0), 0x123456);
		before = amd_read(other);
		msr_write(clocks[n].msr, far_away);
		after = amd_read(other);
		test_sub(t, "%s written", clocks[n].name);
		expect_between(t, clocks[1 - n].name, after, before, before + 1000000,
		               "low: it was not written; high: the time of a write and a read");
		expect_exact(t, "counter 0", amd_read(amd_ctr(0)), 0x123456,
		             "it was not written");
		expect_between(t, clocks[n].name, amd_read(clocks[n].msr), far_away,
		               far_away + 1000000, "low: it was written; high: the time of reads");
		msr_write(clocks[n].msr, 0);
	}
	pmu_reset();
}

/* ---------------------------------------------------------------------------- exact counts */

static const char *need_prec_ret(struct test_ctx *t)
{
	const char *reason = need_amd_core(t);
	bool is_here = cpuid_read(CPUID_AMD_FEATURES_2, 0).eax & CPUID_AMD_FEATURES_2_EAX_PREC_RET;

	return reason || is_here ? reason
	       : test_reason(t, "CPUID.80000021H:EAX[12] (PreciseRetire) = 0");
}

TEST(prec_ret, .id = "amd.prec_ret", .needs = need_prec_ret, .source = AMD_APM ", PreciseRetire",
     .claim = "bit 43 of PERF_CTL2 is held, and the counter then counts exactly")
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		msr_write(PERF_CTL(i), PERF_CTL_PREC_RET);
		test_sub(t, "PERF_CTL%u", i);
		if (i == 2)
			expect_exact(t, "read back", amd_read(PERF_CTL(i)), PERF_CTL_PREC_RET,
			             "it was written");
		else
			expect_bounds(t, "read back", amd_read(PERF_CTL(i)),
			              if_exact(0, "the bit is counter 2's"), ELSE_SHOWN);
		msr_write(PERF_CTL(i), 0);
	}
	test_sub(t, "%s", "");
	expect_exact(t, "instructions of 1000 more rounds",
	             amd_more(2, amd_select(AMD_EVENT_INST_RETIRED, 0) | PERF_CTL_PREC_RET,
	                      workload_loop.code, 0), 2 * AMD_MORE, "two a round");
}

/* ---------------------------------------------------------------------------- locks */

static const char *need_ls_cfg(struct test_ctx *t)
{
	const char *reason = need_amd_since_17h(t);
	uint64_t value;

	return reason || !is_fault(msr_try_read(LS_CFG, &value)) ? reason
	       : test_reason(t, "RDMSR of C0011020H faults");
}

/* Returns what 1000 more rounds of a loop with a locked instruction count. */
static uint64_t locked(uint16_t event, uint8_t umask)
{
	return amd_more(0, amd_select(event, umask), workload_find("lock_inc")->code, 0);
}

TEST(spec_lock_map, .id = "amd.spec_lock_map", .needs = need_ls_cfg, .runs = TEST_ALONE,
     .source = "rr 2034 and 7a36217a",
     .claim = "with bit 54 of C0011020H locked code commits no speculative lock map, and "
              "conditional branches are exact")
{
	const uint64_t before = amd_read(LS_CFG);

	msr_write(LS_CFG, before & ~LS_CFG_NO_SPEC_LOCK_MAP);
	test_sub(t, "bit 54 = 0");
	expect_bounds(t, "commits", locked(AMD_EVENT_LOCKS, AMD_LOCKS_SPEC_LOCK_MAP),
	              if_exact(AMD_MORE, "each locked instruction"), ELSE_SHOWN);
	expect_bounds(t, "conditional branches", locked(0xd1, 0),
	              if_exact(AMD_MORE, "one a round"),
	              else_in(AMD_MORE, UINT32_MAX, "low: one a round; high: those of code that "
	                      "was rolled back count, too"));
	msr_write(LS_CFG, before | LS_CFG_NO_SPEC_LOCK_MAP);
	test_sub(t, "bit 54 = 1");
	expect_exact(t, "commits", locked(AMD_EVENT_LOCKS, AMD_LOCKS_SPEC_LOCK_MAP), 0,
	             "there is no such map");
	expect_exact(t, "conditional branches", locked(0xd1, 0), AMD_MORE, "one a round");
	msr_write(LS_CFG, before);
}
