/* SPDX-License-Identifier: MIT */
/* What segments.c needs of each width's segments.c. */
#ifndef ARCH_MODES_SEGMENTS_PARTS_H
#define ARCH_MODES_SEGMENTS_PARTS_H

/* Writes the TSS, and its descriptors into the GDT: not busy. */
void segments_init_tss(void);

/* Once the gate of #DF is as every other. */
void segments_set_double_fault_gate(void);

#endif
