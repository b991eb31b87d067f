/* SPDX-License-Identifier: MIT */
/* Source: Intel 82093AA I/O Advanced Programmable Interrupt Controller, "Registers". */
#include <arch/interrupts/ioapic.h>

#include <arch/cpu/insn.h>
#include <arch/regs/apic.h>

static uint32_t ioapic_read(uint32_t index)
{
	mmio_write32(IOAPIC_DEFAULT_ADDRESS + IOAPIC_SELECT, index);
	return mmio_read32(IOAPIC_DEFAULT_ADDRESS + IOAPIC_WINDOW);
}

static void ioapic_write(uint32_t index, uint32_t value)
{
	mmio_write32(IOAPIC_DEFAULT_ADDRESS + IOAPIC_SELECT, index);
	mmio_write32(IOAPIC_DEFAULT_ADDRESS + IOAPIC_WINDOW, value);
}

/* Versions are 11H (82093AA) to 2FH or so; absent memory reads 0 or all ones. */
bool has_ioapic(void)
{
	uint32_t version = ioapic_read(IOAPIC_VERSION);
	uint32_t number = (uint32_t)FIELD_GET(IOAPIC_VERSION_VERSION, version);

	return number >= 0x01 && number < 0x40 && FIELD_GET(IOAPIC_VERSION_MAX_ENTRY, version) >= 2;
}

void ioapic_route_nmi(unsigned pin, uint8_t apic_id)
{
	ioapic_write(IOAPIC_ENTRY_HIGH(pin), (uint32_t)apic_id << 24);
	ioapic_write(IOAPIC_ENTRY_LOW(pin),
	             (uint32_t)FIELD_PUT(APIC_LVT_DELIVERY, APIC_DELIVERY_NMI));
}

void ioapic_mask(unsigned pin)
{
	ioapic_write(IOAPIC_ENTRY_LOW(pin), APIC_LVT_MASK);
}
