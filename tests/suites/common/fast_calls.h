/* SPDX-License-Identifier: MIT */
/* Declares the code at CPL 0 at which SYSENTER and SYSCALL arrive: two NOPs, then SYSEXIT or
 * SYSRET. */
#ifndef TESTS_SUITES_COMMON_FAST_CALLS_H
#define TESTS_SUITES_COMMON_FAST_CALLS_H

#include <stdint.h>

#include <arch/cpu/cpuid.h>
#include <kernel/run/test.h>

/* SDM 2A, CPUID: SYSENTER exists; SYSCALL exists in 64-bit code, on AMD in 32-bit code, too. */
#define CPUID_SEP      CPUID_FIELD(0x01, 0, EDX, 11, 11)
#define CPUID_SYSCALL  CPUID_FIELD(0x80000001, 0, EDX, 11, 11)

/* Need the instructions SYSENTER, SYSCALL. */
const char *need_cpu_sysenter(struct test_ctx *t);
const char *need_cpu_syscall(struct test_ctx *t);

/* Mark code that needs no stack and whose address goes into IA32_SYSENTER_EIP, and its last
 * instruction. */
void fast_calls_sysenter(void);
void fast_calls_sysexit(void);

/* Mark the same for IA32_LSTAR, or in the 32-bit kernel for IA32_STAR. */
void fast_calls_syscall(void);
void fast_calls_sysret(void);

/* Make SYSENTER lead there, and fault again. Between the two, fast_calls_by_sysenter() executes two
 * MOVs, SYSENTER, DEC ESI, JNZ in each round, in a mode of CPL 3. */
void fast_calls_open_sysenter(void);
void fast_calls_close_sysenter(void);
void fast_calls_by_sysenter(uint32_t rounds, uint32_t mode);

/* Do so for SYSCALL, without the MOVs. */
void fast_calls_open_syscall(void);
void fast_calls_close_syscall(void);
void fast_calls_by_syscall(uint32_t rounds, uint32_t mode);

#endif
