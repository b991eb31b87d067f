/* SPDX-License-Identifier: MIT */
/* Several processors: each has core counters of its own; what INIT does to them is reported. */
#include <tests/suites/common/amd/amd_suite.h>

#include <arch/cpu/cpuid.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/siblings.h>
#include <tests/suites/common/smp_init.h>
#include <tests/suites/common/smp_tests.h>

/* ---------------------------------------------------------------------------- threads */

static NEED_BOTH(need_threads, need_amd_modes, need_siblings)

/* Works once at CPL 3 when asked. */
static void work_once(struct test_ctx *t, uintptr_t argument)
{
	const struct pmu_setup s = { .counter = 0, .event = AMD_EVENT_INST_RETIRED,
	                             .flags = PMU_USR };

	(void)argument;
	pmu_program(&s, 1);
	sibling_wait();
	pmu_window(user_loop, 2000, 0);
	sibling_done();
	expect_between(t, "counter 0 of the thread itself", pmu_read(0), 4000, 4003,
	               "low: DEC and JNZ of each round; high: also the INT at the end, and the "
	               "IRET to CPL 3");
	pmu_reset();
}

/* A counter of CPL 3 alone counts nothing of this thread, which stays at CPL 0. */
TEST(smt, .id = "amd.smp.threads_apart", .runs = TEST_ON_BOOT, .needs = need_threads,
     .source = AMD_APM "; Linux, arch/x86/events/amd/core.c",
     .claim = "a counter does not count what the core's other thread retires")
{
	struct pmu_setup s[PMU_SETUPS_MAX];

	for (unsigned i = 0; i < amd_counters(); i++)
		s[i] = (struct pmu_setup){ .counter = i, .event = AMD_EVENT_INST_RETIRED,
		                           .flags = PMU_USR };
	sibling_window(t, s, amd_counters(), work_once, 0, NULL, 0, 0);
	for (unsigned i = 0; i < amd_counters(); i++) {
		test_sub(t, "counter %u", i);
		expect_exact(t, "its value", pmu_read(i), 0,
		             "this thread stayed at CPL 0, and the counter counts CPL 3");
	}
}

/* ---------------------------------------------------------------------------- values */

static NEED_BOTH(need_others, need_amd, need_secondaries)

static uint64_t own_value(unsigned i)  { return 0x10000 * (smp_self() + 1) + i; }

static void hold_part(struct test_ctx *t, uintptr_t argument)
{
	(void)t, (void)argument;
	pmu_reset();
	for (unsigned i = 0; i < amd_counters(); i++) {
		msr_write(amd_ctr(i), own_value(i));
		msr_write(amd_ctl(i), PERF_CTL_INV | i);
	}
}

static void check_part(struct test_ctx *t, uintptr_t argument)
{
	(void)argument;
	for (unsigned i = 0; i < amd_counters(); i++) {
		test_sub(t, "register %u", i);
		expect_exact(t, "counter", amd_read(amd_ctr(i)), own_value(i), "written here");
		expect_exact(t, "control", amd_read(amd_ctl(i)), PERF_CTL_INV | i, "written here");
	}
	pmu_reset();
}

TEST(independent, .id = "amd.smp.independent", .runs = TEST_ON_BOOT, .needs = need_others,
     .source = AMD_APM, .claim = "each processor has core counters and controls of its own")
{
	hold_part(t, 0);
	smp_do_on_all(t, hold_part, 0);
	check_part(t, 0);
	smp_do_on_all(t, check_part, 0);
}

/* ---------------------------------------------------------------------------- INIT */

/* Counters and controls of a kind. A control without EN counts nothing. */
static void keep_kind(struct kept_register *r, unsigned *count, const char *kind, unsigned n,
                      const uint32_t msrs[2], uint64_t control)
{
	char name[PMU_NAME_SIZE];

	for (unsigned i = 0; i < n; i++) {
		const uint32_t first = msrs[0] + 2 * i;

		format_buf(name, sizeof(name), "%s_PERF_CTL%u", kind, i);
		keep_register(r, count, name, first, control + i);
		format_buf(name, sizeof(name), "%s_PERF_CTR%u", kind, i);
		keep_register(r, count, name, msrs[1] + 2 * i, own_value(i));
	}
}

static void keep_core(struct kept_register *r, unsigned *count)
{
	char name[PMU_NAME_SIZE];

	for (unsigned i = 0; i < amd_counters(); i++) {
		format_buf(name, sizeof(name), "PERF_CTL%u", i);
		keep_register(r, count, name, amd_ctl(i), PERF_CTL_INV | i);
		format_buf(name, sizeof(name), "PERF_CTR%u", i);
		keep_register(r, count, name, amd_ctr(i), own_value(i));
	}
}

static unsigned kept(struct kept_register *r)
{
	static const uint32_t nb[] = { NB_PERF_CTL(0), NB_PERF_CTR(0) };
	static const uint32_t l3[] = { L3_PERF_CTL(0), L3_PERF_CTR(0) };
	unsigned count = 0;

	keep_core(r, &count);
	keep_kind(r, &count, "NB", amd_nb_counters(), nb, 0x1e0);
	keep_kind(r, &count, "L3", amd_l3_counters(), l3, 0x100);
	keep_register(r, &count, "DebugCtl", DebugCtl, DebugCtl_BTF);
	if (cpuid_get(CPUID_IRPERF))
		keep_register(r, &count, "HWCR", HWCR, amd_read(HWCR) | HWCR_IRPERF_EN);
	if (amd_has_v2()) {
		keep_register(r, &count, "PerfCntrGlobalCtl", PerfCntrGlobalCtl, 0x15);
		keep_register(r, &count, "PerfCntrGlobalStatus", PerfCntrGlobalStatus, 0x2a)->set_by
			= PerfCntrGlobalStatusSet;
	}
	for (unsigned i = 0; i < count; i++)
		r[i].is_open = true;
	return count;
}

TEST(init, .id = "amd.registers.init", .is_static = true,
     .runs = TEST_ON_BOOT, .needs = need_others,
     .source = AMD_MSRS ": says nothing of INIT",
     .claim = "a processor comes back from INIT with the counters and controls of the core, of the "
              "northbridge and of L3 as they were (on silicon they are reported)")
{
	judge_init(t, kept);
}
