/* SPDX-License-Identifier: MIT */
/* Masks the two 8259s and moves their vectors away from those of the exceptions. */
#ifndef ARCH_INTERRUPTS_PIC_H
#define ARCH_INTERRUPTS_PIC_H

/* Moves IRQ 0 to 15 to VECTOR_IRQ_BASE and masks them all. */
void pic_init(void);

/* Unmasks IRQ 0, the 8254's, and no other. */
void pic_unmask_timer(void);
void pic_mask_all(void);
void pic_end_of_interrupt(void);

#endif
