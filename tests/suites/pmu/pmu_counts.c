/* SPDX-License-Identifier: MIT */
/*
 * A first verdict on the PMU: whether what the processor announces exists, and whether it counts.
 * Suites that need counts skip with this verdict instead of failing one by one: see
 * need_counting_pmu().
 */
#include <kernel/run/test.h>

#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/machine/machine.h>
#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <pmu/core/pmu.h>
#include <pmu/core/program.h>
#include <pmu/workload/workload.h>
#include <pmu/workload/workload_rules.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/silicon/silicon.h>

#define SDM "SDM 3B, Architectural Performance Monitoring"

static const char *need_pmu(struct test_ctx *t)
{
	const struct pmu *p = pmu_get();

	return p->state == PMU_IS_ABSENT ? test_reason(t, "%s", p->verdict) : NULL;
}

static const char *need_leaf_0a(struct test_ctx *t)
{
	const struct pmu *p = pmu_get();

	return pmu_has(PMU_HAS_LEAF_0AH) ? NULL
	       : test_reason(t, "CPUID.0AH:EAX[7:0] = %u, the PMU is %s",
	                     cpuid_get(CPUID_PERFMON_VERSION), p->class->name);
}

TEST(enumeration, .id = "pmu.enumeration", .is_first = true, .needs = need_leaf_0a,
     .source = SDM ", versions 1 to 6",
     .claim = "CPUID leaf 0AH describes a PMU that is possible")
{
	const struct pmu *p = pmu_get();

	expect_between(t, "CPUID.0AH:EAX[15:8], general counters", p->gp_count, 1, 32,
	               "low: a PMU has a counter; high: IA32_PERF_GLOBAL_CTRL has "
	               "32 bits for them");
	expect_between(t, "CPUID.0AH:EAX[23:16], their width in bits", p->gp_width, 32, 64,
	               "low: writes reach bit 31; high: registers have 64 bits");
	if (p->version < 2)
		return;
	expect_between(t, "CPUID.0AH:EDX[12:5], the fixed counters' width in bits", p->fixed_width,
	               p->fixed_map ? 32 : 0, 64,
	               "low: as wide as the general ones, or none; high: registers have 64 bits");
	expect_bits(t, "fixed counters, as a bitmap", p->fixed_map, UINT64_C(0xffff0000), 0,
	            "IA32_PERF_GLOBAL_CTRL[47:32] are the fixed counters' 16 bits");
}

static void check_register(struct test_ctx *t, const struct pmu *p, uint32_t msr, uint64_t value)
{
	uint64_t got = 0;
	fault_t fault = msr_try_write(msr, value);

	test_sub(t, "MSR %" PRIX32 "H", msr);
	if (!expect_no_fault(t, "WRMSR", fault, p->class->source))
		return;
	fault = msr_try_read(msr, &got);
	msr_try_write(msr, 0);
	if (expect_no_fault(t, "RDMSR", fault, p->class->source))
		expect_exact(t, "read back", got, value, "it was written");
}

TEST(registers, .id = "pmu.registers", .is_first = true, .needs = need_pmu,
     .source = "the manual of the generation; why names it",
     .claim = "the registers of the PMU that this processor must have exist and "
              "hold what is written")
{
	const struct pmu *p = pmu_get();

	check_register(t, p, p->class->probe.on[0].msr, p->class->probe.on[0].value);
	if (p->version >= 2)
		check_register(t, p, p->class->global_ctrl, p->class->probe.global);
}

/* Architectural performance monitoring came with Core Duo: family 6, model 0EH. */
static bool is_before_leaf_0a(void)
{
	const struct cpu_identity *cpu = machine_cpu();

	return cpu->vendor == VENDOR_INTEL
	       && (cpu->family == 5 || cpu->family == 0xf
	           || (cpu->family == 6 && cpu->model < 0xe));
}

static const char *need_older(struct test_ctx *t)
{
	const struct cpu_identity *cpu = machine_cpu();

	return is_before_leaf_0a() ? NULL
	       : test_reason(t, "family %XH, model %XH is not before Core Duo, or not Intel's",
	                     cpu->family, cpu->model);
}

TEST(older, .id = "pmu.leaf_0a", .needs = need_older,
     .source = "SDM 3B, performance monitoring by generation; SDM 2A, table \"Highest CPUID Source "
               "Operand\"",
     .claim = "processors before Core Duo enumerate no architectural PMU")
{
	expect_exact(t, "CPUID.0AH:EAX[7:0], 0 without the leaf",
	             cpuid_get(CPUID_PERFMON_VERSION), 0,
	             "this generation has its own PMU; the one that leaf 0AH describes came later");
}

/* Registers that hold what is written promise counts, so a dead PMU fails this test
 * and does not skip it. */
static const char *need_registers(struct test_ctx *t)
{
	const struct pmu *p = pmu_get();

	return p->state == PMU_IS_DEAD || p->state == PMU_COUNTS ? NULL
	       : test_reason(t, "%s", p->verdict);
}

/* The difference of two lengths does not contain what the switching itself adds. */
TEST(counts, .id = "pmu.counts", .is_first = true, .needs = need_registers,
     .source = "the manual of the generation; why names it",
     .claim = "counting instructions, 1000 more rounds of a loop of two "
              "instructions count 2000 more")
{
	const struct pmu *p = pmu_get();
	uint64_t one, two;

	test_sub(t, "%s", p->class->probe.name);
	expect_no_fault(t, "counting 1000 rounds", pmu_count_loop(p, 1000, &one),
	                "the PMU can count");
	expect_no_fault(t, "counting 2000 rounds", pmu_count_loop(p, 2000, &two),
	                "the PMU can count");
	expect_exact(t, "instructions of 1000 more rounds", two - one,
	             workload_insns(&workload_loop, 2000) - workload_insns(&workload_loop, 1000),
	             "every instruction retired is counted once");
	test_report(t, "counts that the switching adds", "%" PRId64,
	            one - workload_insns(&workload_loop, 1000));
	if (p->state == PMU_IS_DEAD)
		test_report(t, "verdict", "%s", p->verdict);
}

/* Returns whether what a workload retires can be counted; if not, the test only
 * checks that it returns. */
static bool is_countable(void)
{
	return pmu_get()->state == PMU_COUNTS && pmu_get()->class->driver;
}

/* Fewer rounds of what may take a hypervisor long. */
static uint32_t rounds_of(const struct workload *w)
{
	return workload_rule_of(w->name)->weight >= 1000 ? 10 : 100;
}

/* P5 and AMD count the invocation of a handler as an instruction; no manual says whether INT n
 * itself counts beside it: p5.instructions.faults, amd.exact.faults. */
static bool is_entry_counted(const struct workload *w)
{
	return (counting_is_p5() || counting_is_amd())
	       && (w->code == workload_fault.code || w->code == workload_int_iret.code);
}

static bool is_code(const struct workload *w, const char *name)
{
	return strcmp(w->name, name) == 0;
}

/* Returns whether its FNINIT or FNCLEX finds exception flags set. */
static bool clears_flags(const struct workload *w)
{
	return w->name[0] == 'f' && w->name[1] == 'p' && w->name[2] == '_';
}

/* Returns what a machine that is not exact may count of a workload. */
static struct bounds elsewhere(const struct workload *w, uint64_t want)
{
	struct bounds usual = else_exact(want, "the count is that of the code's instructions");

	if (is_code(w, "movsb") || is_code(w, "stosd") || is_code(w, "copy_walk"))
		return silicon_in(SILICON_REP_COUNTS_MORE, usual, want, UINT64_MAX);
	if (is_code(w, "far_jmp") || is_code(w, "far_call"))
		return silicon_in(SILICON_E_CORE_FAR, usual, want, UINT64_MAX);
	if (is_code(w, "iret") || is_code(w, "int_iret") || is_code(w, "fault"))
		return silicon_in(silicon_has(SILICON_E_CORE_FAR) ? SILICON_E_CORE_FAR
		                  : SILICON_IRET_COUNTS_TWICE, usual, want,
		                  want + 2 * rounds_of(w));
	if (counting_is_amd() && machine_cpu()->family >= 0x10 && clears_flags(w))
		return else_in(want, want + rounds_of(w) + 2, "low: the code's; high: its FNINIT "
		               "and FNCLEX count twice where an exception flag is set (V. Weaver, "
		               "\"deterministic events\", static/results, fp)");
	if (w->needs || is_code(w, "fldcw"))
		return silicon_in(SILICON_RETIRED_TWICE, usual, want, want + rounds_of(w) + 1);
	return usual;
}

static void expect_workload_counts(struct test_ctx *t, const struct workload *w, uint32_t argument)
{
	uint16_t event = counting_event(COUNTING_INSNS);
	struct pmu_setup s = { .counter = pmu_counter_for(event, 0), .event = event,
	                       .flags = PMU_OS };
	uint32_t rounds = rounds_of(w);
	uint64_t want = workload_insns(w, rounds) - workload_insns(&workload_empty, 0);
	uint64_t got = pmu_count_net(&s, w, rounds, argument);

	if (is_entry_counted(w))
		expect_between(t, "instructions", got, want,
		               want + (counting_is_p5() ? 1u : 2u) * rounds,
		               "low: the instructions of the code; high: one more, on AMD two, for "
		               "each entry of a handler");
	else
		expect_bounds(t, "instructions", got,
		              if_exact(want, "the count is that of the code's instructions"),
		              elsewhere(w, want));
}

/* Returns the argument: the number of bytes for string instructions, an address for workloads that
 * take one, or a seed. */
static uint32_t argument_of(const struct workload *w)
{
	uint32_t size;

	if (w->code == workload_movsb.code || w->code == workload_stosd.code)
		return 1000;
	if (w->code == workload_rep_insb.code || w->code == workload_rep_outsb.code)
		return 8;
	return (uint32_t)(uintptr_t)pmu_workload_arena(&size);
}

static void run_workload(struct test_ctx *t, const struct workload *w)
{
	test_sub(t, "workload_%s", w->name);
	if (!workload_is_possible(w))
		test_report(t, "not run", "CPUID does not report %s", w->needs);
	else if (is_countable())
		expect_workload_counts(t, w, argument_of(w));
	else
		w->code(rounds_of(w), argument_of(w));
}

TEST(workloads, .id = "pmu.workloads", .source = "pmu/workload/workload.h",
     .claim = "every workload returns and retires as many instructions as it says")
{
	unsigned came_back = 0;

	pmu_workload_begin();
	for (const struct workload *w = workload_table; w < workload_table_end; w++) {
		run_workload(t, w);
		came_back++;
	}
	pmu_workload_end();
	test_sub(t, "all");
	expect_exact(t, "workloads that returned", came_back,
	             (unsigned)(workload_table_end - workload_table), "each of them returns");
}

TEST(verdict, .id = "pmu.verdict", .source = "none: this test only reports",
     .claim = "the verdict on the PMU is reported in a sentence")
{
	test_report(t, "verdict", "%s", pmu_get()->verdict);
}
