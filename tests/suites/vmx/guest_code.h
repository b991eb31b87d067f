/* SPDX-License-Identifier: MIT */
/* Declares what guests execute. Each ends with VMCALL. */
#ifndef TESTS_SUITES_VMX_GUEST_CODE_H
#define TESTS_SUITES_VMX_GUEST_CODE_H

#include <stdint.h>

/* The sled, whose last part the other NOPs are, lasts longer than a PMI may take: a thousand cycles
 * or more. */
enum { GUEST_NOPS = 256, GUEST_PMI_SLED = 8192 };
extern const uint8_t guest_pmi_sled[], guest_nops[], guest_vmcall[];

/* DEC ECX and JNZ, ECX times. */
extern const uint8_t guest_loop[], guest_loop_jump[];
enum { GUEST_LOOP_INSNS = 2 };

/* One instruction, with the guest's registers. */
extern const uint8_t guest_rdmsr[], guest_wrmsr[], guest_rdpmc[], guest_rdtsc[], guest_cpuid[],
                     guest_hlt[], guest_int[], guest_ud2[];

/* WRMSR, a JMP, and GUEST_PMI_SLED NOPs. */
extern const uint8_t guest_wrmsr_sled[];

/* CPUID, ECX times, in rounds of four instructions. */
extern const uint8_t guest_cpuids[];

/* Never ends. */
extern const uint8_t guest_hang[];

#endif
