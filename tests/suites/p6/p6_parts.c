/* SPDX-License-Identifier: MIT */
/*
 * Events that are part of others never count more than these, as two counters of one window,
 * whatever the machine speculates. p6.events judges what one event's row in the table says of that
 * event; these tests judge that rows agree.
 */
#include <tests/suites/common/events/event_run.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/p6/p6_suite.h>

/* These hold while the code runs so many rounds; is_all: where the machine is exact,
 * part is all of whole. */
struct part {
	const char *part, *whole, *code;
	uint32_t rounds;
	bool is_all;
};

#define SOME(part, whole, code, rounds)  { part, whole, code, rounds, false }
#define ALL(part, whole, code, rounds)   { part, whole, code, rounds, true }

/* Each event is on the counter that can count it; an event that both can count leaves the other
 * event its own. */
static void check_part(struct test_ctx *t, const struct part *p)
{
	const struct event_exercise row = {
		.event = p->part, .moves = p->code, .many = p->rounds,
		.flags = EXERCISE_ARENA | EXERCISE_COLD,
	};
	const struct pmu_event *part = pmu_event_find(p->part), *whole = pmu_event_find(p->whole);
	unsigned on = part->counters == 1 << 1 || whole->counters == 1 << 0;
	const struct pmu_setup setups[] = {
		pmu_event_setup(part, NULL, on, PMU_BOTH),
		pmu_event_setup(whole, NULL, !on, PMU_BOTH),
	};
	struct pmu_reading r = event_row_measure(&row, setups, 2, p->rounds);
	struct bounds some = else_in(0, r.count[1], "low: no count is negative; high: whatever "
	                             "this event counts, the other one counts as well");

	test_sub(t, "%s of %s, %s", p->part, p->whole, p->code);
	expect_bounds(t, "count", r.count[0],
	              p->is_all ? if_exact(r.count[1],
	                                   "the other event counts nothing else in this code")
	                        : some, some);
	test_sub(t, "%s", "");
}

static void check_parts(struct test_ctx *t, const struct part *parts, size_t count)
{
	for (size_t i = 0; i < count && expect_alive(t, 2); i++)
		check_part(t, &parts[i]);
}

/* The test p6.parts.NAME, of these parts. */
#define PARTS(name, runs_, claim_, ...) \
	static void name(struct test_ctx *t) \
	{ \
		static const struct part parts[] = { __VA_ARGS__ }; \
\
		check_parts(t, parts, COUNT_OF(parts)); \
	} \
	TEST_OF(name, .id = "p6.parts." #name, .needs = need_p6, .runs = runs_, \
	     .source = P6_EVENTS, .claim = claim_)

PARTS(clocks, TEST_ALONE,
      "clocks with a condition are some of the clocks, or all",
	ALL("CYCLES_INT_MASKED", "CPU_CLK_UNHALTED", "loop", 1000),
	SOME("CYCLES_INT_MASKED", "CPU_CLK_UNHALTED", "loop_unmasked", 1000),
	SOME("CYCLES_INT_PENDING_AND_MASKED", "CYCLES_INT_MASKED", "loop", 1000),
	SOME("IFU_MEM_STALL", "CPU_CLK_UNHALTED", "line_code_walk", 1000),
	SOME("RESOURCE_STALLS", "CPU_CLK_UNHALTED", "random", 1000),
	SOME("CYCLES_DIV_BUSY", "CPU_CLK_UNHALTED", "divide", 1000),
	SOME("SB_DRAINS", "CPU_CLK_UNHALTED", "xchg", 1000),
	SOME("L2_DBUS_BUSY", "CPU_CLK_UNHALTED", "line_walk", 1000),
	SOME("L2_DBUS_BUSY_RD", "L2_DBUS_BUSY", "line_store_walk", 3000));

PARTS(branches, TEST_EVERYWHERE,
      "branches of a kind are some of the branches, which are some of the instructions",
	SOME("BR_INST_RETIRED", "INST_RETIRED", "call", 1000),
	SOME("BR_TAKEN_RETIRED", "BR_INST_RETIRED", "jcc_not_taken", 1000),
	SOME("BR_TAKEN_RETIRED", "BR_INST_RETIRED", "jmp", 1000),
	SOME("BR_MISS_PRED_RETIRED", "BR_INST_RETIRED", "random", 1000),
	SOME("BR_MISS_PRED_TAKEN_RET", "BR_MISS_PRED_RETIRED", "random", 1000),
	SOME("BR_MISS_PRED_TAKEN_RET", "BR_TAKEN_RETIRED", "random", 1000),
	SOME("BTB_MISSES", "BR_INST_DECODED", "line_code_walk", 1000),
	SOME("BR_INST_RETIRED", "BR_INST_DECODED", "call_indirect", 1000));

PARTS(instructions, TEST_EVERYWHERE,
      "what retires was decoded, and consists of micro-operations",
	SOME("INST_RETIRED", "UOPS_RETIRED", "push_pop", 1000),
	SOME("INST_RETIRED", "UOPS_RETIRED", "divide", 1000),
	SOME("INST_RETIRED", "INST_DECODED", "loop", 1000),
	SOME("FLOPS", "INST_RETIRED", "fadd", 1000),
	SOME("DIV", "FP_COMP_OPS_EXE", "idiv", 1000),
	SOME("MUL", "FP_COMP_OPS_EXE", "fmul", 1000),
	SOME("SEGMENT_REG_LOADS", "INST_RETIRED", "load_es", 1000));

PARTS(memory, TEST_ALONE,
      "requests, misses and lines of a kind are some of all of them",
	SOME("MISALIGN_MEM_REF", "DATA_MEM_REFS", "misaligned_load", 1000),
	SOME("DCU_LINES_IN", "DATA_MEM_REFS", "line_walk", 1000),
	SOME("DCU_M_LINES_IN", "DCU_LINES_IN", "line_store_walk", 1000),
	SOME("DCU_M_LINES_IN", "DCU_LINES_IN", "line_walk", 1000),
	SOME("IFU_IFETCH_MISS", "IFU_IFETCH", "line_code_walk", 1000),
	SOME("L2_IFETCH", "L2_RQSTS", "line_code_walk", 1000),
	SOME("L2_LD", "L2_RQSTS", "line_store_and_walk", 3000),
	SOME("L2_ST", "L2_RQSTS", "line_store_and_walk", 3000),
	SOME("L2_RQSTS", "L2_ADS", "line_walk", 1000));

PARTS(bus, TEST_ALONE,
      "transactions of a kind are some of all transactions",
	SOME("BUS_TRAN_BRD", "BUS_TRAN_BURST", "line_walk", 1000),
	SOME("BUS_TRAN_RFO", "BUS_TRAN_BURST", "line_store_walk", 1000),
	SOME("BUS_TRAN_IFETCH", "BUS_TRAN_BURST", "line_code_walk", 1000),
	SOME("BUS_TRAN_BURST", "BUS_TRAN_MEM", "line_store_walk", 1000),
	ALL("BUS_TRAN_MEM", "BUS_TRAN_ANY", "line_walk", 1000),
	SOME("BUS_TRAN_MEM", "BUS_TRAN_ANY", "in_port", 1000),
	SOME("BUS_TRAN_IO", "BUS_TRAN_ANY", "in_port", 1000),
	ALL("BUS_TRAN_PWR", "BUS_TRAN_P", "video_writes", 1000),
	SOME("BUS_TRAN_PWR", "BUS_TRAN_P", "video_reads", 1000));
