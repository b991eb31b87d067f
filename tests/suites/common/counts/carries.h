/* SPDX-License-Identifier: MIT */
/*
 * Checks counts around carries: into bits 31 and 32, into the highest bit, and out of it, which is
 * the overflow. Windows end, write a running counter, or read it at each distance from 8 events
 * before the carry to 8 after it, on all counters of instructions at once.
 */
#ifndef TESTS_SUITES_COMMON_COUNTS_CARRIES_H
#define TESTS_SUITES_COMMON_COUNTS_CARRIES_H

#include <stdint.h>

#include <kernel/run/test.h>
#include <pmu/core/program.h>
#include <tests/suites/common/silicon/silicon.h>

/* Describes what counts: setups from 0 on, and code for a part of a window. */
struct carries {
	const struct pmu_setup *setups;
	unsigned count;
	void (*code)(uint32_t rounds, uint32_t argument);
	uint32_t rounds;
};

/* Checks all of it; on the row's processors the counters' values are shown. SILICON_COUNT is no
 * row. */
void expect_carries(struct test_ctx *t, const struct carries *c, enum silicon row);

/* Does so, without a row, with all counters that can count instructions, at CPL 0. */
void carries_of_instructions(struct test_ctx *t);

#define CARRIES_CLAIM \
	"a count carries at each distance from the carry, also where a counter is stopped, " \
	"written or read there"

#endif
