/* SPDX-License-Identifier: MIT */
/*
 * Events that count matches of DR0 to DR3, even if DR7 enables nothing: they are the signals of the
 * pins BP0 to BP3, which do not stop a program.
 */
#include <tests/suites/p5/p5_suite.h>

#include <arch/modes/modes.h>
#include <kernel/lib/format.h>
#include <pmu/events/events.h>
#include <tests/suites/common/needs.h>

#define SOURCE "SDM 3B, \"Events That Can Be Counted with Pentium Processor " \
               "Performance-Monitoring Counters\", BREAKPOINT MATCH ON DR0 REGISTER; \"Debug " \
               "Control Register (DR7)\""

/* DR7.R/Wn and LENn, from bit 16 + 4 * n on; see SDM 3B, "Debug Control Register (DR7)". */
enum { DR7_EXECUTION = 0x0, DR7_WRITES = 0xd, DR7_READS_WRITES = 0xf };     /* of 4 bytes */
enum { DR7_ALWAYS_SET = 0x400 };

enum { ROUNDS = 100 };

static uint32_t watched[2] __attribute__((aligned(8)));

/* Executes MOV to a debug register, from EAX or RAX. */
static void write_debug(unsigned number, uintptr_t value)
{
	const uint8_t code[] = { 0x0f, 0x23, (uint8_t)(0xc0 | number << 3) };
	const struct mode_regs regs = { .ax = value };

	mode_run(MODE_CPL0, code, sizeof(code), &regs);
}

static void watch(unsigned n, const volatile void *address, unsigned kind)
{
	write_debug(n, (uintptr_t)address);
	write_debug(7, DR7_ALWAYS_SET | kind << (16 + 4 * n));
}

/* Returns the matches of DRn while the code runs. */
static uint64_t matches(unsigned n, const struct workload *w, uint32_t rounds, uint32_t argument)
{
	static const char *const names[] = {
		"BREAKPOINT_MATCH_ON_DR0_REGISTER", "BREAKPOINT_MATCH_ON_DR1_REGISTER",
		"BREAKPOINT_MATCH_ON_DR2_REGISTER", "BREAKPOINT_MATCH_ON_DR3_REGISTER",
	};
	const struct pmu_setup s = pmu_event_setup(pmu_event_find(names[n]), NULL, 0, PMU_BOTH);

	return pmu_measure(&s, 1, w, rounds, argument).count[0];
}

/* Returns what ROUNDS more rounds of a workload count that is given the first of watched. */
static uint64_t data_matches(unsigned n, const char *workload)
{
	const struct workload *w = workload_find(workload);
	uint32_t argument = (uint32_t)(uintptr_t)&watched[0];

	return matches(n, w, 1 + ROUNDS, argument) - matches(n, w, 1, argument);
}

static void check(struct test_ctx *t, unsigned n)
{
	uint64_t elsewhere;

	watch(n, &watched[0], DR7_READS_WRITES);
	expect_exact(t, "R/W = 3, reads", data_matches(n, "load_at"), ROUNDS, "one match a round");
	expect_exact(t, "R/W = 3, writes", data_matches(n, "store_at"), ROUNDS,
	             "one match a round");
	watch(n, &watched[0], DR7_WRITES);
	expect_exact(t, "R/W = 1, reads", data_matches(n, "load_at"), 0,
	             "the breakpoint is for writes");
	expect_exact(t, "R/W = 1, writes", data_matches(n, "store_at"), ROUNDS,
	             "one match a round");
	watch(n, &watched[1], DR7_READS_WRITES);
	expect_exact(t, "R/W = 3, reads beside it", data_matches(n, "load_at"), 0,
	             "these are the four bytes after those that the breakpoint covers");
	elsewhere = matches(n, &workload_loop, ROUNDS, 0);
	watch(n, (const volatile void *)(uintptr_t)workload_loop.code, DR7_EXECUTION);
	expect_exact(t, "R/W = 0, executions", matches(n, &workload_loop, ROUNDS, 0) - elsewhere, 1,
	             "the first instruction matches once a call; as a branch's target it "
	             "is in the U pipe");
	watch(n, NULL, DR7_EXECUTION);
}

#define BREAKPOINT(n) \
	TEST(dr##n, .id = "p5.breakpoints.dr" #n, .needs = need_p5_modes, .source = SOURCE, \
	     .claim = "accesses that DR" #n " matches count, whether DR7 enables it or not") \
	{ \
		check(t, n); \
	} \
	_Static_assert(n < 4, "there are four breakpoints")

BREAKPOINT(0);
BREAKPOINT(1);
BREAKPOINT(2);
BREAKPOINT(3);
