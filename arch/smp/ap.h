/* SPDX-License-Identifier: MIT */
/* Defines what a starting processor finds in low memory, and the C function that it reaches. */
#ifndef ARCH_SMP_AP_H
#define ARCH_SMP_AP_H

#include <stdint.h>

/*
 * Describes the content of LOW_AP_PARAMS, which is read before paging is on. stack is a linear
 * address, private to the processor.
 */
struct ap_boot {
	uint32_t cr0, cr3, cr4;
	uint32_t efer;                  /* 64-bit kernel only */
	uint32_t stack;
};

extern const uint8_t ap_blob[], ap_blob_end[];    /* ap_trampoline.asm, copied to LOW_AP_BASE */

/* Runs after <width>/ap.asm, with paging on and on the processor's own stack. */
void ap_main(void) __attribute__((noreturn));

#endif
