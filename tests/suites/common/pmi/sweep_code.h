/* SPDX-License-Identifier: MIT */
/*
 * Declares code with one action in the middle of NOPs, for sweep.c. It is called as workloads are,
 * and has the same number of instructions before the action in all three functions.
 */
#ifndef TESTS_SUITES_COMMON_PMI_SWEEP_CODE_H
#define TESTS_SUITES_COMMON_PMI_SWEEP_CODE_H

#include <stdint.h>

/* Writes sweep_write by WRMSR. */
void sweep_by_wrmsr(uint32_t rounds, uint32_t argument);
extern struct sweep_write { uint32_t msr, low, high; } sweep_write;

/* Executes RDPMC with index sweep_write.msr, and stores the result in sweep_read. */
void sweep_by_rdpmc(uint32_t rounds, uint32_t argument);
extern uint64_t sweep_read;

/* Executes STI, HLT. An interrupt must come; interrupts are on afterwards. */
void sweep_by_hlt(uint32_t rounds, uint32_t argument);

#endif
