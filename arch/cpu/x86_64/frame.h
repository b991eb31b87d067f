/* SPDX-License-Identifier: MIT */
/* Defines what the stack holds while an exception or interrupt is handled, lowest address first. */
#ifndef ARCH_CPU_X86_64_FRAME_H
#define ARCH_CPU_X86_64_FRAME_H

#include <stdint.h>

/*
 * vectors.asm pushes the fields up to vector or error, the processor pushes the rest. sp and ss
 * always exist.
 */
struct frame {
	uint64_t r15, r14, r13, r12, r11, r10, r9, r8;
	uint64_t di, si, bp, bx, dx, cx, ax;
	uint32_t vector, vector_high, error, error_high;
	uint64_t ip;
	uint32_t cs, cs_high;
	uint64_t flags;
	uint64_t sp;
	uint32_t ss, ss_high;
};

#endif
