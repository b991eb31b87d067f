/* SPDX-License-Identifier: MIT */
/* A place to come back to, out of any depth: setjmp and longjmp that also end an NMI. */
#ifndef ARCH_CPU_CONTEXT_H
#define ARCH_CPU_CONTEXT_H

#include <stdint.h>

/* What a C function keeps, by the ABI of each width. */
struct context {
#ifdef __x86_64__
	uintptr_t bx, bp, r12, r13, r14, r15;
#else
	uintptr_t bx, si, di, bp;
#endif
	uintptr_t sp, ip, flags;
};

/* Returns 0; returns again, with the value given to context_resume(), each time that is called. */
int context_save(struct context *c) __attribute__((returns_twice));

/*
 * Goes on behind context_save(), whose function must not have returned. Leaves by IRET, so that
 * NMIs are unblocked when it is called inside an NMI handler. value must not be 0.
 */
void context_resume(const struct context *c, int value) __attribute__((noreturn));

#endif
