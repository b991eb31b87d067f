/* SPDX-License-Identifier: MIT */
/* Finds the code that exercises an event: a workload, or code that needs more than a workload
 * has. */
#ifndef TESTS_SUITES_COMMON_EVENTS_EVENT_CODE_H
#define TESTS_SUITES_COMMON_EVENTS_EVENT_CODE_H

#include <stdint.h>

#include <kernel/run/test.h>

struct event_code {
	const char *name;
	void (*code)(uint32_t rounds, uint32_t argument);
	void (*prepare)(uint32_t rounds);   /* right before each window; may be NULL */
	const char *(*need)(struct test_ctx *t);  /* may be NULL */
	uint32_t stride;                 /* bytes a round that walks through the arena; or 0 */
};

/*
 * Returns the code of this name; an unknown name ends the test. Besides the workloads there are:
 *	interrupts, nmis        one a round, sent by this processor to itself; each spins a while
 *	pending_loop            a loop of so many rounds with one interrupt pending and IF = 0
 *	line_NAME               the workload NAME, a line of this processor's caches a round
 *	line_walk_twice         two walks over more than L1D holds; the second one hits in L2
 *	line_store_and_walk     the same, but the first walk writes
 *	line_code_walk          a jump a round, each to the next line
 *	code_walk               a jump a round, each to the next line of 32 bytes
 *	code_walk64             the same, 64 bytes apart
 *	code_page_walk          a jump a round, each to the next page, and the next line in it
 *	modify_code             overwrites an instruction with itself and executes it
 *	apic_reads, apic_writes one a round, of the local APIC's registers
 *	video_reads, video_writes   of a text screen's memory, below what is shown
 */
struct event_code event_code_find(const char *name);

/* Returns NULL if the code can run here, or the reason why it cannot: the processor lacks its
 * instructions, or the arena is too small for so many rounds from this offset on. */
const char *event_code_need(struct test_ctx *t, const struct event_code *c, uint32_t rounds,
                            uint32_t offset);

#endif
