/* SPDX-License-Identifier: MIT */
/*
 * Defines the entries of the GDT and the IDT, for both widths. Source: SDM 3A, "Segment
 * Descriptors", "IDT Descriptors", "Segment Descriptor Tables in IA-32e Mode".
 */
#ifndef ARCH_MODES_DESCRIPTORS_H
#define ARCH_MODES_DESCRIPTORS_H

#include <arch/regs/bits.h>

#define DESCRIPTOR_LIMIT_LOW   FIELD(15, 0)
#define DESCRIPTOR_BASE_LOW    FIELD(39, 16)
#define DESCRIPTOR_TYPE        FIELD(43, 40)
#define DESCRIPTOR_S           BIT(44)          /* 1: code or data, 0: system */
#define DESCRIPTOR_DPL         FIELD(46, 45)
#define DESCRIPTOR_P           BIT(47)
#define DESCRIPTOR_LIMIT_HIGH  FIELD(51, 48)
#define DESCRIPTOR_L           BIT(53)          /* 64-bit code; D must be 0 then */
#define DESCRIPTOR_D           BIT(54)          /* 32-bit code or stack */
#define DESCRIPTOR_G           BIT(55)          /* the limit counts 4 KB pages */
#define DESCRIPTOR_BASE_HIGH   FIELD(63, 56)

/*
 * These are segment types. The accessed bit is set from the start, so that the processor never
 * changes the GDT.
 */
#define TYPE_DATA              0x3
#define TYPE_CODE              0xb
#define TYPE_TSS               0x9
#define TYPE_TASK_GATE         0x5
#define TYPE_INTERRUPT_GATE    0xe

#define GATE_OFFSET_LOW        FIELD(15, 0)
#define GATE_SELECTOR          FIELD(31, 16)
#define GATE_IST               FIELD(34, 32)    /* 64 bits: a stack of the TSS; 0: the usual one */
#define GATE_OFFSET_HIGH       FIELD(63, 48)

#define SEGMENT(type, dpl, limit, flags) \
	(FIELD_PUT(DESCRIPTOR_TYPE, type) | DESCRIPTOR_S | DESCRIPTOR_P \
	 | FIELD_PUT(DESCRIPTOR_DPL, dpl) | FIELD_PUT(DESCRIPTOR_LIMIT_LOW, limit) \
	 | FIELD_PUT(DESCRIPTOR_LIMIT_HIGH, (limit) >> 16) | (flags))

#define FLAT(type, dpl)        SEGMENT(type, dpl, 0xfffffu, DESCRIPTOR_D | DESCRIPTOR_G)
#define FLAT16(type, dpl)      SEGMENT(type, dpl, 0xffffu, 0)     /* 64 KB from address 0 */
#define CODE64(dpl)            SEGMENT(TYPE_CODE, dpl, 0xfffffu, DESCRIPTOR_L | DESCRIPTOR_G)

/* Makes a TSS descriptor: the whole one for 32 bits, its first half for 64 bits. */
#define TSS_DESCRIPTOR(base, size) \
	(FIELD_PUT(DESCRIPTOR_LIMIT_LOW, (size) - 1) | DESCRIPTOR_P \
	 | FIELD_PUT(DESCRIPTOR_TYPE, TYPE_TSS) | FIELD_PUT(DESCRIPTOR_BASE_LOW, base) \
	 | FIELD_PUT(DESCRIPTOR_BASE_HIGH, (base) >> 24))

/* Makes an interrupt gate: the whole one for 32 bits, its first half for 64 bits. */
#define GATE_DESCRIPTOR(offset, selector, dpl) \
	(FIELD_PUT(GATE_OFFSET_LOW, offset) | FIELD_PUT(GATE_OFFSET_HIGH, (offset) >> 16) \
	 | FIELD_PUT(GATE_SELECTOR, selector) | FIELD_PUT(DESCRIPTOR_TYPE, TYPE_INTERRUPT_GATE) \
	 | FIELD_PUT(DESCRIPTOR_DPL, dpl) | DESCRIPTOR_P)

#endif
