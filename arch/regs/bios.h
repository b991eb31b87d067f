/* SPDX-License-Identifier: MIT */
/*
 * Defines what the BIOS leaves in conventional memory: addresses of words in its data area at 400H.
 * Source: MultiProcessor Specification 1.4, "MP Floating Pointer Structure"; IBM PS/2 and PC BIOS
 * Interface Technical Reference, "BIOS Data Area".
 */
#ifndef ARCH_REGS_BIOS_H
#define ARCH_REGS_BIOS_H

#define BIOS_EBDA_SEGMENT             0x40e /* segment of the extended BIOS data area; 0: none */
#define BIOS_BASE_MEMORY_SIZE         0x413 /* KB from address 0, without the EBDA */
#define BIOS_BASE_MEMORY_MAX          640   /* KB */

#endif
