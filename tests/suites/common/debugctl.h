/* SPDX-License-Identifier: MIT */
/* Checks the register at 1D9H bit by bit: DebugCtlMSR, MSR_DEBUGCTLA, IA32_DEBUGCTL, DebugCtl. */
#ifndef TESTS_SUITES_COMMON_DEBUGCTL_H
#define TESTS_SUITES_COMMON_DEBUGCTL_H

#include <stdint.h>

#include <kernel/run/test.h>

/* What a processor does with each bit. One that is in none of them is reserved: it reads 0, and a
 * write of 1 is dropped, or refused by #GP(0). */
struct debugctl_bits {
	uint64_t held;                 /* reads as written */
	uint64_t dropped;              /* reads 0; a write of 1 is no fault */
	uint64_t refused;              /* a write of 1 is #GP(0) */
	uint64_t open;                 /* nobody knows: reported */
	uint64_t alone;                /* held, but set only without other bits */
};

/* Writes each bit alone, all held ones, and all of these but one. In a hypervisor's guest, whose
 * register has what the hypervisor gives it, the bits that can be set are reported. */
void debugctl_check(struct test_ctx *t, const char *name, const struct debugctl_bits *bits);

#endif
