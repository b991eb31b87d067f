/* SPDX-License-Identifier: MIT */
/* Judges registers that an INIT IPI must leave as they were. */
#ifndef TESTS_SUITES_COMMON_SMP_INIT_H
#define TESTS_SUITES_COMMON_SMP_INIT_H

#include <stdint.h>

#include <kernel/run/test.h>
#include <pmu/core/program.h>

struct kept_register {
	char name[PMU_NAME_SIZE];
	uint32_t msr;
	uint64_t value;                /* the value read after it was written */
};

enum { KEPT_MAX = 96 };

/* Fills in the registers in the order in which they must be written, and returns their number, at
 * most KEPT_MAX. Runs on the processor that is reset. The values must make nothing count. */
typedef unsigned (*kept_registers)(struct kept_register *r);

/* Writes the registers on the first other processor, resets it by INIT, and reads them. This is a
 * whole test. */
void judge_init(struct test_ctx *t, kept_registers registers);

#endif
