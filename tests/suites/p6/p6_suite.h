/* SPDX-License-Identifier: MIT */
/* Declares what the suites of the P6 family's PMU share: two counters of 40 bits, one enable
 * bit. */
#ifndef TESTS_SUITES_P6_P6_SUITE_H
#define TESTS_SUITES_P6_P6_SUITE_H

#include <stdint.h>

#include <arch/regs/p6.h>
#include <kernel/run/test.h>
#include <pmu/core/program.h>

#define P6_SDM     "SDM 3B, \"Performance Monitoring (P6 Family Processor)\""
#define P6_EVENTS  "SDM 3B, \"Events That Can Be Counted with the P6 Family " \
                   "Performance-Monitoring Counters\""

enum { P6_COUNTERS = 2 };

/* Have all bits of a counter; bit 39 alone, the sign. */
#define P6_COUNTER_MASK  FIELD(39, 0)
#define P6_COUNTER_SIGN  BIT(39)

/* Returns a counter's value after a write of value: bits 31:0, and bit 31 in bits 39:32. */
uint64_t p6_extended(uint64_t value);

/* Give the events INST_RETIRED, BR_INST_RETIRED and CPU_CLK_UNHALTED. */
#define P6_INSTRUCTIONS  EVENT_INSTRUCTIONS_RETIRED
#define P6_BRANCHES      EVENT_BRANCH_INSTR_RETIRED
uint16_t p6_clocks(void);

/* Returns a setup of this event, in all rings. */
struct pmu_setup p6_setup(unsigned counter, uint16_t event, unsigned flags);

/* Needs this PMU, and code in every mode. */
const char *need_p6_modes(struct test_ctx *t);

/* Needs this PMU, a local APIC with LVTPC, and code at CPL 3. */
const char *need_p6_pmi(struct test_ctx *t);

/* Needs this PMU and a local APIC, whose timer ends a HLT. */
const char *need_p6_apic(struct test_ctx *t);

/* Need this PMU on another processor as well; on a processor of another package. */
const char *need_p6_secondaries(struct test_ctx *t);
const char *need_p6_packages(struct test_ctx *t);

/* Returns the first running processor of another package, or 0. */
unsigned p6_other_package(void);

#endif
