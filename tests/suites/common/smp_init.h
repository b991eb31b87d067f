/* SPDX-License-Identifier: MIT */
/* Judges registers that an INIT IPI must leave as they were. */
#ifndef TESTS_SUITES_COMMON_SMP_INIT_H
#define TESTS_SUITES_COMMON_SMP_INIT_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/run/test.h>
#include <pmu/core/program.h>

struct kept_register {
	char name[PMU_NAME_SIZE];
	uint32_t msr;
	uint64_t value;                /* the value read after it was written */
	uint32_t set_by;               /* 0, or the MSR whose write sets these bits */
	uint64_t cleared;              /* the bits that INIT clears */
	bool is_open;                  /* no manual says what INIT does: judged where it is exact */
};

enum { KEPT_MAX = 160 };

/* Fills in the registers in the order in which they must be written, and returns their number, at
 * most KEPT_MAX. Runs on the processor that is reset. The values must make nothing count. */
typedef unsigned (*kept_registers)(struct kept_register *r);

/* Appends a register that is named so, with a number if it is one of several: its value is
 * `value`. */
struct kept_register *keep_register(struct kept_register *r, unsigned *count, const char *name,
                                    uint32_t msr, uint64_t value);

/* Writes the registers on the first other processor, resets it by INIT, reads them, and gives them
 * back what they held before. This is a whole test. */
void judge_init(struct test_ctx *t, kept_registers registers);

#endif
