/* SPDX-License-Identifier: MIT */
/* The two 8259s: masked, their vectors moved out of the exceptions' way. */
#ifndef ARCH_INTERRUPTS_PIC_H
#define ARCH_INTERRUPTS_PIC_H

/* Moves IRQ 0 to 15 to VECTOR_IRQ_BASE and masks them all. */
void pic_init(void);

/* IRQ 0, the 8254, alone. */
void pic_unmask_timer(void);
void pic_mask_all(void);
void pic_end_of_interrupt(void);

#endif
