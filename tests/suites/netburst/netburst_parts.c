/* SPDX-License-Identifier: MIT */
/*
 * Events that are part of others never count more than these in one window, whatever the machine
 * speculates. The part starts last and stops first, by WRMSRs, which serialise, so that the other
 * event counts everything that the part counts.
 */
#include <kernel/run/test.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/regs/table.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/netburst_suite.h>
#include <tests/suites/netburst/netburst_blocks.h>

#define SOURCE "SDM 3B, \"Performance-Monitoring Events\""

struct side { const char *event, *masks; };

/* These hold while the code runs. whole.event NULL stands for clocks of the core. is_all: where the
 * machine is exact, each round adds the same to both. */
struct part {
	struct side part, whole;
	const struct workload *code;
	bool is_all;
};

enum { ROUNDS = 1000, SEED = 12345, CLOCKS_ON = 17 };

static struct netburst_request request(struct side s, uint32_t counters)
{
	struct netburst_request r;
	char problem[128];

	if (!netburst_request(&r, s.event, s.masks, PMU_BOTH, problem, sizeof(problem)))
		test_abort("%s", problem);
	r.counters = counters;
	return r;
}

static void check_part(struct test_ctx *t, const struct part *p)
{
	struct netburst_request requests[2] = { request(p->part, (1u << CLOCKS_ON) - 1) };
	struct netburst_use uses[2];
	struct pmu_setup setups[2];
	struct pmu_reading few, many;
	char problem[128];

	if (p->whole.event)
		requests[1] = request(p->whole, (1u << CLOCKS_ON) - 1);
	if (!netburst_allocate(requests, p->whole.event ? 2 : 1, setups, uses, problem,
	                       sizeof(problem)))
		test_abort("%s", problem);
	if (!p->whole.event)
		setups[1] = netburst_clock_setup(&uses[1], CLOCKS_ON);
	few = pmu_measure(setups, 2, p->code, ROUNDS, SEED);
	many = pmu_measure(setups, 2, p->code, 2 * ROUNDS, SEED);
	test_sub(t, "%s of %s, %s", p->part.event, p->whole.event ? p->whole.event : "clocks",
	         p->code->name);
	expect_between(t, "count", many.count[0], 0, many.count[1],
	               "low: no count is negative; high: whatever this event counts, the other one "
	               "counts as well");
	if (p->is_all)
		expect_bounds(t, "more in more rounds", many.count[0] - few.count[0],
		              if_exact(many.count[1] - few.count[1],
		                       "the other event counts nothing else in this code"),
		              ELSE_NOTHING);
	test_sub(t, "%s", "");
}

static void check_parts(struct test_ctx *t, const struct part *parts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_part(t, &parts[i]);
}

#define RETIRED  { "instr_retired", "NBOGUSNTAG+NBOGUSTAG" }
#define BRANCHES { "branch_retired", NULL }

TEST(clocks, .id = "netburst.parts.clocks", .needs = need_netburst, .source = SOURCE,
     .claim = "clocks with a condition are some of the clocks, or all")
{
	static const struct part parts[] = {
		{ { "global_power_events", NULL }, { 0 }, &workload_loop, true },
		{ { "global_power_events", NULL }, { 0 }, &workload_divide, true },
		{ { "TC_deliver_mode", NULL }, { 0 }, &workload_random, true },
		{ { "resource_stall", NULL }, { 0 }, &workload_divide, false },
	};

	check_parts(t, parts, COUNT_OF(parts));
}

TEST(uops, .id = "netburst.parts.uops", .needs = need_netburst, .source = SOURCE,
     .claim = "what retires consists of micro-operations, which were written to the queue")
{
	static const struct part parts[] = {
		{ RETIRED, { "uops_retired", "NBOGUS" }, &workload_call, false },
		{ RETIRED, { "uops_retired", "NBOGUS" }, &workload_cpuid, false },
		{ { "uops_retired", NULL }, { "uop_queue_writes", NULL }, &workload_loop, false },
		{ { "uops_retired", NULL }, { "uop_queue_writes", NULL }, &workload_random, false },
		{ { "uop_queue_writes", "FROM_ROM" }, { "uop_queue_writes", NULL },
		  &workload_cpuid, false },
	};

	check_parts(t, parts, COUNT_OF(parts));
}

TEST(branches, .id = "netburst.parts.branches", .needs = need_netburst, .source = SOURCE,
     .claim = "branches of a kind are some of the branches, which are some of the instructions")
{
	static const struct part parts[] = {
		{ BRANCHES, RETIRED, &workload_call, false },
		{ { "mispred_branch_retired", NULL }, BRANCHES, &workload_random, false },
		{ { "branch_retired", "MMNM+MMTM" }, { "mispred_branch_retired", NULL },
		  &workload_random, true },
		{ { "retired_mispred_branch_type", "RETURN" }, { "retired_branch_type", "RETURN" },
		  &workload_call, false },
	};

	check_parts(t, parts, COUNT_OF(parts));
}

/* ---------------------------------------------------------------------------- no bit at all */

TEST(none, .id = "netburst.parts.none", .needs = need_netburst_modes, .source = MAP,
     .claim = "an event whose mask is 0 counts nothing, on every counter")
{
	enum { ROUNDS = 100 };

	for (unsigned x = 0; x < NETBURST_COUNTERS; x++) {
		struct block_counter c = { .counter = x,
		                           .cccr = blocks_cccr(x) | (uint32_t)CCCR_ENABLE };
		uint32_t msr, value = blocks_escr(x, &msr);

		blocks_program(&c, 1);
		msr_write(msr, value & ~ESCR_EVENT_MASK);
		blocks_code(ROUNDS, 0);
		blocks_read(&c, 1);
		expect_bounds(t, netburst_counters[x].name, blocks_count(&c),
		              if_exact(0, "the ESCR selects none of the event's conditions"),
		              ELSE_SHOWN);
	}
}
