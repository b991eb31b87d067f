/* SPDX-License-Identifier: MIT */
/* The code that exercises an event: a workload, or what needs more than a workload has. */
#ifndef TESTS_SUITES_COMMON_EVENTS_EVENT_CODE_H
#define TESTS_SUITES_COMMON_EVENTS_EVENT_CODE_H

#include <stdint.h>

#include <kernel/run/test.h>

struct event_code {
	const char *name;
	void (*code)(uint32_t rounds, uint32_t argument);
	void (*prepare)(uint32_t rounds);   /* right before each window; may be NULL */
	const char *(*need)(struct test_ctx *t);  /* may be NULL */
	uint32_t stride;                 /* bytes a round, of what walks through the arena; or 0 */
};

/*
 * By name; one that does not exist ends the test. Beside the workloads:
 *	interrupts, nmis        one a round, that this processor sends itself; each spins a while
 *	pending_loop            a loop of so many rounds with one interrupt pending and IF = 0
 *	walk32_twice            two walks: of rounds that L1D cannot hold, the second finds L2
 *	store_and_walk32        the same, and the first one writes
 *	code_walk               a jump a round, each to the next line of 32 bytes
 *	code_page_walk          a jump a round, each to the next page, and the next line in it
 *	modify_code             writes an instruction, as it was, and executes it
 *	apic_reads, apic_writes one a round, of the local APIC's registers
 *	video_reads, video_writes   of a text screen's memory, below what is shown
 */
struct event_code event_code_find(const char *name);

/* Can it run here: has this processor its instructions, is the arena large enough for so many
 * rounds from an offset on? NULL, or the reason. */
const char *event_code_need(struct test_ctx *t, const struct event_code *c, uint32_t rounds,
                            uint32_t offset);

#endif
