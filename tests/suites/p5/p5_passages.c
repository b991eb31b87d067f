/* SPDX-License-Identifier: MIT */
/*
 * Passages through levels of privilege, by event: passages.h. To a Pentium the delivery of an
 * exception or of an interrupt is an instruction and a branch.
 */
#include <tests/suites/p5/p5_suite.h>

#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/passages.h>
#include <tests/suites/common/needs.h>

static struct passage_facts facts(void)
{
	const struct passage_entry exception = { .low = { 1, 1 }, .high = { 1, 1 } };
	struct passage_entry interrupt = exception;

	interrupt.low[PASSAGE_INTERRUPTS] = interrupt.high[PASSAGE_INTERRUPTS] = 1;
	return (struct passage_facts){
		.events = { { PASSAGE_INSNS, "INSTRUCTIONS_EXECUTED",
		              counting_event(COUNTING_INSNS) },
		            { PASSAGE_BRANCHES, "BRANCHES", counting_event(COUNTING_BRANCHES) },
		            { PASSAGE_INTERRUPTS, "HARDWARE_INTERRUPTS",
		              p5_event("HARDWARE_INTERRUPTS") } },
		.count = 3, .exception = exception, .interrupt = interrupt,
	};
}

#define SOURCE P5_EVENTS ", 12H, 16H and 27H"

PASSAGE_TEST(int_iret, PASSAGE_INT, "p5", need_p5, facts, TEST_EVERYWHERE, SOURCE,
             "INT n and IRET");
PASSAGE_TEST(fault, PASSAGE_FAULT, "p5", need_p5, facts, TEST_EVERYWHERE, SOURCE,
             "a fault and IRET");
PASSAGE_TESTS_OF_INTERRUPTS("p5", need_p5, facts, TEST_EVERYWHERE, SOURCE);
