/* SPDX-License-Identifier: MIT */
/*
 * INSTRUCTIONS_EXECUTED (16H) and INSTRUCTIONS_EXECUTED_V_PIPE (17H). By the manual's table a REP
 * string instruction and a HLT count once; "invocations of a fault handler are considered
 * instructions", and "all hardware and software interrupts and exceptions will also cause the count
 * to be incremented": unlike later processors a Pentium counts the entry into a handler.
 */
#include <tests/suites/p5/p5_suite.h>

#include <stddef.h>

#include <arch/interrupts/local_apic.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/halting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/self_interrupts.h>

#define SOURCE P5_EVENTS ", 16H"

static const uint32_t few_rounds[] = { 1, 2, 3, 64, 1000 };

TEST(once, .id = "p5.instructions.once", .needs = need_p5, .source = SOURCE,
     .claim = "every instruction counts once, however long it takes")
{
	static const struct workload *const all[] = {
		&workload_loop, &workload_nops, &workload_cpuid, &workload_enter_leave,
		&workload_divide, &workload_jcc_taken, &workload_jcc_not_taken, &workload_call,
		&workload_call_indirect, &workload_loop_insn, &workload_jecxz, &workload_far_jmp,
		&workload_far_call, &workload_iret,
	};

	for (size_t i = 0; i < COUNT_OF(all); i++)
		expect_workload(t, COUNTING_INSNS, all[i], few_rounds, COUNT_OF(few_rounds), 0,
		                "every instruction that was executed counts once");
}

static void check_rep(struct test_ctx *t, const struct workload *w)
{
	static const uint32_t lengths[] = { 0, 1, 2, 15, 64, 255, 1000 };

	for (size_t i = 0; i < COUNT_OF(lengths); i++)
		expect_workload(t, COUNTING_INSNS, w, few_rounds, COUNT_OF(few_rounds), lengths[i],
		                "REP counts once, not once for each iteration");
}

TEST(rep, .id = "p5.instructions.rep", .needs = need_p5, .source = SOURCE,
     .claim = "REP MOVSB and REP STOSD count once, whatever their length")
{
	check_rep(t, &workload_movsb);
	check_rep(t, &workload_stosd);
}

/* Returns the counts of 1000 more rounds on each counter. */
static void more_of(const struct workload *w, uint64_t counts[P5_COUNTERS])
{
	const struct pmu_setup both[] = { p5_setup(0, "INSTRUCTIONS_EXECUTED", 0),
	                                  p5_setup(1, "INSTRUCTIONS_EXECUTED", 0) };
	struct pmu_reading few = pmu_measure(both, 2, w, 100, 0);
	struct pmu_reading many = pmu_measure(both, 2, w, 1100, 0);

	for (unsigned x = 0; x < P5_COUNTERS; x++)
		counts[x] = many.count[x] - few.count[x];
}

/* UD2 is not executed: it adds the invocation of its handler. */
TEST(faults, .id = "p5.instructions.faults", .needs = need_p5, .source = SOURCE,
     .claim = "the invocation of a fault's handler counts as an instruction")
{
	uint64_t counts[P5_COUNTERS];

	pmu_workload_gates();
	more_of(&workload_fault, counts);
	for (unsigned x = 0; x < P5_COUNTERS; x++) {
		test_sub(t, "CTR%u", x);
		expect_exact(t, "1000 more faults", counts[x],
		             workload_insns(&workload_fault, 1100)
		             - workload_insns(&workload_fault, 100) + 1000,
		             "the handlers' and the loop's instructions count, and "
		             "one invocation each");
	}
}

TEST(software, .id = "p5.instructions.software_interrupts", .needs = need_p5, .source = SOURCE,
     .claim = "INT n and the entry into its handler count once or twice")
{
	uint64_t want = workload_insns(&workload_int_iret, 1100)
	                - workload_insns(&workload_int_iret, 100);
	uint64_t counts[P5_COUNTERS];

	pmu_workload_gates();
	more_of(&workload_int_iret, counts);
	for (unsigned x = 0; x < P5_COUNTERS; x++) {
		test_sub(t, "CTR%u", x);
		expect_between(t, "1000 more times INT n", counts[x], want, want + 1000,
		               "low: the INT is its own entry; high: the entry counts once more");
		test_report(t, "what each INT n adds beside itself", "%" PRId64 " thousandths",
		            counts[x] - want);
	}
}

/* Checks interrupts that the processor sends to itself: what each adds beside the instructions
 * around and in the handler. */
static void check_interrupts(struct test_ctx *t, enum arch_interrupt kind, const char *what)
{
	enum { FEW = 2, MANY = 8, MORE = MANY - FEW };
	struct arch_interrupt_counts known = arch_interrupts_prepare(kind);
	uint16_t event = counting_event(COUNTING_INSNS);
	uint64_t few = counting_one(event, arch_interrupts_send, FEW, kind);
	uint64_t many = counting_one(event, arch_interrupts_send, MANY, kind);
	uint32_t insns = MORE * (known.insns_each + known.handler_insns);

	expect_bounds(t, what, many - few,
	              if_exact(insns + MORE, "the instructions count, and one for each entry"),
	              else_in(insns, insns + 2 * MORE, "low: the instructions; high: also the "
	                      "entry, and the interrupted instruction once more"));
}

TEST(interrupts, .id = "p5.instructions.interrupts", .needs = need_p5_apic, .source = SOURCE,
     .claim = "a hardware interrupt and an NMI count as one instruction each")
{
	check_interrupts(t, ARCH_INTERRUPT_NMI, "six more NMIs");
	check_interrupts(t, ARCH_INTERRUPT_FIXED, "six more interrupts");
}

TEST(halted, .id = "p5.instructions.halted", .needs = need_p5_apic, .runs = TEST_ALONE,
     .source = SOURCE, .claim = "HLT counts once, however long it takes")
{
	const struct pmu_setup both[] = { p5_setup(0, "INSTRUCTIONS_EXECUTED", 0),
	                                  p5_setup(1, "INSTRUCTIONS_EXECUTED", 0) };
	struct pmu_reading few = measure_halt(both, 2, HALT_SHORT, LOOP_SHORT).reading;
	struct pmu_reading many = measure_halt(both, 2, HALT_LONG, LOOP_SHORT).reading;

	for (unsigned x = 0; x < P5_COUNTERS; x++) {
		test_sub(t, "CTR%u", x);
		expect_exact(t, "a longer HLT", many.count[x], few.count[x],
		             "HLT is one instruction, however long it takes");
	}
}

/* ------------------------------------------------------------------------ clocks not in HLT */

static NEED_BOTH(need_mmx_and_apic, need_p5_mmx, need_local_apic)

TEST(clocks_halted, .id = "p5.cycles.halted", .needs = need_mmx_and_apic, .runs = TEST_ALONE,
     .source = P5_EVENTS ", 30H on CTR0",
     .claim = "NUMBER_OF_CYCLES_NOT_IN_HALT_STATE does not count in HLT")
{
	const struct pmu_setup s = p5_setup(0, "NUMBER_OF_CYCLES_NOT_IN_HALT_STATE", PMU_CLOCKS);

	judge_halted(t, "cycles not in HLT", &s, 0);
}

TEST(halted_events, .id = "p5.cycles.halted_events", .needs = need_p5_apic, .runs = TEST_ON_BOOT,
     .source = P5_EVENTS,
     .claim = "nothing else counts in HLT: bus clocks, reads, writes, cache lines, stalls")
{ judge_halted_table(t); }

/* ------------------------------------------------------------------------ pairs */

static const struct workload *const pair_workloads[] = {
	&workload_loop, &workload_nops, &workload_jmp, &workload_call, &workload_random,
	&workload_divide, &workload_cpuid, &workload_enter_leave,
};

static struct pmu_reading count_pairs(const struct workload *w, uint32_t rounds)
{
	const struct pmu_setup both[] = { p5_setup(0, "INSTRUCTIONS_EXECUTED", 0),
	                                  p5_setup(1, "INSTRUCTIONS_EXECUTED_V_PIPE", 0) };

	return pmu_measure(both, 2, w, rounds, 0x2545f491);
}

TEST(pairs_bound, .id = "p5.pairs.bound", .needs = need_p5, .source = P5_EVENTS ", 17H",
     .claim = "at most every second instruction is executed in the V pipe")
{
	for (size_t i = 0; i < COUNT_OF(pair_workloads); i++) {
		struct pmu_reading r = count_pairs(pair_workloads[i], 1000);

		test_sub(t, "%s", pair_workloads[i]->name);
		expect_between(t, "in the V pipe", r.count[1], 0, (r.count[0] + 1) >> 1,
		               "low: nothing need pair; high: each has one in the U pipe, except "
		               "the first of the window");
	}
}

TEST(pairs_nops, .id = "p5.pairs.nops", .needs = need_p5, .source = P5_EVENTS ", 17H",
     .claim = "NOPs pair")
{
	struct pmu_reading few, many;

	workload_nops.code(4096, 0);
	few = count_pairs(&workload_nops, 96);
	many = count_pairs(&workload_nops, 4096);
	expect_between(t, "4000 more NOPs: in the V pipe", many.count[1] - few.count[1], 1000, 2001,
	               "low: half of what pairs at best, as a byte that is decoded for the first "
	               "time does not pair; high: every second one, and an odd one before");
}

/* DIV and CPUID run in the U pipe alone; DEC and JNZ are left of a round. */
TEST(pairs_alone, .id = "p5.pairs.alone", .needs = need_p5, .source = P5_EVENTS ", 17H",
     .claim = "DIV and CPUID do not pair")
{
	static const struct workload *const alone[] = { &workload_divide, &workload_cpuid };

	for (size_t i = 0; i < COUNT_OF(alone); i++) {
		const struct workload *w = alone[i];
		uint64_t few = count_pairs(w, 100).count[1], many = count_pairs(w, 1100).count[1];
		uint64_t pairs = (workload_insns(w, 1100) - workload_insns(w, 100) - 1000) / 2;
		uint64_t own = unless_exact(workload_insns(w, 1) + PMU_WINDOW_INSNS);

		test_sub(t, "%s", w->name);
		expect_between(t, "1000 more rounds: in the V pipe", many - few + own, 0,
		               pairs + 2 * own,
		               "low: nothing need pair; high: half of the other instructions of a "
		               "round, and the window's own, which pair if they were decoded "
		               "before");
	}
}
