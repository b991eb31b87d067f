/* SPDX-License-Identifier: MIT */
/* The guest of a hypervisor shares the kernel's memory and GDT, and has a stack, an IDT and a TSS
 * of its own. */
#ifndef ARCH_GUESTS_GUEST_FRAME_H
#define ARCH_GUESTS_GUEST_FRAME_H

#include <stdint.h>

#include <arch/guests/guest_vectors.h>
#include <arch/modes/segments.h>

/* Describes a segment, decoded from the GDT: rights are bits 55:40 of the descriptor. */
struct guest_segment { uintptr_t base; uint32_t limit; uint32_t rights; };
struct guest_segment guest_segment(uint16_t selector);

/* Returns the end of the empty stack. CPL 3 gets half of it, and interruptions there the rest. */
uintptr_t guest_stack_top(unsigned cpl);

/* Fill and return the IDT, whose gates lead to these vectors, and the TSS. */
struct table_descriptor guest_idt(const uint8_t *vectors);
struct guest_segment guest_tss(void);

/* Returns the address of a gate's code: where a branch record of the interruption leads to. */
uintptr_t guest_gate(const uint8_t *vectors, unsigned vector);

/* Returns the vector by whose gate the guest was interrupted, if it left there, and -1
 * otherwise. */
int guest_vector_at(const uint8_t *vectors, uintptr_t ip);

/* Return the error code, and the address that was interrupted or faulted, of the frame at sp. */
uint32_t guest_frame_error(int vector, uintptr_t sp);
uintptr_t guest_frame_ip(int vector, uintptr_t sp);

#endif
