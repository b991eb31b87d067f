/* SPDX-License-Identifier: MIT */
/* Declares what guests execute. Each ends with VMCALL, or with VMMCALL. */
#ifndef TESTS_SUITES_COMMON_GUESTS_GUEST_CODE_H
#define TESTS_SUITES_COMMON_GUESTS_GUEST_CODE_H

#include <stdint.h>

/* The sled, whose last part the other NOPs are, lasts longer than a PMI may take: a thousand cycles
 * or more. Rounds of the loop are DEC ECX and JNZ. */
enum { GUEST_NOPS = 256, GUEST_PMI_SLED = 8192, GUEST_LOOP_INSNS = 2 };

/*
 * Declares them for one kind of guest: the sled, its last NOPs and the instruction that ends it;
 * the loop, ECX times; one instruction, with the guest's registers; WRMSR, a JMP and the sled;
 * CPUID, ECX times, in rounds of four instructions; a guest that never ends.
 */
#define GUEST_CODE(kind) \
	extern const uint8_t kind##_guest_pmi_sled[], kind##_guest_nops[], kind##_guest_end[], \
	                     kind##_guest_loop[], kind##_guest_loop_jump[], kind##_guest_rdmsr[], \
	                     kind##_guest_wrmsr[], kind##_guest_rdpmc[], kind##_guest_rdtsc[], \
	                     kind##_guest_cpuid[], kind##_guest_hlt[], kind##_guest_int[], \
	                     kind##_guest_ud2[], kind##_guest_wrmsr_sled[], \
	                     kind##_guest_cpuids[], kind##_guest_hang[]
GUEST_CODE(vmx);
GUEST_CODE(svm);

#endif
