/* SPDX-License-Identifier: MIT */
/*
 * Saves a place in the code and resumes there from any call depth: setjmp() and longjmp(), except
 * that resuming also ends an NMI.
 */
#ifndef ARCH_CPU_CONTEXT_H
#define ARCH_CPU_CONTEXT_H

#include <stdint.h>

/* Holds the registers that a C function must preserve, by the ABI of each width. */
struct context {
#ifdef __x86_64__
	uintptr_t bx, bp, r12, r13, r14, r15;
#else
	uintptr_t bx, si, di, bp;
#endif
	uintptr_t sp, ip, flags;
};

/*
 * Returns 0. Returns again, with the value given to context_resume(), each time context_resume() is
 * called.
 */
int context_save(struct context *c) __attribute__((returns_twice));

/*
 * Continues after the context_save() that filled c; the function that called context_save() must
 * not have returned. Leaves by IRET, so that NMIs are unblocked when an NMI handler calls it. value
 * must not be 0.
 */
void context_resume(const struct context *c, int value) __attribute__((noreturn));

#endif
