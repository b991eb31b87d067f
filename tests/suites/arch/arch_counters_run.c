/* SPDX-License-Identifier: MIT */
/*
 * The counters during and after counting: these tests check that RDMSR and RDPMC agree, that
 * counting goes on from the start value, and that a write takes effect at once.
 */
#include <kernel/run/test.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <tests/suites/arch/arch_rules.h>
#include <tests/suites/common/counts/carries.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/instruction.h>
#include <tests/suites/common/needs.h>

#define RDPMC "SDM 2B, RDPMC"

enum { ROUNDS = 300 };

static const char *need_arch_and_modes(struct test_ctx *t)
{
	return need_arch(t) ? need_arch(t) : need_modes(t);
}

static uint32_t rdpmc_index(unsigned counter)
{
	return counter < PMU_FIXED ? counter : RDPMC_FIXED + (counter - PMU_FIXED);
}

/* Compares all 64 bits of both reads: bits above the width read 0. */
static void check_reads(struct test_ctx *t, unsigned c, const char *when)
{
	uint64_t by_rdmsr = pmu_read(c), by_rdpmc = 0;
	char name[PMU_NAME_SIZE];

	test_sub(t, "%s %s", pmu_counter_name(c, name), when);
	expect_bits(t, "RDMSR, bits above the width", by_rdmsr, ~arch_counter_max(c), 0,
	            "bits above the width read 0");
	if (!expect_no_fault(t, "RDPMC", pmc_try_read(rdpmc_index(c), &by_rdpmc),
	                     "RDPMC accepts the index of an existing counter"))
		return;
	expect_exact(t, "RDPMC", by_rdpmc, by_rdmsr, "RDMSR and RDPMC read the same counter");
}

TEST(rdpmc, .id = "arch.counters.rdpmc", .needs = need_arch, .source = RDPMC,
     .claim = "RDPMC reads what RDMSR reads, in every counter, with zeros above its width")
{
	FOR_EACH_COUNTER(c) {
		struct pmu_setup s = arch_setup(c, 0, arch_counter_max(c));

		pmu_write(c, 0x1234567 + c);
		check_reads(t, c, "after a positive write");
		pmu_write(c, arch_counter_max(c) - c);
		check_reads(t, c, "after a negative write");
		pmu_measure(&s, 1, &workload_loop, ROUNDS, 0);
		check_reads(t, c, "after it wrapped");
		s.start = 0;
		pmu_measure(&s, 1, &workload_loop, ROUNDS, 0);
		check_reads(t, c, "after it counted from 0");
	}
}

/* The other counters hold other values, so that an index that is off by one shows. */
TEST(rdpmc_index_own, .id = "arch.counters.rdpmc_index", .needs = need_arch, .source = RDPMC,
     .claim = "each index of RDPMC reads its own counter")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c)
		pmu_write(c, 0x10000 + c);
	FOR_EACH_COUNTER(c) {
		uint64_t got = 0;

		test_sub(t, "RDPMC, ECX = %08XH (%s)", rdpmc_index(c), pmu_counter_name(c, name));
		if (expect_no_fault(t, "outcome", pmc_try_read(rdpmc_index(c), &got), RDPMC))
			expect_exact(t, "value", got, 0x10000 + c,
			             "the value that was written to this counter");
	}
}

/* At CPL 3 RDPMC works where CR4.PCE allows it. */
TEST(rdpmc_user, .id = "arch.counters.rdpmc_user", .needs = need_arch_and_modes, .source = RDPMC,
     .claim = "at CPL 3, with CR4.PCE = 1, each index of RDPMC reads its own counter")
{
	char name[PMU_NAME_SIZE];
	uintptr_t cr4 = cr4_read();

	FOR_EACH_COUNTER(c)
		pmu_write(c, 0x20000 + c);
	cr4_write(cr4 | CR4_PCE);
	FOR_EACH_COUNTER(c) {
		struct mode_result r = instruction_run(&insn_rdpmc, MODE_CPL3, rdpmc_index(c));

		test_sub(t, "CPL 3, RDPMC, ECX = %08XH (%s)", rdpmc_index(c),
		         pmu_counter_name(c, name));
		if (expect_no_fault(t, "outcome", r.fault, "CR4.PCE = 1"))
			expect_exact(t, "value", instruction_value(&r), 0x20000 + c,
			             "the value that was written to this counter");
	}
	cr4_write(cr4);
}

/* Values that a legacy write can make: bits 31 and up are all equal. */
static const int32_t starts[] = { 1, 0x10000, 0x7fff0000, -0x7fff0000, -0x10000 };

TEST(preset, .id = "arch.counters.preset", .needs = need_arch, .source = V1 ", IA32_PMCx",
     .claim = "counting goes on from the start value, whatever it is")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		struct pmu_setup s = arch_setup(c, 0, 0);
		uint64_t from_0 = pmu_measure(&s, 1, &workload_loop, ROUNDS, 0).count[0];

		for (unsigned i = 0; i < COUNT_OF(starts) && arch_counts_insns(c); i++) {
			s.start = (uint64_t)(int64_t)starts[i] & arch_counter_max(c);
			test_sub(t, "%s from %" PRIX64 "H", pmu_counter_name(c, name), s.start);
			pmu_program(&s, 1);
			expect_exact(t, "value when programmed", pmu_read(c), s.start,
			             "writes of a control leave its counter alone");
			expect_exact(t, "counts",
			             pmu_measure(&s, 1, &workload_loop, ROUNDS, 0).count[0],
			             from_0, "it counts as many as from 0");
		}
	}
}

TEST(stands, .id = "arch.counters.stands", .needs = need_arch, .source = V1 ", EN",
     .claim = "a counter that was stopped keeps its value")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		struct pmu_setup s = arch_setup(c, 0, 0);
		uint64_t value = pmu_measure(&s, 1, &workload_loop, ROUNDS, 0).value[0];

		workload_loop.code(ROUNDS, 0);
		test_sub(t, "%s", pmu_counter_name(c, name));
		expect_exact(t, "after another loop", pmu_read(c), value, "the counter is stopped");
	}
}

/* The fields of write_inside()'s argument: the counter to write, the value, and
 * the rounds after it. */
#define INSIDE_COUNTER  FIELD(6, 0)
#define INSIDE_FULL     BIT(7)          /* by IA32_A_PMCx */
#define INSIDE_VALUE    FIELD(23, 8)
#define INSIDE_ROUNDS   FIELD(31, 24)

static void write_inside(uint32_t rounds, uint32_t argument)
{
	const unsigned c = (unsigned)FIELD_GET(INSIDE_COUNTER, argument);

	workload_loop.code(rounds, 0);
	if (argument & INSIDE_FULL)
		msr_write(IA32_A_PMC(c), FIELD_GET(INSIDE_VALUE, argument));
	else
		pmu_write(c, FIELD_GET(INSIDE_VALUE, argument));
	workload_loop.code((uint32_t)FIELD_GET(INSIDE_ROUNDS, argument), 0);
}

/* Returns the counter after so many rounds, a write of value into it, and more rounds. */
static uint64_t run_inside(unsigned where, uint32_t rounds, uint32_t value, uint32_t rounds_after)
{
	struct pmu_setup s = arch_setup((unsigned)FIELD_GET(INSIDE_COUNTER, where), 0, 0);
	uint32_t argument = (uint32_t)(where
	                               | FIELD_PUT(INSIDE_VALUE, value)
	                               | FIELD_PUT(INSIDE_ROUNDS, rounds_after));

	return pmu_measure_code(&s, 1, write_inside, rounds, argument).value[0];
}

static void check_running(struct test_ctx *t, unsigned where, const char *how)
{
	const uint64_t base = run_inside(where, 100, 0, 100);
	char name[PMU_NAME_SIZE];

	test_sub(t, "%s, 0 written%s while it runs",
	         pmu_counter_name((unsigned)FIELD_GET(INSIDE_COUNTER, where), name), how);
	expect_exact(t, "value with more rounds before", run_inside(where, 1100, 0, 100), base,
	             "the write replaces what was counted before it");
	expect_exact(t, "value with 100 more rounds after", run_inside(where, 100, 0, 200) - base,
	             workload_insns(&workload_loop, 200) - workload_insns(&workload_loop, 100),
	             "what retires after the write is counted");
	expect_exact(t, "value where 5000 was written", run_inside(where, 100, 5000, 100),
	             base + 5000, "counting goes on from the value written");
}

TEST(running, .id = "arch.counters.write_running", .needs = need_arch, .source = V1 ", IA32_PMCx",
     .claim = "a write into a counter that runs takes effect, and counting goes on from there")
{
	FOR_EACH_COUNTER(c) {
		if (!arch_counts_insns(c))
			continue;
		check_running(t, c, "");
		if (counting_has_full_width(c))
			check_running(t, c | (unsigned)INSIDE_FULL, " through IA32_A_PMCx");
	}
}

TEST(carries, .id = "arch.counters.carries", .needs = need_arch, .source = V1 ", IA32_PMCx; " FULL,
     .claim = CARRIES_CLAIM)
{
	carries_of_instructions(t);
}
