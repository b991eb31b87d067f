/* SPDX-License-Identifier: MIT */
/* Code with counts that are known by construction. */
#ifndef PMU_WORKLOAD_H
#define PMU_WORKLOAD_H

#include <stdint.h>

/* Retires WORKLOAD_LOOP_INSNS(rounds) instructions, its RET included; rounds from 1. */
void workload_loop(uint32_t rounds);
#define WORKLOAD_LOOP_INSNS(rounds) (2 * (uint64_t)(rounds) + 2)

#endif
