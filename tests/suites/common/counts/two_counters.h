/* SPDX-License-Identifier: MIT */
/*
 * What holds of the counters of P5, P6 and AMD alike: of two that count beside each other, or of
 * each. Each function is a whole test; a generation's suite gives it an id and a claim.
 */
#ifndef TESTS_SUITES_COMMON_COUNTS_TWO_COUNTERS_H
#define TESTS_SUITES_COMMON_COUNTS_TWO_COUNTERS_H

#include <stdint.h>

#include <kernel/run/test.h>
#include <pmu/workload/workload.h>

/* What one window of each of these workloads runs. */
struct two_counters_code {
	const struct workload *const *workloads;
	unsigned count;
	uint32_t rounds, argument;
};

/* One counter counts instructions, the other branches; then they change places. */
void two_counters_apart(struct test_ctx *t, const struct two_counters_code *code);

/* Both counters count one event. slack: cycles at a window's edges that one of them may not see. */
struct two_counters_event { const char *name; uint16_t event; unsigned slack; };
void two_counters_equal(struct test_ctx *t, const struct two_counters_event *events, unsigned count,
                        const struct two_counters_code *code);

/* Each counter goes on from each of these start values. */
void two_counters_preset(struct test_ctx *t, const uint64_t *starts, unsigned count);

/* Each counter is written while it and another one run. */
void two_counters_write_running(struct test_ctx *t);

#endif
