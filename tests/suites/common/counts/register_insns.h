/* SPDX-License-Identifier: MIT */
/*
 * Executes RDMSR, WRMSR and RDPMC in loops, for pmu_window(): a round is the instruction, DEC, JNZ.
 * They are no workloads, because a wrong number of a register faults, and a write may do harm.
 */
#ifndef TESTS_SUITES_COMMON_COUNTS_REGISTER_INSNS_H
#define TESTS_SUITES_COMMON_COUNTS_REGISTER_INSNS_H

#include <stdint.h>

enum { REGISTER_INSNS_EACH = 3, REGISTER_BRANCHES_EACH = 1 };

/* rounds must be at least 1. rounds_of_wrmsr() writes the register's own value. */
void rounds_of_rdmsr(uint32_t rounds, uint32_t msr);
void rounds_of_wrmsr(uint32_t rounds, uint32_t msr);
void rounds_of_rdpmc(uint32_t rounds, uint32_t index);

#endif
