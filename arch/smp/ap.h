/* SPDX-License-Identifier: MIT */
/* What a processor that starts finds in low memory, and where it goes. */
#ifndef ARCH_SMP_AP_H
#define ARCH_SMP_AP_H

#include <stdint.h>

/* At LOW_AP_PARAMS, read before paging is on; stack: linear, private to the processor. */
struct ap_boot {
	uint32_t cr0, cr3, cr4;
	uint32_t efer;                  /* the 64-bit kernel's */
	uint32_t stack;
};

extern const uint8_t ap_blob[], ap_blob_end[];    /* ap_trampoline.asm: copied to LOW_AP_BASE */

/* Where arch/<width>/ap.asm goes on, with paging, on the processor's own stack. */
void ap_main(void) __attribute__((noreturn));

#endif
