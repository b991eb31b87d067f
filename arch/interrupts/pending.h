/* SPDX-License-Identifier: MIT */
/* Takes what an operating system left in the local APIC before it started this kernel. */
#ifndef ARCH_INTERRUPTS_PENDING_H
#define ARCH_INTERRUPTS_PENDING_H

/*
 * Ends all interrupts that are in service in the local APIC, and takes all that are requested
 * there. Their sources must be masked; there must be no handlers of interrupts yet. Without a local
 * APIC it does nothing. SDM 3A, "Interrupt Acceptance for Fixed Interrupts": masking an entry of
 * the LVT does not take back what the IRR has already accepted.
 */
void apic_drain(void);

#endif
