/* SPDX-License-Identifier: MIT */
/*
 * These tests count instructions that every generation has: RDMSR, WRMSR and RDPMC, of which a
 * window has some itself, so that differences of windows hide them; REP INSB and REP OUTSB, one
 * each, whatever their length; branches with locked instructions between them.
 */
#include <kernel/run/test.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/msr.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/core/pmu.h>
#include <pmu/core/program.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/register_insns.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

#define EVENTS "SDM 3B, \"Performance-Monitoring Events\", "
#define INSNS  EVENTS "instructions retired (P5: instructions executed)"

/* Rounds that both windows of a difference have, and rounds that only the longer one has. */
enum { FEW = 10, MORE = 100 };

typedef void rounds_of(uint32_t rounds, uint32_t argument);

/* Returns what MORE rounds of this code add to a counter. */
static uint64_t more_of(const struct pmu_setup *s, rounds_of *code, uint32_t argument)
{
	uint64_t few = pmu_measure_code(s, 1, code, FEW, argument).count[0];

	return pmu_measure_code(s, 1, code, FEW + MORE, argument).count[0] - few;
}

/* NetBurst's silicon counts instructions that begin, and some of them twice. */
static struct bounds else_insns(uint64_t want, const char *why)
{
	if (!pmu_has(PMU_HAS_CCCRS))
		return else_exact(want, why);
	return else_in(want, 2 * want, "low: each counts; high: each counts twice, as instructions "
	               "of microcode may");
}

static void judge_on(struct test_ctx *t, const char *what, unsigned counter, rounds_of *code,
                     uint32_t argument)
{
	static const char why[] = "a round is the instruction, DEC, JNZ, and each counts once";
	const struct pmu_setup s = { .counter = counter, .flags = PMU_BOTH,
	                             .event = counting_event(COUNTING_INSNS) };
	uint64_t got = more_of(&s, code, argument);
	char name[PMU_NAME_SIZE];

	test_sub(t, "%s, %s", what, pmu_counter_name(counter, name));
	expect_bounds(t, "instructions of 100 more rounds", got,
	              if_exact(MORE * REGISTER_INSNS_EACH, why),
	              counting_unless_gain(counter, else_insns(MORE * REGISTER_INSNS_EACH, why)));
}

/* Uses the first general counter, and the fixed one. */
static void judge_insns(struct test_ctx *t, const char *what, rounds_of *code, uint32_t argument)
{
	unsigned fixed;

	judge_on(t, what, pmu_counter_for(counting_event(COUNTING_INSNS), 0), code, argument);
	if (counting_find_fixed(EVENT_INSTRUCTIONS_RETIRED, &fixed))
		judge_on(t, what, fixed, code, argument);
}

/* Returns the MSR of a general counter that is not used here. */
static uint32_t idle_counter(void)
{
	return pmu_counter_msr(pmu_counter_for(counting_event(COUNTING_INSNS), 0) ? 0 : 1);
}

static const char *need_two_counters(struct test_ctx *t)
{
	const char *problem = need_counting_pmu(t);

	if (problem || pmu_get()->gp_count > 1)
		return problem;
	return test_reason(t, "there is 1 general counter, the test needs an idle one");
}

TEST(rdmsr, .id = "pmu.instructions.rdmsr", .needs = need_two_counters, .source = INSNS,
     .claim = "RDMSR counts as one instruction, of the TSC and of a counter")
{
	judge_insns(t, "RDMSR of the TSC", rounds_of_rdmsr, IA32_TIME_STAMP_COUNTER);
	judge_insns(t, "RDMSR of an idle counter", rounds_of_rdmsr, idle_counter());
}

TEST(wrmsr, .id = "pmu.instructions.wrmsr", .needs = need_two_counters, .source = INSNS,
     .claim = "WRMSR of a counter counts as one instruction")
{
	judge_insns(t, "WRMSR of an idle counter", rounds_of_wrmsr, idle_counter());
}

/* RDPMC came with the Pentium MMX and the Pentium Pro. */
static const char *need_rdpmc_to_count(struct test_ctx *t)
{
	const char *problem = need_two_counters(t);

	if (problem || !counting_is_p5() || cpuid_get(CPUID_MMX))
		return problem;
	return test_reason(t, "no RDPMC: CPUID.1:EDX[23] (MMX) = 0");
}

TEST(rdpmc, .id = "pmu.instructions.rdpmc", .needs = need_rdpmc_to_count, .source = INSNS,
     .claim = "RDPMC counts as one instruction")
{
	judge_insns(t, "RDPMC", rounds_of_rdpmc, 0);
}

/* Core 2 counts CPUID as a branch, so this is judged only where the machine is exact. */
static void judge_branches(struct test_ctx *t, const char *what, rounds_of *code,
                           uint32_t argument, uint32_t each)
{
	const struct pmu_setup s = {
		.counter = pmu_counter_for(counting_event(COUNTING_BRANCHES), 0),
		.event = counting_event(COUNTING_BRANCHES), .flags = PMU_BOTH };

	test_sub(t, "%s", what);
	expect_bounds(t, "branches of 100 more rounds", more_of(&s, code, argument),
	              if_exact(MORE * each, "the JNZ of a round counts; P5 also counts WRMSR, as "
	                       "it counts all serialising instructions"), ELSE_SHOWN);
}

static const char *need_branches(struct test_ctx *t)
{
	const char *problem = need_two_counters(t);

	if (problem || !pmu_has(PMU_HAS_LEAF_0AH))
		return problem;
	return need_event(t, EVENT_BRANCH_INSTR_RETIRED);
}

TEST(registers, .id = "pmu.branches.registers", .needs = need_branches,
     .source = EVENTS "branches retired; P5: BRANCHES, which counts serialising instructions",
     .claim = "RDMSR is no branch, and WRMSR is one on P5 only")
{
	uint32_t each = REGISTER_BRANCHES_EACH;

	judge_branches(t, "RDMSR of the TSC", rounds_of_rdmsr, IA32_TIME_STAMP_COUNTER, each);
	judge_branches(t, "WRMSR of an idle counter", rounds_of_wrmsr, idle_counter(),
	               counting_is_p5() ? each + 1 : each);
}

/* A byte of port 80H takes about a microsecond: the longest window takes a millisecond. */
static void judge_ports(struct test_ctx *t, const struct workload *w)
{
	static const uint32_t lengths[] = { 0, 1, 2, 3, 15, 64 };

	for (unsigned i = 0; i < COUNT_OF(lengths); i++) {
		const struct pmu_setup s = {
			.counter = pmu_counter_for(counting_event(COUNTING_INSNS), 0),
			.event = counting_event(COUNTING_INSNS), .flags = PMU_BOTH };
		uint64_t few = pmu_measure(&s, 1, w, 1, lengths[i]).count[0];
		uint64_t many = pmu_measure(&s, 1, w, 11, lengths[i]).count[0];
		uint64_t want = workload_insns(w, 11) - workload_insns(w, 1);

		test_sub(t, "%s of %" PRIu32 " bytes", w->name, lengths[i]);
		expect_bounds(t, "instructions of 10 more rounds", many - few,
		              if_exact(want, "REP counts once, not once for each byte"),
		              else_insns(want, "REP counts once, not once for each byte"));
	}
}

TEST(ports, .id = "pmu.instructions.rep_ports", .needs = need_counting_pmu,
     .source = INSNS "; SDM 3B, \"Pre-defined Architectural Performance Events\": an instruction "
               "with a REP prefix counts as one",
     .claim = "REP INSB and REP OUTSB count once, whatever their length, even if it is 0")
{
	judge_ports(t, &workload_rep_insb);
	judge_ports(t, &workload_rep_outsb);
}

TEST(locked, .id = "pmu.branches.locked", .needs = need_branches,
     .source = EVENTS "branches retired",
     .claim = "branches count once each, with LOCK ADD, LOCK XADD, LOCK CMPXCHG and XCHG between "
              "them")
{
	static const uint32_t rounds[] = { 1, 2, 64, 1000 };

	expect_workload(t, COUNTING_BRANCHES, &workload_locked_branches, rounds, COUNT_OF(rounds),
	                0, "a round has three Jcc and a JMP; locked instructions are no branches");
}
