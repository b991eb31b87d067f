/* SPDX-License-Identifier: MIT */
/* Defines what the stack holds while an exception or interrupt is handled, lowest address first. */
#ifndef ARCH_CPU_X86_32_FRAME_H
#define ARCH_CPU_X86_32_FRAME_H

#include <stdint.h>

/*
 * vectors.asm pushes the fields up to vector or error, the processor pushes the rest. sp and ss
 * exist only if the privilege level changed, and the segments following them only if the processor
 * was in virtual-8086 mode.
 */
struct frame {
	uint32_t gs, fs, es, ds;
	uint32_t di, si, bp, sp_at_pusha, bx, dx, cx, ax;
	uint32_t vector, error;
	uint32_t ip, cs, flags;
	uint32_t sp, ss;
	uint32_t vm86_es, vm86_ds, vm86_fs, vm86_gs;
};

#endif
