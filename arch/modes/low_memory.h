/* SPDX-License-Identifier: MIT */
/*
 * The conventional memory that the mode services use: code that 16-bit code can reach has to lie
 * below 64 KB, with segment bases of 0 so that offsets and linear addresses are the same. And where
 * other processors begin, in real mode.
 */
#ifndef ARCH_MODES_LOW_MEMORY_H
#define ARCH_MODES_LOW_MEMORY_H

#define LOW_REAL_BASE     0x7000    /* real.asm, copied here; up to LOW_CODE_BASE */
#define LOW_CODE_BASE     0x9000    /* the code under test */
#define LOW_CODE_SIZE     0x0800
#define LOW_STACK_TOP     0xa000    /* its stack, downwards to LOW_CODE_BASE + LOW_CODE_SIZE */
#define LOW_IVT           0xa000    /* real mode's interrupt vectors: 256 * 4 bytes */
#define LOW_AP_BASE       0xb000    /* ap_trampoline.asm, copied here; a page of its own */
#define LOW_AP_PARAMS     0xb800    /* its struct ap_boot (ap.h) */
#define LOW_END           0xc000

#endif
