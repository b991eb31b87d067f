/* SPDX-License-Identifier: MIT */
/* What holds for guests of VMX and of SVM alike. */
#ifndef TESTS_SUITES_COMMON_GUESTS_GUEST_CLAIMS_H
#define TESTS_SUITES_COMMON_GUESTS_GUEST_CLAIMS_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/guests/guest_regs.h>
#include <kernel/run/test.h>

/* The ways in which RDPMC is allowed, if it is not intercepted. */
enum { GUEST_RDPMC_WAYS = 3 };
extern const struct guest_rdpmc_way {
	unsigned cpl;
	bool pce;
	const char *name;
} guest_rdpmc_ways[GUEST_RDPMC_WAYS];

/* Return the registers for a WRMSR; and EDX:EAX, which RDMSR, RDPMC and RDTSC have loaded. */
struct guest_regs guest_regs_of_wrmsr(uint32_t msr, uint64_t value);
uint64_t guest_edx_eax(const struct guest_regs *regs);

/* Events that a counter of instructions has before its overflow in the sled of NOPs. */
enum { GUEST_MISSING = 100, GUEST_LATER = 110 };

/* Where a PMI came in the sled: with GUEST_MISSING it left the guest, or was delivered there; with
 * GUEST_LATER it left. */
struct guest_pmi_places { uintptr_t exited, stayed, later; };

/* Expects these places to fit together. why has the reasons for both bounds. */
void guest_expect_places(struct test_ctx *t, const uint8_t *sled,
                         const struct guest_pmi_places *places, const char *why);

#endif
