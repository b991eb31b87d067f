/* SPDX-License-Identifier: MIT */
/*
 * Lays out the conventional memory that the mode services use. Code that 16-bit code can reach must
 * lie below 64 KB, with segment bases of 0, so that offsets and linear addresses are equal. Other
 * processors begin here, too, in real mode.
 */
#ifndef ARCH_MODES_LOW_MEMORY_H
#define ARCH_MODES_LOW_MEMORY_H

#define LOW_REAL_BASE     0x7000    /* real.asm's copy; extends to LOW_CODE_BASE */
#define LOW_CODE_BASE     0x9000    /* the code under test */
#define LOW_CODE_SIZE     0x0800
#define LOW_STACK_TOP     0xa000    /* its stack, which grows down to the end of the code */
#define LOW_IVT           0xa000    /* real mode's interrupt vectors: 256 * 4 bytes */
#define LOW_AP_BASE       0xb000    /* ap_trampoline.asm's copy; a page of its own */
#define LOW_AP_PARAMS     0xb800    /* its struct ap_boot (ap.h) */
#define LOW_END           0xc000

#endif
