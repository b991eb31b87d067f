/* SPDX-License-Identifier: MIT */
/* Declares what the suites of the Pentium's PMU share: two counters of 40 bits, one control
 * register. */
#ifndef TESTS_SUITES_P5_P5_SUITE_H
#define TESTS_SUITES_P5_P5_SUITE_H

#include <stdint.h>

#include <arch/regs/p5.h>
#include <kernel/run/test.h>
#include <pmu/core/program.h>

#define P5_SDM    "SDM 3B, \"Performance Monitoring (Pentium Processors)\""
#define P5_EVENTS "SDM 3B, \"Events That Can Be Counted with Pentium Processor " \
                  "Performance-Monitoring Counters\""

enum { P5_COUNTERS = 2 };

#define P5_COUNTER_MASK  FIELD(39, 0)

/* Returns a setup of the event of this name, at every level, with these flags added. */
struct pmu_setup p5_setup(unsigned counter, const char *event, unsigned flags);

/* Returns the event's number, for callers that program one half of CESR. */
uint16_t p5_event(const char *event);

/* Need this PMU, and code in every mode; also a local APIC. */
const char *need_p5_modes(struct test_ctx *t);
const char *need_p5_apic(struct test_ctx *t);

#endif
