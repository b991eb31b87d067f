/* SPDX-License-Identifier: MIT */
/* Each logical processor has counters of its own: what runs on another one does not change them. */
#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <pmu/sampling/pebs.h>
#include <tests/suites/arch/arch_rules.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/smp_init.h>
#include <tests/suites/common/smp_tests.h>

#define SOURCE "SDM 3B, \"Performance Monitoring and Intel Hyper-Threading Technology\": each " \
               "logical processor has its own counters and controls"

enum { ROUNDS = 1000 };

static NEED_BOTH(need_arch_secondaries, need_arch, need_secondaries)

/* ------------------------------------------------------------------------ values */

/* Returns another value for each counter of each processor; a legacy write makes it in any
 * width. */
static uint64_t own_value(unsigned counter)
{
	return 0x10000 * (smp_self() + 1) + 0x100 + counter;
}

/* Writes values, and controls that count nothing. */
static void hold_values(void)
{
	pmu_reset();
	FOR_EACH_COUNTER(c)
		pmu_write(c, own_value(c));
}

static void check_values(struct test_ctx *t, const char *why)
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c)
		expect_exact(t, pmu_counter_name(c, name), pmu_read(c), own_value(c), why);
}

static void hold_part(struct test_ctx *t, uintptr_t argument)
{
	(void)argument;
	hold_values();
	check_values(t, "it was written just now");
}

static void check_part(struct test_ctx *t, uintptr_t argument)
{
	(void)argument;
	check_values(t, "it is stopped and was written here; only other processors "
	                "have counted since");
	pmu_reset();
}

/* Counts in all rings on every counter, instructions where the counter can. */
static void count_much(void)
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	unsigned count = 0;

	FOR_EACH_COUNTER(c)
		if (count < PMU_SETUPS_MAX)
			setups[count++] = arch_setup(c, PMU_USR, 0);
	pmu_measure(setups, count, &workload_loop, ROUNDS, 0);
}

static void count_part(struct test_ctx *t, uintptr_t argument)
{
	(void)argument;
	count_much();
	pmu_reset();
	expect_exact(t, "counters that run", pmu_running() != NULL, 0, "they were stopped");
}

TEST(independent, .id = "arch.smp.independent", .runs = TEST_ON_BOOT,
     .needs = need_arch_secondaries,
     .claim = "writing and counting on one processor changes no counter of another one",
     .source = SOURCE)
{
	FOR_EACH_OTHER(cpu) {
		test_sub(t, "while cpu %u counts", cpu);
		hold_values();
		secondaries_do(t, cpu, count_part, 0);
		check_values(t, "it is stopped and was written here; only another processor has "
		                "counted since");
	}
	test_sub(t, "%s", "");
	smp_do_on_all(t, hold_part, 0);
	count_much();
	smp_do_on_all(t, check_part, 0);
}

/* ------------------------------------------------------------------------ counts */

static SHARED volatile uint32_t is_over, has_begun;

/* Measures one window of its own after the other until the boot processor's is over. */
static void count_until_over(struct test_ctx *t, uintptr_t argument)
{
	const struct pmu_setup s = arch_setup(0, PMU_USR, 0);
	const uint64_t alone = pmu_measure(&s, 1, &workload_loop, ROUNDS, 0).count[0];
	uint64_t count;

	(void)argument;
	__atomic_add_fetch(&has_begun, 1, __ATOMIC_SEQ_CST);
	do {
		count = pmu_measure(&s, 1, &workload_loop, ROUNDS, 0).count[0];
	} while (!is_over && count == alone);
	while (!is_over)
		cpu_pause();
	expect_exact(t, "IA32_PMC0", count, alone,
	             "the loop has as many instructions as the first time");
	pmu_reset();
}

TEST(counts, .id = "arch.smp.counts", .runs = TEST_ON_BOOT, .needs = need_arch_secondaries,
     .claim = "counts of instructions stay exact while every other processor counts as well",
     .source = SOURCE)
{
	const struct pmu_setup s = arch_setup(0, PMU_USR, 0);
	const uint64_t want = workload_insns(&workload_loop, ROUNDS)
	                      - workload_insns(&workload_empty, 0);
	unsigned others = 0;

	is_over = has_begun = 0;
	FOR_EACH_OTHER(cpu) {
		secondaries_begin(t, cpu, count_until_over, 0);
		others++;
	}
	while (has_begun < others)
		cpu_pause();
	for (unsigned i = 0; i < 20; i++)
		expect_exact(t, "IA32_PMC0", pmu_count_net(&s, &workload_loop, ROUNDS, 0), want,
		             "the loop's instructions, as its source says");
	is_over = 1;
	FOR_EACH_OTHER(cpu)
		secondaries_join(t, cpu);
}

/* ------------------------------------------------------------------------ RESET */

/* Returns what IA32_PERF_GLOBAL_CTRL held before this kernel first wrote it. */
static uint64_t found_global_ctrl(void)
{
	unsigned count;
	const struct pmu_initial *found = pmu_get_initial(&count);

	for (unsigned i = 0; i < count; i++)
		if (found[i].msr == IA32_PERF_GLOBAL_CTRL)
			return found[i].value;
	return 0;
}

/* wanted is the boot processor's value. */
static void compare_reset(struct test_ctx *t, uintptr_t wanted)
{
	const uint64_t want = *(const uint64_t *)wanted;

	if (smp_get(smp_self())->core != smp_get(0)->core) {
		test_report(t, "of another kind, found", "%" PRIX64 "H", found_global_ctrl());
		return;
	}
	expect_bounds(t, "IA32_PERF_GLOBAL_CTRL after RESET", found_global_ctrl(),
	              if_exact(want, "it is the same as on the boot processor: manuals differ "
	                       "about the value, but not between processors"), ELSE_SHOWN);
}

static NEED_BOTH(need_global_secondaries, need_arch_v2, need_secondaries)

TEST(reset_equal, .id = "arch.smp.reset_equal", .runs = TEST_ON_BOOT,
     .needs = need_global_secondaries,
     .claim = "all processors of a kind come out of RESET with the same IA32_PERF_GLOBAL_CTRL",
     .source = "SDM 3A, table \"IA-32 and Intel 64 Processor States Following Power-up, Reset, or "
               "INIT\": one value for each processor")
{
	static SHARED uint64_t on_boot;

	on_boot = found_global_ctrl();
	test_report(t, "IA32_PERF_GLOBAL_CTRL of the boot processor, found", "%" PRIX64 "H",
	            on_boot);
	smp_do_on_all(t, compare_reset, (uintptr_t)&on_boot);
}

/* ------------------------------------------------------------------------ INIT */

/* Lists counters, and controls under which nothing counts: the general ones lack EN. */
static void keep_counters(struct kept_register *r, unsigned *count)
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c)
		keep_register(r, count, pmu_counter_name(c, name),
		              c < PMU_FIXED ? IA32_PMC(c) : IA32_FIXED_CTR(c - PMU_FIXED),
		              own_value(c));
	FOR_EACH_COUNTER(c) {
		if (c >= PMU_FIXED)
			continue;
		format_buf(name, sizeof(name), "IA32_PERFEVTSEL%u", c);
		keep_register(r, count, name, IA32_PERFEVTSEL(c),
		              IA32_PERFEVTSEL_USR | IA32_PERFEVTSEL_E | (0x100 + c));
	}
}

/* The fixed counters' PMI bits count nothing. The status is set by software since version 4. */
static void keep_version_2(struct kept_register *r, unsigned *count)
{
	uint64_t pmis = 0;

	FOR_EACH_COUNTER(c)
		if (c >= PMU_FIXED)
			pmis |= IA32_FIXED_CTR_CTRL_PMI(c - PMU_FIXED);
	keep_register(r, count, "IA32_PERF_GLOBAL_CTRL", IA32_PERF_GLOBAL_CTRL, arch_global_bits());
	keep_register(r, count, "IA32_FIXED_CTR_CTRL", IA32_FIXED_CTR_CTRL, pmis);
	keep_register(r, count, "IA32_DEBUGCTL", IA32_DEBUGCTL,
	              IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI)->is_open = true;
	if (pmu_get()->version >= 4)
		keep_register(r, count, "IA32_PERF_GLOBAL_STATUS", IA32_PERF_GLOBAL_STATUS,
		              arch_global_bits() & UINT32_MAX)->set_by
			= IA32_PERF_GLOBAL_STATUS_SET;
}

/* "DS Save Area" speaks of INIT for BTS and PEBS of NetBurst alone. */
static void keep_sampling(struct kept_register *r, unsigned *count)
{
	const unsigned first = *count;

	keep_register(r, count, "IA32_DS_AREA", IA32_DS_AREA, 0x12345000);
	keep_register(r, count, "IA32_PEBS_ENABLE", IA32_PEBS_ENABLE, IA32_PEBS_ENABLE_PMC(0));
	if (pmu_get()->capabilities & IA32_PERF_CAPABILITIES_PEBS_BASELINE)
		keep_register(r, count, "MSR_PEBS_DATA_CFG", MSR_PEBS_DATA_CFG,
		              MSR_PEBS_DATA_CFG_GPRS);
	for (unsigned i = first; i < *count; i++)
		r[i].is_open = true;
}

static unsigned kept(struct kept_register *r)
{
	unsigned count = 0;

	keep_counters(r, &count);
	if (pmu_get()->version >= 2)
		keep_version_2(r, &count);
	if (!pebs_unavailable())
		keep_sampling(r, &count);
	return count;
}

TEST(init, .id = "arch.smp.init", .is_static = true,
     .runs = TEST_ON_BOOT, .needs = need_arch_secondaries,
     .claim = "an INIT IPI leaves counters, their controls, the status, IA32_DEBUGCTL and the "
              "registers of PEBS as they were",
     .source = "SDM 3A, table \"IA-32 and Intel 64 Processor States Following Power-up, Reset, or "
               "INIT\": performance counters and control, other MSRs: unchanged by INIT")
{
	judge_init(t, kept);
}
