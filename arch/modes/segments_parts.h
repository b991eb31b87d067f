/* SPDX-License-Identifier: MIT */
/* Declares what segments.c needs from the segments.c of each width. */
#ifndef ARCH_MODES_SEGMENTS_PARTS_H
#define ARCH_MODES_SEGMENTS_PARTS_H

/* Writes the TSS and, marked as not busy, its descriptors in the GDT. */
void segments_init_tss(void);

/* Writes the gate of #DF. Must be called after all gates were written alike. */
void segments_set_double_fault_gate(void);

#endif
