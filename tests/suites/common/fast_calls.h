/* SPDX-License-Identifier: MIT */
/* Where SYSENTER and SYSCALL arrive at CPL 0: two NOPs, and back by SYSEXIT or SYSRET. */
#ifndef TESTS_SUITES_COMMON_FAST_CALLS_H
#define TESTS_SUITES_COMMON_FAST_CALLS_H

/* Code without a stack, to be put into IA32_SYSENTER_EIP, and its last instruction. */
void fast_calls_sysenter(void);
void fast_calls_sysexit(void);

/* The same for IA32_LSTAR; only in the 64-bit kernel. */
void fast_calls_syscall(void);
void fast_calls_sysret(void);

#endif
