/* SPDX-License-Identifier: MIT */
/*
 * Defines the registers of the local APIC, IO-APIC, 8259 and 8254. Sources: SDM 3A, "Local APIC
 * Register Address Map", "Local Vector Table", "Interrupt Command Register (ICR)"; Intel 82093AA
 * IO-APIC, "Registers"; Intel 8259A; Intel 8254.
 */
#ifndef ARCH_REGS_APIC_H
#define ARCH_REGS_APIC_H

#include <arch/regs/bits.h>

#define APIC_DEFAULT_ADDRESS  UINT32_C(0xfee00000)

/* These are offsets from the base; x2APIC mode uses IA32_X2APIC() of them. */
#define APIC_ID               0x020
#define   APIC_ID_MAX           0xfeu      /* in xAPIC mode; FFH addresses all processors */
#define APIC_VERSION          0x030
#define   APIC_VERSION_VERSION  FIELD(7, 0)
#define   APIC_VERSION_MAX_LVT  FIELD(23, 16)
#define APIC_TPR              0x080
#define APIC_EOI              0x0b0
#define APIC_SVR              0x0f0
#define   APIC_SVR_VECTOR       FIELD(7, 0)
#define   APIC_SVR_ENABLE       BIT32(8)
#define APIC_ISR(vector)      (0x100u + ((vector) >> 5 << 4))  /* in service; 32 vectors each */
#define APIC_IRR(vector)      (0x200u + ((vector) >> 5 << 4))  /* requested, not yet delivered */
#define APIC_ESR              0x280
#define APIC_ICR_LOW          0x300
#define APIC_ICR_HIGH         0x310
#define   APIC_ICR_BUSY         BIT32(12)
#define   APIC_ICR_ASSERT       BIT32(14)
#define   APIC_ICR_LEVEL        BIT32(15)
#define   APIC_ICR_SELF         (1u << 18)
#define APIC_LVT_TIMER        0x320
#define APIC_LVTPC            0x340
#define APIC_LVT_LINT0        0x350
#define APIC_LVT_LINT1        0x360
#define APIC_LVT_ERROR        0x370
#define APIC_TIMER_INITIAL    0x380
#define APIC_TIMER_CURRENT    0x390
#define APIC_TIMER_DIVIDE     0x3e0
#define   APIC_TIMER_DIVIDE_BY_1  0xb

/* The LVT entries and the ICR share these fields. */
#define APIC_LVT_VECTOR       FIELD(7, 0)
#define APIC_LVT_DELIVERY     FIELD(10, 8)
#define   APIC_DELIVERY_FIXED   0
#define   APIC_DELIVERY_SMI     2
#define   APIC_DELIVERY_NMI     4
#define   APIC_DELIVERY_INIT    5
#define   APIC_DELIVERY_STARTUP 6          /* ICR only: the vector is the page of the code */
#define   APIC_DELIVERY_EXTINT  7
#define APIC_LVT_STATUS       BIT32(12)
#define APIC_LVT_MASK         BIT32(16)

#define IOAPIC_DEFAULT_ADDRESS UINT32_C(0xfec00000)
#define IOAPIC_SELECT         0x00
#define IOAPIC_WINDOW         0x10
#define IOAPIC_VERSION        0x01
#define   IOAPIC_VERSION_VERSION  FIELD(7, 0)
#define   IOAPIC_VERSION_MAX_ENTRY FIELD(23, 16)
#define IOAPIC_ENTRY_LOW(pin)  (0x10u + 2u * (pin))
#define IOAPIC_ENTRY_HIGH(pin) (0x11u + 2u * (pin))

#define PIC1_COMMAND          0x20
#define PIC1_DATA             0x21
#define PIC2_COMMAND          0xa0
#define PIC2_DATA             0xa1
#define   PIC_ICW1_INIT         0x11       /* edge, cascade, ICW4 follows */
#define   PIC_ICW4_8086         0x01
#define   PIC_EOI               0x20

#define PIT_HZ                1193182u
#define PIT_CHANNEL0          0x40
#define PIT_CHANNEL2          0x42
#define PIT_COMMAND           0x43
#define   PIT_COMMAND_CHANNEL     FIELD(7, 6)
#define   PIT_COMMAND_ACCESS      FIELD(5, 4)  /* 0 latches, 3 accesses low byte then high byte */
#define   PIT_COMMAND_MODE        FIELD(3, 1)  /* 0: one shot, output rises at the end */
#define PIT_GATE              0x61             /* the PC's port B */
#define   PIT_GATE_ENABLE2      BIT32(0)
#define   PIT_GATE_SPEAKER      BIT32(1)
#define   PIT_GATE_OUTPUT2      BIT32(5)

#endif
